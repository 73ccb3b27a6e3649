// SPDX-License-Identifier: GPL-2.0-only
/*
 * DHCPv6 messages, as far as they tell of logins (H1, H8, H10, H11).
 *
 * Relays are unwrapped from the outside in, by a loop: what lies in a relay
 * message is read only after all that is around it, and what is kept of a
 * relay is that of the last one. Options are nested no deeper than an address
 * in an association, and each has a function of its own: nothing recurses.
 */
#include "parse.h"

/* A message and a relay's, as they are on the wire. */
#define LEN_MESSAGE	4
#define LEN_RELAY	34

#define LEN_OPTION	4
#define LEN_DUID_MAX	130
#define LEN_STATUS	2
#define LEN_ENTERPRISE	4

/* The fixed part of IA_NA and IA_PD, and of IA_TA, which has no T1 and T2. */
#define LEN_IA		12
#define LEN_IA_TA	4

/* The fixed part of an address, and where its valid lifetime is. */
#define LEN_ADDR	24
#define OFF_ADDR_VALID	20
#define LEN_PREFIX	25
#define OFF_PREFIX_VALID	4
#define OFF_PREFIX_LEN	8
#define PREFIX_LEN_MAX	128

#define DUID_LLT	1
#define DUID_LL		3
#define HTYPE_ETHERNET	1

enum {
	OPT_CLIENT = 1,
	OPT_SERVER = 2,
	OPT_IA_NA = 3,
	OPT_IA_TA = 4,
	OPT_IAADDR = 5,
	OPT_RELAY_MSG = 9,
	OPT_STATUS = 13,
	OPT_RAPID = 14,
	OPT_INTERFACE = 18,
	OPT_IA_PD = 25,
	OPT_IAPREFIX = 26,
	OPT_REMOTE = 37,
	OPT_LINK_ADDR = 79,
};

/**
 * struct option - one option of a message or of another option
 * @code: which one
 * @off: where its value begins
 * @len: length of its value, within what it is in
 */
struct option {
	u16 code;
	u16 len;
	u32 off;
};

/* Each option takes its header at least: who walks them comes to the end. */
static bool read_option(const struct resmon_bytes *b, u32 off, u32 end,
			struct option *opt)
{
	u8 room[LEN_OPTION];
	const u8 *p;

	if (end - off < sizeof(room))
		return false;
	p = resmon_bytes_at(b, off, sizeof(room), room);
	if (!p)
		return false;
	opt->code = get_unaligned_be16(p);
	opt->len = get_unaligned_be16(p + 2);
	opt->off = off + sizeof(room);
	return opt->len <= end - opt->off;
}

static bool read_u32(const struct resmon_bytes *b, u32 off, u32 *value)
{
	u8 room[sizeof(*value)];
	const u8 *p;

	p = resmon_bytes_at(b, off, sizeof(room), room);
	if (!p)
		return false;
	*value = get_unaligned_be32(p);
	return true;
}

/* An option that there is once; its first @skip bytes are not of its text. */
static bool take_span(struct resmon_span *span, const struct option *opt,
		      u32 skip)
{
	if (span->len || opt->len < skip)
		return false;
	span->off = opt->off + skip;
	span->len = opt->len - skip;
	return true;
}

static bool take_duid(struct resmon_span *span, const struct option *opt)
{
	if (!opt->len || opt->len > LEN_DUID_MAX)
		return false;
	return take_span(span, opt, 0);
}

/* The first status that tells of a failure stays. */
static bool take_status(const struct resmon_bytes *b, const struct option *opt,
			u16 *status)
{
	u8 room[LEN_STATUS];
	const u8 *p;

	if (opt->len < sizeof(room))
		return false;
	p = resmon_bytes_at(b, opt->off, sizeof(room), room);
	if (!p)
		return false;
	if (!*status)
		*status = get_unaligned_be16(p);
	return true;
}

/* Of the options of an address or a prefix only the status tells anything. */
static bool walk_addr(const struct resmon_bytes *b, u32 off, u32 end,
		      u16 *status)
{
	struct option opt;

	for (; off < end; off = opt.off + opt.len) {
		if (!read_option(b, off, end, &opt))
			return false;
		if (opt.code == OPT_STATUS && !take_status(b, &opt, status))
			return false;
	}
	return true;
}

/* An address or a prefix; one that failed keeps no association alive. */
static bool take_addr(const struct resmon_bytes *b, const struct option *opt,
		      struct resmon_dhcp6_ia *ia)
{
	bool prefix = opt->code == OPT_IAPREFIX;
	u32 fixed = prefix ? LEN_PREFIX : LEN_ADDR;
	u16 status = 0;
	const u8 *p;
	u32 valid;
	u8 room;

	if (opt->len < fixed)
		return false;
	if (prefix) {
		p = resmon_bytes_at(b, opt->off + OFF_PREFIX_LEN, 1, &room);
		if (!p || *p > PREFIX_LEN_MAX)
			return false;
	}
	if (!read_u32(b, opt->off + (prefix ? OFF_PREFIX_VALID :
					      OFF_ADDR_VALID), &valid) ||
	    !walk_addr(b, opt->off + fixed, opt->off + opt->len, &status))
		return false;
	if (!status)
		ia->valid = max(ia->valid, valid);
	return true;
}

static bool walk_ia(const struct resmon_bytes *b, u32 off, u32 end,
		    struct resmon_dhcp6_ia *ia)
{
	u16 leaf = ia->type == OPT_IA_PD ? OPT_IAPREFIX : OPT_IAADDR;
	struct option opt;
	u16 status = 0;

	for (; off < end; off = opt.off + opt.len) {
		if (!read_option(b, off, end, &opt))
			return false;
		if (opt.code == leaf && !take_addr(b, &opt, ia))
			return false;
		if (opt.code == OPT_STATUS && !take_status(b, &opt, &status))
			return false;
	}
	ia->failed = status;
	return true;
}

static bool take_ia(const struct resmon_bytes *b, const struct option *opt,
		    struct resmon_dhcp6 *msg)
{
	u32 fixed = opt->code == OPT_IA_TA ? LEN_IA_TA : LEN_IA;
	struct resmon_dhcp6_ia *ia;

	if (opt->len < fixed || msg->n_ia == RESMON_DHCP6_IAS)
		return false;
	ia = &msg->ia[msg->n_ia++];
	ia->type = opt->code;
	return read_u32(b, opt->off, &ia->iaid) &&
	       walk_ia(b, opt->off + fixed, opt->off + opt->len, ia);
}

static bool take_option(const struct resmon_bytes *b, const struct option *opt,
			struct resmon_dhcp6 *msg)
{
	switch (opt->code) {
	case OPT_CLIENT:
		return take_duid(&msg->client, opt);
	case OPT_SERVER:
		return take_duid(&msg->server, opt);
	case OPT_IA_NA:
	case OPT_IA_TA:
	case OPT_IA_PD:
		return take_ia(b, opt, msg);
	case OPT_STATUS:
		return take_status(b, opt, &msg->status);
	case OPT_RAPID:
		msg->rapid = true;
		return !opt->len;
	}
	return true;
}

static bool walk_message(const struct resmon_bytes *b, u32 off, u32 end,
			 struct resmon_dhcp6 *msg)
{
	struct option opt;

	for (; off < end; off = opt.off + opt.len)
		if (!read_option(b, off, end, &opt) ||
		    !take_option(b, &opt, msg))
			return false;
	return true;
}

/* Option 79: what the relay beside the client saw as its sender. */
static bool take_link_addr(const struct resmon_bytes *b,
			   const struct option *opt, struct resmon_dhcp6 *msg)
{
	u8 room[2 + ETH_ALEN];
	const u8 *p;

	if (opt->len < 2)
		return false;
	p = resmon_bytes_at(b, opt->off, 2, room);
	if (!p)
		return false;
	if (get_unaligned_be16(p) != HTYPE_ETHERNET)
		return true;
	if (opt->len != sizeof(room) || msg->has_mac)
		return false;
	p = resmon_bytes_at(b, opt->off, sizeof(room), room);
	if (!p)
		return false;
	memcpy(msg->mac, p + 2, ETH_ALEN);
	msg->has_mac = true;
	return true;
}

/* The options of one relay, whose message becomes @inner. */
static bool walk_relay(const struct resmon_bytes *b, u32 off, u32 end,
		       struct resmon_dhcp6 *msg, struct resmon_span *inner)
{
	struct option opt;
	bool good = true;

	/* Those of the relay around it are not of the innermost one. */
	memset(&msg->circuit, 0, sizeof(msg->circuit));
	memset(&msg->remote, 0, sizeof(msg->remote));
	msg->has_mac = false;
	memset(msg->mac, 0, sizeof(msg->mac));
	memset(inner, 0, sizeof(*inner));

	for (; good && off < end; off = opt.off + opt.len) {
		if (!read_option(b, off, end, &opt))
			return false;
		switch (opt.code) {
		case OPT_RELAY_MSG:
			good = take_span(inner, &opt, 0);
			break;
		case OPT_INTERFACE:
			good = take_span(&msg->circuit, &opt, 0);
			break;
		case OPT_REMOTE:
			good = take_span(&msg->remote, &opt, LEN_ENTERPRISE);
			break;
		case OPT_LINK_ADDR:
			good = take_link_addr(b, &opt, msg);
			break;
		}
	}
	return good && inner->len;
}

/**
 * resmon_duid_mac() - the MAC address in the client's DUID
 * @b: the frame
 * @msg: its message; one that has the client's address keeps it
 *
 * The client's own may have changed since.
 *
 * Context: Any.
 * Return: false when the DUID is not where it is said to be.
 */
bool resmon_duid_mac(const struct resmon_bytes *b, struct resmon_dhcp6 *msg)
{
	u8 room[8 + ETH_ALEN];
	const u8 *p;
	u32 at;

	if (msg->has_mac || msg->client.len < 4)
		return true;
	p = resmon_bytes_at(b, msg->client.off, 4, room);
	if (!p)
		return false;
	switch (get_unaligned_be16(p)) {
	case DUID_LLT:
		at = 8;
		break;
	case DUID_LL:
		at = 4;
		break;
	default:
		return true;
	}
	if (get_unaligned_be16(p + 2) != HTYPE_ETHERNET ||
	    msg->client.len != at + ETH_ALEN)
		return true;
	p = resmon_bytes_at(b, msg->client.off, at + ETH_ALEN, room);
	if (!p)
		return false;
	memcpy(msg->mac, p + at, ETH_ALEN);
	msg->has_mac = true;
	return true;
}

static bool is_port(u16 port)
{
	return port == RESMON_PORT_DHCP6_CLIENT ||
	       port == RESMON_PORT_DHCP6_SERVER;
}

static bool is_relay(u8 type)
{
	return type == RESMON_DHCP6_RELAY_FORW ||
	       type == RESMON_DHCP6_RELAY_REPL;
}

/* Take the relays off: where the message itself is, which has a type. */
static bool unwrap(const struct resmon_bytes *b, struct resmon_dhcp6 *msg,
		   struct resmon_span *body)
{
	const u8 *p;
	u8 room;

	for (;;) {
		p = resmon_bytes_at(b, body->off, 1, &room);
		if (!p)
			return false;
		msg->type = *p;
		if (!is_relay(msg->type))
			return true;
		if (msg->relays == RESMON_DHCP6_RELAYS ||
		    body->len < LEN_RELAY)
			return false;
		msg->relays++;
		if (!walk_relay(b, body->off + LEN_RELAY,
				body->off + body->len, msg, body))
			return false;
	}
}

/**
 * resmon_dhcp6_parse() - read a DHCPv6 message
 * @b: the frame
 * @udp: the datagram in it
 * @msg: filled in when it is one
 *
 * Messages of other types than those of enum resmon_dhcp6_type are none of the
 * login traffic, whatever relays are around them.
 *
 * Context: Any.
 * Return: What became of it.
 */
enum resmon_parse resmon_dhcp6_parse(const struct resmon_bytes *b,
				     const struct resmon_udp *udp,
				     struct resmon_dhcp6 *msg)
{
	struct resmon_span body;
	u32 word;

	if (!is_port(udp->sport) && !is_port(udp->dport))
		return RESMON_PARSE_OTHER;
	memset(msg, 0, sizeof(*msg));
	msg->udp = *udp;
	/* What a span cannot point to is no frame of a subscriber. */
	if (!udp->len || udp->len > U16_MAX || udp->off > U16_MAX - udp->len)
		return RESMON_PARSE_MALFORMED;
	body.off = udp->off;
	body.len = udp->len;
	if (!unwrap(b, msg, &body))
		return RESMON_PARSE_MALFORMED;
	if (!msg->type || msg->type > RESMON_DHCP6_INFORMATION_REQUEST)
		return RESMON_PARSE_OTHER;

	if (body.len < LEN_MESSAGE || !read_u32(b, body.off, &word))
		return RESMON_PARSE_MALFORMED;
	msg->xid = word & 0xffffff;
	if (!walk_message(b, body.off + LEN_MESSAGE, body.off + body.len,
			  msg) ||
	    !resmon_duid_mac(b, msg))
		return RESMON_PARSE_MALFORMED;
	return RESMON_PARSE_OK;
}
