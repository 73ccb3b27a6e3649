// SPDX-License-Identifier: GPL-2.0-only
/* show: the overview (T6), the same numbers as /proc/net/resmon/summary. */

#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "out.h"
#include "rmctl.h"

#define CELL	64

struct overview {
	struct json_object *chassis;
	struct json_object *watermark;
	struct json_object *devices;	/* each with its "regions" */
};

/* The first record of an answer. */
static int get_one(struct ctx *ctx, unsigned int cmd, struct json_object **rec)
{
	struct replies replies;
	int err;

	replies_init(&replies);
	err = rq_get_one(ctx, cmd, &replies);
	if (!err)
		*rec = replies.first ? decode_reply(replies.first) :
				       json_object_new_object();
	replies_free(&replies);
	return err;
}

/* Hangs the records of a dump onto their devices. */
static int attach(struct ctx *ctx, unsigned int cmd,
		  struct json_object **devices,
		  void (*hang)(struct json_object **devices,
			       struct json_object *rec))
{
	struct replies replies;
	struct reply *reply;
	int err;

	replies_init(&replies);
	err = rq_get_all(ctx, cmd, &replies);
	for (reply = replies.first; !err && reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);

		hang(devices, rec);
		json_object_put(rec);
	}
	replies_free(&replies);
	return err;
}

static void hang_region(struct json_object **devices, struct json_object *rec)
{
	__u64 n = rec_num_or(rec, "device", RESMON_DEVICE_MAX + 1);

	if (n <= RESMON_DEVICE_MAX && devices[n])
		json_object_array_add(rec_get(devices[n], "regions"),
				      json_object_get(rec));
}

static void hang_rtt(struct json_object **devices, struct json_object *rec)
{
	struct json_object *target = rec_get(rec, "target");
	const char *kind = target ? rec_word(target, "kind") : NULL;
	__u64 n;

	if (!kind || names_find(&names_element_kind, kind) != RESMON_ELEMENT_KIND_DEVICE)
		return;
	n = rec_num_or(target, "device", RESMON_DEVICE_MAX + 1);
	if (n <= RESMON_DEVICE_MAX && devices[n])
		json_object_object_add(devices[n], "rtt", json_object_get(rec));
}

static int get_devices(struct ctx *ctx, const struct parsed *p,
		       struct json_object *list)
{
	struct json_object *devices[RESMON_DEVICE_MAX + 1] = { NULL };
	struct replies replies;
	struct reply *reply;
	int err;

	replies_init(&replies);
	err = rq_parsed(ctx, p, &replies);
	for (reply = replies.first; !err && reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);
		__u64 n = rec_num_or(rec, "index", 0);

		json_object_object_add(rec, "regions",
				       json_object_new_array());
		json_object_array_add(list, rec);
		if (n <= RESMON_DEVICE_MAX)
			devices[n] = rec;
	}
	replies_free(&replies);
	if (!err)
		err = attach(ctx, RESMON_CMD_REGION_GET, devices, hang_region);
	if (!err)
		err = attach(ctx, RESMON_CMD_RTT_GET, devices, hang_rtt);
	return err;
}

static struct json_object *region_find(struct json_object *device,
				       unsigned int pfe, const char *region)
{
	struct json_object *list = rec_get(device, "regions");
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *rec = json_object_array_get_idx(list, i);
		const char *name = rec_word(rec, "region");

		if (name && !strcmp(name, region) &&
		    rec_num_or(rec, "pfe", 0) == pfe)
			return rec;
	}
	return NULL;
}

/* Percent free, * at the watermark, -- when stale, @never when there is none. */
static void free_text(struct json_object *device, unsigned int pfe,
		      const char *region, const char *never, char *buf)
{
	struct json_object *rec = region_find(device, pfe, region);
	__u64 pct;

	if (!rec)
		snprintf(buf, CELL, "%s", never);
	else if (rec_num_or(rec, "stale", 0) || !rec_num(rec, "free-pct", &pct))
		snprintf(buf, CELL, "--");
	else
		snprintf(buf, CELL, "%u%%%s", (unsigned int)pct,
			 rec_num_or(rec, "low", 0) ? " *" : "");
}

static void print_device(struct json_object *device)
{
	__u64 pfes = rec_num_or(device, "pfes", 1);
	char heap[CELL], rtt[CELL], avg[CELL], usage[CELL];
	char encap[CELL], nh[CELL], fw[CELL];
	unsigned int pfe;

	free_text(device, 0, "heap", "--", heap);
	cell_ms(device, "rtt-us", rtt, sizeof(rtt));
	cell_avg(device, "avg-us", avg, sizeof(avg));
	cell_usage(device, "limit", usage, sizeof(usage));
	printf("%4u  %-9s  %6s    %-9s  %5u %%   %-10s",
	       (unsigned int)rec_num_or(device, "index", 0), heap, rtt, avg,
	       (unsigned int)rec_num_or(device, "allowed", 100), usage);
	for (pfe = 0; pfe < pfes && pfe <= RESMON_PFE_MAX; pfe++) {
		free_text(device, pfe, "encap", "NA", encap);
		free_text(device, pfe, "nh", "NA", nh);
		free_text(device, pfe, "fw", "NA", fw);
		printf("%*s%3u  %-10s  %-7s  %-7s  %s\n", pfe ? 58 : 0, "",
		       pfe, encap, nh, fw, "--");
	}
}

static void print_overview(const struct overview *o)
{
	struct json_object *c = o->chassis, *w = o->watermark;
	char usage[CELL], throttle[8], load[8];
	size_t i;

	cell_usage(c, "limit", usage, sizeof(usage));
	cell_switch(c, "throttle", throttle, sizeof(throttle));
	cell_switch(c, "load-throttle", load, sizeof(load));
	printf("Chassis     sessions %s (peak %s)   denied %s   ", usage,
	       rec_word(c, "peak") ?: "0", rec_word(c, "denied") ?: "0");
	printf("throttle %s   load-throttle %s   high-threshold %s%%\n",
	       throttle, load, rec_word(c, "high-threshold") ?: "-");
	printf("%-40swatermarks: heap %s%%  nh %s%%  fw %s%% free\n\n",
	       "* watermark reached", rec_word(w, "heap") ?: "-",
	       rec_word(w, "nh") ?: "-", rec_word(w, "fw") ?: "-");
	fputs("Slot  Heap free  RTT ms   Avg ms (n)  Allowed  Sessions   ",
	      stdout);
	puts("PFE  Encap free  NH free  FW free  CoS used");
	for (i = 0; i < json_object_array_length(o->devices); i++)
		print_device(json_object_array_get_idx(o->devices, i));
}

static int run(struct ctx *ctx, const struct parsed *p)
{
	struct overview o = { .devices = json_object_new_array() };
	int err;

	err = get_one(ctx, RESMON_CMD_CHASSIS_GET, &o.chassis);
	if (!err)
		err = get_one(ctx, RESMON_CMD_WATERMARK_GET, &o.watermark);
	if (!err)
		err = get_devices(ctx, p, o.devices);
	if (err)
		goto free;
	if (ctx->json) {
		struct json_object *all = json_object_new_object();

		json_object_object_add(all, "chassis",
				       json_object_get(o.chassis));
		json_object_object_add(all, "watermark",
				       json_object_get(o.watermark));
		json_object_object_add(all, "devices",
				       json_object_get(o.devices));
		json_print(ctx, all);
		json_object_put(all);
	} else {
		print_overview(&o);
	}
	err = out_check();
free:
	json_object_put(o.chassis);
	json_object_put(o.watermark);
	json_object_put(o.devices);
	return err;
}

static const struct arg args[] = {
	{ "device", "N", ARG_U32, .attr = RESMON_A_DEVICE_INDEX,
	  .complete = "device" },
	{ 0 }
};

static const struct command commands[] = {
	{ NULL, "the overview, * on every region at its watermark",
	  .args = args, .cmd = RESMON_CMD_DEVICE_GET, .show = SHOW_EITHER,
	  .run = run },
	{ 0 }
};

const struct object object_show = { "show", "the overview", commands };
