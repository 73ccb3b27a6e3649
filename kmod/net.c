// SPDX-License-Identifier: GPL-2.0-only
/*
 * One chassis a network namespace.
 */
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/netns/generic.h>

#include "device.h"
#include "echo.h"
#include "flight.h"
#include "follow.h"
#include "frame.h"
#include "export.h"
#include "lag.h"
#include "memory.h"
#include "net.h"
#include "port.h"
#include "proc.h"
#include "session.h"
#include "sysfs.h"

static unsigned int resmon_net_id;

static const struct resmon_settings default_settings = {
	.throttle = true,
	.load_throttle = true,
	.logging = true,
	.on_error = RESMON_ON_ERROR_DENY,
	.high_threshold = 90,
	.settle = 60,
	.retry_min = 1000,
	.retry_max = 10000,
	.low = {
		[RESMON_REGION_KIND_HEAP] = 20,
		[RESMON_REGION_KIND_NH] = 20,
		[RESMON_REGION_KIND_FW] = 20,
		[RESMON_REGION_KIND_ENCAP] = 20,
	},
	.dead_band = 5,
	.starting = 60,
	.idle = 0,
	.ticket = 60,
};

/**
 * resmon_net_of() - the chassis of a namespace
 * @net: the namespace
 *
 * Context: While the namespace and the module are there.
 * Return: The chassis.
 */
struct resmon_net *resmon_net_of(const struct net *net)
{
	return net_generic(net, resmon_net_id);
}

RESMON_EXPORT_TEST(resmon_net_of);

/**
 * resmon_net_changed() - what dumps show has changed
 * @rn: the chassis
 *
 * A dump that is under way is told so, and repeats (U4).
 *
 * Context: Any.
 */
void resmon_net_changed(struct resmon_net *rn)
{
	atomic_inc(&rn->generation);
}

/**
 * resmon_settings_defaults() - the settings of a new chassis
 *
 * Return: The settings.
 */
const struct resmon_settings *resmon_settings_defaults(void)
{
	return &default_settings;
}

/**
 * resmon_settings_replace() - other settings from now on
 * @rn: the chassis
 * @settings: the new ones, copied
 *
 * Context: Under config_lock, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_settings_replace(struct resmon_net *rn,
			    const struct resmon_settings *settings)
{
	struct resmon_settings *new, *old;

	lockdep_assert_held(&rn->config_lock);

	new = kmemdup(settings, sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	old = rcu_replace_pointer(rn->settings, new,
				  lockdep_is_held(&rn->config_lock));
	kfree_rcu(old, rcu);
	resmon_memory_rejudge(rn);
	resmon_net_changed(rn);
	return 0;
}

static void net_tick(struct work_struct *work)
{
	struct resmon_net *rn = container_of(to_delayed_work(work),
					     struct resmon_net, tick);

	resmon_session_tick(rn);
	resmon_l2tp_tick(rn);
	resmon_memory_tick(rn);
	resmon_echo_tick(rn, ktime_get_boottime_seconds());
	/* A configuration under way is no reason to wait. */
	if (mutex_trylock(&rn->config_lock)) {
		resmon_lag_sweep(rn);
		mutex_unlock(&rn->config_lock);
	}
	schedule_delayed_work(&rn->tick, HZ);
}

static int __net_init resmon_net_init(struct net *net)
{
	struct resmon_ident id = { .kind = RESMON_ELEMENT_KIND_CHASSIS };
	struct resmon_net *rn = resmon_net_of(net);
	struct resmon_settings *settings;
	int err;

	rn->net = net;
	rn->since = resmon_now_s();
	/* Later namespaces begin with nobody, there is nothing to wait for. */
	rn->settling = THIS_MODULE->state == MODULE_STATE_COMING;
	mutex_init(&rn->config_lock);
	spin_lock_init(&rn->charge_lock);
	xa_init(&rn->devices);
	xa_init(&rn->places);
	INIT_LIST_HEAD(&rn->bundles);
	INIT_DELAYED_WORK(&rn->tick, net_tick);

	settings = kmemdup(&default_settings, sizeof(*settings),
			   GFP_KERNEL_ACCOUNT);
	if (!settings)
		return -ENOMEM;
	RCU_INIT_POINTER(rn->settings, settings);
	err = resmon_element_init(&rn->chassis, &id);
	if (err)
		goto err_settings;
	err = resmon_event_net_init(rn);
	if (err)
		goto err_element;
	err = resmon_why_net_init(rn);
	if (err)
		goto err_event;
	err = resmon_session_net_init(rn);
	if (err)
		goto err_why;
	err = resmon_flight_net_init(rn);
	if (err)
		goto err_session;
	err = resmon_follow_net_init(rn);
	if (err)
		goto err_flight;
	err = resmon_l2tp_net_init(rn);
	if (err)
		goto err_follow;
	err = resmon_proc_net_init(rn);
	if (err)
		goto err_l2tp;
	err = resmon_sysfs_chassis_add(rn);
	if (err)
		goto err_proc;
	schedule_delayed_work(&rn->tick, HZ);
	return 0;

err_proc:
	resmon_proc_net_exit(rn);
err_l2tp:
	resmon_l2tp_net_exit(rn);
err_follow:
	resmon_follow_net_exit(rn);
err_flight:
	resmon_flight_net_exit(rn);
err_session:
	resmon_session_net_exit(rn);
err_why:
	resmon_why_net_exit(rn);
err_event:
	resmon_event_net_exit(rn);
err_element:
	resmon_element_exit(&rn->chassis);
err_settings:
	kfree(settings);
	return err;
}

/* Ports and lags are left only where a namespace goes without its devices. */
static void net_clear(struct resmon_net *rn)
{
	struct resmon_device *device;
	struct resmon_place *place;
	unsigned long index;

	rtnl_lock();
	mutex_lock(&rn->config_lock);
	xa_for_each(&rn->places, index, place)
		if (place->elem.id.kind == RESMON_ELEMENT_KIND_PORT)
			resmon_port_del(rn, resmon_port_of(place));
	xa_for_each(&rn->places, index, place)
		resmon_lag_del(rn, resmon_lag_of(place));
	xa_for_each(&rn->devices, index, device)
		resmon_device_del(rn, device);
	mutex_unlock(&rn->config_lock);
	rtnl_unlock();
}

static void __net_exit resmon_net_exit(struct net *net)
{
	struct resmon_net *rn = resmon_net_of(net);

	cancel_delayed_work_sync(&rn->tick);
	resmon_sysfs_chassis_del(rn);
	resmon_proc_net_exit(rn);
	net_clear(rn);
	resmon_l2tp_net_exit(rn);
	resmon_follow_net_exit(rn);
	resmon_flight_net_exit(rn);
	resmon_session_net_exit(rn);
	resmon_event_net_exit(rn);
	resmon_why_net_exit(rn);
	resmon_element_exit(&rn->chassis);
	kfree(rcu_dereference_protected(rn->settings, true));
	xa_destroy(&rn->devices);
	xa_destroy(&rn->places);
}

static struct pernet_operations net_ops = {
	.init = resmon_net_init,
	.exit = resmon_net_exit,
	.id = &resmon_net_id,
	.size = sizeof(struct resmon_net),
};

/**
 * resmon_net_register() - a chassis for each namespace, now and later
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_net_register(void)
{
	/* Not as a device: ports must be gone with their net devices first. */
	return register_pernet_subsys(&net_ops);
}

/**
 * resmon_net_unregister() - no chassis any more
 *
 * Context: Process context, may sleep.
 */
void resmon_net_unregister(void)
{
	unregister_pernet_subsys(&net_ops);
}
