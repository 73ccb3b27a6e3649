/* SPDX-License-Identifier: GPL-2.0-only */
/* MAC headers, IP and UDP. */
#ifndef RESMON_FRAMES_LINK_H
#define RESMON_FRAMES_LINK_H

#include "frames.h"

/* MAC_DST and MAC_SRC. */
#define MACS	"\x02\0\0\0\0\x01\x02\0\0\0\0\x02"

/**
 * struct link_expect - what is to be told of a MAC header
 * @outer: outer VLAN id
 * @inner: inner VLAN id
 * @proto: ethertype
 * @off: what follows it
 */
struct link_expect {
	u16 outer;
	u16 inner;
	u16 proto;
	u32 off;
};

#define LINK(_outer, _inner, _proto, _off)				\
	.result = RESMON_PARSE_OK,					\
	.expect = &(const struct link_expect) {				\
		_outer, _inner, _proto, _off				\
	}

/* Tables of MAC headers say RESMON_PARSE_OTHER for false. */
static const struct frame link_frames[] = {
	{ .name = "no byte" },
	{ .name = "13 bytes", .head = TEXT(MACS "\x88") },
	{
		.name = "no tag", .head = TEXT(MACS "\x88\x63"),
		LINK(0, 0, 0x8863, 14),
	},
	{
		.name = "a tag", .head = TEXT(MACS "\x81\x00\x20\x64\x88\x64"),
		LINK(100, 0, 0x8864, 18),
	},
	{
		.name = "a priority tag",
		.head = TEXT(MACS "\x81\x00\xe0\x00\x88\x63"),
		LINK(0, 0, 0x8863, 18),
	},
	{
		.name = "a priority tag before a tag",
		.head = TEXT(MACS "\x81\x00\xe0\x00\x81\x00\x0f\xff\x88\x63"),
		LINK(4095, 0, 0x8863, 22),
	},
	{
		.name = "QinQ",
		.head = TEXT(MACS "\x88\xa8\x00\x64\x81\x00\x00\xc8\x08\x00"),
		LINK(100, 200, 0x0800, 22),
	},
	{
		.name = "QinQ with a priority tag between",
		.head = TEXT(MACS "\x91\x00\x00\x64\x81\x00\x20\x00"
			     "\x81\x00\x00\xc8\x86\xdd"),
		LINK(100, 200, 0x86dd, 26),
	},
	{
		.name = "a tag in the metadata", .tagged = true, .tci = 0x2064,
		.head = TEXT(MACS "\x88\x63"),
		LINK(100, 0, 0x8863, 14),
	},
	{
		.name = "a priority tag in the metadata",
		.tagged = true, .tci = 0xe000,
		.head = TEXT(MACS "\x81\x00\x00\x64\x88\x63"),
		LINK(100, 0, 0x8863, 18),
	},
	{
		.name = "QinQ, one half in the metadata",
		.tagged = true, .tci = 0x0064,
		.head = TEXT(MACS "\x81\x00\x00\xc8\x88\x63"),
		LINK(100, 200, 0x8863, 18),
	},
	{
		.name = "4 tags, 3 ids",
		.head = TEXT(MACS "\x88\xa8\x00\x01\x88\xa8\x00\x02"
			     "\x81\x00\x00\x00\x81\x00\x00\x03\x88\x63"),
		LINK(1, 2, 0x8863, 30),
	},
	{
		.name = "5 tags",
		.head = TEXT(MACS "\x81\x00\0\0\x81\x00\0\0\x81\x00\0\0"
			     "\x81\x00\0\0\x81\x00\0\0\x88\x63"),
	},
	{
		.name = "5 tags, one in the metadata", .tagged = true,
		.head = TEXT(MACS "\x81\x00\0\0\x81\x00\0\0\x81\x00\0\0"
			     "\x81\x00\0\0\x88\x63"),
	},
	{ .name = "a tag cut", .head = TEXT(MACS "\x81\x00\x00\x64\x88") },
	{ .name = "no tag where one is told", .head = TEXT(MACS "\x81\x00") },
};

static inline bool link_good(const struct frame *f, const struct resmon_bytes *b)
{
	const struct link_expect *expect = f->expect;
	struct resmon_link link;

	if (!resmon_link_parse(b, frame_tag(f), &link))
		return !expect;
	return expect && link.outer == expect->outer &&
	       link.inner == expect->inner && link.proto == expect->proto &&
	       link.off == expect->off &&
	       !memcmp(link.dst, MAC_DST, ETH_ALEN) &&
	       !memcmp(link.src, MAC_SRC, ETH_ALEN);
}

/**
 * struct udp_expect - what is to be told of a datagram
 * @saddr: source address
 * @sport: source port
 * @dport: destination port
 * @payload: what is in it
 */
struct udp_expect {
	const char *saddr;
	u16 sport;
	u16 dport;
	struct text payload;
};

#define UDP(_saddr, _sport, _dport, _payload)				\
	.result = RESMON_PARSE_OK,					\
	.expect = &(const struct udp_expect) {				\
		_saddr, _sport, _dport, TEXT(_payload)			\
	}
#define BAD	.result = RESMON_PARSE_MALFORMED

#define MAPPED	"\0\0\0\0\0\0\0\0\0\0\xff\xff" ADDR4_SRC

/* An IPv4 header without options: total length, fragment, protocol. */
#define IP4(len, frag, proto)						\
	"\x45\0" len "\0\0" frag "\x40" proto "\0\0" ADDR4_SRC ADDR4_DST
/* An IPv6 header: payload length, next header. */
#define IP6(len, next)	"\x60\0\0\0" len next "\x40" ADDR6_SRC ADDR6_DST
#define PORTS4	"\x00\x44\x00\x43"
#define PORTS6	"\x02\x22\x02\x23"
#define HBH(next)	next "\0\x01\x04\0\0\0\0"

static const struct frame udp_frames[] = {
	{
		.name = "IPv4", .base = FRAME_UDP4, .sport = 68, .dport = 67,
		.head = TEXT("hello"), UDP(MAPPED, 68, 67, "hello"),
	},
	{
		.name = "IPv4, padded", .base = FRAME_UDP4, .sport = 68,
		.dport = 67, .head = TEXT("hello"), .pad = 13,
		UDP(MAPPED, 68, 67, "hello"),
	},
	{
		.name = "IPv4, empty", .base = FRAME_UDP4, .dport = 1701,
		.pad = 18, UDP(MAPPED, 1701, 1701, ""),
	},
	{
		.name = "IPv6", .base = FRAME_UDP6, .sport = 546, .dport = 547,
		.head = TEXT("hello"), UDP(ADDR6_SRC, 546, 547, "hello"),
	},
	{
		.name = "ports of nobody", .base = FRAME_UDP4, .sport = 53,
		.dport = 546, .head = TEXT("hello"),
	},
	{
		.name = "ports of nobody, IPv6", .base = FRAME_UDP6,
		.sport = 67, .dport = 68, .head = TEXT("hello"),
	},
	{
		.name = "another ethertype", .base = FRAME_ETHER,
		.proto = 0x0806,
		.head = TEXT(IP4("\x00\x1c", "\0\0", "\x11") PORTS4
			     "\x00\x08\0\0"),
	},
	{
		.name = "TCP", .base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT(IP4("\x00\x1c", "\0\0", "\x06") PORTS4
			     "\x00\x08\0\0"),
	},
	{
		.name = "IPv4 with options", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT("\x46\0\x00\x22\0\0\x40\0\x40\x11\0\0" ADDR4_SRC
			     ADDR4_DST "\x01\x01\x01\0" PORTS4
			     "\x00\x0a\0\0hi"),
		UDP(MAPPED, 68, 67, "hi"),
	},
	{
		.name = "options longer than the frame", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT("\x4f\0\x00\x22\0\0\x40\0\x40\x11\0\0" ADDR4_SRC
			     ADDR4_DST PORTS4 "\x00\x0a\0\0hi"),
	},
	{
		.name = "IPv4 header too short", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT("\x44\0\x00\x22\0\0\x40\0\x40\x11\0\0" ADDR4_SRC
			     ADDR4_DST PORTS4 "\x00\x0a\0\0hi"),
	},
	{
		.name = "IPv4 header cut", .base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT("\x45\0\x00\x1c\0\0\0\0\x40\x11\0\0\x01\x01\x01"),
	},
	{
		.name = "version 6 in IPv4", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT("\x65\0\x00\x1c\0\0\0\0\x40\x11\0\0" ADDR4_SRC
			     ADDR4_DST PORTS4 "\x00\x08\0\0"),
	},
	{
		.name = "version 4 in IPv6", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT("\x40\0\0\0\x00\x08\x11\x40" ADDR6_SRC ADDR6_DST
			     PORTS6 "\x00\x08\0\0"),
	},
	{
		.name = "UDP header cut", .base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT(IP4("\x00\x1c", "\0\0", "\x11") PORTS4
			     "\x00\x08\0"),
	},
	{
		.name = "total length beyond the frame", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\x00\x1f", "\0\0", "\x11") PORTS4
			     "\x00\x0a\0\0hi"), BAD,
	},
	{
		.name = "total length within the UDP header",
		.base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT(IP4("\x00\x1b", "\0\0", "\x11") PORTS4
			     "\x00\x08\0\0hi"), BAD,
	},
	{
		.name = "total length of 0", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\0\0", "\0\0", "\x11") PORTS4
			     "\x00\x08\0\0hi"), BAD,
	},
	{
		.name = "UDP length beyond the packet", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\0\0", "\x11") PORTS4
			     "\x00\x0b\0\0hi"), .pad = 20, BAD,
	},
	{
		.name = "UDP length of 7", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\0\0", "\x11") PORTS4
			     "\x00\x07\0\0hi"), BAD,
	},
	{
		.name = "UDP length of 0", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\0\0", "\x11") PORTS4
			     "\0\0\0\0hi"), BAD,
	},
	{
		.name = "UDP length shorter than the packet",
		.base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\0\0", "\x11") PORTS4
			     "\x00\x09\0\0hi"),
		UDP(MAPPED, 68, 67, "h"),
	},
	{
		.name = "bad lengths of others", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\0\0", "\x11") "\0\x01\0\x02"
			     "\0\0\0\0hi"),
	},
	{
		.name = "first fragment", .base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\x20\0", "\x11") PORTS4
			     "\x00\x0a\0\0hi"), BAD,
	},
	{
		.name = "first fragment of others", .base = FRAME_ETHER,
		.proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\x20\0", "\x11") "\0\x01\0\x02"
			     "\x00\x0a\0\0hi"),
	},
	{
		.name = "later fragment", .base = FRAME_ETHER, .proto = 0x0800,
		.head = TEXT(IP4("\x00\x1e", "\0\x01", "\x11") PORTS4
			     "\x00\x0a\0\0hi"),
	},
	{
		.name = "IPv6 header cut", .base = FRAME_ETHER, .proto = 0x86dd,
		.head = TEXT("\x60\0\0\0\x00\x08\x11\x40" ADDR6_SRC),
	},
	{
		.name = "IPv6 length beyond the frame", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x0b", "\x11") PORTS6 "\x00\x0a\0\0hi"),
		BAD,
	},
	{
		.name = "IPv6 length of 0", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\0\0", "\x11") PORTS6 "\x00\x0a\0\0hi"), BAD,
	},
	{
		.name = "IPv6, UDP length of 0", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x0a", "\x11") PORTS6 "\0\0\0\0hi"),
		.pad = 4, UDP(ADDR6_SRC, 546, 547, "hi"),
	},
	{
		.name = "hop-by-hop options and a routing header",
		.base = FRAME_ETHER, .proto = 0x86dd,
		.head = TEXT(IP6("\x00\x22", "\0") HBH("\x2b")
			     "\x11\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0" PORTS6
			     "\x00\x0a\0\0hi"),
		UDP(ADDR6_SRC, 546, 547, "hi"),
	},
	{
		.name = "authentication header", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x16", "\x33")
			     "\x11\x01\0\0\0\0\0\0\0\0\0\0" PORTS6
			     "\x00\x0a\0\0hi"),
		UDP(ADDR6_SRC, 546, 547, "hi"),
	},
	{
		.name = "options beyond the packet", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x08", "\x3c") HBH("\x11") PORTS6
			     "\x00\x0a\0\0hi"), BAD,
	},
	{
		.name = "options beyond the frame", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x12", "\x3c") "\x11\xff\0\0\0\0\0\0"
			     PORTS6 "\x00\x0a\0\0hi"),
	},
	{
		.name = "options cut", .base = FRAME_ETHER, .proto = 0x86dd,
		.head = TEXT(IP6("\x00\x12", "\x3c") "\x11\0\0\0\0\0\0"),
	},
	{
		.name = "16 extension headers", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x8a", "\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x11")
			     PORTS6 "\x00\x0a\0\0hi"),
		UDP(ADDR6_SRC, 546, 547, "hi"),
	},
	{
		.name = "17 extension headers", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x92", "\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x3c")
			     HBH("\x3c") HBH("\x3c") HBH("\x3c") HBH("\x11")
			     PORTS6 "\x00\x0a\0\0hi"), BAD,
	},
	{
		.name = "ESP", .base = FRAME_ETHER, .proto = 0x86dd,
		.head = TEXT(IP6("\x00\x12", "\x32") HBH("\x11") PORTS6
			     "\x00\x0a\0\0hi"),
	},
	{
		.name = "IPv6, a fragment that is all", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x12", "\x2c") "\x11\xff\0\0\0\0\0\0"
			     PORTS6 "\x00\x0a\0\0hi"),
		UDP(ADDR6_SRC, 546, 547, "hi"),
	},
	{
		.name = "IPv6, first fragment", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x12", "\x2c") "\x11\0\0\x01\0\0\0\0"
			     PORTS6 "\x00\x0a\0\0hi"), BAD,
	},
	{
		.name = "IPv6, later fragment", .base = FRAME_ETHER,
		.proto = 0x86dd,
		.head = TEXT(IP6("\x00\x12", "\x2c") "\x11\0\0\x08\0\0\0\0"
			     PORTS6 "\x00\x0a\0\0hi"),
	},
};

static inline bool udp_good(const struct frame *f, const struct resmon_bytes *b)
{
	const struct udp_expect *expect = f->expect;
	struct resmon_span span;
	struct resmon_link link;
	struct resmon_udp udp;

	if (!resmon_link_parse(b, frame_tag(f), &link) ||
	    resmon_udp_parse(b, &link, &udp) != f->result)
		return false;
	if (f->result != RESMON_PARSE_OK)
		return true;
	span.off = udp.off;
	span.len = udp.len;
	return !memcmp(&udp.saddr, expect->saddr, sizeof(udp.saddr)) &&
	       udp.sport == expect->sport && udp.dport == expect->dport &&
	       frame_span(b, &span, &expect->payload);
}

static const struct frames frames_link = {
	"link", link_frames, ARRAY_SIZE(link_frames), link_good
};

static const struct frames frames_udp = {
	"udp", udp_frames, ARRAY_SIZE(udp_frames), udp_good
};

#endif /* RESMON_FRAMES_LINK_H */
