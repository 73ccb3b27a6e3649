// SPDX-License-Identifier: GPL-2.0-only
/*
 * The round trip time throttle: pure arithmetic (E2 to E9).
 *
 * No lock, no allocation and no clock of its own: the caller serializes the
 * calls for one throttle and passes the time in.
 */
#include "pure.h"

/* Steps that one rise of the law `proportional` has at most (E4). */
#define THROTTLE_STEPS_MAX	5

#define THROTTLE_NS_PER_S	1000000000ULL

/**
 * resmon_throttle_defaults() - the settings that nobody has to make
 * @params: filled in; threshold_us is 0, for the default of whatever measures
 *
 * Context: Any.
 */
void resmon_throttle_defaults(struct resmon_throttle_params *params)
{
	*params = (struct resmon_throttle_params) {
		.count = 3,
		.law = RESMON_LAW_STEP,
		.step = 10,
		.max = 100,
		.silent_max = 50,
		.recovery = RESMON_RECOVERY_IMMEDIATE,
		.hold_s = 30,
		.back = 10,
	};
}

/**
 * resmon_throttle_ratio() - how long a round trip took for its threshold
 * @rtt_us: round trip time in us
 * @threshold_us: threshold in us
 *
 * Context: Any.
 * Return: The round trip time as parts of 65536 of the threshold.
 */
u64 resmon_throttle_ratio(u32 rtt_us, u32 threshold_us)
{
	return div_u64((u64)rtt_us << 16, max(threshold_us, 1U));
}

static void throttle_longest(struct resmon_throttle *t, u32 rtt_us,
			     u32 threshold_us)
{
	u64 ratio = resmon_throttle_ratio(rtt_us, threshold_us);

	t->longest = max(t->longest, ratio);
}

static u32 throttle_step(const struct resmon_throttle *t,
			 const struct resmon_throttle_params *params)
{
	u64 ratio;

	if (params->law != RESMON_LAW_PROPORTIONAL)
		return params->step;
	ratio = clamp_t(u64, t->longest, 1 << 16, THROTTLE_STEPS_MAX << 16);
	/* To the nearest point: 1.1 has no exact ratio and must not make 1.0. */
	return (params->step * ratio + (1 << 15)) >> 16;
}

static enum resmon_throttle_change
throttle_rise(struct resmon_throttle *t,
	      const struct resmon_throttle_params *params)
{
	u32 top = params->max;
	u32 percent;

	/* A hung helper must not close the chassis (E8). */
	if (!t->answered)
		top = min(top, params->silent_max);
	percent = min(t->percent + throttle_step(t, params), top);

	if (percent > t->percent) {
		t->percent = percent;
		return RESMON_THROTTLE_UP;
	}
	if (t->answered || t->percent >= params->max || t->silent)
		return RESMON_THROTTLE_SAME;
	t->silent = true;
	return RESMON_THROTTLE_SILENT;
}

static enum resmon_throttle_change
throttle_recover(struct resmon_throttle *t,
		 const struct resmon_throttle_params *params, u64 now_ns)
{
	if (!t->percent)
		return RESMON_THROTTLE_SAME;
	if (params->recovery == RESMON_RECOVERY_IMMEDIATE) {
		t->percent = 0;
		return RESMON_THROTTLE_DOWN;
	}
	if (now_ns - t->since_ns < params->hold_s * THROTTLE_NS_PER_S)
		return RESMON_THROTTLE_SAME;
	t->since_ns = now_ns;
	t->percent -= min(t->percent, params->back);
	return RESMON_THROTTLE_DOWN;
}

/**
 * resmon_throttle_sample() - take one measurement
 * @t: the throttle
 * @params: its settings
 * @sample: the measurement
 * @now_ns: when it was judged, in ns of any clock that never goes back
 *
 * Nothing but measurements moves a throttle: what is admitted, or nobody, has
 * no part in it, so that it ends at 100 % too (E6).
 *
 * Context: Any; the caller serializes the calls for one throttle.
 * Return: What the measurement did.
 */
enum resmon_throttle_change
resmon_throttle_sample(struct resmon_throttle *t,
		       const struct resmon_throttle_params *params,
		       const struct resmon_throttle_sample *sample, u64 now_ns)
{
	enum resmon_throttle_change change;

	if (sample->exceeded != t->exceeded) {
		t->exceeded = sample->exceeded;
		t->run = 0;
		t->longest = 0;
		t->answered = false;
		t->since_ns = now_ns;
	} else if (t->spent) {
		/* A late answer since then belongs to the run that begins. */
		t->run = 0;
	}
	t->spent = false;
	if (sample->answered) {
		t->answered = true;
		t->silent = false;
	}

	if (!sample->exceeded) {
		/* With nothing to recover from there is no run to show. */
		if (!t->percent) {
			t->run = 0;
			return RESMON_THROTTLE_SAME;
		}
		t->run++;
		if (t->run < params->count)
			return RESMON_THROTTLE_SAME;
		return throttle_recover(t, params, now_ns);
	}

	throttle_longest(t, sample->rtt_us, sample->threshold_us);
	t->run++;
	if (t->run < params->count)
		return RESMON_THROTTLE_SAME;
	change = throttle_rise(t, params);
	t->spent = true;
	t->longest = 0;
	t->answered = false;
	return change;
}

/**
 * resmon_throttle_late() - an answer to a probe that was judged already
 * @t: the throttle
 * @rtt_us: its round trip time in us
 * @threshold_us: what it was judged by, in us
 *
 * It is no measurement of its own, but the run is not silent any more and its
 * longest round trip time may have become longer.
 *
 * Context: Any; the caller serializes the calls for one throttle.
 */
void resmon_throttle_late(struct resmon_throttle *t, u32 rtt_us,
			  u32 threshold_us)
{
	t->answered = true;
	t->silent = false;
	throttle_longest(t, rtt_us, threshold_us);
}

/**
 * resmon_throttle_limit() - obey a new highest percentage at once
 * @t: the throttle
 * @params: its settings
 *
 * Context: Any; the caller serializes the calls for one throttle.
 * Return: RESMON_THROTTLE_DOWN when the percentage was above it, or
 * RESMON_THROTTLE_SAME.
 */
enum resmon_throttle_change
resmon_throttle_limit(struct resmon_throttle *t,
		      const struct resmon_throttle_params *params)
{
	if (t->percent <= params->max)
		return RESMON_THROTTLE_SAME;
	t->percent = params->max;
	return RESMON_THROTTLE_DOWN;
}

/**
 * resmon_throttle_spread() - is it this request that a percentage denies?
 * @acc: the error that the diffusion carries, 0..99
 * @percent: share that is denied, 0..100
 *
 * The number that was denied is within one of the exact share after each
 * request (E9).
 *
 * Context: Any; the caller serializes the calls for one @acc.
 * Return: true to deny.
 */
bool resmon_throttle_spread(u32 *acc, u32 percent)
{
	*acc += percent;
	if (*acc < 100)
		return false;
	*acc -= 100;
	return true;
}
