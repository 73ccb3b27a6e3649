// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last denials: when, who, where and why.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>

#include "admit.h"
#include "net.h"
#include "place.h"
#include "why.h"

/* Denials in one tick of the clock that get a time of their own. */
#define PRECISE		8

/* How often a reader tries an entry that is being overwritten. */
#define TRIES		16

/**
 * struct resmon_why_slot - a place of the ring
 * @seq: lets a reader see that it was overwritten meanwhile
 * @entry: the denial
 */
struct resmon_why_slot {
	seqcount_t seq;
	struct resmon_why_entry entry;
};

/**
 * struct resmon_why_ring - the last denials of one CPU
 * @slot: written by this CPU alone with BH off, read by anybody
 * @next: number of the next denial
 * @precise: denials of this tick that still get a time of their own
 * @tick: time of the last tick of the clock, in nanoseconds
 * @last: time of the last denial
 */
struct resmon_why_ring {
	u32 next;
	u32 precise;
	u64 tick;
	u64 last;
	struct resmon_why_slot slot[RESMON_WHY_ENTRIES];
};

/**
 * resmon_why_net_init() - the rings of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_why_net_init(struct resmon_net *rn)
{
	int cpu, i;

	rn->why.ring = alloc_percpu_gfp(struct resmon_why_ring,
					GFP_KERNEL_ACCOUNT);
	if (!rn->why.ring)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct resmon_why_ring *ring = per_cpu_ptr(rn->why.ring, cpu);

		for (i = 0; i < RESMON_WHY_ENTRIES; i++)
			seqcount_init(&ring->slot[i].seq);
	}
	return 0;
}

/**
 * resmon_why_net_exit() - free the rings
 * @rn: the chassis; nobody decides any more
 *
 * Context: Process context, may sleep.
 */
void resmon_why_net_exit(struct resmon_net *rn)
{
	free_percpu(rn->why.ring);
}

/*
 * Reading the clock costs as much as all the rest of a denial. In a flood only
 * the first of each tick do so, the others get the same time, and their number
 * keeps them in order.
 */
static u64 now(struct resmon_why_ring *ring)
{
	u64 tick = ktime_get_coarse_real_ns();

	if (tick != ring->tick) {
		ring->tick = tick;
		ring->precise = PRECISE;
	}
	if (ring->precise) {
		ring->precise--;
		ring->last = ktime_get_real_ns();
	}
	return ring->last;
}

/**
 * resmon_why_record() - remember a denial
 * @rn: the chassis
 * @req: the request
 * @v: its verdict, not an admission
 *
 * Context: BH off, RCU read section.
 */
void resmon_why_record(struct resmon_net *rn, const struct resmon_request *req,
		       const struct resmon_decision *v)
{
	struct resmon_why_ring *ring = this_cpu_ptr(rn->why.ring);
	u32 order = ring->next;
	struct resmon_why_slot *slot = &ring->slot[order % RESMON_WHY_ENTRIES];
	struct resmon_why_entry *entry = &slot->entry;

	write_seqcount_begin(&slot->seq);
	entry->when = now(ring);
	entry->order = order;
	entry->has_place = req->place;
	if (req->place)
		entry->place = req->place->elem.id;
	entry->has_refuser = v->refuser;
	if (v->refuser)
		entry->refuser = v->refuser->id;
	entry->outer = req->key.outer;
	entry->inner = req->key.inner;
	entry->cause = v->cause;
	entry->type = req->type;
	entry->kind = req->kind;
	entry->len = req->text ? min_t(u8, req->text_len, RESMON_KEY_LEN) : 0;
	memcpy(entry->text, req->text, entry->len);
	write_seqcount_end(&slot->seq);
	ring->next = order + 1;
}

/* False when there is nothing, or when a flood overwrites it all the time. */
static bool read_slot(struct resmon_why_slot *slot,
		      struct resmon_why_entry *entry)
{
	int i;

	for (i = 0; i < TRIES; i++) {
		unsigned int seq = raw_seqcount_begin(&slot->seq);

		*entry = slot->entry;
		if (!read_seqcount_retry(&slot->seq, seq))
			return entry->when;
	}
	return false;
}

/* By time; denials of one tick have the same, those of one CPU a number too. */
static int older(const void *a, const void *b)
{
	const struct resmon_why_entry *x = a, *y = b;

	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return (s32)(x->order - y->order);
}

/**
 * resmon_why_read() - the last denials
 * @rn: the chassis
 * @text: only of this identity, NULL for all
 * @len: its length in bytes
 *
 * Context: Process context, may sleep.
 * Return: the denials, to be freed with kvfree(), or NULL without memory.
 */
struct resmon_why_list *resmon_why_read(struct resmon_net *rn, const void *text,
					u8 len)
{
	struct resmon_why_list *list;
	int cpu, i;

	list = kvzalloc(struct_size(list, entry, num_possible_cpus() *
				    RESMON_WHY_ENTRIES), GFP_KERNEL_ACCOUNT);
	if (!list)
		return NULL;

	for_each_possible_cpu(cpu) {
		struct resmon_why_ring *ring = per_cpu_ptr(rn->why.ring, cpu);

		for (i = 0; i < RESMON_WHY_ENTRIES; i++) {
			struct resmon_why_entry *entry = &list->entry[list->n];

			if (!read_slot(&ring->slot[i], entry))
				continue;
			if (text && (entry->len != len ||
				     memcmp(entry->text, text, len)))
				continue;
			list->n++;
		}
		cond_resched();
	}
	sort(list->entry, list->n, sizeof(list->entry[0]), older, NULL);
	return list;
}
