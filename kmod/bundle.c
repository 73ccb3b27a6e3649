// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bundles: the throttles of lags and anchored ports, which stand instead of
 * those of their devices and are fed from them (E7).
 *
 * A round has one measurement of each device that measures; the worst of them
 * is the measurement of the bundle, so that two cards that are slow in turn
 * throttle it although neither is slow three times running.
 */
#include <linux/rculist.h>
#include <linux/timekeeping.h>

#include "bundle.h"
#include "device.h"
#include "net.h"
#include "place.h"

/* Is there a device that the bundle stands on and that @fn is true for? */
static bool bundle_any(const struct resmon_rtt *bundle,
		       bool (*fn)(const struct resmon_rtt *bundle,
				  const struct resmon_rtt *rtt))
{
	const struct resmon_place *place =
		container_of(bundle->elem, struct resmon_place, elem);
	const struct resmon_path *path = rcu_dereference(place->path);
	unsigned int i;

	for (i = 0; path && i < path->n; i++) {
		const struct resmon_level *level = &path->level[i];

		/* A leg that carries nothing has no say (C6a). */
		if (level->elem->id.kind == RESMON_ELEMENT_KIND_DEVICE &&
		    level->ask &&
		    fn(bundle, &resmon_device_of(level->elem)->rtt))
			return true;
	}
	return false;
}

static bool rtt_missing(const struct resmon_rtt *bundle,
			const struct resmon_rtt *rtt)
{
	return READ_ONCE(rtt->live) &&
	       !test_bit(rtt->elem->id.device, bundle->round.seen);
}

static bool rtt_measuring(const struct resmon_rtt *bundle,
			  const struct resmon_rtt *rtt)
{
	return READ_ONCE(rtt->measuring);
}

static bool bundle_stands_on(const struct resmon_rtt *bundle,
			     const struct resmon_rtt *rtt)
{
	const struct resmon_place *place =
		container_of(bundle->elem, struct resmon_place, elem);
	const struct resmon_path *path = rcu_dereference(place->path);
	unsigned int i;

	for (i = 0; path && i < path->n; i++)
		if (path->level[i].elem == rtt->elem)
			return path->level[i].ask;
	return false;
}

/* The round is over: its worst measurement is that of the bundle. */
static void bundle_flush(struct resmon_rtt *bundle,
			 const struct resmon_throttle_params *params,
			 u64 now_ns)
{
	struct resmon_rtt_round *round = &bundle->round;

	lockdep_assert_held(&bundle->lock);

	resmon_rtt_take(bundle, params, &round->worst, round->unanswered,
			now_ns);
	bitmap_zero(round->seen, RESMON_DEVICE_MAX + 1);
}

static void bundle_sample(struct resmon_rtt *bundle,
			  const struct resmon_rtt *rtt,
			  const struct resmon_throttle_sample *sample,
			  bool unanswered, u64 now_ns)
{
	struct resmon_throttle_sample mine = *sample;
	struct resmon_rtt_round *round = &bundle->round;
	const struct resmon_rtt_params *params;
	u32 device = rtt->elem->id.device;
	u64 ratio;

	params = rcu_dereference(bundle->params);
	if (!params)
		return;
	/* A threshold of the bundle counts more than those of its devices. */
	if (params->throttle.threshold_us) {
		mine.threshold_us = params->throttle.threshold_us;
		mine.exceeded = mine.rtt_us > mine.threshold_us;
	}
	ratio = resmon_throttle_ratio(mine.rtt_us, mine.threshold_us);

	spin_lock_bh(&bundle->lock);
	/* A device that is at its next measurement does not wait for others. */
	if (test_bit(device, round->seen))
		bundle_flush(bundle, &params->throttle, now_ns);
	if (bitmap_empty(round->seen, RESMON_DEVICE_MAX + 1) ||
	    ratio > round->ratio ||
	    (ratio == round->ratio && mine.exceeded)) {
		round->worst = mine;
		round->ratio = ratio;
		round->device = device;
		round->unanswered = unanswered;
	}
	__set_bit(device, round->seen);
	if (!bundle_any(bundle, rtt_missing))
		bundle_flush(bundle, &params->throttle, now_ns);
	spin_unlock_bh(&bundle->lock);
}

/**
 * resmon_bundle_sample() - a device has given a measurement
 * @rtt: the throttle of the device
 * @sample: the measurement
 * @unanswered: it had no answer in time
 * @now_ns: when it was judged, in ns of CLOCK_BOOTTIME
 *
 * Context: Any but hard interrupts.
 */
void resmon_bundle_sample(const struct resmon_rtt *rtt,
			  const struct resmon_throttle_sample *sample,
			  bool unanswered, u64 now_ns)
{
	struct resmon_rtt *bundle;

	rcu_read_lock();
	list_for_each_entry_rcu(bundle, &rtt->rn->bundles, bundle)
		if (bundle_stands_on(bundle, rtt))
			bundle_sample(bundle, rtt, sample, unanswered, now_ns);
	rcu_read_unlock();
}

static void bundle_late(struct resmon_rtt *bundle, const struct resmon_rtt *rtt,
			u32 rtt_us, u32 threshold_us)
{
	struct resmon_rtt_round *round = &bundle->round;
	const struct resmon_rtt_params *params;
	u32 device = rtt->elem->id.device;

	params = rcu_dereference(bundle->params);
	if (!params)
		return;
	if (params->throttle.threshold_us)
		threshold_us = params->throttle.threshold_us;

	spin_lock_bh(&bundle->lock);
	resmon_throttle_late(&bundle->throttle, rtt_us, threshold_us);
	if (round->device == device) {
		if (test_bit(device, round->seen))
			round->worst.answered = true;
		else if (bundle->measuring)
			bundle->last_us = rtt_us;
	}
	spin_unlock_bh(&bundle->lock);
}

/**
 * resmon_bundle_late() - a device has answered a probe that was judged already
 * @rtt: the throttle of the device
 * @rtt_us: the round trip time in us
 * @threshold_us: what it was judged by, in us
 *
 * Context: Any but hard interrupts.
 */
void resmon_bundle_late(const struct resmon_rtt *rtt, u32 rtt_us,
			u32 threshold_us)
{
	struct resmon_rtt *bundle;

	rcu_read_lock();
	list_for_each_entry_rcu(bundle, &rtt->rn->bundles, bundle)
		if (bundle_stands_on(bundle, rtt))
			bundle_late(bundle, rtt, rtt_us, threshold_us);
	rcu_read_unlock();
}

/* A device that measures no more must not hold up a round, or a throttle. */
static void bundle_check(struct resmon_rtt *bundle)
{
	const struct resmon_rtt_params *params;

	params = rcu_dereference(bundle->params);
	if (!params || !READ_ONCE(bundle->measuring))
		return;
	spin_lock_bh(&bundle->lock);
	if (!bundle_any(bundle, rtt_measuring))
		resmon_rtt_forget(bundle);
	else if (!bitmap_empty(bundle->round.seen, RESMON_DEVICE_MAX + 1) &&
		 !bundle_any(bundle, rtt_missing))
		bundle_flush(bundle, &params->throttle,
			     ktime_get_boottime_ns());
	spin_unlock_bh(&bundle->lock);
}

/**
 * resmon_bundle_check() - look after bundles whose devices stopped measuring
 * @rn: the chassis
 *
 * Context: Any but hard interrupts.
 */
void resmon_bundle_check(struct resmon_net *rn)
{
	struct resmon_rtt *bundle;

	rcu_read_lock();
	list_for_each_entry_rcu(bundle, &rn->bundles, bundle)
		bundle_check(bundle);
	rcu_read_unlock();
}
