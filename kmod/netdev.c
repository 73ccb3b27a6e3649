// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to the net devices of ports and lags.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "enforce.h"
#include "lag.h"
#include "net.h"
#include "netdev.h"
#include "netlink.h"
#include "port.h"

static void port_event(struct resmon_net *rn, struct resmon_port *port,
		       unsigned long event, void *ptr)
{
	switch (event) {
	case NETDEV_UNREGISTER:
		resmon_nl_port_changed(rn, RESMON_CMD_PORT_DEL_NTF,
				       &port->place.elem);
		resmon_port_del(rn, port);
		break;
	case NETDEV_CHANGEUPPER: {
		struct netdev_notifier_changeupper_info *info = ptr;

		if (!netif_is_lag_master(info->upper_dev))
			break;
		if (info->linking)
			resmon_lag_join(rn, port, info->upper_dev);
		else
			resmon_lag_leave(rn, port);
		/* The frames of a leg are seen by the hook of its lag (H17). */
		if (resmon_enforce_attach(&port->place))
			pr_err_ratelimited("port %s: its hooks cannot be had, its logins are not seen\n",
					   port->place.elem.id.ifname);
		break;
	}
	case NETDEV_CHANGELOWERSTATE: {
		struct netdev_notifier_changelowerstate_info *info = ptr;
		struct netdev_lag_lower_state_info *state =
			info->lower_state_info;

		port->tx_enabled = state->link_up && state->tx_enabled;
		resmon_lag_leg_check(rn, port);
		break;
	}
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		resmon_lag_leg_check(rn, port);
		break;
	}
}

static int netdev_event(struct notifier_block *nb, unsigned long event,
			void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct resmon_net *rn = resmon_net_of(dev_net(dev));
	struct resmon_place *place;

	/* Only RTNL holders add places, so the first look needs no lock. */
	if (!resmon_place_find(rn, dev->ifindex))
		return NOTIFY_DONE;

	mutex_lock(&rn->config_lock);
	place = resmon_place_find(rn, dev->ifindex);
	if (!place) {
		mutex_unlock(&rn->config_lock);
		return NOTIFY_DONE;
	}
	if (event == NETDEV_CHANGENAME) {
		resmon_place_rename(rn, place);
		if (place->elem.id.kind == RESMON_ELEMENT_KIND_PORT)
			resmon_nl_port_changed(rn, RESMON_CMD_PORT_NTF,
					       &place->elem);
		else
			resmon_nl_lag_changed(rn, RESMON_CMD_LAG_NTF,
					      &place->elem);
	} else if (place->elem.id.kind == RESMON_ELEMENT_KIND_PORT) {
		port_event(rn, resmon_port_of(place), event, ptr);
	} else if (event == NETDEV_UNREGISTER) {
		resmon_lag_del(rn, resmon_lag_of(place));
	}
	mutex_unlock(&rn->config_lock);
	return NOTIFY_DONE;
}

static struct notifier_block netdev_notifier = {
	.notifier_call = netdev_event,
};

/**
 * resmon_netdev_register() - follow the net devices of all namespaces
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_netdev_register(void)
{
	return register_netdevice_notifier(&netdev_notifier);
}

/**
 * resmon_netdev_unregister() - follow them no more
 *
 * The notifier chain replays NETDEV_UNREGISTER for every net device, which
 * removes every port and lag with its sessions.
 *
 * Context: Process context, may sleep.
 */
void resmon_netdev_unregister(void)
{
	unregister_netdevice_notifier(&netdev_notifier);
}
