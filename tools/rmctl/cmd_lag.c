// SPDX-License-Identifier: GPL-2.0-only
/* lag: bonds and teams whose legs are ports; found, never configured. */

#include "out.h"
#include "rmctl.h"

static const struct arg show_args[] = {
	{ .meta = "DEV", .type = ARG_TEXT, .attr = RESMON_A_LAG_IFNAME,
	  .complete = "lag" },
	{ 0 }
};

static const struct column columns[] = {
	{ "Lag", "ifname", .left = true },
	{ "Sessions", "limit", cell_usage },
	{ "Starting", "starting" },
	{ "Peak", "peak" },
	{ "Denied", "denied" },
	{ "Refused", "refused" },
	{ "Drain", "drain", cell_on, true },
	{ "Legs", "leg", cell_legs, true },
	{ 0 }
};

static const struct table table = { columns, "no lags" };

static const struct command commands[] = {
	{ "show", "one lag or all, with their legs", .args = show_args,
	  .cmd = RESMON_CMD_LAG_GET, .show = SHOW_EITHER, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_lag = {
	"lag", "bonds and teams whose legs are ports", commands
};
