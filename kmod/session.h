/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_SESSION_H
#define RESMON_SESSION_H

#include <linux/rhashtable.h>

#include "pure.h"

struct resmon_element;
struct resmon_follow;
struct resmon_net;
struct resmon_owner;
struct resmon_place;
struct resmon_request;
struct resmon_decision;

enum resmon_key_how {
	RESMON_KEY_NONE,	/* a session without identity */
	RESMON_KEY_TEXT,	/* at most 16 bytes, as they are */
	RESMON_KEY_HASH,	/* a keyed hash of a longer text */
};

/**
 * struct resmon_key - what makes two requests the same session (L1, L2)
 * @ifindex: of the port or lag
 * @parent: id of the client session, for a service
 * @outer: outer VLAN or 0
 * @inner: inner VLAN or 0
 * @type: enum resmon_type
 * @how: enum resmon_key_how
 * @len: length of the text in bytes
 * @pad: zero, the key is compared as memory
 * @id: the identity
 */
struct resmon_key {
	u32 ifindex;
	u32 parent;
	u16 outer;
	u16 inner;
	u8 type;
	u8 how;
	u8 len;
	u8 pad;
	u8 id[16];
};

/**
 * struct resmon_extra - what few sessions have
 * @owner: the socket that owns it or NULL
 * @parent: the client session that a service sits on or NULL
 * @services: the services that sit on it
 * @portid: port id of @owner, for show
 * @len: length of @text
 * @text: an identity longer than 16 bytes
 */
struct resmon_extra {
	struct resmon_owner *owner;
	struct resmon_session *parent;
	struct hlist_head services;
	u32 portid;
	u8 len;
	u8 text[];
};

/**
 * struct resmon_session - one admitted session
 * @node: in the table of keys, if it has one
 * @on_place: in resmon_place.sessions
 * @on_wheel: in the timing wheel, while it has a deadline
 * @rcu: for the free after a grace period, when it is on no wheel any more
 * @on_group: among the sessions of its owner, or the services of its client
 * @place: where it sits; set once
 * @extra: what few sessions have, or NULL
 * @follow: what is known of it from frames, or NULL; set once
 * @key: its identity; of a session that is known from frames replaced once,
 *	when it has its number
 * @id: set once
 * @since: when it began, seconds of CLOCK_BOOTTIME; set once
 * @deadline: when it times out, seconds of CLOCK_BOOTTIME, 0 for never
 * @kind: enum resmon_kind; set once
 * @state: enum resmon_state
 * @counted: it takes a place; false while it waits for that of another (H9)
 *
 * Everything that is not set once is protected by charge_lock.
 */
struct resmon_session {
	struct rhash_head node;
	struct hlist_node on_place;
	union {
		struct hlist_node on_wheel;
		struct rcu_head rcu;
	};
	struct hlist_node on_group;
	struct resmon_place *place;
	struct resmon_extra *extra;
	struct resmon_follow *follow;
	struct resmon_key key;
	u32 id;
	u32 since;
	u32 deadline;
	u8 kind;
	u8 state;
	bool counted;
};

/**
 * struct resmon_session_filter - which sessions are meant
 * @elem: those that count on it, NULL for all
 * @type: of this client type, RESMON_TYPE_ANY for all
 * @state: of this state, -1 for all
 */
struct resmon_session_filter {
	struct resmon_element *elem;
	u32 type;
	int state;
};

int resmon_session_global_init(void);
void resmon_session_global_exit(void);
int resmon_session_net_init(struct resmon_net *rn);
void resmon_session_net_exit(struct resmon_net *rn);

u32 resmon_now_s(void);
typedef u32 (*resmon_session_visit)(struct resmon_net *rn,
				    struct resmon_session *session,
				    const void *arg);

struct resmon_session *resmon_session_alloc(gfp_t gfp);
void resmon_session_free(struct resmon_session *session);
void resmon_key_set(struct resmon_net *rn, struct resmon_key *key, int ifindex,
		    u16 outer, u16 inner, u8 type, const void *text, u8 len);
struct resmon_session *resmon_session_find(struct resmon_net *rn, u32 id);
struct resmon_session *resmon_session_find_key(struct resmon_net *rn,
					       const struct resmon_key *key);
int resmon_session_commit(struct resmon_net *rn, struct resmon_request *req,
			  struct resmon_session *session);
int resmon_session_rekey(struct resmon_net *rn, struct resmon_session *session,
			 const struct resmon_key *key);
void resmon_session_count(struct resmon_net *rn,
			  struct resmon_session *session);
u32 resmon_session_timeout(struct resmon_net *rn, u8 state);
void resmon_session_deadline(struct resmon_net *rn,
			     struct resmon_session *session, u32 seconds);
void resmon_session_activate(struct resmon_net *rn,
			     struct resmon_session *session);
void resmon_session_refresh(struct resmon_net *rn,
			    struct resmon_session *session);
u32 resmon_session_end(struct resmon_net *rn, struct resmon_session *session);
u32 resmon_session_end_place(struct resmon_net *rn, struct resmon_place *place);
u32 resmon_session_walk(struct resmon_net *rn, resmon_session_visit visit,
			const void *arg);
u32 resmon_session_end_filter(struct resmon_net *rn,
			      const struct resmon_session_filter *filter);
u32 resmon_session_end_owner(struct resmon_net *rn, u32 portid);
bool resmon_session_matches(const struct resmon_session *session,
			    const struct resmon_session_filter *filter);
const void *resmon_session_text(const struct resmon_session *session,
				u8 *buffer, u8 *len);
void resmon_session_tick(struct resmon_net *rn);

#endif /* RESMON_SESSION_H */
