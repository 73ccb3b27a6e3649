// SPDX-License-Identifier: GPL-2.0-only
/* rtt: the throttle on the round trip time to line cards. */

#include "names.h"
#include "out.h"
#include "rmctl.h"

#define ON_RTT	(ON(DEVICE) | ON(LAG) | ON(PORT))

static const struct arg set_args[] = {
	{ .type = ARG_TARGET, .flags = ARG_MUST, .attr = RESMON_A_RTT_TARGET,
	  .elements = ON_RTT },
	{ "threshold", .type = ARG_MS, .attr = RESMON_A_RTT_THRESHOLD_US },
	{ "count", "N", ARG_U32, .attr = RESMON_A_RTT_COUNT },
	{ "law", .type = ARG_WORD, .attr = RESMON_A_RTT_LAW,
	  .names = &names_law },
	{ "step", "PCT", ARG_U32, .attr = RESMON_A_RTT_STEP },
	{ "max", "PCT", ARG_U32, .attr = RESMON_A_RTT_MAX_PCT },
	{ "silent-max", "PCT", ARG_U32, .attr = RESMON_A_RTT_SILENT_MAX },
	{ "lifetime", "SEC", ARG_U32, .attr = RESMON_A_RTT_LIFETIME },
	{ "recovery", .type = ARG_WORD, .attr = RESMON_A_RTT_RECOVERY,
	  .names = &names_recovery },
	{ "hold", "SEC", ARG_U32, .attr = RESMON_A_RTT_HOLD },
	{ "back", "PCT", ARG_U32, .attr = RESMON_A_RTT_BACK },
	{ "select", .type = ARG_WORD, .attr = RESMON_A_RTT_SELECT,
	  .names = &names_select },
	{ "epoch", "SEC", ARG_U32, .attr = RESMON_A_RTT_EPOCH },
	{ 0 }
};

static const struct arg reset_args[] = {
	{ .type = ARG_TARGET, .flags = ARG_MUST, .attr = RESMON_A_RTT_TARGET,
	  .elements = ON_RTT },
	{ 0 }
};

static const struct arg show_args[] = {
	{ .type = ARG_TARGET, .attr = RESMON_A_RTT_TARGET,
	  .elements = ON_RTT },
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

/* E3: the run that the last measurement belongs to. */
static void cell_run(struct json_object *rec, const char *field, char *buf,
		     size_t len)
{
	const char *n = rec_word(rec, field);

	if (!n || !rec_get(rec, "rtt-us"))
		snprintf(buf, len, "--");
	else
		snprintf(buf, len, "%s %s", n,
			 rec_num_or(rec, "exceeded", 0) ? "over" : "under");
}

/* E5, L: what happens on the way up and on the way down. */
static void cell_recovery(struct json_object *rec, const char *field,
			  char *buf, size_t len)
{
	const char *how = rec_word(rec, field);

	if (how && names_find(&names_recovery, how) == RESMON_RECOVERY_STEP)
		snprintf(buf, len, "%s %s%%/%ss", how,
			 rec_word(rec, "back") ?: "?",
			 rec_word(rec, "hold") ?: "?");
	else
		snprintf(buf, len, "%s", how ?: "-");
}

static void cell_law(struct json_object *rec, const char *field, char *buf,
		     size_t len)
{
	snprintf(buf, len, "%s %s%%", rec_word(rec, field) ?: "?",
		 rec_word(rec, "step") ?: "?");
}

static const struct column columns[] = {
	{ "Target", "target", cell_target, true },
	{ "RTT ms", "rtt-us", cell_ms },
	{ "Avg ms (n)", "avg-us", cell_avg },
	{ "Threshold", "threshold-us", cell_ms },
	{ "Run", "consecutive", cell_run },
	{ "Count", "count" },
	{ "Allowed", "allowed", cell_pct },
	{ "Law", "law", cell_law, true },
	{ "Max", "max-pct", cell_pct },
	{ "Recovery", "recovery", cell_recovery, true },
	{ "Select", "select", .left = true },
	{ "Measured", "measured" },
	{ "Over", "over" },
	{ "Unanswered", "unanswered" },
	{ "Raised", "raised" },
	{ 0 }
};

static const struct table table = { columns, "no throttles" };

static const struct command commands[] = {
	{ "set", "change the throttle of an element, what is not named stays",
	  .args = set_args, .cmd = RESMON_CMD_RTT_SET, .check = check_set,
	  .run = run_change },
	{ "reset", "defaults, and the throttle released", .args = reset_args,
	  .cmd = RESMON_CMD_RTT_RESET, .run = run_change },
	{ "show", "one throttle or all", .args = show_args,
	  .cmd = RESMON_CMD_RTT_GET, .show = SHOW_EITHER, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_rtt = {
	"rtt", "throttle on the round trip time to line cards", commands
};
