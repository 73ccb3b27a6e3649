// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program of mode xdp on a net device: it stays there when rmctl has ended,
 * and goes with the net device.
 */

#include <stdio.h>

#include "xdp.h"

#ifdef HAVE_LIBBPF

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net/if.h>

#include <linux/if_link.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "resmon_xdp.skel.h"
#include "rmctl.h"

/* The kernel keeps 15 characters of a name. */
#define PROGRAM		"resmon_xdp"
#define MODULE		"/sys/module/resmon"
#define MODULE_BTF	"/sys/kernel/btf/resmon"

/* What libbpf said last that tells something: the end of the verifier's log. */
static char last_words[256];

static void keep_line(const char *line, size_t len)
{
	static const char * const noise[] = {
		"libbpf: -- ", "-- ", "processed ", "libbpf: failed to load ",
		"libbpf: prog 'resmon_xdp': -- ",
		"libbpf: prog 'resmon_xdp': failed to load",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(noise); i++)
		if (!strncmp(line, noise[i], strlen(noise[i])))
			return;
	if (len >= sizeof(last_words))
		len = sizeof(last_words) - 1;
	memcpy(last_words, line, len);
	last_words[len] = '\0';
}

static int keep_words(enum libbpf_print_level level, const char *fmt,
		      va_list ap)
{
	char *text, *line;

	if (level == LIBBPF_DEBUG)
		return 0;
	if (vasprintf(&text, fmt, ap) < 0)
		return 0;
	if (getenv("RMCTL_BPF_LOG"))
		fputs(text, stderr);
	for (line = text; *line;) {
		size_t len = strcspn(line, "\n");

		if (len)
			keep_line(line, len);
		line += len + !!line[len];
	}
	free(text);
	return 0;
}

static int fail(const char *ifname, const char *says)
{
	fprintf(stderr, "rmctl: mode xdp on %s: %s\n", ifname, says);
	return -1;
}

static int fail_errno(const char *ifname, const char *what, int err)
{
	fprintf(stderr, "rmctl: mode xdp on %s: %s: %s%s%s\n", ifname, what,
		strerror(err), last_words[0] ? ": " : "", last_words);
	return -1;
}

/* A descriptor of the program that is there in @fd, -1 when it is not ours. */
static enum xdp_there look(int ifindex, int *fd)
{
	struct bpf_xdp_query_opts query = { .sz = sizeof(query) };
	struct bpf_prog_info info = { 0 };
	__u32 id, len = sizeof(info);

	*fd = -1;
	if (bpf_xdp_query(ifindex, 0, &query))
		return XDP_NOTHING;
	id = query.prog_id ?: query.drv_prog_id ?: query.skb_prog_id ?:
	     query.hw_prog_id;
	if (!id)
		return XDP_NOTHING;
	*fd = bpf_prog_get_fd_by_id(id);
	if (*fd < 0)
		return XDP_OTHER;
	if (!bpf_obj_get_info_by_fd(*fd, &info, &len) &&
	    !strcmp(info.name, PROGRAM))
		return XDP_OURS;
	close(*fd);
	*fd = -1;
	return XDP_OTHER;
}

enum xdp_there xdp_look(const char *ifname)
{
	int ifindex = if_nametoindex(ifname), fd;
	enum xdp_there there;

	if (!ifindex)
		return XDP_NOTHING;
	there = look(ifindex, &fd);
	if (fd >= 0)
		close(fd);
	return there;
}

/*
 * In the driver where it can, else in the stack. On a lag only in the drivers
 * of its legs: further up the tags of a frame have been taken out.
 */
static int attach(int ifindex, int fd, bool lag)
{
	static const __u32 modes[] = { XDP_FLAGS_DRV_MODE, XDP_FLAGS_SKB_MODE };
	int err = 0, i;

	for (i = 0; i < (lag ? 1 : 2); i++) {
		err = bpf_xdp_attach(ifindex, fd,
				     XDP_FLAGS_UPDATE_IF_NOEXIST | modes[i],
				     NULL);
		if (!err || err == -EBUSY || err == -EEXIST || err == -EPERM)
			break;
	}
	return err;
}

static int load_and_attach(const char *ifname, int ifindex, bool lag)
{
	struct resmon_xdp_bpf *skel;
	int err;

	skel = resmon_xdp_bpf__open_and_load();
	if (!skel)
		return fail_errno(ifname, "the kernel refused the program",
				  errno);
	err = attach(ifindex, bpf_program__fd(skel->progs.resmon_xdp), lag);
	resmon_xdp_bpf__destroy(skel);
	if (err)
		return fail_errno(ifname, lag ?
				  "the legs cannot run the program" :
				  "the program cannot be attached", -err);
	return 0;
}

int xdp_attach(const char *ifname, bool lag, bool *added)
{
	int ifindex = if_nametoindex(ifname), fd;
	enum xdp_there there;

	*added = false;
	libbpf_set_print(keep_words);
	if (!ifindex)
		return fail_errno(ifname, "no such net device", errno);
	there = look(ifindex, &fd);
	if (fd >= 0)
		close(fd);
	if (there == XDP_OURS)
		return 0;
	if (there == XDP_OTHER)
		return fail(ifname, "the net device has another XDP program");
	/* The request that follows tells that it is not loaded. */
	if (access(MODULE, F_OK))
		return 0;
	if (access(MODULE_BTF, F_OK))
		return fail(ifname,
			    "the module was built without BTF: see Documentation/kernels.rst; mode hook works");
	if (load_and_attach(ifname, ifindex, lag))
		return -1;
	*added = true;
	return 0;
}

/* Ours alone. */
int xdp_detach(const char *ifname)
{
	struct bpf_xdp_attach_opts opts = { .sz = sizeof(opts) };
	int ifindex = if_nametoindex(ifname), fd, err = 0;

	libbpf_set_print(keep_words);
	if (ifindex && look(ifindex, &fd) == XDP_OURS) {
		opts.old_prog_fd = fd;
		err = bpf_xdp_detach(ifindex, XDP_FLAGS_REPLACE |
				     XDP_FLAGS_DRV_MODE, &opts);
		if (err)
			err = bpf_xdp_detach(ifindex, XDP_FLAGS_REPLACE |
					     XDP_FLAGS_SKB_MODE, &opts);
		close(fd);
	}
	if (err)
		return fail_errno(ifname, "the program cannot be taken off",
				  -err);
	return 0;
}

#else /* HAVE_LIBBPF */

enum xdp_there xdp_look(const char *ifname)
{
	(void)ifname;
	return XDP_UNKNOWN;
}

int xdp_attach(const char *ifname, bool lag, bool *added)
{
	(void)lag;
	*added = false;
	fprintf(stderr, "rmctl: mode xdp on %s: %s; mode hook works\n", ifname,
		"this rmctl was built without clang, bpftool or libbpf");
	return -1;
}

int xdp_detach(const char *ifname)
{
	(void)ifname;
	return 0;
}

#endif /* HAVE_LIBBPF */
