/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_ELEMENT_H
#define RESMON_ELEMENT_H

#include <linux/if.h>

#include "pure.h"

struct resmon_net;
struct resmon_stats;

/**
 * struct resmon_ident - names one element by value
 * @kind: enum resmon_element_kind
 * @device: slot number, of a device or mic
 * @mic: number on its device, of a mic
 * @ifindex: of a port or lag
 * @ifname: of a port or lag
 *
 * A copy of it outlives the element, in events and in the ring of denials.
 */
struct resmon_ident {
	u8 kind;
	u8 mic;
	u16 device;
	int ifindex;
	char ifname[IFNAMSIZ];
};

/**
 * struct resmon_element - what a limit, a counter or a throttle sits on
 * @caps: usage and limits; written under resmon_net.charge_lock, and read
 *	without it by the room gate, which only looks
 * @stats: counters, per CPU
 * @drain: admits nobody; written under resmon_net.charge_lock
 * @id: its name; the ifname in it changes under RTNL and charge_lock
 */
struct resmon_element {
	struct resmon_caps caps;
	struct resmon_stats *stats;
	bool drain;
	struct resmon_ident id;
};

/**
 * struct resmon_walk - a cursor over all elements; zeroed, it is at the chassis
 * @index: slot of a device, or ifindex of a place
 * @stage: chassis, devices with their mics, places
 * @mic: 0 for the device itself, or 1 more than the number of a mic
 */
struct resmon_walk {
	unsigned long index;
	u32 stage;
	u32 mic;
};

int resmon_element_init(struct resmon_element *elem,
			const struct resmon_ident *id);
void resmon_element_exit(struct resmon_element *elem);
int resmon_element_limit_set(struct resmon_net *rn,
			     struct resmon_element *elem, u32 type,
			     const u32 *max, const u32 *max_starting,
			     const u32 *warn);
void resmon_element_limit_del(struct resmon_net *rn,
			      struct resmon_element *elem, u32 type);
bool resmon_element_limited(const struct resmon_element *elem);
void resmon_element_drain_set(struct resmon_net *rn,
			      struct resmon_element *elem, bool on);
void resmon_element_check(struct resmon_net *rn, struct resmon_element *elem,
			  u32 type);
void resmon_element_drained(struct resmon_net *rn,
			    const struct resmon_element *elem);
struct resmon_element *resmon_element_find(struct resmon_net *rn,
					   const struct resmon_ident *id);
struct resmon_element *resmon_walk_at(struct resmon_net *rn,
				      struct resmon_walk *walk);
void resmon_walk_step(struct resmon_walk *walk);

#endif /* RESMON_ELEMENT_H */
