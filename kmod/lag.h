/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_LAG_H
#define RESMON_LAG_H

#include "place.h"
#include "port.h"
#include "rtt.h"

/**
 * struct resmon_lag - a bond or team whose legs are ports
 * @place: where its sessions sit
 * @legs: the ports; protected by config_lock
 * @rtt: its throttle, in place of those of its devices
 */
struct resmon_lag {
	struct resmon_place place;
	struct list_head legs;
	struct resmon_rtt rtt;
};

static inline struct resmon_lag *resmon_lag_of(struct resmon_place *place)
{
	return container_of(place, struct resmon_lag, place);
}

struct resmon_place *resmon_lag_of_leg(struct resmon_place *place);
void resmon_lag_join(struct resmon_net *rn, struct resmon_port *port,
		     struct net_device *master);
void resmon_lag_leave(struct resmon_net *rn, struct resmon_port *port);
void resmon_lag_leg_check(struct resmon_net *rn, struct resmon_port *port);
void resmon_lag_del(struct resmon_net *rn, struct resmon_lag *lag);
void resmon_lag_sweep(struct resmon_net *rn);

#endif /* RESMON_LAG_H */
