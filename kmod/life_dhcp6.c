// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the messages of DHCPv6 mean for a session.
 *
 * A client that is heard through relays is known by what they tell of its
 * address, which the way back does not repeat: there its DUID names it.
 */
#include <linux/etherdevice.h>

#include "enforce.h"
#include "flight.h"
#include "life_dhcp.h"
#include "net.h"
#include "place.h"
#include "reply.h"

/**
 * struct dhcp6_client - who a message is from or to
 * @who: the subscriber
 * @mac: its address, zero when it is not known
 * @duid: key of its DUID
 */
struct dhcp6_client {
	struct resmon_subscriber who;
	u8 mac[ETH_ALEN];
	struct resmon_key duid;
};

/* Of two sessions of a household this is the second one (H11). */
static void second(const struct resmon_frame *frame, struct resmon_key *key)
{
	if (frame->enforce->dual_stack == 2)
		key->pad = 6;
}

static void client_of(const struct resmon_frame *frame,
		      const struct resmon_dhcp6 *msg, struct dhcp6_client *c)
{
	const struct resmon_ident *id = &frame->hook->place->elem.id;
	u8 buffer[RESMON_KEY_LEN];
	const void *text;
	u8 len;

	len = min_t(u16, msg->client.len, RESMON_KEY_LEN);
	text = resmon_bytes_at(&frame->bytes, msg->client.off, len, buffer);
	len = text ? len : 0;
	resmon_key_set(frame->rn, &c->duid, id->ifindex, frame->link.outer,
		       frame->link.inner, RESMON_TYPE_DHCP, text, len);

	eth_zero_addr(c->mac);
	if (!msg->relays)
		ether_addr_copy(c->mac, resmon_frame_client(frame));
	else if (msg->has_mac)
		ether_addr_copy(c->mac, msg->mac);
	resmon_subscriber_set(frame, RESMON_TYPE_DHCP, c->mac, &msg->circuit,
			      &c->who);
	/* Nothing but the DUID tells it apart. */
	if (is_zero_ether_addr(c->mac) &&
	    !(frame->enforce->key == RESMON_IDENTITY_CIRCUIT &&
	      msg->circuit.len)) {
		c->who.key = c->duid;
		memcpy(c->who.text, text, len);
		c->who.len = len;
	}
	second(frame, &c->who.key);
}

static struct resmon_session *session_of(const struct resmon_frame *frame,
					 const struct dhcp6_client *c)
{
	return resmon_dhcp_find(frame, &c->who, &c->duid);
}

static bool ours(const struct resmon_frame *frame,
		 const struct resmon_dhcp6 *msg)
{
	return msg->server.len &&
	       resmon_server_known(frame, resmon_frame_hash(frame,
							    &msg->server));
}

static enum resmon_fate solicit(const struct resmon_frame *frame,
				const struct dhcp6_client *c,
				const struct resmon_dhcp6 *msg)
{
	enum resmon_fate fate;

	fate = resmon_login_first(frame, &c->who,
				  resmon_dhcp_session(frame, &c->who),
				  resmon_frame_priority(frame, c->mac, NULL,
							&msg->circuit));
	if (fate == RESMON_DROP || !msg->rapid)
		return fate;
	fate = resmon_dhcp_commit(frame, &c->who, c->mac, &c->duid, true);
	if (fate == RESMON_DROP)
		resmon_seen_count(frame->hook, RESMON_SEEN_DROPPED);
	return fate;
}

static enum resmon_fate request(const struct resmon_frame *frame,
				const struct dhcp6_client *c,
				const struct resmon_dhcp6 *msg)
{
	if (!ours(frame, msg)) {
		resmon_login_foreign(frame, &c->who);
		return RESMON_PASS;
	}
	if (resmon_dhcp_commit(frame, &c->who, c->mac, &c->duid, false) ==
	    RESMON_PASS)
		return RESMON_PASS;
	if (frame->enforce->action[RESMON_LOGIN_DHCP6] == RESMON_ACTION_REJECT &&
	    resmon_reply_none(frame, msg))
		resmon_seen_count(frame->hook, RESMON_SEEN_REJECTED);
	else
		resmon_seen_count(frame->hook, RESMON_SEEN_DROPPED);
	return RESMON_DROP;
}

/* RELEASE and DECLINE: the session is over with the last of its leases. */
static void give_back(const struct resmon_frame *frame,
		      const struct dhcp6_client *c,
		      const struct resmon_dhcp6 *msg)
{
	struct resmon_session *session;
	bool known = ours(frame, msg);
	int i;

	/* A server takes nothing that is not addressed to it. */
	if (!msg->server.len)
		return;
	spin_lock_bh(&frame->rn->charge_lock);
	session = session_of(frame, c);
	for (i = 0; session && i < msg->n_ia; i++)
		if (resmon_dhcp_release(frame->rn, session, msg->ia[i].type,
					msg->ia[i].iaid, known))
			session = NULL;
	spin_unlock_bh(&frame->rn->charge_lock);
}

static enum resmon_fate from_client(const struct resmon_frame *frame,
				    const struct dhcp6_client *c,
				    const struct resmon_dhcp6 *msg)
{
	switch (msg->type) {
	case RESMON_DHCP6_SOLICIT:
		return solicit(frame, c, msg);
	case RESMON_DHCP6_REQUEST:
		return request(frame, c, msg);
	case RESMON_DHCP6_RELEASE:
	case RESMON_DHCP6_DECLINE:
		give_back(frame, c, msg);
		break;
	}
	return RESMON_PASS;
}

/* The server does not commit at once: the client is where others are. */
static void advertise(const struct resmon_frame *frame,
		      const struct dhcp6_client *c)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;
	struct resmon_key key = c->who.key;

	spin_lock_bh(&rn->charge_lock);
	session = session_of(frame, c);
	if (session && session->follow->dhcp.rapid) {
		key = session->key;
		resmon_session_end(rn, session);
		/* Without room for it the commit asks like any other. */
		resmon_flight_enter(rn, frame->hook, &key);
	}
	spin_unlock_bh(&rn->charge_lock);
	resmon_flight_offered(rn, &key);
}

static void reply(const struct resmon_frame *frame,
		  const struct dhcp6_client *c, const struct resmon_dhcp6 *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;
	bool leased = false;
	int i;

	for (i = 0; i < msg->n_ia; i++)
		leased |= !msg->ia[i].failed && msg->ia[i].valid;
	if (leased && !session_of(frame, c))
		resmon_dhcp_adopt(frame, &c->who, c->mac, &c->duid);

	spin_lock_bh(&rn->charge_lock);
	session = session_of(frame, c);
	for (i = 0; leased && session && i < msg->n_ia; i++)
		if (!msg->ia[i].failed && msg->ia[i].valid)
			resmon_dhcp_lease(rn, session, msg->ia[i].type,
					  msg->ia[i].iaid, msg->ia[i].valid);
	/* An IA that comes back empty, and a refusal as a whole. */
	for (i = 0; session && i < msg->n_ia; i++)
		if ((msg->ia[i].failed || !msg->ia[i].valid) &&
		    resmon_dhcp_unlease(rn, session, msg->ia[i].type,
					msg->ia[i].iaid))
			session = NULL;
	if (session && !msg->n_ia && msg->status &&
	    session->state == RESMON_STATE_STARTING)
		resmon_session_end(rn, session);
	spin_unlock_bh(&rn->charge_lock);
}

/**
 * resmon_dhcp6_import() - a client has a lease of a server of this place (H3)
 * @frame: stands for the frame that nobody saw; its sender is not looked at
 * @msg: the client's DUID, and its address as far as it is known
 * @ia: the identity association
 * @same: set to whether the session was there already
 *
 * Context: RCU read section, BH off.
 * Return: The session, valid in the RCU read section, or NULL for want of
 *	memory.
 */
struct resmon_session *
resmon_dhcp6_import(const struct resmon_frame *frame,
		    const struct resmon_dhcp6 *msg,
		    const struct resmon_dhcp6_ia *ia, bool *same)
{
	const struct resmon_lease lease = {
		.kind = ia->type,
		.iaid = ia->iaid,
	};
	struct dhcp6_client c;

	client_of(frame, msg, &c);
	return resmon_dhcp_import(frame, &c.who, c.mac, &c.duid, &lease,
				  ia->valid, same);
}

/**
 * resmon_dhcp6_message() - a DHCPv6 message
 * @frame: the frame
 * @udp: the datagram in it
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_dhcp6_message(const struct resmon_frame *frame,
				      const struct resmon_udp *udp)
{
	struct resmon_dhcp6 msg;
	struct dhcp6_client c;

	if (!resmon_frame_read(frame,
			       resmon_dhcp6_parse(&frame->bytes, udp, &msg)))
		return RESMON_PASS;
	if (!msg.client.len)
		return RESMON_PASS;
	client_of(frame, &msg, &c);
	switch (msg.type) {
	case RESMON_DHCP6_ADVERTISE:
	case RESMON_DHCP6_REPLY:
		if (!frame->leaving) {
			resmon_seen_count(frame->hook, RESMON_SEEN_ROGUE);
			break;
		}
		if (msg.server.len)
			resmon_server_learn(frame,
					    resmon_frame_hash(frame,
							      &msg.server));
		if (msg.type == RESMON_DHCP6_ADVERTISE)
			advertise(frame, &c);
		else
			reply(frame, &c, &msg);
		break;
	default:
		if (!frame->leaving)
			return from_client(frame, &c, &msg);
	}
	return RESMON_PASS;
}
