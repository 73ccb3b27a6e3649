/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames made by hand, and what the parsers are to say of them. KUnit, the
 * tests in user space and the corpus of the fuzzers are made from the same.
 */
#ifndef RESMON_FRAMES_H
#define RESMON_FRAMES_H

#include "parse.h"

#define FRAME_MAX	9100

/**
 * struct text - bytes of any value
 * @p: they
 * @len: how many
 */
struct text {
	const char *p;
	u32 len;
};

#define TEXT(s)	{ .p = (s), .len = sizeof(s) - 1 }

/* What builds the frame around the bytes of a table. */
enum frame_base {
	FRAME_RAW,
	FRAME_ETHER,
	FRAME_UDP4,
	FRAME_UDP6,
};

/**
 * struct frame - one frame
 * @name: what is special about it
 * @base: headers that the frame begins with, their lengths right
 * @proto: ethertype of FRAME_ETHER
 * @sport: source port of FRAME_UDP4 and FRAME_UDP6, 1701 when 0
 * @dport: destination port, the same
 * @tagged: its metadata has the tag @tci
 * @tci: tag in the metadata
 * @head: its bytes after @base,
 * @fill: as many bytes of 'a',
 * @tail: and these
 * @pad: as many bytes of zero after all that is counted in a length
 * @result: what the parser is to return
 * @expect: what it is to fill in, of the type that the table has
 */
struct frame {
	const char *name;
	enum frame_base base;
	u16 proto;
	u16 sport;
	u16 dport;
	bool tagged;
	u16 tci;
	struct text head;
	u32 fill;
	struct text tail;
	u32 pad;
	enum resmon_parse result;
	const void *expect;
};

/**
 * struct frames - a table of them
 * @name: what it is about
 * @frame: they
 * @n: how many
 * @good: hold what a parser says of one against what it is to say
 */
struct frames {
	const char *name;
	const struct frame *frame;
	u32 n;
	bool (*good)(const struct frame *f, const struct resmon_bytes *b);
};

#define MAC_DST	"\x02\x00\x00\x00\x00\x01"
#define MAC_SRC	"\x02\x00\x00\x00\x00\x02"
#define ADDR4_SRC	"\xc0\x00\x02\x01"
#define ADDR4_DST	"\xc0\x00\x02\x02"
#define ADDR6_SRC	"\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"
#define ADDR6_DST	"\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"

static inline u8 *frame_put(u8 *at, const void *from, u32 len)
{
	memcpy(at, from, len);
	return at + len;
}

static inline u8 *frame_put16(u8 *at, u16 value)
{
	*at++ = value >> 8;
	*at++ = value & 0xff;
	return at;
}

/* Build a frame in a buffer of FRAME_MAX bytes; returns its length. */
static inline u32 frame_build(const struct frame *f, u8 *buffer)
{
	u32 len = f->head.len + f->fill + f->tail.len;
	u8 *at = buffer;

	if (f->base != FRAME_RAW)
		at = frame_put(at, MAC_DST MAC_SRC, 2 * ETH_ALEN);
	switch (f->base) {
	case FRAME_RAW:
		break;
	case FRAME_ETHER:
		at = frame_put16(at, f->proto);
		break;
	case FRAME_UDP4:
		at = frame_put(at, "\x08\x00\x45\x00", 4);
		at = frame_put16(at, 28 + len);
		at = frame_put(at, "\0\0\0\0\x40\x11\0\0" ADDR4_SRC ADDR4_DST,
			       16);
		break;
	case FRAME_UDP6:
		at = frame_put(at, "\x86\xdd\x60\0\0\0", 6);
		at = frame_put16(at, 8 + len);
		at = frame_put(at, "\x11\x40" ADDR6_SRC ADDR6_DST, 34);
		break;
	}
	if (f->base == FRAME_UDP4 || f->base == FRAME_UDP6) {
		at = frame_put16(at, f->sport ?: RESMON_PORT_L2TP);
		at = frame_put16(at, f->dport ?: RESMON_PORT_L2TP);
		at = frame_put16(at, 8 + len);
		at = frame_put16(at, 0);
	}
	if (f->head.len)
		at = frame_put(at, f->head.p, f->head.len);
	memset(at, 'a', f->fill);
	at += f->fill;
	if (f->tail.len)
		at = frame_put(at, f->tail.p, f->tail.len);
	memset(at, 0, f->pad);
	return at + f->pad - buffer;
}

static inline int frame_tag(const struct frame *f)
{
	return f->tagged ? f->tci : RESMON_NO_TAG;
}

/* What a span points to is this text. */
static inline bool frame_span(const struct resmon_bytes *b,
			      const struct resmon_span *span,
			      const struct text *text)
{
	u32 i;

	if (span->len != text->len)
		return false;
	for (i = 0; i < text->len; i++) {
		const char *p;
		char room;

		p = resmon_bytes_at(b, span->off + i, 1, &room);
		if (!p || *p != text->p[i])
			return false;
	}
	return true;
}

#endif /* RESMON_FRAMES_H */
