/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_OWNER_H
#define RESMON_OWNER_H

#include <linux/types.h>

struct resmon_net;

/**
 * struct resmon_owner - a socket whose sessions end with it (L3)
 * @on_net: in resmon_net.owners
 * @sessions: the sessions, by resmon_session.on_group
 * @users: sessions and others that need it
 * @portid: port id of the socket
 *
 * All of it is protected by charge_lock.
 */
struct resmon_owner {
	struct hlist_node on_net;
	struct hlist_head sessions;
	u32 users;
	u32 portid;
};

struct resmon_owner *resmon_owner_find(struct resmon_net *rn, u32 portid);
struct resmon_owner *resmon_owner_get(struct resmon_net *rn, u32 portid);
void resmon_owner_add(struct resmon_owner *owner, struct hlist_node *node);
void resmon_owner_put(struct resmon_owner *owner);

#endif /* RESMON_OWNER_H */
