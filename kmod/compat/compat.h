/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one place that knows kernel versions: the source reads as if for the
 * newest kernel.
 */
#ifndef RESMON_COMPAT_H
#define RESMON_COMPAT_H

#include <linux/device/class.h>
#include <linux/hrtimer.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/version.h>
#include <net/genetlink.h>

/* Was a part of linux/kernel.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <linux/hex.h>
#endif

/* Every architecture had its own until 6.12. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* The attributes of a dump request moved into struct genl_info in 6.6. */
static inline struct nlattr **resmon_dump_attrs(struct netlink_callback *cb)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

/* A range is a constant, but until 6.7 the pointer to it is to none. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#undef NLA_POLICY_FULL_RANGE
#define NLA_POLICY_FULL_RANGE(tp, _range) {				\
	.type = NLA_ENSURE_UINT_OR_BINARY_TYPE(tp),			\
	.validation_type = NLA_VALIDATE_RANGE_PTR,			\
	.range = (struct netlink_range_validation *)(_range),		\
}
#endif

/* Of 6.2; the length of a binary attribute is its longest. */
#ifndef NLA_POLICY_MAX_LEN
#define NLA_POLICY_MAX_LEN(_len) { .type = NLA_BINARY, .len = (_len) }
#endif

#ifndef kzalloc_obj
#define kzalloc_obj(obj, gfp)	kzalloc(sizeof(obj), gfp)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fn)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

/* A frame that neither taps nor tc nor an ingress hook see. */
static inline void resmon_skb_skip_taps(struct sk_buff *skb)
{
#ifdef CONFIG_NET_CLS_ACT
	skb->tc_skip_classify = 1;
#endif
}

/* The callbacks of a class take a const device from 6.2 on. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define resmon_class_device const struct device
#else
#define resmon_class_device struct device
#endif

/*
 * What tags the devices of a class with a namespace was struct net itself, and
 * is the struct ns_common in it where the callback says so.
 */
typedef typeof(((struct class *)NULL)->namespace(NULL)) resmon_class_tag_t;

static inline resmon_class_tag_t resmon_class_tag(const struct net *net)
{
	return _Generic((resmon_class_tag_t)NULL,
			const void *: (const void *)net,
			default: (const void *)&net->ns);
}

#endif /* RESMON_COMPAT_H */
