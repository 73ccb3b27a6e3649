/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_NET_H
#define RESMON_NET_H

#include <linux/mutex.h>
#include <linux/rhashtable.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>

#include "element.h"
#include "event.h"
#include "why.h"

struct proc_dir_entry;

/* Slots of one second in the timing wheel of the sessions. */
#define RESMON_WHEEL_SLOTS	4096

/**
 * struct resmon_settings - settings of the whole chassis
 * @rcu: for kfree_rcu()
 * @throttle: the resource and load gates are on (P6)
 * @load_throttle: the load gate is on (P6)
 * @logging: crossings are written to the log (R4)
 * @on_error: enum resmon_on_error (P4)
 * @high_threshold: percent used from which a region denies (R3)
 * @settle: seconds after a load in which only known subscribers get in (H3)
 * @retry_min: shortest retry hint in ms (P5)
 * @retry_max: longest retry hint in ms
 * @low: watermarks in percent free, by enum resmon_region_kind (R2)
 * @dead_band: points, of all watermarks and the high threshold (R4)
 * @starting: seconds that a session may take to come up (L3)
 * @idle: seconds after which a session that nobody refreshed ends, 0 is never
 * @ticket: seconds that a turn stays valid (N2)
 */
struct resmon_settings {
	struct rcu_head rcu;
	bool throttle;
	bool load_throttle;
	bool logging;
	u8 on_error;
	u32 high_threshold;
	u32 settle;
	u32 retry_min;
	u32 retry_max;
	u32 low[RESMON_REGION_KIND_MAX + 1];
	u32 dead_band;
	u32 starting;
	u32 idle;
	u32 ticket;
};

/**
 * struct resmon_net - one chassis: the state of one network namespace
 * @net: the namespace
 * @config_lock: serializes everything that changes configuration; taken after
 *	RTNL and before @charge_lock
 * @charge_lock: protects usage, sessions and everything that a commit changes;
 *	taken with BH off, last (only locks of leaves inside it)
 * @chassis: the element
 * @settings: replaced whole under @config_lock, read under RCU
 * @devices: struct resmon_device by slot; written under @config_lock
 * @places: struct resmon_place by ifindex; written under @config_lock
 * @bundles: throttles fed from several devices; written under @config_lock,
 *	read under RCU
 * @ports: number of ports; protected by @config_lock
 * @generation: counts changes of what dumps show
 * @sessions: by key
 * @ids: sessions by the low bits of their id; protected by @charge_lock
 * @id_turn: makes the id of a re-used place in @ids another one
 * @key_hash: keys of the identities that are stored as a hash
 * @flights: first signs that are undecided, by subscriber
 * @flying: the hooks that have some; protected by @charge_lock
 * @n_flights: how many in all; written under @charge_lock
 * @flight_tick: gives back what nobody took
 * @followed: sessions that are known from frames, by another name
 * @tunnels: L2TP tunnels, by the address of the peer
 * @tunnel_list: all of them; protected by @charge_lock
 * @n_tunnels: how many; protected by @charge_lock
 * @n_denied_calls: L2TP calls whose data is dropped; written under @charge_lock
 * @since: when the chassis began, seconds of CLOCK_BOOTTIME
 * @settling: it was there before the module was (H3)
 * @owners: struct resmon_owner; protected by @charge_lock
 * @wheel: sessions by the second of their deadline; protected by @charge_lock
 * @wheel_now: the second up to which @wheel was served
 * @tick: once a second: deadlines, lifetimes, collectors
 * @events: threshold events on their way to user space
 * @why: the last denials
 * @proc: directory in /proc/net
 * @sysfs: class device of the chassis
 */
struct resmon_net {
	struct net *net;
	struct mutex config_lock;	/* see above */
	spinlock_t charge_lock;		/* see above */
	struct resmon_element chassis;
	struct resmon_settings __rcu *settings;
	struct xarray devices;
	struct xarray places;
	struct list_head bundles;
	unsigned int ports;
	atomic_t generation;
	struct rhashtable sessions;
	struct xarray ids;
	u32 id_turn;
	siphash_key_t key_hash[2];
	struct rhashtable flights;
	struct list_head flying;
	u32 n_flights;
	struct delayed_work flight_tick;
	struct rhltable followed;
	struct rhltable tunnels;
	struct list_head tunnel_list;
	u32 n_tunnels;
	u32 n_denied_calls;
	u32 since;
	bool settling;
	struct hlist_head owners;
	struct hlist_head *wheel;
	u32 wheel_now;
	struct delayed_work tick;
	struct resmon_events events;
	struct resmon_why why;
	struct proc_dir_entry *proc;
	struct device *sysfs;
};

struct resmon_net *resmon_net_of(const struct net *net);
int resmon_net_register(void);
void resmon_net_unregister(void);
void resmon_net_changed(struct resmon_net *rn);
const struct resmon_settings *resmon_settings_defaults(void);
int resmon_settings_replace(struct resmon_net *rn,
			    const struct resmon_settings *settings);

#endif /* RESMON_NET_H */
