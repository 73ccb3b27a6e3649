// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places: where sessions sit, and the path of elements that each counts on.
 *
 * A session stores its place alone. What counts above it is derived from the
 * path, so that a change of the path moves the usage of the whole place in one
 * step under charge_lock and no count can stay behind (C5, C6).
 */
#include <linux/if_vlan.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "admit.h"
#include "export.h"
#include "net.h"
#include "place.h"

/**
 * resmon_path_alloc() - an empty path
 * @max: most levels that will be added
 *
 * A leg that joins or leaves a bundle cannot be refused any more, so the small
 * allocation must not fail.
 *
 * Context: Process context, may sleep.
 * Return: The path, never NULL.
 */
struct resmon_path *resmon_path_alloc(unsigned int max)
{
	struct resmon_path *path;

	path = kzalloc(struct_size(path, level, max),
		       GFP_KERNEL_ACCOUNT | __GFP_NOFAIL);
	return path;
}

/**
 * resmon_path_add() - add an element that a session counts on
 * @path: the path, with room for it
 * @elem: the element; a second time it counts once (C5)
 * @ask: it is asked for room; one leg that carries is enough to be asked
 *
 * Context: Any, while nobody else sees the path.
 */
void resmon_path_add(struct resmon_path *path, struct resmon_element *elem,
		     bool ask)
{
	unsigned int i;

	for (i = 0; i < path->n; i++) {
		if (path->level[i].elem != elem)
			continue;
		path->level[i].ask |= ask;
		return;
	}
	path->level[path->n].elem = elem;
	path->level[path->n].ask = ask;
	path->n++;
}

static bool path_has(const struct resmon_path *path,
		     const struct resmon_element *elem)
{
	unsigned int i;

	for (i = 0; path && i < path->n; i++)
		if (path->level[i].elem == elem)
			return true;
	return false;
}

static void element_checks(struct resmon_net *rn, struct resmon_element *elem)
{
	u32 type;

	for (type = RESMON_TYPE_PPPOE; type < RESMON_TYPES; type++)
		resmon_element_check(rn, elem, type);
}

/**
 * resmon_path_replace() - the sessions of a place count elsewhere from now on
 * @rn: the chassis
 * @place: the place
 * @path: the new path, or NULL when the place goes away
 *
 * The place itself is on every path of its own and keeps its count.
 *
 * Context: Under config_lock.
 */
void resmon_path_replace(struct resmon_net *rn, struct resmon_place *place,
			 struct resmon_path *path)
{
	s64 now = ktime_get_real_seconds();
	struct resmon_path *old;
	unsigned int i;

	old = rcu_dereference_protected(place->path,
					lockdep_is_held(&rn->config_lock));

	spin_lock_bh(&rn->charge_lock);
	for (i = 0; path && i < path->n; i++) {
		struct resmon_element *elem = path->level[i].elem;

		if (elem == &place->elem || path_has(old, elem))
			continue;
		resmon_caps_join(&elem->caps, &place->own, now);
		element_checks(rn, elem);
	}
	for (i = 0; old && i < old->n; i++) {
		struct resmon_element *elem = old->level[i].elem;

		if (elem == &place->elem || path_has(path, elem))
			continue;
		resmon_caps_leave(&elem->caps, &place->own);
		element_checks(rn, elem);
	}
	rcu_assign_pointer(place->path, path);
	spin_unlock_bh(&rn->charge_lock);

	kfree_rcu(old, rcu);
	resmon_net_changed(rn);
}

/**
 * resmon_place_init() - a place without sessions and without a path
 * @rn: the chassis
 * @place: the place, zeroed
 * @kind: RESMON_ELEMENT_KIND_PORT or RESMON_ELEMENT_KIND_LAG
 * @dev: its net device
 *
 * Context: Under RTNL and config_lock.
 * Return: 0 or -ENOMEM.
 */
int resmon_place_init(struct resmon_net *rn, struct resmon_place *place,
		      u8 kind, struct net_device *dev)
{
	struct resmon_ident id = { .kind = kind, .ifindex = dev->ifindex };
	int err;

	ASSERT_RTNL();
	strscpy(id.ifname, dev->name, sizeof(id.ifname));
	err = resmon_element_init(&place->elem, &id);
	if (err)
		return err;
	INIT_HLIST_HEAD(&place->sessions);
	place->dev = dev;
	netdev_hold(dev, &place->tracker, GFP_KERNEL);
	return 0;
}

/**
 * resmon_place_exit() - undo resmon_place_init()
 * @rn: the chassis
 * @place: a place that has no sessions and that nobody can find any more
 *
 * Context: Under config_lock. The caller frees the memory after a grace
 *	period; the counters are given back by it too.
 */
void resmon_place_exit(struct resmon_net *rn, struct resmon_place *place)
{
	lockdep_assert_held(&rn->config_lock);
	netdev_put(place->dev, &place->tracker);
	place->dev = NULL;
}

/**
 * resmon_place_rename() - the net device of a place has another name
 * @rn: the chassis
 * @place: the place
 *
 * Context: Under RTNL and config_lock.
 */
void resmon_place_rename(struct resmon_net *rn, struct resmon_place *place)
{
	ASSERT_RTNL();
	spin_lock_bh(&rn->charge_lock);
	strscpy(place->elem.id.ifname, place->dev->name,
		sizeof(place->elem.id.ifname));
	spin_unlock_bh(&rn->charge_lock);
	resmon_net_changed(rn);
}

/**
 * resmon_place_stands_on() - do the sessions of a place count on an element?
 * @place: the place
 * @elem: the element
 *
 * Context: RCU read section, config_lock or charge_lock.
 * Return: true when the element is on the path of the place.
 */
bool resmon_place_stands_on(const struct resmon_place *place,
			    const struct resmon_element *elem)
{
	/* All callers are covered by one of three locks, see Context. */
	return path_has(rcu_dereference_raw(place->path), elem);
}

/**
 * resmon_place_find() - the port or lag of a net device
 * @rn: the chassis
 * @ifindex: of the net device
 *
 * Context: RCU read section or config_lock.
 * Return: The place, or NULL.
 */
struct resmon_place *resmon_place_find(struct resmon_net *rn, int ifindex)
{
	return xa_load(&rn->places, ifindex);
}

RESMON_EXPORT_TEST(resmon_place_find);

/**
 * resmon_place_of_dev() - the port or lag below a net device
 * @rn: the chassis
 * @dev: the net device of a port or lag, or a VLAN net device on one
 * @outer: set to the outer VLAN when there is one
 * @inner: set to the inner VLAN when there are two
 *
 * Context: RCU read section or RTNL.
 * Return: The place, or NULL.
 */
struct resmon_place *resmon_place_of_dev(struct resmon_net *rn,
					 struct net_device *dev, u16 *outer,
					 u16 *inner)
{
	struct resmon_place *place = resmon_place_find(rn, dev->ifindex);

	while (!place && is_vlan_dev(dev)) {
		*inner = *outer;
		*outer = vlan_dev_vlan_id(dev);
		dev = vlan_dev_priv(dev)->real_dev;
		place = resmon_place_find(rn, dev->ifindex);
	}
	return place;
}

static const u8 cap_causes[] = {
	[RESMON_ELEMENT_KIND_CHASSIS] = RESMON_CAUSE_CAP_CHASSIS,
	[RESMON_ELEMENT_KIND_DEVICE] = RESMON_CAUSE_CAP_DEVICE,
	[RESMON_ELEMENT_KIND_MIC] = RESMON_CAUSE_CAP_MIC,
	[RESMON_ELEMENT_KIND_PORT] = RESMON_CAUSE_CAP_PORT,
	[RESMON_ELEMENT_KIND_LAG] = RESMON_CAUSE_CAP_LAG,
};

/**
 * resmon_path_look() - is there room for a session on every element?
 * @path: the path of its place
 * @req: the request; no cap counts services, but a drained element takes none
 * @v: for a refusal its cause, the element and the client type of the cap
 *
 * Context: RCU read section or charge_lock. Without charge_lock the answer is
 *	a look only. Writes nothing that is shared.
 * Return: true when there is room.
 */
bool resmon_path_look(const struct resmon_path *path,
		      const struct resmon_request *req,
		      struct resmon_decision *v)
{
	enum resmon_room room;
	unsigned int i;

	for (i = 0; i < path->n; i++) {
		struct resmon_element *elem = path->level[i].elem;

		if (!path->level[i].ask)
			continue;
		v->refuser = elem;
		v->cause = RESMON_CAUSE_DRAIN;
		if (READ_ONCE(elem->drain))
			return false;
		if (req->kind != RESMON_KIND_CLIENT)
			continue;
		room = req->first ?
		       resmon_caps_look_first(&elem->caps, req->type,
					      &v->cap_type) :
		       resmon_caps_look(&elem->caps, req->type, !req->active,
					&v->cap_type);
		v->cause = room == RESMON_ROOM_FULL ?
			   cap_causes[elem->id.kind] : RESMON_CAUSE_CAP_STARTING;
		if (room != RESMON_ROOM_FREE)
			return false;
	}
	v->refuser = NULL;
	v->cause = RESMON_CAUSE_NONE;
	return true;
}

static struct resmon_path *path_locked(struct resmon_net *rn,
				       const struct resmon_place *place)
{
	return rcu_dereference_protected(place->path,
					 lockdep_is_held(&rn->charge_lock));
}

/**
 * resmon_place_take() - a session counts on every element of its path
 * @rn: the chassis
 * @place: where it sits
 * @kind: enum resmon_kind
 * @type: client type
 * @starting: it is not yet up
 *
 * Context: Under charge_lock, after resmon_path_look() found room.
 */
void resmon_place_take(struct resmon_net *rn, struct resmon_place *place,
		       u32 kind, u32 type, bool starting)
{
	const struct resmon_path *path = path_locked(rn, place);
	s64 now = ktime_get_real_seconds();
	unsigned int i;

	if (kind != RESMON_KIND_CLIENT) {
		place->own.services++;
		for (i = 0; i < path->n; i++)
			path->level[i].elem->caps.services++;
		return;
	}
	resmon_use_take(&place->own, type, starting);
	for (i = 0; i < path->n; i++) {
		struct resmon_element *elem = path->level[i].elem;

		resmon_caps_take(&elem->caps, type, starting, now);
		resmon_element_check(rn, elem, type);
	}
}

/**
 * resmon_place_give() - a session counts no more
 * @rn: the chassis
 * @place: where it sat
 * @kind: enum resmon_kind
 * @type: client type
 * @starting: it was not yet up
 *
 * Context: Under charge_lock.
 */
void resmon_place_give(struct resmon_net *rn, struct resmon_place *place,
		       u32 kind, u32 type, bool starting)
{
	const struct resmon_path *path = path_locked(rn, place);
	unsigned int i;

	if (kind != RESMON_KIND_CLIENT) {
		place->own.services--;
		for (i = 0; i < path->n; i++)
			path->level[i].elem->caps.services--;
		return;
	}
	resmon_use_give(&place->own, type, starting);
	for (i = 0; i < path->n; i++) {
		struct resmon_element *elem = path->level[i].elem;

		resmon_caps_give(&elem->caps, type, starting);
		resmon_element_check(rn, elem, type);
		if (unlikely(elem->drain) &&
		    !elem->caps.cap[RESMON_TYPE_ANY].sessions)
			resmon_element_drained(rn, elem);
	}
}

/**
 * resmon_place_up() - a starting client session is up
 * @rn: the chassis
 * @place: where it sits
 * @type: client type
 *
 * Context: Under charge_lock.
 */
void resmon_place_up(struct resmon_net *rn, struct resmon_place *place,
		     u32 type)
{
	const struct resmon_path *path = path_locked(rn, place);
	unsigned int i;

	resmon_use_up(&place->own, type);
	for (i = 0; i < path->n; i++)
		resmon_caps_up(&path->level[i].elem->caps, type);
}

/**
 * resmon_place_fly() - more or fewer first signs are undecided
 * @rn: the chassis
 * @place: where they were seen
 * @type: client type
 * @n: how many more, negative for fewer
 *
 * Context: Under charge_lock.
 */
void resmon_place_fly(struct resmon_net *rn, struct resmon_place *place,
		      u32 type, s32 n)
{
	const struct resmon_path *path = path_locked(rn, place);
	unsigned int i;

	resmon_use_fly(&place->own, type, n);
	for (i = 0; i < path->n; i++)
		resmon_caps_fly(&path->level[i].elem->caps, type, n);
}
