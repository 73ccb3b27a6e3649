// SPDX-License-Identifier: GPL-2.0-only
/* help: what there is, from the table. */

#include "out.h"
#include "rmctl.h"

static int run(struct ctx *ctx, const struct parsed *p)
{
	const struct value *name = args_get(p, "OBJECT");
	const struct object *object;
	const struct command *c;
	unsigned int i;

	(void)ctx;
	if (!name) {
		puts("rmctl [-j] [-p] [-n NETNS] OBJECT [COMMAND ...]\n\n"
		     "  -j        JSON\n"
		     "  -p        pretty JSON\n"
		     "  -n NETNS  in this network namespace\n");
		for (i = 0; objects[i]; i++)
			printf("  %-10s  %s\n", objects[i]->name,
			       objects[i]->help);
		puts("\nrmctl help OBJECT says more, rmctl(8) all.");
		return out_check();
	}
	object = object_find(name->text);
	if (!object)
		return usage_error(p, "'%s' is no object", name->text);
	printf("%s: %s\n\n", object->name, object->help);
	for (c = object->commands; c->help; c++) {
		usage_print(stdout, object, c);
		printf("       %s\n", c->help);
	}
	return out_check();
}

static const struct arg args[] = {
	{ .meta = "OBJECT", .type = ARG_TEXT, .complete = "object" },
	{ 0 }
};

static const struct command commands[] = {
	{ NULL, "all objects, or the commands of one", .args = args,
	  .run = run },
	{ 0 }
};

const struct object object_help = { "help", "this help", commands };
