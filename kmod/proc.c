// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/net/resmon, and in it the overview, for eyes. The tables are in
 * proc_table.c.
 */
#include <linux/proc_fs.h>

#include "device.h"
#include "memory.h"
#include "net.h"
#include "proc.h"
#include "rtt.h"
#include "stats.h"

/**
 * resmon_ms_text() - a time in milliseconds, as rmctl prints it
 * @us: the time in us
 * @text: buffer for the words
 * @size: its size, RESMON_MS_TEXT is always enough
 *
 * Three or more digits that say something, whatever the engine measures.
 *
 * Context: Any.
 * Return: @text.
 */
const char *resmon_ms_text(u32 us, char *text, size_t size)
{
	if (us >= 100000)
		snprintf(text, size, "%u", us / 1000 + (us % 1000 >= 500));
	else if (us >= 10000)
		snprintf(text, size, "%u.%u", (us + 50) / 1000,
			 (us + 50) % 1000 / 100);
	else
		snprintf(text, size, "%u.%03u", us / 1000, us % 1000);
	return text;
}

/**
 * resmon_proc_stop() - end of a look at what RCU protects
 * @seq: the reader
 * @v: not used
 *
 * Context: The RCU read section that the start began; ends it.
 */
void resmon_proc_stop(struct seq_file *seq, void *v)
	__releases(RCU)
{
	rcu_read_unlock();
}

/* The overview (T6), as `rmctl show` prints it. */
static void *device_at(struct resmon_net *rn, unsigned long slot, loff_t *pos)
{
	struct resmon_device *device;

	device = xa_find(&rn->devices, &slot, RESMON_DEVICE_MAX, XA_PRESENT);
	*pos = device ? 1 + slot : RESMON_PROC_END;
	return device;
}

static void *summary_start(struct seq_file *seq, loff_t *pos)
	__acquires(RCU)
{
	rcu_read_lock();
	if (!*pos)
		return SEQ_START_TOKEN;
	if (*pos > RESMON_DEVICE_MAX + 1)
		return NULL;
	return device_at(resmon_proc_rn(seq), *pos - 1, pos);
}

static void *summary_next(struct seq_file *seq, void *v, loff_t *pos)
{
	/* The slot behind that of position p is p itself. */
	return device_at(resmon_proc_rn(seq), *pos, pos);
}

static void usage_text(const struct resmon_element *elem, char *text,
		       size_t size)
{
	const struct resmon_cap *cap = &elem->caps.cap[RESMON_TYPE_ANY];
	u32 max = READ_ONCE(cap->max);

	if (max == RESMON_NO_LIMIT)
		snprintf(text, size, "%u/-", READ_ONCE(cap->sessions));
	else
		snprintf(text, size, "%u/%u", READ_ONCE(cap->sessions), max);
}

static void put_head(struct seq_file *seq, struct resmon_net *rn)
{
	const struct resmon_element *chassis = &rn->chassis;
	const struct resmon_settings *settings;
	char usage[24];

	settings = rcu_dereference(rn->settings);
	usage_text(chassis, usage, sizeof(usage));
	seq_printf(seq, "Chassis     sessions %s (peak %u)   denied %llu   ",
		   usage,
		   READ_ONCE(chassis->caps.mark[RESMON_TYPE_ANY].peak),
		   resmon_stats_denied(chassis));
	seq_printf(seq, "throttle %s   load-throttle %s   high-threshold %u%%\n",
		   settings->throttle ? "on" : "off",
		   settings->load_throttle ? "on" : "off",
		   settings->high_threshold);
	seq_printf(seq, "%-40swatermarks: heap %u%%  nh %u%%  fw %u%% free\n\n",
		   "* watermark reached",
		   settings->low[RESMON_REGION_KIND_HEAP],
		   settings->low[RESMON_REGION_KIND_NH],
		   settings->low[RESMON_REGION_KIND_FW]);
	seq_puts(seq, "Slot  Heap free  RTT ms   Avg ms (n)  Allowed  Sessions   ");
	seq_puts(seq, "PFE  Encap free  NH free  FW free  CoS used\n");
}

/* Percent free, * at the watermark, -- when stale, @never when there is none. */
static void free_text(struct resmon_device *device, u32 region, u32 pfe,
		      const char *never, char *text, size_t size)
{
	struct resmon_region_view view;

	resmon_memory_view(device, resmon_memory_slot(region, pfe), &view);
	if (!view.reported)
		strscpy(text, never, size);
	else if (view.stale)
		strscpy(text, "--", size);
	else
		snprintf(text, size, "%u%%%s", view.free_pct,
			 view.low ? " *" : "");
}

static void put_card(struct seq_file *seq, struct resmon_device *device)
{
	char heap[12], rtt[RESMON_MS_TEXT] = "--", avg[32] = "--", usage[24];
	u32 pfe, pfes = resmon_memory_pfes(&device->memory);
	char ms[RESMON_MS_TEXT];
	struct resmon_rtt_show show;

	resmon_rtt_read(&device->rtt, &show);
	if (show.measuring)
		resmon_ms_text(show.rtt_us, rtt, sizeof(rtt));
	if (show.avg_n)
		snprintf(avg, sizeof(avg), "%4s (%u)",
			 resmon_ms_text(show.avg_us, ms, sizeof(ms)),
			 show.avg_n);
	free_text(device, RESMON_REGION_KIND_HEAP, 0, "--", heap, sizeof(heap));
	usage_text(&device->elem, usage, sizeof(usage));
	seq_printf(seq, "%4u  %-9s  %6s    %-9s  %5u %%   %-10s",
		   device->elem.id.device, heap, rtt, avg, 100 - show.throttle,
		   usage);

	for (pfe = 0; pfe < pfes; pfe++) {
		char encap[12], nh[12], fw[12];

		free_text(device, RESMON_REGION_KIND_ENCAP, pfe, "NA", encap,
			  sizeof(encap));
		free_text(device, RESMON_REGION_KIND_NH, pfe, "NA", nh,
			  sizeof(nh));
		free_text(device, RESMON_REGION_KIND_FW, pfe, "NA", fw,
			  sizeof(fw));
		seq_printf(seq, "%*s%3u  %-10s  %-7s  %-7s  %s\n",
			   pfe ? 58 : 0, "", pfe, encap, nh, fw, "--");
	}
}

static int summary_show(struct seq_file *seq, void *v)
{
	if (v == SEQ_START_TOKEN)
		put_head(seq, resmon_proc_rn(seq));
	else
		put_card(seq, v);
	return 0;
}

static const struct seq_operations summary_ops = {
	.start = summary_start,
	.next = summary_next,
	.stop = resmon_proc_stop,
	.show = summary_show,
};

/**
 * resmon_proc_net_init() - make /proc/net/resmon of a namespace
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_proc_net_init(struct resmon_net *rn)
{
	struct proc_dir_entry *dir, *sessions;
	kuid_t uid;
	kgid_t gid;

	dir = proc_net_mkdir(rn->net, "resmon", rn->net->proc_net);
	if (!dir)
		return -ENOMEM;
	sessions = proc_create_net("sessions", 0400, dir, &resmon_proc_sessions_ops,
				   sizeof(struct seq_net_private));
	if (!sessions ||
	    !proc_create_net("summary", 0444, dir, &summary_ops,
			     sizeof(struct seq_net_private)) ||
	    !proc_create_net("elements", 0444, dir, &resmon_proc_elements_ops,
			     sizeof(struct resmon_proc_elements)) ||
	    !proc_create_net("throttle", 0444, dir, &resmon_proc_throttle_ops,
			     sizeof(struct seq_net_private))) {
		proc_remove(dir);
		return -ENOMEM;
	}
	/* Root of the namespace, which need not be root of the host. */
	net_ns_get_ownership(rn->net, &uid, &gid);
	proc_set_user(sessions, uid, gid);
	rn->proc = dir;
	return 0;
}

/**
 * resmon_proc_net_exit() - remove /proc/net/resmon of a namespace
 * @rn: the chassis
 *
 * Waits for readers.
 *
 * Context: Process context, may sleep.
 */
void resmon_proc_net_exit(struct resmon_net *rn)
{
	proc_remove(rn->proc);
	rn->proc = NULL;
}
