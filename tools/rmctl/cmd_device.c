// SPDX-License-Identifier: GPL-2.0-only
/* device: line cards. */

#include "out.h"
#include "rmctl.h"

static const struct arg add_args[] = {
	{ .meta = "N", .type = ARG_U32, .flags = ARG_MUST,
	  .attr = RESMON_A_DEVICE_INDEX },
	{ "name", "NAME", ARG_TEXT, .attr = RESMON_A_DEVICE_NAME },
	{ "host", .type = ARG_ONE, .attr = RESMON_A_DEVICE_HOST },
	{ 0 }
};

static const struct arg name_args[] = {
	{ .meta = "N", .type = ARG_U32, .flags = ARG_MUST,
	  .attr = RESMON_A_DEVICE_INDEX, .complete = "device" },
	{ 0 }
};

static const struct arg show_args[] = {
	{ .meta = "N", .type = ARG_U32, .attr = RESMON_A_DEVICE_INDEX,
	  .complete = "device" },
	{ 0 }
};

static const struct column columns[] = {
	{ "Slot", "index" },
	{ "Name", "name", .left = true },
	{ "Host", "host", cell_on, true },
	{ "Ports", "ports" },
	{ "Sessions", "limit", cell_usage },
	{ "Starting", "starting" },
	{ "Services", "services" },
	{ "Peak", "peak" },
	{ "Refused", "refused" },
	{ "Allowed", "allowed", cell_pct },
	{ "RTT ms", "rtt-us", cell_ms },
	{ "Avg ms (n)", "avg-us", cell_avg },
	{ "PFEs", "pfes" },
	{ "Drain", "drain", cell_on, true },
	{ 0 }
};

static const struct table table = { columns, "no devices" };

static const struct command commands[] = {
	{ "add", "add a line card in slot N; host: it stands for this host",
	  .args = add_args, .cmd = RESMON_CMD_DEVICE_NEW, .run = run_change },
	{ "del", "remove a line card that has no ports", .args = name_args,
	  .cmd = RESMON_CMD_DEVICE_DEL, .run = run_change },
	{ "show", "one line card or all", .args = show_args,
	  .cmd = RESMON_CMD_DEVICE_GET, .show = SHOW_EITHER, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_device = { "device", "line cards", commands };
