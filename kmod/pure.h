/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arithmetic of resmon: no locks, no allocation, no clock of its own.
 *
 * charge.c, throttle.c and region.c build in the kernel, in KUnit and in user
 * space; this is their one header.
 */
#ifndef RESMON_PURE_H
#define RESMON_PURE_H

#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include "user_shim.h"
#endif

#include <linux/resmon.h>

/* ---- charge.c: caps ---- */

#define RESMON_TYPES		(RESMON_TYPE_MAX + 1)
#define RESMON_NO_LIMIT		((u32)~0U)

/* Points that usage must come back under its warning mark to be clear (C10). */
#define RESMON_WARN_BAND	5

/**
 * struct resmon_use - places that sessions take, by client type
 * @sessions: all client sessions; the entry of RESMON_TYPE_ANY is their sum
 * @starting: those of them that are not yet up
 * @flights: first signs that were admitted and are undecided
 * @services: service sessions; no cap counts them
 */
struct resmon_use {
	u32 sessions[RESMON_TYPES];
	u32 starting[RESMON_TYPES];
	u32 flights[RESMON_TYPES];
	u32 services;
};

/**
 * struct resmon_cap - usage and limit of one client type on one element
 * @sessions: client sessions that count here
 * @starting: those of them that are not yet up
 * @max: most sessions, RESMON_NO_LIMIT for none
 * @max_starting: most sessions that are not yet up, RESMON_NO_LIMIT for none
 */
struct resmon_cap {
	u32 sessions;
	u32 starting;
	u32 max;
	u32 max_starting;
};

/**
 * struct resmon_mark - what is remembered of a cap besides its usage
 * @peak_time: when the peak was reached, seconds since the epoch, 0 for never
 * @peak: most sessions at once since the last clear
 * @warn: percent of the limit at which an event is sent, 0 for never
 * @warned: usage is above the warning mark or has not yet left its dead band
 */
struct resmon_mark {
	s64 peak_time;
	u32 peak;
	u8 warn;
	bool warned;
};

/**
 * struct resmon_caps - all caps of one element
 * @cap: by client type; first, because the room gate reads nothing else
 * @flights: first signs that were admitted and are undecided, by client type;
 *	they take room from other first signs alone
 * @mark: by client type
 * @services: service sessions that count here
 */
struct resmon_caps {
	struct resmon_cap cap[RESMON_TYPES];
	u32 flights[RESMON_TYPES];
	struct resmon_mark mark[RESMON_TYPES];
	u32 services;
};

enum resmon_room {
	RESMON_ROOM_FREE,
	RESMON_ROOM_FULL,
	RESMON_ROOM_STARTING,
};

enum resmon_crossing {
	RESMON_CROSSING_NONE,
	RESMON_CROSSING_UP,
	RESMON_CROSSING_DOWN,
};

void resmon_caps_init(struct resmon_caps *caps);
enum resmon_room resmon_caps_look(const struct resmon_caps *caps, u32 type,
				  bool starting, u8 *full);
enum resmon_room resmon_caps_look_first(const struct resmon_caps *caps,
					u32 type, u8 *full);
void resmon_caps_fly(struct resmon_caps *caps, u32 type, s32 n);
void resmon_caps_take(struct resmon_caps *caps, u32 type, bool starting,
		      s64 now);
void resmon_caps_give(struct resmon_caps *caps, u32 type, bool starting);
void resmon_caps_up(struct resmon_caps *caps, u32 type);
void resmon_caps_join(struct resmon_caps *caps, const struct resmon_use *use,
		      s64 now);
void resmon_caps_leave(struct resmon_caps *caps, const struct resmon_use *use);
void resmon_caps_clear_peaks(struct resmon_caps *caps, s64 now);
bool resmon_caps_over(const struct resmon_caps *caps, u32 type);
enum resmon_crossing resmon_caps_warn(struct resmon_caps *caps, u32 type);

void resmon_use_take(struct resmon_use *use, u32 type, bool starting);
void resmon_use_give(struct resmon_use *use, u32 type, bool starting);
void resmon_use_fly(struct resmon_use *use, u32 type, s32 n);
void resmon_use_up(struct resmon_use *use, u32 type);

/* ---- throttle.c: the round trip time throttle ---- */

/**
 * struct resmon_throttle_params - settings of one throttle (E1 to E9)
 * @threshold_us: above it a measurement is exceeded, in us
 * @count: consecutive measurements that make a run, 1..100
 * @law: enum resmon_law
 * @step: points of one rise, 1..100
 * @max: highest percentage, 1..100
 * @silent_max: highest percentage from unanswered probes alone, 0..100
 * @recovery: enum resmon_recovery
 * @hold_s: seconds below the threshold before each step back
 * @back: points of one step back, 1..100
 */
struct resmon_throttle_params {
	u32 threshold_us;
	u32 count;
	u32 law;
	u32 step;
	u32 max;
	u32 silent_max;
	u32 recovery;
	u32 hold_s;
	u32 back;
};

/**
 * struct resmon_throttle_sample - one measurement
 * @rtt_us: round trip time in us; of an unanswered probe the longest time that
 *	is known, at least the threshold
 * @threshold_us: what it was judged by, in us
 * @exceeded: above the threshold
 * @answered: an answer, in time or late, came since the last measurement
 */
struct resmon_throttle_sample {
	u32 rtt_us;
	u32 threshold_us;
	bool exceeded;
	bool answered;
};

/**
 * struct resmon_throttle - state of one throttle
 * @since_ns: when the time below the threshold began, for stepwise recovery
 * @longest: longest round trip time of the current run, as parts of 65536 of
 *	its threshold
 * @percent: share of the requests that is denied, 0..100
 * @run: length of the current run, for show
 * @exceeded: the current run is one of exceeded measurements
 * @spent: the current run has raised the throttle, the next one begins anew
 * @answered: some probe of the current run was answered
 * @silent: no answer since silent_max stopped a rise
 */
struct resmon_throttle {
	u64 since_ns;
	u64 longest;
	u32 percent;
	u32 run;
	bool exceeded;
	bool spent;
	bool answered;
	bool silent;
};

/**
 * enum resmon_throttle_change - what a measurement did
 * @RESMON_THROTTLE_SAME: nothing
 * @RESMON_THROTTLE_UP: the percentage rose
 * @RESMON_THROTTLE_DOWN: the percentage fell
 * @RESMON_THROTTLE_SILENT: silent_max stopped a rise for the first time since
 *	the last answer; the percentage is as it was
 */
enum resmon_throttle_change {
	RESMON_THROTTLE_SAME,
	RESMON_THROTTLE_UP,
	RESMON_THROTTLE_DOWN,
	RESMON_THROTTLE_SILENT,
};

void resmon_throttle_defaults(struct resmon_throttle_params *params);
enum resmon_throttle_change
resmon_throttle_sample(struct resmon_throttle *t,
		       const struct resmon_throttle_params *params,
		       const struct resmon_throttle_sample *sample, u64 now_ns);
void resmon_throttle_late(struct resmon_throttle *t, u32 rtt_us,
			  u32 threshold_us);
enum resmon_throttle_change
resmon_throttle_limit(struct resmon_throttle *t,
		      const struct resmon_throttle_params *params);
u64 resmon_throttle_ratio(u32 rtt_us, u32 threshold_us);
bool resmon_throttle_spread(u32 *acc, u32 percent);

/* ---- region.c: watermarks of a memory region ---- */

/**
 * struct resmon_region_marks - the marks of one region (R2 to R4)
 * @low: percent free at or under which the region is exceeded, 1..99
 * @high: percent used at or above which it denies, 1..99
 * @band: points that it must come back to be clear again
 */
struct resmon_region_marks {
	u32 low;
	u32 high;
	u32 band;
};

/**
 * struct resmon_region - one memory region
 * @used: bytes in use
 * @total: its size in bytes
 * @reported_ns: when it was reported, CLOCK_BOOTTIME, 0 for never
 * @lifetime_s: seconds that a report is valid
 * @low: the watermark is exceeded now, shown with * (R2)
 * @high: used is at or above the high threshold now, which denies (R3)
 * @was_low: the last event said that it is low; has a dead band (R4)
 * @was_high: the last event said that it is high; has a dead band
 */
struct resmon_region {
	u64 used;
	u64 total;
	u64 reported_ns;
	u32 lifetime_s;
	bool low;
	bool high;
	bool was_low;
	bool was_high;
};

/* Crossings, each of which is one event and one line in the log. */
enum {
	RESMON_REGION_WENT_LOW = 1 << 0,
	RESMON_REGION_WENT_CLEAR = 1 << 1,
	RESMON_REGION_WENT_HIGH = 1 << 2,
	RESMON_REGION_WENT_NORMAL = 1 << 3,
};

int resmon_region_free_pct(const struct resmon_region *region);
int resmon_region_used_pct(const struct resmon_region *region);
u32 resmon_region_judge(struct resmon_region *region,
			const struct resmon_region_marks *marks);
u32 resmon_region_forget(struct resmon_region *region);
bool resmon_region_fresh(const struct resmon_region *region, u64 now_ns);
u32 resmon_region_denies(u32 region);

#endif /* RESMON_PURE_H */
