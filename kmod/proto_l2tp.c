// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2TPv2 over UDP, as far as it tells of logins (H11, H12, H13).
 *
 * A tunnel is seen as long as one of its ends stays at port 1701; the standard
 * lets both leave it after the first message, which no daemon does.
 */
#include "parse.h"

/* Flags and version. */
#define FLAG_CONTROL	0x8000
#define FLAG_LENGTH	0x4000
#define FLAG_SEQUENCE	0x0800
#define FLAG_OFFSET	0x0200
#define VERSION(flags)	((flags) & 0xf)
#define VERSION_2	2

#define LEN_FLAGS	2

/* A control message; whatever other flags it has, it looks like this. */
#define OFF_LENGTH	2
#define OFF_TID		4
#define OFF_SID		6
#define OFF_NS		8
#define OFF_NR		10
#define LEN_CONTROL	12

/* An AVP: flags and length, vendor, attribute, and the value. */
#define LEN_AVP		6
#define AVP_HIDDEN	0x4000
#define AVP_LENGTH(w)	((w) & 0x3ff)

enum {
	AVP_TYPE = 0,
	AVP_TID = 9,
	AVP_SID = 14,
};

/* The value of an AVP of two bytes; one that is hidden cannot be read. */
static bool take_u16(const struct resmon_bytes *b, u32 off, u16 word,
		     u16 *value)
{
	u8 room[sizeof(*value)];
	const u8 *p;

	if ((word & AVP_HIDDEN) || AVP_LENGTH(word) != LEN_AVP + sizeof(*value))
		return false;
	p = resmon_bytes_at(b, off + LEN_AVP, sizeof(*value), room);
	if (!p)
		return false;
	*value = get_unaligned_be16(p);
	return true;
}

/* The type comes first; of AVPs that come twice the last one counts. */
static bool take_avps(const struct resmon_bytes *b, u32 off, u32 end,
		      struct resmon_l2tp *msg)
{
	bool first = true, good = true;

	for (; off < end; first = false) {
		u16 word, vendor, attribute, len;
		u8 room[LEN_AVP];
		const u8 *p;

		if (end - off < LEN_AVP)
			return false;
		p = resmon_bytes_at(b, off, LEN_AVP, room);
		if (!p)
			return false;
		word = get_unaligned_be16(p);
		vendor = get_unaligned_be16(p + 2);
		attribute = get_unaligned_be16(p + 4);
		len = AVP_LENGTH(word);
		if (len < LEN_AVP || len > end - off)
			return false;
		if (first && (vendor || attribute != AVP_TYPE))
			return false;
		if (first)
			good = take_u16(b, off, word, &msg->type);
		else if (!vendor && attribute == AVP_TID)
			good = take_u16(b, off, word, &msg->assigned_tid);
		else if (!vendor && attribute == AVP_SID)
			good = take_u16(b, off, word, &msg->assigned_sid);
		if (!good)
			return false;
		off += len;
	}
	/* A type that is ours for a message that has none. */
	return msg->type != RESMON_L2TP_ZLB;
}

/* What a peer cannot go on without. */
static bool has_ids(const struct resmon_l2tp *msg)
{
	switch (msg->type) {
	case RESMON_L2TP_SCCRQ:
	case RESMON_L2TP_SCCRP:
		return msg->assigned_tid;
	case RESMON_L2TP_ICRQ:
	case RESMON_L2TP_ICRP:
		return msg->assigned_sid;
	}
	return true;
}

static bool parse_control(const struct resmon_bytes *b, u32 off, u32 len,
			  u16 flags, struct resmon_l2tp *msg)
{
	u8 room[LEN_CONTROL];
	const u8 *p;
	u16 length;

	if (!(flags & FLAG_LENGTH) || !(flags & FLAG_SEQUENCE) ||
	    len < LEN_CONTROL)
		return false;
	p = resmon_bytes_at(b, off, LEN_CONTROL, room);
	if (!p)
		return false;
	length = get_unaligned_be16(p + OFF_LENGTH);
	if (length < LEN_CONTROL || length > len)
		return false;
	msg->control = true;
	msg->tid = get_unaligned_be16(p + OFF_TID);
	msg->sid = get_unaligned_be16(p + OFF_SID);
	msg->ns = get_unaligned_be16(p + OFF_NS);
	msg->nr = get_unaligned_be16(p + OFF_NR);
	msg->type = RESMON_L2TP_ZLB;
	if (length == LEN_CONTROL)
		return true;
	return take_avps(b, off + LEN_CONTROL, off + length, msg) &&
	       has_ids(msg);
}

/* The header has optional parts, all of which must fit. */
static bool parse_data(const struct resmon_bytes *b, u32 off, u32 len,
		       u16 flags, struct resmon_l2tp *msg)
{
	u32 at = LEN_FLAGS;
	const u8 *p;
	u8 room[4];

	if (flags & FLAG_LENGTH) {
		u16 length;

		if (len < at + 2)
			return false;
		p = resmon_bytes_at(b, off + at, 2, room);
		if (!p)
			return false;
		length = get_unaligned_be16(p);
		if (length > len)
			return false;
		len = length;
		at += 2;
	}
	if (len < at + 4)
		return false;
	p = resmon_bytes_at(b, off + at, 4, room);
	if (!p)
		return false;
	msg->tid = get_unaligned_be16(p);
	msg->sid = get_unaligned_be16(p + 2);
	at += 4;
	if (flags & FLAG_SEQUENCE)
		at += 4;
	if (flags & FLAG_OFFSET) {
		if (len < at + 2)
			return false;
		p = resmon_bytes_at(b, off + at, 2, room);
		if (!p)
			return false;
		at += 2 + get_unaligned_be16(p);
	}
	return at <= len;
}

/**
 * resmon_l2tp_parse() - read an L2TPv2 message
 * @b: the frame
 * @udp: the datagram in it
 * @msg: filled in when it is one
 *
 * Other versions are none of the login traffic. Types that are not in enum
 * resmon_l2tp_type are told as they are.
 *
 * Context: Any.
 * Return: What became of it. RESMON_PARSE_MALFORMED too when an id that must
 *	be known is hidden or not there.
 */
enum resmon_parse resmon_l2tp_parse(const struct resmon_bytes *b,
				    const struct resmon_udp *udp,
				    struct resmon_l2tp *msg)
{
	u8 room[LEN_FLAGS];
	const u8 *p;
	u16 flags;
	bool good;

	if (udp->sport != RESMON_PORT_L2TP && udp->dport != RESMON_PORT_L2TP)
		return RESMON_PARSE_OTHER;
	memset(msg, 0, sizeof(*msg));
	msg->udp = *udp;
	if (udp->len < LEN_FLAGS)
		return RESMON_PARSE_MALFORMED;
	p = resmon_bytes_at(b, udp->off, LEN_FLAGS, room);
	if (!p)
		return RESMON_PARSE_MALFORMED;
	flags = get_unaligned_be16(p);
	if (VERSION(flags) != VERSION_2)
		return RESMON_PARSE_OTHER;
	if (flags & FLAG_CONTROL)
		good = parse_control(b, udp->off, udp->len, flags, msg);
	else
		good = parse_data(b, udp->off, udp->len, flags, msg);
	return good ? RESMON_PARSE_OK : RESMON_PARSE_MALFORMED;
}
