// SPDX-License-Identifier: GPL-2.0-only
/*
 * The round trip time throttle of a device, a lag or an anchored port: its
 * settings, its measurements, and the load gate. The arithmetic is in
 * throttle.c, what probes a device in echo.c.
 */
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "admit.h"
#include "bundle.h"
#include "net.h"
#include "rtt.h"
#include "trace.h"

/* Seconds after which the throttle of a lost agent is released (E8). */
#define RTT_LIFETIME_S		30

/* Seconds after which sticky chooses anew (E9). */
#define RTT_EPOCH_S		60

/**
 * resmon_rtt_defaults() - the settings that nobody has to make
 * @params: filled in
 *
 * Context: Any.
 */
void resmon_rtt_defaults(struct resmon_rtt_params *params)
{
	memset(params, 0, sizeof(*params));
	resmon_throttle_defaults(&params->throttle);
	params->lifetime_s = RTT_LIFETIME_S;
	params->select = RESMON_SELECT_AUTO;
	params->epoch_s = RTT_EPOCH_S;
}

/**
 * resmon_rtt_init() - a throttle with the default settings
 * @rtt: the throttle, zeroed
 * @rn: the chassis
 * @elem: the element it throttles; of a place when @bundle is set
 * @bundle: it is fed from the devices that the place stands on
 *
 * Context: Under config_lock, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_rtt_init(struct resmon_rtt *rtt, struct resmon_net *rn,
		    struct resmon_element *elem, bool bundle)
{
	struct resmon_rtt_params *params;

	lockdep_assert_held(&rn->config_lock);

	params = kzalloc_obj(*params, GFP_KERNEL_ACCOUNT);
	if (!params)
		return -ENOMEM;
	resmon_rtt_defaults(params);

	rtt->rn = rn;
	rtt->elem = elem;
	spin_lock_init(&rtt->lock);
	atomic_set(&rtt->spread, 0);
	get_random_bytes(&rtt->key, sizeof(rtt->key));
	INIT_LIST_HEAD(&rtt->bundle);
	RCU_INIT_POINTER(rtt->params, params);
	if (bundle)
		list_add_rcu(&rtt->bundle, &rn->bundles);
	return 0;
}

/**
 * resmon_rtt_exit() - undo resmon_rtt_init()
 * @rtt: the throttle; its memory stays for a grace period
 *
 * Context: Under config_lock.
 */
void resmon_rtt_exit(struct resmon_rtt *rtt)
{
	struct resmon_rtt_params *params;

	lockdep_assert_held(&rtt->rn->config_lock);

	if (!list_empty(&rtt->bundle))
		list_del_rcu(&rtt->bundle);
	params = rcu_replace_pointer(rtt->params, NULL,
				     lockdep_is_held(&rtt->rn->config_lock));
	kfree_rcu(params, rcu);
}

static bool rtt_spread(struct resmon_rtt *rtt, u32 percent)
{
	int old = atomic_read(&rtt->spread);
	bool deny;
	u32 acc;

	do {
		acc = old;
		deny = resmon_throttle_spread(&acc, percent);
	} while (!atomic_try_cmpxchg(&rtt->spread, &old, acc));
	return deny;
}

/*
 * The number of the epoch is hashed along, which is as good as a new key and
 * needs nobody to make one.
 */
static bool rtt_sticky(const struct resmon_rtt *rtt, u32 percent, u32 epoch_s,
		       const struct resmon_key *key)
{
	struct {
		struct resmon_key key;
		u64 epoch;
	} subscriber = { .key = *key };

	BUILD_BUG_ON(sizeof(subscriber) != sizeof(*key) + sizeof(u64));

	subscriber.epoch = div_u64(ktime_get_boottime_seconds(), epoch_s);
	/* The upper half as a fraction of one: no division, no bias. */
	return ((siphash(&subscriber, sizeof(subscriber), &rtt->key) >> 32) *
		100) >> 32 < percent;
}

/**
 * resmon_rtt_refuses() - does the throttle deny a request? (E9)
 * @rtt: the throttle
 * @req: the request
 *
 * Context: RCU read section, BH off.
 * Return: true to deny.
 */
bool resmon_rtt_refuses(struct resmon_rtt *rtt,
			const struct resmon_request *req)
{
	/* Written under the lock, in one piece as it is aligned. */
	u32 percent = READ_ONCE(rtt->throttle.percent);
	const struct resmon_rtt_params *params;
	u32 select;

	if (likely(!percent))
		return false;

	params = rcu_dereference(rtt->params);
	if (!params)
		return false;
	select = params->select;
	if (select == RESMON_SELECT_AUTO)
		select = req->packet ? RESMON_SELECT_STICKY :
				       RESMON_SELECT_SPREAD;
	if (select == RESMON_SELECT_STICKY && req->key.how != RESMON_KEY_NONE)
		return rtt_sticky(rtt, percent, params->epoch_s, &req->key);
	return rtt_spread(rtt, percent);
}

/**
 * resmon_rtt_allowed() - percent of the requests that a throttle lets pass
 * @rtt: the throttle
 *
 * Context: Any.
 * Return: 0..100.
 */
u32 resmon_rtt_allowed(const struct resmon_rtt *rtt)
{
	return 100 - READ_ONCE(rtt->throttle.percent);
}

/**
 * resmon_rtt_read() - what there is to show of a throttle
 * @rtt: the throttle
 * @show: filled in
 *
 * Context: Any but hard interrupts.
 */
void resmon_rtt_read(struct resmon_rtt *rtt, struct resmon_rtt_show *show)
{
	u64 sum = 0;
	u32 i;

	memset(show, 0, sizeof(*show));
	spin_lock_bh(&rtt->lock);
	show->throttle = rtt->throttle.percent;
	show->consecutive = rtt->throttle.run;
	show->measuring = rtt->measuring;
	if (rtt->measuring) {
		show->rtt_us = rtt->last_us;
		show->exceeded = rtt->last_exceeded;
		show->avg_n = rtt->window_n;
		for (i = 1; i <= rtt->window_n; i++)
			sum += rtt->window[(rtt->number - i) %
					   RESMON_RTT_WINDOW];
		if (rtt->window_n)
			show->avg_us = div_u64(sum, rtt->window_n);
	}
	show->measured = rtt->measured;
	show->over = rtt->over;
	show->unanswered = rtt->unanswered;
	show->raised = rtt->raised;
	spin_unlock_bh(&rtt->lock);
}

static void rtt_event(struct resmon_rtt *rtt, u8 type, u32 old)
{
	struct resmon_event event = {
		.type = type,
		.id = rtt->elem->id,
		.value = rtt->throttle.percent,
		.mark = old,
		.rtt_us = rtt->last_us,
	};

	lockdep_assert_held(&rtt->lock);
	resmon_event_post(rtt->rn, &event);
}

static void rtt_changed(struct resmon_rtt *rtt,
			enum resmon_throttle_change change, u32 old)
{
	lockdep_assert_held(&rtt->lock);

	switch (change) {
	case RESMON_THROTTLE_SAME:
		return;
	case RESMON_THROTTLE_SILENT:
		rtt_event(rtt, RESMON_EVENT_TYPE_ECHO_SILENT, old);
		return;
	case RESMON_THROTTLE_UP:
		rtt->raised++;
		break;
	case RESMON_THROTTLE_DOWN:
		break;
	}
	trace_resmon_throttle(rtt->rn, &rtt->elem->id, old,
			      rtt->throttle.percent, rtt->last_us);
	rtt_event(rtt, RESMON_EVENT_TYPE_THROTTLE, old);
}

/**
 * resmon_rtt_take() - one measurement of a device, or one round of a bundle
 * @rtt: the throttle
 * @params: its settings
 * @sample: the measurement
 * @unanswered: it had no answer in time
 * @now_ns: when it was judged, in ns of CLOCK_BOOTTIME
 *
 * Context: Under resmon_rtt.lock.
 * Return: The number of the measurement.
 */
u32 resmon_rtt_take(struct resmon_rtt *rtt,
		    const struct resmon_throttle_params *params,
		    const struct resmon_throttle_sample *sample,
		    bool unanswered, u64 now_ns)
{
	enum resmon_throttle_change change;
	u32 old = rtt->throttle.percent;

	lockdep_assert_held(&rtt->lock);

	rtt->measured++;
	rtt->over += sample->exceeded;
	rtt->unanswered += unanswered;
	rtt->window[rtt->number % RESMON_RTT_WINDOW] = sample->rtt_us;
	if (rtt->window_n < RESMON_RTT_WINDOW)
		rtt->window_n++;
	rtt->last_us = sample->rtt_us;
	rtt->last_exceeded = sample->exceeded;
	WRITE_ONCE(rtt->measuring, true);

	change = resmon_throttle_sample(&rtt->throttle, params, sample, now_ns);
	rtt_changed(rtt, change, old);
	return rtt->number++;
}

/**
 * resmon_rtt_sample() - take one measurement of a device
 * @rtt: the throttle of the device
 * @sample: the measurement
 * @unanswered: it had no answer in time
 * @now_ns: when it was judged, in ns of CLOCK_BOOTTIME
 *
 * Context: Any but hard interrupts.
 * Return: The number of the measurement, for resmon_rtt_late().
 */
u32 resmon_rtt_sample(struct resmon_rtt *rtt,
		      const struct resmon_throttle_sample *sample,
		      bool unanswered, u64 now_ns)
{
	const struct resmon_rtt_params *params;
	u32 number = 0;

	rcu_read_lock();
	params = rcu_dereference(rtt->params);
	if (params) {
		spin_lock_bh(&rtt->lock);
		WRITE_ONCE(rtt->live, true);
		number = resmon_rtt_take(rtt, &params->throttle, sample,
					 unanswered, now_ns);
		spin_unlock_bh(&rtt->lock);
	}
	rcu_read_unlock();
	resmon_bundle_sample(rtt, sample, unanswered, now_ns);
	return number;
}

/**
 * resmon_rtt_late() - an answer to a probe that was judged already
 * @rtt: the throttle of the device
 * @number: of the measurement, from resmon_rtt_sample()
 * @rtt_us: the round trip time in us
 * @threshold_us: what it was judged by, in us
 *
 * It is no second measurement: it tells how long the first one took in the
 * end, and that the card is slow and not dead (E8).
 *
 * Context: Any but hard interrupts.
 */
void resmon_rtt_late(struct resmon_rtt *rtt, u32 number, u32 rtt_us,
		     u32 threshold_us)
{
	u32 age;

	spin_lock_bh(&rtt->lock);
	resmon_throttle_late(&rtt->throttle, rtt_us, threshold_us);
	age = rtt->number - number;
	if (age && age <= rtt->window_n)
		rtt->window[number % RESMON_RTT_WINDOW] = rtt_us;
	if (rtt->measuring)
		rtt->last_us = rtt_us;
	spin_unlock_bh(&rtt->lock);
	resmon_bundle_late(rtt, rtt_us, threshold_us);
}

static void rtt_release(struct resmon_rtt *rtt)
{
	u32 old = rtt->throttle.percent;

	lockdep_assert_held(&rtt->lock);

	memset(&rtt->throttle, 0, sizeof(rtt->throttle));
	if (old)
		rtt_changed(rtt, RESMON_THROTTLE_DOWN, old);
}

/**
 * resmon_rtt_forget() - as if there had been no measurement
 * @rtt: the throttle; it is released
 *
 * Context: Under resmon_rtt.lock.
 */
void resmon_rtt_forget(struct resmon_rtt *rtt)
{
	lockdep_assert_held(&rtt->lock);

	rtt_release(rtt);
	WRITE_ONCE(rtt->live, false);
	WRITE_ONCE(rtt->measuring, false);
	rtt->last_us = 0;
	rtt->last_exceeded = false;
	rtt->window_n = 0;
	bitmap_zero(rtt->round.seen, RESMON_DEVICE_MAX + 1);
}

/**
 * resmon_rtt_pause() - measurements will not come for a while
 * @rtt: the throttle of a device; it stays as it is
 *
 * Context: Any but hard interrupts.
 */
void resmon_rtt_pause(struct resmon_rtt *rtt)
{
	spin_lock_bh(&rtt->lock);
	WRITE_ONCE(rtt->live, false);
	spin_unlock_bh(&rtt->lock);
	resmon_bundle_check(rtt->rn);
}

/**
 * resmon_rtt_stop() - nothing measures a device any more
 * @rtt: the throttle of the device; it is released
 *
 * Context: Any but hard interrupts.
 */
void resmon_rtt_stop(struct resmon_rtt *rtt)
{
	spin_lock_bh(&rtt->lock);
	resmon_rtt_forget(rtt);
	spin_unlock_bh(&rtt->lock);
	resmon_bundle_check(rtt->rn);
}

/**
 * resmon_rtt_release() - let everybody in again
 * @rtt: the throttle; measurements go on
 *
 * Context: Any but hard interrupts.
 */
void resmon_rtt_release(struct resmon_rtt *rtt)
{
	spin_lock_bh(&rtt->lock);
	rtt_release(rtt);
	spin_unlock_bh(&rtt->lock);
}

/**
 * resmon_rtt_params_get() - a copy of the settings
 * @rtt: the throttle
 * @params: filled in; the defaults when the throttle is going away
 *
 * Context: RCU read section or config_lock.
 */
void resmon_rtt_params_get(const struct resmon_rtt *rtt,
			   struct resmon_rtt_params *params)
{
	const struct resmon_rtt_params *now;

	now = rcu_dereference_check(rtt->params,
				    lockdep_is_held(&rtt->rn->config_lock));
	if (now)
		*params = *now;
	else
		resmon_rtt_defaults(params);
}

/**
 * resmon_rtt_params_set() - replace the settings
 * @rtt: the throttle; a new highest percentage holds at once
 * @params: the settings
 *
 * Context: Under config_lock, may sleep.
 * Return: 0 or -ENOMEM, and then nothing changed.
 */
int resmon_rtt_params_set(struct resmon_rtt *rtt,
			  const struct resmon_rtt_params *params)
{
	enum resmon_throttle_change change;
	struct resmon_rtt_params *new;
	u32 old;

	lockdep_assert_held(&rtt->rn->config_lock);

	new = kmemdup(params, sizeof(*params), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;

	spin_lock_bh(&rtt->lock);
	old = rtt->throttle.percent;
	change = resmon_throttle_limit(&rtt->throttle, &new->throttle);
	rtt_changed(rtt, change, old);
	new = rcu_replace_pointer(rtt->params, new,
				  lockdep_is_held(&rtt->rn->config_lock));
	spin_unlock_bh(&rtt->lock);
	kfree_rcu(new, rcu);
	return 0;
}
