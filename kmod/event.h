/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_EVENT_H
#define RESMON_EVENT_H

#include <linux/ratelimit.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "element.h"

struct resmon_event_cpu;
struct resmon_net;
struct resmon_request;
struct resmon_decision;

/* Events that wait for the work that sends them. */
#define RESMON_EVENT_QUEUE	1024

/* Verdict events a second on each CPU; the others are only counted. */
#define RESMON_EVENT_VERDICTS	20

/* Room for the words that name an element. */
#define RESMON_IDENT_TEXT	(IFNAMSIZ + 8)

/**
 * struct resmon_event - one event
 * @time: nanoseconds since the epoch, filled in by resmon_event_post()
 * @type: enum resmon_event_type
 * @client_type: enum resmon_type, of a limit or verdict
 * @kind: enum resmon_kind, of a verdict
 * @cause: enum resmon_cause, of a verdict
 * @region: enum resmon_region_kind, of a region
 * @pfe: of a region
 * @has_refuser: @refuser is valid
 * @unknown: there is no @value: the region is no longer reported
 * @log: it is written to the log, filled in by resmon_event_post()
 * @id: the element it is about
 * @refuser: for a verdict, the element that refused
 * @value: see the specification
 * @mark: see the specification
 * @rtt_us: of a throttle
 * @suppressed: verdict events that were left out before this one
 */
struct resmon_event {
	u64 time;
	u8 type;
	u8 client_type;
	u8 kind;
	u8 cause;
	u8 region;
	u8 pfe;
	bool has_refuser;
	bool unknown;
	bool log;
	struct resmon_ident id;
	struct resmon_ident refuser;
	u32 value;
	u32 mark;
	u32 rtt_us;
	u32 suppressed;
};

/**
 * struct resmon_events - the queue of events
 * @rn: the chassis
 * @lock: protects the queue; taken with interrupts off, a leaf
 * @queue: ring of RESMON_EVENT_QUEUE events
 * @head: next to write, never wraps at the ring's size
 * @tail: next to send
 * @lost: events that found the queue full
 * @log_limit: lines in the log, so that a crowd of crossings cannot fill it
 * @cpu: verdict events that each CPU has left
 * @work: sends them and writes the log
 */
struct resmon_events {
	struct resmon_net *rn;
	spinlock_t lock;	/* see above */
	struct resmon_event *queue;
	u32 head;
	u32 tail;
	u64 lost;
	struct ratelimit_state log_limit;
	struct resmon_event_cpu __percpu *cpu;
	struct work_struct work;
};

int resmon_event_net_init(struct resmon_net *rn);
void resmon_event_net_exit(struct resmon_net *rn);
void resmon_event_post(struct resmon_net *rn, const struct resmon_event *event);
void resmon_event_verdict(struct resmon_net *rn,
			  const struct resmon_request *req,
			  const struct resmon_decision *v);
const char *resmon_ident_text(const struct resmon_ident *id, char *text,
			      size_t size);

#endif /* RESMON_EVENT_H */
