// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: the table of those that were admitted, and every way out of it.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "admit.h"
#include "export.h"
#include "follow.h"
#include "net.h"
#include "owner.h"
#include "place.h"
#include "session.h"
#include "trace.h"

/* Sessions that are handled before the lock is given back for a moment. */
#define SESSION_CHUNK	256

/* An id is a place in the xarray, and a turn that tells re-uses apart. */
#define SESSION_ID_BITS	24
#define SESSION_ID_MASK	GENMASK(SESSION_ID_BITS - 1, 0)

static struct kmem_cache *session_cache;

static const struct rhashtable_params session_params = {
	.key_len = sizeof(struct resmon_key),
	.key_offset = offsetof(struct resmon_session, key),
	.head_offset = offsetof(struct resmon_session, node),
	.automatic_shrinking = true,
};

/**
 * resmon_now_s() - the time of the last tick
 *
 * Reading the clock itself would cost a tenth of a commit.
 *
 * Context: Any.
 * Return: Seconds of CLOCK_BOOTTIME.
 */
u32 resmon_now_s(void)
{
	struct timespec64 now;

	ktime_get_coarse_boottime_ts64(&now);
	return now.tv_sec;
}

/**
 * resmon_session_alloc() - memory for a session
 * @gfp: how to allocate
 *
 * Context: As @gfp says.
 * Return: A zeroed session or NULL.
 */
struct resmon_session *resmon_session_alloc(gfp_t gfp)
{
	return kmem_cache_zalloc(session_cache, gfp | __GFP_NOWARN);
}

RESMON_EXPORT_TEST(resmon_session_alloc);

/**
 * resmon_session_free() - free a session that was never committed
 * @session: the session or NULL
 *
 * Context: Any.
 */
void resmon_session_free(struct resmon_session *session)
{
	if (!session)
		return;
	kfree(session->extra);
	kmem_cache_free(session_cache, session);
}

RESMON_EXPORT_TEST(resmon_session_free);

static void session_free_rcu(struct rcu_head *rcu)
{
	resmon_session_free(container_of(rcu, struct resmon_session, rcu));
}

/**
 * resmon_key_set() - the identity of a session
 * @rn: the chassis
 * @key: filled in
 * @ifindex: of the port or lag
 * @outer: outer VLAN or 0
 * @inner: inner VLAN or 0
 * @type: enum resmon_type
 * @text: the identity as given, NULL for a session without one
 * @len: its length, at most RESMON_KEY_LEN bytes
 *
 * A longer identity is stored as a hash of 128 bits under a secret key, so
 * that every session takes the same small space.
 *
 * Context: Any.
 */
void resmon_key_set(struct resmon_net *rn, struct resmon_key *key, int ifindex,
		    u16 outer, u16 inner, u8 type, const void *text, u8 len)
{
	u64 hash[2];

	memset(key, 0, sizeof(*key));
	key->ifindex = ifindex;
	key->outer = outer;
	key->inner = inner;
	key->type = type;
	key->len = len;
	if (!text)
		return;
	if (len <= sizeof(key->id)) {
		key->how = RESMON_KEY_TEXT;
		memcpy(key->id, text, len);
		return;
	}
	key->how = RESMON_KEY_HASH;
	hash[0] = siphash(text, len, &rn->key_hash[0]);
	hash[1] = siphash(text, len, &rn->key_hash[1]);
	memcpy(key->id, hash, sizeof(key->id));
}

RESMON_EXPORT_TEST(resmon_key_set);

/* Of frames only their own numbers are kept: a text is made of them. */
static const void *follow_text(const struct resmon_session *session, u8 *buffer,
			       u8 *len)
{
	const struct resmon_follow *follow = READ_ONCE(session->follow);

	if (!follow)
		return NULL;
	switch (follow->login) {
	case RESMON_LOGIN_PPPOE:
		*len = follow->pppoe.sid ?
		       scnprintf(buffer, RESMON_KEY_LEN, "%pM/%u",
				 follow->pppoe.mac, follow->pppoe.sid) :
		       scnprintf(buffer, RESMON_KEY_LEN, "%pM",
				 follow->pppoe.mac);
		return buffer;
	case RESMON_LOGIN_L2TP:
		*len = scnprintf(buffer, RESMON_KEY_LEN, "%u/%u",
				 follow->l2tp.tid, follow->l2tp.sid);
		return buffer;
	default:
		/* By circuit or DUID, as they were given. */
		if (session->key.how == RESMON_KEY_HASH ||
		    session->key.len != ETH_ALEN ||
		    memcmp(session->key.id, follow->dhcp.mac, ETH_ALEN))
			return NULL;
		*len = scnprintf(buffer, RESMON_KEY_LEN, "%pM",
				 session->key.id);
		return buffer;
	}
}

/**
 * resmon_session_text() - the identity of a session as it was given
 * @session: the session
 * @buffer: room for RESMON_KEY_LEN bytes
 * @len: set to its length in bytes
 *
 * Context: RCU read section or charge_lock.
 * Return: The identity, or NULL when the session has none.
 */
const void *resmon_session_text(const struct resmon_session *session,
				u8 *buffer, u8 *len)
{
	const void *text = follow_text(session, buffer, len);

	if (text)
		return text;
	*len = session->key.len;
	switch (session->key.how) {
	case RESMON_KEY_TEXT:
		return session->key.id;
	case RESMON_KEY_HASH:
		*len = session->extra->len;
		return session->extra->text;
	default:
		return NULL;
	}
}

/**
 * resmon_session_find() - the session of an id
 * @rn: the chassis
 * @id: as it was given by the admission
 *
 * Context: RCU read section or charge_lock.
 * Return: The session or NULL.
 */
struct resmon_session *resmon_session_find(struct resmon_net *rn, u32 id)
{
	struct resmon_session *session = xa_load(&rn->ids, id & SESSION_ID_MASK);

	return session && READ_ONCE(session->id) == id ? session : NULL;
}

RESMON_EXPORT_TEST(resmon_session_find);

/**
 * resmon_session_find_key() - the session of an identity
 * @rn: the chassis
 * @key: the identity
 *
 * Context: RCU read section.
 * Return: The session or NULL.
 */
struct resmon_session *resmon_session_find_key(struct resmon_net *rn,
					       const struct resmon_key *key)
{
	if (key->how == RESMON_KEY_NONE)
		return NULL;
	return rhashtable_lookup(&rn->sessions, key, session_params);
}

/**
 * resmon_session_deadline() - when a session is over, if nothing happens
 * @rn: the chassis
 * @session: the session
 * @seconds: from now, 0 for never
 *
 * Context: Under charge_lock.
 */
void resmon_session_deadline(struct resmon_net *rn,
			     struct resmon_session *session, u32 seconds)
{
	lockdep_assert_held(&rn->charge_lock);
	if (session->deadline)
		hlist_del(&session->on_wheel);
	session->deadline = 0;
	if (!seconds)
		return;
	session->deadline = resmon_now_s() + seconds;
	hlist_add_head(&session->on_wheel,
		       &rn->wheel[session->deadline % RESMON_WHEEL_SLOTS]);
}

/**
 * resmon_session_timeout() - how long a session may stay in a state
 * @rn: the chassis
 * @state: enum resmon_state
 *
 * Context: Any.
 * Return: Seconds, 0 for ever.
 */
u32 resmon_session_timeout(struct resmon_net *rn, u8 state)
{
	const struct resmon_settings *settings;
	u32 seconds;

	rcu_read_lock();
	settings = rcu_dereference(rn->settings);
	seconds = state == RESMON_STATE_STARTING ? settings->starting :
						   settings->idle;
	rcu_read_unlock();
	return seconds;
}

static struct resmon_extra *extra_of(struct resmon_session *session, u8 len)
{
	struct resmon_extra *extra = session->extra;

	if (extra)
		return extra;
	extra = kzalloc(struct_size(extra, text, len),
			GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	/* Dumps look at sessions without the lock. */
	smp_store_release(&session->extra, extra);
	return extra;
}

/* Everything of a commit that can fail for want of memory. */
static int session_prepare(struct resmon_net *rn,
			   const struct resmon_request *req,
			   struct resmon_session *session,
			   struct resmon_session *parent)
{
	bool hashed = req->key.how == RESMON_KEY_HASH;

	if ((hashed || req->owner || parent) &&
	    !extra_of(session, hashed ? req->text_len : 0))
		return -ENOMEM;
	if (hashed) {
		session->extra->len = req->text_len;
		memcpy(session->extra->text, req->text, req->text_len);
	}
	if (parent && !extra_of(parent, 0))
		return -ENOMEM;
	if (req->owner && !parent) {
		session->extra->owner = resmon_owner_get(rn, req->owner);
		if (!session->extra->owner)
			return -ENOMEM;
		session->extra->portid = req->owner;
	}
	return 0;
}

/**
 * resmon_session_commit() - enter a session that was found to have room
 * @rn: the chassis
 * @req: the request
 * @session: memory from resmon_session_alloc(); taken on success
 *
 * Context: Under charge_lock; nothing is changed on error.
 * Return: 0, -ENOMEM, -EEXIST when the identity has a session by now, -ENODEV
 *	when the place has just gone, or -ENOENT when the client session of a
 *	service has.
 */
int resmon_session_commit(struct resmon_net *rn, struct resmon_request *req,
			  struct resmon_session *session)
{
	struct resmon_place *place = req->place;
	struct resmon_session *parent = NULL;
	u32 index;
	int err;

	lockdep_assert_held(&rn->charge_lock);

	if (place->dead)
		return -ENODEV;
	if (req->kind == RESMON_KIND_SERVICE) {
		parent = resmon_session_find(rn, req->parent);
		if (!parent || parent->place != place)
			return -ENOENT;
	}
	session->key = req->key;
	session->place = place;
	session->kind = req->kind;
	session->state = req->active ? RESMON_STATE_ACTIVE :
				       RESMON_STATE_STARTING;
	session->since = resmon_now_s();
	session->counted = !req->borrow;
	err = session_prepare(rn, req, session, parent);
	if (err)
		goto err_owner;
	/* Readers find it from here on, complete but for its id. */
	err = xa_alloc(&rn->ids, &index, session,
		       XA_LIMIT(1, SESSION_ID_MASK),
		       GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (err)
		goto err_owner;

	WRITE_ONCE(session->id, ++rn->id_turn << SESSION_ID_BITS | index);
	if (session->key.how != RESMON_KEY_NONE) {
		/* Somebody else may ask for the same identity at this moment. */
		err = rhashtable_lookup_insert_fast(&rn->sessions,
						    &session->node,
						    session_params);
		if (err)
			goto err_id;
	}

	/* It is found by its alias from here on. */
	if (req->follow)
		req->follow->session = session;
	if (req->follow && req->follow->alias.how != RESMON_KEY_NONE) {
		err = resmon_follow_name(rn, req->follow, &req->follow->alias);
		if (err)
			goto err_key;
	}

	hlist_add_head(&session->on_place, &place->sessions);
	if (parent) {
		session->extra->parent = parent;
		hlist_add_head(&session->on_group, &parent->extra->services);
	} else if (req->owner) {
		resmon_owner_add(session->extra->owner, &session->on_group);
	}
	resmon_session_deadline(rn, session,
				resmon_session_timeout(rn, session->state));
	if (session->counted)
		resmon_place_take(rn, place, session->kind, session->key.type,
				  session->state == RESMON_STATE_STARTING);
	if (req->follow) {
		session->follow = req->follow;
		req->follow = NULL;
	}
	trace_resmon_session(rn, session, RESMON_SESSION_STARTED);
	return 0;

err_key:
	if (session->key.how != RESMON_KEY_NONE)
		rhashtable_remove_fast(&rn->sessions, &session->node,
				       session_params);
err_id:
	xa_erase(&rn->ids, index);
err_owner:
	if (session->extra && session->extra->owner)
		resmon_owner_put(session->extra->owner);
	kfree(session->extra);
	session->extra = NULL;
	return err == -EBUSY ? -ENOMEM : err;
}

/**
 * resmon_session_rekey() - a session is known by something else from now on
 * @rn: the chassis
 * @session: a session with a key of 16 bytes at most
 * @key: the new key, of no session that is there
 *
 * Context: Under charge_lock. Readers without the lock may miss it meanwhile.
 * Return: 0, or a negative error number: it has no key then, and is to end.
 */
int resmon_session_rekey(struct resmon_net *rn, struct resmon_session *session,
			 const struct resmon_key *key)
{
	int err;

	lockdep_assert_held(&rn->charge_lock);

	rhashtable_remove_fast(&rn->sessions, &session->node, session_params);
	session->key = *key;
	err = rhashtable_insert_fast(&rn->sessions, &session->node,
				     session_params);
	if (err)
		session->key.how = RESMON_KEY_NONE;
	return err;
}

/**
 * resmon_session_count() - a session takes its place now
 * @rn: the chassis
 * @session: a client session that waited for the place of another (H9)
 *
 * Context: Under charge_lock.
 */
void resmon_session_count(struct resmon_net *rn,
			  struct resmon_session *session)
{
	lockdep_assert_held(&rn->charge_lock);
	if (session->counted)
		return;
	session->counted = true;
	resmon_place_take(rn, session->place, session->kind, session->key.type,
			  session->state == RESMON_STATE_STARTING);
}

/**
 * resmon_session_refresh() - somebody said that an active session is alive
 * @rn: the chassis
 * @session: the session
 *
 * Context: Under charge_lock.
 */
void resmon_session_refresh(struct resmon_net *rn,
			    struct resmon_session *session)
{
	lockdep_assert_held(&rn->charge_lock);
	/* What is known from frames says itself how long it lives. */
	if (session->state == RESMON_STATE_ACTIVE && !session->follow)
		resmon_session_deadline(rn, session,
					resmon_session_timeout(rn, RESMON_STATE_ACTIVE));
}

/**
 * resmon_session_activate() - a session is up
 * @rn: the chassis
 * @session: the session; when it is up already, its idle time begins anew
 *
 * Context: Under charge_lock.
 */
void resmon_session_activate(struct resmon_net *rn,
			     struct resmon_session *session)
{
	lockdep_assert_held(&rn->charge_lock);
	if (session->state == RESMON_STATE_STARTING) {
		WRITE_ONCE(session->state, RESMON_STATE_ACTIVE);
		if (session->kind == RESMON_KIND_CLIENT && session->counted)
			resmon_place_up(rn, session->place, session->key.type);
		trace_resmon_session(rn, session, RESMON_SESSION_UP);
	}
	resmon_session_refresh(rn, session);
}

static void session_unlink(struct resmon_net *rn,
			   struct resmon_session *session)
{
	if (session->key.how != RESMON_KEY_NONE)
		rhashtable_remove_fast(&rn->sessions, &session->node,
				       session_params);
	xa_erase(&rn->ids, session->id & SESSION_ID_MASK);
	hlist_del(&session->on_place);
	resmon_session_deadline(rn, session, 0);
	if (session->extra && session->extra->parent)
		hlist_del(&session->on_group);
	if (session->extra && session->extra->owner) {
		hlist_del(&session->on_group);
		resmon_owner_put(session->extra->owner);
	}
	if (session->counted)
		resmon_place_give(rn, session->place, session->kind,
				  session->key.type,
				  session->state == RESMON_STATE_STARTING);
	if (session->follow)
		resmon_follow_end(rn, session->follow);
	trace_resmon_session(rn, session, RESMON_SESSION_GONE);
	call_rcu(&session->rcu, session_free_rcu);
}

/**
 * resmon_session_end() - a session is over, and the services on it with it
 * @rn: the chassis
 * @session: the session
 *
 * Context: Under charge_lock.
 * Return: How many sessions ended, services included.
 */
u32 resmon_session_end(struct resmon_net *rn, struct resmon_session *session)
{
	struct resmon_session *service;
	struct hlist_node *next;
	u32 ended = 1;

	lockdep_assert_held(&rn->charge_lock);

	if (session->extra) {
		hlist_for_each_entry_safe(service, next,
					  &session->extra->services, on_group) {
			session_unlink(rn, service);
			ended++;
		}
	}
	session_unlink(rn, session);
	return ended;
}

RESMON_EXPORT_TEST(resmon_session_end);

/*
 * Ends all of a list that takes no more, in chunks. A session that ends can
 * take others of the list with it, so each round begins at the head.
 */
static u32 end_list(struct resmon_net *rn, struct hlist_head *list,
		    size_t offset)
{
	u32 ended = 0, chunk;

	do {
		spin_lock_bh(&rn->charge_lock);
		for (chunk = 0; chunk < SESSION_CHUNK && list->first; chunk++)
			ended += resmon_session_end(rn, (void *)list->first -
							offset);
		spin_unlock_bh(&rn->charge_lock);
		cond_resched();
	} while (chunk == SESSION_CHUNK);
	return ended;
}

/**
 * resmon_session_end_place() - a place is gone, and all that sat on it
 * @rn: the chassis
 * @place: the place; takes no more sessions from now on
 *
 * Context: Process context, may sleep.
 * Return: How many sessions ended.
 */
u32 resmon_session_end_place(struct resmon_net *rn, struct resmon_place *place)
{
	spin_lock_bh(&rn->charge_lock);
	place->dead = true;
	spin_unlock_bh(&rn->charge_lock);
	return end_list(rn, &place->sessions,
			offsetof(struct resmon_session, on_place));
}

/**
 * resmon_session_end_owner() - a socket is closed, and what it owned ends (L3)
 * @rn: the chassis
 * @portid: port id of the socket
 *
 * Context: Process context, may sleep. Nobody can ask by this socket any more.
 * Return: How many sessions ended.
 */
u32 resmon_session_end_owner(struct resmon_net *rn, u32 portid)
{
	struct resmon_owner *owner;
	u32 ended = 0;

	spin_lock_bh(&rn->charge_lock);
	owner = resmon_owner_find(rn, portid);
	if (owner)
		owner->users++;
	spin_unlock_bh(&rn->charge_lock);
	if (!owner)
		return 0;

	ended = end_list(rn, &owner->sessions,
			 offsetof(struct resmon_session, on_group));
	spin_lock_bh(&rn->charge_lock);
	resmon_owner_put(owner);
	spin_unlock_bh(&rn->charge_lock);
	return ended;
}

/**
 * resmon_session_matches() - is a session one of those that are meant?
 * @session: the session
 * @filter: which are meant
 *
 * Context: RCU read section or charge_lock.
 * Return: true when it is.
 */
bool resmon_session_matches(const struct resmon_session *session,
			    const struct resmon_session_filter *filter)
{
	if (filter->type != RESMON_TYPE_ANY &&
	    filter->type != session->key.type)
		return false;
	if (filter->state >= 0 && filter->state != READ_ONCE(session->state))
		return false;
	return !filter->elem ||
	       resmon_place_stands_on(session->place, filter->elem);
}

/**
 * resmon_session_walk() - do something to every session
 * @rn: the chassis
 * @visit: called for each under charge_lock, may end it; what it returns is
 *	summed
 * @arg: for @visit
 *
 * One pass over all that are there, in pieces, so that who waits for charge_lock
 * gets it: sessions that begin meanwhile may be missed.
 *
 * Context: Under config_lock, may sleep.
 * Return: The sum.
 */
u32 resmon_session_walk(struct resmon_net *rn, resmon_session_visit visit,
			const void *arg)
{
	struct resmon_session *session;
	unsigned long index = 0;
	u32 sum = 0, chunk;

	lockdep_assert_held(&rn->config_lock);

	do {
		chunk = 0;
		spin_lock_bh(&rn->charge_lock);
		xa_for_each_start(&rn->ids, index, session, index) {
			if (++chunk > SESSION_CHUNK)
				break;
			sum += visit(rn, session, arg);
		}
		spin_unlock_bh(&rn->charge_lock);
		cond_resched();
	} while (chunk > SESSION_CHUNK);
	return sum;
}

static u32 end_if_matches(struct resmon_net *rn, struct resmon_session *session,
			  const void *filter)
{
	return resmon_session_matches(session, filter) ?
	       resmon_session_end(rn, session) : 0;
}

/**
 * resmon_session_end_filter() - end the sessions that are meant
 * @rn: the chassis
 * @filter: which are meant
 *
 * Context: Under config_lock, may sleep.
 * Return: How many sessions ended.
 */
u32 resmon_session_end_filter(struct resmon_net *rn,
			      const struct resmon_session_filter *filter)
{
	return resmon_session_walk(rn, end_if_matches, filter);
}

static bool wheel_serve_slot(struct resmon_net *rn, u32 second)
{
	struct hlist_head *slot = &rn->wheel[second % RESMON_WHEEL_SLOTS];
	struct resmon_session *session;
	u32 chunk = 0;
	bool again;

	spin_lock_bh(&rn->charge_lock);
	do {
		again = false;
		hlist_for_each_entry(session, slot, on_wheel) {
			/* Others are here for a later turn of the wheel. */
			if ((s32)(session->deadline - second) > 0)
				continue;
			again = true;
			chunk++;
			if (session->follow &&
			    !resmon_follow_expired(rn, session))
				break;
			/* Its services may have been next in the slot. */
			chunk += resmon_session_end(rn, session);
			break;
		}
	} while (again && chunk < SESSION_CHUNK);
	spin_unlock_bh(&rn->charge_lock);
	return again;
}

/**
 * resmon_session_tick() - end the sessions whose deadline has passed
 * @rn: the chassis
 *
 * Context: Process context, may sleep; from one work alone.
 */
void resmon_session_tick(struct resmon_net *rn)
{
	u32 now = resmon_now_s();

	/* After a long sleep one turn of the wheel has seen every slot. */
	if (now - rn->wheel_now > RESMON_WHEEL_SLOTS)
		rn->wheel_now = now - RESMON_WHEEL_SLOTS;
	while (rn->wheel_now != now) {
		while (wheel_serve_slot(rn, rn->wheel_now + 1))
			cond_resched();
		rn->wheel_now++;
	}
}

/**
 * resmon_session_net_init() - the tables of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_session_net_init(struct resmon_net *rn)
{
	int err;

	rn->wheel = kvcalloc(RESMON_WHEEL_SLOTS, sizeof(*rn->wheel),
			     GFP_KERNEL_ACCOUNT);
	if (!rn->wheel)
		return -ENOMEM;
	rn->wheel_now = resmon_now_s();
	INIT_HLIST_HEAD(&rn->owners);
	xa_init_flags(&rn->ids, XA_FLAGS_ALLOC1);
	get_random_bytes(rn->key_hash, sizeof(rn->key_hash));
	err = rhashtable_init(&rn->sessions, &session_params);
	if (err)
		kvfree(rn->wheel);
	return err;
}

/**
 * resmon_session_net_exit() - undo resmon_session_net_init()
 * @rn: the chassis; all its places are gone, and so all its sessions
 *
 * Context: Process context, may sleep.
 */
void resmon_session_net_exit(struct resmon_net *rn)
{
	WARN_ON_ONCE(!xa_empty(&rn->ids));
	WARN_ON_ONCE(!hlist_empty(&rn->owners));
	rhashtable_destroy(&rn->sessions);
	xa_destroy(&rn->ids);
	kvfree(rn->wheel);
}

/**
 * resmon_session_global_init() - the memory cache of all namespaces
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_session_global_init(void)
{
	session_cache = KMEM_CACHE(resmon_session,
				   SLAB_HWCACHE_ALIGN | SLAB_ACCOUNT);
	return session_cache ? 0 : -ENOMEM;
}

/**
 * resmon_session_global_exit() - undo resmon_session_global_init()
 *
 * Context: Process context, after every namespace has exited.
 */
void resmon_session_global_exit(void)
{
	/* The last sessions wait for their grace period. */
	rcu_barrier();
	kmem_cache_destroy(session_cache);
}
