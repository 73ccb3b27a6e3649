/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_ADMIT_H
#define RESMON_ADMIT_H

#include "session.h"

struct resmon_element;
struct resmon_follow;
struct resmon_hook;
struct resmon_place;

/* Sessions of one namespace that frames began and that are not yet up (H14). */
#define RESMON_STARTING_MOST	65536

/**
 * struct resmon_request - one request for admission
 * @place: where the session is to sit; NULL when it is not known
 * @key: identity of the session, filled in by resmon_key_set()
 * @text: the identity as given, for show; NULL for a session without identity
 * @text_len: its length in bytes
 * @type: enum resmon_type, never RESMON_TYPE_ANY
 * @kind: enum resmon_kind
 * @parent: the client session that a service sits on, by id
 * @owner: port id of the socket that owns the session, 0 for nobody
 * @active: active at once
 * @priority: skips the load, rate and pace gates (P7)
 * @queues: needs CoS queues
 * @packet: a frame asks, not the request interface
 * @first: a first sign of life asks, which is not yet charged
 * @known: it comes from a subscriber that holds a session (H9)
 * @borrow: the session is to have the place of another one, and takes none
 *	before that one is over (H9)
 * @hook: what saw the frame
 * @flight: of a commit the subscriber, whose first sign is decided by it
 * @follow: what is known of the session from frames; taken when it is used
 * @spare: a session allocated in advance or NULL; taken when it is used
 */
struct resmon_request {
	struct resmon_place *place;
	struct resmon_key key;
	const void *text;
	u8 text_len;
	u8 type;
	u8 kind;
	u32 parent;
	u32 owner;
	bool active;
	bool priority;
	bool queues;
	bool packet;
	bool first;
	bool known;
	bool borrow;
	struct resmon_hook *hook;
	const struct resmon_key *flight;
	struct resmon_follow *follow;
	struct resmon_session *spare;
};

/**
 * struct resmon_decision - the answer to a request (P5)
 * @refuser: the element whose rule refused, NULL when there is none; valid
 *	as long as the caller is in its RCU read section
 * @id: the session, 0 when there is none
 * @retry_ms: when to try again, for a denial
 * @verdict: enum resmon_verdict values
 * @cause: enum resmon_cause
 * @cap_type: the client type whose cap refused
 * @same: the session was there already
 */
struct resmon_decision {
	struct resmon_element *refuser;
	u32 id;
	u32 retry_ms;
	u8 verdict;
	u8 cause;
	u8 cap_type;
	bool same;
};

void resmon_admit(struct resmon_net *rn, struct resmon_request *req,
		  struct resmon_decision *v);
void resmon_admit_first(struct resmon_net *rn, struct resmon_request *req,
			struct resmon_decision *v);
void resmon_admit_commit(struct resmon_net *rn, struct resmon_request *req,
			 struct resmon_decision *v);
struct resmon_session *resmon_admit_adopt(struct resmon_net *rn,
					  struct resmon_request *req);

#endif /* RESMON_ADMIT_H */
