// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places in flight: first signs of life that were admitted and whose commit has
 * not come yet. They take room from other first signs, never from a commit, so
 * that no cap is promised twice, and none is lost when a client goes elsewhere.
 */
#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "enforce.h"
#include "flight.h"
#include "net.h"
#include "place.h"

/* Bounds of the time that a place waits for its commit, in ms (H16). */
#define FLIGHT_MIN_MS	300
#define FLIGHT_MAX_MS	3000

/* How often the places that nobody took are given back. */
#define FLIGHT_TICK	(HZ / 10)

static const struct rhashtable_params flight_params = {
	.key_len = sizeof(struct resmon_key),
	.key_offset = offsetof(struct resmon_flight, key),
	.head_offset = offsetof(struct resmon_flight, node),
	.automatic_shrinking = true,
};

static u64 flight_time_ns(const struct resmon_hook *hook)
{
	u32 ms = hook->offer_ms ? clamp_t(u32, 4 * hook->offer_ms,
					  FLIGHT_MIN_MS, FLIGHT_MAX_MS) :
				  FLIGHT_MAX_MS;

	return ms * (u64)NSEC_PER_MSEC;
}

static struct resmon_flight *flight_find(struct resmon_net *rn,
					 const struct resmon_key *key)
{
	return rhashtable_lookup_fast(&rn->flights, key, flight_params);
}

static void flight_remove(struct resmon_net *rn, struct resmon_flight *flight)
{
	struct resmon_hook *hook = flight->hook;

	lockdep_assert_held(&rn->charge_lock);

	rhashtable_remove_fast(&rn->flights, &flight->node, flight_params);
	list_del(&flight->on_hook);
	hook->n_flights--;
	hook->flight_group[flight->group]--;
	if (!hook->n_flights)
		list_del_init(&hook->on_flying);
	rn->n_flights--;
	resmon_place_fly(rn, hook->place, flight->key.type, -1);
	kfree_rcu(flight, rcu);
}

/**
 * resmon_flight_known() - is a first sign of this subscriber undecided?
 * @rn: the chassis
 * @key: the subscriber
 *
 * Context: RCU read section.
 * Return: true when it is.
 */
bool resmon_flight_known(struct resmon_net *rn, const struct resmon_key *key)
{
	return READ_ONCE(rn->n_flights) && flight_find(rn, key);
}

/* The place whose subscribers hold most of the table. */
static struct resmon_hook *flight_fullest(struct resmon_net *rn)
{
	struct resmon_hook *hook, *fullest = NULL;

	list_for_each_entry(hook, &rn->flying, on_flying)
		if (!fullest || hook->n_flights > fullest->n_flights)
			fullest = hook;
	return fullest;
}

/*
 * The table is full: the newest of the place, and there of the VLANs, that
 * hold most make room, unless that is who asks (H14).
 */
static bool flight_evict(struct resmon_net *rn, const struct resmon_hook *asks,
			 u8 group)
{
	struct resmon_hook *hook = flight_fullest(rn);
	struct resmon_flight *flight;
	u32 i, most = 0;

	for (i = 1; i < RESMON_FLIGHT_GROUPS; i++)
		if (hook->flight_group[i] > hook->flight_group[most])
			most = i;
	if (hook == asks &&
	    hook->flight_group[group] == hook->flight_group[most])
		return false;
	list_for_each_entry_reverse(flight, &hook->flights, on_hook) {
		if (flight->group != most)
			continue;
		flight_remove(rn, flight);
		resmon_seen_count(hook, RESMON_SEEN_EVICTED);
		return true;
	}
	return false;
}

/**
 * resmon_flight_enter() - a first sign was admitted
 * @rn: the chassis
 * @hook: what saw it
 * @key: the subscriber, of which no first sign is undecided
 *
 * Context: Under charge_lock.
 * Return: 0, -ENOBUFS when the table is full, or -ENOMEM.
 */
int resmon_flight_enter(struct resmon_net *rn, struct resmon_hook *hook,
			const struct resmon_key *key)
{
	u8 group = hash_32((u32)key->outer << 16 | key->inner,
			   ilog2(RESMON_FLIGHT_GROUPS));
	struct resmon_flight *flight;
	int err;

	lockdep_assert_held(&rn->charge_lock);

	if (rn->n_flights >= RESMON_FLIGHTS && !flight_evict(rn, hook, group)) {
		resmon_seen_count(hook, RESMON_SEEN_FULL);
		return -ENOBUFS;
	}
	flight = kmalloc(sizeof(*flight),
			 GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!flight)
		return -ENOMEM;
	flight->hook = hook;
	flight->key = *key;
	flight->began_ns = ktime_get_boottime_ns();
	flight->offered_ns = 0;
	flight->deadline_ns = flight->began_ns + flight_time_ns(hook);
	flight->group = group;
	err = rhashtable_insert_fast(&rn->flights, &flight->node, flight_params);
	if (err) {
		kfree(flight);
		return -ENOMEM;
	}
	list_add_tail(&flight->on_hook, &hook->flights);
	if (!hook->n_flights)
		list_add_tail(&hook->on_flying, &rn->flying);
	hook->n_flights++;
	hook->flight_group[group]++;
	if (!rn->n_flights)
		schedule_delayed_work(&rn->flight_tick, FLIGHT_TICK);
	WRITE_ONCE(rn->n_flights, rn->n_flights + 1);
	resmon_place_fly(rn, hook->place, key->type, 1);
	return 0;
}

/**
 * resmon_flight_again() - a first sign was sent once more
 * @rn: the chassis
 * @key: the subscriber
 *
 * Its time begins anew, but it stays as old as it is.
 *
 * Context: RCU read section.
 */
void resmon_flight_again(struct resmon_net *rn, const struct resmon_key *key)
{
	struct resmon_flight *flight;

	spin_lock_bh(&rn->charge_lock);
	flight = flight_find(rn, key);
	if (flight) {
		flight->deadline_ns = ktime_get_boottime_ns() +
				      flight_time_ns(flight->hook);
		list_move_tail(&flight->on_hook, &flight->hook->flights);
	}
	spin_unlock_bh(&rn->charge_lock);
}

/**
 * resmon_flight_offered() - an offer left for a subscriber
 * @rn: the chassis
 * @key: the subscriber
 *
 * Context: RCU read section.
 */
void resmon_flight_offered(struct resmon_net *rn, const struct resmon_key *key)
{
	struct resmon_flight *flight;

	if (!resmon_flight_known(rn, key))
		return;
	spin_lock_bh(&rn->charge_lock);
	flight = flight_find(rn, key);
	if (flight && !flight->offered_ns)
		flight->offered_ns = ktime_get_boottime_ns();
	spin_unlock_bh(&rn->charge_lock);
}

/* An average that follows within some ten samples; never 0 once measured. */
static void average(u32 *ms, u64 sample_ns)
{
	u32 sample = min_t(u64, div_u64(sample_ns, NSEC_PER_MSEC), 60000);

	*ms = *ms ? (7 * *ms + sample + 4) / 8 : sample;
	*ms = max_t(u32, *ms, 1);
}

/**
 * resmon_flight_land() - the commit of a first sign came, or never will
 * @rn: the chassis
 * @key: the subscriber
 *
 * Context: Under charge_lock.
 * Return: When the first sign was seen, in ns of CLOCK_BOOTTIME, 0 when none is
 *	known.
 */
u64 resmon_flight_land(struct resmon_net *rn, const struct resmon_key *key)
{
	struct resmon_flight *flight;
	u64 began_ns;

	lockdep_assert_held(&rn->charge_lock);

	flight = rn->n_flights ? flight_find(rn, key) : NULL;
	if (!flight)
		return 0;
	began_ns = flight->began_ns;
	if (flight->offered_ns)
		average(&flight->hook->offer_ms,
			ktime_get_boottime_ns() - flight->offered_ns);
	flight_remove(rn, flight);
	return began_ns;
}

/**
 * resmon_flight_setup() - a session that began with a first sign is up
 * @hook: what saw it
 * @began_ns: when the first sign was seen, 0 when it was not
 *
 * Context: Under charge_lock.
 */
void resmon_flight_setup(struct resmon_hook *hook, u64 began_ns)
{
	if (began_ns)
		average(&hook->setup_ms, ktime_get_boottime_ns() - began_ns);
}

/**
 * resmon_flight_hook_exit() - nothing is undecided at a place any more
 * @hook: what saw it, and sees no frame any more
 *
 * Context: Process context, may sleep.
 */
void resmon_flight_hook_exit(struct resmon_hook *hook)
{
	struct resmon_net *rn = hook->rn;
	struct resmon_flight *flight, *next;

	spin_lock_bh(&rn->charge_lock);
	list_for_each_entry_safe(flight, next, &hook->flights, on_hook)
		flight_remove(rn, flight);
	spin_unlock_bh(&rn->charge_lock);
}

/* The oldest of each place come first, so each look ends at the first that stays. */
static void flight_tick(struct work_struct *work)
{
	struct resmon_net *rn = container_of(to_delayed_work(work),
					     struct resmon_net, flight_tick);
	u64 now_ns = ktime_get_boottime_ns();
	struct resmon_hook *hook, *next_hook;
	struct resmon_flight *flight, *next;

	spin_lock_bh(&rn->charge_lock);
	list_for_each_entry_safe(hook, next_hook, &rn->flying, on_flying) {
		list_for_each_entry_safe(flight, next, &hook->flights, on_hook) {
			if (flight->deadline_ns > now_ns)
				break;
			flight_remove(rn, flight);
		}
	}
	if (rn->n_flights)
		schedule_delayed_work(&rn->flight_tick, FLIGHT_TICK);
	spin_unlock_bh(&rn->charge_lock);
}

/**
 * resmon_flight_net_init() - the table of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_flight_net_init(struct resmon_net *rn)
{
	INIT_LIST_HEAD(&rn->flying);
	INIT_DELAYED_WORK(&rn->flight_tick, flight_tick);
	return rhashtable_init(&rn->flights, &flight_params);
}

/**
 * resmon_flight_net_exit() - undo resmon_flight_net_init()
 * @rn: the chassis; all its places are gone
 *
 * Context: Process context, may sleep.
 */
void resmon_flight_net_exit(struct resmon_net *rn)
{
	cancel_delayed_work_sync(&rn->flight_tick);
	WARN_ON_ONCE(rn->n_flights);
	rhashtable_destroy(&rn->flights);
}
