/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_OUT_H
#define RMCTL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include <json-c/json.h>

#include "nl.h"

/*
 * Every answer is decoded into one record, a JSON object with the names of the
 * specification. -j prints it, a table takes its cells from it: both show the
 * same numbers.
 */
struct json_object *decode(const struct attr_set *set,
			   const struct nlattr *attrs, int len);
struct json_object *decode_reply(const struct reply *reply);

/* Access to records; false or NULL when the field is absent. */
bool rec_num(struct json_object *rec, const char *field, __u64 *num);
__u64 rec_num_or(struct json_object *rec, const char *field,
		 __u64 otherwise);
const char *rec_word(struct json_object *rec, const char *field);
struct json_object *rec_get(struct json_object *rec, const char *field);

/* Writes a cell from a record. */
typedef void cell_fn(struct json_object *rec, const char *field, char *buf,
		     size_t len);

cell_fn cell_plain;	/* as it is, - when absent */
cell_fn cell_usage;	/* sessions/limit */
cell_fn cell_target;	/* port eth1 */
cell_fn cell_anchor;	/* 0,1 */
cell_fn cell_legs;	/* eth1 eth2(down) */
cell_fn cell_on;	/* yes, empty when not */
cell_fn cell_switch;	/* on, off */
cell_fn cell_pct;	/* 12% */
cell_fn cell_ms;	/* milliseconds of a field in microseconds, -- */
cell_fn cell_avg;	/* mean and of how many */
cell_fn cell_seconds;	/* wall clock of a field in seconds */
cell_fn cell_nanoseconds;
cell_fn cell_vlan;	/* outer.inner */

void target_text(struct json_object *target, char *buf, size_t len);
void ms_text(__u64 us, char *buf, size_t len);
void record_text(struct json_object *rec, char *buf, size_t len);

struct column {
	const char *head;
	const char *field;
	cell_fn *cell;		/* NULL: cell_plain */
	bool left;
};

struct table {
	const struct column *columns;	/* ends with head NULL */
	const char *none;		/* instead of an empty table */
	/* Rows that say nothing to a person; JSON has them. */
	bool (*skip)(struct json_object *rec);
};

struct out {
	const struct ctx *ctx;
	const struct table *table;
	char **cells;
	size_t n_rows;
	size_t room;
	size_t n_records;
};

void out_begin(struct out *out, const struct ctx *ctx,
	       const struct table *table);
void out_record(struct out *out, struct json_object *rec);
int out_end(struct out *out);

void json_print(const struct ctx *ctx, struct json_object *rec);
void fields_print(const struct ctx *ctx, struct json_object *rec);
int out_check(void);

#endif /* RMCTL_OUT_H */
