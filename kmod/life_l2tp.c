// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of calls in L2TPv2 tunnels that subscribers' access concentrators open
 * to this host.
 *
 * The control messages of a tunnel are a reliable channel: one that is dropped
 * stalls every call behind it. A call that has no place is let in, and its data
 * dropped, so that PPP fails and the daemon clears it (H12).
 */
#include <linux/ip.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "enforce.h"
#include "flight.h"
#include "follow.h"
#include "frame.h"
#include "net.h"
#include "place.h"

/* Tunnels, and calls without a place, of one namespace at a time (H14). */
#define L2TP_TUNNELS	4096
#define L2TP_DENIED	4096

/* Seconds after which a HELLO that nobody answered ends a tunnel. */
#define HELLO_S		60

/* Seconds in which this host says something in a tunnel that there is. */
#define ANSWER_S	10

/**
 * struct resmon_tunnel - one tunnel
 * @node: in resmon_net.tunnels, by the address of the peer
 * @list: in resmon_net.tunnel_list
 * @peer: key of the address of the peer
 * @hook: what sees its frames
 * @tid: tunnel id that this host assigned
 * @peer_tid: tunnel id that the peer assigned, 0 for not known
 * @since: when it was seen first, seconds of CLOCK_BOOTTIME
 * @answered: this host has said something in it
 * @hello: since when a HELLO is unanswered, by direction, seconds of
 *	CLOCK_BOOTTIME, 0 for not at all
 * @rcu: for the free after a grace period
 *
 * Protected by charge_lock.
 */
struct resmon_tunnel {
	struct rhlist_head node;
	struct list_head list;
	struct resmon_key peer;
	struct resmon_hook *hook;
	u16 tid;
	u16 peer_tid;
	u32 since;
	bool answered;
	u32 hello[2];
	struct rcu_head rcu;
};

static const struct rhashtable_params tunnel_params = {
	.key_len = sizeof(struct resmon_key),
	.key_offset = offsetof(struct resmon_tunnel, peer),
	.head_offset = offsetof(struct resmon_tunnel, node),
	.automatic_shrinking = true,
};

/* What a call is known by: by the peer's id until this host has given one. */
struct call_id {
	u64 peer;
	__be16 tid;
	__be16 sid;
	__be16 peer_sid;
	__be16 zero;
};

static void key_of(const struct resmon_frame *frame, const void *text, u8 len,
		   struct resmon_key *key)
{
	resmon_key_set(frame->rn, key, frame->hook->place->elem.id.ifindex,
		       frame->link.outer, frame->link.inner, RESMON_TYPE_L2TP,
		       text, len);
}

static const struct in6_addr *peer_of(const struct resmon_frame *frame,
				      const struct resmon_udp *udp)
{
	return frame->leaving ? &udp->daddr : &udp->saddr;
}

static void subscriber_of(const struct resmon_frame *frame,
			  const struct in6_addr *peer,
			  struct resmon_subscriber *who)
{
	if (ipv6_addr_v4mapped(peer))
		who->len = scnprintf(who->text, sizeof(who->text), "%pI4",
				     &peer->s6_addr32[3]);
	else
		who->len = scnprintf(who->text, sizeof(who->text), "%pI6c",
				     peer);
	key_of(frame, who->text, who->len, &who->key);
}

static void call_key(const struct resmon_frame *frame,
		     const struct resmon_tunnel *tunnel, u16 sid, u16 peer_sid,
		     struct resmon_key *key)
{
	struct call_id id = {
		.peer = siphash(&tunnel->peer, sizeof(tunnel->peer),
				&frame->rn->key_hash[0]),
		.tid = htons(tunnel->tid),
		.sid = htons(sid),
		.peer_sid = htons(peer_sid),
	};

	BUILD_BUG_ON(sizeof(id) != sizeof(key->id));
	key_of(frame, &id, sizeof(id), key);
}

/* All calls of a tunnel have this as their other name. */
static void tunnel_key(const struct resmon_frame *frame,
		       const struct resmon_tunnel *tunnel,
		       struct resmon_key *key)
{
	call_key(frame, tunnel, 0, 0, key);
}

static struct resmon_tunnel *tunnel_find(const struct resmon_frame *frame,
					 const struct resmon_udp *udp, u16 tid,
					 bool assigned_by_peer)
{
	struct resmon_subscriber who;
	struct resmon_tunnel *tunnel;
	struct rhlist_head *at;

	if (!tid)
		return NULL;
	subscriber_of(frame, peer_of(frame, udp), &who);
	for (at = rhltable_lookup(&frame->rn->tunnels, &who.key, tunnel_params);
	     at; at = rcu_dereference(at->next)) {
		tunnel = container_of(at, struct resmon_tunnel, node);
		if ((assigned_by_peer ? tunnel->peer_tid : tunnel->tid) == tid)
			return tunnel;
	}
	return NULL;
}

static void tunnel_remove(struct resmon_net *rn, struct resmon_tunnel *tunnel)
{
	lockdep_assert_held(&rn->charge_lock);
	rhltable_remove(&rn->tunnels, &tunnel->node, tunnel_params);
	list_del(&tunnel->list);
	rn->n_tunnels--;
	kfree_rcu(tunnel, rcu);
}

static struct resmon_tunnel *tunnel_new(const struct resmon_frame *frame,
					const struct resmon_udp *udp, u16 tid,
					u16 peer_tid)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_subscriber who;
	struct resmon_tunnel *tunnel;

	lockdep_assert_held(&rn->charge_lock);

	if (rn->n_tunnels >= L2TP_TUNNELS) {
		resmon_seen_count(frame->hook, RESMON_SEEN_FULL);
		return NULL;
	}
	tunnel = kzalloc_obj(*tunnel,
			     GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!tunnel)
		return NULL;
	subscriber_of(frame, peer_of(frame, udp), &who);
	tunnel->peer = who.key;
	tunnel->hook = frame->hook;
	tunnel->tid = tid;
	tunnel->peer_tid = peer_tid;
	tunnel->since = resmon_now_s();
	tunnel->answered = frame->leaving;
	if (rhltable_insert(&rn->tunnels, &tunnel->node, tunnel_params)) {
		kfree(tunnel);
		return NULL;
	}
	list_add_tail(&tunnel->list, &rn->tunnel_list);
	rn->n_tunnels++;
	return tunnel;
}

/* Every call of a tunnel ends with it. */
static void tunnel_end(const struct resmon_frame *frame,
		       struct resmon_tunnel *tunnel)
{
	struct resmon_follow *follow;
	struct resmon_key calls;

	tunnel_key(frame, tunnel, &calls);
	while ((follow = resmon_follow_find(frame->rn, &calls)))
		resmon_session_end(frame->rn, follow->session);
	tunnel_remove(frame->rn, tunnel);
}

/* The tunnel of an arriving message, which may be one from before (H3). */
static struct resmon_tunnel *tunnel_get(const struct resmon_frame *frame,
					const struct resmon_l2tp *msg)
{
	if (!msg->tid)
		return NULL;
	return tunnel_find(frame, &msg->udp, msg->tid, false) ?:
	       tunnel_new(frame, &msg->udp, msg->tid, 0);
}

static struct resmon_session *call_find(const struct resmon_frame *frame,
					const struct resmon_tunnel *tunnel,
					u16 sid, u16 peer_sid)
{
	struct resmon_session *session;
	struct resmon_key key;

	call_key(frame, tunnel, sid, sid ? 0 : peer_sid, &key);
	session = resmon_session_find_key(frame->rn, &key);
	return session && session->follow ? session : NULL;
}

static struct resmon_follow *call_new(const struct resmon_frame *frame,
				      const struct resmon_tunnel *tunnel,
				      u16 sid)
{
	struct resmon_follow *follow;

	follow = resmon_follow_alloc(frame->hook, RESMON_LOGIN_L2TP);
	if (!follow)
		return NULL;
	tunnel_key(frame, tunnel, &follow->alias);
	follow->l2tp.tid = tunnel->tid;
	follow->l2tp.sid = sid;
	return follow;
}

/* A call without a place, whose data is dropped (H12). */
static void call_deny(const struct resmon_frame *frame,
		      const struct resmon_key *key,
		      struct resmon_follow *follow)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_request req = {
		.place = frame->hook->place,
		.key = *key,
		.type = RESMON_TYPE_L2TP,
		.kind = RESMON_KIND_CLIENT,
		.packet = true,
		.borrow = true,
		.follow = follow,
	};
	struct resmon_session *session = NULL;

	if (follow)
		session = resmon_session_alloc(GFP_ATOMIC);
	if (!session) {
		kfree(follow);
		return;
	}
	follow->l2tp.denied = true;
	spin_lock_bh(&rn->charge_lock);
	if (rn->n_denied_calls >= L2TP_DENIED) {
		resmon_seen_count(frame->hook, RESMON_SEEN_FULL);
	} else if (!resmon_session_commit(rn, &req, session)) {
		rn->n_denied_calls++;
		session = NULL;
	}
	spin_unlock_bh(&rn->charge_lock);
	resmon_session_free(session);
	kfree(req.follow);
}

static void icrq(const struct resmon_frame *frame,
		 const struct resmon_l2tp *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_subscriber who;
	struct resmon_tunnel *tunnel;
	struct resmon_follow *follow = NULL;
	struct resmon_key key;

	spin_lock_bh(&rn->charge_lock);
	tunnel = tunnel_get(frame, msg);
	if (tunnel && !call_find(frame, tunnel, 0, msg->assigned_sid)) {
		call_key(frame, tunnel, 0, msg->assigned_sid, &key);
		follow = call_new(frame, tunnel, 0);
	}
	spin_unlock_bh(&rn->charge_lock);
	if (!follow)
		return;
	subscriber_of(frame, &msg->udp.saddr, &who);
	if (resmon_login_commit(frame, &who, &key, false, follow) ==
	    RESMON_PASS)
		return;
	resmon_seen_count(frame->hook, RESMON_SEEN_DROPPED);
	spin_lock_bh(&rn->charge_lock);
	tunnel = tunnel_find(frame, &msg->udp, msg->tid, false);
	follow = tunnel ? call_new(frame, tunnel, 0) : NULL;
	spin_unlock_bh(&rn->charge_lock);
	call_deny(frame, &key, follow);
}

/* Under charge_lock: from now on the call is known by the id of this host. */
static void icrp(const struct resmon_frame *frame,
		 const struct resmon_l2tp *msg, struct resmon_tunnel *tunnel)
{
	struct resmon_session *session, *old;
	struct resmon_key key;

	session = call_find(frame, tunnel, 0, msg->sid);
	if (!session || !msg->assigned_sid)
		return;
	old = call_find(frame, tunnel, msg->assigned_sid, 0);
	if (old)
		resmon_session_end(frame->rn, old);
	call_key(frame, tunnel, msg->assigned_sid, 0, &key);
	if (resmon_session_rekey(frame->rn, session, &key)) {
		resmon_session_end(frame->rn, session);
		return;
	}
	session->follow->l2tp.sid = msg->assigned_sid;
	resmon_follow_alive(session->follow);
}

static void iccn(const struct resmon_frame *frame,
		 const struct resmon_l2tp *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session = NULL;
	struct resmon_follow *follow = NULL;
	struct resmon_subscriber who;
	struct resmon_tunnel *tunnel;
	struct resmon_key key;

	spin_lock_bh(&rn->charge_lock);
	tunnel = tunnel_get(frame, msg);
	if (tunnel)
		session = call_find(frame, tunnel, msg->sid, 0);
	if (session && !session->follow->l2tp.denied &&
	    resmon_follow_up(rn, session))
		resmon_session_deadline(rn, session, 0);
	if (tunnel && !session && msg->sid) {
		call_key(frame, tunnel, msg->sid, 0, &key);
		follow = call_new(frame, tunnel, msg->sid);
	}
	spin_unlock_bh(&rn->charge_lock);
	if (!follow)
		return;

	subscriber_of(frame, &msg->udp.saddr, &who);
	session = resmon_login_adopt(frame, &who, &key, follow);
	if (!session)
		return;
	spin_lock_bh(&rn->charge_lock);
	session = resmon_session_find_key(rn, &key);
	if (session)
		resmon_session_deadline(rn, session, 0);
	spin_unlock_bh(&rn->charge_lock);
}

/* The call of an ICRP or CDN: what its sender assigned names it. */
static struct resmon_session *call_of(const struct resmon_frame *frame,
				      const struct resmon_l2tp *msg,
				      const struct resmon_tunnel *tunnel)
{
	struct resmon_session *session = NULL;

	if (!frame->leaving)
		return call_find(frame, tunnel, msg->sid, msg->assigned_sid);
	if (msg->type == RESMON_L2TP_CDN)
		session = call_find(frame, tunnel, msg->assigned_sid, msg->sid);
	return session ?: call_find(frame, tunnel, 0, msg->sid);
}

/* CDN and StopCCN. */
static void clear(const struct resmon_frame *frame,
		  const struct resmon_l2tp *msg, struct resmon_tunnel *tunnel)
{
	struct resmon_session *session;

	if (msg->type == RESMON_L2TP_STOPCCN) {
		tunnel_end(frame, tunnel);
		return;
	}
	session = call_of(frame, msg, tunnel);
	if (session)
		resmon_session_end(frame->rn, session);
}

/*
 * Of a tunnel from before, the id that the peer assigned is not known until
 * this host speaks of a call in it. Not when two tunnels have such a call.
 */
static struct resmon_tunnel *tunnel_learn(const struct resmon_frame *frame,
					  const struct resmon_l2tp *msg)
{
	struct resmon_tunnel *tunnel, *found = NULL;
	struct resmon_subscriber who;
	struct rhlist_head *at;
	u32 n = 0;

	if (!msg->tid)
		return NULL;
	subscriber_of(frame, &msg->udp.daddr, &who);
	for (at = rhltable_lookup(&frame->rn->tunnels, &who.key, tunnel_params);
	     at; at = rcu_dereference(at->next)) {
		tunnel = container_of(at, struct resmon_tunnel, node);
		if (tunnel->peer_tid)
			continue;
		tunnel->answered = true;
		if ((msg->type == RESMON_L2TP_ICRP ||
		     msg->type == RESMON_L2TP_CDN) &&
		    call_of(frame, msg, tunnel)) {
			found = tunnel;
			n++;
		}
	}
	if (n != 1)
		return NULL;
	found->peer_tid = msg->tid;
	return found;
}

/* An id that is given anew: its old tunnel is over, whoever was to say so. */
static void sccrp(const struct resmon_frame *frame,
		  const struct resmon_l2tp *msg)
{
	struct resmon_tunnel *tunnel;

	tunnel = tunnel_find(frame, &msg->udp, msg->assigned_tid, false);
	if (tunnel && tunnel->peer_tid != msg->tid) {
		tunnel_end(frame, tunnel);
		tunnel = NULL;
	}
	if (!tunnel)
		tunnel_new(frame, &msg->udp, msg->assigned_tid, msg->tid);
}

static enum resmon_fate sccrq(const struct resmon_frame *frame,
			      const struct resmon_l2tp *msg)
{
	struct resmon_subscriber who;

	subscriber_of(frame, &msg->udp.saddr, &who);
	return resmon_login_first(frame, &who, false,
				  resmon_frame_priority(frame, frame->link.src,
							NULL, NULL));
}

static void control(const struct resmon_frame *frame,
		    const struct resmon_l2tp *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_tunnel *tunnel;

	if (msg->type == RESMON_L2TP_SCCRP && frame->leaving) {
		struct resmon_subscriber who;

		/* Takes charge_lock. */
		subscriber_of(frame, &msg->udp.daddr, &who);
		resmon_flight_offered(rn, &who.key);
	}

	spin_lock_bh(&rn->charge_lock);
	if (msg->type == RESMON_L2TP_SCCRP && frame->leaving) {
		sccrp(frame, msg);
		goto out;
	}
	tunnel = tunnel_find(frame, &msg->udp, msg->tid, frame->leaving);
	if (!tunnel && frame->leaving)
		tunnel = tunnel_learn(frame, msg);
	if (!tunnel && msg->type == RESMON_L2TP_STOPCCN)
		tunnel = tunnel_find(frame, &msg->udp, msg->assigned_tid,
				     !frame->leaving);
	if (!tunnel) {
		if (!frame->leaving && (msg->type == RESMON_L2TP_STOPCCN ||
					msg->type == RESMON_L2TP_CDN))
			resmon_seen_count(frame->hook, RESMON_SEEN_FORGED);
		goto out;
	}
	/* Whatever is said answers the HELLO of the other side. */
	tunnel->hello[!frame->leaving] = 0;
	switch (msg->type) {
	case RESMON_L2TP_HELLO:
		if (!tunnel->hello[frame->leaving])
			tunnel->hello[frame->leaving] = resmon_now_s();
		break;
	case RESMON_L2TP_ICRP:
		if (frame->leaving)
			icrp(frame, msg, tunnel);
		break;
	case RESMON_L2TP_CDN:
	case RESMON_L2TP_STOPCCN:
		clear(frame, msg, tunnel);
		break;
	}
out:
	spin_unlock_bh(&rn->charge_lock);
}

/* Data of a call that has no place; only then is it looked at. */
static enum resmon_fate data(const struct resmon_frame *frame,
			     const struct resmon_l2tp *msg)
{
	struct resmon_session *session;
	struct resmon_tunnel *tunnel;
	struct resmon_follow *follow;

	if (frame->leaving || !READ_ONCE(frame->rn->n_denied_calls))
		return RESMON_PASS;
	tunnel = tunnel_find(frame, &msg->udp, msg->tid, false);
	session = tunnel ? call_find(frame, tunnel, msg->sid, 0) : NULL;
	follow = session ? READ_ONCE(session->follow) : NULL;
	if (!follow || !follow->l2tp.denied)
		return RESMON_PASS;
	/* For as long as the peer tries; what is forgotten would get in. */
	resmon_follow_alive(follow);
	return RESMON_DROP;
}

/**
 * resmon_l2tp_message() - an L2TPv2 message
 * @frame: the frame
 * @udp: the datagram in it
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_l2tp_message(const struct resmon_frame *frame,
				     const struct resmon_udp *udp)
{
	struct resmon_l2tp msg;

	if (!resmon_frame_read(frame,
			       resmon_l2tp_parse(&frame->bytes, udp, &msg)))
		return RESMON_PASS;
	if (!msg.control)
		return data(frame, &msg);
	if (!frame->leaving && msg.type == RESMON_L2TP_SCCRQ)
		return sccrq(frame, &msg);
	control(frame, &msg);
	if (!frame->leaving && msg.type == RESMON_L2TP_ICRQ)
		icrq(frame, &msg);
	else if (!frame->leaving && msg.type == RESMON_L2TP_ICCN)
		iccn(frame, &msg);
	return RESMON_PASS;
}

/**
 * resmon_l2tp_expired() - an active call was to be looked at
 * @rn: the chassis
 * @session: the session
 *
 * Context: Under charge_lock.
 * Return: false: its tunnel says when it is over.
 */
bool resmon_l2tp_expired(struct resmon_net *rn, struct resmon_session *session)
{
	resmon_session_deadline(rn, session, 0);
	return false;
}

/* A HELLO that nobody answered, or what this host never had a word for. */
static bool tunnel_over(const struct resmon_tunnel *tunnel)
{
	u32 now = resmon_now_s();
	int side;

	for (side = 0; side < 2; side++)
		if (tunnel->hello[side] &&
		    now - tunnel->hello[side] >= HELLO_S)
			return true;
	return !tunnel->answered && now - tunnel->since >= ANSWER_S;
}

/**
 * resmon_l2tp_tick() - end the tunnels that are over, though nobody said so
 * @rn: the chassis
 *
 * Context: Process context; from one work alone.
 */
void resmon_l2tp_tick(struct resmon_net *rn)
{
	struct resmon_tunnel *tunnel, *next;

	rcu_read_lock();
	spin_lock_bh(&rn->charge_lock);
	list_for_each_entry_safe(tunnel, next, &rn->tunnel_list, list) {
		struct resmon_frame frame = { .rn = rn, .hook = tunnel->hook };

		if (!tunnel_over(tunnel))
			continue;
		frame.link.outer = tunnel->peer.outer;
		frame.link.inner = tunnel->peer.inner;
		tunnel_end(&frame, tunnel);
	}
	spin_unlock_bh(&rn->charge_lock);
	rcu_read_unlock();
}

/**
 * resmon_l2tp_hook_exit() - the tunnels of a place are gone
 * @hook: what saw them, and looks at none any more
 *
 * Context: Process context.
 */
void resmon_l2tp_hook_exit(struct resmon_hook *hook)
{
	struct resmon_net *rn = hook->rn;
	struct resmon_tunnel *tunnel, *next;

	spin_lock_bh(&rn->charge_lock);
	list_for_each_entry_safe(tunnel, next, &rn->tunnel_list, list)
		if (tunnel->hook == hook)
			tunnel_remove(rn, tunnel);
	spin_unlock_bh(&rn->charge_lock);
}

/**
 * resmon_l2tp_net_init() - the table of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_l2tp_net_init(struct resmon_net *rn)
{
	INIT_LIST_HEAD(&rn->tunnel_list);
	return rhltable_init(&rn->tunnels, &tunnel_params);
}

/**
 * resmon_l2tp_net_exit() - undo resmon_l2tp_net_init()
 * @rn: the chassis; all its places are gone
 *
 * Context: Process context, may sleep.
 */
void resmon_l2tp_net_exit(struct resmon_net *rn)
{
	WARN_ON_ONCE(rn->n_tunnels);
	rhltable_destroy(&rn->tunnels);
}
