// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of caps (C1 to C10).
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "pure.h"

#define ANY	RESMON_TYPE_ANY
#define PPPOE	RESMON_TYPE_PPPOE
#define DHCP	RESMON_TYPE_DHCP

static void nothing_is_limited_at_first(struct kunit *test)
{
	struct resmon_caps caps;
	u32 type;
	u8 full;

	resmon_caps_init(&caps);
	for (type = PPPOE; type < RESMON_TYPES; type++)
		KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, type, true, &full),
				RESMON_ROOM_FREE);
	KUNIT_EXPECT_FALSE(test, resmon_caps_over(&caps, ANY));
}

static void zero_is_nobody(struct kunit *test)
{
	struct resmon_caps caps;
	u8 full;

	resmon_caps_init(&caps);
	caps.cap[DHCP].max = 0;
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, DHCP, false, &full),
			RESMON_ROOM_FULL);
	KUNIT_EXPECT_EQ(test, full, DHCP);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, false, &full),
			RESMON_ROOM_FREE);
}

static void own_type_and_any_both_count(struct kunit *test)
{
	struct resmon_caps caps;
	u8 full;

	resmon_caps_init(&caps);
	caps.cap[ANY].max = 2;
	caps.cap[PPPOE].max = 1;
	resmon_caps_take(&caps, PPPOE, false, 1);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, false, &full),
			RESMON_ROOM_FULL);
	KUNIT_EXPECT_EQ(test, full, PPPOE);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, DHCP, false, &full),
			RESMON_ROOM_FREE);
	resmon_caps_take(&caps, DHCP, false, 1);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, DHCP, false, &full),
			RESMON_ROOM_FULL);
	KUNIT_EXPECT_EQ(test, full, ANY);
}

static void starting_is_a_cap_apart(struct kunit *test)
{
	struct resmon_caps caps;
	u8 full;

	resmon_caps_init(&caps);
	caps.cap[PPPOE].max_starting = 1;
	resmon_caps_take(&caps, PPPOE, true, 1);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, true, &full),
			RESMON_ROOM_STARTING);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, false, &full),
			RESMON_ROOM_FREE);
	resmon_caps_up(&caps, PPPOE);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, true, &full),
			RESMON_ROOM_FREE);
	KUNIT_EXPECT_EQ(test, caps.cap[ANY].sessions, 1u);
	KUNIT_EXPECT_EQ(test, caps.cap[ANY].starting, 0u);
	resmon_caps_give(&caps, PPPOE, false);
	KUNIT_EXPECT_EQ(test, caps.cap[PPPOE].sessions, 0u);
}

static void a_lower_limit_keeps_who_is_there(struct kunit *test)
{
	struct resmon_caps caps;
	u8 full;

	resmon_caps_init(&caps);
	resmon_caps_take(&caps, PPPOE, false, 1);
	resmon_caps_take(&caps, PPPOE, false, 1);
	caps.cap[ANY].max = 1;
	KUNIT_EXPECT_TRUE(test, resmon_caps_over(&caps, ANY));
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, false, &full),
			RESMON_ROOM_FULL);
	resmon_caps_give(&caps, PPPOE, false);
	KUNIT_EXPECT_FALSE(test, resmon_caps_over(&caps, ANY));
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, false, &full),
			RESMON_ROOM_FULL);
	resmon_caps_give(&caps, PPPOE, false);
	KUNIT_EXPECT_EQ(test, resmon_caps_look(&caps, PPPOE, false, &full),
			RESMON_ROOM_FREE);
}

static void peaks_stay_until_cleared(struct kunit *test)
{
	struct resmon_caps caps;

	resmon_caps_init(&caps);
	resmon_caps_take(&caps, PPPOE, false, 10);
	resmon_caps_take(&caps, DHCP, false, 20);
	resmon_caps_give(&caps, DHCP, false);
	KUNIT_EXPECT_EQ(test, caps.mark[ANY].peak, 2u);
	KUNIT_EXPECT_EQ(test, caps.mark[ANY].peak_time, 20ll);
	resmon_caps_take(&caps, DHCP, false, 30);
	KUNIT_EXPECT_EQ(test, caps.mark[ANY].peak_time, 20ll);
	resmon_caps_give(&caps, DHCP, false);
	resmon_caps_clear_peaks(&caps, 40);
	KUNIT_EXPECT_EQ(test, caps.mark[ANY].peak, 1u);
	KUNIT_EXPECT_EQ(test, caps.mark[DHCP].peak, 0u);
	KUNIT_EXPECT_EQ(test, caps.mark[DHCP].peak_time, 0ll);
	KUNIT_EXPECT_EQ(test, caps.cap[ANY].sessions, 1u);
}

static void warnings_have_a_dead_band(struct kunit *test)
{
	static const struct {
		u32 sessions;
		enum resmon_crossing crossing;
	} step[] = {
		{ 79, RESMON_CROSSING_NONE }, { 80, RESMON_CROSSING_UP },
		{ 79, RESMON_CROSSING_NONE }, { 80, RESMON_CROSSING_NONE },
		{ 76, RESMON_CROSSING_NONE }, { 75, RESMON_CROSSING_DOWN },
		{ 79, RESMON_CROSSING_NONE }, { 100, RESMON_CROSSING_UP },
		{ 0, RESMON_CROSSING_DOWN },
	};
	struct resmon_caps caps;
	int i;

	resmon_caps_init(&caps);
	caps.cap[ANY].max = 100;
	caps.mark[ANY].warn = 80;
	for (i = 0; i < ARRAY_SIZE(step); i++) {
		caps.cap[ANY].sessions = step[i].sessions;
		KUNIT_EXPECT_EQ_MSG(test, resmon_caps_warn(&caps, ANY),
				    step[i].crossing, "step %d", i);
	}
	/* A limit that goes away takes its warning along. */
	caps.cap[ANY].sessions = 90;
	KUNIT_EXPECT_EQ(test, resmon_caps_warn(&caps, ANY), RESMON_CROSSING_UP);
	caps.cap[ANY].max = RESMON_NO_LIMIT;
	KUNIT_EXPECT_EQ(test, resmon_caps_warn(&caps, ANY),
			RESMON_CROSSING_DOWN);
}

static void a_leg_takes_along_what_the_lag_holds(struct kunit *test)
{
	struct resmon_use use = {};
	struct resmon_caps caps;

	resmon_caps_init(&caps);
	resmon_caps_take(&caps, PPPOE, false, 1);
	resmon_use_take(&use, DHCP, true);
	resmon_use_take(&use, DHCP, false);
	use.services = 3;
	resmon_caps_join(&caps, &use, 5);
	KUNIT_EXPECT_EQ(test, caps.cap[ANY].sessions, 3u);
	KUNIT_EXPECT_EQ(test, caps.cap[DHCP].starting, 1u);
	KUNIT_EXPECT_EQ(test, caps.services, 3u);
	KUNIT_EXPECT_EQ(test, caps.mark[ANY].peak, 3u);
	resmon_use_up(&use, DHCP);
	resmon_caps_up(&caps, DHCP);
	resmon_caps_leave(&caps, &use);
	KUNIT_EXPECT_EQ(test, caps.cap[ANY].sessions, 1u);
	KUNIT_EXPECT_EQ(test, caps.cap[ANY].starting, 0u);
	KUNIT_EXPECT_EQ(test, caps.services, 0u);
	resmon_use_give(&use, DHCP, false);
	KUNIT_EXPECT_EQ(test, use.sessions[ANY], 1u);
}

static struct kunit_case charge_cases[] = {
	KUNIT_CASE(nothing_is_limited_at_first),
	KUNIT_CASE(zero_is_nobody),
	KUNIT_CASE(own_type_and_any_both_count),
	KUNIT_CASE(starting_is_a_cap_apart),
	KUNIT_CASE(a_lower_limit_keeps_who_is_there),
	KUNIT_CASE(peaks_stay_until_cleared),
	KUNIT_CASE(warnings_have_a_dead_band),
	KUNIT_CASE(a_leg_takes_along_what_the_lag_holds),
	{}
};

static struct kunit_suite charge_suite = {
	.name = "resmon_charge",
	.test_cases = charge_cases,
};

kunit_test_suite(charge_suite);
