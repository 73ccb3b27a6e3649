// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hashed wheel: a timer that is further away than one turn stays in its
 * slot until its turn has come. A bitmap of slots that are not empty lets a
 * quiet storm sleep.
 */
#include <time.h>

#include "wheel.h"

#define SLOTS 65536
#define WORD_BITS 64

static struct timer *slots[SLOTS];
/* Where the next one is added: those of a slot fire in the order they were
 * set. NULL means the slot itself.
 */
static struct timer **tails[SLOTS];
static __u64 used[SLOTS / WORD_BITS];
/* The next millisecond whose timers have not all fired. */
static __u64 hand;

__u64 now_ms;

void clock_read(void)
{
	static struct timespec start;
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	if (!start.tv_sec)
		start = ts;
	now_ms = (ts.tv_sec - start.tv_sec) * 1000LL +
		 (ts.tv_nsec - start.tv_nsec) / 1000000;
}

void timer_stop(struct timer *timer)
{
	if (!timer->link)
		return;
	*timer->link = timer->next;
	if (timer->next)
		timer->next->link = timer->link;
	else
		tails[timer->due % SLOTS] = timer->link;
	timer->link = NULL;
}

void timer_set(struct timer *timer, __u64 delay_ms)
{
	unsigned int slot;

	timer_stop(timer);
	timer->due = now_ms + delay_ms;
	/* What fires now may set itself again: not in the slot being run. */
	if (timer->due <= hand)
		timer->due = hand + 1;
	slot = timer->due % SLOTS;
	timer->next = NULL;
	timer->link = tails[slot] ? tails[slot] : &slots[slot];
	*timer->link = timer;
	tails[slot] = &timer->next;
	used[slot / WORD_BITS] |= 1ULL << (slot % WORD_BITS);
}

/* The first millisecond from `from` on, up to `until`, with a used slot. */
static __u64 next_used(__u64 from, __u64 until)
{
	__u64 word;

	while (from <= until) {
		word = used[from % SLOTS / WORD_BITS] >> (from % WORD_BITS);
		if (word) {
			from += __builtin_ctzll(word);
			return from <= until ? from : until + 1;
		}
		from += WORD_BITS - from % WORD_BITS;
	}
	return until + 1;
}

/* Returns false when it was told to stop before the slot was done. */
static bool run_slot(unsigned int slot, bool (*go_on)(void))
{
	struct timer **link = &slots[slot];

	while (*link) {
		struct timer *timer = *link;

		if (timer->due > hand) {
			link = &timer->next;
			continue;
		}
		if (!go_on())
			return false;
		timer_stop(timer);
		timer->fire(timer);
		/* It may have stopped others of this slot. */
		link = &slots[slot];
	}
	if (!slots[slot])
		used[slot / WORD_BITS] &= ~(1ULL << (slot % WORD_BITS));
	return true;
}

void wheel_run(bool (*go_on)(void))
{
	while (hand <= now_ms) {
		__u64 next = next_used(hand, now_ms);

		hand = next;
		if (next > now_ms)
			return;
		if (!run_slot(next % SLOTS, go_on))
			return;
		hand++;
	}
}

int wheel_wait(int limit)
{
	__u64 next;

	if (hand <= now_ms)
		return 0;
	next = next_used(hand, now_ms + limit);
	return next - now_ms;
}
