// SPDX-License-Identifier: GPL-2.0-only
/* Help text, made from the tables of the commands. */

#include <string.h>

#include "names.h"
#include "rmctl.h"

/* What help calls the value of an argument. */
const char *arg_meta(const struct arg *arg)
{
	static char buf[256];

	if (arg->meta)
		return arg->meta;
	switch (arg->type) {
	case ARG_SWITCH:
		return "on|off";
	case ARG_WORD:
		names_join(arg->names, buf, sizeof(buf));
		return buf;
	case ARG_TARGET:
		return "TARGET";
	case ARG_MS:
		return "MS";
	case ARG_RANGE:
		return "MIN:MAX";
	case ARG_MIC:
		return "N/M";
	case ARG_VLAN:
		return "V[.V]";
	case ARG_LIST:
		return "N[,N..]";
	case ARG_SECONDS_OFF:
		return "SEC|off";
	case ARG_PRIORITY:
		return "none|vlan V[.V]|mac MAC|service-name TEXT|circuit TEXT";
	case ARG_TEXT:
	case ARG_KEY:
		return "TEXT";
	default:
		return "N";
	}
}

static void print_arg(FILE *file, const struct arg *arg)
{
	bool must = arg->flags & ARG_MUST;

	fprintf(file, " %s", must ? "" : "[");
	if (arg->word)
		fputs(arg->word, file);
	if (arg->type != ARG_FLAG && arg->type != ARG_ONE)
		fprintf(file, "%s%s", arg->word ? " " : "", arg_meta(arg));
	fputs(must ? "" : "]", file);
}

static void print_command(FILE *file, const char *lead,
			  const struct object *object,
			  const struct command *command)
{
	const struct arg *arg = command->args;

	fprintf(file, "%srmctl %s", lead, object->name);
	if (command->name)
		fprintf(file, " %s", command->name);
	if (command->usage)
		fprintf(file, " %s", command->usage);
	else
		for (; arg && arg->type; arg++)
			print_arg(file, arg);
	fputc('\n', file);
}

/* Which elements TARGET can be, when the command has one. */
static void print_target(FILE *file, const struct command *command)
{
	static const char * const form[] = {
		[RESMON_ELEMENT_KIND_CHASSIS] = "chassis",
		[RESMON_ELEMENT_KIND_DEVICE] = "device N",
		[RESMON_ELEMENT_KIND_MIC] = "mic N/M",
		[RESMON_ELEMENT_KIND_PORT] = "port DEV",
		[RESMON_ELEMENT_KIND_LAG] = "lag DEV",
	};
	const struct arg *arg = command->args;
	const char *sep = "       TARGET is ";
	unsigned int i;

	for (; arg && arg->type; arg++) {
		if (arg->type != ARG_TARGET || arg->meta)
			continue;
		for (i = 0; i < ARRAY_SIZE(form); i++) {
			if (!(arg->elements & (1u << i)))
				continue;
			fprintf(file, "%s%s", sep, form[i]);
			sep = " | ";
		}
		fputc('\n', file);
		return;
	}
}

/* One command, or all of an object when @command is NULL. */
void usage_print(FILE *file, const struct object *object,
		 const struct command *command)
{
	const char *lead = "usage: ";
	const struct command *c;

	if (command) {
		print_command(file, lead, object, command);
		print_target(file, command);
		return;
	}
	for (c = object->commands; c->help; c++) {
		print_command(file, lead, object, c);
		lead = "       ";
	}
}
