// SPDX-License-Identifier: GPL-2.0-only
/*
 * Caps: who has room, and what a session takes (C1 to C10).
 *
 * Pure arithmetic on one element. The caller walks the elements of a path and
 * holds the lock that makes the walk all or nothing.
 */
#include "pure.h"

/**
 * resmon_caps_init() - nobody is there, nothing is limited
 * @caps: the caps
 */
void resmon_caps_init(struct resmon_caps *caps)
{
	u32 type;

	memset(caps, 0, sizeof(*caps));
	for (type = 0; type < RESMON_TYPES; type++) {
		caps->cap[type].max = RESMON_NO_LIMIT;
		caps->cap[type].max_starting = RESMON_NO_LIMIT;
	}
}

static enum resmon_room cap_look(const struct resmon_cap *cap, bool starting,
				 u32 flights)
{
	/* Flights are few, so a sum cannot wrap before its limit is reached. */
	if (READ_ONCE(cap->sessions) + flights >= READ_ONCE(cap->max))
		return RESMON_ROOM_FULL;
	if (starting &&
	    READ_ONCE(cap->starting) + flights >= READ_ONCE(cap->max_starting))
		return RESMON_ROOM_STARTING;
	return RESMON_ROOM_FREE;
}

/**
 * resmon_caps_look() - is there room for one more session?
 * @caps: caps of one element
 * @type: client type of the session, not RESMON_TYPE_ANY
 * @starting: the session would begin as starting
 * @full: set to the client type whose cap has no room
 *
 * The session needs room under its own type and under any (C1). The absent
 * limit is the largest number, so that no case apart is needed for it.
 *
 * Context: Any. Without the lock of the usage the answer is a look only.
 * Return: RESMON_ROOM_FREE, or which cap has no room.
 */
enum resmon_room resmon_caps_look(const struct resmon_caps *caps, u32 type,
				  bool starting, u8 *full)
{
	enum resmon_room room = cap_look(&caps->cap[type], starting, 0);

	*full = type;
	if (room != RESMON_ROOM_FREE)
		return room;
	*full = RESMON_TYPE_ANY;
	return cap_look(&caps->cap[RESMON_TYPE_ANY], starting, 0);
}

/**
 * resmon_caps_look_first() - is there room for one more first sign?
 * @caps: caps of one element
 * @type: client type of the session, not RESMON_TYPE_ANY
 * @full: set to the client type whose cap has no room
 *
 * Like resmon_caps_look() for a session that begins as starting, but what other
 * first signs were promised is taken.
 *
 * Context: Any. Without the lock of the usage the answer is a look only.
 * Return: RESMON_ROOM_FREE, or which cap has no room.
 */
enum resmon_room resmon_caps_look_first(const struct resmon_caps *caps,
					u32 type, u8 *full)
{
	enum resmon_room room = cap_look(&caps->cap[type], true,
					 READ_ONCE(caps->flights[type]));

	*full = type;
	if (room != RESMON_ROOM_FREE)
		return room;
	*full = RESMON_TYPE_ANY;
	return cap_look(&caps->cap[RESMON_TYPE_ANY], true,
			READ_ONCE(caps->flights[RESMON_TYPE_ANY]));
}

/**
 * resmon_caps_fly() - more or fewer first signs are undecided
 * @caps: caps of one element
 * @type: client type, not RESMON_TYPE_ANY
 * @n: how many more, negative for fewer
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_fly(struct resmon_caps *caps, u32 type, s32 n)
{
	WRITE_ONCE(caps->flights[type], caps->flights[type] + n);
	WRITE_ONCE(caps->flights[RESMON_TYPE_ANY],
		   caps->flights[RESMON_TYPE_ANY] + n);
}

static void caps_peak(struct resmon_caps *caps, u32 type, s64 now)
{
	struct resmon_mark *mark = &caps->mark[type];

	if (caps->cap[type].sessions <= mark->peak)
		return;
	mark->peak = caps->cap[type].sessions;
	mark->peak_time = now;
}

static void cap_add(struct resmon_cap *cap, u32 sessions, u32 starting)
{
	WRITE_ONCE(cap->sessions, cap->sessions + sessions);
	WRITE_ONCE(cap->starting, cap->starting + starting);
}

static void cap_sub(struct resmon_cap *cap, u32 sessions, u32 starting)
{
	WRITE_ONCE(cap->sessions, cap->sessions - sessions);
	WRITE_ONCE(cap->starting, cap->starting - starting);
}

/**
 * resmon_caps_take() - one more session counts here
 * @caps: caps of one element
 * @type: client type of the session
 * @starting: it is not yet up
 * @now: seconds since the epoch, for the peak (C8)
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_take(struct resmon_caps *caps, u32 type, bool starting,
		      s64 now)
{
	cap_add(&caps->cap[type], 1, starting);
	cap_add(&caps->cap[RESMON_TYPE_ANY], 1, starting);
	caps_peak(caps, type, now);
	caps_peak(caps, RESMON_TYPE_ANY, now);
}

/**
 * resmon_caps_give() - a session counts here no more
 * @caps: caps of one element
 * @type: client type of the session
 * @starting: it was not yet up
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_give(struct resmon_caps *caps, u32 type, bool starting)
{
	cap_sub(&caps->cap[type], 1, starting);
	cap_sub(&caps->cap[RESMON_TYPE_ANY], 1, starting);
}

/**
 * resmon_caps_up() - a starting session is up
 * @caps: caps of one element
 * @type: client type of the session
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_up(struct resmon_caps *caps, u32 type)
{
	cap_sub(&caps->cap[type], 0, 1);
	cap_sub(&caps->cap[RESMON_TYPE_ANY], 0, 1);
}

/**
 * resmon_caps_join() - all sessions of a place count here from now on (C6)
 * @caps: caps of one element
 * @use: what the place holds
 * @now: seconds since the epoch, for the peak
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_join(struct resmon_caps *caps, const struct resmon_use *use,
		      s64 now)
{
	u32 type;

	for (type = 0; type < RESMON_TYPES; type++) {
		cap_add(&caps->cap[type], use->sessions[type],
			use->starting[type]);
		WRITE_ONCE(caps->flights[type],
			   caps->flights[type] + use->flights[type]);
		caps_peak(caps, type, now);
	}
	caps->services += use->services;
}

/**
 * resmon_caps_leave() - the sessions of a place count here no more (C6)
 * @caps: caps of one element
 * @use: what the place holds
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_leave(struct resmon_caps *caps, const struct resmon_use *use)
{
	u32 type;

	for (type = 0; type < RESMON_TYPES; type++) {
		cap_sub(&caps->cap[type], use->sessions[type],
			use->starting[type]);
		WRITE_ONCE(caps->flights[type],
			   caps->flights[type] - use->flights[type]);
	}
	caps->services -= use->services;
}

/**
 * resmon_caps_clear_peaks() - the peak is what is there now (C8)
 * @caps: caps of one element
 * @now: seconds since the epoch
 *
 * Context: Under the lock of the usage.
 */
void resmon_caps_clear_peaks(struct resmon_caps *caps, s64 now)
{
	u32 type;

	for (type = 0; type < RESMON_TYPES; type++) {
		caps->mark[type].peak = caps->cap[type].sessions;
		caps->mark[type].peak_time = caps->mark[type].peak ? now : 0;
	}
}

/**
 * resmon_caps_over() - is usage above a limit? (C4)
 * @caps: caps of one element
 * @type: client type, or RESMON_TYPE_ANY
 *
 * Context: Any.
 * Return: true when sessions had to stay although the limit is lower.
 */
bool resmon_caps_over(const struct resmon_caps *caps, u32 type)
{
	const struct resmon_cap *cap = &caps->cap[type];

	return READ_ONCE(cap->sessions) > READ_ONCE(cap->max);
}

/**
 * resmon_caps_warn() - has usage crossed its warning mark? (C10)
 * @caps: caps of one element
 * @type: client type, or RESMON_TYPE_ANY
 *
 * The mark is crossed upwards at warn percent of the limit, and downwards
 * RESMON_WARN_BAND points under it. Without a limit or a mark nothing is above.
 *
 * Context: Under the lock of the usage; to be called after every change of
 *	usage, limit or mark.
 * Return: The crossing, each reported once.
 */
enum resmon_crossing resmon_caps_warn(struct resmon_caps *caps, u32 type)
{
	const struct resmon_cap *cap = &caps->cap[type];
	struct resmon_mark *mark = &caps->mark[type];
	u64 used, max;

	if (!mark->warn && !mark->warned)
		return RESMON_CROSSING_NONE;
	used = (u64)cap->sessions * 100;
	max = cap->max;
	if (!mark->warn || cap->max == RESMON_NO_LIMIT) {
		if (!mark->warned)
			return RESMON_CROSSING_NONE;
		mark->warned = false;
		return RESMON_CROSSING_DOWN;
	}
	if (!mark->warned && cap->sessions && used >= max * mark->warn) {
		mark->warned = true;
		return RESMON_CROSSING_UP;
	}
	if (mark->warned &&
	    (!cap->sessions || used + max * RESMON_WARN_BAND <= max * mark->warn)) {
		mark->warned = false;
		return RESMON_CROSSING_DOWN;
	}
	return RESMON_CROSSING_NONE;
}

/**
 * resmon_use_take() - one more session sits at a place
 * @use: what the place holds
 * @type: client type of the session
 * @starting: it is not yet up
 *
 * Context: Under the lock of the usage.
 */
void resmon_use_take(struct resmon_use *use, u32 type, bool starting)
{
	use->sessions[type]++;
	use->sessions[RESMON_TYPE_ANY]++;
	use->starting[type] += starting;
	use->starting[RESMON_TYPE_ANY] += starting;
}

/**
 * resmon_use_give() - a session sits at a place no more
 * @use: what the place holds
 * @type: client type of the session
 * @starting: it was not yet up
 *
 * Context: Under the lock of the usage.
 */
void resmon_use_give(struct resmon_use *use, u32 type, bool starting)
{
	use->sessions[type]--;
	use->sessions[RESMON_TYPE_ANY]--;
	use->starting[type] -= starting;
	use->starting[RESMON_TYPE_ANY] -= starting;
}

/**
 * resmon_use_fly() - more or fewer first signs of a place are undecided
 * @use: what the place holds
 * @type: client type, not RESMON_TYPE_ANY
 * @n: how many more, negative for fewer
 *
 * Context: Under the lock of the usage.
 */
void resmon_use_fly(struct resmon_use *use, u32 type, s32 n)
{
	use->flights[type] += n;
	use->flights[RESMON_TYPE_ANY] += n;
}

/**
 * resmon_use_up() - a starting session of a place is up
 * @use: what the place holds
 * @type: client type of the session
 *
 * Context: Under the lock of the usage.
 */
void resmon_use_up(struct resmon_use *use, u32 type)
{
	use->starting[type]--;
	use->starting[RESMON_TYPE_ANY]--;
}
