// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module costs inside the kernel, beside what a user would pick
 * instead.
 *
 *	echo "MODE DEV LOOPS" >/sys/module/resmon_bench/parameters/run
 *	cat /sys/module/resmon_bench/parameters/result
 *
 * The result is the shortest of 20 repetitions, in picoseconds a loop. Modes:
 *
 * atomic	one atomic increment
 * admit	admission and release of one session
 * refuse	one request that is refused
 * skb		a frame is made and freed, which the next one includes
 * padi	one PADI through netif_receive_skb() on DEV, with whatever filter
 *		stands there; nobody takes the frame
 * ip4, ip6	the same with a UDP datagram that is no login
 * ppp		the same with IPv4 in a PPPoE session
 * fill		LOOPS sessions are admitted and stay, until the module goes
 */
#include <linux/etherdevice.h>
#include <linux/if_ether.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>

#include "admit.h"
#include "net.h"
#include "place.h"
#include "session.h"

#define REPEAT	20

static DEFINE_MUTEX(run_lock);
static u64 result_ps;
static atomic_t counter;
static u32 *ids;
static u32 ids_n, ids_max;
static struct resmon_net *ids_rn;

struct bench {
	struct resmon_net *rn;
	struct net_device *dev;
	u32 loops;
	u32 wrong;
};

static void admit_one(struct bench *b, u64 subscriber,
		      struct resmon_session **spare, struct resmon_decision *v)
{
	struct resmon_request req = {
		.type = RESMON_TYPE_PPPOE,
		.text = &subscriber,
		.text_len = sizeof(subscriber),
		.active = true,
		.spare = *spare,
	};

	rcu_read_lock();
	req.place = resmon_place_find(b->rn, b->dev->ifindex);
	resmon_key_set(b->rn, &req.key, b->dev->ifindex, 0, 0, req.type,
		       req.text, req.text_len);
	resmon_admit(b->rn, &req, v);
	rcu_read_unlock();
	*spare = req.spare;
}

static void end_one(struct resmon_net *rn, u32 id)
{
	struct resmon_session *session;

	spin_lock_bh(&rn->charge_lock);
	session = resmon_session_find(rn, id);
	if (session)
		resmon_session_end(rn, session);
	spin_unlock_bh(&rn->charge_lock);
}

static void loop_atomic(struct bench *b)
{
	u32 i;

	for (i = 0; i < b->loops; i++)
		atomic_inc(&counter);
}

static void loop_admit(struct bench *b)
{
	struct resmon_session *spare = NULL;
	struct resmon_decision v;
	u32 i;

	for (i = 0; i < b->loops; i++) {
		admit_one(b, (u64)i << 32, &spare, &v);
		if (!v.id)
			b->wrong++;
		else
			end_one(b->rn, v.id);
	}
	resmon_session_free(spare);
}

static void loop_refuse(struct bench *b)
{
	struct resmon_session *spare = NULL;
	struct resmon_decision v;
	u32 i;

	for (i = 0; i < b->loops; i++) {
		admit_one(b, (u64)i << 32, &spare, &v);
		if (v.id)
			b->wrong++;
	}
	resmon_session_free(spare);
}

/* What a frame carries behind its MAC header. */
struct payload {
	u16 proto;
	u8 len;
	u8 data[64];
};

/* With a service name and a Host-Uniq, as clients send it. */
static const struct payload padi = {
	ETH_P_PPP_DISC, 18,
	{ 0x11, 0x09, 0, 0, 0, 12, 1, 1, 0, 0, 1, 3, 0, 4, 1, 2, 3, 4 },
};

static const struct payload ip4 = {
	ETH_P_IP, 40,
	{ 0x45, 0, 0, 40, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
	  0x30, 0x39, 0x01, 0xbb, 0, 20 },
};

static const struct payload ip6 = {
	ETH_P_IPV6, 60,
	{ 0x60, 0, 0, 0, 0, 20, 17, 64, 0xfd, [23] = 1, [24] = 0xfd, [39] = 2,
	  0x30, 0x39, 0x01, 0xbb, 0, 20 },
};

static const struct payload ppp = {
	ETH_P_PPP_SES, 28,
	{ 0x11, 0, 0, 1, 0, 22, 0, 0x21, 0x45, 0, 0, 20 },
};

static struct sk_buff *frame(struct net_device *dev,
			     const struct payload *payload, u32 n)
{
	struct sk_buff *skb = netdev_alloc_skb(dev, 128);

	if (!skb)
		return NULL;
	skb_put_zero(skb, max(ETH_ZLEN, ETH_HLEN + payload->len));
	eth_broadcast_addr(skb->data);
	skb->data[ETH_ALEN] = 2;
	put_unaligned_be32(n, skb->data + ETH_ALEN + 2);
	put_unaligned_be16(payload->proto, skb->data + 2 * ETH_ALEN);
	memcpy(skb->data + ETH_HLEN, payload->data, payload->len);
	skb->protocol = eth_type_trans(skb, dev);
	return skb;
}

static void loop_skb(struct bench *b)
{
	u32 i;

	for (i = 0; i < b->loops; i++)
		kfree_skb(frame(b->dev, &padi, i));
}

static void receive(struct bench *b, const struct payload *payload)
{
	struct sk_buff *skb;
	u32 i;

	for (i = 0; i < b->loops; i++) {
		skb = frame(b->dev, payload, i);
		if (!skb) {
			b->wrong++;
			continue;
		}
		local_bh_disable();
		netif_receive_skb(skb);
		local_bh_enable();
	}
}

static void loop_padi(struct bench *b)
{
	receive(b, &padi);
}

static void loop_ip4(struct bench *b)
{
	receive(b, &ip4);
}

static void loop_ip6(struct bench *b)
{
	receive(b, &ip6);
}

static void loop_ppp(struct bench *b)
{
	receive(b, &ppp);
}

static int fill(struct bench *b)
{
	struct resmon_session *spare = NULL;
	struct resmon_decision v;
	u32 i;

	if (ids)
		return -EBUSY;
	ids = kvcalloc(b->loops, sizeof(*ids), GFP_KERNEL);
	if (!ids)
		return -ENOMEM;
	ids_max = b->loops;
	ids_rn = b->rn;
	for (i = 0; i < b->loops; i++) {
		admit_one(b, i, &spare, &v);
		if (v.id)
			ids[ids_n++] = v.id;
		cond_resched();
	}
	resmon_session_free(spare);
	result_ps = ids_n;
	return ids_n == b->loops ? 0 : -ENOSPC;
}

static const struct {
	const char *name;
	void (*loop)(struct bench *b);
} modes[] = {
	{ "atomic", loop_atomic },
	{ "admit", loop_admit },
	{ "refuse", loop_refuse },
	{ "skb", loop_skb },
	{ "padi", loop_padi },
	{ "ip4", loop_ip4 },
	{ "ip6", loop_ip6 },
	{ "ppp", loop_ppp },
};

static void measure(struct bench *b, void (*loop)(struct bench *b))
{
	u64 best = U64_MAX, start;
	int i;

	for (i = 0; i < REPEAT; i++) {
		start = ktime_get_ns();
		loop(b);
		best = min(best, ktime_get_ns() - start);
		/* What was freed under RCU is not to pile up. */
		synchronize_rcu();
		cond_resched();
	}
	result_ps = div_u64(best * 1000, b->loops);
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	struct bench b = {};
	char mode[16], dev[IFNAMSIZ];
	int i, err = -EINVAL;

	if (sscanf(val, "%15s %15s %u", mode, dev, &b.loops) != 3 || !b.loops)
		return -EINVAL;
	b.rn = resmon_net_of(current->nsproxy->net_ns);
	b.dev = dev_get_by_name(current->nsproxy->net_ns, dev);
	if (!b.dev)
		return -ENODEV;
	mutex_lock(&run_lock);
	if (!strcmp(mode, "fill"))
		err = fill(&b);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strcmp(mode, modes[i].name))
			continue;
		measure(&b, modes[i].loop);
		err = b.wrong ? -EIO : 0;
	}
	mutex_unlock(&run_lock);
	dev_put(b.dev);
	return err;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static int result_get(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%llu\n", result_ps);
}

static const struct kernel_param_ops result_ops = { .get = result_get };
module_param_cb(result, &result_ops, NULL, 0400);

static int __init bench_init(void)
{
	return 0;
}

static void __exit bench_exit(void)
{
	while (ids_n) {
		end_one(ids_rn, ids[--ids_n]);
		cond_resched();
	}
	kvfree(ids);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("What resmon costs inside the kernel");
MODULE_LICENSE("GPL");
