// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owners: sockets whose sessions end when they are closed.
 *
 * There are as many as there are daemons that asked for it, a handful.
 */
#include <linux/slab.h>

#include "net.h"
#include "owner.h"

/**
 * resmon_owner_find() - the owner of a port id
 * @rn: the chassis
 * @portid: port id of the socket
 *
 * Context: Under charge_lock.
 * Return: The owner or NULL.
 */
struct resmon_owner *resmon_owner_find(struct resmon_net *rn, u32 portid)
{
	struct resmon_owner *owner;

	lockdep_assert_held(&rn->charge_lock);
	hlist_for_each_entry(owner, &rn->owners, on_net)
		if (owner->portid == portid)
			return owner;
	return NULL;
}

/**
 * resmon_owner_get() - one more user of the owner of a port id
 * @rn: the chassis
 * @portid: port id of the socket
 *
 * Context: Under charge_lock.
 * Return: The owner, or NULL without memory.
 */
struct resmon_owner *resmon_owner_get(struct resmon_net *rn, u32 portid)
{
	struct resmon_owner *owner = resmon_owner_find(rn, portid);

	if (!owner) {
		owner = kzalloc_obj(*owner, GFP_ATOMIC | __GFP_ACCOUNT |
					    __GFP_NOWARN);
		if (!owner)
			return NULL;
		owner->portid = portid;
		hlist_add_head(&owner->on_net, &rn->owners);
	}
	owner->users++;
	return owner;
}

/**
 * resmon_owner_add() - a session ends with its owner
 * @owner: the owner, of which the session is a user
 * @node: resmon_session.on_group
 *
 * Context: Under charge_lock.
 */
void resmon_owner_add(struct resmon_owner *owner, struct hlist_node *node)
{
	hlist_add_head(node, &owner->sessions);
}

/**
 * resmon_owner_put() - one user less
 * @owner: the owner; gone after its last user
 *
 * Context: Under charge_lock.
 */
void resmon_owner_put(struct resmon_owner *owner)
{
	if (--owner->users)
		return;
	hlist_del(&owner->on_net);
	kfree(owner);
}
