/* SPDX-License-Identifier: GPL-2.0-only */
/* First signs of life from MACs that nobody has, and that are never retried. */
#ifndef STORM_FLOOD_H
#define STORM_FLOOD_H

#include "packet.h"

extern __u64 flood_sent;
extern __u64 flood_answers;

/* Sends as many as are due. */
void flood_run(void);
/* Counts what answers them. */
void flood_receive(const struct frame *frame);

#endif
