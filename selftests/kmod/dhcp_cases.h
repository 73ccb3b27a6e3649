/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DHCP messages made by hand, and what they are to be read as: for KUnit and
 * for user space. Every one is a whole Ethernet frame when it is read.
 */
#ifndef RESMON_DHCP_CASES_H
#define RESMON_DHCP_CASES_H

#include "parse.h"

/* A text with zeroes in it, and its length. */
struct bytes {
	const char *s;
	u16 len;
};

#define B(text)		{ text, sizeof(text) - 1 }

/**
 * struct frame - a frame that grows
 * @len: bytes so far
 * @ip: where the IP header begins
 * @ip6: it is one of IPv6
 * @data: they
 */
struct frame {
	u32 len;
	u32 ip;
	bool ip6;
	u8 data[8192];
};

static inline void put(struct frame *f, const void *data, u32 len)
{
	if (!len || len > sizeof(f->data) - f->len)
		return;
	memcpy(f->data + f->len, data, len);
	f->len += len;
}

static inline void put_zero(struct frame *f, u32 len)
{
	static const u8 zero[256];

	for (; len > sizeof(zero); len -= sizeof(zero))
		put(f, zero, sizeof(zero));
	put(f, zero, len);
}

static inline void put_u8(struct frame *f, u8 value)
{
	put(f, &value, sizeof(value));
}

static inline void put_u16(struct frame *f, u16 value)
{
	put_u8(f, value >> 8);
	put_u8(f, value);
}

static inline void put_u32(struct frame *f, u32 value)
{
	put_u16(f, value >> 16);
	put_u16(f, value);
}

static inline void set_u16(struct frame *f, u32 off, u16 value)
{
	f->data[off] = value >> 8;
	f->data[off + 1] = value;
}

/* Two VLAN tags, IP and UDP. */
static inline void frame_begin(struct frame *f, bool ip6, u16 sport, u16 dport)
{
	f->len = 0;
	f->ip6 = ip6;
	put(f, "\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x09", 12);
	put(f, "\x88\xa8\x00\x64\x81\x00\x00\xc8", 8);
	put_u16(f, ip6 ? ETH_P_IPV6 : ETH_P_IP);
	f->ip = f->len;
	if (ip6) {
		put(f, "\x60\x00\x00\x00\x00\x00\x11\x40", 8);
		put(f, "\xfe\x80\x00\x00\x00\x00\x00\x00", 8);
		put(f, "\x00\x00\x00\xff\xfe\x00\x00\x09", 8);
		put(f, "\xff\x02\x00\x00\x00\x00\x00\x00", 8);
		put(f, "\x00\x00\x00\x00\x00\x01\x00\x02", 8);
	} else {
		put(f, "\x45\x00\x00\x00\x00\x00\x00\x00\x40\x11", 10);
		put(f, "\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff", 10);
	}
	put_u16(f, sport);
	put_u16(f, dport);
	put_u32(f, 0);
}

/* The lengths of all that is around the message. */
static inline void frame_end(struct frame *f)
{
	u32 header = f->ip6 ? 40 : 20;
	u32 len = f->len - f->ip;

	set_u16(f, f->ip + (f->ip6 ? 4 : 2), f->ip6 ? len - header : len);
	set_u16(f, f->ip + header + 4, len - header);
}

/* Bytes behind the packet, of which no header tells. */
static inline void frame_pad(struct frame *f)
{
	put_zero(f, 46);
}

static inline bool span_is(const struct resmon_bytes *b,
			   const struct resmon_span *span, const struct bytes *want)
{
	u8 room[256];
	const void *p;

	if (span->len != want->len || span->len > sizeof(room))
		return false;
	if (!span->len)
		return true;
	p = resmon_bytes_at(b, span->off, span->len, room);
	return p && !memcmp(p, want->s, want->len);
}

/* ---- DHCPv4 ---- */

#define ADDR_SERVER	0x0a000001
#define ADDR_OWN	0x0a000063

/* Options, each with its length. */
#define DISCOVER	"\x35\x01\x01"
#define OFFER		"\x35\x01\x02"
#define REQUEST		"\x35\x01\x03"
#define DECLINE		"\x35\x01\x04"
#define ACK		"\x35\x01\x05"
#define NAK		"\x35\x01\x06"
#define RELEASE		"\x35\x01\x07"
#define INFORM		"\x35\x01\x08"
#define REQUESTED	"\x32\x04\x0a\x00\x00\x63"
#define SERVER		"\x36\x04\x0a\x00\x00\x01"
#define HOUR		"\x33\x04\x00\x00\x0e\x10"
#define FOR_EVER	"\x33\x04\xff\xff\xff\xff"
#define CLIENT		"\x3d\x07\x01\x02\x00\x00\x00\x00\x01"
#define AGENT		"\x52\x09\x01\x03p/1\x02\x02r1"
#define IN_FILE		"\x34\x01\x01"
#define IN_SNAME	"\x34\x01\x02"
#define IN_BOTH		"\x34\x01\x03"
#define END		"\xff"

#define REPLY		BIT(0)	/* sent by the server */
#define NO_COOKIE	BIT(1)
#define NO_MAC		BIT(2)	/* chaddr is not to be told */
#define HAS_REQUESTED	BIT(3)
#define HAS_SERVER	BIT(4)
#define HAS_LEASE	BIT(5)
#define OTHER_PORT	BIT(6)

/**
 * struct dhcp4_case - a message and what it is
 * @name: what is tried
 * @options: after the cookie
 * @file: what is in the field of that name
 * @sname: what is in the field of that name
 * @cut: length of the whole message, when it ends early
 * @op: when it is not that of the direction
 * @htype: when it is not Ethernet's
 * @hlen: when it is not Ethernet's
 * @ciaddr: address in use
 * @yiaddr: address given
 * @giaddr: address of the relay
 * @flags: REPLY and the like
 * @want: how it is to be taken
 * @type: its type
 * @lease: its lease
 * @client: its client id
 * @circuit: its circuit id
 * @remote: its remote id
 * @request: which REQUEST it is
 */
struct dhcp4_case {
	const char *name;
	struct bytes options;
	struct bytes file;
	struct bytes sname;
	u16 cut;
	u8 op;
	u8 htype;
	u8 hlen;
	u32 ciaddr;
	u32 yiaddr;
	u32 giaddr;
	u32 flags;
	enum resmon_parse want;
	u8 type;
	u32 lease;
	struct bytes client;
	struct bytes circuit;
	struct bytes remote;
	enum resmon_dhcp4_request request;
};

#define GOOD	.want = RESMON_PARSE_OK
#define OTHER	.want = RESMON_PARSE_OTHER
#define BAD	.want = RESMON_PARSE_MALFORMED

static const struct dhcp4_case dhcp4_cases[] = {
	/* Every type, as clients and servers send them. */
	{ "discover", B(DISCOVER CLIENT END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER,
	  .client = B("\x01\x02\x00\x00\x00\x00\x01") },
	{ "discover with a hint", B(DISCOVER REQUESTED END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER, .flags = HAS_REQUESTED },
	{ "offer", B(OFFER SERVER HOUR END), GOOD, .yiaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_OFFER, .flags = REPLY | HAS_SERVER | HAS_LEASE,
	  .lease = 3600 },
	{ "selecting", B(REQUEST REQUESTED SERVER END), GOOD,
	  .type = RESMON_DHCP4_REQUEST, .flags = HAS_REQUESTED | HAS_SERVER,
	  .request = RESMON_DHCP4_SELECTING },
	{ "init-reboot", B(REQUEST REQUESTED END), GOOD,
	  .type = RESMON_DHCP4_REQUEST, .flags = HAS_REQUESTED,
	  .request = RESMON_DHCP4_INIT_REBOOT },
	{ "renewing", B(REQUEST END), GOOD, .ciaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_REQUEST, .request = RESMON_DHCP4_RENEWING },
	{ "renewing, all told", B(REQUEST REQUESTED SERVER END), GOOD,
	  .ciaddr = ADDR_OWN, .type = RESMON_DHCP4_REQUEST,
	  .flags = HAS_REQUESTED | HAS_SERVER,
	  .request = RESMON_DHCP4_RENEWING },
	{ "request that says nothing", B(REQUEST END), GOOD,
	  .type = RESMON_DHCP4_REQUEST, .request = RESMON_DHCP4_SELECTING },
	{ "request of a server alone", B(REQUEST SERVER END), GOOD,
	  .type = RESMON_DHCP4_REQUEST, .flags = HAS_SERVER,
	  .request = RESMON_DHCP4_SELECTING },
	{ "decline", B(DECLINE REQUESTED SERVER END), GOOD,
	  .type = RESMON_DHCP4_DECLINE, .flags = HAS_REQUESTED | HAS_SERVER },
	{ "ack", B(ACK SERVER HOUR END), GOOD, .yiaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_ACK, .flags = REPLY | HAS_SERVER | HAS_LEASE,
	  .lease = 3600 },
	{ "ack for ever", B(ACK SERVER FOR_EVER END), GOOD, .yiaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_ACK, .flags = REPLY | HAS_SERVER | HAS_LEASE,
	  .lease = U32_MAX },
	{ "ack of no time", B(ACK SERVER "\x33\x04\x00\x00\x00\x00" END), GOOD,
	  .type = RESMON_DHCP4_ACK, .flags = REPLY | HAS_SERVER | HAS_LEASE },
	{ "ack of an inform", B(ACK SERVER END), GOOD, .ciaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_ACK, .flags = REPLY | HAS_SERVER },
	{ "nak", B(NAK SERVER END), GOOD, .type = RESMON_DHCP4_NAK,
	  .flags = REPLY | HAS_SERVER },
	{ "release", B(RELEASE SERVER END), GOOD, .ciaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_RELEASE, .flags = HAS_SERVER },
	{ "inform", B(INFORM END), GOOD, .ciaddr = ADDR_OWN,
	  .type = RESMON_DHCP4_INFORM },
	{ "relayed", B(DISCOVER AGENT END), GOOD, .giaddr = ADDR_SERVER,
	  .type = RESMON_DHCP4_DISCOVER, .circuit = B("p/1"),
	  .remote = B("r1") },

	/* None of the login traffic. */
	{ "bootp", B(END), OTHER },
	{ "bootp without a cookie", B(DISCOVER END), OTHER,
	  .flags = NO_COOKIE },
	{ "forcerenew", B("\x35\x01\x09" END), OTHER, .flags = REPLY },
	{ "leasequery", B("\x35\x01\x0a" END), OTHER },
	{ "another port", B(DISCOVER END), OTHER, .flags = OTHER_PORT },

	/* The fixed part. */
	{ "ends before the cookie", B(""), BAD, .cut = 236 },
	{ "ends in the cookie", B(""), BAD, .cut = 239 },
	{ "one byte", B(""), BAD, .cut = 1 },
	{ "no options at all", B(""), OTHER, .cut = 240 },
	{ "op 3", B(DISCOVER END), BAD, .op = 3 },
	{ "hlen 17", B(DISCOVER END), BAD, .hlen = 17 },
	{ "hlen 16", B(DISCOVER END), GOOD, .hlen = 16, .flags = NO_MAC,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "infiniband", B(DISCOVER END), GOOD, .htype = 32,
	  .flags = NO_MAC, .type = RESMON_DHCP4_DISCOVER },
	{ "offer of a client", B(OFFER END), BAD, .op = 1 },
	{ "nak of a client", B(NAK END), BAD, .op = 1 },
	{ "discover of a server", B(DISCOVER END), BAD, .flags = REPLY },
	{ "release of a server", B(RELEASE END), BAD, .flags = REPLY },

	/* Lengths. */
	{ "pads around", B("\0\0\0" DISCOVER "\0\0" REQUESTED "\0" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER, .flags = HAS_REQUESTED },
	{ "no end", B(DISCOVER), GOOD, .type = RESMON_DHCP4_DISCOVER },
	{ "nothing counts after the end", B(DISCOVER END "\x33\x09\x00"), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "option without a length", B(DISCOVER "\x33"), BAD },
	{ "unknown option without a length", B(DISCOVER "\xe0"), BAD },
	{ "option without its value", B(DISCOVER "\x33\x04"), BAD },
	{ "option cut short", B(DISCOVER "\x33\x04\x00\x00\x0e"), BAD },
	{ "unknown option cut short", B(DISCOVER "\xe0\xff\x00"), BAD },
	{ "unknown option of no length", B(DISCOVER "\xe0\x00" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "type of no length", B("\x35\x00" END), BAD },
	{ "type of two bytes", B("\x35\x02\x01\x01" END), BAD },
	{ "type 0", B("\x35\x01\x00" END), BAD },
	{ "lease of three bytes", B(DISCOVER "\x33\x03\x00\x00\x0e" END), BAD },
	{ "lease of five bytes", B(DISCOVER "\x33\x05\0\0\0\x0e\x10" END), BAD },
	{ "server of no length", B(REQUEST "\x36\x00" END), BAD },
	{ "address of 16 bytes", B(REQUEST "\x32\x10ghijklmnopqrstuv" END),
	  BAD },

	/* An option twice. */
	{ "type twice", B(DISCOVER DISCOVER END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "two types", B(DISCOVER RELEASE END), BAD },
	{ "server twice", B(REQUEST SERVER SERVER END), GOOD,
	  .type = RESMON_DHCP4_REQUEST, .flags = HAS_SERVER },
	{ "two servers", B(REQUEST SERVER "\x36\x04\x0a\x00\x00\x02" END),
	  BAD },
	{ "two leases", B(REQUEST HOUR FOR_EVER END), BAD },
	{ "two client ids", B(DISCOVER CLIENT CLIENT END), BAD },
	{ "empty client id", B(DISCOVER "\x3d\x00" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },

	/* Option 82. */
	{ "agent of no length", B(DISCOVER "\x52\x00" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "sub-option without a length", B(DISCOVER "\x52\x01\x01" END), BAD },
	{ "sub-option beyond its option",
	  B(DISCOVER "\x52\x04\x01\x03st" END), BAD },
	{ "other sub-options",
	  B(DISCOVER "\x52\x09\x05\x04\x0a\x00\x00\x01\x01\x01u" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER, .circuit = B("u") },
	{ "the first circuit counts",
	  B(DISCOVER "\x52\x06\x01\x01s\x01\x01t" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER, .circuit = B("s") },
	{ "agent in two options",
	  B(DISCOVER "\x52\x03\x01\x01s\x52\x03\x02\x01t" END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER, .circuit = B("s"),
	  .remote = B("t") },
	{ "sub-option across two options",
	  B(DISCOVER "\x52\x03\x01\x02s\x52\x01t" END), BAD },

	/* Option 52. */
	{ "type in file", B(IN_FILE END), .file = B(DISCOVER END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "type in sname", B(IN_SNAME END), .sname = B(DISCOVER END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "options in both", B(IN_BOTH REQUEST END), .file = B(SERVER END),
	  .sname = B(REQUESTED END), GOOD, .type = RESMON_DHCP4_REQUEST,
	  .flags = HAS_SERVER | HAS_REQUESTED },
	{ "file is not asked for", B(IN_SNAME DISCOVER END),
	  .file = B(SERVER END), GOOD, .type = RESMON_DHCP4_DISCOVER },
	{ "a boot file is no option", B(DISCOVER END), .file = B("\x35\xff"),
	  GOOD, .type = RESMON_DHCP4_DISCOVER },
	{ "file points at itself", B(IN_FILE END),
	  .file = B(IN_FILE DISCOVER END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "file points at sname", B(IN_FILE DISCOVER END),
	  .file = B(IN_SNAME END), .sname = B(SERVER END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "sname and file point at each other", B(IN_BOTH DISCOVER END),
	  .file = B(IN_SNAME END), .sname = B(IN_FILE END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "sname ends where file begins", B(IN_SNAME DISCOVER END),
	  .sname = B("\xe0\x3e"), GOOD, .type = RESMON_DHCP4_DISCOVER },
	{ "sname reaches into file", B(IN_SNAME DISCOVER END),
	  .sname = B("\xe0\x3f"), BAD },
	{ "file reaches into the cookie", B(IN_FILE DISCOVER END),
	  .file = B("\xe0\x7f"), BAD },
	{ "options contradict file", B(IN_FILE DISCOVER END),
	  .file = B(RELEASE END), BAD },
	{ "overload twice", B(IN_FILE IN_FILE DISCOVER END), GOOD,
	  .type = RESMON_DHCP4_DISCOVER },
	{ "two overloads", B(IN_FILE IN_SNAME DISCOVER END), BAD },
	{ "overload 0", B("\x34\x01\x00" DISCOVER END), BAD },
	{ "overload 4", B("\x34\x01\x04" DISCOVER END), BAD },
	{ "overload of two bytes", B("\x34\x02\x01\x01" DISCOVER END), BAD },
};

static inline void dhcp4_frame(const struct dhcp4_case *c, struct frame *f)
{
	bool reply = c->flags & REPLY;
	u32 start;

	if (c->flags & OTHER_PORT)
		frame_begin(f, false, 53, 53);
	else
		frame_begin(f, false, reply ? 67 : 68, reply ? 68 : 67);
	start = f->len;
	put_u8(f, c->op ?: reply ? 2 : 1);
	put_u8(f, c->htype ?: 1);
	put_u8(f, c->hlen ?: ETH_ALEN);
	put_u8(f, c->giaddr ? 1 : 0);
	put_u32(f, 0x12345678);
	put_u32(f, 0x00058000);
	put_u32(f, c->ciaddr);
	put_u32(f, c->yiaddr);
	put_u32(f, 0);
	put_u32(f, c->giaddr);
	put(f, "\x02\x00\x00\x00\x00\x01", ETH_ALEN);
	put_zero(f, 10);
	put(f, c->sname.s, c->sname.len);
	put_zero(f, 64 - c->sname.len);
	put(f, c->file.s, c->file.len);
	put_zero(f, 128 - c->file.len);
	put_u32(f, c->flags & NO_COOKIE ? 0 : 0x63825363);
	put(f, c->options.s, c->options.len);
	if (c->cut)
		f->len = start + c->cut;
	frame_end(f);
}

static inline enum resmon_parse dhcp4_read(const struct resmon_bytes *b,
					   struct resmon_dhcp4 *msg)
{
	struct resmon_link link;
	struct resmon_udp udp;
	enum resmon_parse got;

	if (!resmon_link_parse(b, RESMON_NO_TAG, &link))
		return RESMON_PARSE_MALFORMED;
	got = resmon_udp_parse(b, &link, &udp);
	if (got != RESMON_PARSE_OK)
		return got;
	return resmon_dhcp4_parse(b, &udp, msg);
}

/* What is not as it should be, or NULL. */
static inline const char *dhcp4_wrong(const struct dhcp4_case *c,
				      const struct resmon_bytes *b)
{
	static const u8 mac[] = { 2, 0, 0, 0, 0, 1 }, no_mac[ETH_ALEN];
	struct resmon_dhcp4 msg;

	if (dhcp4_read(b, &msg) != c->want)
		return "result";
	if (c->want != RESMON_PARSE_OK)
		return NULL;
	if (msg.udp.dport != (c->flags & REPLY ? 68 : 67) ||
	    msg.reply != !!(c->flags & REPLY))
		return "direction";
	if (msg.type != c->type)
		return "type";
	if (msg.xid != 0x12345678 || msg.hops != !!c->giaddr)
		return "header";
	if (ntohl(msg.ciaddr) != c->ciaddr || ntohl(msg.yiaddr) != c->yiaddr ||
	    ntohl(msg.giaddr) != c->giaddr)
		return "addresses";
	if (memcmp(msg.chaddr, c->flags & NO_MAC ? no_mac : mac, ETH_ALEN))
		return "chaddr";
	if (ntohl(msg.requested) !=
	    (c->flags & HAS_REQUESTED ? ADDR_OWN : 0))
		return "requested";
	if (ntohl(msg.server) != (c->flags & HAS_SERVER ? ADDR_SERVER : 0))
		return "server";
	if (msg.has_lease != !!(c->flags & HAS_LEASE) || msg.lease != c->lease)
		return "lease";
	if (!span_is(b, &msg.client, &c->client))
		return "client";
	if (!span_is(b, &msg.circuit, &c->circuit))
		return "circuit";
	if (!span_is(b, &msg.remote, &c->remote))
		return "remote";
	if (msg.type == RESMON_DHCP4_REQUEST &&
	    resmon_dhcp4_request_of(&msg) != c->request)
		return "request";
	return NULL;
}

/* ---- DHCPv6 ---- */

#define DUID_EN		"\x00\x02\x00\x00\x0d\xe9id"
#define DUID_LL		"\x00\x03\x00\x01\x02\x00\x00\x00\x00\x01"
#define DUID_LLT	"\x00\x01\x00\x01\x12\x34\x56\x78" \
			"\x02\x00\x00\x00\x00\x01"
#define DUID_LL_SHORT	"\x00\x03\x00\x01\x02\x00\x00\x00\x00"
#define DUID_LL_IEEE	"\x00\x03\x00\x06\x02\x00\x00\x00\x00\x01"
#define DUID_16		"ghijklmnopqrstuv"
#define DUID_64		"ghijklmnopqrstuvghijklmnopqrstuv" \
			"ghijklmnopqrstuvghijklmnopqrstuv"

#define CLIENT_EN	"\x00\x01\x00\x08" DUID_EN
#define CLIENT_LL	"\x00\x01\x00\x0a" DUID_LL
#define CLIENT_LLT	"\x00\x01\x00\x0e" DUID_LLT
#define SERVER_EN	"\x00\x02\x00\x08" DUID_EN
#define RAPID		"\x00\x0e\x00\x00"
#define STATUS(n)	"\x00\x0d\x00\x02\x00" n

#define T1T2		"\0\0\0\0\0\0\0\0"
#define ADDR		"\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01"
#define LIFE_HOUR	"\x00\x00\x0e\x10"
#define LIFE_2		"\x00\x00\x00\x02"
#define LIFE_0		"\x00\x00\x00\x00"
#define LIFE_EVER	"\xff\xff\xff\xff"
/* An address of 28 bytes and a prefix of 29, with nothing in them. */
#define IAADDR(life)	"\x00\x05\x00\x18" ADDR LIFE_2 life
#define IAPREFIX(life)	"\x00\x1a\x00\x19" LIFE_2 life "\x38" ADDR

/* IAs, by the low byte of the length of the whole option. */
#define IA_NA(len)	"\x00\x03\x00" len "\x00\x00\x00\x01" T1T2
#define IA_TA(len)	"\x00\x04\x00" len "\x00\x00\x00\x02"
#define IA_PD(len)	"\x00\x19\x00" len "\x00\x00\x00\x03" T1T2

/* What a relay tells. */
#define CIRCUIT		"\x00\x12\x00\x03p/1"
#define REMOTE		"\x00\x25\x00\x06\x00\x00\x0d\xe9r1"
#define LINK_ADDR	"\x00\x4f\x00\x08\x00\x01\x02\x00\x00\x00\x00\x07"
#define OUTER_OPTIONS	"\x00\x12\x00\x05outer" \
			"\x00\x25\x00\x05\x00\x00\x0d\xe9o" \
			"\x00\x4f\x00\x08\x00\x01\x02\xff\xff\xff\xff\xff"

#define HAS_RAPID	BIT(0)
#define HAS_MAC		BIT(1)	/* 02:00:00:00:00:01, of the DUID */
#define HAS_LINK_ADDR	BIT(2)	/* 02:00:00:00:00:07, of the relay */
#define SERVER_DUID	BIT(3)
#define NO_INNER	BIT(4)	/* the innermost relay has no message */
#define TWO_INNER	BIT(5)	/* it has two */
#define LONG_INNER	BIT(6)	/* it is said to be longer than it is */
#define WRONG_PORT	BIT(7)

/**
 * struct dhcp6_case - a message and what it is
 * @name: what is tried
 * @type: its type; 0 for @raw
 * @options: after its transaction
 * @raw: the message itself, when it has no type
 * @ias: empty IA_NAs behind @options
 * @relays: relays around it
 * @relay: options of the innermost relay
 * @flags: HAS_RAPID and the like
 * @want: how it is to be taken
 * @status: its status code
 * @client: the client's DUID
 * @circuit: its interface id
 * @remote: its remote id
 * @n_ia: its associations, those of @ias not counted
 * @valid: their lifetimes
 * @failed: those of them that failed, bit by bit
 */
struct dhcp6_case {
	const char *name;
	u8 type;
	struct bytes options;
	struct bytes raw;
	u8 ias;
	u8 relays;
	struct bytes relay;
	u32 flags;
	enum resmon_parse want;
	u16 status;
	struct bytes client;
	struct bytes circuit;
	struct bytes remote;
	u8 n_ia;
	u32 valid[3];
	u32 failed;
};

static const struct dhcp6_case dhcp6_cases[] = {
	/* Every type. */
	{ "solicit", 1, B(CLIENT_LL IA_NA("\x0c")), GOOD, .n_ia = 1,
	  .client = B(DUID_LL), .flags = HAS_MAC },
	{ "solicit, rapid commit", 1, B(CLIENT_LLT RAPID IA_NA("\x0c")), GOOD,
	  .n_ia = 1, .client = B(DUID_LLT), .flags = HAS_MAC | HAS_RAPID },
	{ "advertise", 2, B(CLIENT_EN SERVER_EN IA_NA("\x28")
			    IAADDR(LIFE_HOUR)), GOOD, .n_ia = 1,
	  .valid = { 3600 }, .client = B(DUID_EN), .flags = SERVER_DUID },
	{ "request", 3, B(CLIENT_EN SERVER_EN IA_PD("\x29")
			  IAPREFIX(LIFE_0)), GOOD, .n_ia = 1,
	  .client = B(DUID_EN), .flags = SERVER_DUID },
	{ "confirm", 4, B(CLIENT_EN), GOOD, .client = B(DUID_EN) },
	{ "renew", 5, B(CLIENT_EN SERVER_EN), GOOD, .client = B(DUID_EN),
	  .flags = SERVER_DUID },
	{ "rebind", 6, B(CLIENT_EN), GOOD, .client = B(DUID_EN) },
	{ "reply with three", 7, B(IA_NA("\x28") IAADDR(LIFE_HOUR)
				   IA_TA("\x20") IAADDR(LIFE_2)
				   IA_PD("\x29") IAPREFIX(LIFE_EVER)), GOOD,
	  .n_ia = 3, .valid = { 3600, 2, U32_MAX } },
	{ "release", 8, B(CLIENT_EN SERVER_EN), GOOD, .client = B(DUID_EN),
	  .flags = SERVER_DUID },
	{ "decline", 9, B(CLIENT_EN SERVER_EN), GOOD, .client = B(DUID_EN),
	  .flags = SERVER_DUID },
	{ "reconfigure", 10, B(CLIENT_EN SERVER_EN), GOOD,
	  .client = B(DUID_EN), .flags = SERVER_DUID },
	{ "information-request", 11, B(""), GOOD },

	/* None of the login traffic. */
	{ "leasequery", 14, B(CLIENT_EN), OTHER },
	{ "relayed leasequery", 14, B(CLIENT_EN), OTHER, .relays = 1 },
	{ "an unknown type", 255, B("\xff"), OTHER },
	{ "type 0", 0, B(""), OTHER, .raw = B("\0\0\0\0") },
	{ "another port", 1, B(CLIENT_EN), OTHER, .flags = WRONG_PORT },

	/* The fixed part. */
	{ "nothing", 0, B(""), BAD },
	{ "a type alone", 0, B(""), BAD, .raw = B("\x01") },
	{ "half a transaction", 0, B(""), BAD, .raw = B("\x01\x02\x03") },
	{ "a relay cut short", 0, B(""), BAD, .raw = B("\x0c\x00" DUID_16) },

	/* Lengths. */
	{ "half an option", 1, B(CLIENT_EN "\x00\x0e\x00"), BAD },
	{ "option without its value", 1, B("\x00\x01\x00\x0a"), BAD },
	{ "option cut short", 1, B("\x00\x01\x00\x0avwxyz"), BAD },
	{ "unknown option cut short", 1, B("\xff\xff\xff\xffvwxyz"), BAD },
	{ "unknown option", 1, B("\xff\xff\x00\x05vwxyz"), GOOD },
	{ "rapid commit with a value", 1, B("\x00\x0e\x00\x01\x00"), BAD },

	/* DUIDs. */
	{ "duid of no length", 1, B("\x00\x01\x00\x00"), BAD },
	{ "duid of one byte", 1, B("\x00\x01\x00\x01x"), GOOD,
	  .client = B("x") },
	{ "duid of 130 bytes", 1, B("\x00\x01\x00\x82\0\x02" DUID_64 DUID_64),
	  GOOD, .client = B("\0\x02" DUID_64 DUID_64) },
	{ "duid of 131 bytes", 1, B("\x00\x01\x00\x83\0\x02x" DUID_64 DUID_64),
	  BAD },
	{ "duid-ll of 5 bytes", 1, B("\x00\x01\x00\x09" DUID_LL_SHORT), GOOD,
	  .client = B(DUID_LL_SHORT) },
	{ "duid-ll, not ethernet", 1, B("\x00\x01\x00\x0a" DUID_LL_IEEE), GOOD,
	  .client = B(DUID_LL_IEEE) },
	{ "two clients", 1, B(CLIENT_LL CLIENT_EN), BAD },
	{ "two servers", 3, B(SERVER_EN SERVER_EN), BAD },
	{ "server duid too long", 2, B("\x00\x02\x00\x83\0\x02x" DUID_64 DUID_64),
	  BAD },

	/* Associations. */
	{ "two of a type", 7, B(IA_NA("\x28") IAADDR(LIFE_2)
				IA_NA("\x28") IAADDR(LIFE_HOUR)), GOOD,
	  .n_ia = 2, .valid = { 2, 3600 } },
	{ "the longest lifetime", 7, B(IA_NA("\x60") IAADDR(LIFE_2)
				       IAADDR(LIFE_HOUR) IAADDR(LIFE_0)), GOOD,
	  .n_ia = 1, .valid = { 3600 } },
	{ "for ever is the longest", 7, B(IA_NA("\x44") IAADDR(LIFE_EVER)
					  IAADDR(LIFE_HOUR)), GOOD,
	  .n_ia = 1, .valid = { U32_MAX } },
	{ "zero lifetime", 7, B(IA_NA("\x28") IAADDR(LIFE_0)), GOOD,
	  .n_ia = 1 },
	{ "16 of them", 1, B(""), GOOD, .ias = 16 },
	{ "17 of them", 1, B(""), BAD, .ias = 17 },
	{ "no room for T2", 1, B("\x00\x03\x00\x08\0\0\0\x01\0\0\0\0"), BAD },
	{ "no room for the id", 1, B("\x00\x04\x00\x03\0\0\0"), BAD },
	{ "address beyond its association", 7, B(IA_NA("\x27")
						 IAADDR(LIFE_HOUR)), BAD },
	{ "address too short", 7, B(IA_TA("\x0b") "\x00\x05\x00\x03xyz"),
	  BAD },
	{ "prefix too short", 7, B(IA_PD("\x28") "\x00\x1a\x00\x18" LIFE_2
				   LIFE_2 "\x38ghijklmnopqrstu"), BAD },
	{ "prefix of 129 bits", 7, B(IA_PD("\x29") "\x00\x1a\x00\x19" LIFE_2
				     LIFE_2 "\x81" ADDR), BAD },
	{ "half an option in an association", 7, B(IA_NA("\x0e") "\x00\x05"),
	  BAD },
	{ "a prefix is no address", 7, B(IA_NA("\x29") IAPREFIX(LIFE_HOUR)),
	  GOOD, .n_ia = 1 },

	/* Status codes. */
	{ "no addresses", 2, B(STATUS("\x02")), GOOD, .status = 2 },
	{ "success", 7, B(STATUS("\x00")), GOOD },
	{ "status of one byte", 7, B("\x00\x0d\x00\x01\x00"), BAD },
	{ "status with a text", 7, B("\x00\x0d\x00\x05\x00\x01no!"), GOOD,
	  .status = 1 },
	{ "the failure stays", 7, B(STATUS("\x05") STATUS("\x00")), GOOD,
	  .status = 5 },
	{ "one failed", 7, B(IA_NA("\x12") STATUS("\x02")
			     IA_PD("\x29") IAPREFIX(LIFE_HOUR)), GOOD,
	  .n_ia = 2, .valid = { 0, 3600 }, .failed = BIT(0) },
	{ "one succeeded", 7, B(IA_NA("\x12") STATUS("\x00")), GOOD,
	  .n_ia = 1 },
	{ "status cut short in an association", 7,
	  B(IA_NA("\x11") "\x00\x0d\x00\x01\x00"), BAD },
	{ "a failed address has no lifetime", 7,
	  B(IA_NA("\x2e") "\x00\x05\x00\x1e" ADDR LIFE_2 LIFE_HOUR
	    STATUS("\x02")), GOOD, .n_ia = 1 },
	{ "status cut short in an address", 7,
	  B(IA_NA("\x2d") "\x00\x05\x00\x1d" ADDR LIFE_2 LIFE_HOUR
	    "\x00\x0d\x00\x01\x00"), BAD },

	/* Relays. */
	{ "one relay", 1, B(CLIENT_EN), GOOD, .relays = 1,
	  .relay = B(CIRCUIT REMOTE LINK_ADDR), .client = B(DUID_EN),
	  .circuit = B("p/1"), .remote = B("r1"), .flags = HAS_LINK_ADDR },
	{ "the relay knows better than the DUID", 1, B(CLIENT_LL), GOOD,
	  .relays = 1, .relay = B(LINK_ADDR), .client = B(DUID_LL),
	  .flags = HAS_LINK_ADDR },
	{ "the relay knows nothing", 1, B(CLIENT_LL), GOOD, .relays = 2,
	  .client = B(DUID_LL), .flags = HAS_MAC },
	{ "option 79 of a client", 1, B(LINK_ADDR), GOOD },
	{ "option 79, not ethernet", 1, B(""), GOOD, .relays = 1,
	  .relay = B("\x00\x4f\x00\x05\x00\x06xyz") },
	{ "option 79 too short", 1, B(""), BAD, .relays = 1,
	  .relay = B("\x00\x4f\x00\x07\x00\x01vwxyz") },
	{ "option 79 of one byte", 1, B(""), BAD, .relays = 1,
	  .relay = B("\x00\x4f\x00\x01\x00") },
	{ "remote id without its enterprise", 1, B(""), BAD, .relays = 1,
	  .relay = B("\x00\x25\x00\x03xyz") },
	{ "two circuits", 1, B(""), BAD, .relays = 1,
	  .relay = B(CIRCUIT CIRCUIT) },
	{ "relay option cut short", 1, B(""), BAD, .relays = 1,
	  .relay = B("\x00\x12\xff\xffu") },
	{ "31 deep", 1, B(CLIENT_EN), GOOD, .relays = 31, .relay = B(CIRCUIT),
	  .client = B(DUID_EN), .circuit = B("p/1") },
	{ "32 deep", 7, B(CLIENT_EN), GOOD, .relays = 32, .relay = B(CIRCUIT),
	  .client = B(DUID_EN), .circuit = B("p/1") },
	{ "33 deep", 1, B(CLIENT_EN), BAD, .relays = 33 },
	{ "100 deep", 1, B(CLIENT_EN), BAD, .relays = 100 },
	{ "a relay without a message", 1, B(""), BAD, .relays = 2,
	  .flags = NO_INNER },
	{ "a relay with two", 1, B(""), BAD, .relays = 1,
	  .flags = TWO_INNER },
	{ "a relay whose message is longer than it", 1, B(""), BAD,
	  .relays = 2, .flags = LONG_INNER },
	{ "a relay with an empty message", 0, B(""), BAD, .relays = 1 },
};

#define LEN_RELAY_HEADER	34

static inline void put_message(const struct dhcp6_case *c, struct frame *f)
{
	int i;

	if (c->type) {
		put_u8(f, c->type);
		put(f, "\x12\x34\x56", 3);
		put(f, c->options.s, c->options.len);
	}
	put(f, c->raw.s, c->raw.len);
	for (i = 0; i < c->ias; i++) {
		put(f, "\x00\x03\x00\x0c", 4);
		put_u32(f, i);
		put_u32(f, 0);
		put_u32(f, 0);
	}
}

static inline bool from_server(u8 type)
{
	return type == RESMON_DHCP6_ADVERTISE || type == RESMON_DHCP6_REPLY ||
	       type == RESMON_DHCP6_RECONFIGURE;
}

static inline void dhcp6_frame(const struct dhcp6_case *c, struct frame *f)
{
	static const struct bytes outer = B(OUTER_OPTIONS);
	bool server = from_server(c->type);
	u32 opening[100], start;
	int i;

	if (c->flags & WRONG_PORT)
		frame_begin(f, true, 53, 53);
	else
		frame_begin(f, true, server ? 547 : 546, server ? 546 : 547);
	for (i = 0; i < c->relays; i++) {
		const struct bytes *own = &outer;

		if (i == c->relays - 1)
			own = &c->relay;
		put_u8(f, server ? RESMON_DHCP6_RELAY_REPL :
				   RESMON_DHCP6_RELAY_FORW);
		put_zero(f, LEN_RELAY_HEADER - 1);
		put(f, own->s, own->len);
		if (i == c->relays - 1 && (c->flags & NO_INNER))
			break;
		if (i == c->relays - 1 && (c->flags & TWO_INNER))
			put(f, "\x00\x09\x00\x04\x0b\x00\x00\x00", 8);
		put_u16(f, 9);
		opening[i] = f->len;
		put_u16(f, 0);
	}
	start = i;
	if (!(c->flags & NO_INNER))
		put_message(c, f);
	for (i = 0; i < start; i++)
		set_u16(f, opening[i], f->len - opening[i] - 2);
	if (c->flags & LONG_INNER)
		set_u16(f, opening[start - 1], f->len - opening[start - 1]);
	frame_end(f);
}

static inline enum resmon_parse dhcp6_read(const struct resmon_bytes *b,
					   struct resmon_dhcp6 *msg)
{
	struct resmon_link link;
	struct resmon_udp udp;
	enum resmon_parse got;

	if (!resmon_link_parse(b, RESMON_NO_TAG, &link))
		return RESMON_PARSE_MALFORMED;
	got = resmon_udp_parse(b, &link, &udp);
	if (got != RESMON_PARSE_OK)
		return got;
	return resmon_dhcp6_parse(b, &udp, msg);
}

/* What is not as it should be, or NULL. */
static inline const char *dhcp6_wrong(const struct dhcp6_case *c,
				      const struct resmon_bytes *b)
{
	static const struct bytes duid = B(DUID_EN), none;
	static const u8 mac[] = { 2, 0, 0, 0, 0, 1 };
	static const u8 link_addr[] = { 2, 0, 0, 0, 0, 7 };
	static const u8 no_mac[ETH_ALEN];
	const u8 *want_mac = no_mac;
	struct resmon_dhcp6 msg;
	bool told;
	int i;

	if (dhcp6_read(b, &msg) != c->want)
		return "result";
	if (c->want != RESMON_PARSE_OK)
		return NULL;
	if (msg.type != c->type || msg.xid != 0x123456)
		return "header";
	if (msg.relays != c->relays)
		return "relays";
	if (msg.rapid != !!(c->flags & HAS_RAPID))
		return "rapid commit";
	if (msg.status != c->status)
		return "status";
	if (!span_is(b, &msg.client, &c->client))
		return "client";
	if (!span_is(b, &msg.server, c->flags & SERVER_DUID ? &duid : &none))
		return "server";
	if (!span_is(b, &msg.circuit, &c->circuit))
		return "circuit";
	if (!span_is(b, &msg.remote, &c->remote))
		return "remote";
	if (c->flags & HAS_MAC)
		want_mac = mac;
	else if (c->flags & HAS_LINK_ADDR)
		want_mac = link_addr;
	told = want_mac != no_mac;
	if (msg.has_mac != told || memcmp(msg.mac, want_mac, ETH_ALEN))
		return "mac";
	if (msg.n_ia != c->n_ia + c->ias)
		return "number of associations";
	for (i = 0; i < c->n_ia; i++)
		if (msg.ia[i].valid != c->valid[i] ||
		    msg.ia[i].failed != !!(c->failed & BIT(i)))
			return "association";
	for (i = 0; i < c->ias; i++)
		if (msg.ia[i].iaid != i || msg.ia[i].type != 3)
			return "empty association";
	return NULL;
}

#endif /* RESMON_DHCP_CASES_H */
