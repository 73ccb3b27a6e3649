// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the messages of DHCPv4 mean for a session.
 */
#include <linux/etherdevice.h>

#include "enforce.h"
#include "flight.h"
#include "life_dhcp.h"
#include "net.h"
#include "reply.h"

static u64 server_hash(__be32 server)
{
	return 1ULL << 32 | be32_to_cpu(server);
}

static enum resmon_fate first(const struct resmon_frame *frame,
			      const struct resmon_subscriber *who,
			      const struct resmon_dhcp4 *msg)
{
	return resmon_login_first(frame, who, resmon_dhcp_session(frame, who),
				  resmon_frame_priority(frame, msg->chaddr,
							NULL, &msg->circuit));
}

static enum resmon_fate request(const struct resmon_frame *frame,
				const struct resmon_subscriber *who,
				const struct resmon_dhcp4 *msg)
{
	bool reboot = false;
	enum resmon_fate fate;

	switch (resmon_dhcp4_request_of(msg)) {
	case RESMON_DHCP4_SELECTING:
		if (resmon_server_known(frame, server_hash(msg->server)))
			break;
		resmon_login_foreign(frame, who);
		return RESMON_PASS;
	case RESMON_DHCP4_INIT_REBOOT:
		/* A client that is not answered may use its old lease (H1). */
		if (first(frame, who, msg) == RESMON_DROP) {
			resmon_seen_count(frame->hook, RESMON_SEEN_UNENFORCED);
			return RESMON_DROP;
		}
		reboot = true;
		break;
	default:
		/* Renewing and rebinding: the answer says what it is worth. */
		return RESMON_PASS;
	}

	fate = resmon_dhcp_commit(frame, who, msg->chaddr, NULL, false);
	if (fate == RESMON_PASS)
		return RESMON_PASS;
	if (reboot)
		resmon_seen_count(frame->hook, RESMON_SEEN_UNENFORCED);
	if (!reboot &&
	    frame->enforce->action[RESMON_LOGIN_DHCP4] == RESMON_ACTION_REJECT &&
	    resmon_reply_nak(frame, msg))
		resmon_seen_count(frame->hook, RESMON_SEEN_REJECTED);
	else
		resmon_seen_count(frame->hook, RESMON_SEEN_DROPPED);
	return RESMON_DROP;
}

static enum resmon_fate from_client(const struct resmon_frame *frame,
				    const struct resmon_subscriber *who,
				    const struct resmon_dhcp4 *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;
	bool ours;

	switch (msg->type) {
	case RESMON_DHCP4_DISCOVER:
		return first(frame, who, msg);
	case RESMON_DHCP4_REQUEST:
		return request(frame, who, msg);
	case RESMON_DHCP4_RELEASE:
	case RESMON_DHCP4_DECLINE:
		ours = !msg->server ||
		       resmon_server_known(frame, server_hash(msg->server));
		spin_lock_bh(&rn->charge_lock);
		session = resmon_dhcp_session(frame, who);
		if (session)
			resmon_dhcp_release(rn, session, RESMON_LEASE_V4, 0, ours);
		spin_unlock_bh(&rn->charge_lock);
		break;
	}
	return RESMON_PASS;
}

static void ack(const struct resmon_frame *frame,
		const struct resmon_subscriber *who,
		const struct resmon_dhcp4 *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;

	/* The answer to an INFORM has no lease. */
	if (!msg->has_lease)
		return;
	if (!resmon_dhcp_session(frame, who))
		resmon_dhcp_adopt(frame, who, msg->chaddr, NULL);
	spin_lock_bh(&rn->charge_lock);
	session = resmon_dhcp_session(frame, who);
	if (session)
		resmon_dhcp_lease(rn, session, RESMON_LEASE_V4, 0, msg->lease);
	spin_unlock_bh(&rn->charge_lock);
}

static void from_server(const struct resmon_frame *frame,
			const struct resmon_subscriber *who,
			const struct resmon_dhcp4 *msg)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;

	if (msg->server && msg->type != RESMON_DHCP4_NAK)
		resmon_server_learn(frame, server_hash(msg->server));
	switch (msg->type) {
	case RESMON_DHCP4_OFFER:
		resmon_flight_offered(rn, &who->key);
		break;
	case RESMON_DHCP4_ACK:
		ack(frame, who, msg);
		break;
	case RESMON_DHCP4_NAK:
		spin_lock_bh(&rn->charge_lock);
		session = resmon_dhcp_session(frame, who);
		if (session)
			resmon_dhcp_unlease(rn, session, RESMON_LEASE_V4, 0);
		spin_unlock_bh(&rn->charge_lock);
		break;
	}
}

/**
 * resmon_dhcp4_import() - a client has a lease of a server of this place (H3)
 * @frame: stands for the frame that nobody saw, from the client
 * @circuit: what its relay adds, of length 0 for nothing
 * @seconds: what is left of the lease, ~0 for ever
 * @same: set to whether the session was there already
 *
 * Context: RCU read section, BH off.
 * Return: The session, valid in the RCU read section, or NULL for want of
 *	memory.
 */
struct resmon_session *resmon_dhcp4_import(const struct resmon_frame *frame,
					   const struct resmon_span *circuit,
					   u32 seconds, bool *same)
{
	const struct resmon_lease lease = { .kind = RESMON_LEASE_V4 };
	const u8 *mac = resmon_frame_client(frame);
	struct resmon_subscriber who;

	resmon_subscriber_set(frame, RESMON_TYPE_DHCP, mac, circuit, &who);
	return resmon_dhcp_import(frame, &who, mac, NULL, &lease, seconds,
				  same);
}

/**
 * resmon_dhcp4_message() - a DHCPv4 message
 * @frame: the frame
 * @udp: the datagram in it
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_dhcp4_message(const struct resmon_frame *frame,
				      const struct resmon_udp *udp)
{
	struct resmon_subscriber who;
	struct resmon_dhcp4 msg;

	if (!resmon_frame_read(frame,
			       resmon_dhcp4_parse(&frame->bytes, udp, &msg)))
		return RESMON_PASS;
	if (is_zero_ether_addr(msg.chaddr))
		ether_addr_copy(msg.chaddr, resmon_frame_client(frame));
	resmon_subscriber_set(frame, RESMON_TYPE_DHCP, msg.chaddr, &msg.circuit,
			      &who);
	if (!msg.reply && !frame->leaving)
		return from_client(frame, &who, &msg);
	if (msg.reply && frame->leaving)
		from_server(frame, &who, &msg);
	else if (msg.reply)
		resmon_seen_count(frame->hook, RESMON_SEEN_ROGUE);
	return RESMON_PASS;
}
