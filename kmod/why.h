/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_WHY_H
#define RESMON_WHY_H

#include <linux/types.h>

#include "element.h"

struct resmon_net;
struct resmon_request;
struct resmon_decision;
struct resmon_why_ring;

/* Denials that each CPU remembers; a power of 2. */
#define RESMON_WHY_ENTRIES	64

/**
 * struct resmon_why - the last denials
 * @ring: a bounded ring on each CPU, so that a flood of denials shares nothing
 */
struct resmon_why {
	struct resmon_why_ring __percpu *ring;
};

/**
 * struct resmon_why_entry - one denial
 * @when: nanoseconds since the epoch
 * @order: its number on its CPU
 * @place: where the request came from, valid if @has_place
 * @refuser: whose rule refused, valid if @has_refuser
 * @outer: outer VLAN or 0
 * @inner: inner VLAN or 0
 * @cause: enum resmon_cause
 * @type: enum resmon_type
 * @kind: enum resmon_kind
 * @has_place: the request named a place
 * @has_refuser: a rule of an element refused
 * @len: length of @text
 * @text: the identity as it was given
 */
struct resmon_why_entry {
	u64 when;
	u32 order;
	struct resmon_ident place;
	struct resmon_ident refuser;
	u16 outer;
	u16 inner;
	u8 cause;
	u8 type;
	u8 kind;
	bool has_place;
	bool has_refuser;
	u8 len;
	u8 text[RESMON_KEY_LEN];
};

/**
 * struct resmon_why_list - the last denials at one moment, oldest first
 * @n: how many
 * @entry: the denials
 */
struct resmon_why_list {
	unsigned int n;
	struct resmon_why_entry entry[];
};

int resmon_why_net_init(struct resmon_net *rn);
void resmon_why_net_exit(struct resmon_net *rn);
void resmon_why_record(struct resmon_net *rn, const struct resmon_request *req,
		       const struct resmon_decision *v);
struct resmon_why_list *resmon_why_read(struct resmon_net *rn, const void *text,
					u8 len);

#endif /* RESMON_WHY_H */
