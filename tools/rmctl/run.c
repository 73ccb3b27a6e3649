// SPDX-License-Identifier: GPL-2.0-only
/* What most commands do: change something, or show something. */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nl.h"
#include "out.h"
#include "rmctl.h"

int run_change(struct ctx *ctx, const struct parsed *p)
{
	return rq_parsed(ctx, p, NULL);
}

/* One record as a list of fields when there is no table, else a table. */
int run_show(struct ctx *ctx, const struct parsed *p)
{
	const struct command *c = p->command;
	struct replies replies;
	struct reply *reply;
	struct out out;
	int err;

	replies_init(&replies);
	err = rq_parsed(ctx, p, &replies);
	if (err)
		goto free;
	if (c->show != SHOW_ALL && replies.n == 1 &&
	    (ctx->json || !c->table) &&
	    (c->show == SHOW_ONE || args_any_attr(p))) {
		struct json_object *rec = decode_reply(replies.first);

		fields_print(ctx, rec);
		json_object_put(rec);
		err = out_check();
		goto free;
	}
	out_begin(&out, ctx, c->table);
	for (reply = replies.first; reply; reply = reply->next)
		out_record(&out, decode_reply(reply));
	err = out_end(&out);
free:
	replies_free(&replies);
	return err;
}

/* A name as ip-netns(8) keeps it, or a path such as /proc/PID/ns/net. */
int netns_enter(const char *name)
{
	char path[512];
	int fd, len, err = 0;

	len = snprintf(path, sizeof(path), "%s%s",
		       strchr(name, '/') ? "" : "/run/netns/", name);
	if (len >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		fd = -1;
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0 || setns(fd, CLONE_NEWNET)) {
		fprintf(stderr, "rmctl: network namespace '%s': %s\n", name,
			strerror(errno));
		err = -1;
	}
	if (fd >= 0)
		close(fd);
	return err;
}
