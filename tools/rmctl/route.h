/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_ROUTE_H
#define RMCTL_ROUTE_H

#include <linux/types.h>

struct nl_sock;

struct nl_sock *route_open(void);
int route_lookup(struct nl_sock *sk, int family, const void *address,
		 __u32 *ifindex);

#endif /* RMCTL_ROUTE_H */
