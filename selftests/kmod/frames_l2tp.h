/* SPDX-License-Identifier: GPL-2.0-only */
/* L2TPv2 over UDP. */
#ifndef RESMON_FRAMES_L2TP_H
#define RESMON_FRAMES_L2TP_H

#include "frames.h"

#define TUNNEL		.base = FRAME_UDP4
#define L2TP(...)							\
	.result = RESMON_PARSE_OK,					\
	.expect = &(const struct resmon_l2tp) { __VA_ARGS__ }
#define BROKEN		.result = RESMON_PARSE_MALFORMED

/* The header of a control message to tunnel 1: its length, session, Ns, Nr. */
#define CONTROL(len, sid)						\
	"\xc8\x02\x00" len "\x00\x01" sid "\x00\x02\x00\x03"
#define MESSAGE(type)	"\x80\x08\0\0\0\0\0" type
#define TID(id)		"\x80\x08\0\0\0\x09" id
#define SID(id)		"\x80\x08\0\0\0\x0e" id
/* Expected of each of these. */
#define TO_1		.control = true, .tid = 1, .ns = 2, .nr = 3

static const struct frame l2tp_frames[] = {
	{
		.name = "SCCRQ", TUNNEL,
		.head = TEXT("\xc8\x02\x00\x2c\0\0\0\0\0\0\0\0"
			     MESSAGE("\x01") "\x80\x08\0\0\0\x02\x01\x00"
			     "\x80\x08\0\0\0\x07" "me" TID("\x12\x34")),
		L2TP(.control = true, .type = 1, .assigned_tid = 0x1234),
	},
	{
		.name = "SCCRQ from another port", .base = FRAME_UDP4,
		.sport = 40000,
		.head = TEXT("\xc8\x02\x00\x1c\0\0\0\0\0\0\0\0"
			     MESSAGE("\x01") TID("\x12\x34")),
		L2TP(.control = true, .type = 1, .assigned_tid = 0x1234),
	},
	{
		.name = "SCCRQ over IPv6", .base = FRAME_UDP6,
		.head = TEXT("\xc8\x02\x00\x1c\0\0\0\0\0\0\0\0"
			     MESSAGE("\x01") TID("\x12\x34")),
		L2TP(.control = true, .type = 1, .assigned_tid = 0x1234),
	},
	{
		.name = "SCCRQ without an id", TUNNEL,
		.head = TEXT(CONTROL("\x14", "\0\0") MESSAGE("\x01")), BROKEN,
	},
	{
		.name = "SCCRP without an id", TUNNEL,
		.head = TEXT(CONTROL("\x1c", "\0\0") MESSAGE("\x02")
			     TID("\0\0")), BROKEN,
	},
	{
		.name = "SCCRQ, its id hidden", TUNNEL,
		.head = TEXT(CONTROL("\x1c", "\0\0") MESSAGE("\x01")
			     "\xc0\x08\0\0\0\x09\x12\x34"), BROKEN,
	},
	{
		.name = "StopCCN, its id hidden and longer", TUNNEL,
		.head = TEXT(CONTROL("\x1e", "\0\0") MESSAGE("\x04")
			     "\xc0\x0a\0\0\0\x09\1\2\3\4"), BROKEN,
	},
	{
		.name = "StopCCN", TUNNEL,
		.head = TEXT(CONTROL("\x24", "\0\0") MESSAGE("\x04")
			     TID("\x12\x34") "\x80\x08\0\0\0\x01\0\x01"),
		L2TP(TO_1, .type = 4, .assigned_tid = 0x1234),
	},
	{
		.name = "HELLO", TUNNEL,
		.head = TEXT(CONTROL("\x14", "\0\0") MESSAGE("\x06")),
		L2TP(TO_1, .type = 6),
	},
	{
		.name = "a message without AVPs", TUNNEL,
		.head = TEXT(CONTROL("\x0c", "\0\0")), .pad = 6,
		L2TP(TO_1, .type = RESMON_L2TP_ZLB),
	},
	{
		.name = "ICRQ", TUNNEL,
		.head = TEXT(CONTROL("\x26", "\0\0") MESSAGE("\x0a")
			     SID("\x56\x78") "\x80\x0a\0\0\0\x0f\0\0\0\x01"),
		L2TP(TO_1, .type = 10, .assigned_sid = 0x5678),
	},
	{
		.name = "ICRQ without an id", TUNNEL,
		.head = TEXT(CONTROL("\x14", "\0\0") MESSAGE("\x0a")), BROKEN,
	},
	{
		.name = "ICRP, its id hidden", TUNNEL,
		.head = TEXT(CONTROL("\x1c", "\x56\x78") MESSAGE("\x0b")
			     "\xc0\x08\0\0\0\x0e\x12\x34"), BROKEN,
	},
	{
		.name = "ICCN, another AVP hidden", TUNNEL,
		.head = TEXT(CONTROL("\x1e", "\x56\x78") MESSAGE("\x0c")
			     "\xc0\x0a\0\0\0\x18\0\0\0\x01"),
		L2TP(TO_1, .sid = 0x5678, .type = 12),
	},
	{
		.name = "CDN", TUNNEL,
		.head = TEXT(CONTROL("\x1c", "\x56\x78") MESSAGE("\x0e")
			     SID("\x12\x34")),
		L2TP(TO_1, .sid = 0x5678, .type = 14, .assigned_sid = 0x1234),
	},
	{
		.name = "an id of a vendor", TUNNEL,
		.head = TEXT(CONTROL("\x1c", "\0\0") MESSAGE("\x06")
			     "\xc0\x08\0\x09\0\x0e\x12\x34"),
		L2TP(TO_1, .type = 6),
	},
	{
		.name = "the last of two ids counts", TUNNEL,
		.head = TEXT(CONTROL("\x24", "\0\0") MESSAGE("\x01")
			     TID("\0\x01") TID("\0\x02")),
		L2TP(TO_1, .type = 1, .assigned_tid = 2),
	},
	{
		.name = "bytes behind the length", TUNNEL,
		.head = TEXT(CONTROL("\x14", "\0\0") MESSAGE("\x06")
			     TID("\0\x01")),
		L2TP(TO_1, .type = 6),
	},
	{
		.name = "flags that mean nothing here", TUNNEL,
		.head = TEXT("\xfb\x02\x00\x14\0\x01\0\0\0\x02\0\x03"
			     MESSAGE("\x06")),
		L2TP(TO_1, .type = 6),
	},
	{
		.name = "an AVP of 1023 bytes", TUNNEL,
		.head = TEXT("\xc8\x02\x04\x13\0\x01\0\0\0\x02\0\x03"
			     MESSAGE("\x06") "\x03\xff\0\0\0\x08"),
		.fill = 1017, L2TP(TO_1, .type = 6),
	},
	{
		.name = "the type is not first", TUNNEL,
		.head = TEXT(CONTROL("\x1c", "\0\0") TID("\0\x01")
			     MESSAGE("\x01")), BROKEN,
	},
	{
		.name = "the type is hidden", TUNNEL,
		.head = TEXT(CONTROL("\x14", "\0\0") "\xc0\x08\0\0\0\0\0\x06"),
		BROKEN,
	},
	{
		.name = "the type has 3 bytes", TUNNEL,
		.head = TEXT(CONTROL("\x15", "\0\0") "\x80\x09\0\0\0\0\0\x06\0"),
		BROKEN,
	},
	{
		.name = "a type of ours", TUNNEL,
		.head = TEXT(CONTROL("\x14", "\0\0") "\x80\x08\0\0\0\0\xff\xff"),
		BROKEN,
	},
	{
		.name = "an AVP of 5 bytes", TUNNEL,
		.head = TEXT(CONTROL("\x1a", "\0\0") MESSAGE("\x06")
			     "\x80\x05\0\0\0\x07"), BROKEN,
	},
	{
		.name = "an AVP of no length", TUNNEL,
		.head = TEXT(CONTROL("\x1a", "\0\0") MESSAGE("\x06")
			     "\x80\0\0\0\0\x07"), BROKEN,
	},
	{
		.name = "an AVP beyond the message", TUNNEL,
		.head = TEXT(CONTROL("\x1b", "\0\0") MESSAGE("\x06")
			     TID("\0\x01")), BROKEN,
	},
	{
		.name = "half an AVP", TUNNEL,
		.head = TEXT(CONTROL("\x19", "\0\0") MESSAGE("\x06")
			     TID("\0\x01")), BROKEN,
	},
	{
		.name = "length beyond the datagram", TUNNEL,
		.head = TEXT(CONTROL("\x15", "\0\0") MESSAGE("\x06")),
		.pad = 12, BROKEN,
	},
	{
		.name = "length within the header", TUNNEL,
		.head = TEXT(CONTROL("\x0b", "\0\0") MESSAGE("\x06")), BROKEN,
	},
	{
		.name = "control without a length", TUNNEL,
		.head = TEXT("\x88\x02\x00\x14\0\x01\0\0\0\x02\0\x03"
			     MESSAGE("\x06")), BROKEN,
	},
	{
		.name = "control without a sequence", TUNNEL,
		.head = TEXT("\xc0\x02\x00\x14\0\x01\0\0\0\x02\0\x03"
			     MESSAGE("\x06")), BROKEN,
	},
	{
		.name = "control cut", TUNNEL,
		.head = TEXT("\xc8\x02\x00\x0b\0\x01\0\0\0\x02\0"), BROKEN,
	},
	{ .name = "one byte", TUNNEL, .head = TEXT("\xc8"), BROKEN },
	{ .name = "no byte", TUNNEL, .pad = 18, BROKEN },
	{
		.name = "L2TPv3", TUNNEL,
		.head = TEXT("\xc8\x03\x00\x14\0\x01\0\0\0\x02\0\x03"
			     MESSAGE("\x06")),
	},
	{
		.name = "L2F", TUNNEL,
		.head = TEXT("\xc8\x01\x00\x14\0\x01\0\0\0\x02\0\x03"),
	},
	{
		.name = "the ports of DHCP", .base = FRAME_UDP4, .sport = 68,
		.dport = 67, .head = TEXT(CONTROL("\x0c", "\0\0")),
	},
	{
		.name = "data", TUNNEL,
		.head = TEXT("\x00\x02\x12\x34\x56\x78\xff\x03\x00\x21"),
		L2TP(.tid = 0x1234, .sid = 0x5678),
	},
	{
		.name = "data with all there can be", TUNNEL,
		.head = TEXT("\x4b\x02\x00\x12\x12\x34\x56\x78\0\1\0\2"
			     "\x00\x02\0\0\x00\x21"),
		L2TP(.tid = 0x1234, .sid = 0x5678),
	},
	{
		.name = "data, its length to the end of the header", TUNNEL,
		.head = TEXT("\x40\x02\x00\x08\x12\x34\x56\x78" "beyond"),
		L2TP(.tid = 0x1234, .sid = 0x5678),
	},
	{
		.name = "data, length within the header", TUNNEL,
		.head = TEXT("\x40\x02\x00\x07\x12\x34\x56\x78"), BROKEN,
	},
	{
		.name = "data, length beyond the datagram", TUNNEL,
		.head = TEXT("\x40\x02\x00\x09\x12\x34\x56\x78"), .pad = 10,
		BROKEN,
	},
	{
		.name = "data, length cut", TUNNEL,
		.head = TEXT("\x40\x02\x00"), BROKEN,
	},
	{
		.name = "data, ids cut", TUNNEL,
		.head = TEXT("\x00\x02\x12\x34\x56"), BROKEN,
	},
	{
		.name = "data, sequence cut", TUNNEL,
		.head = TEXT("\x08\x02\x12\x34\x56\x78\0\1\0"), BROKEN,
	},
	{
		.name = "data, offset cut", TUNNEL,
		.head = TEXT("\x02\x02\x12\x34\x56\x78\0"), BROKEN,
	},
	{
		.name = "data, offset beyond the datagram", TUNNEL,
		.head = TEXT("\x02\x02\x12\x34\x56\x78\0\x03\0\0"), BROKEN,
	},
};

static inline bool l2tp_good(const struct frame *f, const struct resmon_bytes *b)
{
	const struct resmon_l2tp *expect = f->expect;
	struct resmon_link link;
	struct resmon_l2tp msg;
	struct resmon_udp udp;

	if (!resmon_link_parse(b, frame_tag(f), &link) ||
	    resmon_udp_parse(b, &link, &udp) != RESMON_PARSE_OK ||
	    resmon_l2tp_parse(b, &udp, &msg) != f->result)
		return false;
	if (f->result != RESMON_PARSE_OK)
		return true;
	return msg.udp.off == udp.off && msg.control == expect->control &&
	       msg.tid == expect->tid && msg.sid == expect->sid &&
	       msg.ns == expect->ns && msg.nr == expect->nr &&
	       msg.type == expect->type &&
	       msg.assigned_tid == expect->assigned_tid &&
	       msg.assigned_sid == expect->assigned_sid;
}

static const struct frames frames_l2tp = {
	"l2tp", l2tp_frames, ARRAY_SIZE(l2tp_frames), l2tp_good
};

#endif /* RESMON_FRAMES_L2TP_H */
