/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_LIFE_DHCP_H
#define RESMON_LIFE_DHCP_H

#include "follow.h"
#include "frame.h"

struct resmon_session *resmon_dhcp_session(const struct resmon_frame *frame,
					   const struct resmon_subscriber *who);
struct resmon_session *resmon_dhcp_find(const struct resmon_frame *frame,
					const struct resmon_subscriber *who,
					const struct resmon_key *duid);
enum resmon_fate resmon_dhcp_commit(const struct resmon_frame *frame,
				    const struct resmon_subscriber *who,
				    const u8 *mac, const struct resmon_key *duid,
				    bool rapid);
void resmon_dhcp_adopt(const struct resmon_frame *frame,
		       const struct resmon_subscriber *who, const u8 *mac,
		       const struct resmon_key *duid);
void resmon_dhcp_lease(struct resmon_net *rn, struct resmon_session *session,
		       u16 kind, u32 iaid, u32 seconds);
bool resmon_dhcp_unlease(struct resmon_net *rn, struct resmon_session *session,
			 u16 kind, u32 iaid);
bool resmon_dhcp_release(struct resmon_net *rn, struct resmon_session *session,
			 u16 kind, u32 iaid, bool ours);
struct resmon_session *
resmon_dhcp_import(const struct resmon_frame *frame,
		   const struct resmon_subscriber *who, const u8 *mac,
		   const struct resmon_key *duid,
		   const struct resmon_lease *given, u32 seconds, bool *same);
void resmon_server_learn(const struct resmon_frame *frame, u64 server);
bool resmon_server_known(const struct resmon_frame *frame, u64 server);

#endif /* RESMON_LIFE_DHCP_H */
