// SPDX-License-Identifier: GPL-2.0-only
/*
 * What DHCP messages are read as (H1, H5, H8, H10), each in one piece and in
 * the pieces that a frame may come in.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "dhcp_cases.h"

/* Bytes of the frame that lie beside the skb, the rest is in pages. */
static const u32 linear[] = { 0, 14, 61, 66, 100, 305 };

/* A frame as it is at ingress: the MAC header is before the data. */
static struct sk_buff *in_pieces(struct kunit *test, const struct frame *f,
				 u32 head)
{
	struct sk_buff *skb = alloc_skb(512, GFP_KERNEL);
	u32 off;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	head = min(head, f->len);
	skb_put_data(skb, f->data, head);
	for (off = head; off < f->len;) {
		/* Seventeen pieces are the most: grow with the frame. */
		u32 len = min(f->len / 16 + 1, f->len - off);
		struct page *page = alloc_page(GFP_KERNEL);

		if (!page)
			break;
		memcpy(page_address(page), f->data + off, len);
		skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, 0, len,
				PAGE_SIZE);
		off += len;
	}
	if (off < f->len)
		kfree_skb(skb);
	KUNIT_ASSERT_EQ(test, off, f->len);
	return skb;
}

static const char *wrong(const struct frame *f, const struct resmon_bytes *b,
			 const void *c)
{
	return f->ip6 ? dhcp6_wrong(c, b) : dhcp4_wrong(c, b);
}

static void try_case(struct kunit *test, const char *name, struct frame *f,
		     const void *c)
{
	struct resmon_bytes b = { .data = f->data, .len = f->len };
	const char *what;
	int i;

	what = wrong(f, &b, c);
	if (what)
		KUNIT_FAIL(test, "%s: wrong %s", name, what);
	frame_pad(f);
	for (i = 0; i < ARRAY_SIZE(linear); i++) {
		struct sk_buff *skb = in_pieces(test, f, linear[i]);

		b = (struct resmon_bytes){ .skb = skb, .len = f->len };
		if (linear[i] >= ETH_HLEN) {
			skb_pull(skb, ETH_HLEN);
			b.mac = -ETH_HLEN;
		}
		what = wrong(f, &b, c);
		kfree_skb(skb);
		if (what)
			KUNIT_FAIL(test, "%s, %u in one piece: wrong %s", name,
				   linear[i], what);
	}
}

static struct frame *new_frame(struct kunit *test)
{
	struct frame *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	return f;
}

static void dhcp4_messages(struct kunit *test)
{
	struct frame *f = new_frame(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(dhcp4_cases); i++) {
		dhcp4_frame(&dhcp4_cases[i], f);
		try_case(test, dhcp4_cases[i].name, f, &dhcp4_cases[i]);
	}
}

static void dhcp6_messages(struct kunit *test)
{
	struct frame *f = new_frame(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(dhcp6_cases); i++) {
		dhcp6_frame(&dhcp6_cases[i], f);
		try_case(test, dhcp6_cases[i].name, f, &dhcp6_cases[i]);
	}
}

/* A frame that lacks bytes which its headers promise is never good. */
static void cut_messages(struct kunit *test)
{
	struct resmon_dhcp4 *msg4 = kunit_kzalloc(test, sizeof(*msg4),
						  GFP_KERNEL);
	struct resmon_dhcp6 *msg6 = kunit_kzalloc(test, sizeof(*msg6),
						  GFP_KERNEL);
	struct frame *f = new_frame(test);
	struct resmon_bytes b = { .data = f->data };

	KUNIT_ASSERT_NOT_NULL(test, msg4);
	KUNIT_ASSERT_NOT_NULL(test, msg6);
	dhcp4_frame(&dhcp4_cases[0], f);
	for (b.len = 0; b.len < f->len; b.len++)
		KUNIT_EXPECT_NE(test, dhcp4_read(&b, msg4), RESMON_PARSE_OK);
	dhcp6_frame(&dhcp6_cases[0], f);
	for (b.len = 0; b.len < f->len; b.len++)
		KUNIT_EXPECT_NE(test, dhcp6_read(&b, msg6), RESMON_PARSE_OK);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(dhcp4_messages),
	KUNIT_CASE(dhcp6_messages),
	KUNIT_CASE(cut_messages),
	{}
};

static struct kunit_suite suite = {
	.name = "resmon_dhcp",
	.test_cases = cases,
};

kunit_test_suite(suite);
