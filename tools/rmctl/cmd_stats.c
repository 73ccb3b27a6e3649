// SPDX-License-Identifier: GPL-2.0-only
/* stats: counters since they were last cleared. */

#include <string.h>

#include "out.h"
#include "rmctl.h"

static const struct arg target_args[] = {
	{ .type = ARG_TARGET, .attr = RESMON_A_STATS_TARGET,
	  .elements = ON_ANY },
	{ 0 }
};

/* The sum over the causes, and which they are. */
static void cell_total(struct json_object *rec, const char *field, char *buf,
		       size_t len)
{
	struct json_object *list = rec_get(rec, field);
	__u64 sum = 0;
	size_t i;

	for (i = 0; list && i < json_object_array_length(list); i++)
		sum += rec_num_or(json_object_array_get_idx(list, i), "count",
				  0);
	snprintf(buf, len, "%llu", sum);
}

static size_t causes(struct json_object *rec, const char *field,
		     const char *lead, char *buf, size_t len)
{
	struct json_object *list = rec_get(rec, field);
	size_t used = 0, i;

	for (i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (!rec_num_or(one, "count", 0) || used >= len)
			continue;
		used += snprintf(buf + used, len - used, "%s%s %s",
				 used ? ", " : lead, rec_word(one, "cause"),
				 rec_word(one, "count"));
	}
	return used;
}

static void cell_causes(struct json_object *rec, const char *field, char *buf,
			size_t len)
{
	size_t used;

	(void)field;
	buf[0] = '\0';
	used = causes(rec, "denied", "", buf, len);
	if (used < len)
		causes(rec, "refused", used ? "; refused " : "refused ",
		       buf + used, len - used);
}

static const struct column columns[] = {
	{ "Target", "target", cell_target, true },
	{ "Type", "type", .left = true },
	{ "Kind", "kind", .left = true },
	{ "Requests", "requests" },
	{ "Admitted", "admitted" },
	{ "Waiting", "waiting" },
	{ "Duplicate", "duplicate" },
	{ "Denied", "denied", cell_total },
	{ "Refused", "refused", cell_total },
	{ "Causes", "denied", cell_causes, true },
	{ 0 }
};

static const struct table table = { columns, "no counters" };

/* A table has a line for each type, a record of the kernel all types. */
static void add_rows(struct out *out, struct json_object *rec)
{
	struct json_object *rows = rec_get(rec, "row");
	size_t i;

	for (i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct json_object *target = rec_get(rec, "target");

		json_object_object_add(row, "target", json_object_get(target));
		out_record(out, json_object_get(row));
	}
}

static void print_ledger(struct json_object *rec)
{
	char target[128];

	if (!rec_num_or(rec, "charged", 0) && !rec_num_or(rec, "same", 0) &&
	    !rec_num_or(rec, "refused-commits", 0))
		return;
	cell_target(rec, "target", target, sizeof(target));
	printf("%s: commits charged %s, same %s, refused %s\n", target,
	       rec_word(rec, "charged") ?: "0", rec_word(rec, "same") ?: "0",
	       rec_word(rec, "refused-commits") ?: "0");
}

static int run(struct ctx *ctx, const struct parsed *p)
{
	struct replies replies;
	struct reply *reply;
	struct out out;
	int err;

	if (ctx->json)
		return run_show(ctx, p);
	replies_init(&replies);
	err = rq_parsed(ctx, p, &replies);
	if (err)
		goto free;
	out_begin(&out, ctx, &table);
	for (reply = replies.first; reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);

		add_rows(&out, rec);
		json_object_put(rec);
	}
	err = out_end(&out);
	for (reply = replies.first; reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);

		print_ledger(rec);
		json_object_put(rec);
	}
	err = out_check() ?: err;
free:
	replies_free(&replies);
	return err;
}

static const struct command commands[] = {
	{ "show", "counters of an element or of all", .args = target_args,
	  .cmd = RESMON_CMD_STATS_GET, .show = SHOW_ALL, .table = &table,
	  .run = run },
	{ "clear", "begin counters and peaks anew; usage stays",
	  .args = target_args, .cmd = RESMON_CMD_STATS_CLEAR,
	  .run = run_change },
	{ 0 }
};

const struct object object_stats = {
	"stats", "counters", commands
};
