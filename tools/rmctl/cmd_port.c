// SPDX-License-Identifier: GPL-2.0-only
/* port: net devices that face subscribers. */

#include "out.h"
#include "rmctl.h"

static const struct arg add_args[] = {
	{ .meta = "DEV", .type = ARG_TEXT, .flags = ARG_MUST,
	  .attr = RESMON_A_PORT_IFNAME, .complete = "netdev" },
	{ "device", "N", ARG_U32, .attr = RESMON_A_PORT_DEVICE,
	  .complete = "device" },
	{ "mic", "M", ARG_U32, .attr = RESMON_A_PORT_MIC },
	{ "anchor", .type = ARG_LIST, .attr = RESMON_A_PORT_ANCHOR },
	{ 0 }
};

static const struct arg del_args[] = {
	{ .meta = "DEV", .type = ARG_TEXT, .flags = ARG_MUST,
	  .attr = RESMON_A_PORT_IFNAME, .complete = "port" },
	{ 0 }
};

static const struct arg show_args[] = {
	{ .meta = "DEV", .type = ARG_TEXT, .attr = RESMON_A_PORT_IFNAME,
	  .complete = "port" },
	{ 0 }
};

static const char *check_add(const struct parsed *p)
{
	bool anchor = args_get(p, "anchor");

	if (anchor == !!args_get(p, "device"))
		return anchor ? "either device or anchor, not both" :
				"device N or anchor N[,N..] is missing";
	if (anchor && args_get(p, "mic"))
		return "mic goes with device, not with anchor";
	return NULL;
}

/* The lag whose leg the port is, and whether the leg is asked for room. */
static void cell_leg(struct json_object *rec, const char *field, char *buf,
		     size_t len)
{
	const char *lag = rec_word(rec, field);

	snprintf(buf, len, "%s%s", lag ?: "-",
		 lag && !rec_num_or(rec, "leg-active", 1) ? "(down)" : "");
}

static const struct column columns[] = {
	{ "Port", "ifname", .left = true },
	{ "Device", "device", cell_anchor },
	{ "Mic", "mic" },
	{ "Lag", "lag-ifname", cell_leg, true },
	{ "Sessions", "limit", cell_usage },
	{ "Own", "own" },
	{ "Starting", "starting" },
	{ "Peak", "peak" },
	{ "Denied", "denied" },
	{ "Refused", "refused" },
	{ "Drain", "drain", cell_on, true },
	{ 0 }
};

static const struct table table = { columns, "no ports" };

static const struct command commands[] = {
	{ "add", "put a net device on a line card, a mic or an anchor",
	  .usage = "DEV device N [mic M] | DEV anchor N[,N..]",
	  .args = add_args, .cmd = RESMON_CMD_PORT_NEW, .check = check_add,
	  .run = run_change },
	{ "del", "take a port away and release its sessions",
	  .args = del_args, .cmd = RESMON_CMD_PORT_DEL, .run = run_change },
	{ "show", "one port or all", .args = show_args,
	  .cmd = RESMON_CMD_PORT_GET, .show = SHOW_EITHER, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_port = {
	"port", "net devices that face subscribers", commands
};
