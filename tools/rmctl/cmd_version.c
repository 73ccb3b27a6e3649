// SPDX-License-Identifier: GPL-2.0-only
/* version: of this tool and of the netlink family it speaks. */

#include "out.h"
#include "rmctl.h"

static int run(struct ctx *ctx, const struct parsed *p)
{
	(void)p;
	if (ctx->json)
		printf("{\"version\":\"%s\",\"family-version\":%d}\n", VERSION,
		       RESMON_FAMILY_VERSION);
	else
		printf("rmctl %s, netlink family version %d\n", VERSION,
		       RESMON_FAMILY_VERSION);
	return out_check();
}

static const struct command commands[] = {
	{ NULL, "the version of this tool", .run = run },
	{ 0 }
};

const struct object object_version = { "version", "its version", commands };
