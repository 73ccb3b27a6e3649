// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions that are known from frames: what is remembered of each, and how it is
 * found again. What a message means is told by the life_*.c.
 */
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "enforce.h"
#include "follow.h"
#include "frame.h"
#include "net.h"
#include "place.h"

static const struct rhashtable_params follow_params = {
	.key_len = sizeof(struct resmon_key),
	.key_offset = offsetof(struct resmon_follow, alias),
	.head_offset = offsetof(struct resmon_follow, node),
	.automatic_shrinking = true,
};

/**
 * resmon_follow_alloc() - memory for a session that is known from frames
 * @hook: what sees its frames
 * @login: enum resmon_login
 *
 * Context: Any.
 * Return: The memory, to be freed with kfree() while no session has it, or NULL.
 */
struct resmon_follow *resmon_follow_alloc(struct resmon_hook *hook, u8 login)
{
	struct resmon_follow *follow;

	follow = kzalloc_obj(*follow,
			     GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!follow)
		return NULL;
	follow->hook = hook;
	follow->login = login;
	follow->seen = resmon_now_s();
	return follow;
}

/**
 * resmon_follow_name() - a session is found by another name from now on
 * @rn: the chassis
 * @follow: what is known of it
 * @alias: the name
 *
 * Context: Under charge_lock.
 * Return: 0 or a negative error number.
 */
int resmon_follow_name(struct resmon_net *rn, struct resmon_follow *follow,
		       const struct resmon_key *alias)
{
	int err;

	lockdep_assert_held(&rn->charge_lock);

	if (follow->linked) {
		if (!memcmp(&follow->alias, alias, sizeof(*alias)))
			return 0;
		rhltable_remove(&rn->followed, &follow->node, follow_params);
		follow->linked = false;
	}
	follow->alias = *alias;
	err = rhltable_insert(&rn->followed, &follow->node, follow_params);
	follow->linked = !err;
	return err;
}

/**
 * resmon_follow_find() - the first session of a name
 * @rn: the chassis
 * @alias: the name
 *
 * Others of the same name follow it in the list of its node.
 *
 * Context: RCU read section.
 * Return: What is known of the session, or NULL.
 */
struct resmon_follow *resmon_follow_find(struct resmon_net *rn,
					 const struct resmon_key *alias)
{
	struct rhlist_head *list;

	list = rhltable_lookup(&rn->followed, alias, follow_params);
	return list ? container_of(list, struct resmon_follow, node) : NULL;
}

/**
 * resmon_follow_alive() - there was a sign of life
 * @follow: what is known of the session
 *
 * Context: RCU read section; takes no lock, the wheel looks when it is time.
 */
void resmon_follow_alive(struct resmon_follow *follow)
{
	u32 now = resmon_now_s();

	if (READ_ONCE(follow->seen) != now)
		WRITE_ONCE(follow->seen, now);
}

/**
 * resmon_follow_up() - a session has come up
 * @rn: the chassis
 * @session: a session that is known from frames; when it is up already, nothing
 *	happens
 *
 * Context: Under charge_lock.
 * Return: true when it was starting.
 */
bool resmon_follow_up(struct resmon_net *rn, struct resmon_session *session)
{
	struct resmon_follow *follow = session->follow;

	lockdep_assert_held(&rn->charge_lock);

	if (session->state != RESMON_STATE_STARTING)
		return false;
	resmon_session_activate(rn, session);
	resmon_flight_setup(follow->hook, follow->began_ns);
	follow->began_ns = 0;
	return true;
}

/**
 * resmon_follow_end() - the session is over
 * @rn: the chassis
 * @follow: what was known of it
 *
 * Context: Under charge_lock.
 */
void resmon_follow_end(struct resmon_net *rn, struct resmon_follow *follow)
{
	lockdep_assert_held(&rn->charge_lock);

	if (follow->linked)
		rhltable_remove(&rn->followed, &follow->node, follow_params);
	if (follow->login == RESMON_LOGIN_PPPOE && follow->pppoe.suspect)
		WRITE_ONCE(follow->hook->suspects, follow->hook->suspects - 1);
	if (follow->login == RESMON_LOGIN_L2TP && follow->l2tp.denied)
		WRITE_ONCE(rn->n_denied_calls, rn->n_denied_calls - 1);
	kfree_rcu(follow, rcu);
}

/**
 * resmon_follow_expired() - the deadline of a session has passed
 * @rn: the chassis
 * @session: a session that is known from frames
 *
 * Context: Under charge_lock.
 * Return: true when it is over, false when it has another deadline now.
 */
bool resmon_follow_expired(struct resmon_net *rn,
			   struct resmon_session *session)
{
	const struct resmon_follow *follow = session->follow;
	u32 quiet = resmon_now_s() - READ_ONCE(follow->seen);

	/* H16: counted from the last control frame. */
	if (session->state == RESMON_STATE_STARTING &&
	    !(follow->login == RESMON_LOGIN_DHCP6 && follow->dhcp.rapid)) {
		u32 most = resmon_session_timeout(rn, RESMON_STATE_STARTING);

		if (!most || quiet >= most)
			return true;
		resmon_session_deadline(rn, session, most - quiet);
		return false;
	}
	switch (follow->login) {
	case RESMON_LOGIN_PPPOE:
		return resmon_pppoe_expired(rn, session);
	case RESMON_LOGIN_DHCP4:
	case RESMON_LOGIN_DHCP6:
		return resmon_dhcp_expired(rn, session);
	default:
		return resmon_l2tp_expired(rn, session);
	}
}

static bool is_off(struct resmon_follow *follow,
		   const struct resmon_enforce *enforce)
{
	switch (follow->login) {
	case RESMON_LOGIN_DHCP4:
	case RESMON_LOGIN_DHCP6:
		return resmon_dhcp_off(follow, enforce);
	default:
		return enforce->action[follow->login] == RESMON_ACTION_OFF;
	}
}

static u32 look_anew(struct resmon_net *rn, struct resmon_session *session,
		     const void *arg)
{
	const struct resmon_hook *hook = arg;

	if (!session->follow || session->place != hook->place)
		return 0;
	if (is_off(session->follow, rcu_dereference_protected(hook->enforce, true)))
		return resmon_session_end(rn, session);
	resmon_session_deadline(rn, session, 1);
	return 0;
}

/**
 * resmon_follow_rearm() - the settings of a place have changed
 * @rn: the chassis
 * @hook: what sees its frames
 *
 * Deadlines were set by the old settings: each session of the place looks anew
 * within a second or two. Those of a protocol that is off now end, since nobody
 * would see their end.
 *
 * Context: Under config_lock, may sleep; no frame goes by the old settings.
 */
void resmon_follow_rearm(struct resmon_net *rn, struct resmon_hook *hook)
{
	resmon_session_walk(rn, look_anew, hook);
}

/**
 * resmon_follow_net_init() - the table of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_follow_net_init(struct resmon_net *rn)
{
	return rhltable_init(&rn->followed, &follow_params);
}

/**
 * resmon_follow_net_exit() - undo resmon_follow_net_init()
 * @rn: the chassis; all its sessions are gone
 *
 * Context: Process context, may sleep.
 */
void resmon_follow_net_exit(struct resmon_net *rn)
{
	rhltable_destroy(&rn->followed);
}
