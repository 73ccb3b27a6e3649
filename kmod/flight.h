/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_FLIGHT_H
#define RESMON_FLIGHT_H

#include <linux/list.h>
#include <linux/rhashtable.h>

#include "session.h"

struct resmon_hook;
struct resmon_net;

/* First signs of one namespace that are undecided at a time (H14). */
#define RESMON_FLIGHTS	16384

/* Groups of VLANs that a place tells apart when it has to make room. */
#define RESMON_FLIGHT_GROUPS	64

/**
 * struct resmon_flight - a first sign that was admitted and is undecided
 * @node: in resmon_net.flights
 * @on_hook: in resmon_hook.flights, oldest first
 * @hook: what saw it
 * @key: the subscriber
 * @began_ns: when it was seen first, CLOCK_BOOTTIME
 * @offered_ns: when the offer left, 0 for not yet
 * @deadline_ns: when its place is given back
 * @group: of its VLANs
 * @rcu: for the free after a grace period
 *
 * Everything but @key is protected by charge_lock.
 */
struct resmon_flight {
	struct rhash_head node;
	struct list_head on_hook;
	struct resmon_hook *hook;
	struct resmon_key key;
	u64 began_ns;
	u64 offered_ns;
	u64 deadline_ns;
	u8 group;
	struct rcu_head rcu;
};

bool resmon_flight_known(struct resmon_net *rn, const struct resmon_key *key);
int resmon_flight_enter(struct resmon_net *rn, struct resmon_hook *hook,
			const struct resmon_key *key);
void resmon_flight_again(struct resmon_net *rn, const struct resmon_key *key);
void resmon_flight_offered(struct resmon_net *rn, const struct resmon_key *key);
u64 resmon_flight_land(struct resmon_net *rn, const struct resmon_key *key);
void resmon_flight_setup(struct resmon_hook *hook, u64 began_ns);
void resmon_flight_hook_exit(struct resmon_hook *hook);
int resmon_flight_net_init(struct resmon_net *rn);
void resmon_flight_net_exit(struct resmon_net *rn);

#endif /* RESMON_FLIGHT_H */
