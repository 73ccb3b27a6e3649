// SPDX-License-Identifier: GPL-2.0-only
/* Events and changes as sentences. */

#include <stdio.h>
#include <string.h>

#include "event.h"
#include "names.h"

struct words {
	const char *client;	/* type and kind of the client */
	const char *target;
	const char *refuser;
	const char *cause;
	const char *region;
	const char *value;
	const char *mark;
	bool unlimited;
	char rtt[64];		/* with brackets, or empty */
	char suppressed[64];
};

static void region_words(const struct words *w, const char *says,
			 const char *mark, char *buf, size_t len)
{
	if (!w->value) {
		snprintf(buf, len, "%s%s: not reported any more", w->target,
			 w->region);
		return;
	}
	snprintf(buf, len, "%s%s: %s%% %s, %s %s%%", w->target, w->region,
		 w->value, says, mark, w->mark);
}

static void say(int type, const struct words *w, char *buf, size_t len)
{
	switch (type) {
	case RESMON_EVENT_TYPE_VERDICT:
		snprintf(buf, len, "%s%s denied: %s by %s%s", w->target,
			 w->client, w->cause, w->refuser, w->suppressed);
		break;
	case RESMON_EVENT_TYPE_LIMIT_WARN:
		snprintf(buf, len, "%s%s: %s sessions, limit %s: warning mark reached",
			 w->target, w->client, w->value, w->mark);
		break;
	case RESMON_EVENT_TYPE_LIMIT_CLEAR:
		if (w->unlimited) {
			snprintf(buf, len, "%s%s: %s sessions, no limit any more",
				 w->target, w->client, w->value);
			break;
		}
		snprintf(buf, len, "%s%s: %s sessions, limit %s: under the warning mark again",
			 w->target, w->client, w->value, w->mark);
		break;
	case RESMON_EVENT_TYPE_THROTTLE:
		snprintf(buf, len, "%s: throttle %s%%, was %s%%%s", w->target,
			 w->value, w->mark, w->rtt);
		break;
	case RESMON_EVENT_TYPE_ECHO_SILENT:
		snprintf(buf, len, "%s: only unanswered probes, throttle stays at %s%%",
			 w->target, w->value);
		break;
	case RESMON_EVENT_TYPE_ECHO_UP:
		snprintf(buf, len, "%s: echo agent registered", w->target);
		break;
	case RESMON_EVENT_TYPE_ECHO_DOWN:
		snprintf(buf, len, "%s: echo agent gone", w->target);
		break;
	case RESMON_EVENT_TYPE_ECHO_GONE:
		snprintf(buf, len, "%s: echo agent gone for its lifetime, throttle released",
			 w->target);
		break;
	case RESMON_EVENT_TYPE_REGION_LOW:
		region_words(w, "free", "watermark", buf, len);
		break;
	case RESMON_EVENT_TYPE_REGION_CLEAR:
		region_words(w, "free, clear again", "watermark", buf, len);
		break;
	case RESMON_EVENT_TYPE_REGION_HIGH:
		region_words(w, "used", "high-threshold", buf, len);
		break;
	case RESMON_EVENT_TYPE_REGION_NORMAL:
		region_words(w, "used, normal again", "high-threshold", buf,
			     len);
		break;
	case RESMON_EVENT_TYPE_DRAINED:
		snprintf(buf, len, "%s: drained, no session left", w->target);
		break;
	}
}

/* An event of a newer kernel is printed field by field. */
void event_text(struct json_object *rec, char *buf, size_t len)
{
	const char *type = rec_word(rec, "type"), *pfe = rec_word(rec, "pfe");
	const char *kind = rec_word(rec, "kind"), *ms;
	char target[128], refuser[128], client[64] = "", region[64] = "";
	struct words w = {
		.client = client, .target = target, .refuser = refuser,
		.region = region,
		.cause = rec_word(rec, "cause") ?: "?",
		.value = rec_word(rec, "value"),
		.mark = rec_word(rec, "mark") ?: "?",
		.unlimited = !rec_get(rec, "mark"),
	};
	char rtt[32];

	cell_target(rec, "target", target, sizeof(target));
	cell_target(rec, "refuser", refuser, sizeof(refuser));
	if (rec_get(rec, "client-type"))
		snprintf(client, sizeof(client), " %s%s%s",
			 rec_word(rec, "client-type"), kind ? " " : "",
			 kind ?: "");
	if (rec_get(rec, "region"))
		snprintf(region, sizeof(region), "%s%s %s",
			 pfe ? " pfe " : "", pfe ?: "",
			 rec_word(rec, "region"));
	cell_ms(rec, "rtt-us", rtt, sizeof(rtt));
	ms = rec_get(rec, "rtt-us") ? rtt : NULL;
	if (ms)
		snprintf(w.rtt, sizeof(w.rtt), " (RTT %s ms)", ms);
	if (rec_num_or(rec, "suppressed", 0))
		snprintf(w.suppressed, sizeof(w.suppressed),
			 " (%s more not shown)", rec_word(rec, "suppressed"));
	if (!w.value && !region[0])
		w.value = "?";
	buf[0] = '\0';
	if (type)
		say(names_find(&names_event_type, type), &w, buf, len);
	if (!buf[0])
		record_text(rec, buf, len);
}

/* device-ntf is a change of a device, device-del-ntf its end. */
void config_text(const char *op, struct json_object *rec, char *buf,
		 size_t len)
{
	size_t n = strlen(op);
	bool gone = n > 8 && !strcmp(op + n - 8, "-del-ntf");
	char fields[1500];

	if (gone)
		n -= 8;
	else if (n > 4 && !strcmp(op + n - 4, "-ntf"))
		n -= 4;
	record_text(rec, fields, sizeof(fields));
	snprintf(buf, len, "%.*s %s%s%s", (int)n, op,
		 gone ? "removed" : "changed", fields[0] ? ": " : "", fields);
}
