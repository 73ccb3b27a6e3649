// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the login traffic of a place is treated, and the hooks that see it.
 *
 * A leg has no hook of its own: broadcast frames of an active-backup bond reach
 * both legs before the bond drops one of them, but its master only once (H17).
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "enforce.h"
#include "follow.h"
#include "hook.h"
#include "net.h"
#include "place.h"
#include "port.h"

/* Seconds of silence after which a PPPoE session is suspect (H4). */
#define SILENCE_S	180

/**
 * resmon_enforce_defaults() - settings of a place that nobody has set
 * @enforce: filled in
 */
void resmon_enforce_defaults(struct resmon_enforce *enforce)
{
	*enforce = (struct resmon_enforce) {
		.mode = RESMON_ENFORCE_MODE_HOOK,
		.key = RESMON_IDENTITY_MAC,
		.dual_stack = 1,
		.silence = SILENCE_S,
	};
}

/**
 * resmon_enforce_get() - settings of a place
 * @place: the place
 * @enforce: filled in
 *
 * Context: RCU read section or config_lock.
 */
void resmon_enforce_get(const struct resmon_place *place,
			struct resmon_enforce *enforce)
{
	struct resmon_hook *hook;

	resmon_enforce_defaults(enforce);
	rcu_read_lock();
	hook = rcu_dereference(place->hook);
	if (hook)
		*enforce = *rcu_dereference(hook->enforce);
	rcu_read_unlock();
}

static bool wanted(const struct resmon_enforce *enforce)
{
	u32 login;

	for (login = 0; login <= RESMON_LOGIN_MAX; login++)
		if (enforce->action[login] != RESMON_ACTION_OFF)
			return true;
	return false;
}

static struct resmon_hook *hook_new(struct resmon_net *rn,
				    struct resmon_place *place)
{
	struct resmon_hook *hook;
	int cpu;

	hook = kzalloc_obj(*hook, GFP_KERNEL_ACCOUNT);
	if (!hook)
		return NULL;
	hook->seen = alloc_percpu_gfp(struct resmon_seen_counts,
				      GFP_KERNEL_ACCOUNT);
	if (!hook->seen) {
		kfree(hook);
		return NULL;
	}
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(hook->seen, cpu)->sync);
	hook->rn = rn;
	hook->place = place;
	INIT_LIST_HEAD(&hook->flights);
	INIT_LIST_HEAD(&hook->on_flying);
	return hook;
}

static void detach(struct resmon_hook *hook, bool leaving)
{
	if (!hook->attached[leaving])
		return;
	nf_unregister_net_hook(hook->rn->net, &hook->ops[leaving]);
	hook->attached[leaving] = false;
}

static int attach(struct resmon_hook *hook, bool leaving)
{
	int err;

	if (hook->attached[leaving])
		return 0;
	resmon_hook_ops(hook, leaving);
	err = nf_register_net_hook(hook->rn->net, &hook->ops[leaving]);
	hook->attached[leaving] = !err;
	return err;
}

/**
 * resmon_enforce_attach() - hooks as the settings and the lag of a place want
 * @place: the place
 *
 * Context: Under RTNL and config_lock, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_enforce_attach(struct resmon_place *place)
{
	struct resmon_hook *hook = rcu_dereference_protected(place->hook, true);
	struct resmon_enforce *enforce;
	bool leg = false, on;
	int err = 0;

	ASSERT_RTNL();
	if (!hook)
		return 0;
	lockdep_assert_held(&hook->rn->config_lock);

	enforce = rcu_dereference_protected(hook->enforce, true);
	if (place->elem.id.kind == RESMON_ELEMENT_KIND_PORT)
		leg = rcu_access_pointer(resmon_port_of(place)->lag);
	on = !leg && enforce && wanted(enforce);

	if (on && enforce->mode == RESMON_ENFORCE_MODE_HOOK)
		err = attach(hook, false);
	else
		detach(hook, false);
	if (on && !err)
		err = attach(hook, true);
	else
		detach(hook, true);
	if (err)
		detach(hook, false);
	WRITE_ONCE(hook->xdp, on && !err &&
		   enforce->mode == RESMON_ENFORCE_MODE_XDP);
	return err;
}

/**
 * resmon_enforce_set() - other settings from now on
 * @rn: the chassis
 * @place: a port or lag
 * @enforce: the settings, copied
 * @extack: set on error
 *
 * Context: Under RTNL and config_lock, may sleep.
 * Return: 0 or a negative error number; nothing has changed then.
 */
int resmon_enforce_set(struct resmon_net *rn, struct resmon_place *place,
		       const struct resmon_enforce *enforce,
		       struct netlink_ext_ack *extack)
{
	struct resmon_hook *hook = rcu_dereference_protected(place->hook, true);
	struct resmon_enforce *new, *old;
	int err;

	ASSERT_RTNL();
	lockdep_assert_held(&rn->config_lock);

	new = kmemdup(enforce, sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	if (!hook) {
		hook = hook_new(rn, place);
		if (!hook) {
			kfree(new);
			return -ENOMEM;
		}
		RCU_INIT_POINTER(hook->enforce, new);
		rcu_assign_pointer(place->hook, hook);
		old = NULL;
	} else {
		old = rcu_replace_pointer(hook->enforce, new, true);
	}

	err = resmon_enforce_attach(place);
	if (err) {
		NL_SET_ERR_MSG(extack, "the hooks of the net device cannot be had");
		if (old) {
			rcu_assign_pointer(hook->enforce, old);
			resmon_enforce_attach(place);
		} else {
			resmon_enforce_defaults(new);
			return err;
		}
		kfree_rcu(new, rcu);
		return err;
	}
	if (old) {
		/* Frames that are in the hook now go by what was. */
		synchronize_net();
		kfree(old);
	}
	if (!hook->attached[true])
		resmon_flight_hook_exit(hook);
	if (new->action[RESMON_LOGIN_L2TP] == RESMON_ACTION_OFF)
		resmon_l2tp_hook_exit(hook);
	resmon_follow_rearm(rn, hook);
	resmon_net_changed(rn);
	return 0;
}

/**
 * resmon_seen_count() - count one frame
 * @hook: what saw it
 * @what: what it was
 *
 * Context: With BH off.
 */
void resmon_seen_count(struct resmon_hook *hook, enum resmon_seen what)
{
	struct resmon_seen_counts *counts = this_cpu_ptr(hook->seen);

	u64_stats_update_begin(&counts->sync);
	u64_stats_inc(&counts->n[what]);
	u64_stats_update_end(&counts->sync);
}

/**
 * resmon_enforce_show() - what there is to show of the hook of a place
 * @place: the place
 * @show: filled in, zero for a place that was never enforced
 *
 * Context: RCU read section or config_lock.
 */
void resmon_enforce_show(struct resmon_place *place,
			 struct resmon_enforce_show *show)
{
	struct resmon_hook *hook;
	int cpu, what;

	memset(show, 0, sizeof(*show));
	show->flight_max = RESMON_FLIGHTS;
	rcu_read_lock();
	hook = rcu_dereference(place->hook);
	if (!hook)
		goto out;
	for_each_possible_cpu(cpu) {
		const struct resmon_seen_counts *counts =
			per_cpu_ptr(hook->seen, cpu);

		for (what = 0; what < RESMON_SEEN; what++) {
			unsigned int start;
			u64 n;

			do {
				start = u64_stats_fetch_begin(&counts->sync);
				n = u64_stats_read(&counts->n[what]);
			} while (u64_stats_fetch_retry(&counts->sync, start));
			show->n[what] += n;
		}
	}
	show->attached = READ_ONCE(hook->attached[true]);
	show->flights = READ_ONCE(hook->n_flights);
	show->suspects = READ_ONCE(hook->suspects);
	show->offer_ms = READ_ONCE(hook->offer_ms);
	show->setup_ms = READ_ONCE(hook->setup_ms);
out:
	rcu_read_unlock();
}

/**
 * resmon_enforce_place_exit() - nothing sees the frames of a place any more
 * @place: the place, which goes away
 *
 * Context: Under config_lock, may sleep; before its sessions end.
 */
void resmon_enforce_place_exit(struct resmon_place *place)
{
	struct resmon_hook *hook = rcu_dereference_protected(place->hook, true);

	if (!hook)
		return;
	lockdep_assert_held(&hook->rn->config_lock);
	detach(hook, false);
	detach(hook, true);
	WRITE_ONCE(hook->xdp, false);
	/* Unregistering does not wait for frames that are in the hook now. */
	synchronize_net();
	resmon_flight_hook_exit(hook);
	resmon_l2tp_hook_exit(hook);
}

/**
 * resmon_enforce_place_free() - give back the memory of a hook
 * @place: a place that nobody can find any more, after a grace period
 *
 * Context: Any.
 */
void resmon_enforce_place_free(struct resmon_place *place)
{
	struct resmon_hook *hook = rcu_dereference_protected(place->hook, true);

	if (!hook)
		return;
	kfree(rcu_dereference_protected(hook->enforce, true));
	free_percpu(hook->seen);
	kfree(hook);
}
