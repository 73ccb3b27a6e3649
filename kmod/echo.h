/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_ECHO_H
#define RESMON_ECHO_H

#include <linux/types.h>

struct resmon_net;

/**
 * struct resmon_echo - what probes one device
 */
struct resmon_echo {
	struct resmon_net *rn;
};

int resmon_echo_init(struct resmon_echo *echo, struct resmon_net *rn);
void resmon_echo_exit(struct resmon_echo *echo);
void resmon_echo_tick(struct resmon_net *rn, u32 now_s);
void resmon_echo_socket_closed(struct resmon_net *rn, u32 portid);

#endif /* RESMON_ECHO_H */
