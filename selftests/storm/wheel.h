/* SPDX-License-Identifier: GPL-2.0-only */
/* Timers of all clients, in a wheel of one slot a millisecond. */
#ifndef STORM_WHEEL_H
#define STORM_WHEEL_H

#include <stdbool.h>
#include <linux/types.h>

struct timer {
	struct timer *next;
	/* Who points here, NULL while the timer is not set. */
	struct timer **link;
	/* Milliseconds since the start of the program. */
	__u64 due;
	void (*fire)(struct timer *timer);
};

/* Milliseconds since the start of the program, as of the last clock_read(). */
extern __u64 now_ms;

void clock_read(void);
void timer_set(struct timer *timer, __u64 delay_ms);
void timer_stop(struct timer *timer);
static inline bool timer_is_set(const struct timer *timer)
{
	return timer->link;
}

/* Fires what is due while go_on() says so. */
void wheel_run(bool (*go_on)(void));
/* Milliseconds until something may be due, at most limit. */
int wheel_wait(int limit);

#endif
