// SPDX-License-Identifier: GPL-2.0-only
/*
 * table: the table of commands for programs, and names from the running
 * kernel. Bash completion reads both; nothing else knows the grammar.
 *
 * One line each argument, fields separated by tabs:
 *	OBJECT COMMAND KIND WORD VALUES
 * COMMAND is - where the object alone is the command. KIND is none (the
 * command has no arguments), word (keyword and value), flag (keyword alone),
 * bare (value alone, WORD is what help calls it) or target (an element, VALUES
 * are the kinds it can have). VALUES are separated by commas; @kind stands for
 * "rmctl table KIND"; - is free text.
 */

#include <string.h>

#include "names.h"
#include "out.h"
#include "rmctl.h"

static void print_values(const struct arg *arg)
{
	unsigned int i, n = 0;

	if (arg->complete) {
		printf("@%s\n", arg->complete);
		return;
	}
	switch (arg->type) {
	case ARG_SWITCH:
		puts("on,off");
		break;
	case ARG_WORD:
	case ARG_PRIORITY:
		for (i = 0; i < arg->names->n; i++)
			if (arg->names->words[i])
				printf("%s%s", n++ ? "," : "",
				       arg->names->words[i]);
		putchar('\n');
		break;
	case ARG_SECONDS_OFF:
		puts("off");
		break;
	case ARG_TARGET:
		for (i = 0; i < names_element_kind.n; i++)
			if (arg->elements & (1u << i))
				printf("%s%s", n++ ? "," : "",
				       names_element_kind.words[i]);
		putchar('\n');
		break;
	default:
		puts("-");
		break;
	}
}

static void print_command(const struct object *object,
			  const struct command *command)
{
	const char *name = command->name ?: "-";
	const struct arg *arg = command->args;

	if (!arg || !arg->type) {
		printf("%s\t%s\tnone\t-\t-\n", object->name, name);
		return;
	}
	for (; arg->type; arg++) {
		const char *kind = arg->type == ARG_TARGET ? "target" : "bare";

		if (arg->word)
			kind = arg->type == ARG_FLAG || arg->type == ARG_ONE ?
			       "flag" : "word";
		printf("%s\t%s\t%s\t%s\t", object->name, name, kind,
		       arg->word ?: arg_meta(arg));
		print_values(arg);
	}
}

/* Names of what the kernel has now; @second makes N/M of two fields. */
static int print_names(struct ctx *ctx, unsigned int cmd, const char *first,
		       const char *second)
{
	struct replies replies;
	struct reply *reply;

	/* Completion has no place for errors. */
	ctx->quiet = true;
	replies_init(&replies);
	if (link_open(ctx) || rq_get_all(ctx, cmd, &replies))
		return STATUS_REFUSED;
	for (reply = replies.first; reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);

		printf("%s%s%s\n", rec_word(rec, first) ?: "",
		       second ? "/" : "",
		       second ? rec_word(rec, second) ?: "" : "");
		json_object_put(rec);
	}
	replies_free(&replies);
	return out_check();
}

static int run(struct ctx *ctx, const struct parsed *p)
{
	const struct value *kind = args_get(p, "KIND");
	const struct command *c;
	unsigned int i;

	if (kind && !strcmp(kind->text, "device"))
		return print_names(ctx, RESMON_CMD_DEVICE_GET, "index", NULL);
	if (kind && !strcmp(kind->text, "mic"))
		return print_names(ctx, RESMON_CMD_MIC_GET, "device", "index");
	if (kind && !strcmp(kind->text, "port"))
		return print_names(ctx, RESMON_CMD_PORT_GET, "ifname", NULL);
	if (kind && !strcmp(kind->text, "lag"))
		return print_names(ctx, RESMON_CMD_LAG_GET, "ifname", NULL);
	if (kind && strcmp(kind->text, "object"))
		return usage_error(p, "'%s' is no kind of name", kind->text);
	for (i = 0; objects[i]; i++) {
		if (kind)
			puts(objects[i]->name);
		for (c = objects[i]->commands; !kind && c->help; c++)
			print_command(objects[i], c);
	}
	return out_check();
}

static const struct arg args[] = {
	{ .meta = "KIND", .type = ARG_TEXT },
	{ 0 }
};

static const struct command commands[] = {
	{ NULL, "the table of commands, or names of a kind, for programs",
	  .usage = "[object | device | mic | port | lag]", .args = args,
	  .run = run },
	{ 0 }
};

const struct object object_table = {
	"table", "the table of commands, for completion", commands
};
