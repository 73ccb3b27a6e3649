/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_WHY_H
#define RESMON_WHY_H

#include <linux/types.h>

struct resmon_net;
struct resmon_request;
struct resmon_verdict;
struct resmon_why_ring;

/**
 * struct resmon_why - the last denials
 * @ring: a bounded ring on each CPU, so that a flood of denials shares nothing
 */
struct resmon_why {
	struct resmon_why_ring __percpu *ring;
};

int resmon_why_net_init(struct resmon_net *rn);
void resmon_why_net_exit(struct resmon_net *rn);
void resmon_why_record(struct resmon_net *rn, const struct resmon_request *req,
		       const struct resmon_verdict *v);

#endif /* RESMON_WHY_H */
