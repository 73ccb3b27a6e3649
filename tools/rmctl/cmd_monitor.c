// SPDX-License-Identifier: GPL-2.0-only
/* monitor: what changes and what happens, as it does. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "event.h"
#include "names.h"
#include "out.h"
#include "rmctl.h"
#include "signals.h"

struct monitor {
	struct ctx *ctx;
	__u64 left;		/* messages until the end */
	int failed;
};

static __u64 clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* One message, one line: {"name":"device-ntf","group":...,"msg":{...}}. */
static void print_json(const struct monitor *m, const struct op *op,
		       bool event, struct json_object *rec)
{
	struct json_object *line = json_object_new_object();
	struct ctx plain = *m->ctx;

	plain.pretty = false;
	json_object_object_add(line, "name", json_object_new_string(op->name));
	json_object_object_add(line, "group",
			       json_object_new_string(event ?
						      RESMON_MCGRP_EVENTS :
						      RESMON_MCGRP_CONFIG));
	json_object_object_add(line, "time",
			       json_object_new_uint64(clock_ns(CLOCK_REALTIME)));
	json_object_object_add(line, "msg", json_object_get(rec));
	json_print(&plain, line);
	json_object_put(line);
}

static void print_text(const struct op *op, bool event,
		       struct json_object *rec)
{
	__u64 ns = rec_num_or(rec, "time", 0);
	char time[64], text[2048];

	if (event) {
		event_text(rec, text, sizeof(text));
	} else {
		config_text(op->name, rec, text, sizeof(text));
		ns = 0;
	}
	time_text(ns ?: clock_ns(CLOCK_REALTIME), time, sizeof(time));
	printf("%s %s\n", time, text);
}

static int on_message(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct monitor *m = arg;
	struct json_object *rec;
	struct genlmsghdr *hdr;
	const struct op *op;
	bool event;

	if (nlh->nlmsg_type != m->ctx->family || !genlmsg_valid_hdr(nlh, 0) ||
	    !m->left)
		return NL_OK;
	hdr = genlmsg_hdr(nlh);
	if (hdr->cmd > ops_max || !ops[hdr->cmd].name)
		return NL_OK;
	op = &ops[hdr->cmd];
	event = hdr->cmd == RESMON_CMD_EVENT;
	rec = decode(op->set, genlmsg_attrdata(hdr, 0),
		     genlmsg_attrlen(hdr, 0));
	if (m->ctx->json)
		print_json(m, op, event, rec);
	else
		print_text(op, event, rec);
	json_object_put(rec);
	m->left--;
	/* Who reads a pipe wants each line now. */
	m->failed = out_check();
	return m->failed ? NL_STOP : NL_OK;
}

static int any_seq(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_OK;
}

static int say_lost(const struct monitor *m)
{
	puts(m->ctx->json ? "{\"name\":\"lost\"}" : "lost some events");
	return out_check();
}

/* @until is a CLOCK_MONOTONIC time, 0: for ever. */
static int loop(struct monitor *m, struct nl_cb *cb, __u64 until, int signals)
{
	struct pollfd fds[] = {
		{ .fd = nl_socket_get_fd(m->ctx->sk), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};

	while (m->left && !m->failed) {
		__u64 now = clock_ns(CLOCK_MONOTONIC);
		struct timespec ts = { 0 };
		int err;

		if (until && now >= until)
			return 0;
		if (until) {
			ts.tv_sec = (until - now) / 1000000000;
			ts.tv_nsec = (until - now) % 1000000000;
		}
		if (ppoll(fds, ARRAY_SIZE(fds), until ? &ts : NULL, NULL) <= 0)
			continue;
		if (fds[1].revents) {
			int sig = signals_next(signals);

			if (sig == SIGINT || sig == SIGTERM)
				return 0;
		}
		if (!fds[0].revents)
			continue;
		err = nl_recvmsgs(m->ctx->sk, cb);
		/* NOMEM is how libnl tells ENOBUFS. */
		if (err == -NLE_NOMEM) {
			m->failed = say_lost(m);
		} else if (err < 0 && err != -NLE_AGAIN && err != -NLE_INTR) {
			fprintf(stderr, "rmctl: monitor: %s\n",
				nl_geterror(err));
			return STATUS_REFUSED;
		}
	}
	return m->failed;
}

static int join(struct ctx *ctx, const struct parsed *p)
{
	bool config = args_get(p, "config"), events = args_get(p, "events");
	bool both = config == events;
	int err;

	err = link_open(ctx);
	if (!err && (both || config))
		err = link_group(ctx, RESMON_MCGRP_CONFIG);
	if (!err && (both || events))
		err = link_group(ctx, RESMON_MCGRP_EVENTS);
	return err;
}

static int run(struct ctx *ctx, const struct parsed *p)
{
	__u64 timeout = args_num(p, "timeout", 0);
	struct monitor m = {
		.ctx = ctx, .left = args_num(p, "count", UINT64_MAX)
	};
	__u64 until = 0;
	struct nl_cb *cb;
	int signals, err;

	signals = signals_open();
	err = join(ctx, p);
	if (err)
		return err;
	cb = nl_cb_alloc(NL_CB_DEFAULT);
	if (!cb)
		return STATUS_REFUSED;
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_message, &m);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, any_seq, NULL);
	nl_socket_set_nonblocking(ctx->sk);
	/* For who starts us and waits until nothing can be missed. */
	fputs("monitoring\n", stderr);
	if (args_get(p, "timeout"))
		until = clock_ns(CLOCK_MONOTONIC) + timeout * 1000000000;
	err = loop(&m, cb, until, signals);
	nl_cb_put(cb);
	return err;
}

static const struct arg args[] = {
	{ "config", .type = ARG_FLAG },
	{ "events", .type = ARG_FLAG },
	{ "count", "N", ARG_U32 },
	{ "timeout", "SEC", ARG_U32 },
	{ 0 }
};

static const struct command commands[] = {
	{ NULL, "changes and events, one a line, until a signal, N or SEC",
	  .args = args, .run = run },
	{ 0 }
};

const struct object object_monitor = {
	"monitor", "changes and events as they come", commands
};
