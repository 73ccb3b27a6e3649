// SPDX-License-Identifier: GPL-2.0-only
/*
 * DHCPv4 messages, as far as they tell of logins (H1, H8, H10).
 *
 * Lenient where servers are, because a message that is called malformed here
 * and answered there is a login that no gate has seen: a missing end option is
 * the end of the message, an option that is repeated with the same value is
 * one option, overload within an overloaded field means nothing.
 */
#include "parse.h"

/* The message as it is on the wire. */
#define OFF_OP		0
#define OFF_HTYPE	1
#define OFF_HLEN	2
#define OFF_HOPS	3
#define OFF_XID		4
#define OFF_CIADDR	12
#define OFF_YIADDR	16
#define OFF_GIADDR	24
#define OFF_CHADDR	28
#define OFF_SNAME	44
#define OFF_FILE	108
#define OFF_COOKIE	236
#define OFF_OPTIONS	240

#define LEN_CHADDR	16

#define OP_REQUEST	1
#define OP_REPLY	2
#define HTYPE_ETHERNET	1
#define COOKIE		0x63825363

enum {
	OPT_PAD = 0,
	OPT_REQUESTED = 50,
	OPT_LEASE = 51,
	OPT_OVERLOAD = 52,
	OPT_TYPE = 53,
	OPT_SERVER = 54,
	OPT_CLIENT = 61,
	OPT_AGENT = 82,
	OPT_END = 255,
};

enum {
	AGENT_CIRCUIT = 1,
	AGENT_REMOTE = 2,
};

#define OVERLOAD_FILE	BIT(0)
#define OVERLOAD_SNAME	BIT(1)
#define OVERLOAD_ALL	(OVERLOAD_FILE | OVERLOAD_SNAME)

/* What was seen, to tell an option that contradicts an earlier one. */
#define SEEN_TYPE	BIT(0)
#define SEEN_REQUESTED	BIT(1)
#define SEEN_LEASE	BIT(2)
#define SEEN_SERVER	BIT(3)
#define SEEN_OVERLOAD	BIT(4)

/**
 * struct walk - one message on its way through the options
 * @b: the frame
 * @msg: what is filled in
 * @seen: SEEN_* of the options of fixed size
 * @overload: OVERLOAD_* of the fields that hold options too
 */
struct walk {
	const struct resmon_bytes *b;
	struct resmon_dhcp4 *msg;
	u32 seen;
	u8 overload;
};

/* An option of one byte; false when it has another length or value by now. */
static bool take_u8(struct walk *w, u32 bit, u32 off, u8 len, u8 *value)
{
	const u8 *p;
	u8 room;

	if (len != sizeof(room))
		return false;
	p = resmon_bytes_at(w->b, off, len, &room);
	if (!p || ((w->seen & bit) && *p != *value))
		return false;
	w->seen |= bit;
	*value = *p;
	return true;
}

/* The same for four bytes, which stay in network order. */
static bool take_be32(struct walk *w, u32 bit, u32 off, u8 len, __be32 *value)
{
	__be32 room, got;
	const void *p;

	if (len != sizeof(room))
		return false;
	p = resmon_bytes_at(w->b, off, len, &room);
	if (!p)
		return false;
	memcpy(&got, p, sizeof(got));
	if ((w->seen & bit) && got != *value)
		return false;
	w->seen |= bit;
	*value = got;
	return true;
}

static void take_span(struct resmon_span *span, u32 off, u8 len)
{
	/* The first one counts: relays append. */
	if (span->len)
		return;
	span->off = off;
	span->len = len;
}

/*
 * The sub-options of option 82. One that was split over two options (RFC 3396)
 * is of whole sub-options in each, or malformed: a span is in one piece.
 */
static bool take_agent(struct walk *w, u32 off, u8 len)
{
	u32 end = off + len;

	while (off < end) {
		const u8 *p;
		u8 room[2];

		if (end - off < sizeof(room))
			return false;
		p = resmon_bytes_at(w->b, off, sizeof(room), room);
		if (!p)
			return false;
		off += sizeof(room);
		if (p[1] > end - off)
			return false;
		if (p[0] == AGENT_CIRCUIT)
			take_span(&w->msg->circuit, off, p[1]);
		else if (p[0] == AGENT_REMOTE)
			take_span(&w->msg->remote, off, p[1]);
		off += p[1];
	}
	return true;
}

static bool take_option(struct walk *w, u8 code, u32 off, u8 len)
{
	struct resmon_dhcp4 *msg = w->msg;
	__be32 lease = htonl(msg->lease);

	switch (code) {
	case OPT_REQUESTED:
		return take_be32(w, SEEN_REQUESTED, off, len, &msg->requested);
	case OPT_LEASE:
		if (!take_be32(w, SEEN_LEASE, off, len, &lease))
			return false;
		msg->has_lease = true;
		msg->lease = ntohl(lease);
		return true;
	case OPT_TYPE:
		return take_u8(w, SEEN_TYPE, off, len, &msg->type);
	case OPT_SERVER:
		return take_be32(w, SEEN_SERVER, off, len, &msg->server);
	case OPT_CLIENT:
		/* Of two halves neither is the client's id. */
		if (msg->client.len)
			return false;
		take_span(&msg->client, off, len);
		return true;
	case OPT_AGENT:
		return take_agent(w, off, len);
	}
	return true;
}

/* The options of one field; only those of the first one can overload. */
static bool walk_field(struct walk *w, u32 off, u32 end, bool first)
{
	while (off < end) {
		const u8 *p;
		u8 room, code, len;

		p = resmon_bytes_at(w->b, off++, 1, &room);
		if (!p)
			return false;
		code = *p;
		if (code == OPT_END)
			return true;
		if (code == OPT_PAD)
			continue;
		if (off == end)
			return false;
		p = resmon_bytes_at(w->b, off++, 1, &room);
		if (!p)
			return false;
		len = *p;
		if (len > end - off)
			return false;
		if (code != OPT_OVERLOAD) {
			if (!take_option(w, code, off, len))
				return false;
		} else if (first) {
			if (!take_u8(w, SEEN_OVERLOAD, off, len, &w->overload))
				return false;
			if (!w->overload || w->overload & ~OVERLOAD_ALL)
				return false;
		}
		off += len;
	}
	return true;
}

static bool walk_options(struct walk *w, u32 start, u32 end)
{
	if (!walk_field(w, start + OFF_OPTIONS, end, true))
		return false;
	if ((w->overload & OVERLOAD_FILE) &&
	    !walk_field(w, start + OFF_FILE, start + OFF_COOKIE, false))
		return false;
	return !(w->overload & OVERLOAD_SNAME) ||
	       walk_field(w, start + OFF_SNAME, start + OFF_FILE, false);
}

static bool is_port(u16 port)
{
	return port == RESMON_PORT_DHCP4_SERVER ||
	       port == RESMON_PORT_DHCP4_CLIENT;
}

/* The fixed part. */
static bool take_header(struct walk *w, u32 off)
{
	struct resmon_dhcp4 *msg = w->msg;
	u8 room[OFF_SNAME];
	const u8 *p;

	p = resmon_bytes_at(w->b, off, sizeof(room), room);
	if (!p || (p[OFF_OP] != OP_REQUEST && p[OFF_OP] != OP_REPLY) ||
	    p[OFF_HLEN] > LEN_CHADDR)
		return false;
	msg->reply = p[OFF_OP] == OP_REPLY;
	msg->hops = p[OFF_HOPS];
	msg->xid = get_unaligned_be32(p + OFF_XID);
	memcpy(&msg->ciaddr, p + OFF_CIADDR, sizeof(msg->ciaddr));
	memcpy(&msg->yiaddr, p + OFF_YIADDR, sizeof(msg->yiaddr));
	memcpy(&msg->giaddr, p + OFF_GIADDR, sizeof(msg->giaddr));
	if (p[OFF_HTYPE] == HTYPE_ETHERNET && p[OFF_HLEN] == ETH_ALEN)
		memcpy(msg->chaddr, p + OFF_CHADDR, ETH_ALEN);
	return true;
}

/**
 * resmon_dhcp4_parse() - read a DHCPv4 message
 * @b: the frame
 * @udp: the datagram in it
 * @msg: filled in when it is one
 *
 * Messages of other types than those of enum resmon_dhcp4_type, and those of
 * plain BOOTP, are none of the login traffic.
 *
 * Context: Any.
 * Return: What became of it.
 */
enum resmon_parse resmon_dhcp4_parse(const struct resmon_bytes *b,
				     const struct resmon_udp *udp,
				     struct resmon_dhcp4 *msg)
{
	struct walk w = { .b = b, .msg = msg };
	u8 room[4];
	const u8 *p;

	if (!is_port(udp->sport) && !is_port(udp->dport))
		return RESMON_PARSE_OTHER;
	memset(msg, 0, sizeof(*msg));
	msg->udp = *udp;
	/* What a span cannot point to is no frame of a subscriber. */
	if (udp->len < OFF_OPTIONS || udp->len > U16_MAX ||
	    udp->off > U16_MAX - udp->len)
		return RESMON_PARSE_MALFORMED;
	p = resmon_bytes_at(b, udp->off + OFF_COOKIE, sizeof(room), room);
	if (!p)
		return RESMON_PARSE_MALFORMED;
	if (get_unaligned_be32(p) != COOKIE)
		return RESMON_PARSE_OTHER;
	if (!take_header(&w, udp->off) ||
	    !walk_options(&w, udp->off, udp->off + udp->len))
		return RESMON_PARSE_MALFORMED;

	if (!(w.seen & SEEN_TYPE) || msg->type > RESMON_DHCP4_INFORM)
		return RESMON_PARSE_OTHER;
	switch (msg->type) {
	case 0:
		return RESMON_PARSE_MALFORMED;
	case RESMON_DHCP4_OFFER:
	case RESMON_DHCP4_ACK:
	case RESMON_DHCP4_NAK:
		return msg->reply ? RESMON_PARSE_OK : RESMON_PARSE_MALFORMED;
	}
	return msg->reply ? RESMON_PARSE_MALFORMED : RESMON_PARSE_OK;
}

/**
 * resmon_dhcp4_request_of() - which kind of REQUEST a message is
 * @msg: a message of type RESMON_DHCP4_REQUEST
 *
 * One that says nothing at all is taken for a selecting one, as servers do.
 *
 * Context: Any.
 * Return: The kind.
 */
enum resmon_dhcp4_request
resmon_dhcp4_request_of(const struct resmon_dhcp4 *msg)
{
	if (msg->ciaddr)
		return RESMON_DHCP4_RENEWING;
	if (msg->server || !msg->requested)
		return RESMON_DHCP4_SELECTING;
	return RESMON_DHCP4_INIT_REBOOT;
}
