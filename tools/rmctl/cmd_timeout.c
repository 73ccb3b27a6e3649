// SPDX-License-Identifier: GPL-2.0-only
/* timeout: when sessions end by themselves. */

#include "out.h"
#include "rmctl.h"

static const struct arg set_args[] = {
	{ "starting", "SEC", ARG_U32, .attr = RESMON_A_TIMEOUT_STARTING },
	{ "idle", "SEC", ARG_U32, .attr = RESMON_A_TIMEOUT_IDLE },
	{ "ticket", "SEC", ARG_U32, .attr = RESMON_A_TIMEOUT_TICKET },
	{ 0 }
};

static const char *check_set(const struct parsed *p)
{
	return args_any_attr(p) ? NULL : "nothing to set";
}

static const struct command commands[] = {
	{ "set", "change timeouts, what is not named stays",
	  .args = set_args, .cmd = RESMON_CMD_TIMEOUT_SET,
	  .check = check_set, .run = run_change },
	{ "show", "the timeouts in seconds", .cmd = RESMON_CMD_TIMEOUT_GET,
	  .show = SHOW_ONE, .run = run_show },
	{ 0 }
};

const struct object object_timeout = {
	"timeout", "when sessions end by themselves", commands
};
