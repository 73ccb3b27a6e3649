/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_PROC_H
#define RESMON_PROC_H

#include <linux/types.h>

struct resmon_net;

/* Room for a time in milliseconds. */
#define RESMON_MS_TEXT	16

int resmon_proc_net_init(struct resmon_net *rn);
void resmon_proc_net_exit(struct resmon_net *rn);
const char *resmon_ms_text(u32 us, char *text, size_t size);

#endif /* RESMON_PROC_H */
