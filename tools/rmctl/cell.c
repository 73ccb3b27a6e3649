// SPDX-License-Identifier: GPL-2.0-only
/* How the fields of a record are written for people. */

#include <stdio.h>
#include <string.h>

#include "names.h"
#include "out.h"

void cell_plain(struct json_object *rec, const char *field, char *buf,
		size_t len)
{
	snprintf(buf, len, "%s", rec_word(rec, field) ?: "-");
}

void cell_usage(struct json_object *rec, const char *field, char *buf,
		size_t len)
{
	snprintf(buf, len, "%s/%s", rec_word(rec, "sessions") ?: "0",
		 rec_word(rec, field) ?: "-");
}

/* The same words that the user types. */
void target_text(struct json_object *target, char *buf, size_t len)
{
	const char *kind = rec_word(target, "kind") ?: "?";
	const char *ifname = rec_word(target, "ifname");

	if (!strcmp(kind, "chassis"))
		snprintf(buf, len, "chassis");
	else if (!strcmp(kind, "device"))
		snprintf(buf, len, "device %s",
			 rec_word(target, "device") ?: "?");
	else if (!strcmp(kind, "mic"))
		snprintf(buf, len, "mic %s/%s",
			 rec_word(target, "device") ?: "?",
			 rec_word(target, "mic") ?: "?");
	else if (ifname)
		snprintf(buf, len, "%s %s", kind, ifname);
	else
		snprintf(buf, len, "%s #%s", kind,
			 rec_word(target, "ifindex") ?: "?");
}

void cell_target(struct json_object *rec, const char *field, char *buf,
		 size_t len)
{
	struct json_object *target = rec_get(rec, field);

	if (target)
		target_text(target, buf, len);
	else
		snprintf(buf, len, "-");
}

static const char *list_word(struct json_object *list, size_t i)
{
	return json_object_get_string(json_object_array_get_idx(list, i));
}

static void list_text(struct json_object *list, char *buf, size_t len)
{
	size_t used = 0, i;

	buf[0] = '\0';
	for (i = 0; i < json_object_array_length(list) && used < len; i++)
		used += snprintf(buf + used, len - used, "%s%s", i ? "," : "",
				 list_word(list, i));
}

/* A port stands on a device or on the devices of its anchor. */
void cell_anchor(struct json_object *rec, const char *field, char *buf,
		 size_t len)
{
	struct json_object *list = rec_get(rec, "anchor");

	if (list)
		list_text(list, buf, len);
	else
		cell_plain(rec, field, buf, len);
}

void cell_legs(struct json_object *rec, const char *field, char *buf,
	       size_t len)
{
	struct json_object *list = rec_get(rec, field);
	size_t used = 0, i;

	snprintf(buf, len, "-");
	for (i = 0; list && i < json_object_array_length(list) && used < len;
	     i++) {
		struct json_object *leg = json_object_array_get_idx(list, i);

		used += snprintf(buf + used, len - used, "%s%s%s",
				 i ? " " : "", rec_word(leg, "ifname") ?: "?",
				 rec_num_or(leg, "active", 1) ? "" : "(down)");
	}
}

void cell_on(struct json_object *rec, const char *field, char *buf, size_t len)
{
	snprintf(buf, len, "%s", rec_num_or(rec, field, 0) ? "yes" : "");
}

void cell_switch(struct json_object *rec, const char *field, char *buf,
		 size_t len)
{
	snprintf(buf, len, "%s", rec_num_or(rec, field, 0) ? "on" : "off");
}

void cell_pct(struct json_object *rec, const char *field, char *buf,
	      size_t len)
{
	const char *num = rec_word(rec, field);

	snprintf(buf, len, "%s%s", num ?: "-", num ? "%" : "");
}

/* Three or more digits that say something, whatever the engine measures. */
void ms_text(__u64 us, char *buf, size_t len)
{
	if (us >= 100000)
		snprintf(buf, len, "%llu", (us + 500) / 1000);
	else if (us >= 10000)
		snprintf(buf, len, "%llu.%llu",
			 (us + 50) / 1000, (us + 50) % 1000 / 100);
	else
		snprintf(buf, len, "%llu.%03llu", us / 1000,
			 us % 1000);
}

void cell_ms(struct json_object *rec, const char *field, char *buf, size_t len)
{
	__u64 us;

	if (rec_num(rec, field, &us))
		ms_text(us, buf, len);
	else
		snprintf(buf, len, "--");
}

void cell_avg(struct json_object *rec, const char *field, char *buf,
	      size_t len)
{
	__u64 us, n = rec_num_or(rec, "avg-n", 0);
	char ms[32];

	if (rec_num(rec, field, &us) && n) {
		ms_text(us, ms, sizeof(ms));
		snprintf(buf, len, "%4s (%llu)", ms, n);
	} else {
		snprintf(buf, len, "--");
	}
}

void cell_seconds(struct json_object *rec, const char *field, char *buf,
		  size_t len)
{
	__u64 sec = rec_num_or(rec, field, 0);
	char *dot;

	if (!sec) {
		snprintf(buf, len, "-");
		return;
	}
	time_text(sec * 1000000000, buf, len);
	dot = strrchr(buf, '.');
	if (dot)
		*dot = '\0';
}

void cell_nanoseconds(struct json_object *rec, const char *field, char *buf,
		      size_t len)
{
	time_text(rec_num_or(rec, field, 0), buf, len);
}

void cell_vlan(struct json_object *rec, const char *field, char *buf,
	       size_t len)
{
	const char *outer = rec_word(rec, field);
	const char *inner = rec_word(rec, "vlan-inner");

	if (!outer)
		snprintf(buf, len, "-");
	else
		snprintf(buf, len, "%s%s%s", outer, inner ? "." : "",
			 inner ?: "");
}

/* A whole record in one line: field value, field value. */
void record_text(struct json_object *rec, char *buf, size_t len)
{
	size_t used = 0;

	buf[0] = '\0';
	json_object_object_foreach(rec, field, value) {
		char cell[512];

		if (used >= len)
			return;
		switch (json_object_get_type(value)) {
		case json_type_object:
			if (rec_get(value, "kind") && !rec_get(value, "cause"))
				target_text(value, cell, sizeof(cell));
			else
				record_text(value, cell, sizeof(cell));
			break;
		case json_type_array:
			if (!strcmp(field, "leg"))
				cell_legs(rec, field, cell, sizeof(cell));
			else
				list_text(value, cell, sizeof(cell));
			break;
		case json_type_boolean:
			cell[0] = '\0';
			break;
		default:
			snprintf(cell, sizeof(cell), "%s",
				 json_object_get_string(value));
			break;
		}
		used += snprintf(buf + used, len - used, "%s%s%s%s",
				 used ? ", " : "", field, cell[0] ? " " : "",
				 cell);
	}
}
