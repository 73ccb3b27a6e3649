/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_BUNDLE_H
#define RESMON_BUNDLE_H

#include "rtt.h"

void resmon_bundle_sample(const struct resmon_rtt *rtt,
			  const struct resmon_throttle_sample *sample,
			  bool unanswered, u64 now_ns);
void resmon_bundle_late(const struct resmon_rtt *rtt, u32 rtt_us,
			u32 threshold_us);
void resmon_bundle_check(struct resmon_net *rn);

#endif /* RESMON_BUNDLE_H */
