// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ports: the net devices that face subscribers.
 */
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "enforce.h"
#include "lag.h"
#include "net.h"
#include "netlink.h"
#include "port.h"
#include "session.h"
#include "sysfs.h"

static void port_free(struct rcu_head *rcu)
{
	struct resmon_port *port =
		container_of(rcu, struct resmon_port, place.rcu);

	resmon_enforce_place_free(&port->place);
	resmon_element_exit(&port->place.elem);
	kfree(port->rtt);
	kfree(port);
}

/* Every device that a port stands on, with one more port or one less. */
static void port_count(struct resmon_net *rn, struct resmon_port *port, int n)
{
	struct resmon_device *device;
	u32 index;

	if (port->device)
		port->device->ports += n;
	if (port->mic)
		port->mic->ports += n;
	for_each_set_bit(index, port->anchor, RESMON_DEVICE_MAX + 1) {
		device = resmon_device_find(rn, index);
		if (device)
			device->ports += n;
	}
	rn->ports += n;
}

static struct resmon_path *port_path(struct resmon_net *rn,
				     struct resmon_port *port)
{
	unsigned int devices = bitmap_weight(port->anchor,
					     RESMON_DEVICE_MAX + 1);
	struct resmon_device *device;
	struct resmon_path *path;
	u32 index;

	path = resmon_path_alloc(4 + devices);
	resmon_path_add(path, &port->place.elem, true);
	if (port->mic)
		resmon_path_add(path, &port->mic->elem, true);
	if (port->device)
		resmon_path_add(path, &port->device->elem, true);
	for_each_set_bit(index, port->anchor, RESMON_DEVICE_MAX + 1) {
		device = resmon_device_find(rn, index);
		if (device)
			resmon_path_add(path, &device->elem, true);
	}
	resmon_path_add(path, &rn->chassis, true);
	return path;
}

/* What a port can stand on: its own text for each way to count twice. */
static int port_check(struct resmon_net *rn, struct net_device *dev,
		      struct netlink_ext_ack *extack)
{
	struct resmon_place *place;
	struct net_device *real = dev;
	unsigned long ifindex;

	place = resmon_place_find(rn, dev->ifindex);
	if (place && place->elem.id.kind == RESMON_ELEMENT_KIND_PORT) {
		NL_SET_ERR_MSG(extack, "the net device is a port already");
		return -EEXIST;
	}
	if (netif_is_lag_master(dev)) {
		NL_SET_ERR_MSG(extack, "a lag is found from its legs, add these as ports");
		return -EINVAL;
	}
	if (dev->flags & IFF_LOOPBACK) {
		NL_SET_ERR_MSG(extack, "the loopback net device faces no subscribers");
		return -EINVAL;
	}
	while (is_vlan_dev(real)) {
		real = vlan_dev_priv(real)->real_dev;
		if (resmon_place_find(rn, real->ifindex)) {
			NL_SET_ERR_MSG(extack, "the VLAN's sessions count on the port below it");
			return -EINVAL;
		}
		if (netif_is_lag_master(real)) {
			NL_SET_ERR_MSG(extack, "a VLAN on a lag counts on the lag");
			return -EINVAL;
		}
	}
	xa_for_each(&rn->places, ifindex, place) {
		for (real = place->dev; is_vlan_dev(real);) {
			real = vlan_dev_priv(real)->real_dev;
			if (real != dev)
				continue;
			NL_SET_ERR_MSG(extack, "a VLAN of the net device is a port");
			return -EINVAL;
		}
	}
	return 0;
}

/**
 * resmon_port_new() - make a net device a port
 * @rn: the chassis
 * @dev: the net device
 * @device: the device it is on, NULL for an anchored port
 * @mic: the mic of @device it is on, or NULL
 * @anchor: slots of the devices that an anchored port stands on, or NULL
 * @extack: set on error
 *
 * Context: Under RTNL and config_lock, may sleep.
 * Return: The port or an error pointer.
 */
struct resmon_port *resmon_port_new(struct resmon_net *rn,
				    struct net_device *dev,
				    struct resmon_device *device,
				    struct resmon_mic *mic,
				    const unsigned long *anchor,
				    struct netlink_ext_ack *extack)
{
	struct net_device *master;
	struct resmon_port *port;
	int err;

	ASSERT_RTNL();
	lockdep_assert_held(&rn->config_lock);

	err = port_check(rn, dev, extack);
	if (err)
		return ERR_PTR(err);

	port = kzalloc_obj(*port, GFP_KERNEL_ACCOUNT);
	if (!port)
		return ERR_PTR(-ENOMEM);
	port->device = device;
	port->mic = mic;
	INIT_LIST_HEAD(&port->on_lag);
	err = resmon_place_init(rn, &port->place, RESMON_ELEMENT_KIND_PORT, dev);
	if (err)
		goto err_free;
	if (anchor) {
		bitmap_copy(port->anchor, anchor, RESMON_DEVICE_MAX + 1);
		err = -ENOMEM;
		port->rtt = kzalloc_obj(*port->rtt, GFP_KERNEL_ACCOUNT);
		if (!port->rtt)
			goto err_place;
		err = resmon_rtt_init(port->rtt, rn, &port->place.elem, true);
		if (err)
			goto err_place;
	}
	port->place.rtt = anchor ? port->rtt : &device->rtt;

	err = xa_reserve(&rn->places, dev->ifindex, GFP_KERNEL_ACCOUNT);
	if (err)
		goto err_rtt;
	err = resmon_sysfs_place_add(rn, &port->place);
	if (err)
		goto err_release;

	port_count(rn, port, 1);
	resmon_path_replace(rn, &port->place, port_path(rn, port));
	/* The reserved entry makes this store one that cannot fail. */
	xa_store(&rn->places, dev->ifindex, port, GFP_KERNEL);

	master = netdev_master_upper_dev_get(dev);
	if (master && netif_is_lag_master(master))
		resmon_lag_join(rn, port, master);
	return port;

err_release:
	xa_release(&rn->places, dev->ifindex);
err_rtt:
	if (anchor) {
		resmon_rtt_exit(port->rtt);
		/* Probes of its devices may be walking the bundles. */
		synchronize_rcu();
	}
err_place:
	resmon_place_exit(rn, &port->place);
	resmon_element_exit(&port->place.elem);
err_free:
	kfree(port->rtt);
	kfree(port);
	if (err == -ENOMEM)
		NL_SET_ERR_MSG(extack, "no memory for the port");
	return ERR_PTR(err);
}

/**
 * resmon_port_del() - a net device is a port no more, its sessions end (C9)
 * @rn: the chassis
 * @port: the port
 *
 * Context: Under RTNL and config_lock, may sleep.
 */
void resmon_port_del(struct resmon_net *rn, struct resmon_port *port)
{
	ASSERT_RTNL();
	lockdep_assert_held(&rn->config_lock);

	resmon_enforce_place_exit(&port->place);
	resmon_lag_leave(rn, port);
	xa_erase(&rn->places, port->place.elem.id.ifindex);
	resmon_session_end_place(rn, &port->place);
	resmon_path_replace(rn, &port->place, NULL);
	port_count(rn, port, -1);
	resmon_sysfs_place_del(rn, &port->place);
	if (port->rtt)
		resmon_rtt_exit(port->rtt);
	resmon_place_exit(rn, &port->place);
	call_rcu(&port->place.rcu, port_free);
}
