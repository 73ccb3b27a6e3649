// SPDX-License-Identifier: GPL-2.0-only
/* rmctl: configures and shows resmon over generic netlink. */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nl.h"
#include "rmctl.h"

static void print_usage(FILE *file)
{
	unsigned int i;

	fputs("usage: rmctl [-j] [-p] [-n NETNS] OBJECT [COMMAND ...]\n",
	      file);
	fputs("       OBJECT is ", file);
	for (i = 0; objects[i]; i++)
		fprintf(file, "%s%s", !i ? "" : i % 8 ? " | " : " |\n"
			"                 ", objects[i]->name);
	fputs("\n       rmctl help OBJECT says more\n", file);
}

static int wrong_option(const char *what)
{
	fprintf(stderr, "rmctl: %s\n", what);
	print_usage(stderr);
	return STATUS_USAGE;
}

/* Finds object and command and has the words parsed. */
static int dispatch(struct ctx *ctx, int argc, char **argv)
{
	struct parsed p = { .where = "" };
	int err;

	if (!argc)
		return wrong_option("an object is missing");
	p.object = object_find(argv[0]);
	if (!p.object) {
		fprintf(stderr, "rmctl: '%s' is no object\n", argv[0]);
		print_usage(stderr);
		return STATUS_USAGE;
	}
	argc--;
	argv++;
	if (argc == 1 && !strcmp(argv[0], "help")) {
		usage_print(stdout, p.object, NULL);
		return 0;
	}
	if (!p.object->commands->name) {
		p.command = p.object->commands;
	} else {
		if (!argc)
			return usage_error(&p, "a command is missing");
		p.command = command_find(p.object, argv[0]);
		if (!p.command)
			return usage_error(&p, "'%s' is no command", argv[0]);
		argc--;
		argv++;
	}
	err = args_parse(&p, argc, argv);
	if (err)
		return err;
	if (ctx->netns && netns_enter(ctx->netns))
		return STATUS_REFUSED;
	err = p.command->run(ctx, &p);
	link_close(ctx);
	return err;
}

int main(int argc, char **argv)
{
	static const char * const by_option[] = { "help", "version" };
	struct ctx ctx = { 0 };
	int opt;

	/* Write errors are seen where they happen. */
	signal(SIGPIPE, SIG_IGN);
	if (argc > 1 && !strcmp(argv[1], "--help"))
		argv[1] = "-h";
	if (argc > 1 && !strcmp(argv[1], "--version"))
		argv[1] = "-V";
	opterr = 0;
	/* + ends at the object: what follows are its own words. */
	while ((opt = getopt(argc, argv, "+:jpn:hV")) != -1) {
		char what[32];

		switch (opt) {
		case 'j':
			ctx.json = true;
			break;
		case 'p':
			ctx.pretty = true;
			break;
		case 'n':
			ctx.netns = optarg;
			break;
		case 'h':
		case 'V':
			return dispatch(&ctx, 1,
					(char **)&by_option[opt == 'V']);
		case ':':
			snprintf(what, sizeof(what), "-%c needs a name",
				 optopt);
			return wrong_option(what);
		default:
			snprintf(what, sizeof(what), "-%c is no option",
				 optopt);
			return wrong_option(what);
		}
	}
	return dispatch(&ctx, argc - optind, argv + optind);
}
