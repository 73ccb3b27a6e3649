// SPDX-License-Identifier: GPL-2.0-only
/* mic: groups of ports on a line card. */

#include "out.h"
#include "rmctl.h"

static const struct arg add_args[] = {
	{ .type = ARG_MIC, .flags = ARG_MUST, .attr = RESMON_A_MIC_DEVICE,
	  .attr2 = RESMON_A_MIC_INDEX },
	{ 0 }
};

static const struct arg del_args[] = {
	{ .type = ARG_MIC, .flags = ARG_MUST, .attr = RESMON_A_MIC_DEVICE,
	  .attr2 = RESMON_A_MIC_INDEX, .complete = "mic" },
	{ 0 }
};

static const struct arg show_args[] = {
	{ .type = ARG_MIC, .attr = RESMON_A_MIC_DEVICE,
	  .attr2 = RESMON_A_MIC_INDEX, .complete = "mic" },
	{ 0 }
};

static void cell_mic(struct json_object *rec, const char *field, char *buf,
		     size_t len)
{
	(void)field;
	snprintf(buf, len, "%s/%s", rec_word(rec, "device") ?: "?",
		 rec_word(rec, "index") ?: "?");
}

static const struct column columns[] = {
	{ "Mic", "index", cell_mic, true },
	{ "Ports", "ports" },
	{ "Sessions", "limit", cell_usage },
	{ "Starting", "starting" },
	{ "Peak", "peak" },
	{ "Refused", "refused" },
	{ "Drain", "drain", cell_on, true },
	{ 0 }
};

static const struct table table = { columns, "no mics" };

static const struct command commands[] = {
	{ "add", "add mic M to line card N", .args = add_args,
	  .cmd = RESMON_CMD_MIC_NEW, .run = run_change },
	{ "del", "remove a mic that has no ports", .args = del_args,
	  .cmd = RESMON_CMD_MIC_DEL, .run = run_change },
	{ "show", "one mic or all", .args = show_args,
	  .cmd = RESMON_CMD_MIC_GET, .show = SHOW_EITHER, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_mic = { "mic", "groups of ports", commands };
