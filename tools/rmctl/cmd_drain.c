// SPDX-License-Identifier: GPL-2.0-only
/* drain: an element admits nobody and keeps who is there. */

#include "out.h"
#include "rmctl.h"

static const struct arg set_args[] = {
	{ .type = ARG_TARGET, .flags = ARG_MUST,
	  .attr = RESMON_A_DRAIN_TARGET, .elements = ON_ANY },
	{ .meta = "on|off", .type = ARG_SWITCH, .flags = ARG_MUST,
	  .attr = RESMON_A_DRAIN_ON },
	{ 0 }
};

static const struct column columns[] = {
	{ "Target", "target", cell_target, true },
	{ "Drain", "on", cell_switch, true },
	{ "Left", "left" },
	{ 0 }
};

static const struct table table = { columns, "nothing is drained" };

static const struct command commands[] = {
	{ "set", "begin or end to drain an element", .args = set_args,
	  .cmd = RESMON_CMD_DRAIN_SET, .run = run_change },
	{ "show", "what is drained and how many sessions are left",
	  .cmd = RESMON_CMD_DRAIN_GET, .show = SHOW_ALL, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_drain = {
	"drain", "elements that empty", commands
};
