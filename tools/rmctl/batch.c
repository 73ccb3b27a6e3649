// SPDX-License-Identifier: GPL-2.0-only
/* Requests are sent in batches, answers are counted and printed. */

#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "names.h"

/* A request has a target, a key and some numbers; keys can be too long. */
#define MESSAGE_SIZE	(192 * 1024)

int batch_begin(struct batch *b, struct ctx *ctx, unsigned int cmd)
{
	int err;

	memset(b, 0, sizeof(*b));
	b->ctx = ctx;
	b->cmd = cmd;
	err = link_open(ctx);
	if (!err)
		out_begin(&b->out, ctx, NULL);
	return err;
}

/* @p must live until the batch is flushed. */
int batch_add(struct batch *b, const struct parsed *p, const char *suffix)
{
	struct nlattr *nest;

	if (!b->msg)
		b->msg = rq_new(b->ctx, b->cmd, MESSAGE_SIZE);
	if (!b->msg)
		return STATUS_REFUSED;
	nest = nla_nest_start(b->msg, RESMON_A_BATCH_REQUEST | NLA_F_NESTED);
	if (!nest || args_put(b->msg, p, suffix)) {
		fputs("rmctl: the requests do not fit into a message\n",
		      stderr);
		return STATUS_REFUSED;
	}
	nla_nest_end(b->msg, nest);
	b->items[b->n++] = p;
	return b->n == RESMON_BATCH_MAX ? batch_flush(b) : 0;
}

static void count_answer(struct batch *b, struct json_object *rec)
{
	const char *word = rec_word(rec, "verdict");
	const char *cause = rec_word(rec, "cause");
	int verdict = word ? names_find(&names_verdict, word) : -1;
	int n;

	if (rec_get(rec, "error")) {
		b->errors++;
		return;
	}
	b->released += rec_num_or(rec, "released", 0);
	if (verdict == RESMON_VERDICT_ADMIT) {
		b->admitted++;
		b->same += !!rec_num_or(rec, "same", 0);
	} else if (verdict == RESMON_VERDICT_DENY ||
		   verdict == RESMON_VERDICT_DROP) {
		b->denied++;
		n = cause ? names_find(&names_cause, cause) : -1;
		b->by_cause[n < 0 ? 0 : n]++;
	}
}

static void print_refusal(const struct batch *b, struct json_object *rec,
			  __u64 index)
{
	const char *message = rec_word(rec, "message");
	int error = json_object_get_int(rec_get(rec, "error"));
	const struct parsed *p = b->items[index - b->base];

	fprintf(stderr, "rmctl: %ssession %s: request %llu: %s", p->where,
		p->command->name, index, message ?: strerror(-error));
	fault_words(p, rec_num_or(rec, "bad-attr", 0), NULL);
	fputc('\n', stderr);
}

/* admit id 7 | deny cause rtt element device 0 retry 1200 ms */
static void print_answer(struct json_object *rec)
{
	const char *verdict = rec_word(rec, "verdict");
	const char *cause = rec_word(rec, "cause");
	char target[128];

	if (rec_get(rec, "released")) {
		printf("released %s\n", rec_word(rec, "released"));
		return;
	}
	printf("%s", verdict ?: "done");
	if (cause && names_find(&names_cause, cause) != RESMON_CAUSE_NONE)
		printf(" cause %s", cause);
	if (rec_get(rec, "target")) {
		target_text(rec_get(rec, "target"), target, sizeof(target));
		printf(" element %s", target);
	}
	if (rec_get(rec, "id"))
		printf(" id %s", rec_word(rec, "id"));
	if (rec_num_or(rec, "same", 0))
		printf(" same");
	if (rec_get(rec, "retry-ms"))
		printf(" retry %s ms", rec_word(rec, "retry-ms"));
	putchar('\n');
}

static void take_answer(void *arg, struct json_object *rec)
{
	struct batch *b = arg;
	__u64 index = rec_num_or(rec, "index", 0);

	count_answer(b, rec);
	if (index >= b->n)
		index = 0;
	index += b->base;
	if (rec_get(rec, "error"))
		print_refusal(b, rec, index);
	if (b->ctx->json) {
		/* Numbered through over all messages. */
		json_object_object_add(rec, "index",
				       json_object_new_uint64(index));
		out_record(&b->out, json_object_get(rec));
	} else if (!b->brief && !rec_get(rec, "error")) {
		print_answer(rec);
	}
}

/* The answers of all messages, in their order. */
void answers_take(const struct replies *replies, answer_fn *take, void *arg)
{
	const struct reply *reply;
	size_t i;

	for (reply = replies->first; reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);
		struct json_object *list = rec_get(rec, "answer");

		for (i = 0; list && i < json_object_array_length(list); i++)
			take(arg, json_object_array_get_idx(list, i));
		json_object_put(rec);
	}
}

int batch_flush(struct batch *b)
{
	struct request rq = { b->msg, b->cmd, b->items, b->n };
	struct replies replies;
	int err;

	if (!b->n)
		return 0;
	replies_init(&replies);
	err = rq_do(b->ctx, &rq, &replies);
	answers_take(&replies, take_answer, b);
	replies_free(&replies);
	nlmsg_free(b->msg);
	b->msg = NULL;
	b->base += b->n;
	b->n = 0;
	return err;
}

/* The sum of an admit; a release has its own word. */
static void print_sum(const struct batch *b)
{
	const char *sep = " (";
	unsigned int i;

	if (b->cmd != RESMON_CMD_SESSION_ADMIT) {
		printf("%llu requests, released %llu\n", b->base,
		       b->released);
		return;
	}
	printf("admitted %llu, denied %llu", b->admitted,
	       b->denied);
	for (i = 0; i <= RESMON_CAUSE_MAX; i++) {
		if (!b->by_cause[i])
			continue;
		printf("%s%s %llu", sep,
		       names_word(&names_cause, i) ?: "other", b->by_cause[i]);
		sep = ", ";
	}
	printf("%s, same %llu, errors %llu\n",
	       b->denied ? ")" : "", b->same, b->errors);
}

/* T1: an error is worse than a denial. */
int batch_end(struct batch *b)
{
	int err;

	if (b->ctx->json)
		puts("]");
	else if (b->brief)
		print_sum(b);
	err = out_check();
	nlmsg_free(b->msg);
	b->msg = NULL;
	if (err || b->errors)
		return STATUS_REFUSED;
	return b->denied ? STATUS_DENIED : 0;
}
