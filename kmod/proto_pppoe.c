// SPDX-License-Identifier: GPL-2.0-only
/*
 * PPPoE discovery, and PPP as far as it tells of logins (H4, H6, H8).
 *
 * Lenient where daemons are, because a message that is called malformed here
 * and answered there is a login that no gate has seen: of tags that come twice
 * the last one counts, a session id where there is none is not looked at, and
 * an agent's sub-tags that make no sense are as good as none.
 */
#include "parse.h"

/* The header of both ethertypes. */
#define OFF_VERSION	0
#define OFF_CODE	1
#define OFF_SID		2
#define OFF_LENGTH	4
#define LEN_HEADER	6

#define VERSION_TYPE	0x11

#define LEN_TAG		4
#define LEN_VENDOR	4
#define LEN_SUBTAG	2
#define VENDOR_BBF	3561

enum {
	TAG_END = 0x0000,
	TAG_SERVICE = 0x0101,
	TAG_HOST_UNIQ = 0x0103,
	TAG_COOKIE = 0x0104,
	TAG_VENDOR = 0x0105,
	TAG_RELAY = 0x0110,
};

enum {
	SUBTAG_CIRCUIT = 1,
	SUBTAG_REMOTE = 2,
};

/* A control protocol: code, id, length, and data that the length counts in. */
#define LEN_CONTROL	4
#define LEN_OPTION	2

#define NCP_FIRST	0x8000
#define NCP_LAST	0xbfff

enum {
	LCP_CONF_REQ = 1,
	LCP_CONF_ACK = 2,
};

#define LCP_MRRU	17

/**
 * struct header - the PPPoE header
 * @code: code
 * @sid: session id
 * @off: where the payload begins
 * @end: where it ends, within the frame
 */
struct header {
	u8 code;
	u16 sid;
	u32 off;
	u32 end;
};

static bool take_header(const struct resmon_bytes *b, u32 off,
			struct header *h)
{
	u8 room[LEN_HEADER];
	const u8 *p;

	p = resmon_bytes_at(b, off, LEN_HEADER, room);
	if (!p || p[OFF_VERSION] != VERSION_TYPE)
		return false;
	h->code = p[OFF_CODE];
	h->sid = get_unaligned_be16(p + OFF_SID);
	h->off = off + LEN_HEADER;
	h->end = h->off + get_unaligned_be16(p + OFF_LENGTH);
	return h->end <= b->len;
}

static void take_span(struct resmon_span *span, u32 off, u32 len)
{
	span->off = off;
	span->len = len;
}

/* What an intermediate agent adds, all of it or nothing. */
static void take_vendor(const struct resmon_bytes *b, u32 off, u32 len,
			struct resmon_pppoe *msg)
{
	struct resmon_span circuit = {}, remote = {};
	u32 end = off + len;
	u8 room[LEN_VENDOR];
	const u8 *p;

	if (len < LEN_VENDOR)
		return;
	p = resmon_bytes_at(b, off, LEN_VENDOR, room);
	if (!p || get_unaligned_be32(p) != VENDOR_BBF)
		return;
	for (off += LEN_VENDOR; off < end; off += p[1]) {
		if (end - off < LEN_SUBTAG)
			return;
		p = resmon_bytes_at(b, off, LEN_SUBTAG, room);
		if (!p)
			return;
		off += LEN_SUBTAG;
		if (p[1] > end - off)
			return;
		if (p[0] == SUBTAG_CIRCUIT)
			take_span(&circuit, off, p[1]);
		else if (p[0] == SUBTAG_REMOTE)
			take_span(&remote, off, p[1]);
	}
	msg->circuit = circuit;
	msg->remote = remote;
}

static bool take_tags(const struct resmon_bytes *b, u32 off, u32 end,
		      struct resmon_pppoe *msg)
{
	while (off < end) {
		u8 room[LEN_TAG];
		const u8 *p;
		u16 tag, len;

		if (end - off < LEN_TAG)
			return false;
		p = resmon_bytes_at(b, off, LEN_TAG, room);
		if (!p)
			return false;
		tag = get_unaligned_be16(p);
		len = get_unaligned_be16(p + 2);
		if (tag == TAG_END)
			return true;
		off += LEN_TAG;
		if (len > end - off)
			return false;
		switch (tag) {
		case TAG_SERVICE:
			msg->has_service = true;
			take_span(&msg->service, off, len);
			break;
		case TAG_HOST_UNIQ:
			take_span(&msg->host_uniq, off, len);
			break;
		case TAG_COOKIE:
			take_span(&msg->cookie, off, len);
			break;
		case TAG_RELAY:
			take_span(&msg->relay, off, len);
			break;
		case TAG_VENDOR:
			take_vendor(b, off, len, msg);
			break;
		}
		off += len;
	}
	return true;
}

/**
 * resmon_pppoe_parse() - read a message of PPPoE discovery
 * @b: the frame
 * @link: its MAC header
 * @msg: filled in when it is one
 *
 * Codes other than those of enum resmon_pppoe_code are none of the login
 * traffic.
 *
 * Context: Any.
 * Return: What became of it.
 */
enum resmon_parse resmon_pppoe_parse(const struct resmon_bytes *b,
				     const struct resmon_link *link,
				     struct resmon_pppoe *msg)
{
	struct header h;

	if (link->proto != ETH_P_PPP_DISC)
		return RESMON_PARSE_OTHER;
	memset(msg, 0, sizeof(*msg));
	/* What a span cannot point to is no frame of a subscriber. */
	if (!take_header(b, link->off, &h) || h.end > U16_MAX)
		return RESMON_PARSE_MALFORMED;
	msg->code = h.code;
	switch (h.code) {
	case RESMON_PPPOE_PADI:
	case RESMON_PPPOE_PADO:
	case RESMON_PPPOE_PADR:
		break;
	case RESMON_PPPOE_PADS:
	case RESMON_PPPOE_PADT:
		msg->sid = h.sid;
		break;
	default:
		return RESMON_PARSE_OTHER;
	}
	if (!take_tags(b, h.off, h.end, msg))
		return RESMON_PARSE_MALFORMED;
	return RESMON_PARSE_OK;
}

/* Link quality reports, for one, have neither code nor length. */
static bool is_control(u16 proto)
{
	switch (proto) {
	case RESMON_PPP_LCP:
	case RESMON_PPP_PAP:
	case RESMON_PPP_CHAP:
	case RESMON_PPP_EAP:
		return true;
	}
	return proto >= NCP_FIRST && proto <= NCP_LAST;
}

static bool take_options(const struct resmon_bytes *b, u32 off, u32 end,
			 struct resmon_ppp *msg)
{
	while (off < end) {
		u8 room[LEN_OPTION];
		const u8 *p;

		if (end - off < LEN_OPTION)
			return false;
		p = resmon_bytes_at(b, off, LEN_OPTION, room);
		if (!p || p[1] < LEN_OPTION || p[1] > end - off)
			return false;
		if (p[0] == LCP_MRRU)
			msg->mrru = true;
		off += p[1];
	}
	return true;
}

static bool take_control(const struct resmon_bytes *b, u32 off, u32 end,
			 struct resmon_ppp *msg)
{
	u8 room[LEN_CONTROL];
	const u8 *p;
	u16 len;

	if (end - off < LEN_CONTROL)
		return false;
	p = resmon_bytes_at(b, off, LEN_CONTROL, room);
	if (!p)
		return false;
	msg->code = p[0];
	msg->id = p[1];
	/* The rest is padding. */
	len = get_unaligned_be16(p + 2);
	if (len < LEN_CONTROL || len > end - off)
		return false;
	if (msg->proto != RESMON_PPP_LCP ||
	    (msg->code != LCP_CONF_REQ && msg->code != LCP_CONF_ACK))
		return true;
	return take_options(b, off + LEN_CONTROL, off + len, msg);
}

/**
 * resmon_ppp_parse() - read a frame of a PPPoE session
 * @b: the frame
 * @link: its MAC header
 * @msg: filled in when it is one
 *
 * Of data nothing is read but the protocol number.
 *
 * Context: Any.
 * Return: What became of it.
 */
enum resmon_parse resmon_ppp_parse(const struct resmon_bytes *b,
				   const struct resmon_link *link,
				   struct resmon_ppp *msg)
{
	struct header h;
	const u8 *p;
	u8 room;

	if (link->proto != ETH_P_PPP_SES)
		return RESMON_PARSE_OTHER;
	memset(msg, 0, sizeof(*msg));
	if (!take_header(b, link->off, &h) || h.code || h.off == h.end)
		return RESMON_PARSE_MALFORMED;
	msg->sid = h.sid;
	p = resmon_bytes_at(b, h.off++, 1, &room);
	if (!p)
		return RESMON_PARSE_MALFORMED;
	msg->proto = *p;
	/* An odd byte is the last one of the number. */
	if (!(*p & 1)) {
		if (h.off == h.end)
			return RESMON_PARSE_MALFORMED;
		p = resmon_bytes_at(b, h.off++, 1, &room);
		if (!p)
			return RESMON_PARSE_MALFORMED;
		msg->proto = msg->proto << 8 | *p;
	}
	if (is_control(msg->proto) && !take_control(b, h.off, h.end, msg))
		return RESMON_PARSE_MALFORMED;
	return RESMON_PARSE_OK;
}
