/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints: what is too much for an event, and where BPF programs attach on
 * every kernel.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM resmon

#if !defined(RESMON_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RESMON_TRACE_H

#include <linux/tracepoint.h>

#include "admit.h"
#include "event.h"
#include "net.h"
#include "place.h"
#include "session.h"

#ifndef RESMON_TRACE_ONCE
#define RESMON_TRACE_ONCE

/* What became of a session. */
enum resmon_session_what {
	RESMON_SESSION_STARTED,
	RESMON_SESSION_UP,
	RESMON_SESSION_GONE,
};

#endif /* RESMON_TRACE_ONCE */

#define resmon_show_type(type)					\
	__print_symbolic(type,					\
			 { RESMON_TYPE_ANY, "any" },		\
			 { RESMON_TYPE_PPPOE, "pppoe" },	\
			 { RESMON_TYPE_DHCP, "dhcp" },		\
			 { RESMON_TYPE_L2TP, "l2tp" })

#define resmon_show_kind(kind)					\
	__print_symbolic(kind,					\
			 { RESMON_KIND_CLIENT, "client" },	\
			 { RESMON_KIND_SERVICE, "service" })

#define resmon_show_verdict(verdict)				\
	__print_symbolic(verdict,				\
			 { RESMON_VERDICT_ADMIT, "admit" },	\
			 { RESMON_VERDICT_DENY, "deny" },	\
			 { RESMON_VERDICT_DROP, "drop" },	\
			 { RESMON_VERDICT_HELD, "held" })

#define resmon_show_cause(cause)					\
	__print_symbolic(cause,						\
			 { RESMON_CAUSE_NONE, "none" },			\
			 { RESMON_CAUSE_CAP_PORT, "cap-port" },		\
			 { RESMON_CAUSE_CAP_MIC, "cap-mic" },		\
			 { RESMON_CAUSE_CAP_DEVICE, "cap-device" },	\
			 { RESMON_CAUSE_CAP_CHASSIS, "cap-chassis" },	\
			 { RESMON_CAUSE_CAP_LAG, "cap-lag" },		\
			 { RESMON_CAUSE_CAP_STARTING, "cap-starting" },	\
			 { RESMON_CAUSE_DRAIN, "drain" },		\
			 { RESMON_CAUSE_SETTLE, "settle" },		\
			 { RESMON_CAUSE_MEMORY, "memory" },		\
			 { RESMON_CAUSE_COS, "cos" },			\
			 { RESMON_CAUSE_RTT, "rtt" },			\
			 { RESMON_CAUSE_RATE, "rate" },			\
			 { RESMON_CAUSE_DYNAMIC, "dynamic" },		\
			 { RESMON_CAUSE_RAMP, "ramp" },			\
			 { RESMON_CAUSE_QUEUE_FULL, "queue-full" },	\
			 { RESMON_CAUSE_QUEUE_EXPIRED, "queue-expired" }, \
			 { RESMON_CAUSE_QUEUE_GONE, "queue-gone" },	\
			 { RESMON_CAUSE_ERROR, "error" })

#define resmon_show_region(region)				\
	__print_symbolic(region,				\
			 { RESMON_REGION_KIND_HEAP, "heap" },	\
			 { RESMON_REGION_KIND_NH, "nh" },		\
			 { RESMON_REGION_KIND_FW, "fw" },		\
			 { RESMON_REGION_KIND_ENCAP, "encap" })

#define resmon_show_what(what)					\
	__print_symbolic(what,					\
			 { RESMON_SESSION_STARTED, "started" },	\
			 { RESMON_SESSION_UP, "active" },	\
			 { RESMON_SESSION_GONE, "gone" })

#define resmon_show_went(flags)					\
	__print_flags(flags, "|",				\
		      { RESMON_REGION_WENT_LOW, "low" },	\
		      { RESMON_REGION_WENT_CLEAR, "clear" },	\
		      { RESMON_REGION_WENT_HIGH, "high" },	\
		      { RESMON_REGION_WENT_NORMAL, "normal" })

/* Every request, when its verdict is known. */
TRACE_EVENT(resmon_verdict,
	TP_PROTO(const struct resmon_net *rn, const struct resmon_request *req,
		 const struct resmon_decision *v),

	TP_ARGS(rn, req, v),

	TP_STRUCT__entry(
		__field(u32, netns)
		__field(u32, id)
		__field(u32, retry_ms)
		__field(u8, type)
		__field(u8, kind)
		__field(u8, verdict)
		__field(u8, cause)
		__field(bool, same)
		__array(char, place, RESMON_IDENT_TEXT)
		__array(char, refuser, RESMON_IDENT_TEXT)
	),

	TP_fast_assign(
		__entry->netns = rn->net->ns.inum;
		__entry->id = v->id;
		__entry->retry_ms = v->retry_ms;
		__entry->type = req->type;
		__entry->kind = req->kind;
		__entry->verdict = v->verdict;
		__entry->cause = v->cause;
		__entry->same = v->same;
		__entry->place[0] = '\0';
		__entry->refuser[0] = '\0';
		if (req->place)
			resmon_ident_text(&req->place->elem.id, __entry->place,
					  RESMON_IDENT_TEXT);
		if (v->refuser)
			resmon_ident_text(&v->refuser->id, __entry->refuser,
					  RESMON_IDENT_TEXT);
	),

	TP_printk("netns=%u place=\"%s\" type=%s kind=%s verdict=%s cause=%s refuser=\"%s\" id=%u same=%d retry_ms=%u",
		  __entry->netns, __entry->place,
		  resmon_show_type(__entry->type),
		  resmon_show_kind(__entry->kind),
		  resmon_show_verdict(__entry->verdict),
		  resmon_show_cause(__entry->cause), __entry->refuser,
		  __entry->id, __entry->same, __entry->retry_ms)
);

/* The percentage of a round trip time throttle changed. */
TRACE_EVENT(resmon_throttle,
	TP_PROTO(const struct resmon_net *rn, const struct resmon_ident *id,
		 u32 old, u32 new, u32 rtt_us),

	TP_ARGS(rn, id, old, new, rtt_us),

	TP_STRUCT__entry(
		__field(u32, netns)
		__field(u32, old)
		__field(u32, new)
		__field(u32, rtt_us)
		__array(char, element, RESMON_IDENT_TEXT)
	),

	TP_fast_assign(
		__entry->netns = rn->net->ns.inum;
		__entry->old = old;
		__entry->new = new;
		__entry->rtt_us = rtt_us;
		resmon_ident_text(id, __entry->element, RESMON_IDENT_TEXT);
	),

	TP_printk("netns=%u element=\"%s\" old=%u new=%u rtt_us=%u",
		  __entry->netns, __entry->element, __entry->old,
		  __entry->new, __entry->rtt_us)
);

/* A session began, came up or ended; charge_lock is held. */
TRACE_EVENT(resmon_session,
	TP_PROTO(const struct resmon_net *rn,
		 const struct resmon_session *session, int what),

	TP_ARGS(rn, session, what),

	TP_STRUCT__entry(
		__field(u32, netns)
		__field(u32, id)
		__field(u8, type)
		__field(u8, kind)
		__field(u8, state)
		__field(u8, what)
		__array(char, place, RESMON_IDENT_TEXT)
	),

	TP_fast_assign(
		__entry->netns = rn->net->ns.inum;
		__entry->id = session->id;
		__entry->type = session->key.type;
		__entry->kind = session->kind;
		__entry->state = session->state;
		__entry->what = what;
		resmon_ident_text(&session->place->elem.id, __entry->place,
				  RESMON_IDENT_TEXT);
	),

	TP_printk("netns=%u place=\"%s\" id=%u type=%s kind=%s what=%s state=%s",
		  __entry->netns, __entry->place, __entry->id,
		  resmon_show_type(__entry->type),
		  resmon_show_kind(__entry->kind),
		  resmon_show_what(__entry->what),
		  __entry->state == RESMON_STATE_ACTIVE ? "active" :
							  "starting")
);

/* A memory region crossed a mark. */
TRACE_EVENT(resmon_region,
	TP_PROTO(const struct resmon_net *rn, const struct resmon_ident *id,
		 u32 region, u32 pfe, u32 free_pct, u32 flags),

	TP_ARGS(rn, id, region, pfe, free_pct, flags),

	TP_STRUCT__entry(
		__field(u32, netns)
		__field(u32, region)
		__field(u32, pfe)
		__field(u32, free_pct)
		__field(u32, flags)
		__array(char, element, RESMON_IDENT_TEXT)
	),

	TP_fast_assign(
		__entry->netns = rn->net->ns.inum;
		__entry->region = region;
		__entry->pfe = pfe;
		__entry->free_pct = free_pct;
		__entry->flags = flags;
		resmon_ident_text(id, __entry->element, RESMON_IDENT_TEXT);
	),

	TP_printk("netns=%u element=\"%s\" pfe=%u region=%s free_pct=%u went=%s",
		  __entry->netns, __entry->element, __entry->pfe,
		  resmon_show_region(__entry->region), __entry->free_pct,
		  resmon_show_went(__entry->flags))
);

#endif /* RESMON_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
