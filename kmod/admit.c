// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pipeline: the only place that decides whether a session is admitted.
 *
 * Gates 1 to 5 look and consume nothing; the charge looks again under the one
 * lock and commits everything or nothing (P1, P2).
 */
#include <linux/random.h>

#include "admit.h"
#include "device.h"
#include "enforce.h"
#include "export.h"
#include "flight.h"
#include "follow.h"
#include "net.h"
#include "place.h"
#include "rtt.h"
#include "stats.h"
#include "trace.h"
#include "why.h"

static void refuse(struct resmon_decision *v, u32 cause,
		   struct resmon_element *refuser)
{
	v->verdict = RESMON_VERDICT_DENY;
	v->cause = cause;
	v->refuser = refuser;
}

/* Gate 1: every cap, read only. */
static bool gate_room(const struct resmon_path *path,
		      const struct resmon_request *req,
		      struct resmon_decision *v)
{
	if (resmon_path_look(path, req, v))
		return true;
	v->verdict = RESMON_VERDICT_DENY;
	return false;
}

/* Gate 2: memory regions of the devices that are asked. */
static bool gate_resources(const struct resmon_path *path,
			   const struct resmon_request *req,
			   struct resmon_decision *v)
{
	unsigned int i;

	for (i = 0; i < path->n; i++) {
		struct resmon_element *elem = path->level[i].elem;

		if (elem->id.kind != RESMON_ELEMENT_KIND_DEVICE ||
		    !path->level[i].ask)
			continue;
		if (!resmon_memory_denies(&resmon_device_of(elem)->memory,
					  req->kind))
			continue;
		refuse(v, RESMON_CAUSE_MEMORY, elem);
		return false;
	}
	return true;
}

/* Gate 3: the one throttle that stands for the place. */
static bool gate_load(const struct resmon_request *req,
		      struct resmon_decision *v)
{
	struct resmon_rtt *rtt = req->place->rtt;

	if (!resmon_rtt_refuses(rtt, req))
		return true;
	refuse(v, RESMON_CAUSE_RTT, rtt->elem);
	return false;
}

/* Gate 1 to 5: nothing is consumed. */
static bool gates(const struct resmon_settings *settings,
		  const struct resmon_request *req, struct resmon_decision *v)
{
	const struct resmon_path *path = rcu_dereference(req->place->path);

	/* The place is on its way out. */
	if (!path)
		return true;
	if (!gate_room(path, req, v))
		return false;
	if (!settings->throttle)
		return true;
	if (!gate_resources(path, req, v))
		return false;
	if (!settings->load_throttle || req->priority)
		return true;
	return gate_load(req, v);
}

/* A failure of our own follows on-error (P4). */
static void fail(struct resmon_net *rn, const struct resmon_settings *settings,
		 struct resmon_decision *v)
{
	refuse(v, RESMON_CAUSE_ERROR, &rn->chassis);
	if (settings->on_error == RESMON_ON_ERROR_ADMIT)
		v->verdict = RESMON_VERDICT_ADMIT;
}

static void same(struct resmon_net *rn, const struct resmon_request *req,
		 struct resmon_session *session, struct resmon_decision *v)
{
	v->verdict = RESMON_VERDICT_ADMIT;
	v->id = session->id;
	v->same = true;
	if (session->follow)
		resmon_follow_alive(session->follow);
	if (req->active)
		resmon_session_activate(rn, session);
	else
		resmon_session_refresh(rn, session);
}

/*
 * Whoever sends frames must not fill the memory with sessions that never come
 * up, where no cap stands in the way (H14).
 */
static bool gate_bound(struct resmon_net *rn, const struct resmon_request *req,
		       struct resmon_decision *v)
{
	const struct resmon_cap *cap = &rn->chassis.caps.cap[RESMON_TYPE_ANY];

	if (!req->packet || cap->starting < RESMON_STARTING_MOST)
		return true;
	resmon_seen_count(req->hook, RESMON_SEEN_FULL);
	refuse(v, RESMON_CAUSE_CAP_STARTING, &rn->chassis);
	return false;
}

/*
 * Gate 6: every level or none. Returns false for a failure of our own. The first
 * sign of a commit is decided, whatever becomes of it.
 */
static bool gate_charge(struct resmon_net *rn, struct resmon_request *req,
			struct resmon_decision *v)
{
	struct resmon_session *session = req->spare;
	enum resmon_commit outcome = RESMON_COMMIT_REFUSED;
	const struct resmon_path *path;
	bool ok = true;
	u64 began_ns;
	int err;

	req->spare = NULL;
	if (!session)
		session = resmon_session_alloc(GFP_ATOMIC);

	spin_lock_bh(&rn->charge_lock);
	path = rcu_dereference_protected(req->place->path,
					 lockdep_is_held(&rn->charge_lock));
	if (req->flight) {
		began_ns = resmon_flight_land(rn, req->flight);
		if (req->follow)
			req->follow->began_ns = began_ns;
	}
	if (!session || !path || req->place->dead ||
	    (req->flight && !req->follow)) {
		ok = false;
	} else if (req->borrow || (gate_bound(rn, req, v) &&
				   gate_room(path, req, v))) {
		err = resmon_session_commit(rn, req, session);
		if (err == -EEXIST) {
			same(rn, req, resmon_session_find_key(rn, &req->key),
			     v);
			outcome = RESMON_COMMIT_SAME;
		} else if (err) {
			ok = false;
		} else {
			outcome = RESMON_COMMIT_CHARGED;
			v->verdict = RESMON_VERDICT_ADMIT;
			v->id = session->id;
			session = NULL;
		}
	}
	spin_unlock_bh(&rn->charge_lock);

	resmon_stats_commit(rn, req, outcome);
	req->spare = session;
	return ok;
}

/* A session that is there already is not charged again (L2). */
static bool same_session(struct resmon_net *rn,
			 const struct resmon_request *req,
			 struct resmon_decision *v)
{
	struct resmon_session *session;

	/* A look without the lock, because a denial must not take it. */
	if (!resmon_session_find_key(rn, &req->key))
		return false;
	spin_lock_bh(&rn->charge_lock);
	session = resmon_session_find_key(rn, &req->key);
	if (session)
		same(rn, req, session, v);
	spin_unlock_bh(&rn->charge_lock);
	if (session)
		resmon_stats_commit(rn, req, RESMON_COMMIT_SAME);
	return session;
}

static u32 retry_hint(const struct resmon_settings *settings)
{
	u32 spread = settings->retry_max - settings->retry_min;

	return settings->retry_min +
	       reciprocal_scale(get_random_u32(), spread + 1);
}

static void tell(struct resmon_net *rn, const struct resmon_settings *settings,
		 const struct resmon_request *req, struct resmon_decision *v)
{
	if (v->verdict != RESMON_VERDICT_ADMIT) {
		if (!req->packet)
			v->retry_ms = retry_hint(settings);
		resmon_why_record(rn, req, v);
		resmon_event_verdict(rn, req, v);
	}
	trace_resmon_verdict(rn, req, v);
}

/**
 * resmon_admit() - decide on one request, and charge it when it is admitted
 * @rn: the chassis
 * @req: the request; its spare session is taken when it is used
 * @v: filled in
 *
 * Context: RCU read section, any context but hard interrupts. The verdict
 *	names its refuser for as long as the RCU read section lasts.
 */
void resmon_admit(struct resmon_net *rn, struct resmon_request *req,
		  struct resmon_decision *v)
{
	const struct resmon_settings *settings = rcu_dereference(rn->settings);

	*v = (struct resmon_decision) { .verdict = RESMON_VERDICT_ADMIT };

	/* The counters of this CPU are written without a lock. */
	local_bh_disable();
	if (!req->place)
		fail(rn, settings, v);
	else if (!same_session(rn, req, v) && gates(settings, req, v) &&
		 !gate_charge(rn, req, v))
		fail(rn, settings, v);

	resmon_stats_count(rn, req, v);
	tell(rn, settings, req, v);
	local_bh_enable();
}

RESMON_EXPORT_TEST(resmon_admit);

/* So soon after a load, what is not known may have been up before it (H3). */
static bool settling(const struct resmon_net *rn,
		     const struct resmon_settings *settings)
{
	return unlikely(rn->settling &&
			resmon_now_s() - rn->since < settings->settle);
}

/* The look again under the lock, so that no place is promised twice. */
static bool promise(struct resmon_net *rn, const struct resmon_request *req,
		    struct resmon_decision *v)
{
	const struct resmon_path *path;
	bool ok = true;

	spin_lock_bh(&rn->charge_lock);
	path = rcu_dereference_protected(req->place->path,
					 lockdep_is_held(&rn->charge_lock));
	if (!path || req->place->dead)
		ok = false;
	else if (resmon_flight_known(rn, &req->key))
		v->same = true;
	else if (gate_room(path, req, v))
		ok = !resmon_flight_enter(rn, req->hook, &req->key);
	spin_unlock_bh(&rn->charge_lock);
	return ok;
}

/**
 * resmon_admit_first() - decide on a first sign of life
 * @rn: the chassis
 * @req: the request, by the key of its subscriber
 * @v: filled in
 *
 * It is not charged, but its place is in flight until its commit comes. A
 * subscriber that holds a session asks for a place it has; one that asks again
 * is asked nothing again.
 *
 * Context: RCU read section, BH off or not, no hard interrupts. The verdict names
 *	its refuser for as long as the RCU read section lasts.
 */
void resmon_admit_first(struct resmon_net *rn, struct resmon_request *req,
			struct resmon_decision *v)
{
	const struct resmon_settings *settings = rcu_dereference(rn->settings);

	*v = (struct resmon_decision) { .verdict = RESMON_VERDICT_ADMIT };
	req->first = true;

	local_bh_disable();
	if (req->known) {
		v->same = true;
	} else if (resmon_flight_known(rn, &req->key)) {
		v->same = true;
		resmon_flight_again(rn, &req->key);
	} else if (settling(rn, settings)) {
		refuse(v, RESMON_CAUSE_SETTLE, &rn->chassis);
	} else if (gates(settings, req, v) && !promise(rn, req, v)) {
		fail(rn, settings, v);
	}
	resmon_stats_count(rn, req, v);
	tell(rn, settings, req, v);
	local_bh_enable();
}

/**
 * resmon_admit_commit() - charge a commit that a frame asks for
 * @rn: the chassis
 * @req: the request; what is known of the session is taken when it is used
 * @v: filled in
 *
 * Only a cap refuses it: the other gates had their say at the first sign (H1).
 * The login was counted there too.
 *
 * Context: RCU read section, no hard interrupts. The verdict names its refuser
 *	for as long as the RCU read section lasts.
 */
void resmon_admit_commit(struct resmon_net *rn, struct resmon_request *req,
			 struct resmon_decision *v)
{
	const struct resmon_settings *settings = rcu_dereference(rn->settings);

	*v = (struct resmon_decision) { .verdict = RESMON_VERDICT_ADMIT };

	local_bh_disable();
	if (!same_session(rn, req, v) && !gate_charge(rn, req, v))
		fail(rn, settings, v);
	tell(rn, settings, req, v);
	local_bh_enable();
	resmon_session_free(req->spare);
	req->spare = NULL;
}

/**
 * resmon_admit_adopt() - enter a session that is up (H3)
 * @rn: the chassis
 * @req: the session; what is known of it is taken when it is used
 *
 * No gate is asked, and no limit: it is there.
 *
 * Context: RCU read section, no hard interrupts.
 * Return: The session, valid in the RCU read section, or NULL for want of memory
 *	or because it is known already.
 */
struct resmon_session *resmon_admit_adopt(struct resmon_net *rn,
					  struct resmon_request *req)
{
	struct resmon_session *session = NULL;

	if (!req->follow)
		return NULL;
	session = resmon_session_alloc(GFP_ATOMIC);
	if (!session)
		return NULL;
	spin_lock_bh(&rn->charge_lock);
	resmon_flight_land(rn, req->flight);
	if (resmon_session_find_key(rn, &req->key) ||
	    resmon_session_commit(rn, req, session)) {
		spin_unlock_bh(&rn->charge_lock);
		resmon_session_free(session);
		return NULL;
	}
	spin_unlock_bh(&rn->charge_lock);
	return session;
}
