/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_MEMORY_H
#define RESMON_MEMORY_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include "pure.h"

struct resmon_device;
struct resmon_net;

/* heap of the device, then nh, fw and encap of each PFE */
#define RESMON_REGIONS	(1 + (RESMON_PFE_MAX + 1) * RESMON_REGION_KIND_MAX)

/* Seconds that a report is valid unless it says so itself (R5). */
#define RESMON_REGION_LIFETIME	30

/**
 * struct resmon_memory - the memory regions of one device
 * @lock: protects everything below; taken with BH on, inside config_lock or
 *	an RCU read section
 * @region: all of them, see resmon_memory_slot()
 * @pfes: number of PFEs that were seen, at least 1
 * @deny: a bit for each enum resmon_kind that the regions deny; read without
 *	the lock by the resource gate
 */
struct resmon_memory {
	spinlock_t lock;	/* see above */
	struct resmon_region region[RESMON_REGIONS];
	u32 pfes;
	unsigned long deny;
};

/**
 * struct resmon_region_view - what a reader sees of one region
 * @used: bytes in use
 * @total: its size in bytes
 * @lifetime_s: seconds that the report is valid
 * @age_s: seconds since the report
 * @free_pct: percent free
 * @used_pct: percent used
 * @reported: it was reported once; nothing else is valid without
 * @stale: the report is too old, the percentages are not valid
 * @low: the watermark is exceeded
 * @high: at or above the high threshold
 */
struct resmon_region_view {
	u64 used;
	u64 total;
	u32 lifetime_s;
	u32 age_s;
	u32 free_pct;
	u32 used_pct;
	bool reported;
	bool stale;
	bool low;
	bool high;
};

/**
 * resmon_memory_slot() - where a region is in struct resmon_memory
 * @region: enum resmon_region_kind
 * @pfe: packet forwarding engine, not used for heap
 *
 * Context: Any.
 * Return: the index.
 */
static inline unsigned int resmon_memory_slot(u32 region, u32 pfe)
{
	if (region == RESMON_REGION_KIND_HEAP)
		return 0;
	return 1 + pfe * RESMON_REGION_KIND_MAX + (region - RESMON_REGION_KIND_NH);
}

/**
 * resmon_memory_slot_region() - which region is there?
 * @slot: index in struct resmon_memory
 * @pfe: set to its packet forwarding engine, 0 for heap
 *
 * Context: Any.
 * Return: enum resmon_region_kind.
 */
static inline u32 resmon_memory_slot_region(unsigned int slot, u32 *pfe)
{
	*pfe = 0;
	if (!slot)
		return RESMON_REGION_KIND_HEAP;
	*pfe = (slot - 1) / RESMON_REGION_KIND_MAX;
	return RESMON_REGION_KIND_NH + (slot - 1) % RESMON_REGION_KIND_MAX;
}

void resmon_memory_init(struct resmon_memory *memory);
bool resmon_memory_is_read(const struct resmon_device *device, u32 region,
			   u32 pfe);
void resmon_memory_report(struct resmon_net *rn, struct resmon_device *device,
			  u32 region, u32 pfe, u64 used, u64 total,
			  u32 lifetime_s);
void resmon_memory_view(struct resmon_device *device, unsigned int slot,
			struct resmon_region_view *view);
u32 resmon_memory_pfes(const struct resmon_memory *memory);
void resmon_memory_tick(struct resmon_net *rn);
void resmon_memory_rejudge(struct resmon_net *rn);

/**
 * resmon_memory_denies() - does the memory of a device deny a request?
 * @memory: the regions of the device
 * @kind: enum resmon_kind
 *
 * Context: Any.
 * Return: true when a region that the kind needs is at the high threshold.
 */
static inline bool resmon_memory_denies(const struct resmon_memory *memory,
					u32 kind)
{
	return READ_ONCE(memory->deny) & BIT(kind);
}

#endif /* RESMON_MEMORY_H */
