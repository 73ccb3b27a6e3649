// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a PPPoE session, from its PADI to its PADT.
 *
 * A session is known by the client's address and the session id. Until the PADS
 * gives it an id, what the PADS is sure to return stands for that: Host-Uniq
 * and Relay-Session-Id.
 */
#include <linux/etherdevice.h>

#include "enforce.h"
#include "flight.h"
#include "follow.h"
#include "frame.h"
#include "net.h"
#include "place.h"
#include "reply.h"

/* Codes of LCP and of the network control protocols. */
enum {
	PPP_CONF_REQ = 1,
	PPP_CONF_ACK = 2,
	PPP_TERM_REQ = 5,
	PPP_TERM_ACK = 6,
	PPP_ECHO_REQ = 9,
	PPP_ECHO_REP = 10,
};

/* What ends an authentication well. */
enum {
	PAP_ACK = 2,
	CHAP_SUCCESS = 3,
	EAP_SUCCESS = 3,
};

/* A suspect has at least so many seconds to prove itself by data (H4). */
#define SUSPECT_S	60
/* Echo intervals without an echo after which a session is suspect (H4). */
#define SILENT_ECHOES	3
/* Longest echo interval that is believed, in seconds. */
#define ECHO_MAX_S	3600

/* What a session is known by, in the identity of its key. */
struct pppoe_id {
	u8 mac[ETH_ALEN];
	__be16 sid;
	u64 start;
};

static void pppoe_key(const struct resmon_frame *frame, u16 sid, u64 start,
		      struct resmon_key *key)
{
	struct pppoe_id id = { .sid = htons(sid), .start = sid ? 0 : start };

	BUILD_BUG_ON(sizeof(id) != sizeof(key->id));
	ether_addr_copy(id.mac, resmon_frame_client(frame));
	resmon_key_set(frame->rn, key, frame->hook->place->elem.id.ifindex,
		       frame->link.outer, frame->link.inner, RESMON_TYPE_PPPOE,
		       &id, sizeof(id));
}

static u64 pppoe_start(const struct resmon_frame *frame,
		       const struct resmon_pppoe *msg)
{
	u64 hash = resmon_frame_hash(frame, &msg->host_uniq);

	return msg->relay.len ? hash ^ rol64(resmon_frame_hash(frame,
							       &msg->relay), 1) :
				hash;
}

static void padi(const struct resmon_frame *frame,
		 const struct resmon_pppoe *msg, enum resmon_fate *fate)
{
	const u8 *mac = resmon_frame_client(frame);
	struct resmon_subscriber who;

	resmon_subscriber_set(frame, RESMON_TYPE_PPPOE, mac, &msg->circuit,
			      &who);
	*fate = resmon_login_first(frame, &who,
				   resmon_follow_find(frame->rn, &who.key),
				   resmon_frame_priority(frame, mac,
							 &msg->service,
							 &msg->circuit));
}

/* An offer says nothing of the circuit, so its time is of addresses alone. */
static void pado(const struct resmon_frame *frame)
{
	struct resmon_subscriber who;

	resmon_subscriber_set(frame, RESMON_TYPE_PPPOE,
			      resmon_frame_client(frame), NULL, &who);
	resmon_flight_offered(frame->rn, &who.key);
}

/*
 * Does the subscriber hold a session whose place a new one can have? One at a
 * time: a flood of PADRs must not live on one place.
 */
static bool has_ghost(struct resmon_net *rn, const struct resmon_key *key)
{
	struct resmon_follow *follow = resmon_follow_find(rn, key);
	struct rhlist_head *at = follow ? &follow->node : NULL;

	for (; at; at = rcu_dereference(at->next)) {
		follow = container_of(at, struct resmon_follow, node);
		if (!READ_ONCE(follow->session->counted))
			return false;
	}
	return follow;
}

static void padr(const struct resmon_frame *frame,
		 const struct resmon_pppoe *msg, enum resmon_fate *fate)
{
	const u8 *mac = resmon_frame_client(frame);
	u64 start = pppoe_start(frame, msg);
	struct resmon_subscriber who;
	struct resmon_follow *follow;
	struct resmon_key key;
	bool ghost;

	resmon_subscriber_set(frame, RESMON_TYPE_PPPOE, mac, &msg->circuit,
			      &who);
	if (!resmon_frame_for_us(frame)) {
		resmon_login_foreign(frame, &who);
		return;
	}
	pppoe_key(frame, 0, start, &key);
	ghost = has_ghost(frame->rn, &who.key);
	follow = resmon_follow_alloc(frame->hook, RESMON_LOGIN_PPPOE);
	if (follow) {
		follow->alias = who.key;
		follow->pppoe.start = start;
		ether_addr_copy(follow->pppoe.mac, mac);
	}
	*fate = resmon_login_commit(frame, &who, &key, ghost, follow);
	if (*fate == RESMON_PASS)
		return;
	if (frame->enforce->action[RESMON_LOGIN_PPPOE] == RESMON_ACTION_REJECT &&
	    resmon_reply_pads(frame, msg))
		resmon_seen_count(frame->hook, RESMON_SEEN_REJECTED);
	else
		resmon_seen_count(frame->hook, RESMON_SEEN_DROPPED);
}

/* Under charge_lock: another session of the subscriber gives its place (H9). */
static void ghost_end(struct resmon_net *rn, struct resmon_follow *follow)
{
	struct rhlist_head *at;
	struct resmon_follow *other;

	if (follow->session->counted)
		return;
	other = resmon_follow_find(rn, &follow->alias);
	for (at = other ? &other->node : NULL; at;
	     at = rcu_dereference(at->next)) {
		other = container_of(at, struct resmon_follow, node);
		if (other == follow || !other->session->counted)
			continue;
		resmon_session_end(rn, other->session);
		resmon_seen_count(follow->hook, RESMON_SEEN_GHOST);
		break;
	}
	resmon_session_count(rn, follow->session);
}

static struct resmon_session *session_of(const struct resmon_frame *frame,
					 u16 sid, u64 start)
{
	struct resmon_session *session;
	struct resmon_key key;

	pppoe_key(frame, sid, start, &key);
	session = resmon_session_find_key(frame->rn, &key);
	return session && session->follow ? session : NULL;
}

static void pads(const struct resmon_frame *frame,
		 const struct resmon_pppoe *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session, *old;
	struct resmon_key key;

	spin_lock_bh(&rn->charge_lock);
	session = session_of(frame, 0, pppoe_start(frame, msg));
	/* Nobody asked, or it has its id already: adopted when it is up. */
	if (!session)
		goto out;
	if (!msg->sid) {
		resmon_session_end(rn, session);
		goto out;
	}
	/* An id that is given again is free: its old session is over (H8). */
	old = session_of(frame, msg->sid, 0);
	if (old)
		resmon_session_end(rn, old);
	pppoe_key(frame, msg->sid, 0, &key);
	if (resmon_session_rekey(rn, session, &key)) {
		resmon_session_end(rn, session);
		goto out;
	}
	session->follow->pppoe.sid = msg->sid;
	resmon_follow_alive(session->follow);
	ghost_end(rn, session->follow);
out:
	spin_unlock_bh(&rn->charge_lock);
}

static void padt(const struct resmon_frame *frame,
		 const struct resmon_pppoe *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session = NULL;

	spin_lock_bh(&rn->charge_lock);
	if (msg->sid)
		session = session_of(frame, msg->sid, 0);
	/* Addressed to another: none of ours, whatever its number. */
	if (session && (frame->leaving || resmon_frame_for_us(frame)))
		resmon_session_end(rn, session);
	else if (!frame->leaving)
		resmon_seen_count(frame->hook, RESMON_SEEN_FORGED);
	spin_unlock_bh(&rn->charge_lock);
}

/**
 * resmon_pppoe_discovery() - a frame of the discovery stage
 * @frame: the frame
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_pppoe_discovery(const struct resmon_frame *frame)
{
	enum resmon_fate fate = RESMON_PASS;
	struct resmon_pppoe msg;

	if (!resmon_frame_read(frame,
			       resmon_pppoe_parse(&frame->bytes, &frame->link, &msg)))
		return RESMON_PASS;
	switch (msg.code) {
	case RESMON_PPPOE_PADI:
		if (!frame->leaving)
			padi(frame, &msg, &fate);
		break;
	case RESMON_PPPOE_PADR:
		if (!frame->leaving)
			padr(frame, &msg, &fate);
		break;
	case RESMON_PPPOE_PADO:
		if (frame->leaving)
			pado(frame);
		else
			resmon_seen_count(frame->hook, RESMON_SEEN_ROGUE);
		break;
	case RESMON_PPPOE_PADS:
		if (frame->leaving)
			pads(frame, &msg);
		else
			resmon_seen_count(frame->hook, RESMON_SEEN_ROGUE);
		break;
	case RESMON_PPPOE_PADT:
		padt(frame, &msg);
		break;
	}
	return fate;
}

static void come_up(struct resmon_net *rn, struct resmon_session *session)
{
	/* The first look comes as soon as the shortest silence allows. */
	if (resmon_follow_up(rn, session))
		resmon_session_deadline(rn, session, 1);
}

/* Both ways acknowledged, by the identifier of the request (H table). */
static bool ncp_up(struct resmon_ncp *ncp, const struct resmon_ppp *msg,
		   bool leaving)
{
	switch (msg->code) {
	case PPP_CONF_REQ:
		ncp->asked[leaving] = msg->id;
		ncp->has_asked[leaving] = true;
		ncp->acked[leaving] = false;
		return false;
	case PPP_CONF_ACK:
		if (ncp->has_asked[!leaving] && ncp->asked[!leaving] == msg->id)
			ncp->acked[!leaving] = true;
		return ncp->acked[0] && ncp->acked[1];
	default:
		return false;
	}
}

static bool authenticated(const struct resmon_ppp *msg)
{
	switch (msg->proto) {
	case RESMON_PPP_PAP:
		return msg->code == PAP_ACK;
	case RESMON_PPP_CHAP:
		return msg->code == CHAP_SUCCESS;
	case RESMON_PPP_EAP:
		return msg->code == EAP_SUCCESS;
	default:
		return false;
	}
}

/* The session may have ended with it. */
static void lcp(struct resmon_net *rn, struct resmon_session *session,
		const struct resmon_ppp *msg, bool leaving)
{
	struct resmon_pppoe_life *life = &session->follow->pppoe;
	u32 now = resmon_now_s();

	switch (msg->code) {
	case PPP_CONF_ACK:
		life->multilink |= msg->mrru;
		break;
	case PPP_TERM_REQ:
		life->terminate[leaving] = msg->id;
		life->terminating[leaving] = true;
		break;
	case PPP_TERM_ACK:
		if (!life->terminating[!leaving] ||
		    life->terminate[!leaving] != msg->id)
			break;
		resmon_session_end(rn, session);
		break;
	case PPP_ECHO_REQ:
		if (!leaving)
			break;
		if (life->echo_at && now > life->echo_at)
			life->echo_s = min_t(u32, now - life->echo_at,
					     ECHO_MAX_S);
		life->echo_at = now;
		break;
	}
}

/* Under charge_lock. */
static void suspect_clear(struct resmon_follow *follow)
{
	if (!follow->pppoe.suspect)
		return;
	follow->pppoe.suspect = false;
	WRITE_ONCE(follow->hook->suspects, follow->hook->suspects - 1);
}

static void control(const struct resmon_frame *frame,
		    struct resmon_session *session,
		    const struct resmon_ppp *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_pppoe_life *life = &session->follow->pppoe;

	if (frame->leaving || session->state == RESMON_STATE_STARTING)
		resmon_follow_alive(session->follow);
	if (frame->leaving)
		suspect_clear(session->follow);
	switch (msg->proto) {
	case RESMON_PPP_LCP:
		lcp(rn, session, msg, frame->leaving);
		break;
	case RESMON_PPP_IPCP:
		if (ncp_up(&life->ncp[0], msg, frame->leaving))
			come_up(rn, session);
		break;
	case RESMON_PPP_IPV6CP:
		if (ncp_up(&life->ncp[1], msg, frame->leaving))
			come_up(rn, session);
		break;
	default:
		/* A member of a bundle has no network protocol of its own. */
		if (life->multilink && frame->leaving && authenticated(msg))
			come_up(rn, session);
	}
}

/*
 * What leaves this host in a session that is up. Nothing of its beginning or
 * its end: such a session is not yet there, or just gone.
 */
static bool speaks(const struct resmon_ppp *msg)
{
	if (msg->proto == RESMON_PPP_LCP)
		return msg->code == PPP_ECHO_REQ || msg->code == PPP_ECHO_REP;
	return msg->proto == RESMON_PPP_IPCP || msg->proto == RESMON_PPP_IPV6CP;
}

static struct resmon_session *adopt(const struct resmon_frame *frame, u16 sid)
{
	const u8 *mac = resmon_frame_client(frame);
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;
	struct resmon_subscriber who;
	struct resmon_follow *follow;
	struct resmon_key key;

	resmon_subscriber_set(frame, RESMON_TYPE_PPPOE, mac, NULL, &who);
	pppoe_key(frame, sid, 0, &key);
	follow = resmon_follow_alloc(frame->hook, RESMON_LOGIN_PPPOE);
	if (follow) {
		follow->alias = who.key;
		follow->pppoe.sid = sid;
		ether_addr_copy(follow->pppoe.mac, mac);
	}
	resmon_login_adopt(frame, &who, &key, follow);

	/* Its silence counts from now on, as that of one that came up. */
	spin_lock_bh(&rn->charge_lock);
	session = session_of(frame, sid, 0);
	if (session)
		resmon_session_deadline(rn, session, 1);
	spin_unlock_bh(&rn->charge_lock);
	return session;
}

/**
 * resmon_pppoe_import() - a session is up whose frames nobody saw (H3)
 * @frame: stands for one of them, from the client
 * @sid: session id
 * @same: set to whether it was there already
 *
 * Context: RCU read section, BH off.
 * Return: The session, valid in the RCU read section, or NULL for want of
 *	memory.
 */
struct resmon_session *resmon_pppoe_import(const struct resmon_frame *frame,
					   u16 sid, bool *same)
{
	struct resmon_session *session;
	struct resmon_key key;

	pppoe_key(frame, sid, 0, &key);
	session = resmon_session_find_key(frame->rn, &key);
	*same = session;
	return session ?: adopt(frame, sid);
}

/**
 * resmon_pppoe_session() - a frame of the session stage
 * @frame: the frame
 *
 * Context: RCU read section, BH off.
 */
void resmon_pppoe_session(const struct resmon_frame *frame)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;
	struct resmon_follow *follow;
	struct resmon_ppp msg;

	if (!resmon_frame_read(frame,
			       resmon_ppp_parse(&frame->bytes, &frame->link, &msg)))
		return;
	session = session_of(frame, msg.sid, 0);
	follow = session ? READ_ONCE(session->follow) : NULL;

	/* Data is looked at for suspects alone (H4). */
	if (!(msg.proto & 0x8000)) {
		if (!follow || !READ_ONCE(follow->pppoe.suspect) ||
		    !frame->leaving)
			return;
	} else if (!session) {
		if (frame->leaving && speaks(&msg))
			adopt(frame, msg.sid);
		return;
	} else if (msg.proto == RESMON_PPP_LCP && msg.code == PPP_ECHO_REP &&
		   !READ_ONCE(follow->pppoe.suspect)) {
		/* Nothing but a sign of life. */
		if (frame->leaving)
			resmon_follow_alive(follow);
		return;
	}

	spin_lock_bh(&rn->charge_lock);
	session = session_of(frame, msg.sid, 0);
	if (session && !(msg.proto & 0x8000)) {
		resmon_follow_alive(session->follow);
		suspect_clear(session->follow);
	} else if (session) {
		control(frame, session, &msg);
	}
	spin_unlock_bh(&rn->charge_lock);
}

/**
 * resmon_pppoe_expired() - an active session was quiet, or is to be looked at
 * @rn: the chassis
 * @session: the session
 *
 * Context: Under charge_lock.
 * Return: true when it is over.
 */
bool resmon_pppoe_expired(struct resmon_net *rn, struct resmon_session *session)
{
	struct resmon_follow *follow = session->follow;
	struct resmon_pppoe_life *life = &follow->pppoe;
	u32 quiet = resmon_now_s() - READ_ONCE(follow->seen);
	const struct resmon_enforce *enforce;
	u32 silence;

	rcu_read_lock();
	enforce = rcu_dereference(follow->hook->enforce);
	silence = enforce->action[RESMON_LOGIN_PPPOE] == RESMON_ACTION_OFF ?
		  0 : enforce->silence;
	rcu_read_unlock();

	/* Nobody listens, so that nothing is known of silence. */
	if (!silence || !READ_ONCE(follow->hook->attached[true])) {
		suspect_clear(follow);
		resmon_session_deadline(rn, session, 0);
		return false;
	}
	silence = max_t(u32, silence, SILENT_ECHOES * life->echo_s);
	if (quiet < silence) {
		suspect_clear(follow);
		resmon_session_deadline(rn, session, silence - quiet);
		return false;
	}
	if (life->suspect)
		return true;
	life->suspect = true;
	WRITE_ONCE(follow->hook->suspects, follow->hook->suspects + 1);
	resmon_session_deadline(rn, session,
				max_t(u32, life->echo_s, SUSPECT_S));
	return false;
}
