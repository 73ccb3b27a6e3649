/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_RTT_H
#define RESMON_RTT_H

#include <linux/bitmap.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>

#include "element.h"
#include "pure.h"

struct resmon_device;
struct resmon_request;

/* Measurements that the average of the overview is taken of. */
#define RESMON_RTT_WINDOW	60

/**
 * struct resmon_rtt_params - settings of the throttle of one element
 * @rcu: for kfree_rcu()
 * @throttle: what the arithmetic needs; threshold_us is 0 while nobody set it:
 *	then a device takes the default of its engine, a bundle the thresholds
 *	of its devices
 * @lifetime_s: seconds after which the throttle of a lost agent is released
 * @select: enum resmon_select
 * @epoch_s: seconds after which sticky takes a new key
 */
struct resmon_rtt_params {
	struct rcu_head rcu;
	struct resmon_throttle_params throttle;
	u32 lifetime_s;
	u32 select;
	u32 epoch_s;
};

/**
 * struct resmon_rtt - the round trip time throttle of a device, a lag or an
 *	anchored port
 * @rn: the chassis
 * @elem: the element it throttles
 * @bundle: in resmon_net.bundles when it is fed from several devices, else
 *	empty
 * @params: replaced whole under config_lock, read under RCU
 * @lock: protects everything below; taken with BH off
 * @throttle: state of the law; percent is read without the lock by the gate
 * @window: the last round trip times in us
 * @window_n: how many there are
 * @window_next: where the next one goes
 * @last_us: the last round trip time in us, valid while @measuring
 * @last_exceeded: the last measurement was above the threshold
 * @measuring: there is a last round trip time
 * @measured: measurements
 * @over: of these, above the threshold
 * @unanswered: of these, without an answer in time
 * @raised: how often the throttle rose
 * @round: devices that have given a measurement in this round (E7)
 * @round_sample: the worst of them
 * @round_ratio: its round trip time as parts of 65536 of its threshold
 * @spread: error that the diffusion carries (E9); written without the lock
 * @key: of the sticky hash
 * @key_until: second of CLOCK_BOOTTIME at which the key ends
 */
struct resmon_rtt {
	struct resmon_net *rn;
	struct resmon_element *elem;
	struct list_head bundle;
	struct resmon_rtt_params __rcu *params;
	spinlock_t lock;	/* see above */
	struct resmon_throttle throttle;
	u32 window[RESMON_RTT_WINDOW];
	u32 window_n;
	u32 window_next;
	u32 last_us;
	bool last_exceeded;
	bool measuring;
	u64 measured;
	u64 over;
	u64 unanswered;
	u64 raised;
	DECLARE_BITMAP(round, RESMON_DEVICE_MAX + 1);
	struct resmon_throttle_sample round_sample;
	u64 round_ratio;
	atomic_t spread;
	siphash_key_t key;
	u32 key_until;
};

int resmon_rtt_init(struct resmon_rtt *rtt, struct resmon_net *rn,
		    struct resmon_element *elem, bool bundle);
void resmon_rtt_exit(struct resmon_rtt *rtt);
bool resmon_rtt_refuses(struct resmon_rtt *rtt,
			const struct resmon_request *req);
u32 resmon_rtt_allowed(const struct resmon_rtt *rtt);

#endif /* RESMON_RTT_H */
