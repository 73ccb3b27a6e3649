/* SPDX-License-Identifier: GPL-2.0-only */
/* PPPoE discovery, and what PPP says in a session. */
#ifndef RESMON_FRAMES_PPPOE_H
#define RESMON_FRAMES_PPPOE_H

#include "frames.h"

/**
 * struct pppoe_expect - what is to be told of a discovery message
 * @code: its code
 * @sid: session id
 * @outer: outer VLAN id
 * @inner: inner VLAN id
 * @has_service: a Service-Name tag is there
 * @service: the tags
 * @host_uniq: ...
 * @cookie: ...
 * @relay: ...
 * @circuit: ...
 * @remote: ...
 */
struct pppoe_expect {
	u8 code;
	u16 sid;
	u16 outer;
	u16 inner;
	bool has_service;
	struct text service;
	struct text host_uniq;
	struct text cookie;
	struct text relay;
	struct text circuit;
	struct text remote;
};

#define DISC		.base = FRAME_ETHER, .proto = ETH_P_PPP_DISC
#define PPPOE(...)							\
	.result = RESMON_PARSE_OK,					\
	.expect = &(const struct pppoe_expect) { __VA_ARGS__ }
#define MALFORMED	.result = RESMON_PARSE_MALFORMED

#define SERVICE_ANY	"\x01\x01\0\0"
#define HOST_UNIQ	"\x01\x03\x00\x04uniq"
#define BBF		"\x00\x00\x0d\xe9"

static const struct frame pppoe_frames[] = {
	{
		.name = "PADI", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x04" SERVICE_ANY), .pad = 36,
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "PADI without a tag", DISC,
		.head = TEXT("\x11\x09\0\0\0\0"), .pad = 40,
		PPPOE(.code = 0x09),
	},
	{
		.name = "PADI, nothing behind its header", DISC,
		.head = TEXT("\x11\x09\0\0\0\0"), PPPOE(.code = 0x09),
	},
	{
		.name = "PADI of an agent", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x26" SERVICE_ANY HOST_UNIQ
			     "\x01\x05\x00\x16" BBF "\x01\x08" "eth 1/1:"
			     "\x81\x00\x02\x04" "user"),
		PPPOE(.code = 0x09, .has_service = true,
		      .host_uniq = TEXT("uniq"), .circuit = TEXT("eth 1/1:"),
		      .remote = TEXT("user")),
	},
	{
		.name = "PADI with an id of a session", DISC,
		.head = TEXT("\x11\x09\x12\x34\x00\x04" SERVICE_ANY),
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "PADO", DISC,
		.head = TEXT("\x11\x07\0\0\x00\x1b" "\x01\x02\x00\x03" "bng"
			     SERVICE_ANY "\x01\x04\x00\x08" "\0\1\2\3\4\5\6\7"),
		.pad = 13,
		PPPOE(.code = 0x07, .has_service = true,
		      .cookie = TEXT("\0\1\2\3\4\5\6\7")),
	},
	{
		.name = "PADR by a relay", DISC,
		.head = TEXT("\x11\x19\0\0\x00\x21" "\x01\x01\x00\x03" "isp"
			     HOST_UNIQ "\x01\x04\x00\x02" "\xff\xee"
			     "\x01\x10\x00\x04" "\x01\x02\x03\x04" "\0\0"),
		MALFORMED,
	},
	{
		.name = "PADR by a relay, all of its tags whole", DISC,
		.head = TEXT("\x11\x19\0\0\x00\x1d" "\x01\x01\x00\x03" "isp"
			     HOST_UNIQ "\x01\x04\x00\x02" "\xff\xee"
			     "\x01\x10\x00\x04" "\x01\x02\x03\x04"),
		PPPOE(.code = 0x19, .has_service = true,
		      .service = TEXT("isp"), .host_uniq = TEXT("uniq"),
		      .cookie = TEXT("\xff\xee"),
		      .relay = TEXT("\x01\x02\x03\x04")),
	},
	{
		.name = "PADS", DISC,
		.head = TEXT("\x11\x65\x12\x34\x00\x0c" SERVICE_ANY HOST_UNIQ),
		PPPOE(.code = 0x65, .sid = 0x1234, .has_service = true,
		      .host_uniq = TEXT("uniq")),
	},
	{
		.name = "PADS that refuses", DISC,
		.head = TEXT("\x11\x65\0\0\x00\x0b" SERVICE_ANY
			     "\x02\x02\x00\x03" "no!"),
		PPPOE(.code = 0x65, .has_service = true),
	},
	{
		.name = "PADT", DISC, .head = TEXT("\x11\xa7\xff\xfe\0\0"),
		.pad = 40, PPPOE(.code = 0xa7, .sid = 0xfffe),
	},
	{
		.name = "QinQ", .base = FRAME_ETHER, .proto = 0x88a8,
		.head = TEXT("\x00\x64\x81\x00\x00\xc8\x88\x63"
			     "\x11\x09\0\0\x00\x0c" SERVICE_ANY HOST_UNIQ),
		PPPOE(.code = 0x09, .outer = 100, .inner = 200,
		      .has_service = true, .host_uniq = TEXT("uniq")),
	},
	{
		.name = "QinQ, one half in the metadata", .tagged = true,
		.tci = 0x0064, .base = FRAME_ETHER, .proto = 0x8100,
		.head = TEXT("\x00\xc8\x88\x63"
			     "\x11\x09\0\0\x00\x0c" SERVICE_ANY HOST_UNIQ),
		PPPOE(.code = 0x09, .outer = 100, .inner = 200,
		      .has_service = true, .host_uniq = TEXT("uniq")),
	},
	{
		.name = "a priority tag", .base = FRAME_ETHER, .proto = 0x8100,
		.head = TEXT("\xe0\0\x88\x63" "\x11\x09\0\0\x00\x04"
			     SERVICE_ANY),
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "PADI of 9000 bytes", DISC,
		.head = TEXT("\x11\x09\0\0\x23\x22" HOST_UNIQ
			     "\x01\x20\x23\x12"),
		.fill = 8978, .tail = TEXT(SERVICE_ANY),
		PPPOE(.code = 0x09, .has_service = true,
		      .host_uniq = TEXT("uniq")),
	},
	{
		.name = "a jumbo tag that is cut", DISC,
		.head = TEXT("\x11\x09\0\0\x23\x22" "\x01\x20\x23\x1f"),
		.fill = 8990, MALFORMED,
	},
	{
		.name = "end of list", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x10" SERVICE_ANY "\0\0\0\0"
			     HOST_UNIQ),
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "end of list with a length", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x08" SERVICE_ANY "\0\0\xff\xff"),
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "a tag behind what the length counts", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x04" SERVICE_ANY HOST_UNIQ),
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "the last of two tags counts", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x0e" "\x01\x03\x00\x02" "no"
			     HOST_UNIQ),
		PPPOE(.code = 0x09, .host_uniq = TEXT("uniq")),
	},
	{
		.name = "a vendor that we do not know", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x0c" "\x01\x05\x00\x08"
			     "\0\0\x01\x37" "\x01\x02" "no"),
		PPPOE(.code = 0x09),
	},
	{
		.name = "a vendor tag without a vendor", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x07" "\x01\x05\x00\x03"
			     "\0\0\x0d"), PPPOE(.code = 0x09),
	},
	{
		.name = "a vendor without a sub-tag", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x08" "\x01\x05\x00\x04" BBF),
		PPPOE(.code = 0x09),
	},
	{
		.name = "a sub-tag beyond its tag", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x14" "\x01\x05\x00\x0c" BBF
			     "\x01\x02" "no" "\x02\x03" "no" SERVICE_ANY),
		PPPOE(.code = 0x09, .has_service = true),
	},
	{
		.name = "half a sub-tag", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x0d" "\x01\x05\x00\x09" BBF
			     "\x01\x02" "no" "\x02"), PPPOE(.code = 0x09),
	},
	{ .name = "another code", DISC, .head = TEXT("\x11\xd3\0\0\0\0") },
	{ .name = "the code of data", DISC, .head = TEXT("\x11\x00\0\0\0\0") },
	{
		.name = "another ethertype", .base = FRAME_ETHER,
		.proto = 0x0800, .head = TEXT("\x11\x09\0\0\0\0"),
	},
	{
		.name = "a session frame", .base = FRAME_ETHER,
		.proto = 0x8864, .head = TEXT("\x11\x09\0\0\0\0"),
	},
	{
		.name = "version 2", DISC, .head = TEXT("\x21\x09\0\0\0\0"),
		MALFORMED,
	},
	{
		.name = "type 2", DISC, .head = TEXT("\x12\x09\0\0\0\0"),
		MALFORMED,
	},
	{ .name = "no header", DISC, MALFORMED },
	{
		.name = "header cut", DISC, .head = TEXT("\x11\x09\0\0\0"),
		MALFORMED,
	},
	{
		.name = "length beyond the frame", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x05" SERVICE_ANY), MALFORMED,
	},
	{
		.name = "the greatest length", DISC,
		.head = TEXT("\x11\x09\0\0\xff\xff" SERVICE_ANY), MALFORMED,
	},
	{
		.name = "half a tag", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x07" SERVICE_ANY "\x01\x03\0"),
		.pad = 33, MALFORMED,
	},
	{
		.name = "a tag beyond the length", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x0b" SERVICE_ANY HOST_UNIQ),
		MALFORMED,
	},
	{
		.name = "a tag beyond the frame", DISC,
		.head = TEXT("\x11\x09\0\0\x00\x08" SERVICE_ANY
			     "\x01\x03\xff\xff"), MALFORMED,
	},
};

static inline bool pppoe_good(const struct frame *f,
			      const struct resmon_bytes *b)
{
	const struct pppoe_expect *expect = f->expect;
	struct resmon_pppoe msg;
	struct resmon_link link;

	if (!resmon_link_parse(b, frame_tag(f), &link) ||
	    resmon_pppoe_parse(b, &link, &msg) != f->result)
		return false;
	if (f->result != RESMON_PARSE_OK)
		return true;
	return msg.code == expect->code && msg.sid == expect->sid &&
	       link.outer == expect->outer && link.inner == expect->inner &&
	       msg.has_service == expect->has_service &&
	       frame_span(b, &msg.service, &expect->service) &&
	       frame_span(b, &msg.host_uniq, &expect->host_uniq) &&
	       frame_span(b, &msg.cookie, &expect->cookie) &&
	       frame_span(b, &msg.relay, &expect->relay) &&
	       frame_span(b, &msg.circuit, &expect->circuit) &&
	       frame_span(b, &msg.remote, &expect->remote);
}

#define SESSION		.base = FRAME_ETHER, .proto = ETH_P_PPP_SES
#define PPP(...)							\
	.result = RESMON_PARSE_OK,					\
	.expect = &(const struct resmon_ppp) { __VA_ARGS__ }

static const struct frame ppp_frames[] = {
	{
		.name = "data", SESSION,
		.head = TEXT("\x11\x00\x12\x34\x00\x16\x00\x21\x45"),
		.fill = 19, PPP(.sid = 0x1234, .proto = 0x21),
	},
	{
		.name = "data of one byte of protocol", SESSION,
		.head = TEXT("\x11\x00\x12\x34\x00\x05\x21" "data"), .pad = 35,
		PPP(.sid = 0x1234, .proto = 0x21),
	},
	{
		.name = "one byte of protocol and no more", SESSION,
		.head = TEXT("\x11\x00\x12\x34\x00\x01\x57"),
		PPP(.sid = 0x1234, .proto = 0x57),
	},
	{
		.name = "half a protocol", SESSION,
		.head = TEXT("\x11\x00\x12\x34\x00\x01\x00"), .pad = 39,
		MALFORMED,
	},
	{
		.name = "no protocol", SESSION,
		.head = TEXT("\x11\x00\x12\x34\0\0"), .pad = 40, MALFORMED,
	},
	{
		.name = "LCP echo", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0a\xc0\x21\x09\x05\x00\x08"
			     "\0\0\0\0"), .pad = 30,
		PPP(.sid = 7, .proto = 0xc021, .code = 9, .id = 5),
	},
	{
		.name = "LCP Configure-Request", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x10\xc0\x21\x01\x01\x00\x0e"
			     "\x01\x04\x05\xd4" "\x05\x06\1\2\3\4"),
		PPP(.sid = 7, .proto = 0xc021, .code = 1, .id = 1),
	},
	{
		.name = "LCP Configure-Request of a bundle", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0e\xc0\x21\x01\x01\x00\x0c"
			     "\x01\x04\x05\xd4" "\x11\x04\x05\xdc"),
		PPP(.sid = 7, .proto = 0xc021, .code = 1, .id = 1,
		    .mrru = true),
	},
	{
		.name = "LCP Configure-Ack of a bundle", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0a\xc0\x21\x02\x01\x00\x08"
			     "\x11\x04\x05\xdc"),
		PPP(.sid = 7, .proto = 0xc021, .code = 2, .id = 1,
		    .mrru = true),
	},
	{
		.name = "LCP Configure-Reject of a bundle", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0a\xc0\x21\x04\x01\x00\x08"
			     "\x11\x04\x05\xdc"),
		PPP(.sid = 7, .proto = 0xc021, .code = 4, .id = 1),
	},
	{
		.name = "an option behind the length of LCP", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0a\xc0\x21\x01\x01\x00\x04"
			     "\x11\x04\x05\xdc"),
		PPP(.sid = 7, .proto = 0xc021, .code = 1, .id = 1),
	},
	{
		.name = "an option of no length", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0a\xc0\x21\x01\x01\x00\x08"
			     "\x01\x00\x05\xdc"), MALFORMED,
	},
	{
		.name = "an option beyond LCP", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0a\xc0\x21\x01\x01\x00\x08"
			     "\x01\x05\x05\xdc"), MALFORMED,
	},
	{
		.name = "half an option", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x07\xc0\x21\x01\x01\x00\x05"
			     "\x11"), MALFORMED,
	},
	{
		.name = "IPCP Configure-Ack", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0c\x80\x21\x02\x09\x00\x0a"
			     "\x03\x06\x0a\0\0\x01"),
		PPP(.sid = 7, .proto = 0x8021, .code = 2, .id = 9),
	},
	{
		.name = "IPV6CP, options that nobody reads", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x08\x80\x57\x01\x02\x00\x06"
			     "\x11\xff"),
		PPP(.sid = 7, .proto = 0x8057, .code = 1, .id = 2),
	},
	{
		.name = "CHAP", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x06\xc2\x23\x03\x02\x00\x04"),
		PPP(.sid = 7, .proto = 0xc223, .code = 3, .id = 2),
	},
	{
		.name = "a report of link quality", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x06\xc0\x25\1\2\3\4"),
		PPP(.sid = 7, .proto = 0xc025),
	},
	{
		.name = "LCP in a tag", .base = FRAME_ETHER, .proto = 0x8100,
		.head = TEXT("\x20\x01\x88\x64\x11\x00\x00\x07\x00\x06"
			     "\xc0\x21\x05\x02\x00\x04"),
		PPP(.sid = 7, .proto = 0xc021, .code = 5, .id = 2),
	},
	{
		.name = "LCP cut", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x05\xc0\x21\x09\x05\x00"),
		MALFORMED,
	},
	{
		.name = "LCP of length 3", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x06\xc0\x21\x09\x05\x00\x03"),
		MALFORMED,
	},
	{
		.name = "LCP beyond the payload", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x06\xc0\x21\x09\x05\x00\x08"
			     "\0\0\0\0"), MALFORMED,
	},
	{
		.name = "payload beyond the frame", SESSION,
		.head = TEXT("\x11\x00\x00\x07\x00\x0b\xc0\x21\x09\x05\x00\x08"
			     "\0\0\0\0"), MALFORMED,
	},
	{
		.name = "a code", SESSION,
		.head = TEXT("\x11\x09\x00\x07\x00\x02\x00\x21"), MALFORMED,
	},
	{
		.name = "version 0", SESSION,
		.head = TEXT("\x01\x00\x00\x07\x00\x02\x00\x21"), MALFORMED,
	},
	{ .name = "no header", SESSION, MALFORMED },
	{
		.name = "discovery", DISC,
		.head = TEXT("\x11\x00\x00\x07\x00\x02\x00\x21"),
	},
};

static inline bool ppp_good(const struct frame *f, const struct resmon_bytes *b)
{
	const struct resmon_ppp *expect = f->expect;
	struct resmon_link link;
	struct resmon_ppp msg;

	if (!resmon_link_parse(b, frame_tag(f), &link) ||
	    resmon_ppp_parse(b, &link, &msg) != f->result)
		return false;
	if (f->result != RESMON_PARSE_OK)
		return true;
	return msg.sid == expect->sid && msg.proto == expect->proto &&
	       msg.code == expect->code && msg.id == expect->id &&
	       msg.mrru == expect->mrru;
}

static const struct frames frames_pppoe = {
	"pppoe", pppoe_frames, ARRAY_SIZE(pppoe_frames), pppoe_good
};

static const struct frames frames_ppp = {
	"ppp", ppp_frames, ARRAY_SIZE(ppp_frames), ppp_good
};

#endif /* RESMON_FRAMES_PPPOE_H */
