/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_PROC_H
#define RESMON_PROC_H

struct resmon_net;

int resmon_proc_net_init(struct resmon_net *rn);
void resmon_proc_net_exit(struct resmon_net *rn);

#endif /* RESMON_PROC_H */
