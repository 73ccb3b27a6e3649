/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_ARGS_H
#define RMCTL_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

#include <linux/resmon.h>
#include <linux/types.h>

#include "schema.h"

#define FORMAT		__format__
#define __printf(a, b)	__attribute__((FORMAT(__printf__, a, b)))

struct command;
struct nl_msg;
struct object;

enum arg_type {
	ARG_END,
	ARG_U32,
	ARG_U64,
	ARG_SWITCH,	/* on|off */
	ARG_WORD,	/* one of names */
	ARG_TEXT,
	ARG_KEY,	/* sent as bytes, without a terminator */
	ARG_FLAG,	/* the keyword alone */
	ARG_ONE,	/* the keyword alone, sent as the number 1 */
	ARG_TARGET,	/* chassis | device N | mic N/M | port DEV | lag DEV */
	ARG_MS,		/* milliseconds with decimals, sent in microseconds */
	ARG_RANGE,	/* MIN:MAX, two attributes */
	ARG_MIC,	/* N/M, two attributes */
	ARG_VLAN,	/* V[.V], one or two attributes */
	ARG_LIST,	/* N[,N..], one attribute each */
	ARG_SECONDS_OFF, /* SEC|off, off is 0 */
	ARG_PRIORITY,	/* KIND VALUE or none, two attributes */
};

#define ARG_MUST	1u	/* flags: must be given */

#define ON(element)	(1u << RESMON_ELEMENT_KIND_##element)
#define ON_ANY		(ON(CHASSIS) | ON(DEVICE) | ON(MIC) | ON(PORT) | ON(LAG))

/* One argument: a keyword and its value, or a bare value. */
struct arg {
	const char *word;		/* NULL: a bare value */
	const char *meta;		/* what help calls the value */
	enum arg_type type;
	unsigned int flags;
	unsigned int attr;		/* 0: for the tool itself */
	unsigned int attr2;
	const struct names *names;	/* of ARG_WORD */
	unsigned int elements;		/* ON(...) of ARG_TARGET */
	const char *complete;		/* kind of names, see cmd_table.c */
};

struct target {
	enum resmon_element_kind kind;
	__u32 device;
	__u32 mic;
	const char *ifname;
};

#define ARGS_MAX	24
#define LIST_MAX	64

struct value {
	bool given;
	__u64 num;
	__u64 num2;
	const char *text;
	bool pair;			/* num2 was given too */
	unsigned int kind;		/* of ARG_PRIORITY */
	struct target target;
	char * const *words;		/* as the user typed it */
	int n_words;
};

struct parsed {
	const struct object *object;
	const struct command *command;
	const char *where;		/* "line 3: " or "" */
	bool from_stdin;		/* the arguments come line by line */
	struct value values[ARGS_MAX];	/* in the order of command->args */
};

/* Of a command that has none. */
extern const struct arg no_args[];

int args_parse(struct parsed *p, int argc, char * const *argv);
const struct value *args_get(const struct parsed *p, const char *name);
__u64 args_num(const struct parsed *p, const char *name, __u64 otherwise);
bool args_any_attr(const struct parsed *p);
int args_put(struct nl_msg *msg, const struct parsed *p, const char *suffix);
int args_put_target(struct nl_msg *msg, unsigned int attr,
		    const struct target *target);
void args_words(const struct parsed *p, unsigned int attr, char *buf,
		size_t len);

int parse_u64(const char *text, __u64 max, __u64 *num);
int parse_mac(const char *text, unsigned char *mac);
int parse_milli(const char *text, __u64 unit, __u64 max, __u64 *num);

const char *arg_meta(const struct arg *arg);
void usage_print(FILE *file, const struct object *object,
		 const struct command *command);
__printf(2, 3)
int usage_error(const struct parsed *p, const char *fmt, ...);

#endif /* RMCTL_ARGS_H */
