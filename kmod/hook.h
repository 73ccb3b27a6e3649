/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_HOOK_H
#define RESMON_HOOK_H

#include "frame.h"

struct resmon_hook;

bool resmon_hook_maybe(const u8 *mac, u32 room, bool suspects);
void resmon_hook_ops(struct resmon_hook *hook, bool leaving);
enum resmon_fate resmon_hook_frame(struct resmon_hook *hook,
				   const struct resmon_bytes *bytes,
				   struct sk_buff *skb, bool leaving, int tag);

#endif /* RESMON_HOOK_H */
