// SPDX-License-Identifier: GPL-2.0-only
/* limit: caps on the sessions of an element. */

#include "out.h"
#include "rmctl.h"

#define TARGET_ARG							\
	{ .type = ARG_TARGET, .flags = ARG_MUST,			\
	  .attr = RESMON_A_LIMIT_TARGET, .elements = ON_ANY }
#define TYPE_ARG							\
	{ "type", .type = ARG_WORD, .flags = ARG_MUST,			\
	  .attr = RESMON_A_LIMIT_TYPE, .names = &names_type }

static const struct arg set_args[] = {
	TARGET_ARG,
	TYPE_ARG,
	{ "max", "COUNT", ARG_U32, .attr = RESMON_A_LIMIT_MAX_SESSIONS },
	{ "starting", "COUNT", ARG_U32,
	  .attr = RESMON_A_LIMIT_MAX_STARTING },
	{ "warn", "PCT", ARG_U32, .attr = RESMON_A_LIMIT_WARN },
	{ 0 }
};

static const struct arg del_args[] = {
	TARGET_ARG,
	TYPE_ARG,
	{ 0 }
};

static const struct arg show_args[] = {
	{ .type = ARG_TARGET, .attr = RESMON_A_LIMIT_TARGET,
	  .elements = ON_ANY },
	{ 0 }
};

static const char *check_set(const struct parsed *p)
{
	if (args_get(p, "max") || args_get(p, "starting") ||
	    args_get(p, "warn"))
		return NULL;
	return "max, starting or warn is missing";
}

/* C4: a limit under the usage is allowed, and seen. */
static void cell_over(struct json_object *rec, const char *field, char *buf,
		      size_t len)
{
	snprintf(buf, len, "%s", rec_num_or(rec, field, 0) ? "over" : "");
}

static const struct column columns[] = {
	{ "Target", "target", cell_target, true },
	{ "Type", "type", .left = true },
	{ "Sessions", "sessions" },
	{ "Limit", "max-sessions" },
	{ "", "over", cell_over, true },
	{ "Starting", "starting" },
	{ "Limit", "max-starting" },
	{ "Warn", "warn", cell_pct },
	{ "Peak", "peak" },
	{ "Peak time", "peak-time", cell_seconds, true },
	{ "Refused", "refused" },
	{ 0 }
};

/* The kernel counts every type everywhere. */
static bool idle(struct json_object *rec)
{
	return !rec_get(rec, "max-sessions") && !rec_get(rec, "max-starting") &&
	       !rec_num_or(rec, "sessions", 0) && !rec_num_or(rec, "peak", 0) &&
	       !rec_num_or(rec, "refused", 0);
}

static const struct table table = { columns, "no limits", idle };

static const struct command commands[] = {
	{ "set", "cap the sessions of an element, what is not named stays",
	  .args = set_args, .cmd = RESMON_CMD_LIMIT_SET, .check = check_set,
	  .run = run_change },
	{ "del", "remove the limit of a type", .args = del_args,
	  .cmd = RESMON_CMD_LIMIT_DEL, .run = run_change },
	{ "show", "limits, usage and peaks", .args = show_args,
	  .cmd = RESMON_CMD_LIMIT_GET, .show = SHOW_ALL, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_limit = {
	"limit", "caps on sessions", commands
};
