// SPDX-License-Identifier: GPL-2.0-only
/* watermark: percent free at which a region is marked. */

#include "out.h"
#include "rmctl.h"

static const struct arg set_args[] = {
	{ "heap", "PCT", ARG_U32, .attr = RESMON_A_WATERMARK_HEAP },
	{ "nh", "PCT", ARG_U32, .attr = RESMON_A_WATERMARK_NH },
	{ "fw", "PCT", ARG_U32, .attr = RESMON_A_WATERMARK_FW },
	{ "dead-band", "PCT", ARG_U32,
	  .attr = RESMON_A_WATERMARK_DEAD_BAND },
	{ 0 }
};

static const char *check_set(const struct parsed *p)
{
	return args_any_attr(p) ? NULL : "nothing to set";
}

static int run_reset(struct ctx *ctx, const struct parsed *p)
{
	struct request rq = { .cmd = RESMON_CMD_WATERMARK_SET, .items = &p,
			      .n_items = 1 };
	int err;

	err = link_open(ctx);
	if (err)
		return err;
	rq.msg = rq_new(ctx, rq.cmd, 0);
	if (!rq.msg)
		return STATUS_REFUSED;
	nla_put_flag(rq.msg, RESMON_A_WATERMARK_RESET);
	err = rq_do(ctx, &rq, NULL);
	nlmsg_free(rq.msg);
	return err;
}

static const struct command commands[] = {
	{ "set", "change watermarks (percent free), what is not named stays",
	  .args = set_args, .cmd = RESMON_CMD_WATERMARK_SET,
	  .check = check_set, .run = run_change },
	{ "reset", "back to the defaults", .run = run_reset },
	{ "show", "the watermarks", .cmd = RESMON_CMD_WATERMARK_GET,
	  .show = SHOW_ONE, .run = run_show },
	{ 0 }
};

const struct object object_watermark = {
	"watermark", "marks on free memory", commands
};
