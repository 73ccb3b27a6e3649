// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of an element: written on the CPU that decides, summed by who
 * reads, and never set back.
 */
#include <linux/percpu.h>
#include <linux/slab.h>

#include "admit.h"
#include "net.h"
#include "place.h"
#include "stats.h"

/* The counters are an array to sum, and a struct to be understood. */
#define RESMON_COUNTERS	(sizeof(struct resmon_counters) / sizeof(u64))

/* Where a counter is in the array; [] in @field need not be constant. */
#define COUNTER(field)	\
	((unsigned int)(offsetof(struct resmon_counters, field) / sizeof(u64)))

/**
 * struct resmon_stats_cpu - the counters on one CPU
 * @syncp: lets a 32 bit reader see whole numbers
 * @counter: laid out as struct resmon_counters
 */
struct resmon_stats_cpu {
	struct u64_stats_sync syncp;
	u64_stats_t counter[RESMON_COUNTERS];
};

/**
 * struct resmon_stats - the counters of one element
 * @cpu: they only grow
 * @lock: protects @base; taken with BH off, a leaf
 * @base: what they were at the last clear
 */
struct resmon_stats {
	struct resmon_stats_cpu __percpu *cpu;
	spinlock_t lock;	/* see above */
	u64 base[RESMON_COUNTERS];
};

/**
 * resmon_stats_alloc() - counters that are zero
 *
 * Context: Process context, may sleep.
 * Return: the counters, or NULL without memory.
 */
struct resmon_stats *resmon_stats_alloc(void)
{
	struct resmon_stats *stats;
	int cpu;

	stats = kzalloc_obj(*stats, GFP_KERNEL_ACCOUNT);
	if (!stats)
		return NULL;
	stats->cpu = alloc_percpu_gfp(struct resmon_stats_cpu,
				      GFP_KERNEL_ACCOUNT);
	if (!stats->cpu) {
		kfree(stats);
		return NULL;
	}
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(stats->cpu, cpu)->syncp);
	spin_lock_init(&stats->lock);
	return stats;
}

/**
 * resmon_stats_free() - free counters that nobody uses any more
 * @stats: the counters or NULL
 *
 * Context: Any that kfree() and free_percpu() allow.
 */
void resmon_stats_free(struct resmon_stats *stats)
{
	if (!stats)
		return;
	free_percpu(stats->cpu);
	kfree(stats);
}

/* Two counters, because a refusal by a limit is counted twice. BH is off. */
static void count(struct resmon_stats *stats, unsigned int a, int b)
{
	struct resmon_stats_cpu *cpu = this_cpu_ptr(stats->cpu);

	u64_stats_update_begin(&cpu->syncp);
	u64_stats_inc(&cpu->counter[a]);
	if (b >= 0)
		u64_stats_inc(&cpu->counter[b]);
	u64_stats_update_end(&cpu->syncp);
}

static unsigned int column_of(const struct resmon_request *req)
{
	if (req->kind == RESMON_KIND_SERVICE)
		return RESMON_COLUMN_SERVICE;
	/* A request that is wrong counts somewhere too, the sum must agree. */
	if (req->type < RESMON_TYPE_PPPOE || req->type > RESMON_TYPE_L2TP)
		return RESMON_COLUMN_PPPOE;
	return req->type - RESMON_TYPE_PPPOE;
}

static bool is_limit(u32 cause)
{
	return cause >= RESMON_CAUSE_CAP_PORT &&
	       cause <= RESMON_CAUSE_CAP_STARTING;
}

/**
 * resmon_stats_count() - count one request, once, when its verdict is known
 * @rn: the chassis
 * @req: the request
 * @v: its verdict; not RESMON_VERDICT_HELD, which is counted when it ends
 *
 * Writes this CPU's counters of the place, the chassis and the element that
 * refused, and nothing that another CPU writes (P1).
 *
 * Context: BH off, RCU read section.
 */
void resmon_stats_count(struct resmon_net *rn, const struct resmon_request *req,
			const struct resmon_decision *v)
{
	unsigned int column = column_of(req);
	unsigned int cause = min_t(u32, v->cause, RESMON_CAUSE_MAX);
	unsigned int at;

	if (v->verdict == RESMON_VERDICT_ADMIT)
		at = v->same ? COUNTER(row[column].duplicate) :
			       COUNTER(row[column].admitted);
	else
		at = COUNTER(row[column].denied[cause]);

	if (req->place)
		count(req->place->elem.stats, at, -1);
	count(rn->chassis.stats, at, -1);

	/* A failure of our own counts also when on-error admits (P4). */
	if (v->refuser) {
		u32 type = min_t(u32, v->cap_type, RESMON_TYPE_MAX);

		count(v->refuser->stats, COUNTER(row[column].refused[cause]),
		      is_limit(cause) ? (int)COUNTER(limit[type]) : -1);
	}
}

/**
 * resmon_stats_commit() - count what became of one commit
 * @rn: the chassis
 * @req: the request, its place is known
 * @outcome: what became of it
 *
 * A ledger of its own: the sum of the outcomes is the number of commits.
 *
 * Context: BH off, RCU read section or charge_lock.
 */
void resmon_stats_commit(struct resmon_net *rn,
			 const struct resmon_request *req,
			 enum resmon_commit outcome)
{
	if (req->place)
		count(req->place->elem.stats, COUNTER(commit[outcome]), -1);
	count(rn->chassis.stats, COUNTER(commit[outcome]), -1);
}

/* Add counters @from to @from + @n of all CPUs to @sum. */
static void sum_up(const struct resmon_stats *stats, unsigned int from,
		   unsigned int n, u64 *sum)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct resmon_stats_cpu *c = per_cpu_ptr(stats->cpu, cpu);
		unsigned int i;

		/* One number at a time: none is torn, and all are monotone. */
		for (i = 0; i < n; i++) {
			unsigned int start;
			u64 value;

			do {
				start = u64_stats_fetch_begin(&c->syncp);
				value = u64_stats_read(&c->counter[from + i]);
			} while (u64_stats_fetch_retry(&c->syncp, start));
			sum[i] += value;
		}
	}
}

/*
 * The base first: the counters only grow, so what is read after it is never
 * smaller, also when somebody clears them meanwhile.
 */
static void read_counters(const struct resmon_element *elem, unsigned int from,
			  unsigned int n, u64 *sum)
{
	struct resmon_stats *stats = elem->stats;
	unsigned int i;

	spin_lock_bh(&stats->lock);
	for (i = 0; i < n; i++)
		sum[i] = -stats->base[from + i];
	spin_unlock_bh(&stats->lock);
	sum_up(stats, from, n, sum);
}

/**
 * resmon_stats_row() - counters of one column since the last clear
 * @elem: the element
 * @column: which ones
 * @row: filled in
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 */
void resmon_stats_row(const struct resmon_element *elem,
		      enum resmon_column column, struct resmon_row *row)
{
	BUILD_BUG_ON(sizeof(*row) % sizeof(u64));
	read_counters(elem, COUNTER(row[column]), sizeof(*row) / sizeof(u64),
		      (u64 *)row);
}

/**
 * resmon_stats_row_empty() - is there nothing in a row?
 * @row: the row
 *
 * Context: Any.
 * Return: true when all its counters are zero.
 */
bool resmon_stats_row_empty(const struct resmon_row *row)
{
	return !memchr_inv(row, 0, sizeof(*row));
}

static u64 total(const u64 *counter, unsigned int n)
{
	u64 sum = 0;

	while (n--)
		sum += *counter++;
	return sum;
}

/**
 * resmon_stats_commits() - commits with one outcome since the last clear
 * @elem: a place or the chassis
 * @outcome: which ones
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 * Return: how many.
 */
u64 resmon_stats_commits(const struct resmon_element *elem,
			 enum resmon_commit outcome)
{
	u64 n;

	read_counters(elem, COUNTER(commit[outcome]), 1, &n);
	return n;
}

/**
 * resmon_stats_denied() - requests from an element that were denied
 * @elem: a place or the chassis
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 * Return: how many since the last clear, of all types and causes.
 */
u64 resmon_stats_denied(const struct resmon_element *elem)
{
	return resmon_stats_denied_type(elem, RESMON_TYPE_ANY);
}

/**
 * resmon_stats_denied_type() - the same of the clients of one type
 * @elem: a place or the chassis
 * @type: enum resmon_type; RESMON_TYPE_ANY is all, services too
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 * Return: how many since the last clear.
 */
u64 resmon_stats_denied_type(const struct resmon_element *elem, u32 type)
{
	u64 counter[RESMON_CAUSE_MAX + 1];
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < RESMON_COLUMNS; i++) {
		if (type != RESMON_TYPE_ANY && i != type - RESMON_TYPE_PPPOE)
			continue;
		read_counters(elem, COUNTER(row[i].denied), ARRAY_SIZE(counter),
			      counter);
		sum += total(counter, ARRAY_SIZE(counter));
	}
	return sum;
}

/**
 * resmon_stats_refused() - requests that a rule of an element refused
 * @elem: the element
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 * Return: how many since the last clear, of all types and causes.
 */
u64 resmon_stats_refused(const struct resmon_element *elem)
{
	u64 counter[RESMON_CAUSE_MAX + 1];
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < RESMON_COLUMNS; i++) {
		read_counters(elem, COUNTER(row[i].refused),
			      ARRAY_SIZE(counter), counter);
		sum += total(counter, ARRAY_SIZE(counter));
	}
	return sum;
}

/**
 * resmon_stats_admitted() - requests from an element that were admitted
 * @elem: a place or the chassis
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 * Return: how many since the last clear, without duplicates.
 */
u64 resmon_stats_admitted(const struct resmon_element *elem)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < RESMON_COLUMNS; i++) {
		u64 n;

		read_counters(elem, COUNTER(row[i].admitted), 1, &n);
		sum += n;
	}
	return sum;
}

/**
 * resmon_stats_refused_type() - requests that one limit of an element refused
 * @elem: the element
 * @type: client type of the limit; RESMON_TYPE_ANY is the limit on all of
 *	them together, not their sum
 *
 * Context: Process context or BH off, RCU read section or config_lock.
 * Return: how many since the last clear.
 */
u64 resmon_stats_refused_type(const struct resmon_element *elem, u32 type)
{
	u64 n;

	read_counters(elem, COUNTER(limit[type]), 1, &n);
	return n;
}

/**
 * resmon_stats_clear() - counters and peaks of an element begin anew (C8)
 * @rn: the chassis
 * @elem: the element
 *
 * Only the base moves: nobody who counts is disturbed, and nothing that is
 * counted meanwhile is lost. Usage stays.
 *
 * Context: Process context, config_lock held. Takes charge_lock.
 */
void resmon_stats_clear(struct resmon_net *rn, struct resmon_element *elem)
{
	struct resmon_stats *stats = elem->stats;

	lockdep_assert_held(&rn->config_lock);

	spin_lock_bh(&stats->lock);
	memset(stats->base, 0, sizeof(stats->base));
	sum_up(stats, 0, RESMON_COUNTERS, stats->base);
	spin_unlock_bh(&stats->lock);

	spin_lock_bh(&rn->charge_lock);
	resmon_caps_clear_peaks(&elem->caps, ktime_get_real_seconds());
	spin_unlock_bh(&rn->charge_lock);
}
