// SPDX-License-Identifier: GPL-2.0-only
/* chassis: what holds for the whole network namespace. */

#include "out.h"
#include "rmctl.h"

static const struct arg set_args[] = {
	{ "throttle", .type = ARG_SWITCH, .attr = RESMON_A_CHASSIS_THROTTLE },
	{ "load-throttle", .type = ARG_SWITCH,
	  .attr = RESMON_A_CHASSIS_LOAD_THROTTLE },
	{ "high-threshold", "PCT", ARG_U32,
	  .attr = RESMON_A_CHASSIS_HIGH_THRESHOLD },
	{ "logging", .type = ARG_SWITCH, .attr = RESMON_A_CHASSIS_LOGGING },
	{ "on-error", .type = ARG_WORD, .attr = RESMON_A_CHASSIS_ON_ERROR,
	  .names = &names_on_error },
	{ "settle", "SEC", ARG_U32, .attr = RESMON_A_CHASSIS_SETTLE },
	{ "retry", .type = ARG_RANGE, .attr = RESMON_A_CHASSIS_RETRY_MIN,
	  .attr2 = RESMON_A_CHASSIS_RETRY_MAX },
	{ 0 }
};

static const char *check_set(const struct parsed *p)
{
	return args_any_attr(p) ? NULL : "nothing to set";
}

static const struct command commands[] = {
	{ "set", "change settings, what is not named stays",
	  .args = set_args, .cmd = RESMON_CMD_CHASSIS_SET,
	  .check = check_set, .run = run_change },
	{ "show", "settings and totals", .cmd = RESMON_CMD_CHASSIS_GET,
	  .show = SHOW_ONE, .run = run_show },
	{ 0 }
};

const struct object object_chassis = {
	"chassis", "the BNG: this network namespace", commands
};
