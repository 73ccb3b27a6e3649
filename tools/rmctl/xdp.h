/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_XDP_H
#define RMCTL_XDP_H

#include <stdbool.h>

/* Is a program of any kind on the net device, and is it ours? */
enum xdp_there {
	XDP_NOTHING,
	XDP_OURS,
	XDP_OTHER,
	XDP_UNKNOWN,	/* rmctl was built without libbpf */
};

enum xdp_there xdp_look(const char *ifname);
int xdp_attach(const char *ifname, bool lag, bool *added);
int xdp_detach(const char *ifname);

#endif /* RMCTL_XDP_H */
