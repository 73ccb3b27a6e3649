/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_RTT_H
#define RESMON_RTT_H

#include <linux/bitmap.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>

#include "element.h"
#include "pure.h"

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
 * @epoch_s: seconds after which sticky chooses anew
 */
struct resmon_rtt_params {
	struct rcu_head rcu;
	struct resmon_throttle_params throttle;
	u32 lifetime_s;
	u32 select;
	u32 epoch_s;
};

/**
 * struct resmon_rtt_round - what the devices of a bundle measured (E7)
 * @seen: slots of the devices that have given a measurement
 * @worst: the measurement with the largest share of its threshold
 * @ratio: this share, as parts of 65536
 * @device: slot of the device that gave it
 * @unanswered: it had no answer in time
 */
struct resmon_rtt_round {
	DECLARE_BITMAP(seen, RESMON_DEVICE_MAX + 1);
	struct resmon_throttle_sample worst;
	u64 ratio;
	u32 device;
	bool unanswered;
};

/**
 * struct resmon_rtt - the round trip time throttle of a device, a lag or an
 *	anchored port
 * @rn: the chassis
 * @elem: the element it throttles
 * @bundle: in resmon_net.bundles when it is fed from several devices, else
 *	empty; written under config_lock, read under RCU
 * @params: replaced whole under config_lock, read under RCU
 * @spread: error that the diffusion carries (E9); written without the lock
 * @key: of the sticky hash; set once
 * @lock: protects everything below; taken with BH off, under resmon_echo.lock
 *	of a device, a leaf but for the queue of events
 * @throttle: state of the law; percent is read without the lock by the gate
 * @window: round trip times in us, by the number of their measurement
 * @window_n: how many there are
 * @number: of the next measurement
 * @last_us: the last round trip time in us, valid while @measuring
 * @last_exceeded: the last measurement was above the threshold
 * @measuring: there is a last round trip time; read without the lock
 * @live: measurements keep coming; read without the lock
 * @measured: measurements
 * @over: of these, above the threshold
 * @unanswered: of these, without an answer in time
 * @raised: how often the throttle rose
 * @round: of a bundle, the measurements of its devices
 */
struct resmon_rtt {
	struct resmon_net *rn;
	struct resmon_element *elem;
	struct list_head bundle;
	struct resmon_rtt_params __rcu *params;
	atomic_t spread;
	siphash_key_t key;
	spinlock_t lock;	/* see above */
	struct resmon_throttle throttle;
	u32 window[RESMON_RTT_WINDOW];
	u32 window_n;
	u32 number;
	u32 last_us;
	bool last_exceeded;
	bool measuring;
	bool live;
	u64 measured;
	u64 over;
	u64 unanswered;
	u64 raised;
	struct resmon_rtt_round round;
};

/**
 * struct resmon_rtt_show - what there is to show of a throttle
 * @throttle: percent that is denied now
 * @rtt_us: last round trip time in us, valid while @measuring
 * @avg_us: mean of the last measurements in us
 * @avg_n: how many measurements the mean is of, 0 for none
 * @consecutive: length of the current run
 * @exceeded: the last measurement was above the threshold
 * @measuring: there is a last round trip time
 * @measured: measurements
 * @over: of these, above the threshold
 * @unanswered: of these, without an answer in time
 * @raised: how often the throttle rose
 */
struct resmon_rtt_show {
	u32 throttle;
	u32 rtt_us;
	u32 avg_us;
	u32 avg_n;
	u32 consecutive;
	bool exceeded;
	bool measuring;
	u64 measured;
	u64 over;
	u64 unanswered;
	u64 raised;
};

int resmon_rtt_init(struct resmon_rtt *rtt, struct resmon_net *rn,
		    struct resmon_element *elem, bool bundle);
void resmon_rtt_exit(struct resmon_rtt *rtt);
bool resmon_rtt_refuses(struct resmon_rtt *rtt,
			const struct resmon_request *req);
u32 resmon_rtt_allowed(const struct resmon_rtt *rtt);
void resmon_rtt_read(struct resmon_rtt *rtt, struct resmon_rtt_show *show);

void resmon_rtt_defaults(struct resmon_rtt_params *params);
void resmon_rtt_params_get(const struct resmon_rtt *rtt,
			   struct resmon_rtt_params *params);
int resmon_rtt_params_set(struct resmon_rtt *rtt,
			  const struct resmon_rtt_params *params);

u32 resmon_rtt_sample(struct resmon_rtt *rtt,
		      const struct resmon_throttle_sample *sample,
		      bool unanswered, u64 now_ns);
void resmon_rtt_late(struct resmon_rtt *rtt, u32 number, u32 rtt_us,
		     u32 threshold_us);
void resmon_rtt_pause(struct resmon_rtt *rtt);
void resmon_rtt_stop(struct resmon_rtt *rtt);
void resmon_rtt_release(struct resmon_rtt *rtt);
void resmon_rtt_forget(struct resmon_rtt *rtt);
u32 resmon_rtt_take(struct resmon_rtt *rtt,
		    const struct resmon_throttle_params *params,
		    const struct resmon_throttle_sample *sample,
		    bool unanswered, u64 now_ns);

#endif /* RESMON_RTT_H */
