// SPDX-License-Identifier: GPL-2.0-only
/* enforce: how the login traffic of daemons that know nothing of us is treated. */

#include <string.h>

#include "names.h"
#include "out.h"
#include "rmctl.h"
#include "sockets.h"
#include "xdp.h"

#define ON_PLACE	(ON(PORT) | ON(LAG))

/* Of the attribute dual-stack, which is a number. */
static const char * const households_words[] = { NULL, "one", "two" };
static const struct names names_households = { households_words, 3 };

static const struct arg set_args[] = {
	{ .meta = "port DEV|lag DEV", .type = ARG_TARGET, .flags = ARG_MUST,
	  .attr = RESMON_A_ENFORCE_TARGET, .elements = ON_PLACE },
	{ "pppoe", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_PPPOE,
	  .names = &names_action },
	{ "dhcp4", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_DHCP4,
	  .names = &names_action },
	{ "dhcp6", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_DHCP6,
	  .names = &names_action },
	{ "l2tp", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_L2TP,
	  .names = &names_action },
	{ "mode", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_MODE,
	  .names = &names_enforce_mode },
	{ "key", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_KEY,
	  .names = &names_identity },
	{ "dual-stack", .type = ARG_WORD, .attr = RESMON_A_ENFORCE_DUAL_STACK,
	  .names = &names_households },
	{ "silence", .type = ARG_SECONDS_OFF,
	  .attr = RESMON_A_ENFORCE_SILENCE },
	{ "priority", .type = ARG_PRIORITY, .attr = RESMON_A_ENFORCE_PRIORITY,
	  .attr2 = RESMON_A_ENFORCE_VALUE, .names = &names_priority },
	{ 0 }
};

static const struct arg show_args[] = {
	{ .meta = "port DEV|lag DEV", .type = ARG_TARGET,
	  .attr = RESMON_A_ENFORCE_TARGET, .elements = ON_PLACE },
	{ 0 }
};

static const char *check_set(const struct parsed *p)
{
	const struct arg *arg;

	for (arg = p->command->args + 1; arg->type; arg++)
		if (args_get(p, arg->word))
			return NULL;
	return "nothing to set";
}

/*
 * The program is there before the mode, and goes after it: whoever arrives in
 * between is seen by the one or the other.
 */
static int run_set(struct ctx *ctx, const struct parsed *p)
{
	const struct target *target = &p->values[0].target;
	const struct value *mode = args_get(p, "mode");
	bool lag = target->kind == RESMON_ELEMENT_KIND_LAG, added = false;
	int err;

	if (mode && mode->num == RESMON_ENFORCE_MODE_XDP &&
	    xdp_attach(target->ifname, lag, &added))
		return STATUS_REFUSED;
	err = run_change(ctx, p);
	if (err ? added : mode && mode->num == RESMON_ENFORCE_MODE_HOOK)
		if (xdp_detach(target->ifname))
			return STATUS_REFUSED;
	return err;
}

static const char * const login_fields[] = { "pppoe", "dhcp4", "dhcp6", "l2tp" };

static bool all_off(struct json_object *rec)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(login_fields); i++) {
		const char *action = rec_word(rec, login_fields[i]);

		if (action && names_find(&names_action, action) !=
			      RESMON_ACTION_OFF)
			return false;
	}
	return true;
}

static void cell_households(struct json_object *rec, const char *field,
			    char *buf, size_t len)
{
	const char *word = names_word(&names_households,
				      rec_num_or(rec, field, 0));

	snprintf(buf, len, "%s", word ?: rec_word(rec, field) ?: "-");
}

static void cell_silence(struct json_object *rec, const char *field, char *buf,
			 size_t len)
{
	__u64 seconds = rec_num_or(rec, field, 0);

	if (seconds)
		snprintf(buf, len, "%llu s", seconds);
	else
		snprintf(buf, len, "off");
}

static void cell_priority(struct json_object *rec, const char *field,
			  char *buf, size_t len)
{
	const char *value = rec_word(rec, "value");

	snprintf(buf, len, "%s%s%s", rec_word(rec, field) ?: "-",
		 value ? " " : "", value ?: "");
}

/* The frames of a leg are seen by its lag. */
static void cell_where(struct json_object *rec, const char *field, char *buf,
		       size_t len)
{
	const char *lag = rec_word(rec, "lag");

	if (all_off(rec))
		snprintf(buf, len, "-");
	else if (rec_num_or(rec, field, 0))
		snprintf(buf, len, "here");
	else
		snprintf(buf, len, "%s%s", lag ? "lag " : "nowhere", lag ?: "");
}

static const struct column columns[] = {
	{ "Target", "target", cell_target, true },
	{ "PPPoE", "pppoe", .left = true },
	{ "DHCPv4", "dhcp4", .left = true },
	{ "DHCPv6", "dhcp6", .left = true },
	{ "L2TP", "l2tp", .left = true },
	{ "Mode", "mode", .left = true },
	{ "Key", "key", .left = true },
	{ "Dual-stack", "dual-stack", cell_households, true },
	{ "Silence", "silence", cell_silence },
	{ "Priority", "priority", cell_priority, true },
	{ "Seen", "attached", cell_where, true },
	{ 0 }
};

static const struct table table = { columns, "enforce was never set" };

/* What was counted, and what it means. */
static const struct {
	const char *field;
	const char *says;
} counters[] = {
	{ "malformed", "broken login traffic, passed untouched" },
	{ "dropped", "logins refused by silence" },
	{ "rejected", "logins refused with an answer" },
	{ "observed", "logins that would be refused, but the action is count" },
	{ "unenforced", "logins refused of clients that may go on without an answer" },
	{ "rogue", "answers of a server from the side of the subscribers" },
	{ "forged", "ends of a session that its sender does not have" },
	{ "foreign", "commits meant for another gateway or server" },
	{ "adopted", "sessions that were up before they were known" },
	{ "ghost", "places that moved to the new session of a subscriber" },
	{ "evicted", "first signs of life that made room for another's" },
	{ "full", "first signs of life for which there was no room" },
	{ "flights", "first signs of life that are undecided now" },
	{ "suspects", "sessions that are silent for too long now" },
	{ "offer-ms", "milliseconds from an offer to its commit" },
	{ "setup-ms", "milliseconds from the first sign of life to up" },
};

static const struct column counter_columns[] = {
	{ "Target", "target", cell_target, true },
	{ "Counter", "counter", .left = true },
	{ "Count", "count" },
	{ "Meaning", "meaning", .left = true },
	{ 0 }
};

static const struct table counter_table = { counter_columns, NULL };

static void add_text(struct json_object *row, const char *field,
		     const char *text)
{
	json_object_object_add(row, field, json_object_new_string(text));
}

static void add_counters(struct out *out, struct json_object *rec)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		__u64 n = rec_num_or(rec, counters[i].field, 0);
		struct json_object *row;

		if (!n)
			continue;
		row = json_object_new_object();
		json_object_object_add(row, "target",
				       json_object_get(rec_get(rec, "target")));
		add_text(row, "counter", counters[i].field);
		json_object_object_add(row, "count",
				       json_object_new_uint64(n));
		add_text(row, "meaning", counters[i].says);
		out_record(out, row);
	}
}

/* H7: who gets the frames before the hook does. */
static void print_sockets(struct json_object *rec)
{
	struct json_object *list = rec_get(rec, "sockets");
	const char *mode = rec_word(rec, "mode");
	char target[128];
	size_t i;

	if (all_off(rec) || !mode || names_find(&names_enforce_mode, mode) !=
				     RESMON_ENFORCE_MODE_HOOK)
		return;
	cell_target(rec, "target", target, sizeof(target));
	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		printf("%s: %s (pid %s) reads frames before the hook: mode xdp holds it back\n",
		       target, rec_word(one, "process") ?: "a process",
		       rec_word(one, "pid") ?: "unknown");
	}
}

/* Of mode xdp, whose program others can take away. */
static void print_program(struct json_object *rec)
{
	const char *mode = rec_word(rec, "mode");
	const char *ifname = rec_word(rec_get(rec, "target"), "ifname");
	char target[128];

	if (all_off(rec) || !ifname || !mode ||
	    names_find(&names_enforce_mode, mode) != RESMON_ENFORCE_MODE_XDP ||
	    xdp_look(ifname) != XDP_NOTHING)
		return;
	cell_target(rec, "target", target, sizeof(target));
	printf("%s: the program of mode xdp is gone, set the mode again\n",
	       target);
}

/* The table of settings, or all records as JSON. */
static int print_settings(struct ctx *ctx, struct json_object *list)
{
	struct out out;
	size_t i;

	out_begin(&out, ctx, &table);
	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *rec = json_object_array_get_idx(list, i);

		out_record(&out, json_object_get(rec));
	}
	return out_end(&out);
}

static int print_tables(struct ctx *ctx, struct json_object *list)
{
	size_t n = json_object_array_length(list), i;
	struct out out;
	int err;

	err = print_settings(ctx, list);
	if (err || !n)
		return err;
	out_begin(&out, ctx, &counter_table);
	for (i = 0; i < n; i++)
		add_counters(&out, json_object_array_get_idx(list, i));
	if (out.n_rows)
		putchar('\n');
	err = out_end(&out);
	if (err)
		return err;
	putchar('\n');
	for (i = 0; i < n; i++) {
		print_sockets(json_object_array_get_idx(list, i));
		print_program(json_object_array_get_idx(list, i));
	}
	/* H11: they have no login message. */
	puts("never seen: SLAAC-only, static, ARP- or IP-triggered and 802.1X subscribers");
	return out_check();
}

static int print_json(struct ctx *ctx, const struct parsed *p,
		      struct json_object *list)
{
	if (json_object_array_length(list) == 1 && args_any_attr(p)) {
		json_print(ctx, json_object_array_get_idx(list, 0));
		return out_check();
	}
	return print_settings(ctx, list);
}

/* The value of a priority as the user types it; its kind says what it is. */
static void write_value(struct json_object *rec, const struct reply *reply)
{
	const struct nlattr *nla = nla_find(reply->attrs, reply->len,
					    RESMON_A_ENFORCE_VALUE);
	const char *word = rec_word(rec, "priority");
	int kind = word ? names_find(&names_priority, word) : -1;
	const unsigned char *b = nla ? nla_data(nla) : NULL;
	int len = nla ? nla_len(nla) : 0;
	char text[32];

	if (kind == RESMON_PRIORITY_VLAN && len == 2)
		snprintf(text, sizeof(text), "%u", b[0] << 8 | b[1]);
	else if (kind == RESMON_PRIORITY_VLAN && len == 4)
		snprintf(text, sizeof(text), "%u.%u", b[0] << 8 | b[1],
			 b[2] << 8 | b[3]);
	else if (kind == RESMON_PRIORITY_MAC && len == 6)
		snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x",
			 b[0], b[1], b[2], b[3], b[4], b[5]);
	else
		return;
	json_object_object_add(rec, "value", json_object_new_string(text));
}

/* Legs have the name of their lag: it sees their frames. */
static void add_lags(struct ctx *ctx, struct json_object *list)
{
	struct replies replies;
	struct reply *reply;
	size_t i;

	replies_init(&replies);
	if (rq_get_all(ctx, RESMON_CMD_PORT_GET, &replies))
		goto free;
	for (reply = replies.first; reply; reply = reply->next) {
		struct json_object *port = decode_reply(reply);
		struct json_object *lag = rec_get(port, "lag-ifname");
		__u64 ifindex = rec_num_or(port, "ifindex", 0);

		for (i = 0; lag && i < json_object_array_length(list); i++) {
			struct json_object *rec =
				json_object_array_get_idx(list, i);

			if (rec_num_or(rec_get(rec, "target"), "ifindex", 0) ==
			    ifindex)
				json_object_object_add(rec, "lag",
						       json_object_get(lag));
		}
		json_object_put(port);
	}
free:
	replies_free(&replies);
}

static int run(struct ctx *ctx, const struct parsed *p)
{
	struct json_object *list = json_object_new_array();
	struct json_object *sockets = sockets_read();
	struct replies replies;
	struct reply *reply;
	int err;

	replies_init(&replies);
	err = rq_parsed(ctx, p, &replies);
	for (reply = replies.first; !err && reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);
		__u64 ifindex = rec_num_or(rec_get(rec, "target"), "ifindex",
					   0);

		write_value(rec, reply);
		json_object_object_add(rec, "sockets",
				       sockets_before(sockets, ifindex));
		json_object_array_add(list, rec);
	}
	replies_free(&replies);
	if (!err) {
		add_lags(ctx, list);
		err = ctx->json ? print_json(ctx, p, list) :
				  print_tables(ctx, list);
	}
	json_object_put(sockets);
	json_object_put(list);
	return err;
}

static const struct command commands[] = {
	{ "set", "what becomes of denied logins, what is not named stays",
	  .args = set_args, .cmd = RESMON_CMD_ENFORCE_SET, .check = check_set,
	  .run = run_set },
	{ "show", "settings, counters, and who sees frames too early",
	  .args = show_args, .cmd = RESMON_CMD_ENFORCE_GET,
	  .show = SHOW_EITHER, .table = &table, .run = run },
	{ 0 }
};

const struct object object_enforce = {
	"enforce", "login traffic of daemons that do not ask", commands
};
