// SPDX-License-Identifier: GPL-2.0-only
/*
 * Elements: what a limit, a counter or a throttle sits on.
 */
#include <linux/timekeeping.h>

#include "device.h"
#include "element.h"
#include "event.h"
#include "net.h"
#include "place.h"
#include "stats.h"

/**
 * resmon_element_init() - an element without sessions and without limits
 * @elem: the element
 * @id: its name
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_element_init(struct resmon_element *elem,
			const struct resmon_ident *id)
{
	resmon_caps_init(&elem->caps);
	elem->drain = false;
	elem->id = *id;
	elem->stats = resmon_stats_alloc();
	return elem->stats ? 0 : -ENOMEM;
}

/**
 * resmon_element_exit() - free what resmon_element_init() allocated
 * @elem: the element, which nobody can find any more
 *
 * Context: Any that may call free_percpu().
 */
void resmon_element_exit(struct resmon_element *elem)
{
	resmon_stats_free(elem->stats);
}

/* Out of line: to clear an event costs more than all of a check. */
static noinline void limit_event(struct resmon_net *rn,
				 const struct resmon_element *elem, u32 type,
				 enum resmon_crossing crossing)
{
	struct resmon_event event = {
		.type = crossing == RESMON_CROSSING_UP ?
			RESMON_EVENT_TYPE_LIMIT_WARN :
			RESMON_EVENT_TYPE_LIMIT_CLEAR,
		.id = elem->id,
		.client_type = type,
		.value = elem->caps.cap[type].sessions,
		.mark = elem->caps.cap[type].max,
	};

	resmon_event_post(rn, &event);
}

static void check_type(struct resmon_net *rn, struct resmon_element *elem,
		       u32 type)
{
	enum resmon_crossing crossing = resmon_caps_warn(&elem->caps, type);

	if (unlikely(crossing != RESMON_CROSSING_NONE))
		limit_event(rn, elem, type, crossing);
}

/**
 * resmon_element_check() - send the events that a change of usage causes
 * @rn: the chassis
 * @elem: the element whose usage, limit or mark changed
 * @type: the client type that changed; RESMON_TYPE_ANY changes with each
 *
 * Context: Under charge_lock.
 */
void resmon_element_check(struct resmon_net *rn, struct resmon_element *elem,
			  u32 type)
{
	lockdep_assert_held(&rn->charge_lock);

	check_type(rn, elem, type);
	if (type != RESMON_TYPE_ANY)
		check_type(rn, elem, RESMON_TYPE_ANY);
}

/**
 * resmon_element_drained() - the last session left an element being drained
 * @rn: the chassis
 * @elem: the element
 *
 * Context: Under charge_lock.
 */
noinline void resmon_element_drained(struct resmon_net *rn,
				     const struct resmon_element *elem)
{
	struct resmon_event event = {
		.type = RESMON_EVENT_TYPE_DRAINED,
		.id = elem->id,
	};

	resmon_event_post(rn, &event);
}

/**
 * resmon_element_limit_set() - change the limit of a client type
 * @rn: the chassis
 * @elem: the element
 * @type: enum resmon_type
 * @max: most sessions, NULL to leave it as it is
 * @max_starting: most sessions that are not yet up, NULL to leave it
 * @warn: percent of @max at which an event is sent, NULL to leave it
 *
 * A limit under the usage is fine: sessions stay, new ones are denied (C4).
 *
 * Context: Under config_lock.
 * Return: 0, or -EINVAL for a mark without a limit.
 */
int resmon_element_limit_set(struct resmon_net *rn,
			     struct resmon_element *elem, u32 type,
			     const u32 *max, const u32 *max_starting,
			     const u32 *warn)
{
	struct resmon_cap *cap = &elem->caps.cap[type];

	lockdep_assert_held(&rn->config_lock);

	if (warn && !max && cap->max == RESMON_NO_LIMIT)
		return -EINVAL;

	spin_lock_bh(&rn->charge_lock);
	if (max)
		WRITE_ONCE(cap->max, *max);
	if (max_starting)
		WRITE_ONCE(cap->max_starting, *max_starting);
	if (warn)
		elem->caps.mark[type].warn = *warn;
	resmon_element_check(rn, elem, type);
	spin_unlock_bh(&rn->charge_lock);

	resmon_net_changed(rn);
	return 0;
}

/**
 * resmon_element_limit_del() - take the limit of a client type away
 * @rn: the chassis
 * @elem: the element
 * @type: enum resmon_type
 *
 * Context: Under config_lock.
 */
void resmon_element_limit_del(struct resmon_net *rn,
			      struct resmon_element *elem, u32 type)
{
	struct resmon_cap *cap = &elem->caps.cap[type];

	lockdep_assert_held(&rn->config_lock);

	spin_lock_bh(&rn->charge_lock);
	WRITE_ONCE(cap->max, RESMON_NO_LIMIT);
	WRITE_ONCE(cap->max_starting, RESMON_NO_LIMIT);
	elem->caps.mark[type].warn = 0;
	resmon_element_check(rn, elem, type);
	spin_unlock_bh(&rn->charge_lock);

	resmon_net_changed(rn);
}

/**
 * resmon_element_limited() - is there any limit on an element?
 * @elem: the element
 *
 * Context: Any.
 * Return: true when some client type has a limit of some sort.
 */
bool resmon_element_limited(const struct resmon_element *elem)
{
	u32 type;

	for (type = 0; type < RESMON_TYPES; type++) {
		const struct resmon_cap *cap = &elem->caps.cap[type];

		if (READ_ONCE(cap->max) != RESMON_NO_LIMIT ||
		    READ_ONCE(cap->max_starting) != RESMON_NO_LIMIT)
			return true;
	}
	return false;
}

/**
 * resmon_element_drain_set() - begin or end to drain an element (C10)
 * @rn: the chassis
 * @elem: the element
 * @on: admit nobody from now on
 *
 * Context: Under config_lock.
 */
void resmon_element_drain_set(struct resmon_net *rn,
			      struct resmon_element *elem, bool on)
{
	lockdep_assert_held(&rn->config_lock);

	spin_lock_bh(&rn->charge_lock);
	/* An element that is empty already will not see its last session go. */
	if (on && !elem->drain &&
	    !elem->caps.cap[RESMON_TYPE_ANY].sessions)
		resmon_element_drained(rn, elem);
	WRITE_ONCE(elem->drain, on);
	spin_unlock_bh(&rn->charge_lock);

	resmon_net_changed(rn);
}

/**
 * resmon_element_find() - the element of a name
 * @rn: the chassis
 * @id: the name; of a port or lag the ifindex counts
 *
 * Context: RCU read section or config_lock.
 * Return: The element, or NULL when there is none or it is of another kind.
 */
struct resmon_element *resmon_element_find(struct resmon_net *rn,
					   const struct resmon_ident *id)
{
	struct resmon_device *device;
	struct resmon_place *place;
	struct resmon_mic *mic;

	switch (id->kind) {
	case RESMON_ELEMENT_KIND_CHASSIS:
		return &rn->chassis;
	case RESMON_ELEMENT_KIND_DEVICE:
		device = resmon_device_find(rn, id->device);
		return device ? &device->elem : NULL;
	case RESMON_ELEMENT_KIND_MIC:
		device = resmon_device_find(rn, id->device);
		mic = device ? resmon_mic_find(device, id->mic) : NULL;
		return mic ? &mic->elem : NULL;
	default:
		place = resmon_place_find(rn, id->ifindex);
		return place && place->elem.id.kind == id->kind ?
		       &place->elem : NULL;
	}
}

static struct resmon_element *walk_devices(struct resmon_net *rn,
					   struct resmon_walk *walk)
{
	struct resmon_device *device;
	struct resmon_mic *mic;
	unsigned long index;

	for (;;) {
		index = walk->index;
		device = xa_find(&rn->devices, &walk->index, ULONG_MAX,
				 XA_PRESENT);
		if (!device)
			return NULL;
		if (walk->index != index)
			walk->mic = 0;
		if (!walk->mic)
			return &device->elem;
		for (; walk->mic <= RESMON_MIC_MAX + 1; walk->mic++) {
			mic = resmon_mic_find(device, walk->mic - 1);
			if (mic)
				return &mic->elem;
		}
		walk->index++;
		walk->mic = 0;
	}
}

/**
 * resmon_walk_at() - the element at a cursor
 * @rn: the chassis
 * @walk: the cursor; moved on when its element is gone
 *
 * Context: RCU read section or config_lock. Between two calls the elements may
 *	change: one that is there all the time is met exactly once.
 * Return: The element at the cursor or the next one, NULL at the end.
 */
struct resmon_element *resmon_walk_at(struct resmon_net *rn,
				      struct resmon_walk *walk)
{
	struct resmon_element *elem;
	struct resmon_place *place;

	if (walk->stage == 0)
		return &rn->chassis;
	if (walk->stage == 1) {
		elem = walk_devices(rn, walk);
		if (elem)
			return elem;
		*walk = (struct resmon_walk) { .stage = 2 };
	}
	place = xa_find(&rn->places, &walk->index, ULONG_MAX, XA_PRESENT);
	return place ? &place->elem : NULL;
}

/**
 * resmon_walk_step() - move a cursor behind its element
 * @walk: the cursor
 *
 * Context: Any.
 */
void resmon_walk_step(struct resmon_walk *walk)
{
	if (walk->stage == 0)
		walk->stage = 1;
	else if (walk->stage == 1)
		walk->mic++;
	else
		walk->index++;
}
