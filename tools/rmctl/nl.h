/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_NL_H
#define RMCTL_NL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "rmctl.h"

/* One answer of the kernel: its command and its attributes. */
struct reply {
	struct reply *next;
	unsigned int cmd;
	int len;
	struct nlattr attrs[];
};

struct replies {
	struct reply *first;
	struct reply **last;
	size_t n;
};

/* What the kernel said when it refused. */
struct refusal {
	int error;
	char message[128];
};

/* A request and who asked for it, for the words in an error message. */
struct request {
	struct nl_msg *msg;
	unsigned int cmd;
	const struct parsed * const *items;	/* one each nest of a batch */
	unsigned int n_items;
	struct refusal *refusal;		/* NULL: it is printed */
};

int link_open(struct ctx *ctx);
void link_close(struct ctx *ctx);
int link_group(struct ctx *ctx, const char *name);

struct nl_msg *rq_new(struct ctx *ctx, unsigned int cmd, size_t size);
int rq_do(struct ctx *ctx, const struct request *rq, struct replies *replies);
int rq_dump(struct ctx *ctx, const struct request *rq, struct replies *replies);
int rq_send(struct ctx *ctx, struct nl_msg *msg);
void rq_refused(const struct request *rq, struct nlmsgerr *err);

/* The common case: what @p says, as attributes of the message itself. */
int rq_parsed(struct ctx *ctx, const struct parsed *p,
	      struct replies *replies);
int rq_get_all(struct ctx *ctx, unsigned int cmd, struct replies *replies);
int rq_get_one(struct ctx *ctx, unsigned int cmd, struct replies *replies);

void replies_init(struct replies *replies);
void replies_free(struct replies *replies);

/* extack.c */
void fault_words(const struct parsed *p, unsigned int attr, const char *name);
void extack_print(const struct request *rq, int error,
		  const struct nlattr *tlvs, int len);

#endif /* RMCTL_NL_H */
