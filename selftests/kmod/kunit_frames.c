// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parsers of login traffic, by frames made by hand (H5): in one piece, and
 * as the kernel has them, at ingress and at egress, in one piece and in many.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "frames_l2tp.h"
#include "frames_link.h"
#include "frames_pppoe.h"

/* A frame of which @linear bytes are in one piece, and the rest in small ones. */
static struct sk_buff *frame_skb(struct kunit *test, const u8 *data, u32 len,
				 u32 linear)
{
	struct sk_buff *skb = alloc_skb(FRAME_MAX, GFP_KERNEL);
	u32 piece;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	linear = min(linear, len);
	skb_put_data(skb, data, linear);
	piece = max_t(u32, (len - linear) / 8, 3);
	while (linear < len) {
		struct page *page = alloc_page(GFP_KERNEL);
		u32 n = min(piece, len - linear);

		if (skb_shinfo(skb)->nr_frags >= MAX_SKB_FRAGS || !page) {
			KUNIT_FAIL(test, "no more pieces");
			if (page)
				__free_page(page);
			break;
		}
		memcpy(page_address(page), data + linear, n);
		skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, 0, n,
				PAGE_SIZE);
		linear += n;
	}
	return skb;
}

static void check_skb(struct kunit *test, const struct frames *table,
		      const struct frame *f, const u8 *data, u32 len, u32 linear)
{
	struct sk_buff *skb = frame_skb(test, data, len, linear);
	struct resmon_bytes b = { .skb = skb, .len = len };

	KUNIT_EXPECT_TRUE_MSG(test, table->good(f, &b),
			      "%s: %s, %u bytes in one piece", table->name,
			      f->name, linear);
	/* At ingress the MAC header is behind us. */
	if (skb_headlen(skb) >= ETH_HLEN) {
		skb_pull(skb, ETH_HLEN);
		b.mac = -ETH_HLEN;
		KUNIT_EXPECT_TRUE_MSG(test, table->good(f, &b),
				      "%s: %s at ingress, %u bytes in one piece",
				      table->name, f->name, linear);
	}
	kfree_skb(skb);
}

static void check_table(struct kunit *test, const struct frames *table)
{
	u8 *data = kunit_kzalloc(test, FRAME_MAX, GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < table->n; i++) {
		const struct frame *f = &table->frame[i];
		struct resmon_bytes b = { .data = data };

		b.len = frame_build(f, data);
		KUNIT_EXPECT_TRUE_MSG(test, table->good(f, &b), "%s: %s",
				      table->name, f->name);
		check_skb(test, table, f, data, b.len, b.len);
		/* None, half a MAC header, all of it, and half a tag. */
		check_skb(test, table, f, data, b.len, 0);
		check_skb(test, table, f, data, b.len, 7);
		check_skb(test, table, f, data, b.len, ETH_HLEN);
		check_skb(test, table, f, data, b.len, ETH_HLEN + 9);
	}
}

static void mac_header(struct kunit *test)
{
	check_table(test, &frames_link);
}

static void datagram(struct kunit *test)
{
	check_table(test, &frames_udp);
}

static void pppoe_discovery(struct kunit *test)
{
	check_table(test, &frames_pppoe);
}

static void ppp(struct kunit *test)
{
	check_table(test, &frames_ppp);
}

static void l2tp(struct kunit *test)
{
	check_table(test, &frames_l2tp);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(mac_header),
	KUNIT_CASE(datagram),
	KUNIT_CASE(pppoe_discovery),
	KUNIT_CASE(ppp),
	KUNIT_CASE(l2tp),
	{}
};

static struct kunit_suite suite = {
	.name = "resmon_frames",
	.test_cases = cases,
};

kunit_test_suite(suite);
