// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of the round trip time throttle (E2 to E9).
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "pure.h"
#include "vector_rtt_step.h"

#define THRESHOLD_US	1000000
#define SECOND_NS	1000000000ULL

/* One throttle and the time of its probes. */
struct bench {
	struct resmon_throttle t;
	struct resmon_throttle_params params;
	u64 now_ns;
};

static int bench_init(struct kunit *test)
{
	struct bench *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	if (!b)
		return -ENOMEM;
	resmon_throttle_defaults(&b->params);
	b->params.threshold_us = THRESHOLD_US;
	b->now_ns = 1000 * SECOND_NS;
	test->priv = b;
	return 0;
}

static enum resmon_throttle_change take(struct bench *b, u32 rtt_us,
					bool answered)
{
	struct resmon_throttle_sample sample = {
		.rtt_us = rtt_us,
		.threshold_us = b->params.threshold_us,
		.exceeded = rtt_us > b->params.threshold_us,
		.answered = answered,
	};

	b->now_ns += SECOND_NS;
	return resmon_throttle_sample(&b->t, &b->params, &sample, b->now_ns);
}

static enum resmon_throttle_change slow(struct bench *b)
{
	return take(b, THRESHOLD_US + 1, true);
}

static enum resmon_throttle_change silent(struct bench *b)
{
	return take(b, THRESHOLD_US + 1, false);
}

static enum resmon_throttle_change quick(struct bench *b)
{
	return take(b, THRESHOLD_US, true);
}

/* A run of exceeded measurements; what the last one did. */
static enum resmon_throttle_change
run_of(struct bench *b, enum resmon_throttle_change (*sample)(struct bench *b))
{
	u32 i;

	for (i = 1; i < b->params.count; i++)
		sample(b);
	return sample(b);
}

static void throttle_vector(struct kunit *test)
{
	struct bench *b = test->priv;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vector_rtt_step); i++) {
		const int *row = vector_rtt_step[i];

		take(b, row[1] * 1000, true);
		KUNIT_EXPECT_EQ_MSG(test, (int)b->t.exceeded, row[2],
				    "second %d", row[0]);
		KUNIT_EXPECT_EQ_MSG(test, (int)b->t.run, row[3], "second %d",
				    row[0]);
		KUNIT_EXPECT_EQ_MSG(test, 100 - (int)b->t.percent, row[4],
				    "second %d", row[0]);
	}
	quick(b);
	KUNIT_EXPECT_EQ(test, b->t.run, 0U);
}

static void throttle_other_kind_restarts(struct kunit *test)
{
	struct bench *b = test->priv;
	int i;

	for (i = 0; i < 20; i++) {
		slow(b);
		slow(b);
		KUNIT_EXPECT_EQ(test, b->t.run, 2U);
		quick(b);
	}
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);

	run_of(b, slow);
	KUNIT_EXPECT_EQ(test, b->t.percent, 10U);
	for (i = 0; i < 20; i++) {
		quick(b);
		quick(b);
		slow(b);
	}
	KUNIT_EXPECT_EQ(test, b->t.percent, 10U);
	/* The slow one was the first of a new run. */
	slow(b);
	KUNIT_EXPECT_EQ(test, (int)slow(b), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 20U);
}

static void throttle_count(struct kunit *test)
{
	struct bench *b = test->priv;

	b->params.count = 1;
	KUNIT_EXPECT_EQ(test, (int)slow(b), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, (int)slow(b), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 20U);
	KUNIT_EXPECT_EQ(test, b->t.run, 1U);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);
}

static void throttle_max(struct kunit *test)
{
	struct bench *b = test->priv;
	int i;

	b->params.max = 25;
	run_of(b, slow);
	run_of(b, slow);
	KUNIT_EXPECT_EQ(test, b->t.percent, 20U);
	KUNIT_EXPECT_EQ(test, (int)run_of(b, slow), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 25U);
	KUNIT_EXPECT_EQ(test, (int)run_of(b, slow), (int)RESMON_THROTTLE_SAME);
	KUNIT_EXPECT_EQ(test, b->t.percent, 25U);

	b->params.max = 100;
	for (i = 0; i < 20; i++)
		run_of(b, slow);
	KUNIT_EXPECT_EQ(test, b->t.percent, 100U);

	/* A new highest percentage holds at once. */
	KUNIT_EXPECT_EQ(test, (int)resmon_throttle_limit(&b->t, &b->params),
			(int)RESMON_THROTTLE_SAME);
	b->params.max = 40;
	KUNIT_EXPECT_EQ(test, (int)resmon_throttle_limit(&b->t, &b->params),
			(int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 40U);
}

static void throttle_proportional(struct kunit *test)
{
	struct bench *b = test->priv;

	b->params.law = RESMON_LAW_PROPORTIONAL;
	/* The longest one counts, wherever in the run it is. */
	take(b, 1100000, true);
	take(b, 2500000, true);
	take(b, 1200000, true);
	KUNIT_EXPECT_EQ(test, b->t.percent, 25U);
	/* It counts in its own run alone. */
	take(b, 1100000, true);
	take(b, 1100000, true);
	take(b, 1100000, true);
	KUNIT_EXPECT_EQ(test, b->t.percent, 36U);
	/* Never less than a step. */
	run_of(b, slow);
	KUNIT_EXPECT_EQ(test, b->t.percent, 46U);
	/* Never more than five. */
	take(b, 60000000, true);
	take(b, 1100000, true);
	take(b, 1100000, true);
	KUNIT_EXPECT_EQ(test, b->t.percent, 96U);
}

static void throttle_proportional_late(struct kunit *test)
{
	struct bench *b = test->priv;

	b->params.law = RESMON_LAW_PROPORTIONAL;
	silent(b);
	resmon_throttle_late(&b->t, 3000000, THRESHOLD_US);
	silent(b);
	silent(b);
	KUNIT_EXPECT_EQ(test, b->t.percent, 30U);
	/* An answer to a probe of the run before belongs to the next run. */
	resmon_throttle_late(&b->t, 4000000, THRESHOLD_US);
	run_of(b, silent);
	KUNIT_EXPECT_EQ(test, b->t.percent, 70U);
}

static void throttle_recovers_at_100(struct kunit *test)
{
	struct bench *b = test->priv;
	int i;

	for (i = 0; i < 10; i++)
		run_of(b, slow);
	KUNIT_EXPECT_EQ(test, b->t.percent, 100U);
	quick(b);
	quick(b);
	KUNIT_EXPECT_EQ(test, b->t.percent, 100U);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);
}

static void throttle_recovers_by_steps(struct kunit *test)
{
	struct bench *b = test->priv;
	int i;

	b->params.recovery = RESMON_RECOVERY_STEP;
	b->params.hold_s = 10;
	b->params.back = 15;
	for (i = 0; i < 4; i++)
		run_of(b, slow);
	KUNIT_EXPECT_EQ(test, b->t.percent, 40U);

	/* The first quick one is at second 0, the tenth after it at 10. */
	quick(b);
	for (i = 1; i < 10; i++)
		KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_SAME);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 25U);
	for (i = 1; i < 10; i++)
		KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_SAME);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 10U);

	/* One that is exceeded begins the time below anew. */
	for (i = 1; i < 9; i++)
		quick(b);
	slow(b);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_SAME);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);
}

static void throttle_hold_is_not_the_run(struct kunit *test)
{
	struct bench *b = test->priv;

	b->params.recovery = RESMON_RECOVERY_STEP;
	b->params.hold_s = 1;
	run_of(b, slow);
	run_of(b, slow);
	/* The time is over at the second one, the run at the third. */
	quick(b);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_SAME);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 10U);
	KUNIT_EXPECT_EQ(test, (int)quick(b), (int)RESMON_THROTTLE_DOWN);
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);
}

static void throttle_silent(struct kunit *test)
{
	struct bench *b = test->priv;
	int i;

	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, (int)run_of(b, silent),
				(int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 50U);
	/* It is told once. */
	KUNIT_EXPECT_EQ(test, (int)run_of(b, silent),
			(int)RESMON_THROTTLE_SILENT);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, (int)run_of(b, silent),
				(int)RESMON_THROTTLE_SAME);
	KUNIT_EXPECT_EQ(test, b->t.percent, 50U);

	/* One answer shows that the card is slow and not dead. */
	resmon_throttle_late(&b->t, 2000000, THRESHOLD_US);
	KUNIT_EXPECT_EQ(test, (int)run_of(b, silent), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 60U);
	/* It does not lower what is there, and begins another episode. */
	KUNIT_EXPECT_EQ(test, (int)run_of(b, silent),
			(int)RESMON_THROTTLE_SILENT);
	KUNIT_EXPECT_EQ(test, b->t.percent, 60U);

	quick(b);
	quick(b);
	quick(b);
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);
}

static void throttle_silent_cuts(struct kunit *test)
{
	struct bench *b = test->priv;

	b->params.silent_max = 15;
	run_of(b, silent);
	KUNIT_EXPECT_EQ(test, (int)run_of(b, silent), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 15U);
	/* One that was answered too late to be in time is enough for a run. */
	silent(b);
	slow(b);
	KUNIT_EXPECT_EQ(test, (int)silent(b), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 25U);
}

static void throttle_silent_zero(struct kunit *test)
{
	struct bench *b = test->priv;

	b->params.silent_max = 0;
	KUNIT_EXPECT_EQ(test, (int)run_of(b, silent),
			(int)RESMON_THROTTLE_SILENT);
	KUNIT_EXPECT_EQ(test, b->t.percent, 0U);
	KUNIT_EXPECT_EQ(test, (int)run_of(b, slow), (int)RESMON_THROTTLE_UP);
	KUNIT_EXPECT_EQ(test, b->t.percent, 10U);
}

static void throttle_silent_above_max(struct kunit *test)
{
	struct bench *b = test->priv;

	/* What stops it is max, which is nothing to tell. */
	b->params.max = 20;
	run_of(b, silent);
	run_of(b, silent);
	KUNIT_EXPECT_EQ(test, b->t.percent, 20U);
	KUNIT_EXPECT_EQ(test, (int)run_of(b, silent),
			(int)RESMON_THROTTLE_SAME);
}

static void throttle_own_threshold(struct kunit *test)
{
	struct bench *b = test->priv;
	struct resmon_throttle_sample sample = {
		.rtt_us = 15000,
		.threshold_us = 5000,
		.exceeded = true,
		.answered = true,
	};
	int i;

	/* In a bundle each sample brings the threshold of its device. */
	b->params.law = RESMON_LAW_PROPORTIONAL;
	b->params.threshold_us = 0;
	for (i = 0; i < 3; i++)
		resmon_throttle_sample(&b->t, &b->params, &sample, i);
	KUNIT_EXPECT_EQ(test, b->t.percent, 30U);
}

static void throttle_ratio(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, resmon_throttle_ratio(5000, 5000), 65536ULL);
	KUNIT_EXPECT_EQ(test, resmon_throttle_ratio(0, 5000), 0ULL);
	KUNIT_EXPECT_EQ(test, resmon_throttle_ratio(U32_MAX, 1),
			(u64)U32_MAX << 16);
	KUNIT_EXPECT_EQ(test, resmon_throttle_ratio(1, 0), 65536ULL);
}

static void throttle_spread(struct kunit *test)
{
	u32 percent, n, acc, denied;
	s32 off;

	for (percent = 0; percent <= 100; percent++) {
		acc = 0;
		denied = 0;
		for (n = 1; n <= 1000; n++) {
			denied += resmon_throttle_spread(&acc, percent);
			off = (s32)(denied * 100) - (s32)(n * percent);
			if (off > -100 && off < 100)
				continue;
			KUNIT_FAIL(test, "%u %%: %u of %u denied", percent,
				   denied, n);
			return;
		}
		KUNIT_EXPECT_EQ(test, denied, percent * 10);
	}
}

static void throttle_spread_follows(struct kunit *test)
{
	u32 acc = 0, denied = 0, exact = 0, n;

	/* The share may change between any two requests. */
	for (n = 0; n < 10000; n++) {
		u32 percent = n * 7 % 101;

		denied += resmon_throttle_spread(&acc, percent);
		exact += percent;
		KUNIT_ASSERT_LT(test, acc, 100U);
	}
	KUNIT_EXPECT_EQ(test, denied, exact / 100);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(throttle_vector),
	KUNIT_CASE(throttle_other_kind_restarts),
	KUNIT_CASE(throttle_count),
	KUNIT_CASE(throttle_max),
	KUNIT_CASE(throttle_proportional),
	KUNIT_CASE(throttle_proportional_late),
	KUNIT_CASE(throttle_recovers_at_100),
	KUNIT_CASE(throttle_recovers_by_steps),
	KUNIT_CASE(throttle_hold_is_not_the_run),
	KUNIT_CASE(throttle_silent),
	KUNIT_CASE(throttle_silent_cuts),
	KUNIT_CASE(throttle_silent_zero),
	KUNIT_CASE(throttle_silent_above_max),
	KUNIT_CASE(throttle_own_threshold),
	KUNIT_CASE(throttle_ratio),
	KUNIT_CASE(throttle_spread),
	KUNIT_CASE(throttle_spread_follows),
	{}
};

static struct kunit_suite suite = {
	.name = "resmon_throttle",
	.init = bench_init,
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the arithmetic of resmon");
MODULE_LICENSE("GPL");
