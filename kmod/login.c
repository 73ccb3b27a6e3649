// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the logins of all protocols have in common: who asks, the first sign of
 * life, and the commit. The decision itself is made in admit.c.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/siphash.h>
#include <linux/slab.h>

#include "enforce.h"
#include "follow.h"
#include "frame.h"
#include "net.h"
#include "place.h"
#include "stats.h"

/* Net devices right above a place whose addresses are looked at (H10). */
#define LOGIN_UPPERS	16

static u8 mac_text(u8 *text, const u8 *mac)
{
	char *at = (char *)text;
	int i;

	for (i = 0; i < ETH_ALEN; i++) {
		at = hex_byte_pack(at, mac[i]);
		*at++ = ':';
	}
	return 3 * ETH_ALEN - 1;
}

/* The longest text that is an identity; what is longer is cut. */
static const void *span_text(const struct resmon_frame *frame,
			     const struct resmon_span *span, void *buffer,
			     u8 *len)
{
	*len = min_t(u16, span->len, RESMON_KEY_LEN);
	return *len ? resmon_bytes_at(&frame->bytes, span->off, *len, buffer) :
		      NULL;
}

/**
 * resmon_subscriber_set() - who sends a login message, or is answered (H8)
 * @frame: the frame
 * @type: enum resmon_type
 * @mac: address of the client
 * @circuit: circuit id, of length 0 for none, or NULL
 * @who: filled in
 *
 * By circuit only where the place says so and there is one.
 *
 * Context: RCU read section.
 */
void resmon_subscriber_set(const struct resmon_frame *frame, u8 type,
			   const u8 *mac, const struct resmon_span *circuit,
			   struct resmon_subscriber *who)
{
	const struct resmon_ident *id = &frame->hook->place->elem.id;
	u8 buffer[RESMON_KEY_LEN];
	const void *text = NULL;
	u8 len = 0;

	if (circuit && frame->enforce->key == RESMON_IDENTITY_CIRCUIT)
		text = span_text(frame, circuit, buffer, &len);
	if (text) {
		memcpy(who->text, text, len);
		who->len = len;
	} else {
		who->len = mac_text(who->text, mac);
		text = mac;
		len = ETH_ALEN;
	}
	resmon_key_set(frame->rn, &who->key, id->ifindex, frame->link.outer,
		       frame->link.inner, type, text, len);
}

/**
 * resmon_frame_read() - does a parser make something of a frame?
 * @frame: the frame
 * @parse: what it said
 *
 * Context: BH off.
 * Return: true when it does; a frame that is malformed was counted.
 */
bool resmon_frame_read(const struct resmon_frame *frame,
		       enum resmon_parse parse)
{
	if (parse == RESMON_PARSE_MALFORMED)
		resmon_seen_count(frame->hook, RESMON_SEEN_MALFORMED);
	return parse == RESMON_PARSE_OK;
}

static bool span_is(const struct resmon_frame *frame,
		    const struct resmon_span *span)
{
	const struct resmon_enforce *enforce = frame->enforce;
	u8 buffer[RESMON_KEY_LEN];
	const void *text;

	if (!span || span->len != enforce->value_len)
		return false;
	text = resmon_bytes_at(&frame->bytes, span->off, span->len, buffer);
	return text && !memcmp(text, enforce->value, span->len);
}

/**
 * resmon_frame_priority() - does a frame skip the load gates? (H15, P7)
 * @frame: the frame
 * @mac: address of the client
 * @service: service name or NULL
 * @circuit: circuit id or NULL
 *
 * Context: RCU read section.
 * Return: true when it does.
 */
bool resmon_frame_priority(const struct resmon_frame *frame, const u8 *mac,
			   const struct resmon_span *service,
			   const struct resmon_span *circuit)
{
	const struct resmon_enforce *enforce = frame->enforce;
	__be16 vlan[2];

	switch (enforce->priority) {
	case RESMON_PRIORITY_VLAN:
		vlan[0] = htons(frame->link.outer);
		vlan[1] = htons(frame->link.inner);
		return !memcmp(vlan, enforce->value, enforce->value_len) &&
		       (enforce->value_len == sizeof(vlan) ||
			!frame->link.inner);
	case RESMON_PRIORITY_MAC:
		return ether_addr_equal_unaligned(mac, enforce->value);
	case RESMON_PRIORITY_SERVICE_NAME:
		return span_is(frame, service);
	case RESMON_PRIORITY_CIRCUIT:
		return span_is(frame, circuit);
	default:
		return false;
	}
}

/**
 * resmon_frame_for_us() - is a frame addressed to this host? (H10)
 * @frame: an arriving frame
 *
 * To the net device itself, to the VLAN it is in, or to one right above it.
 *
 * Context: RCU read section.
 * Return: true when it is.
 */
bool resmon_frame_for_us(const struct resmon_frame *frame)
{
	struct net_device *dev = frame->hook->place->dev;
	const u8 *dst = frame->link.dst;
	struct net_device *upper;
	struct list_head *at;
	u32 n = 0;

	if (ether_addr_equal(dst, dev->dev_addr))
		return true;
	if (frame->link.outer) {
		upper = __vlan_find_dev_deep_rcu(dev, htons(ETH_P_8021Q),
						 frame->link.outer) ?:
			__vlan_find_dev_deep_rcu(dev, htons(ETH_P_8021AD),
						 frame->link.outer);
		if (!upper)
			return false;
		if (ether_addr_equal(dst, upper->dev_addr))
			return true;
		dev = upper;
	}
	netdev_for_each_upper_dev_rcu(dev, upper, at) {
		if (ether_addr_equal(dst, upper->dev_addr))
			return true;
		if (++n == LOGIN_UPPERS)
			break;
	}
	return false;
}

/**
 * resmon_frame_hash() - some text of a frame, for comparison
 * @frame: the frame
 * @span: the text
 *
 * Context: RCU read section.
 * Return: A hash under a secret key.
 */
u64 resmon_frame_hash(const struct resmon_frame *frame,
		      const struct resmon_span *span)
{
	u8 buffer[RESMON_KEY_LEN];
	const void *text;
	u8 len;

	text = span_text(frame, span, buffer, &len);
	return siphash(text ?: buffer, text ? len : 0, &frame->rn->key_hash[0]);
}

static void request_set(const struct resmon_frame *frame,
			const struct resmon_subscriber *who,
			struct resmon_request *req)
{
	*req = (struct resmon_request) {
		.place = frame->hook->place,
		.hook = frame->hook,
		.key = who->key,
		.text = who->text,
		.text_len = who->len,
		.type = who->key.type,
		.kind = RESMON_KIND_CLIENT,
		.packet = true,
	};
}

/* A refusal, as the action of the place has it. */
static bool refused(const struct resmon_frame *frame)
{
	if (frame->enforce->action[frame->login] == RESMON_ACTION_COUNT) {
		resmon_seen_count(frame->hook, RESMON_SEEN_OBSERVED);
		return false;
	}
	return true;
}

/**
 * resmon_login_first() - a first sign of life asks
 * @frame: the frame
 * @who: who asks
 * @known: it holds a session, whose place it uses (H9)
 * @priority: it skips the load gates
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_login_first(const struct resmon_frame *frame,
				    const struct resmon_subscriber *who,
				    bool known, bool priority)
{
	struct resmon_request req;
	struct resmon_decision v;

	request_set(frame, who, &req);
	req.known = known;
	req.priority = priority;
	resmon_admit_first(frame->rn, &req, &v);
	if (v.verdict == RESMON_VERDICT_ADMIT || !refused(frame))
		return RESMON_PASS;
	resmon_seen_count(frame->hook, RESMON_SEEN_DROPPED);
	return RESMON_DROP;
}

/**
 * resmon_login_commit() - a commit asks for its place
 * @frame: the frame
 * @who: who asks
 * @key: what the session is to be known by
 * @ghost: it holds another session, whose place it is to have (H9)
 * @follow: what is known of the session, or NULL for want of memory; taken
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP; the caller counts and answers what it
 *	drops.
 */
enum resmon_fate resmon_login_commit(const struct resmon_frame *frame,
				     const struct resmon_subscriber *who,
				     const struct resmon_key *key, bool ghost,
				     struct resmon_follow *follow)
{
	struct resmon_request req;
	struct resmon_decision v;

	request_set(frame, who, &req);
	req.key = *key;
	req.flight = &who->key;
	req.borrow = ghost;
	req.follow = follow;
	resmon_admit_commit(frame->rn, &req, &v);
	kfree(req.follow);
	return v.verdict == RESMON_VERDICT_ADMIT || !refused(frame) ?
	       RESMON_PASS : RESMON_DROP;
}

/**
 * resmon_login_foreign() - a commit is meant for another BNG (H10)
 * @frame: the frame, which passes
 * @who: who asks; its first sign is decided
 *
 * Context: RCU read section, BH off.
 */
void resmon_login_foreign(const struct resmon_frame *frame,
			  const struct resmon_subscriber *who)
{
	spin_lock_bh(&frame->rn->charge_lock);
	resmon_flight_land(frame->rn, &who->key);
	spin_unlock_bh(&frame->rn->charge_lock);
	resmon_seen_count(frame->hook, RESMON_SEEN_FOREIGN);
}

/**
 * resmon_login_adopt() - a session is up that nobody asked for (H3)
 * @frame: a frame of it that leaves this host
 * @who: the subscriber
 * @key: what the session is to be known by
 * @follow: what is known of it, or NULL for want of memory; taken
 *
 * Counted even above a limit: it is there.
 *
 * Context: RCU read section, BH off.
 * Return: The session, or NULL.
 */
struct resmon_session *resmon_login_adopt(const struct resmon_frame *frame,
					  const struct resmon_subscriber *who,
					  const struct resmon_key *key,
					  struct resmon_follow *follow)
{
	struct resmon_session *session;
	struct resmon_request req;

	request_set(frame, who, &req);
	req.key = *key;
	req.flight = &who->key;
	req.active = true;
	req.follow = follow;
	session = resmon_admit_adopt(frame->rn, &req);
	kfree(req.follow);
	if (session)
		resmon_seen_count(frame->hook, RESMON_SEEN_ADOPTED);
	return session;
}
