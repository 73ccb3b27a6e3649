/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_PLACE_H
#define RESMON_PLACE_H

#include <linux/netdevice.h>
#include <linux/rcupdate.h>

#include "element.h"

struct resmon_decision;
struct resmon_hook;
struct resmon_request;
struct resmon_rtt;

/**
 * struct resmon_level - one element that a session of a place counts on
 * @elem: the element
 * @ask: it is asked for room; false for a leg that carries nothing (C6a)
 */
struct resmon_level {
	struct resmon_element *elem;
	bool ask;
};

/**
 * struct resmon_path - every element that a session of one place counts on
 * @rcu: for kfree_rcu()
 * @n: number of levels
 * @level: each element once; the place itself first, the chassis last
 */
struct resmon_path {
	struct rcu_head rcu;
	unsigned int n;
	struct resmon_level level[];
};

/**
 * struct resmon_place - where a session sits: a port or a lag
 * @elem: the element itself
 * @path: replaced whole under config_lock and charge_lock, read under RCU
 * @rtt: the one throttle that stands for it (E7); set once
 * @hook: what sees its frames, NULL while nobody asked for that; set once,
 *	under config_lock
 * @own: sessions that sit here, without those that only count here;
 *	protected by charge_lock
 * @sessions: the sessions that sit here; protected by charge_lock
 * @dead: takes no more sessions; protected by charge_lock
 * @dev: its net device
 * @tracker: of the reference to @dev
 * @rcu: for the free after a grace period
 */
struct resmon_place {
	struct resmon_element elem;
	struct resmon_path __rcu *path;
	struct resmon_rtt *rtt;
	struct resmon_hook __rcu *hook;
	struct resmon_use own;
	struct hlist_head sessions;
	bool dead;
	struct net_device *dev;
	netdevice_tracker tracker;
	struct rcu_head rcu;
};

int resmon_place_init(struct resmon_net *rn, struct resmon_place *place,
		      u8 kind, struct net_device *dev);
void resmon_place_exit(struct resmon_net *rn, struct resmon_place *place);
void resmon_place_rename(struct resmon_net *rn, struct resmon_place *place);
struct resmon_path *resmon_path_alloc(unsigned int max);
void resmon_path_add(struct resmon_path *path, struct resmon_element *elem,
		     bool ask);
void resmon_path_replace(struct resmon_net *rn, struct resmon_place *place,
			 struct resmon_path *path);
bool resmon_place_stands_on(const struct resmon_place *place,
			    const struct resmon_element *elem);
bool resmon_path_look(const struct resmon_path *path,
		      const struct resmon_request *req,
		      struct resmon_decision *v);
void resmon_place_take(struct resmon_net *rn, struct resmon_place *place,
		       u32 kind, u32 type, bool starting);
void resmon_place_give(struct resmon_net *rn, struct resmon_place *place,
		       u32 kind, u32 type, bool starting);
void resmon_place_up(struct resmon_net *rn, struct resmon_place *place,
		     u32 type);
void resmon_place_fly(struct resmon_net *rn, struct resmon_place *place,
		      u32 type, s32 n);
struct resmon_place *resmon_place_find(struct resmon_net *rn, int ifindex);
struct resmon_place *resmon_place_of_dev(struct resmon_net *rn,
					 struct net_device *dev, u16 *outer,
					 u16 *inner);

#endif /* RESMON_PLACE_H */
