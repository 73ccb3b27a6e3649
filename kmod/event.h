/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_EVENT_H
#define RESMON_EVENT_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "element.h"

struct resmon_net;
struct resmon_request;
struct resmon_verdict;

/* Events that wait for the work that sends them. */
#define RESMON_EVENT_QUEUE	1024

/**
 * struct resmon_event - one event
 * @time: nanoseconds since the epoch, filled in by resmon_event_post()
 * @type: enum resmon_event_type
 * @id: the element it is about
 * @refuser: for a verdict, the element that refused
 * @has_refuser: @refuser is valid
 * @client_type: enum resmon_type, of a limit or verdict
 * @kind: enum resmon_kind, of a verdict
 * @cause: enum resmon_cause, of a verdict
 * @region: enum resmon_region, of a region
 * @pfe: of a region
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
	struct resmon_ident id;
	struct resmon_ident refuser;
	u32 value;
	u32 mark;
	u32 rtt_us;
	u32 suppressed;
};

/**
 * struct resmon_events - the queue of events
 * @lock: protects the queue; taken with interrupts off, a leaf
 * @queue: ring of RESMON_EVENT_QUEUE events
 * @head: next to write, never wraps at the ring's size
 * @tail: next to send
 * @lost: events that found the queue full
 * @work: sends them and writes the log
 */
struct resmon_events {
	spinlock_t lock;	/* see above */
	struct resmon_event *queue;
	u32 head;
	u32 tail;
	u64 lost;
	struct work_struct work;
};

int resmon_event_net_init(struct resmon_net *rn);
void resmon_event_net_exit(struct resmon_net *rn);
void resmon_event_post(struct resmon_net *rn, const struct resmon_event *event);
void resmon_event_verdict(struct resmon_net *rn,
			  const struct resmon_request *req,
			  const struct resmon_verdict *v);

#endif /* RESMON_EVENT_H */
