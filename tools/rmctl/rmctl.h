/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_H
#define RMCTL_H

#include <stdbool.h>
#include <stddef.h>

#include "args.h"

/* T1: the exit status says what became of a request. */
enum status {
	STATUS_DONE = 0,
	STATUS_REFUSED = 1,
	STATUS_USAGE = 2,
	STATUS_DENIED = 3,
};

struct nl_sock;
struct table;

/* What the options before the object say, and the socket once it is open. */
struct ctx {
	bool json;
	bool pretty;
	bool quiet;		/* completion: a failure is no news */
	const char *netns;
	struct nl_sock *sk;
	int family;
};

/* How "show" asks. */
enum show {
	SHOW_NONE,
	SHOW_ONE,	/* there is only one: do */
	SHOW_ALL,	/* dump, what is given restricts it */
	SHOW_EITHER,	/* do when something is given, else dump */
};

/*
 * One command. Help, parsing, completion and the words in error messages all
 * come from here.
 */
struct command {
	const char *name;	/* NULL: the object alone is the command */
	const char *help;	/* one line; NULL ends a list of commands */
	const char *usage;	/* instead of what args would print */
	const struct arg *args;
	unsigned int cmd;	/* RESMON_CMD_* */
	enum show show;
	const struct table *table;
	bool stdin_ok;		/* - instead of arguments reads lines of them */
	/* Says what is wrong with the words together, or NULL. */
	const char *(*check)(const struct parsed *p);
	int (*run)(struct ctx *ctx, const struct parsed *p);
};

struct object {
	const char *name;
	const char *help;
	const struct command *commands;
};

extern const struct object * const objects[];
const struct object *object_find(const char *name);
const struct command *command_find(const struct object *object,
				   const char *name);

/* The two shapes that most commands have. */
int run_change(struct ctx *ctx, const struct parsed *p);
int run_show(struct ctx *ctx, const struct parsed *p);

int netns_enter(const char *name);

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#endif /* RMCTL_H */
