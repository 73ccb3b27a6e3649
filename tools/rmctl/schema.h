/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_SCHEMA_H
#define RMCTL_SCHEMA_H

#include <stdbool.h>

enum attr_type {
	ATTR_NONE,
	ATTR_U32,
	ATTR_S32,
	ATTR_U64,
	ATTR_STRING,
	ATTR_BINARY,
	ATTR_FLAG,
	ATTR_NEST,
	ATTR_PAD,
};

/* The words of an enum, indexed by value. */
struct names {
	const char * const *words;
	unsigned int n;
};

struct attr_set;

struct attr {
	const char *name;
	enum attr_type type;
	const struct names *names;
	const struct attr_set *set;
	bool multi;
};

struct attr_set {
	const char *name;
	const struct attr *attrs;	/* indexed by attribute number */
	unsigned int max;
};

struct op {
	const char *name;
	const struct attr_set *set;
};

/* Indexed by command number, 1..ops_max. */
extern const struct op ops[];
extern const unsigned int ops_max;

#include "schema_tables.h"

#endif /* RMCTL_SCHEMA_H */
