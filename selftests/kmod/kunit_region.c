// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of memory regions (R1 to R5).
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "pure.h"

#define LOW	RESMON_REGION_WENT_LOW
#define CLEAR	RESMON_REGION_WENT_CLEAR
#define HIGH	RESMON_REGION_WENT_HIGH
#define NORMAL	RESMON_REGION_WENT_NORMAL

static const struct resmon_region_marks defaults = {
	.low = 20, .high = 90, .band = 5,
};

/* A report of @used of 1000. */
static u32 report(struct resmon_region *region,
		  const struct resmon_region_marks *marks, u64 used)
{
	region->used = used;
	region->total = 1000;
	return resmon_region_judge(region, marks);
}

static void percent_rounds_down(struct kunit *test)
{
	struct resmon_region r = { .used = 1, .total = 3 };

	KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r), 33);
	KUNIT_EXPECT_EQ(test, resmon_region_free_pct(&r), 66);
	r.used = 0;
	KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r), 0);
	KUNIT_EXPECT_EQ(test, resmon_region_free_pct(&r), 100);
	r.used = 3;
	KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r), 100);
	KUNIT_EXPECT_EQ(test, resmon_region_free_pct(&r), 0);
}

/* 100 * used does not fit into 64 bits. */
static void percent_of_huge_regions(struct kunit *test)
{
	struct resmon_region r = { .total = U64_MAX };
	u64 one = U64_MAX / 100;
	int p;

	for (p = 0; p <= 100; p++) {
		/* U64_MAX is 15 more than a multiple of 100. */
		r.used = one * p + (p == 100 ? 15 : 0);
		KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r),
				p && p < 100 ? p - 1 : p);
		r.used = min(one * p + 15, U64_MAX);
		KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r), p);
	}
	r.total = U64_MAX - 1;
	r.used = U64_MAX / 2;
	KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r), 50);
	KUNIT_EXPECT_EQ(test, resmon_region_free_pct(&r), 50);
}

/* What is used and what is free never contradict each other. */
static void percents_agree(struct kunit *test)
{
	struct resmon_region r;
	int sum;

	for (r.total = 1; r.total < 130; r.total++) {
		for (r.used = 0; r.used <= r.total; r.used++) {
			sum = resmon_region_used_pct(&r) +
			      resmon_region_free_pct(&r);
			KUNIT_EXPECT_EQ(test, sum,
					100 * r.used % r.total ? 99 : 100);
		}
	}
}

static void nothing_reported(struct kunit *test)
{
	struct resmon_region r = {};

	KUNIT_EXPECT_EQ(test, resmon_region_free_pct(&r), -1);
	KUNIT_EXPECT_EQ(test, resmon_region_used_pct(&r), -1);
	KUNIT_EXPECT_EQ(test, resmon_region_judge(&r, &defaults), 0);
	KUNIT_EXPECT_FALSE(test, r.low);
	KUNIT_EXPECT_FALSE(test, r.high);
	KUNIT_EXPECT_FALSE(test, resmon_region_fresh(&r, 0));
	r.total = 1;
	r.used = 2;
	KUNIT_EXPECT_EQ(test, resmon_region_free_pct(&r), -1);
}

/* R2: free <= watermark; R3: used >= high threshold. */
static void marks_are_inclusive(struct kunit *test)
{
	struct resmon_region r = {};

	report(&r, &defaults, 789);
	KUNIT_EXPECT_FALSE(test, r.low);	/* 21 % free */
	report(&r, &defaults, 790);
	KUNIT_EXPECT_FALSE(test, r.low);	/* still 21 % */
	report(&r, &defaults, 791);
	KUNIT_EXPECT_TRUE(test, r.low);		/* 20.9 is 20 */
	report(&r, &defaults, 899);
	KUNIT_EXPECT_FALSE(test, r.high);	/* 89 % used */
	report(&r, &defaults, 900);
	KUNIT_EXPECT_TRUE(test, r.high);
}

/* R4: samples around a mark make one event. */
static void one_event_a_crossing(struct kunit *test)
{
	const struct resmon_region_marks marks = {
		.low = 10, .high = 80, .band = 5,
	};
	struct resmon_region r = {};
	int i;

	KUNIT_EXPECT_EQ(test, report(&r, &marks, 790), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 800), HIGH);
	for (i = 0; i < 10; i++) {
		KUNIT_EXPECT_EQ(test, report(&r, &marks, 790), 0);
		/* What denies has no dead band. */
		KUNIT_EXPECT_FALSE(test, r.high);
		KUNIT_EXPECT_EQ(test, report(&r, &marks, 800), 0);
		KUNIT_EXPECT_TRUE(test, r.high);
	}
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 760), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 759), NORMAL);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 759), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 800), HIGH);
}

static void one_event_a_watermark(struct kunit *test)
{
	struct resmon_region r = {};
	int i;

	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 800), LOW);
	for (i = 0; i < 10; i++) {
		KUNIT_EXPECT_EQ(test, report(&r, &defaults, 790), 0);
		KUNIT_EXPECT_FALSE(test, r.low);
		KUNIT_EXPECT_EQ(test, report(&r, &defaults, 800), 0);
		KUNIT_EXPECT_TRUE(test, r.low);
	}
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 751), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 750), CLEAR);
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 750), 0);
}

static void both_marks_at_once(struct kunit *test)
{
	struct resmon_region r = {};

	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 1000), LOW | HIGH);
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 1000), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 850), NORMAL);
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 0), CLEAR);
}

/* Whatever the marks and the dead band, full crosses and empty clears. */
static void every_crossing_ends(struct kunit *test)
{
	struct resmon_region_marks marks;

	for (marks.low = 1; marks.low <= 99; marks.low++) {
		for (marks.band = 0; marks.band <= 50; marks.band++) {
			struct resmon_region r = {};

			marks.high = 100 - marks.low;
			KUNIT_EXPECT_EQ(test, report(&r, &marks, 1000),
					LOW | HIGH);
			KUNIT_EXPECT_EQ(test, report(&r, &marks, 0),
					CLEAR | NORMAL);
		}
	}
}

/* Without a dead band the mark itself still does not sway. */
static void no_dead_band(struct kunit *test)
{
	const struct resmon_region_marks marks = {
		.low = 20, .high = 90, .band = 0,
	};
	struct resmon_region r = {};

	KUNIT_EXPECT_EQ(test, report(&r, &marks, 800), LOW);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 800), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 790), CLEAR);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 900), LOW | HIGH);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 900), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &marks, 899), NORMAL);
}

/* Other marks are judged with the report that is there. */
static void marks_move(struct kunit *test)
{
	struct resmon_region_marks marks = defaults;
	struct resmon_region r = {};

	KUNIT_EXPECT_EQ(test, report(&r, &marks, 700), 0);
	marks.low = 30;
	KUNIT_EXPECT_EQ(test, resmon_region_judge(&r, &marks), LOW);
	marks.low = 26;
	KUNIT_EXPECT_EQ(test, resmon_region_judge(&r, &marks), 0);
	KUNIT_EXPECT_FALSE(test, r.low);
	marks.low = 25;
	KUNIT_EXPECT_EQ(test, resmon_region_judge(&r, &marks), CLEAR);
	marks.high = 70;
	KUNIT_EXPECT_EQ(test, resmon_region_judge(&r, &marks), HIGH);
}

/* R5: what is too old is not exceeded, and says so once. */
static void too_old(struct kunit *test)
{
	struct resmon_region r = {};

	report(&r, &defaults, 1000);
	KUNIT_EXPECT_EQ(test, resmon_region_forget(&r), CLEAR | NORMAL);
	KUNIT_EXPECT_FALSE(test, r.low);
	KUNIT_EXPECT_FALSE(test, r.high);
	KUNIT_EXPECT_EQ(test, resmon_region_forget(&r), 0);
	KUNIT_EXPECT_EQ(test, report(&r, &defaults, 1000), LOW | HIGH);
}

static void lifetime(struct kunit *test)
{
	const u64 second = 1000000000ULL;
	struct resmon_region r = {
		.reported_ns = 100 * second, .lifetime_s = 30,
	};

	KUNIT_EXPECT_TRUE(test, resmon_region_fresh(&r, 100 * second));
	KUNIT_EXPECT_TRUE(test, resmon_region_fresh(&r, 130 * second - 1));
	KUNIT_EXPECT_FALSE(test, resmon_region_fresh(&r, 130 * second));
	/* Another CPU took the time a little before. */
	KUNIT_EXPECT_TRUE(test, resmon_region_fresh(&r, 100 * second - 1));
}

static void who_is_denied(struct kunit *test)
{
	const u32 client = BIT(RESMON_KIND_CLIENT);
	const u32 service = BIT(RESMON_KIND_SERVICE);

	KUNIT_EXPECT_EQ(test, resmon_region_denies(RESMON_REGION_KIND_HEAP),
			client | service);
	KUNIT_EXPECT_EQ(test, resmon_region_denies(RESMON_REGION_KIND_NH),
			client);
	KUNIT_EXPECT_EQ(test, resmon_region_denies(RESMON_REGION_KIND_ENCAP),
			client);
	KUNIT_EXPECT_EQ(test, resmon_region_denies(RESMON_REGION_KIND_FW),
			service);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(percent_rounds_down),
	KUNIT_CASE(percent_of_huge_regions),
	KUNIT_CASE(percents_agree),
	KUNIT_CASE(nothing_reported),
	KUNIT_CASE(marks_are_inclusive),
	KUNIT_CASE(one_event_a_crossing),
	KUNIT_CASE(one_event_a_watermark),
	KUNIT_CASE(both_marks_at_once),
	KUNIT_CASE(every_crossing_ends),
	KUNIT_CASE(no_dead_band),
	KUNIT_CASE(marks_move),
	KUNIT_CASE(too_old),
	KUNIT_CASE(lifetime),
	KUNIT_CASE(who_is_denied),
	{}
};

static struct kunit_suite suite = {
	.name = "resmon_region",
	.test_cases = cases,
};

kunit_test_suite(suite);
