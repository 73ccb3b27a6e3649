// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: from wherever they happen to the multicast group and the log.
 *
 * Crossings happen under charge_lock and in interrupts, so they only put a
 * copy into a bounded ring; a work sends them in their order.
 */
/* compat.h has brought in printk.h already. */
#undef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "admit.h"
#include "event.h"
#include "net.h"
#include "netlink.h"
#include "place.h"

/* Lines in the log of one namespace: so many in so many jiffies. */
#define LOG_INTERVAL	(5 * HZ)
#define LOG_BURST	50

/**
 * struct resmon_event_cpu - what one CPU may still send as verdict events
 * @since: second, in jiffies, that @sent counts
 * @sent: verdict events in it
 * @suppressed: those that were left out since the last one
 */
struct resmon_event_cpu {
	unsigned long since;
	u32 sent;
	u32 suppressed;
};

/**
 * resmon_ident_text() - name an element in words
 * @id: its name
 * @text: buffer for the words
 * @size: its size, RESMON_IDENT_TEXT is always enough
 *
 * Context: Any.
 * Return: @text.
 */
const char *resmon_ident_text(const struct resmon_ident *id, char *text,
			      size_t size)
{
	switch (id->kind) {
	case RESMON_ELEMENT_KIND_DEVICE:
		snprintf(text, size, "device %u", id->device);
		break;
	case RESMON_ELEMENT_KIND_MIC:
		snprintf(text, size, "mic %u/%u", id->device, id->mic);
		break;
	case RESMON_ELEMENT_KIND_PORT:
		snprintf(text, size, "port %s", id->ifname);
		break;
	case RESMON_ELEMENT_KIND_LAG:
		snprintf(text, size, "lag %s", id->ifname);
		break;
	default:
		snprintf(text, size, "chassis");
		break;
	}
	return text;
}

/**
 * resmon_event_post() - tell user space and the log that something crossed
 * @rn: the chassis
 * @event: the event; a copy is taken
 *
 * Context: Any, also with charge_lock held and in hard interrupts.
 */
void resmon_event_post(struct resmon_net *rn, const struct resmon_event *event)
{
	struct resmon_events *events = &rn->events;
	const struct resmon_settings *settings;
	struct resmon_event *slot;
	unsigned long flags;
	bool log;

	rcu_read_lock();
	settings = rcu_dereference(rn->settings);
	log = event->type != RESMON_EVENT_TYPE_VERDICT &&
	      (!settings || settings->logging);
	rcu_read_unlock();

	spin_lock_irqsave(&events->lock, flags);
	if (events->head - events->tail < RESMON_EVENT_QUEUE) {
		slot = &events->queue[events->head++ % RESMON_EVENT_QUEUE];
		*slot = *event;
		/* Under the lock, so that the times are in order too. */
		slot->time = ktime_get_real_ns();
		slot->log = log;
	} else {
		events->lost++;
	}
	spin_unlock_irqrestore(&events->lock, flags);

	schedule_work(&events->work);
}

/**
 * resmon_event_verdict() - tell listeners that a request was denied
 * @rn: the chassis
 * @req: the request
 * @v: its verdict, not an admission
 *
 * A flood of denials must not become a flood of events: each CPU sends
 * RESMON_EVENT_VERDICTS a second and says how many it left out.
 *
 * Context: BH off, RCU read section.
 */
void resmon_event_verdict(struct resmon_net *rn,
			  const struct resmon_request *req,
			  const struct resmon_decision *v)
{
	struct resmon_event_cpu *cpu;
	struct resmon_event event;

	if (!genl_has_listeners(&resmon_genl_family, rn->net,
				RESMON_MCGRP_NR_EVENTS))
		return;

	cpu = this_cpu_ptr(rn->events.cpu);
	if (time_after_eq(jiffies, cpu->since + HZ)) {
		cpu->since = jiffies;
		cpu->sent = 0;
	}
	if (cpu->sent >= RESMON_EVENT_VERDICTS) {
		cpu->suppressed++;
		return;
	}
	cpu->sent++;

	memset(&event, 0, sizeof(event));
	event.type = RESMON_EVENT_TYPE_VERDICT;
	event.client_type = req->type;
	event.kind = req->kind;
	event.cause = v->cause;
	event.suppressed = cpu->suppressed;
	event.id = req->place ? req->place->elem.id : rn->chassis.id;
	if (v->refuser) {
		event.has_refuser = true;
		event.refuser = v->refuser->id;
	}
	cpu->suppressed = 0;
	resmon_event_post(rn, &event);
}

static int put_region(struct sk_buff *skb, const struct resmon_event *event)
{
	if (nla_put_u32(skb, RESMON_A_EVENT_REGION, event->region))
		return -EMSGSIZE;
	if (event->region != RESMON_REGION_KIND_HEAP &&
	    nla_put_u32(skb, RESMON_A_EVENT_PFE, event->pfe))
		return -EMSGSIZE;
	if (!event->unknown &&
	    nla_put_u32(skb, RESMON_A_EVENT_VALUE, event->value))
		return -EMSGSIZE;
	return nla_put_u32(skb, RESMON_A_EVENT_MARK, event->mark);
}

static int put_verdict(struct sk_buff *skb, const struct resmon_event *event)
{
	if (nla_put_u32(skb, RESMON_A_EVENT_CLIENT_TYPE, event->client_type) ||
	    nla_put_u32(skb, RESMON_A_EVENT_KIND, event->kind) ||
	    nla_put_u32(skb, RESMON_A_EVENT_CAUSE, event->cause) ||
	    nla_put_u32(skb, RESMON_A_EVENT_SUPPRESSED, event->suppressed))
		return -EMSGSIZE;
	if (!event->has_refuser)
		return 0;
	return resmon_nl_put_ident(skb, RESMON_A_EVENT_REFUSER,
				   &event->refuser);
}

static int put_event(struct sk_buff *skb, const struct resmon_event *event)
{
	if (nla_put_u32(skb, RESMON_A_EVENT_TYPE, event->type) ||
	    nla_put_u64_64bit(skb, RESMON_A_EVENT_TIME, event->time,
			      RESMON_A_EVENT_PAD) ||
	    resmon_nl_put_ident(skb, RESMON_A_EVENT_TARGET, &event->id))
		return -EMSGSIZE;

	switch (event->type) {
	case RESMON_EVENT_TYPE_VERDICT:
		return put_verdict(skb, event);
	case RESMON_EVENT_TYPE_LIMIT_WARN:
	case RESMON_EVENT_TYPE_LIMIT_CLEAR:
		if (nla_put_u32(skb, RESMON_A_EVENT_CLIENT_TYPE,
				event->client_type) ||
		    nla_put_u32(skb, RESMON_A_EVENT_VALUE, event->value) ||
		    (event->mark != RESMON_NO_LIMIT &&
		     nla_put_u32(skb, RESMON_A_EVENT_MARK, event->mark)))
			return -EMSGSIZE;
		return 0;
	case RESMON_EVENT_TYPE_THROTTLE:
	case RESMON_EVENT_TYPE_ECHO_SILENT:
		if (nla_put_u32(skb, RESMON_A_EVENT_VALUE, event->value) ||
		    nla_put_u32(skb, RESMON_A_EVENT_MARK, event->mark) ||
		    nla_put_u32(skb, RESMON_A_EVENT_RTT_US, event->rtt_us))
			return -EMSGSIZE;
		return 0;
	case RESMON_EVENT_TYPE_REGION_LOW:
	case RESMON_EVENT_TYPE_REGION_CLEAR:
	case RESMON_EVENT_TYPE_REGION_HIGH:
	case RESMON_EVENT_TYPE_REGION_NORMAL:
		return put_region(skb, event);
	default:
		return 0;
	}
}

static void send(struct resmon_net *rn, const struct resmon_event *event)
{
	struct sk_buff *skb;
	void *header;

	if (!genl_has_listeners(&resmon_genl_family, rn->net,
				RESMON_MCGRP_NR_EVENTS))
		return;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return;
	header = genlmsg_put(skb, 0, 0, &resmon_genl_family, 0,
			     RESMON_CMD_EVENT);
	if (!header || put_event(skb, event)) {
		WARN_ON_ONCE(1);	/* it always fits */
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, header);
	genlmsg_multicast_netns(&resmon_genl_family, rn->net, skb, 0,
				RESMON_MCGRP_NR_EVENTS, GFP_KERNEL);
}

static const char * const type_text[] = {
	[RESMON_TYPE_ANY] = "",
	[RESMON_TYPE_PPPOE] = "pppoe ",
	[RESMON_TYPE_DHCP] = "dhcp ",
	[RESMON_TYPE_L2TP] = "l2tp ",
};

static const char * const region_text[] = {
	[RESMON_REGION_KIND_HEAP] = "heap",
	[RESMON_REGION_KIND_NH] = "next hop memory",
	[RESMON_REGION_KIND_FW] = "filter memory",
	[RESMON_REGION_KIND_ENCAP] = "encapsulation memory",
};

/* One line on a region, for example "device 0, PFE 1: filter memory ...". */
static void log_region(const char *who, const struct resmon_event *event)
{
	const char *what = region_text[event->region];
	char pfe[12] = "";

	if (event->region != RESMON_REGION_KIND_HEAP)
		snprintf(pfe, sizeof(pfe), ", PFE %u", event->pfe);

	if (event->unknown)
		pr_info("%s%s: %s is not reported any more, clear of the %s of %u%%\n",
			who, pfe, what,
			event->type == RESMON_EVENT_TYPE_REGION_CLEAR ?
			"watermark" : "high threshold", event->mark);
	else if (event->type == RESMON_EVENT_TYPE_REGION_LOW)
		pr_warn("%s%s: %s %u%% free, at or below the watermark of %u%%\n",
			who, pfe, what, event->value, event->mark);
	else if (event->type == RESMON_EVENT_TYPE_REGION_CLEAR)
		pr_info("%s%s: %s %u%% free, clear of the watermark of %u%%\n",
			who, pfe, what, event->value, event->mark);
	else if (event->type == RESMON_EVENT_TYPE_REGION_HIGH)
		pr_warn("%s%s: %s %u%% used, at or above the high threshold of %u%%\n",
			who, pfe, what, event->value, event->mark);
	else
		pr_info("%s%s: %s %u%% used, clear of the high threshold of %u%%\n",
			who, pfe, what, event->value, event->mark);
}

static void log_throttle(const char *who, const struct resmon_event *event)
{
	if (event->value > event->mark)
		pr_warn("%s: throttle raised from %u%% to %u%%, round trip time %u.%03u ms\n",
			who, event->mark, event->value, event->rtt_us / 1000,
			event->rtt_us % 1000);
	else
		pr_info("%s: throttle lowered from %u%% to %u%%, round trip time %u.%03u ms\n",
			who, event->mark, event->value, event->rtt_us / 1000,
			event->rtt_us % 1000);
}

static void log_event(struct resmon_net *rn, const struct resmon_event *event)
{
	char who[RESMON_IDENT_TEXT + 20], text[RESMON_IDENT_TEXT];

	resmon_ident_text(&event->id, text, sizeof(text));
	if (net_eq(rn->net, &init_net))
		strscpy(who, text, sizeof(who));
	else
		snprintf(who, sizeof(who), "net %u: %s", rn->net->ns.inum,
			 text);

	switch (event->type) {
	case RESMON_EVENT_TYPE_LIMIT_WARN:
		pr_warn("%s: %u %ssessions of at most %u, at or above the warning mark\n",
			who, event->value, type_text[event->client_type],
			event->mark);
		break;
	case RESMON_EVENT_TYPE_LIMIT_CLEAR:
		if (event->mark == RESMON_NO_LIMIT) {
			pr_info("%s: %u %ssessions, no limit any more\n", who,
				event->value, type_text[event->client_type]);
			break;
		}
		pr_info("%s: %u %ssessions of at most %u, clear of the warning mark\n",
			who, event->value, type_text[event->client_type],
			event->mark);
		break;
	case RESMON_EVENT_TYPE_THROTTLE:
		log_throttle(who, event);
		break;
	case RESMON_EVENT_TYPE_ECHO_SILENT:
		pr_warn("%s: no answer to the probes, throttle stays at %u%%\n",
			who, event->value);
		break;
	case RESMON_EVENT_TYPE_ECHO_UP:
		pr_info("%s: an echo agent registered\n", who);
		break;
	case RESMON_EVENT_TYPE_ECHO_DOWN:
		pr_warn("%s: its echo agent closed\n", who);
		break;
	case RESMON_EVENT_TYPE_ECHO_GONE:
		pr_info("%s: no echo agent came back, throttle released\n",
			who);
		break;
	case RESMON_EVENT_TYPE_REGION_LOW:
	case RESMON_EVENT_TYPE_REGION_CLEAR:
	case RESMON_EVENT_TYPE_REGION_HIGH:
	case RESMON_EVENT_TYPE_REGION_NORMAL:
		log_region(who, event);
		break;
	case RESMON_EVENT_TYPE_DRAINED:
		pr_info("%s: drained, no session is left\n", who);
		break;
	}
}

static bool take(struct resmon_events *events, struct resmon_event *event)
{
	bool found = false;

	spin_lock_irq(&events->lock);
	if (events->tail != events->head) {
		*event = events->queue[events->tail++ % RESMON_EVENT_QUEUE];
		found = true;
	}
	spin_unlock_irq(&events->lock);
	return found;
}

static void work(struct work_struct *w)
{
	struct resmon_events *events =
		container_of(w, struct resmon_events, work);
	struct resmon_event event;

	while (take(events, &event)) {
		if (event.log && __ratelimit(&events->log_limit))
			log_event(events->rn, &event);
		if (resmon_nl_send_begin()) {
			send(events->rn, &event);
			resmon_nl_send_end();
		}
		cond_resched();
	}
}

/**
 * resmon_event_net_init() - make the queue of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_event_net_init(struct resmon_net *rn)
{
	struct resmon_events *events = &rn->events;

	events->rn = rn;
	events->head = 0;
	events->tail = 0;
	events->lost = 0;
	spin_lock_init(&events->lock);
	INIT_WORK(&events->work, work);
	ratelimit_state_init(&events->log_limit, LOG_INTERVAL, LOG_BURST);

	events->queue = kvcalloc(RESMON_EVENT_QUEUE, sizeof(*events->queue),
				 GFP_KERNEL_ACCOUNT);
	events->cpu = alloc_percpu(struct resmon_event_cpu);
	if (!events->queue || !events->cpu) {
		free_percpu(events->cpu);
		kvfree(events->queue);
		return -ENOMEM;
	}
	return 0;
}

/**
 * resmon_event_net_exit() - drop what was not sent and free the queue
 * @rn: the chassis; nobody posts any more
 *
 * Context: Process context, may sleep.
 */
void resmon_event_net_exit(struct resmon_net *rn)
{
	cancel_work_sync(&rn->events.work);
	ratelimit_state_exit(&rn->events.log_limit);
	free_percpu(rn->events.cpu);
	kvfree(rn->events.queue);
}
