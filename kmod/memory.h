/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_MEMORY_H
#define RESMON_MEMORY_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "pure.h"

struct resmon_device;
struct resmon_net;

/* heap of the device, then nh, fw and encap of each PFE */
#define RESMON_REGIONS	(1 + (RESMON_PFE_MAX + 1) * RESMON_REGION_MAX)

/**
 * struct resmon_memory - the memory regions of one device
 * @lock: protects @region; BH on
 * @region: all of them, see resmon_memory_region()
 * @pfes: number of PFEs that were seen, at least 1
 * @deny: a bit for each enum resmon_kind that the regions deny; read without
 *	the lock by the resource gate
 */
struct resmon_memory {
	struct mutex lock;	/* see above */
	struct resmon_region region[RESMON_REGIONS];
	u32 pfes;
	unsigned long deny;
};

void resmon_memory_init(struct resmon_memory *memory);
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
