/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_REPLY_H
#define RESMON_REPLY_H

#include "frame.h"

bool resmon_reply_pads(const struct resmon_frame *frame,
		       const struct resmon_pppoe *msg);
bool resmon_reply_nak(const struct resmon_frame *frame,
		      const struct resmon_dhcp4 *msg);
bool resmon_reply_none(const struct resmon_frame *frame,
		       const struct resmon_dhcp6 *msg);

#endif /* RESMON_REPLY_H */
