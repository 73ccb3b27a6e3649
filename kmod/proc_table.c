// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables in /proc/net/resmon, for awk: a line of titles, then columns
 * without blanks in them.
 */
#include <linux/proc_fs.h>
#include <linux/timekeeping.h>

#include "device.h"
#include "net.h"
#include "place.h"
#include "proc.h"
#include "rtt.h"
#include "session.h"
#include "stats.h"

static const char * const kind_text[] = {
	[RESMON_ELEMENT_KIND_CHASSIS] = "chassis",
	[RESMON_ELEMENT_KIND_DEVICE] = "device",
	[RESMON_ELEMENT_KIND_MIC] = "mic",
	[RESMON_ELEMENT_KIND_PORT] = "port",
	[RESMON_ELEMENT_KIND_LAG] = "lag",
};

static const char * const type_text[] = {
	[RESMON_TYPE_ANY] = "any",
	[RESMON_TYPE_PPPOE] = "pppoe",
	[RESMON_TYPE_DHCP] = "dhcp",
	[RESMON_TYPE_L2TP] = "l2tp",
};

/* The name of an element in two words that awk can split. */
static void put_name(struct seq_file *seq, const struct resmon_ident *id)
{
	char text[IFNAMSIZ] = "-";

	if (id->kind == RESMON_ELEMENT_KIND_DEVICE)
		snprintf(text, sizeof(text), "%u", id->device);
	else if (id->kind == RESMON_ELEMENT_KIND_MIC)
		snprintf(text, sizeof(text), "%u/%u", id->device, id->mic);
	else if (id->kind != RESMON_ELEMENT_KIND_CHASSIS)
		strscpy(text, id->ifname, sizeof(text));
	seq_printf(seq, "%-7s %-15s", kind_text[id->kind], text);
}

/* Column of a limit: - is none. */
static void put_limit(struct seq_file *seq, u32 limit)
{
	if (limit == RESMON_NO_LIMIT)
		seq_printf(seq, " %11s", "-");
	else
		seq_printf(seq, " %11u", limit);
}

/* ---- elements: one line for each element and client type ---- */

/* A position holds the whole cursor, so that reading can go on anywhere. */
static loff_t elements_pos(const struct resmon_proc_elements *e)
{
	return 1 + (((loff_t)e->walk.stage << 48) |
		    ((loff_t)e->walk.index << 8) | (e->walk.mic << 2) |
		    e->type);
}

static void elements_seek(struct resmon_proc_elements *e, loff_t pos)
{
	pos--;
	e->type = pos & 3;
	e->walk.mic = (pos >> 2) & 63;
	e->walk.index = (pos >> 8) & (BIT_ULL(40) - 1);
	e->walk.stage = pos >> 48;
}

static void *elements_at(struct seq_file *seq, loff_t *pos)
{
	struct resmon_proc_elements *e = seq->private;
	struct resmon_walk walk = e->walk;
	struct resmon_element *elem;

	elem = resmon_walk_at(resmon_proc_rn(seq), &e->walk);
	/* The element is gone: the next one begins with its first line. */
	if (memcmp(&walk, &e->walk, sizeof(walk)))
		e->type = RESMON_TYPE_ANY;
	*pos = elem ? elements_pos(e) : RESMON_PROC_END;
	return elem;
}

static void *elements_start(struct seq_file *seq, loff_t *pos)
	__acquires(RCU)
{
	rcu_read_lock();
	if (!*pos)
		return SEQ_START_TOKEN;
	if (*pos >= RESMON_PROC_END)
		return NULL;
	elements_seek(seq->private, *pos);
	return elements_at(seq, pos);
}

static void *elements_next(struct seq_file *seq, void *v, loff_t *pos)
{
	struct resmon_proc_elements *e = seq->private;

	if (v == SEQ_START_TOKEN) {
		elements_seek(e, 1);
	} else if (++e->type == RESMON_TYPES) {
		resmon_walk_step(&e->walk);
		e->type = RESMON_TYPE_ANY;
	}
	return elements_at(seq, pos);
}

static int elements_show(struct seq_file *seq, void *v)
{
	const struct resmon_proc_elements *e = seq->private;
	const struct resmon_element *elem = v;
	const struct resmon_mark *mark;
	const struct resmon_cap *cap;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "Kind    Name            Type    Sessions       Limit    Starting Start-limit        Peak Warn   Refused Over Drain\n");
		return 0;
	}
	cap = &elem->caps.cap[e->type];
	mark = &elem->caps.mark[e->type];
	put_name(seq, &elem->id);
	seq_printf(seq, " %-5s %10u", type_text[e->type],
		   READ_ONCE(cap->sessions));
	put_limit(seq, READ_ONCE(cap->max));
	seq_printf(seq, " %11u", READ_ONCE(cap->starting));
	put_limit(seq, READ_ONCE(cap->max_starting));
	seq_printf(seq, " %11u", READ_ONCE(mark->peak));
	if (READ_ONCE(mark->warn))
		seq_printf(seq, " %3u%%", READ_ONCE(mark->warn));
	else
		seq_printf(seq, " %4s", "-");
	seq_printf(seq, " %9llu %4s %5s\n",
		   resmon_stats_refused_type(elem, e->type),
		   resmon_caps_over(&elem->caps, e->type) ? "yes" : "no",
		   READ_ONCE(elem->drain) ? "on" : "off");
	return 0;
}

const struct seq_operations resmon_proc_elements_ops = {
	.start = elements_start,
	.next = elements_next,
	.stop = resmon_proc_stop,
	.show = elements_show,
};

/* ---- throttle: one line for each device, lag and anchored port ---- */

/* Positions of the places are behind those of all devices. */
#define AT_PLACES	(RESMON_DEVICE_MAX + 2)

/* A place whose throttle is that of its device has no line. */
static struct resmon_rtt *place_rtt(struct resmon_place *place)
{
	struct resmon_rtt *rtt = place->rtt;

	return rtt && rtt->elem == &place->elem ? rtt : NULL;
}

static void *throttle_at(struct resmon_net *rn, loff_t at, loff_t *pos)
{
	struct resmon_device *device;
	struct resmon_place *place;
	unsigned long index;

	if (at < AT_PLACES) {
		index = at - 1;
		device = xa_find(&rn->devices, &index, RESMON_DEVICE_MAX,
				 XA_PRESENT);
		if (device) {
			*pos = 1 + index;
			return &device->rtt;
		}
		at = AT_PLACES;
	}
	index = at - AT_PLACES;
	xa_for_each_start(&rn->places, index, place, index) {
		if (place_rtt(place)) {
			*pos = AT_PLACES + index;
			return place_rtt(place);
		}
	}
	*pos = RESMON_PROC_END;
	return NULL;
}

static void *throttle_start(struct seq_file *seq, loff_t *pos)
	__acquires(RCU)
{
	rcu_read_lock();
	if (!*pos)
		return SEQ_START_TOKEN;
	if (*pos >= RESMON_PROC_END)
		return NULL;
	return throttle_at(resmon_proc_rn(seq), *pos, pos);
}

static void *throttle_next(struct seq_file *seq, void *v, loff_t *pos)
{
	return throttle_at(resmon_proc_rn(seq), *pos + 1, pos);
}

static int throttle_show(struct seq_file *seq, void *v)
{
	char ms[RESMON_MS_TEXT], avg[RESMON_MS_TEXT];
	struct resmon_rtt_show show;
	struct resmon_rtt *rtt = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "Kind    Name              RTT-ms   Avg-ms   N Throttle Allowed Exceeded Run   Measured       Over Unanswered     Raised\n");
		return 0;
	}
	resmon_rtt_read(rtt, &show);
	put_name(seq, &rtt->elem->id);
	seq_printf(seq, " %8s %8s %3u %7u%% %6u%% %8s %3u",
		   show.measuring ?
		   resmon_ms_text(show.rtt_us, ms, sizeof(ms)) : "--",
		   show.avg_n ?
		   resmon_ms_text(show.avg_us, avg, sizeof(avg)) : "--",
		   show.avg_n, show.throttle, 100 - show.throttle,
		   show.exceeded ? "yes" : "no", show.consecutive);
	seq_printf(seq, " %10llu %10llu %10llu %10llu\n", show.measured,
		   show.over, show.unanswered, show.raised);
	return 0;
}

const struct seq_operations resmon_proc_throttle_ops = {
	.start = throttle_start,
	.next = throttle_next,
	.stop = resmon_proc_stop,
	.show = throttle_show,
};

/* ---- sessions: who the subscribers are, for root alone ---- */

static void *session_at(struct resmon_net *rn, unsigned long index, loff_t *pos)
{
	struct resmon_session *session;

	xa_for_each_start(&rn->ids, index, session, index) {
		/* One that is on its way in has no id yet. */
		if (READ_ONCE(session->id)) {
			*pos = 1 + (loff_t)index;
			return session;
		}
	}
	*pos = RESMON_PROC_END;
	return NULL;
}

static void *sessions_start(struct seq_file *seq, loff_t *pos)
	__acquires(RCU)
{
	rcu_read_lock();
	/* Who opened the file is asked, not who was handed it. */
	if (!file_ns_capable(seq->file, seq_file_net(seq)->user_ns,
			     CAP_NET_ADMIN))
		return ERR_PTR(-EPERM);
	if (!*pos)
		return SEQ_START_TOKEN;
	if (*pos >= RESMON_PROC_END)
		return NULL;
	return session_at(resmon_proc_rn(seq), *pos - 1, pos);
}

static void *sessions_next(struct seq_file *seq, void *v, loff_t *pos)
{
	return session_at(resmon_proc_rn(seq), *pos, pos);
}

/* Printable identities as they are, others as hexadecimal, none as -. */
static void put_key(struct seq_file *seq, const struct resmon_session *session)
{
	u8 buffer[RESMON_KEY_LEN];
	const u8 *text;
	u8 len, i;

	text = resmon_session_text(session, buffer, &len);
	if (!text || !len) {
		seq_puts(seq, "-");
		return;
	}
	for (i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			break;
	if (i == len)
		seq_printf(seq, "%.*s", (int)len, text);
	else
		seq_printf(seq, "0x%*phN", (int)len, text);
}

static int sessions_show(struct seq_file *seq, void *v)
{
	const struct resmon_session *session = v;
	u32 now = ktime_get_boottime_seconds();
	u32 deadline;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "Id         Kind    Name            Type  Kind    State    VLAN            Age    Expires Key\n");
		return 0;
	}
	deadline = READ_ONCE(session->deadline);
	seq_printf(seq, "%-10u ", session->id);
	put_name(seq, &session->place->elem.id);
	seq_printf(seq, " %-5s %-7s %-8s %4u.%-4u %9u",
		   type_text[session->key.type],
		   session->kind == RESMON_KIND_SERVICE ? "service" : "client",
		   READ_ONCE(session->state) == RESMON_STATE_ACTIVE ?
		   "active" : "starting",
		   session->key.outer, session->key.inner,
		   now - session->since);
	if (deadline)
		seq_printf(seq, " %10d ", max((s32)(deadline - now), 0));
	else
		seq_printf(seq, " %10s ", "-");
	put_key(seq, session);
	seq_putc(seq, '\n');
	return 0;
}

const struct seq_operations resmon_proc_sessions_ops = {
	.start = sessions_start,
	.next = sessions_next,
	.stop = resmon_proc_stop,
	.show = sessions_show,
};
