// SPDX-License-Identifier: GPL-2.0-only
/* why: the last denials. */

#include "out.h"
#include "rmctl.h"

static const struct arg args[] = {
	{ "key", .type = ARG_KEY, .attr = RESMON_A_WHY_KEY },
	{ .meta = "MAC", .type = ARG_KEY, .attr = RESMON_A_WHY_KEY },
	{ 0 }
};

static const char *check(const struct parsed *p)
{
	if (args_get(p, "key") && args_get(p, "MAC"))
		return "either a MAC or a key, not both";
	return NULL;
}

static const struct column columns[] = {
	{ "Time", "time", cell_nanoseconds, true },
	{ "From", "place", cell_target, true },
	{ "Vlan", "vlan-outer", cell_vlan, true },
	{ "Type", "type", .left = true },
	{ "Kind", "kind", .left = true },
	{ "Cause", "cause", .left = true },
	{ "Refused by", "refuser", cell_target, true },
	{ "Key", "key", .left = true },
	{ 0 }
};

static const struct table table = { columns, "no denials" };

static const struct command commands[] = {
	{ NULL, "the last denials: when, where from, by whom and why",
	  .usage = "[MAC | key TEXT]", .args = args,
	  .cmd = RESMON_CMD_WHY_GET, .show = SHOW_ALL, .table = &table,
	  .check = check, .run = run_show },
	{ 0 }
};

const struct object object_why = {
	"why", "the last denials", commands
};
