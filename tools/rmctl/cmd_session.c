// SPDX-License-Identifier: GPL-2.0-only
/* session: ask for admission, and what was admitted. */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "import.h"
#include "out.h"
#include "rmctl.h"

/* From so many requests on only the sum is printed. */
#define BRIEF		16
#define WORDS_MAX	64

#define ON_PORT	(ON(PORT) | ON(LAG))

static const struct arg admit_args[] = {
	{ .type = ARG_TARGET, .flags = ARG_MUST,
	  .attr = RESMON_A_REQUEST_TARGET, .elements = ON_PORT },
	{ "type", .type = ARG_WORD, .flags = ARG_MUST,
	  .attr = RESMON_A_REQUEST_TYPE, .names = &names_type },
	{ "key", .type = ARG_KEY, .attr = RESMON_A_REQUEST_KEY },
	{ "vlan", .type = ARG_VLAN, .attr = RESMON_A_REQUEST_VLAN_OUTER,
	  .attr2 = RESMON_A_REQUEST_VLAN_INNER },
	{ "kind", .type = ARG_WORD, .attr = RESMON_A_REQUEST_KIND,
	  .names = &names_kind },
	{ "on", "ID", ARG_U32, .attr = RESMON_A_REQUEST_ON_ID },
	{ "queues", .type = ARG_FLAG, .attr = RESMON_A_REQUEST_QUEUES },
	{ "priority", .type = ARG_FLAG, .attr = RESMON_A_REQUEST_PRIORITY },
	{ "owner", .type = ARG_FLAG, .attr = RESMON_A_REQUEST_OWNER },
	{ "active", .type = ARG_FLAG, .attr = RESMON_A_REQUEST_ACTIVE },
	{ "count", "N", ARG_U32 },
	{ 0 }
};

static const struct arg activate_args[] = {
	{ .meta = "ID", .type = ARG_U32, .flags = ARG_MUST,
	  .attr = RESMON_A_REQUEST_ID },
	{ 0 }
};

static const struct arg release_args[] = {
	{ .meta = "ID", .type = ARG_U32, .attr = RESMON_A_REQUEST_ID },
	{ "key", .type = ARG_KEY, .attr = RESMON_A_REQUEST_KEY },
	{ .type = ARG_TARGET, .attr = RESMON_A_REQUEST_TARGET,
	  .elements = ON_ANY },
	{ "type", .type = ARG_WORD, .attr = RESMON_A_REQUEST_TYPE,
	  .names = &names_type },
	{ "vlan", .type = ARG_VLAN, .attr = RESMON_A_REQUEST_VLAN_OUTER,
	  .attr2 = RESMON_A_REQUEST_VLAN_INNER },
	{ "all", .type = ARG_FLAG, .attr = RESMON_A_REQUEST_ALL },
	{ 0 }
};

static const struct arg show_args[] = {
	{ .meta = "ID", .type = ARG_U32, .attr = RESMON_A_SESSION_ID },
	{ .type = ARG_TARGET, .attr = RESMON_A_SESSION_TARGET,
	  .elements = ON_ANY },
	{ "type", .type = ARG_WORD, .attr = RESMON_A_SESSION_TYPE,
	  .names = &names_type },
	{ "state", .type = ARG_WORD, .attr = RESMON_A_SESSION_STATE,
	  .names = &names_state },
	{ 0 }
};

static const struct arg count_args[] = {
	{ .type = ARG_TARGET, .attr = RESMON_A_SESSION_TARGET,
	  .elements = ON_ANY },
	{ "type", .type = ARG_WORD, .attr = RESMON_A_SESSION_TYPE,
	  .names = &names_type },
	{ 0 }
};

static const struct arg import_args[] = {
	{ "pppoe", .type = ARG_FLAG },
	{ "leases", "FILE", ARG_TEXT, .complete = "file" },
	{ .type = ARG_TARGET, .attr = RESMON_A_REQUEST_TARGET,
	  .elements = ON_PORT },
	{ 0 }
};

static const char *check_admit(const struct parsed *p)
{
	if (args_get(p, "count") && !args_num(p, "count", 1))
		return "count must be at least 1";
	if (args_num(p, "kind", RESMON_KIND_CLIENT) == RESMON_KIND_SERVICE &&
	    !args_get(p, "on"))
		return "a service needs on ID";
	return NULL;
}

static bool given(const struct parsed *p, enum arg_type type)
{
	unsigned int i;

	for (i = 0; p->command->args[i].type; i++)
		if (p->command->args[i].type == type)
			return p->values[i].given;
	return false;
}

static const char *check_release(const struct parsed *p)
{
	bool key = args_get(p, "key"), target = given(p, ARG_TARGET);
	int forms = !!args_get(p, "ID") + !!args_get(p, "all") +
		    (key || target);

	if (!forms)
		return "say which: ID, key TEXT port DEV, TARGET or all";
	if (forms > 1)
		return "only one of ID, key TEXT port DEV, TARGET and all";
	if (key && !target)
		return "a key needs port DEV or lag DEV beside it";
	if (!key && (args_get(p, "type") || args_get(p, "vlan")))
		return "type and vlan go with a key";
	return NULL;
}

static const char *check_show(const struct parsed *p)
{
	if (args_get(p, "ID") && (given(p, ARG_TARGET) ||
				  args_get(p, "type") || args_get(p, "state")))
		return "an ID stands alone";
	return NULL;
}

static const char *check_import(const struct parsed *p)
{
	if (!args_get(p, "pppoe") == !args_get(p, "leases"))
		return "say which: pppoe or leases FILE";
	if (args_get(p, "pppoe") && given(p, ARG_TARGET))
		return "the sessions of pppoe tell where they are";
	return NULL;
}

/* A request, or count of them with keys of their own. */
static int add_parsed(struct batch *b, const struct parsed *p)
{
	__u64 n = args_num(p, "count", 1), i;
	char suffix[16];
	int err = 0;

	for (i = 1; !err && i <= n; i++) {
		snprintf(suffix, sizeof(suffix), "-%llu", i);
		err = batch_add(b, p, n > 1 ? suffix : NULL);
	}
	return err;
}

/* What one line of standard input said; kept until it was sent. */
struct line {
	struct line *next;
	struct parsed parsed;
	char where[32];
	char *argv[WORDS_MAX];
	char *text;
};

static void lines_free(struct line **lines)
{
	struct line *line;

	while ((line = *lines)) {
		*lines = line->next;
		free(line->text);
		free(line);
	}
}

static int line_add(struct batch *b, const struct parsed *p,
		    struct line **lines, const char *text, unsigned int number)
{
	struct line *line = calloc(1, sizeof(*line));
	char *save = NULL, *word;
	int argc = 0, err;

	if (!line)
		return STATUS_REFUSED;
	line->next = *lines;
	*lines = line;
	line->text = strdup(text);
	if (!line->text)
		return STATUS_REFUSED;
	snprintf(line->where, sizeof(line->where), "line %u: ", number);
	line->parsed.object = p->object;
	line->parsed.command = p->command;
	line->parsed.where = line->where;
	for (word = strtok_r(line->text, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		if (argc == WORDS_MAX)
			return usage_error(&line->parsed, "too many words");
		line->argv[argc++] = word;
	}
	err = args_parse(&line->parsed, argc, line->argv);
	return err ?: add_parsed(b, &line->parsed);
}

/* An empty line sends what has been read; # begins a comment. */
static int read_lines(struct batch *b, const struct parsed *p)
{
	struct line *lines = NULL;
	unsigned int number = 0;
	char *text = NULL;
	size_t size = 0;
	int err = 0;

	b->brief = false;
	while (!err && getline(&text, &size, stdin) >= 0) {
		text[strcspn(text, "\r\n")] = '\0';
		number++;
		if (text[0] == '#')
			continue;
		if (text[strspn(text, " \t")]) {
			err = line_add(b, p, &lines, text, number);
		} else {
			err = batch_flush(b);
			fflush(stdout);
		}
		if (!b->n)
			lines_free(&lines);
	}
	/* What was right before a wrong line is not sent. */
	if (!err)
		err = batch_flush(b);
	lines_free(&lines);
	free(text);
	return err;
}

static bool owns(const struct batch *b, const struct parsed *p)
{
	return p->command->cmd == RESMON_CMD_SESSION_ADMIT && b->admitted &&
	       args_get(p, "owner");
}

/* The sessions live as long as our socket: keep it until a signal. */
static void wait_signal(void)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &sig);
}

static int run_batch(struct ctx *ctx, const struct parsed *p)
{
	struct batch *b = malloc(sizeof(*b));
	int err, result;

	if (!b)
		return STATUS_REFUSED;
	err = batch_begin(b, ctx, p->command->cmd);
	if (err) {
		free(b);
		return err;
	}
	b->brief = args_num(p, "count", 1) >= BRIEF;
	err = p->from_stdin ? read_lines(b, p) : add_parsed(b, p);
	if (!err)
		err = batch_flush(b);
	result = batch_end(b);
	if (owns(b, p))
		wait_signal();
	free(b);
	return err ?: result;
}

static int run_count(struct ctx *ctx, const struct parsed *p)
{
	struct replies replies;
	struct json_object *rec;
	int err;

	replies_init(&replies);
	err = rq_parsed(ctx, p, &replies);
	if (err || !replies.first)
		goto free;
	rec = decode_reply(replies.first);
	if (ctx->json)
		json_print(ctx, rec);
	else
		printf("%s sessions, %s starting\n",
		       rec_word(rec, "count") ?: "0",
		       rec_word(rec, "count-starting") ?: "0");
	json_object_put(rec);
	err = out_check();
free:
	replies_free(&replies);
	return err;
}

/* By id it is a request for one, else a dump. */
static int run_show_sessions(struct ctx *ctx, const struct parsed *p)
{
	struct command command = *p->command;
	struct parsed copy = *p;

	command.show = args_get(p, "ID") ? SHOW_EITHER : SHOW_ALL;
	copy.command = &command;
	return run_show(ctx, &copy);
}

static const struct column columns[] = {
	{ "Id", "id" },
	{ "Target", "target", cell_target, true },
	{ "Vlan", "vlan-outer", cell_vlan, true },
	{ "Type", "type", .left = true },
	{ "Kind", "kind", .left = true },
	{ "On", "on-id" },
	{ "State", "state", .left = true },
	{ "Age s", "age" },
	{ "Expires s", "expires" },
	{ "Owner", "owner-id" },
	{ "Key", "key", .left = true },
	{ 0 }
};

static const struct table table = { columns, "no sessions" };

static const struct command commands[] = {
	{ "admit", "ask for admission; - reads requests, one a line",
	  .args = admit_args, .cmd = RESMON_CMD_SESSION_ADMIT,
	  .stdin_ok = true, .check = check_admit, .run = run_batch },
	{ "activate", "the session is up now; - reads ids, one a line",
	  .args = activate_args, .cmd = RESMON_CMD_SESSION_ACTIVATE,
	  .stdin_ok = true, .run = run_batch },
	{ "release", "end sessions; - reads requests, one a line",
	  .usage = "ID | key TEXT port DEV [type TYPE] [vlan V[.V]] | TARGET | all",
	  .args = release_args, .cmd = RESMON_CMD_SESSION_RELEASE,
	  .stdin_ok = true, .check = check_release, .run = run_batch },
	{ "import", "enter sessions that are up already, from the kernel or from a lease file",
	  .usage = "pppoe | leases FILE [port DEV|lag DEV]",
	  .args = import_args, .cmd = RESMON_CMD_SESSION_IMPORT,
	  .check = check_import, .run = run_import },
	{ "show", "sessions", .usage = "[ID] | [TARGET] [type TYPE] [state STATE]",
	  .args = show_args, .cmd = RESMON_CMD_SESSION_GET, .table = &table,
	  .check = check_show, .run = run_show_sessions },
	{ "count", "how many client sessions an element has",
	  .args = count_args, .cmd = RESMON_CMD_SESSION_COUNT,
	  .show = SHOW_ONE, .run = run_count },
	{ 0 }
};

const struct object object_session = {
	"session", "what was admitted", commands
};
