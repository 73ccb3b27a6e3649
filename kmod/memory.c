// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory regions of the devices: reports, their age, and what the kernel
 * reads about its own host.
 */
#include <linux/mm.h>
#include <linux/timekeeping.h>
#include <net/arp.h>
#include <net/ndisc.h>

#include "device.h"
#include "event.h"
#include "memory.h"
#include "net.h"
#include "trace.h"

/**
 * resmon_memory_init() - no region was reported yet
 * @memory: the regions of a new device
 *
 * Context: Process context.
 */
void resmon_memory_init(struct resmon_memory *memory)
{
	memset(memory, 0, sizeof(*memory));
	spin_lock_init(&memory->lock);
	memory->pfes = 1;
}

/**
 * resmon_memory_is_read() - does the module read a region itself? (R6)
 * @device: the device
 * @region: enum resmon_region_kind
 * @pfe: packet forwarding engine
 *
 * Context: Any.
 * Return: true for heap and the next hops of the device that is this host;
 *	a report from outside would fight with the reader.
 */
bool resmon_memory_is_read(const struct resmon_device *device, u32 region,
			   u32 pfe)
{
	return device->host && (region == RESMON_REGION_KIND_HEAP ||
				(region == RESMON_REGION_KIND_NH && !pfe));
}

static void post(struct resmon_net *rn, struct resmon_device *device,
		 const struct resmon_region *region, u32 which, u32 pfe,
		 u8 type, u32 value, u32 mark)
{
	struct resmon_event event = {
		.type = type,
		.id = device->elem.id,
		.region = which,
		.pfe = pfe,
		.value = value,
		.mark = mark,
		.unknown = !region->low && !region->high &&
			   !resmon_region_fresh(region, ktime_get_boottime_ns()),
	};

	resmon_event_post(rn, &event);
}

/* One event for each crossing; a region that is full crosses both marks. */
static void tell(struct resmon_net *rn, struct resmon_device *device,
		 unsigned int slot, u32 went,
		 const struct resmon_region_marks *marks)
{
	struct resmon_region *region = &device->memory.region[slot];
	u32 pfe, which = resmon_memory_slot_region(slot, &pfe);
	u32 free = max(resmon_region_free_pct(region), 0);
	u32 used = max(resmon_region_used_pct(region), 0);

	trace_resmon_region(rn, &device->elem.id, which, pfe, free, went);

	if (went & RESMON_REGION_WENT_LOW)
		post(rn, device, region, which, pfe,
		     RESMON_EVENT_TYPE_REGION_LOW, free, marks->low);
	if (went & RESMON_REGION_WENT_HIGH)
		post(rn, device, region, which, pfe,
		     RESMON_EVENT_TYPE_REGION_HIGH, used, marks->high);
	if (went & RESMON_REGION_WENT_NORMAL)
		post(rn, device, region, which, pfe,
		     RESMON_EVENT_TYPE_REGION_NORMAL, used, marks->high);
	if (went & RESMON_REGION_WENT_CLEAR)
		post(rn, device, region, which, pfe,
		     RESMON_EVENT_TYPE_REGION_CLEAR, free, marks->low);
}

static void marks_of(struct resmon_net *rn, u32 which,
		     struct resmon_region_marks *marks)
{
	const struct resmon_settings *settings;

	rcu_read_lock();
	settings = rcu_dereference(rn->settings);
	marks->low = settings->low[which];
	marks->high = settings->high_threshold;
	marks->band = settings->dead_band;
	rcu_read_unlock();
}

/* Hold one region against its marks as they are now. */
static void judge(struct resmon_net *rn, struct resmon_device *device,
		  unsigned int slot, u64 now)
{
	struct resmon_region *region = &device->memory.region[slot];
	struct resmon_region_marks marks;
	u32 went, pfe;

	lockdep_assert_held(&device->memory.lock);

	marks_of(rn, resmon_memory_slot_region(slot, &pfe), &marks);
	if (resmon_region_fresh(region, now))
		went = resmon_region_judge(region, &marks);
	else
		went = resmon_region_forget(region);
	if (went)
		tell(rn, device, slot, went, &marks);
}

/* What the regions deny, in one word that the resource gate can look at. */
static void sum_up(struct resmon_memory *memory)
{
	unsigned long deny = 0;
	unsigned int slot;

	lockdep_assert_held(&memory->lock);

	for (slot = 0; slot < RESMON_REGIONS; slot++) {
		u32 pfe, which = resmon_memory_slot_region(slot, &pfe);

		if (memory->region[slot].high)
			deny |= resmon_region_denies(which);
	}
	/* Pairs with the read without the lock in resmon_memory_denies(). */
	if (memory->deny != deny)
		WRITE_ONCE(memory->deny, deny);
}

/**
 * resmon_memory_report() - take a report of one region
 * @rn: the chassis
 * @device: the device
 * @region: enum resmon_region_kind
 * @pfe: packet forwarding engine, up to RESMON_PFE_MAX; not used for heap
 * @used: bytes in use, at most @total
 * @total: its size in bytes, not 0
 * @lifetime_s: seconds that the report is valid
 *
 * Context: Process context, config_lock or RCU read section.
 */
void resmon_memory_report(struct resmon_net *rn, struct resmon_device *device,
			  u32 region, u32 pfe, u64 used, u64 total,
			  u32 lifetime_s)
{
	unsigned int slot = resmon_memory_slot(region, pfe);
	struct resmon_memory *memory = &device->memory;
	u64 now = ktime_get_boottime_ns();

	spin_lock(&memory->lock);
	memory->region[slot].used = used;
	memory->region[slot].total = total;
	memory->region[slot].lifetime_s = lifetime_s;
	memory->region[slot].reported_ns = now;
	if (region != RESMON_REGION_KIND_HEAP && pfe >= memory->pfes)
		WRITE_ONCE(memory->pfes, pfe + 1);
	judge(rn, device, slot, now);
	sum_up(memory);
	spin_unlock(&memory->lock);
}

/**
 * resmon_memory_view() - what a reader sees of one region
 * @device: the device
 * @slot: index in struct resmon_memory
 * @view: filled in
 *
 * A report that is too old is stale at once, not when the next tick comes.
 *
 * Context: Process context, config_lock or RCU read section.
 */
void resmon_memory_view(struct resmon_device *device, unsigned int slot,
			struct resmon_region_view *view)
{
	const struct resmon_region *region = &device->memory.region[slot];
	u64 now;

	memset(view, 0, sizeof(*view));
	spin_lock(&device->memory.lock);
	now = ktime_get_boottime_ns();
	if (region->reported_ns) {
		view->reported = true;
		view->stale = !resmon_region_fresh(region, now);
		view->used = region->used;
		view->total = region->total;
		view->lifetime_s = region->lifetime_s;
		view->age_s = div_u64(now - region->reported_ns, NSEC_PER_SEC);
		view->free_pct = max(resmon_region_free_pct(region), 0);
		view->used_pct = max(resmon_region_used_pct(region), 0);
		view->low = region->low && !view->stale;
		view->high = region->high && !view->stale;
	}
	spin_unlock(&device->memory.lock);
}

/**
 * resmon_memory_pfes() - how many packet forwarding engines were seen
 * @memory: the regions of a device
 *
 * Context: Any.
 * Return: their number, at least 1.
 */
u32 resmon_memory_pfes(const struct resmon_memory *memory)
{
	return READ_ONCE(memory->pfes);
}

/* Memory that can be had without swapping is what counts as free. */
static void read_heap(struct resmon_net *rn, struct resmon_device *device)
{
	struct sysinfo info;
	u64 total, available;

	si_meminfo(&info);
	total = info.totalram;
	available = clamp_t(s64, si_mem_available(), 0, total);
	if (total)
		resmon_memory_report(rn, device, RESMON_REGION_KIND_HEAP, 0,
				     (total - available) << PAGE_SHIFT,
				     total << PAGE_SHIFT,
				     RESMON_REGION_LIFETIME);
}

static void table_use(const struct neigh_table *table, u64 *used, u64 *total)
{
	*total = max(READ_ONCE(table->gc_thresh3), 1);
	*used = clamp_t(s64, atomic_read(&table->gc_entries), 0, *total);
}

/*
 * Entries, not bytes, against the number from which the kernel makes no new
 * ones; of the two tables the fuller one.
 */
static void read_nh(struct resmon_net *rn, struct resmon_device *device)
{
	u64 used, total;

	table_use(&arp_tbl, &used, &total);
#if IS_ENABLED(CONFIG_IPV6)
	{
		u64 used6, total6;

		table_use(&nd_tbl, &used6, &total6);
		/* Both are below 2^31, so the products fit. */
		if (used6 * total > used * total6) {
			used = used6;
			total = total6;
		}
	}
#endif
	resmon_memory_report(rn, device, RESMON_REGION_KIND_NH, 0, used, total,
			     RESMON_REGION_LIFETIME);
}

static void refresh(struct resmon_net *rn, struct resmon_device *device)
{
	struct resmon_memory *memory = &device->memory;
	u64 now = ktime_get_boottime_ns();
	unsigned int slot;

	spin_lock(&memory->lock);
	for (slot = 0; slot < RESMON_REGIONS; slot++)
		if (memory->region[slot].reported_ns)
			judge(rn, device, slot, now);
	sum_up(memory);
	spin_unlock(&memory->lock);
}

/**
 * resmon_memory_tick() - once a second: read the host's own regions (R6) and
 *	forget reports that became too old (R5)
 * @rn: the chassis
 *
 * Context: Process context, takes no mutex.
 */
void resmon_memory_tick(struct resmon_net *rn)
{
	struct resmon_device *device;
	unsigned long index;

	rcu_read_lock();
	xa_for_each(&rn->devices, index, device) {
		if (device->host) {
			read_heap(rn, device);
			read_nh(rn, device);
		}
		refresh(rn, device);
	}
	rcu_read_unlock();
}

/**
 * resmon_memory_rejudge() - marks changed: judge all regions anew
 * @rn: the chassis
 *
 * Context: Process context, config_lock held.
 */
void resmon_memory_rejudge(struct resmon_net *rn)
{
	struct resmon_device *device;
	unsigned long index;

	lockdep_assert_held(&rn->config_lock);

	xa_for_each(&rn->devices, index, device)
		refresh(rn, device);
}
