// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watermarks of a memory region: pure arithmetic (R1 to R5).
 *
 * What is shown and what denies follows the percentage exactly. The events and
 * the log have a dead band, so that a region that sways around a mark is not
 * reported again and again.
 */
#include "pure.h"

#define NSEC_IN_SEC	1000000000ULL

/* (r + a) mod total for r < total and a <= total; counts the carry in @q. */
static u64 add_mod(u64 r, u64 a, u64 total, u32 *q)
{
	if (r < total - a)
		return r + a;
	++*q;
	return r - (total - a);
}

/*
 * 100 * part / total, rounded down, for part <= total. Long division by the
 * bits of 100, because 100 * part needs more than 64 bits.
 */
static u32 percent(u64 part, u64 total)
{
	u32 bit, q = 0;
	u64 r = 0;

	for (bit = 64; bit; bit >>= 1) {
		q <<= 1;
		r = add_mod(r, r, total, &q);
		if (bit & 100)
			r = add_mod(r, part, total, &q);
	}
	return q;
}

/**
 * resmon_region_free_pct() - how much of a region is free
 * @region: the region
 *
 * Context: Any.
 * Return: percent free, rounded down, 0..100; -1 when it was never reported.
 */
int resmon_region_free_pct(const struct resmon_region *region)
{
	if (!region->total || region->used > region->total)
		return -1;
	return percent(region->total - region->used, region->total);
}

/**
 * resmon_region_used_pct() - how much of a region is in use
 * @region: the region
 *
 * Rounded down as the free part is: the two make 99 when neither is whole.
 *
 * Context: Any.
 * Return: percent used, 0..100; -1 when it was never reported.
 */
int resmon_region_used_pct(const struct resmon_region *region)
{
	if (!region->total || region->used > region->total)
		return -1;
	return percent(region->used, region->total);
}

/**
 * resmon_region_judge() - hold a region against its marks
 * @region: the region, it was reported and the report is not too old
 * @marks: the marks
 *
 * A dead band that reaches beyond empty or full is cut there, and to be clear
 * is always more than not to be exceeded: every crossing can end.
 *
 * Context: Any; the caller serializes.
 * Return: RESMON_REGION_WENT_* of the crossings.
 */
u32 resmon_region_judge(struct resmon_region *region,
			const struct resmon_region_marks *marks)
{
	int free = resmon_region_free_pct(region);
	int used = resmon_region_used_pct(region);
	int low = marks->low, high = marks->high, band = marks->band;
	u32 went = 0;

	if (free < 0)
		return resmon_region_forget(region);

	region->low = free <= low;
	region->high = used >= high;

	if (region->low && !region->was_low) {
		region->was_low = true;
		went |= RESMON_REGION_WENT_LOW;
	} else if (region->was_low && !region->low &&
		   free >= min(low + band, 100)) {
		region->was_low = false;
		went |= RESMON_REGION_WENT_CLEAR;
	}

	if (region->high && !region->was_high) {
		region->was_high = true;
		went |= RESMON_REGION_WENT_HIGH;
	} else if (region->was_high && !region->high &&
		   used <= max(high - band, 0)) {
		region->was_high = false;
		went |= RESMON_REGION_WENT_NORMAL;
	}
	return went;
}

/**
 * resmon_region_forget() - a report became too old (R5)
 * @region: the region
 *
 * Nothing is known: it is not exceeded and denies nobody.
 *
 * Context: Any; the caller serializes.
 * Return: RESMON_REGION_WENT_* of the crossings.
 */
u32 resmon_region_forget(struct resmon_region *region)
{
	u32 went = 0;

	if (region->was_low)
		went |= RESMON_REGION_WENT_CLEAR;
	if (region->was_high)
		went |= RESMON_REGION_WENT_NORMAL;
	region->low = false;
	region->high = false;
	region->was_low = false;
	region->was_high = false;
	return went;
}

/**
 * resmon_region_fresh() - is the report of a region still valid? (R5)
 * @region: the region
 * @now_ns: now, CLOCK_BOOTTIME in ns
 *
 * Context: Any.
 * Return: true when it was reported no longer than its lifetime ago.
 */
bool resmon_region_fresh(const struct resmon_region *region, u64 now_ns)
{
	if (!region->reported_ns)
		return false;
	if (now_ns < region->reported_ns)
		return true;
	return now_ns - region->reported_ns <
	       (u64)region->lifetime_s * NSEC_IN_SEC;
}

/**
 * resmon_region_denies() - who needs a region? (R3)
 * @region: enum resmon_region_kind
 *
 * Context: Any.
 * Return: a bit for each enum resmon_kind that is denied when it is high.
 */
u32 resmon_region_denies(u32 region)
{
	u32 client = 1U << RESMON_KIND_CLIENT;
	u32 service = 1U << RESMON_KIND_SERVICE;

	switch (region) {
	case RESMON_REGION_KIND_HEAP:
		return client | service;
	case RESMON_REGION_KIND_NH:
	case RESMON_REGION_KIND_ENCAP:
		return client;
	case RESMON_REGION_KIND_FW:
		return service;
	default:
		return 0;
	}
}
