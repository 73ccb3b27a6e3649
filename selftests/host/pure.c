// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pure files of the module in user space, under sanitizers, against models
 * that are too simple to be wrong. TAP; the seed of a failure is printed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pure.h"

static unsigned int results, failures;
static u64 seed;

static u32 rnd(u32 n)
{
	/* Knuth's MMIX constants; the upper half is random enough. */
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % n;
}

static void ok(bool good, const char *name)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++results, name);
	failures += !good;
}

/* Rows of a vector: numbers separated by commas, # begins a comment. */
static int next_row(FILE *f, long *row, int n)
{
	char line[256], *p;
	int i;

	while (fgets(line, sizeof(line), f)) {
		if (*line == '#' || *line == '\n')
			continue;
		for (i = 0, p = line; i < n; i++)
			row[i] = strtol(p, &p, 10), p += *p == ',';
		return 1;
	}
	return 0;
}

static void test_rtt_vector(const char *path)
{
	struct resmon_throttle_params params;
	struct resmon_throttle t = {};
	FILE *f = fopen(path, "r");
	bool good = true;
	long row[5];
	int rows = 0;

	if (!f) {
		perror(path);
		exit(1);
	}
	resmon_throttle_defaults(&params);
	for (; next_row(f, row, 5); rows++) {
		struct resmon_throttle_sample sample = {
			.rtt_us = row[1] * 1000,
			.threshold_us = 1000000,
			.exceeded = row[1] > 1000,
			.answered = true,
		};

		resmon_throttle_sample(&t, &params, &sample,
				       row[0] * 1000000000ULL);
		if (sample.exceeded != row[2] || t.run != row[3] ||
		    100 - t.percent != row[4]) {
			printf("# second %ld: run %u, allowed %u\n", row[0],
			       t.run, 100 - t.percent);
			good = false;
		}
	}
	fclose(f);
	ok(good && rows == 12, "E3 the vector of the throttle, row by row");
}

/* Any sequence of measurements keeps the throttle in its bounds. */
static void test_throttle_bounds(void)
{
	bool bounds = true, silent = true, ends = true;
	int round, i;

	for (round = 0; round < 2000; round++) {
		struct resmon_throttle_params params = {
			.count = 1 + rnd(5),
			.law = rnd(2),
			.step = 1 + rnd(100),
			.max = 1 + rnd(100),
			.silent_max = rnd(101),
			.recovery = rnd(2),
			.hold_s = 1 + rnd(10),
			.back = 1 + rnd(100),
		};
		struct resmon_throttle t = {};
		bool ever_answered = false;
		u64 now = 0;

		for (i = 0; i < 200; i++) {
			struct resmon_throttle_sample sample = {
				.rtt_us = rnd(4000),
				.threshold_us = 1 + rnd(2000),
				.answered = rnd(8) == 0,
			};

			if (round & 1)
				sample.answered = false;
			ever_answered |= sample.answered;
			sample.exceeded = sample.rtt_us > sample.threshold_us;
			now += 1000000000ULL;
			resmon_throttle_sample(&t, &params, &sample, now);
			if (t.percent > params.max || t.percent > 100)
				bounds = false;
			if (!ever_answered && t.percent > params.silent_max)
				silent = false;
		}
		/* E6: good measurements alone end every throttle. */
		for (i = 0; i < 100 * 11 + 10 && t.percent; i++) {
			struct resmon_throttle_sample sample = {
				.rtt_us = 1,
				.threshold_us = 1000,
				.answered = true,
			};

			now += 1000000000ULL;
			resmon_throttle_sample(&t, &params, &sample, now);
		}
		if (t.percent)
			ends = false;
	}
	ok(bounds, "E4 no sequence brings the throttle above max");
	ok(silent, "E8 unanswered probes alone do not bring it above silent-max");
	ok(ends, "E6 good measurements alone end it");
}

static void test_spread(void)
{
	bool good = true;
	u32 percent, n;

	for (percent = 0; percent <= 100; percent++) {
		u32 acc = 0, denied = 0;

		for (n = 1; n <= 1000; n++) {
			denied += resmon_throttle_spread(&acc, percent);
			/* 100 x the distance to the exact share. */
			if (abs((int)(denied * 100 - n * percent)) >= 100)
				good = false;
		}
	}
	ok(good, "E9 spread is within one of the exact share in every prefix");
}

/* A region of percents: the marks against plain comparisons. */
static void test_region(void)
{
	bool exact = true, band = true;
	int round, i;

	for (round = 0; round < 2000; round++) {
		struct resmon_region_marks marks = {
			.low = 1 + rnd(99),
			.high = 1 + rnd(99),
			.band = rnd(51),
		};
		struct resmon_region region = { .total = 1 + rnd(100000) };
		int last_low = 0;

		for (i = 0; i < 100; i++) {
			u32 went;
			int free_pct, used_pct;
			bool low, high;

			region.used = rnd(region.total + 1);
			region.reported_ns = 1;
			went = resmon_region_judge(&region, &marks);
			free_pct = (region.total - region.used) * 100 /
				   region.total;
			used_pct = region.used * 100 / region.total;
			low = free_pct <= (int)marks.low;
			high = used_pct >= (int)marks.high;
			if (resmon_region_free_pct(&region) != free_pct ||
			    resmon_region_used_pct(&region) != used_pct ||
			    region.low != low || region.high != high)
				exact = false;
			/* An event alternates, and needs its mark or band. */
			if (went & RESMON_REGION_WENT_LOW) {
				if (last_low || free_pct > (int)marks.low)
					band = false;
				last_low = 1;
			}
			if (went & RESMON_REGION_WENT_CLEAR) {
				if (!last_low || free_pct <= (int)marks.low)
					band = false;
				if (free_pct <
				    min((int)(marks.low + marks.band), 100))
					band = false;
				last_low = 0;
			}
		}
	}
	ok(exact, "R2, R3 the marks are exact comparisons");
	ok(band, "R4 an event needs its mark, and its end the dead band");
}

/* Huge regions must not overflow. */
static void test_region_huge(void)
{
	struct resmon_region region = {
		.used = U64_MAX - 1,
		.total = U64_MAX,
		.reported_ns = 1,
	};

	ok(resmon_region_used_pct(&region) == 99 &&
	   resmon_region_free_pct(&region) == 0,
	   "R1 percentages of 16 exbibytes");
}

/* Caps of one element against counters that are summed up from nothing. */
static void test_caps(void)
{
	bool usage = true, room = true, peak = true;
	int round, i;

	for (round = 0; round < 500; round++) {
		u32 sessions[RESMON_TYPES] = {}, starting[RESMON_TYPES] = {};
		u32 top[RESMON_TYPES] = {}, type;
		struct resmon_caps caps;

		resmon_caps_init(&caps);
		for (type = 0; type < RESMON_TYPES; type++) {
			if (rnd(2))
				caps.cap[type].max = rnd(20);
			if (rnd(2))
				caps.cap[type].max_starting = rnd(10);
		}
		for (i = 0; i < 300; i++) {
			bool begin = rnd(2), fits;
			u8 full;

			type = 1 + rnd(RESMON_TYPE_MAX);
			switch (rnd(3)) {
			case 0:
				fits = sessions[type] < caps.cap[type].max &&
				       sessions[0] < caps.cap[0].max &&
				       (!begin ||
					(starting[type] <
						caps.cap[type].max_starting &&
					 starting[0] <
						caps.cap[0].max_starting));
				if ((resmon_caps_look(&caps, type, begin,
						      &full) ==
				     RESMON_ROOM_FREE) != fits)
					room = false;
				if (!fits)
					break;
				resmon_caps_take(&caps, type, begin, i + 1);
				sessions[type]++;
				sessions[0]++;
				starting[type] += begin;
				starting[0] += begin;
				top[type] = max(top[type], sessions[type]);
				top[0] = max(top[0], sessions[0]);
				break;
			case 1:
				if (!starting[type])
					break;
				resmon_caps_up(&caps, type);
				starting[type]--;
				starting[0]--;
				break;
			case 2:
				begin = starting[type] &&
					(rnd(2) ||
					 starting[type] == sessions[type]);
				if (!sessions[type])
					break;
				resmon_caps_give(&caps, type, begin);
				sessions[type]--;
				sessions[0]--;
				starting[type] -= begin;
				starting[0] -= begin;
				break;
			}
		}
		for (type = 0; type < RESMON_TYPES; type++) {
			if (caps.cap[type].sessions != sessions[type] ||
			    caps.cap[type].starting != starting[type])
				usage = false;
			if (caps.mark[type].peak != top[type])
				peak = false;
		}
	}
	ok(usage, "C1 usage is what was taken less what was given back");
	ok(room, "C1, C7 there is room exactly under every limit");
	ok(peak, "C8 the peak is the most there ever was");
}

/* A warning mark: crossings alternate, and each has its reason. */
static void test_warn(void)
{
	bool good = true;
	int round, i;

	for (round = 0; round < 500; round++) {
		u32 limit = 1 + rnd(1000), warn = 1 + rnd(100);
		struct resmon_caps caps;
		bool above = false;

		resmon_caps_init(&caps);
		caps.cap[0].max = limit;
		caps.mark[0].warn = warn;
		for (i = 0; i < 500; i++) {
			enum resmon_crossing crossing;
			u64 pct100;

			caps.cap[0].sessions = rnd(limit + 1);
			pct100 = (u64)caps.cap[0].sessions * 100;
			crossing = resmon_caps_warn(&caps, 0);
			if (crossing == RESMON_CROSSING_UP) {
				good &= !above && pct100 >= (u64)limit * warn;
				above = true;
			} else if (crossing == RESMON_CROSSING_DOWN) {
				good &= above &&
					pct100 < (u64)limit * warn;
				above = false;
			} else if (!above && caps.cap[0].sessions) {
				good &= pct100 < (u64)limit * warn;
			}
			good &= resmon_caps_warn(&caps, 0) ==
				RESMON_CROSSING_NONE;
		}
	}
	ok(good, "C10 one crossing each way, with a dead band");
}

/* A leg that joins and leaves takes along exactly what the lag holds. */
static void test_join(void)
{
	struct resmon_caps caps, before;
	struct resmon_use use = {};
	int i;

	resmon_caps_init(&caps);
	for (i = 0; i < 50; i++)
		resmon_caps_take(&caps, 1 + rnd(3), rnd(2), i);
	for (i = 0; i < 70; i++)
		resmon_use_take(&use, 1 + rnd(3), rnd(2));
	before = caps;
	resmon_caps_join(&caps, &use, 1);
	ok(caps.cap[0].sessions == 120 && caps.mark[0].peak == 120,
	   "C6 a leg that joins adds what the lag holds");
	resmon_caps_leave(&caps, &use);
	ok(!memcmp(caps.cap, before.cap, sizeof(caps.cap)),
	   "C6 a leg that leaves takes it away again");
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s VECTORS [SEED]\n", argv[0]);
		return 2;
	}
	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20240229;
	printf("# seed %llu\n", (unsigned long long)seed);

	char path[4096];

	snprintf(path, sizeof(path), "%s/rtt_step.csv", argv[1]);
	test_rtt_vector(path);
	test_throttle_bounds();
	test_spread();
	test_region();
	test_region_huge();
	test_caps();
	test_warn();
	test_join();
	printf("1..%u\n", results);
	return failures != 0;
}
