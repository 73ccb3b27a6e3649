// SPDX-License-Identifier: GPL-2.0-only
/* region: memory pools of line cards. */

#include "out.h"
#include "rmctl.h"

static const struct arg report_args[] = {
	{ "device", "N", ARG_U32, ARG_MUST, RESMON_A_REGION_DEVICE,
	  .complete = "device" },
	{ "pfe", "P", ARG_U32, .attr = RESMON_A_REGION_PFE },
	{ .type = ARG_WORD, .flags = ARG_MUST,
	  .attr = RESMON_A_REGION_REGION, .names = &names_region_kind },
	{ "used", "BYTES", ARG_U64, ARG_MUST, RESMON_A_REGION_USED },
	{ "total", "BYTES", ARG_U64, ARG_MUST, RESMON_A_REGION_TOTAL },
	{ "lifetime", "SEC", ARG_U32, .attr = RESMON_A_REGION_LIFETIME },
	{ 0 }
};

static const struct arg show_args[] = {
	{ "device", "N", ARG_U32, .attr = RESMON_A_REGION_DEVICE,
	  .complete = "device" },
	{ 0 }
};

static void cell_free(struct json_object *rec, const char *field, char *buf,
		      size_t len)
{
	__u64 pct;

	if (rec_num_or(rec, "stale", 0) || !rec_num(rec, field, &pct))
		snprintf(buf, len, "--");
	else
		snprintf(buf, len, "%u%%%s", (unsigned int)pct,
			 rec_num_or(rec, "low", 0) ? " *" : "");
}

static void cell_high(struct json_object *rec, const char *field, char *buf,
		      size_t len)
{
	snprintf(buf, len, "%s", rec_num_or(rec, field, 0) ? "high" : "");
}

static const struct column columns[] = {
	{ "Slot", "device" },
	{ "PFE", "pfe" },
	{ "Region", "region", .left = true },
	{ "Free", "free-pct", cell_free, true },
	{ "", "high", cell_high, true },
	{ "Used", "used" },
	{ "Total", "total" },
	{ "Age s", "age" },
	{ "Lifetime s", "lifetime" },
	{ 0 }
};

static const struct table table = { columns, "no regions" };

static const struct command commands[] = {
	{ "report", "report what a region holds", .args = report_args,
	  .cmd = RESMON_CMD_REGION_REPORT, .run = run_change },
	{ "show", "regions, * at a watermark", .args = show_args,
	  .cmd = RESMON_CMD_REGION_GET, .show = SHOW_ALL, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_region = {
	"region", "memory of line cards", commands
};
