/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_XDP_H
#define RESMON_XDP_H

struct netlink_ext_ack;
struct resmon_place;
struct xdp_md;

/* For BPF programs; nobody here calls it. */
int resmon_xdp_verdict(struct xdp_md *ctx);

int resmon_xdp_check(struct resmon_place *place,
		     struct netlink_ext_ack *extack);
int resmon_xdp_register(void);

#endif /* RESMON_XDP_H */
