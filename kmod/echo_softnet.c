// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine `softnet`: how long a frame waits in the receive path of this
 * host.
 *
 * A timer on each CPU takes the time in hard interrupt context and hands a
 * private skb to netif_rx(); a packet handler takes the time again. Neither a
 * timer in a softirq nor a work would do: they wait with the load that they
 * should measure.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "device.h"
#include "echo.h"
#include "net.h"

/* What the skb of a probe carries: room for a pointer to its CPU, and to spare. */
#define SOFTNET_LEN	64

/**
 * struct softnet_cpu - the probes of one CPU
 * @timer: sends the next one; on this CPU alone
 * @softnet: the engine
 * @skb: the probe, NULL until the CPU was seen online; it is on its way while
 *	anybody but us has a reference, so that at most one ever is
 * @cpu: number of the CPU
 * @seq: number of the last probe; written by @timer
 * @judged: number of the last probe that was judged before its answer
 * @sent_ns: when the last probe was sent; written by @timer
 * @rtt_us: longest round trip time since the last look in us, 0 for none
 * @late_us: the same, of probes that were judged already
 * @sent: probes sent since the last look
 * @answered: probes answered since the last look
 * @lost: probes since the last look that the backlog had no room for, or that
 *	could not be sent because the one before was still on its way
 */
struct softnet_cpu {
	struct hrtimer timer;
	struct resmon_softnet *softnet;
	struct sk_buff *skb;
	int cpu;
	u32 seq;
	u32 judged;
	atomic64_t sent_ns;
	atomic_t rtt_us;
	atomic_t late_us;
	atomic_t sent;
	atomic_t answered;
	atomic_t lost;
};

/**
 * struct resmon_softnet - the engine of one device
 * @pack: the handler of the probes, on @dev alone
 * @dev: a net device that nobody else sees
 * @interval: between two probes of a CPU
 * @first: when the first probe is sent
 * @cpu: what each CPU has
 */
struct resmon_softnet {
	struct packet_type pack;
	struct net_device *dev;
	ktime_t interval;
	ktime_t first;
	struct softnet_cpu __percpu *cpu;
};

/* One probe of each CPU, as the work sees it. */
struct softnet_look {
	struct resmon_throttle_sample worst;
	struct resmon_echo_counts counts;
	u64 ratio;
	u32 late_us;
	bool any;
	bool unanswered;
};

static void keep_longest(atomic_t *longest, u32 us)
{
	/* Probes of a CPU come one at a time, only the work is beside us. */
	if (us > (u32)atomic_read(longest))
		atomic_set(longest, us);
}

static int softnet_rcv(struct sk_buff *skb, struct net_device *dev,
		       struct packet_type *pack, struct net_device *orig_dev)
{
	struct softnet_cpu *c = *(struct softnet_cpu **)skb->data;
	u64 age_ns = ktime_get_ns() - atomic64_read(&c->sent_ns);
	u32 us = clamp_t(u64, div_u64(age_ns, NSEC_PER_USEC), 1, INT_MAX);

	atomic_inc(&c->answered);
	if (READ_ONCE(c->judged) == READ_ONCE(c->seq))
		keep_longest(&c->late_us, us);
	else
		keep_longest(&c->rtt_us, us);
	/* Gives the reference of the way back: from here on it may be reused. */
	consume_skb(skb);
	return NET_RX_SUCCESS;
}

static enum hrtimer_restart softnet_send(struct hrtimer *timer)
{
	struct softnet_cpu *c = container_of(timer, struct softnet_cpu, timer);
	struct sk_buff *skb = c->skb;

	/* Its CPU went away and left it to another one. */
	if (c->cpu != smp_processor_id())
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, c->softnet->interval);

	if (skb_shared(skb)) {
		atomic_inc(&c->lost);
		return HRTIMER_RESTART;
	}
	/* Pairs with the release in the drop of the reference. */
	smp_acquire__after_ctrl_dep();

	skb->tstamp = 0;
	resmon_skb_skip_taps(skb);
	WRITE_ONCE(c->seq, c->seq + 1);
	atomic64_set(&c->sent_ns, ktime_get_ns());
	if (netif_rx(skb_get(skb)) == NET_RX_DROP)
		atomic_inc(&c->lost);
	else
		atomic_inc(&c->sent);
	return HRTIMER_RESTART;
}

static void softnet_dev_setup(struct net_device *dev)
{
	dev->type = ARPHRD_NONE;
}

static bool softnet_supported(struct netlink_ext_ack *extack)
{
	if (!IS_ENABLED(CONFIG_NET_CLS_ACT)) {
		NL_SET_ERR_MSG(extack,
			       "engine softnet needs a kernel with CONFIG_NET_CLS_ACT");
		return false;
	}
	/* A hard interrupt cannot reach the backlog there. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		NL_SET_ERR_MSG(extack,
			       "engine softnet needs a kernel without CONFIG_PREEMPT_RT");
		return false;
	}
	return true;
}

static struct sk_buff *softnet_skb(struct softnet_cpu *c)
{
	struct sk_buff *skb = alloc_skb(SOFTNET_LEN, GFP_KERNEL);

	if (!skb)
		return NULL;
	*(struct softnet_cpu **)skb_put_zero(skb, SOFTNET_LEN) = c;
	skb_reset_mac_header(skb);
	skb_reset_network_header(skb);
	skb_reset_transport_header(skb);
	skb->dev = c->softnet->dev;
	skb->protocol = c->softnet->pack.type;
	return skb;
}

static void softnet_begin(void *data)
{
	struct softnet_cpu *c = data;

	/* All CPUs send at once, halfway between two looks of the work. */
	hrtimer_set_expires(&c->timer, c->softnet->first);
	hrtimer_forward_now(&c->timer, c->softnet->interval);
	hrtimer_start_expires(&c->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

/* CPUs come and go: all that are online have a timer after it. */
static void softnet_cpus(struct resmon_softnet *softnet)
{
	struct softnet_cpu *c;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		c = per_cpu_ptr(softnet->cpu, cpu);
		if (!c->skb)
			c->skb = softnet_skb(c);
		if (c->skb && !hrtimer_active(&c->timer))
			smp_call_function_single(cpu, softnet_begin, c, 1);
	}
	cpus_read_unlock();
}

/**
 * resmon_softnet_new() - begin to probe the receive path
 * @interval_ms: between two probes of a CPU in ms
 * @extack: set on error
 *
 * Context: Process context, may sleep.
 * Return: The engine, or an error pointer.
 */
struct resmon_softnet *resmon_softnet_new(u32 interval_ms,
					  struct netlink_ext_ack *extack)
{
	struct resmon_softnet *softnet;
	struct softnet_cpu *c;
	int cpu;

	if (!softnet_supported(extack))
		return ERR_PTR(-EOPNOTSUPP);

	softnet = kzalloc_obj(*softnet, GFP_KERNEL_ACCOUNT);
	if (!softnet)
		return ERR_PTR(-ENOMEM);
	softnet->cpu = alloc_percpu(struct softnet_cpu);
	if (!softnet->cpu)
		goto err_free;
	/*
	 * Not init_dummy_netdev(): the device needs a receive queue, RPS looks
	 * at it.
	 */
	softnet->dev = alloc_netdev(0, "resmon-softnet", NET_NAME_UNKNOWN,
				    softnet_dev_setup);
	if (!softnet->dev)
		goto err_cpu;
	/* The backlog takes nothing for a device that is down. */
	set_bit(__LINK_STATE_START, &softnet->dev->state);

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(softnet->cpu, cpu);
		c->softnet = softnet;
		c->cpu = cpu;
		hrtimer_setup(&c->timer, softnet_send, CLOCK_MONOTONIC,
			      HRTIMER_MODE_ABS_PINNED_HARD);
	}
	softnet->interval = ms_to_ktime(interval_ms);
	softnet->first = ktime_add_ms(ktime_get(), interval_ms / 2);
	/* A type that no packet socket can be bound to. */
	softnet->pack.type = 0;
	softnet->pack.dev = softnet->dev;
	softnet->pack.func = softnet_rcv;
	dev_add_pack(&softnet->pack);
	softnet_cpus(softnet);
	return softnet;

err_cpu:
	free_percpu(softnet->cpu);
err_free:
	kfree(softnet);
	return ERR_PTR(-ENOMEM);
}

/**
 * resmon_softnet_free() - probe the receive path no more
 * @softnet: the engine, or NULL
 *
 * Context: Process context, may sleep; the work does not run any more.
 */
void resmon_softnet_free(struct resmon_softnet *softnet)
{
	struct softnet_cpu *c;
	int cpu;

	if (!softnet)
		return;
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(softnet->cpu, cpu)->timer);

	/* Probes in a backlog come out of it sooner or later, even at 100 %. */
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(softnet->cpu, cpu);
		while (c->skb && skb_shared(c->skb))
			schedule_timeout_uninterruptible(1);
	}
	/* The last ones may still be on their way out of the handler. */
	dev_remove_pack(&softnet->pack);

	for_each_possible_cpu(cpu)
		kfree_skb(per_cpu_ptr(softnet->cpu, cpu)->skb);
	free_netdev(softnet->dev);
	free_percpu(softnet->cpu);
	kfree(softnet);
}

static void look_at(struct softnet_look *look, struct softnet_cpu *c,
		    u32 threshold_us)
{
	struct resmon_throttle_sample mine = { .threshold_us = threshold_us };
	u32 late_us = atomic_xchg(&c->late_us, 0);
	u32 lost = atomic_xchg(&c->lost, 0);
	u32 seq = READ_ONCE(c->seq);
	bool unanswered = lost;
	u64 age_us, ratio;

	/* In this order there are never more answers than probes. */
	look->counts.answered += atomic_xchg(&c->answered, 0);
	look->counts.sent += atomic_xchg(&c->sent, 0);
	look->counts.lost += lost;
	look->counts.late += !!late_us;
	look->late_us = max(look->late_us, late_us);

	mine.rtt_us = atomic_xchg(&c->rtt_us, 0);
	mine.answered = mine.rtt_us || late_us;
	if (mine.rtt_us > threshold_us) {
		look->counts.late++;
		unanswered = true;
	}
	if (c->skb && skb_shared(c->skb)) {
		age_us = div_u64(ktime_get_ns() - atomic64_read(&c->sent_ns),
				 NSEC_PER_USEC);
		if (age_us > threshold_us) {
			unanswered |= c->judged != seq;
			WRITE_ONCE(c->judged, seq);
			mine.rtt_us = max_t(u64, mine.rtt_us,
					    min_t(u64, age_us, INT_MAX));
		}
	}
	/* Of a probe that was lost nothing is known but that it was too much. */
	if (lost)
		mine.rtt_us = max3(mine.rtt_us, late_us, threshold_us + 1);
	if (!mine.rtt_us && !unanswered)
		return;
	mine.exceeded = unanswered;

	ratio = resmon_throttle_ratio(mine.rtt_us, threshold_us);
	if (look->any && (ratio < look->ratio ||
			  (look->worst.exceeded && !mine.exceeded)))
		return;
	look->any = true;
	look->ratio = ratio;
	look->worst = mine;
	look->unanswered = unanswered;
}

/**
 * resmon_softnet_work() - look at the probes of all CPUs, the worst one counts
 * @device: the device
 *
 * Context: The work of the device, may sleep.
 */
void resmon_softnet_work(struct resmon_device *device)
{
	struct resmon_softnet *softnet = device->echo.softnet;
	struct resmon_echo *echo = &device->echo;
	struct softnet_look look = {};
	u32 threshold_us, number;
	u64 now_ns;
	int cpu;

	softnet_cpus(softnet);

	rcu_read_lock();
	threshold_us = resmon_echo_threshold_us(device);
	rcu_read_unlock();

	spin_lock_bh(&echo->lock);
	now_ns = ktime_get_boottime_ns();
	if (resmon_echo_due(echo, now_ns)) {
		for_each_possible_cpu(cpu)
			look_at(&look, per_cpu_ptr(softnet->cpu, cpu),
				threshold_us);
		echo->counts.sent += look.counts.sent;
		echo->counts.answered += look.counts.answered;
		echo->counts.lost += look.counts.lost;
		echo->counts.late += look.counts.late;
	}
	if (look.any) {
		number = resmon_rtt_sample(&device->rtt, &look.worst,
					   look.unanswered, now_ns);
		if (look.late_us)
			resmon_rtt_late(&device->rtt, number,
					max(look.worst.rtt_us, look.late_us),
					threshold_us);
	}
	resmon_echo_again(echo, now_ns, echo->next_ns);
	spin_unlock_bh(&echo->lock);
}
