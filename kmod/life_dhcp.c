// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of an IPoE session: that of its leases. DHCPv4 and DHCPv6 of one
 * client are one session, unless the place counts two (H11).
 */
#include <linux/etherdevice.h>
#include <linux/siphash.h>
#include <linux/slab.h>

#include "enforce.h"
#include "flight.h"
#include "life_dhcp.h"
#include "net.h"
#include "place.h"
#include "reply.h"

/* Seconds after which a rapid commit that nobody answered is undone. */
#define RAPID_S		5

/**
 * resmon_dhcp_session() - the session of a subscriber
 * @frame: a frame of it
 * @who: the subscriber
 *
 * Context: RCU read section or charge_lock.
 * Return: The session, if it is known from frames, or NULL.
 */
struct resmon_session *resmon_dhcp_session(const struct resmon_frame *frame,
					   const struct resmon_subscriber *who)
{
	struct resmon_session *session;

	session = resmon_session_find_key(frame->rn, &who->key);
	return session && session->follow ? session : NULL;
}

/**
 * resmon_dhcp_find() - the session of a client that may be known by its DUID
 * @frame: a frame of it
 * @who: the subscriber
 * @duid: key of its DUID, NULL for DHCPv4
 *
 * Context: RCU read section or charge_lock.
 * Return: The session, if it is known from frames, or NULL.
 */
struct resmon_session *resmon_dhcp_find(const struct resmon_frame *frame,
					const struct resmon_subscriber *who,
					const struct resmon_key *duid)
{
	struct resmon_follow *follow;

	follow = duid ? resmon_follow_find(frame->rn, duid) : NULL;
	return follow ? follow->session : resmon_dhcp_session(frame, who);
}

static struct resmon_follow *follow_new(const struct resmon_frame *frame,
					const u8 *mac,
					const struct resmon_key *duid)
{
	struct resmon_follow *follow;

	follow = resmon_follow_alloc(frame->hook, frame->login);
	if (!follow)
		return NULL;
	ether_addr_copy(follow->dhcp.mac, mac);
	if (duid)
		follow->alias = *duid;
	return follow;
}

/**
 * resmon_dhcp_commit() - a client takes an offer
 * @frame: the frame
 * @who: the subscriber
 * @mac: its address
 * @duid: key of its DUID, NULL for DHCPv4
 * @rapid: it is not yet known whether the server commits at once
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_dhcp_commit(const struct resmon_frame *frame,
				    const struct resmon_subscriber *who,
				    const u8 *mac, const struct resmon_key *duid,
				    bool rapid)
{
	struct resmon_follow *follow = follow_new(frame, mac, duid);
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;
	enum resmon_fate fate;

	if (follow)
		follow->dhcp.rapid = rapid;
	fate = resmon_login_commit(frame, who, &who->key, false, follow);
	if (fate == RESMON_DROP)
		return fate;

	spin_lock_bh(&rn->charge_lock);
	session = resmon_dhcp_session(frame, who);
	if (session && duid)
		resmon_follow_name(rn, session->follow, duid);
	/* Of a household, what another commit has taken stays taken. */
	if (session && !rapid)
		session->follow->dhcp.rapid = false;
	if (session && session->follow->dhcp.rapid)
		resmon_session_deadline(rn, session, RAPID_S);
	spin_unlock_bh(&rn->charge_lock);
	return fate;
}

/**
 * resmon_dhcp_adopt() - a lease was given to a client that is not known (H3)
 * @frame: the answer
 * @who: the subscriber
 * @mac: its address
 * @duid: key of its DUID, NULL for DHCPv4
 *
 * Context: RCU read section, BH off.
 */
void resmon_dhcp_adopt(const struct resmon_frame *frame,
		       const struct resmon_subscriber *who, const u8 *mac,
		       const struct resmon_key *duid)
{
	resmon_login_adopt(frame, who, &who->key, follow_new(frame, mac, duid));
}

/* The time from now at which the last lease ends, 0 for never. */
static bool last_lease(const struct resmon_follow *follow, u32 *seconds)
{
	const struct resmon_lease *lease = follow->dhcp.lease;
	u32 now = resmon_now_s(), most = 0;
	int i;

	for (i = 0; i < RESMON_LEASES; i++, lease++) {
		if (!lease->kind)
			continue;
		if (lease->until == U32_MAX) {
			*seconds = 0;
			return true;
		}
		if ((s32)(lease->until - now) > 0)
			most = max(most, lease->until - now);
	}
	*seconds = most;
	return most;
}

static struct resmon_lease *lease_find(struct resmon_follow *follow, u16 kind,
				       u32 iaid)
{
	struct resmon_lease *lease = follow->dhcp.lease;
	int i;

	for (i = 0; i < RESMON_LEASES; i++, lease++)
		if (lease->kind == kind && lease->iaid == iaid)
			return lease;
	return NULL;
}

/**
 * resmon_dhcp_lease() - a lease was given or renewed
 * @rn: the chassis
 * @session: the session
 * @kind: RESMON_LEASE_V4, or the option code of the IA for DHCPv6
 * @iaid: of DHCPv6
 * @seconds: its length, ~0 for ever
 *
 * Context: Under charge_lock.
 */
void resmon_dhcp_lease(struct resmon_net *rn, struct resmon_session *session,
		       u16 kind, u32 iaid, u32 seconds)
{
	struct resmon_follow *follow = session->follow;
	struct resmon_lease *lease;

	lease = lease_find(follow, kind, iaid) ?: lease_find(follow, 0, 0) ?:
		&follow->dhcp.lease[RESMON_LEASES - 1];
	lease->kind = kind;
	lease->iaid = iaid;
	lease->imported = false;
	/* No clock of 32 bits counts further. */
	lease->until = seconds > S32_MAX ? U32_MAX : resmon_now_s() + seconds;
	follow->dhcp.rapid = false;
	resmon_follow_alive(follow);
	resmon_follow_up(rn, session);
	/* A lease of no time ends with the next tick. */
	if (!last_lease(follow, &seconds))
		seconds = 1;
	resmon_session_deadline(rn, session, seconds);
}

/**
 * resmon_dhcp_unlease() - a lease was given back, or refused
 * @rn: the chassis
 * @session: the session
 * @kind: RESMON_LEASE_V4, or the option code of the IA for DHCPv6
 * @iaid: of DHCPv6
 *
 * Context: Under charge_lock.
 * Return: true when it was the last, and the session is over.
 */
bool resmon_dhcp_unlease(struct resmon_net *rn, struct resmon_session *session,
			 u16 kind, u32 iaid)
{
	struct resmon_lease *lease = lease_find(session->follow, kind, iaid);
	u32 seconds;

	if (lease)
		*lease = (struct resmon_lease) { };
	if (last_lease(session->follow, &seconds)) {
		resmon_session_deadline(rn, session, seconds);
		return false;
	}
	resmon_session_end(rn, session);
	return true;
}

/**
 * resmon_dhcp_release() - a client gives a lease back
 * @rn: the chassis
 * @session: the session
 * @kind: RESMON_LEASE_V4, or the option code of the IA for DHCPv6
 * @iaid: of DHCPv6
 * @ours: to a server that is known to be ours (H10); of a lease that was
 *	imported nobody knows the server
 *
 * Context: Under charge_lock.
 * Return: true when it was the last, and the session is over.
 */
bool resmon_dhcp_release(struct resmon_net *rn, struct resmon_session *session,
			 u16 kind, u32 iaid, bool ours)
{
	const struct resmon_lease *lease;

	lease = lease_find(session->follow, kind, iaid);
	if (!ours && !(lease && lease->imported))
		return false;
	return resmon_dhcp_unlease(rn, session, kind, iaid);
}

/**
 * resmon_dhcp_import() - a lease was given before frames were seen (H3)
 * @frame: stands for the frame that nobody saw
 * @who: the subscriber
 * @mac: its address
 * @duid: key of its DUID, NULL for DHCPv4
 * @given: kind and IAID of the lease
 * @seconds: what is left of it, ~0 for ever
 * @same: set to whether the session was there already
 *
 * Context: RCU read section, BH off.
 * Return: The session, valid in the RCU read section, or NULL for want of
 *	memory.
 */
struct resmon_session *
resmon_dhcp_import(const struct resmon_frame *frame,
		   const struct resmon_subscriber *who, const u8 *mac,
		   const struct resmon_key *duid,
		   const struct resmon_lease *given, u32 seconds, bool *same)
{
	struct resmon_net *rn = frame->rn;
	struct resmon_session *session;

	*same = resmon_dhcp_find(frame, who, duid) ||
		resmon_session_find_key(rn, &who->key);
	if (!*same)
		resmon_dhcp_adopt(frame, who, mac, duid);

	spin_lock_bh(&rn->charge_lock);
	session = resmon_dhcp_find(frame, who, duid);
	/* What frames have told is newer, and a login on its way will tell. */
	if (session && session->state == RESMON_STATE_ACTIVE &&
	    !lease_find(session->follow, given->kind, given->iaid)) {
		if (duid)
			resmon_follow_name(rn, session->follow, duid);
		resmon_dhcp_lease(rn, session, given->kind, given->iaid,
				  seconds);
		lease_find(session->follow, given->kind,
			   given->iaid)->imported = true;
	}
	spin_unlock_bh(&rn->charge_lock);
	return session ?: resmon_session_find_key(rn, &who->key);
}

/**
 * resmon_dhcp_expired() - the last lease may have ended
 * @rn: the chassis
 * @session: an active session, or one that waits for its rapid commit
 *
 * Context: Under charge_lock.
 * Return: true when it is over.
 */
bool resmon_dhcp_expired(struct resmon_net *rn, struct resmon_session *session)
{
	u32 seconds;

	if (!last_lease(session->follow, &seconds))
		return true;
	resmon_session_deadline(rn, session, seconds);
	return false;
}

/**
 * resmon_dhcp_off() - is a session of a protocol that is not looked at any more?
 * @follow: what is known of the session; loses the leases of that protocol
 * @enforce: the settings
 *
 * Context: Under charge_lock.
 * Return: true when nothing is left that would end it.
 */
bool resmon_dhcp_off(struct resmon_follow *follow,
		     const struct resmon_enforce *enforce)
{
	bool off = enforce->action[follow->login] == RESMON_ACTION_OFF;
	bool left = false;
	int i;

	for (i = 0; i < RESMON_LEASES; i++) {
		struct resmon_lease *lease = &follow->dhcp.lease[i];
		u8 login = lease->kind == RESMON_LEASE_V4 ?
				   RESMON_LOGIN_DHCP4 : RESMON_LOGIN_DHCP6;

		if (!lease->kind)
			continue;
		if (enforce->action[login] == RESMON_ACTION_OFF) {
			*lease = (struct resmon_lease) { };
			off = true;
		} else {
			left = true;
		}
	}
	return off && !left;
}

/**
 * resmon_server_learn() - a server behind this place has this identifier (H10)
 * @frame: an answer of it
 * @server: hash of the identifier
 *
 * Context: RCU read section.
 */
void resmon_server_learn(const struct resmon_frame *frame, u64 server)
{
	struct resmon_hook *hook = frame->hook;

	if (resmon_server_known(frame, server))
		return;
	spin_lock_bh(&frame->rn->charge_lock);
	WRITE_ONCE(hook->server[hook->n_servers++ % RESMON_SERVERS], server);
	spin_unlock_bh(&frame->rn->charge_lock);
}

/**
 * resmon_server_known() - is it one of ours? (H10)
 * @frame: a frame that names it
 * @server: hash of its identifier, never 0
 *
 * Context: RCU read section.
 * Return: true when an answer of it left here.
 */
bool resmon_server_known(const struct resmon_frame *frame, u64 server)
{
	int i;

	for (i = 0; i < RESMON_SERVERS; i++)
		if (READ_ONCE(frame->hook->server[i]) == server)
			return true;
	return false;
}
