/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_BATCH_H
#define RMCTL_BATCH_H

#include "out.h"

/* Many requests in one message (U6), and what became of them. */
struct batch {
	struct ctx *ctx;
	unsigned int cmd;
	bool brief;		/* only refusals and the sum */
	struct out out;
	struct nl_msg *msg;
	const struct parsed *items[RESMON_BATCH_MAX];
	unsigned int n;		/* in this message */
	__u64 base;		/* in the messages before */
	__u64 admitted;
	__u64 same;
	__u64 denied;
	__u64 errors;
	__u64 released;
	__u64 by_cause[RESMON_CAUSE_MAX + 1];
};

/* Takes one answer of a message. */
typedef void answer_fn(void *arg, struct json_object *rec);

void answers_take(const struct replies *replies, answer_fn *take, void *arg);
int batch_begin(struct batch *b, struct ctx *ctx, unsigned int cmd);
int batch_add(struct batch *b, const struct parsed *p, const char *suffix);
int batch_flush(struct batch *b);
int batch_end(struct batch *b);

#endif /* RMCTL_BATCH_H */
