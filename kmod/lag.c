// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lags: bonds and teams whose legs are ports, found and never configured.
 *
 * The sessions of a lag count on every leg (C5). A leg that joins or leaves
 * changes the path of the lag, and resmon_path_replace() moves the usage (C6).
 */
#include <linux/if_team.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/bonding.h>

#include "enforce.h"
#include "lag.h"
#include "net.h"
#include "netlink.h"
#include "session.h"
#include "sysfs.h"

static void lag_free(struct rcu_head *rcu)
{
	struct resmon_lag *lag = container_of(rcu, struct resmon_lag, place.rcu);

	resmon_enforce_place_free(&lag->place);
	resmon_element_exit(&lag->place.elem);
	kfree(lag);
}

static void lag_rebuild(struct resmon_net *rn, struct resmon_lag *lag)
{
	struct resmon_path *path;
	struct resmon_port *port;
	unsigned int legs = 0;

	list_for_each_entry(port, &lag->legs, on_lag)
		legs++;
	path = resmon_path_alloc(2 + 3 * legs);
	resmon_path_add(path, &lag->place.elem, true);
	list_for_each_entry(port, &lag->legs, on_lag)
		resmon_path_add(path, &port->place.elem, port->active);
	list_for_each_entry(port, &lag->legs, on_lag)
		if (port->mic)
			resmon_path_add(path, &port->mic->elem, port->active);
	list_for_each_entry(port, &lag->legs, on_lag)
		if (port->device)
			resmon_path_add(path, &port->device->elem,
					port->active);
	resmon_path_add(path, &rn->chassis, true);
	resmon_path_replace(rn, &lag->place, path);
}

/* A leg without carrier, or that may not send, is not asked (C6a). */
static bool leg_active(const struct resmon_port *port)
{
	return netif_carrier_ok(port->place.dev) && port->tx_enabled;
}

/*
 * Whether a leg that was there before its port collects and distributes. Later
 * changes come with NETDEV_CHANGELOWERSTATE.
 */
static bool leg_tx_enabled(struct net_device *dev)
{
	struct slave *slave;

	if (netif_is_bond_slave(dev)) {
		slave = bond_slave_get_rtnl(dev);
		return slave && bond_slave_can_tx(slave);
	}
	if (netif_is_team_port(dev))
		return team_port_dev_txable(dev);
	return true;
}

static struct resmon_lag *lag_new(struct resmon_net *rn, struct net_device *dev)
{
	struct resmon_lag *lag;
	int err;

	lag = kzalloc_obj(*lag, GFP_KERNEL_ACCOUNT);
	if (!lag)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&lag->legs);
	err = resmon_place_init(rn, &lag->place, RESMON_ELEMENT_KIND_LAG, dev);
	if (err)
		goto err_free;
	err = resmon_rtt_init(&lag->rtt, rn, &lag->place.elem, true);
	if (err)
		goto err_place;
	lag->place.rtt = &lag->rtt;
	err = xa_reserve(&rn->places, dev->ifindex, GFP_KERNEL_ACCOUNT);
	if (err)
		goto err_rtt;
	err = resmon_sysfs_place_add(rn, &lag->place);
	if (err)
		goto err_release;

	lag_rebuild(rn, lag);
	/* The reserved entry makes this store one that cannot fail. */
	xa_store(&rn->places, dev->ifindex, lag, GFP_KERNEL);
	return lag;

err_release:
	xa_release(&rn->places, dev->ifindex);
err_rtt:
	resmon_rtt_exit(&lag->rtt);
	/* Probes of its devices may be walking the bundles. */
	synchronize_rcu();
err_place:
	resmon_place_exit(rn, &lag->place);
	resmon_element_exit(&lag->place.elem);
err_free:
	kfree(lag);
	return ERR_PTR(err);
}

/**
 * resmon_lag_join() - a port is a leg from now on (C6)
 * @rn: the chassis
 * @port: the port
 * @master: its bond or team
 *
 * Context: Under RTNL and config_lock, may sleep.
 */
void resmon_lag_join(struct resmon_net *rn, struct resmon_port *port,
		     struct net_device *master)
{
	struct resmon_place *place;
	struct resmon_lag *lag;

	ASSERT_RTNL();
	lockdep_assert_held(&rn->config_lock);

	if (rcu_access_pointer(port->lag))
		return;
	/* A pseudowire has no leg of its own: its anchor counts already. */
	if (!port->device)
		return;
	place = resmon_place_find(rn, master->ifindex);
	if (place) {
		lag = resmon_lag_of(place);
	} else {
		lag = lag_new(rn, master);
		if (IS_ERR(lag)) {
			pr_err_ratelimited("lag %s: %ld, its sessions are not counted\n",
					   master->name, PTR_ERR(lag));
			return;
		}
	}
	port->tx_enabled = leg_tx_enabled(port->place.dev);
	port->active = leg_active(port);
	list_add_tail(&port->on_lag, &lag->legs);
	rcu_assign_pointer(port->lag, lag);
	lag_rebuild(rn, lag);
	resmon_nl_lag_changed(rn, RESMON_CMD_LAG_NTF, &lag->place.elem);
}

/**
 * resmon_lag_of_leg() - where the subscribers behind a port sit
 * @place: a port or lag
 *
 * A leg has no subscribers of its own: they are those of its lag (C6).
 *
 * Context: RCU read section.
 * Return: The lag of a leg, else @place itself.
 */
struct resmon_place *resmon_lag_of_leg(struct resmon_place *place)
{
	struct resmon_lag *lag;

	if (place->elem.id.kind != RESMON_ELEMENT_KIND_PORT)
		return place;
	lag = rcu_dereference(resmon_port_of(place)->lag);
	return lag ? &lag->place : place;
}

static bool lag_unused(const struct resmon_lag *lag)
{
	const struct resmon_element *elem = &lag->place.elem;

	return list_empty(&lag->legs) && !elem->drain &&
	       !rcu_access_pointer(lag->place.hook) &&
	       !elem->caps.cap[RESMON_TYPE_ANY].sessions &&
	       !resmon_element_limited(elem);
}

/**
 * resmon_lag_leave() - a port is a leg no more (C6)
 * @rn: the chassis
 * @port: the port, which may be no leg at all
 *
 * A lag whose last leg left keeps its sessions and settings: a bundle that is
 * taken apart to be put together anew must not lose them.
 *
 * Context: Under RTNL and config_lock, may sleep.
 */
void resmon_lag_leave(struct resmon_net *rn, struct resmon_port *port)
{
	struct resmon_lag *lag;

	ASSERT_RTNL();
	lockdep_assert_held(&rn->config_lock);

	lag = rcu_dereference_protected(port->lag, true);
	if (!lag)
		return;
	list_del_init(&port->on_lag);
	RCU_INIT_POINTER(port->lag, NULL);
	port->active = false;
	lag_rebuild(rn, lag);
	if (lag_unused(lag))
		resmon_lag_del(rn, lag);
	else
		resmon_nl_lag_changed(rn, RESMON_CMD_LAG_NTF,
				      &lag->place.elem);
}

/**
 * resmon_lag_leg_check() - the carrier or the state of a leg may have changed
 * @rn: the chassis
 * @port: the port, which may be no leg at all
 *
 * Context: Under RTNL and config_lock, may sleep.
 */
void resmon_lag_leg_check(struct resmon_net *rn, struct resmon_port *port)
{
	struct resmon_lag *lag;

	ASSERT_RTNL();
	lockdep_assert_held(&rn->config_lock);

	lag = rcu_dereference_protected(port->lag, true);
	if (!lag || port->active == leg_active(port))
		return;
	port->active = !port->active;
	lag_rebuild(rn, lag);
	resmon_nl_lag_changed(rn, RESMON_CMD_LAG_NTF, &lag->place.elem);
}

/**
 * resmon_lag_del() - a lag is gone, its sessions end (C9)
 * @rn: the chassis
 * @lag: the lag
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_lag_del(struct resmon_net *rn, struct resmon_lag *lag)
{
	struct resmon_port *port, *next;

	lockdep_assert_held(&rn->config_lock);

	list_for_each_entry_safe(port, next, &lag->legs, on_lag) {
		list_del_init(&port->on_lag);
		RCU_INIT_POINTER(port->lag, NULL);
		port->active = false;
		resmon_enforce_attach(&port->place);
	}
	resmon_nl_lag_changed(rn, RESMON_CMD_LAG_DEL_NTF, &lag->place.elem);
	resmon_enforce_place_exit(&lag->place);
	xa_erase(&rn->places, lag->place.elem.id.ifindex);
	resmon_session_end_place(rn, &lag->place);
	resmon_path_replace(rn, &lag->place, NULL);
	resmon_sysfs_place_del(rn, &lag->place);
	resmon_rtt_exit(&lag->rtt);
	resmon_place_exit(rn, &lag->place);
	call_rcu(&lag->place.rcu, lag_free);
}

/**
 * resmon_lag_sweep() - forget lags whose legs and sessions are all gone
 * @rn: the chassis
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_lag_sweep(struct resmon_net *rn)
{
	struct resmon_place *place;
	unsigned long ifindex;

	lockdep_assert_held(&rn->config_lock);

	xa_for_each(&rn->places, ifindex, place)
		if (place->elem.id.kind == RESMON_ELEMENT_KIND_LAG &&
		    lag_unused(resmon_lag_of(place)))
			resmon_lag_del(rn, resmon_lag_of(place));
}
