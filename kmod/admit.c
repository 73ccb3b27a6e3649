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
#include "export.h"
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
	if (req->active)
		resmon_session_activate(rn, session);
	else
		resmon_session_refresh(rn, session);
}

/* Gate 6: every level or none. Returns false for a failure of our own. */
static bool gate_charge(struct resmon_net *rn, struct resmon_request *req,
			struct resmon_decision *v)
{
	struct resmon_session *session = req->spare;
	enum resmon_commit outcome;
	const struct resmon_path *path;
	bool ok = true;

	req->spare = NULL;
	if (!session)
		session = resmon_session_alloc(GFP_ATOMIC);

	spin_lock_bh(&rn->charge_lock);
	path = rcu_dereference_protected(req->place->path,
					 lockdep_is_held(&rn->charge_lock));
	if (!session || !path || req->place->dead) {
		ok = false;
	} else if (gate_room(path, req, v)) {
		ok = !resmon_session_commit(rn, req, session);
		if (ok) {
			v->verdict = RESMON_VERDICT_ADMIT;
			v->id = session->id;
			session = NULL;
		}
	}
	spin_unlock_bh(&rn->charge_lock);

	outcome = ok && v->verdict == RESMON_VERDICT_ADMIT ?
		  RESMON_COMMIT_CHARGED : RESMON_COMMIT_REFUSED;
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
	if (v->verdict != RESMON_VERDICT_ADMIT) {
		if (!req->packet)
			v->retry_ms = retry_hint(settings);
		resmon_why_record(rn, req, v);
		resmon_event_verdict(rn, req, v);
	}
	trace_resmon_verdict(rn, req, v);
	local_bh_enable();
}

RESMON_EXPORT_TEST(resmon_admit);
