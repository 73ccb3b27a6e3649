/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_PORT_H
#define RESMON_PORT_H

#include <linux/bitmap.h>

#include "device.h"
#include "place.h"

struct netlink_ext_ack;
struct resmon_lag;

/**
 * struct resmon_port - a net device that faces subscribers
 * @place: where its own sessions sit
 * @device: the device it is on, NULL for an anchored port; set once
 * @mic: the mic it is on or NULL; set once
 * @anchor: slots of the devices that an anchored port stands on; set once
 * @rtt: throttle of an anchored port, else NULL
 * @lag: the lag whose leg it is or NULL; written under RTNL and config_lock,
 *	read under RCU
 * @on_lag: in resmon_lag.legs; protected by config_lock
 * @tx_enabled: its bond or team lets it send; protected by RTNL
 * @active: it is asked for the room of its lag; protected by config_lock
 * @sysfs: its attribute group is there; protected by config_lock
 */
struct resmon_port {
	struct resmon_place place;
	struct resmon_device *device;
	struct resmon_mic *mic;
	DECLARE_BITMAP(anchor, RESMON_DEVICE_MAX + 1);
	struct resmon_rtt *rtt;
	struct resmon_lag __rcu *lag;
	struct list_head on_lag;
	bool tx_enabled;
	bool active;
	bool sysfs;
};

static inline struct resmon_port *resmon_port_of(struct resmon_place *place)
{
	return container_of(place, struct resmon_port, place);
}

struct resmon_port *resmon_port_new(struct resmon_net *rn,
				    struct net_device *dev,
				    struct resmon_device *device,
				    struct resmon_mic *mic,
				    const unsigned long *anchor,
				    struct netlink_ext_ack *extack);
void resmon_port_del(struct resmon_net *rn, struct resmon_port *port);

#endif /* RESMON_PORT_H */
