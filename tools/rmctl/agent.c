// SPDX-License-Identifier: GPL-2.0-only
/*
 * An echo agent: the responder of a line card. It answers every probe after a
 * delay, counted from the time in the probe, so that the round trip time the
 * module sees is the delay and not the delay plus how late we were woken.
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "agent.h"
#include "nl.h"
#include "out.h"
#include "signals.h"

#define NSEC_PER_MSEC	1000000ull
#define NSEC_PER_USEC	1000ull
#define DELAY_MAX	(600000 * NSEC_PER_MSEC)
/* We sleep until so long before an answer is due, then watch the clock. */
#define SPIN		(200 * NSEC_PER_USEC)
#define WAITING_MAX	4096
#define NEVER		UINT64_MAX

struct probe {
	__u32 seq;
	__u64 due;		/* CLOCK_BOOTTIME */
};

struct agent {
	struct ctx *ctx;
	const struct parsed *p;
	__u32 device;
	__u64 delay;		/* nanoseconds */
	const char *file;	/* NULL: delay stays */
	__u64 *delays;	/* one a probe; NEVER: no answer */
	size_t n_delays;
	__u64 drop;		/* every so many probes one is not answered */
	bool started;
	__u32 first;		/* number of the first probe */
	bool silent;
	bool failed;
	struct probe waiting[WAITING_MAX];
	size_t n_waiting;
};

static __u64 now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* "1158,900,-": milliseconds each, - for no answer. NULL when malformed. */
static __u64 *parse_delays(const char *text, size_t *n)
{
	__u64 *list = NULL;

	for (*n = 0; ; text++) {
		size_t len = strcspn(text, ",");
		__u64 *more;
		char one[32];

		more = realloc(list, (*n + 1) * sizeof(*list));
		if (!more || len >= sizeof(one))
			goto bad;
		list = more;
		memcpy(one, text, len);
		one[len] = '\0';
		if (!strcmp(one, "-"))
			list[*n] = NEVER;
		else if (parse_milli(one, NSEC_PER_MSEC, DELAY_MAX, &list[*n]))
			goto bad;
		++*n;
		text += len;
		if (!*text)
			return list;
	}
bad:
	free(list);
	return NULL;
}

const char *agent_check(const struct parsed *p)
{
	const struct value *v = args_get(p, "delays");
	__u64 *list;
	size_t n;

	if (!!v + !!args_get(p, "delay") + !!args_get(p, "delay-file") > 1)
		return "only one of delay, delays and delay-file";
	if (args_get(p, "drop") && !args_num(p, "drop", 0))
		return "drop counts from 1";
	if (!v)
		return NULL;
	list = parse_delays(v->text, &n);
	free(list);
	return list ? NULL :
		      "delays is a list of milliseconds, - for no answer";
}

/* A file that cannot be read just now (being replaced) changes nothing. */
static void read_delay(struct agent *a)
{
	FILE *file = fopen(a->file, "re");
	char text[32] = "";
	__u64 delay;

	if (!file)
		return;
	if (fscanf(file, "%31s", text) == 1 &&
	    !parse_milli(text, NSEC_PER_MSEC, DELAY_MAX, &delay))
		a->delay = delay;
	fclose(file);
}

static __u64 delay_of(struct agent *a, __u32 seq)
{
	__u32 nth = seq - a->first;

	if (a->drop && (nth + 1) % a->drop == 0)
		return NEVER;
	if (a->n_delays)
		return a->delays[nth < a->n_delays ? nth : a->n_delays - 1];
	if (a->file)
		read_delay(a);
	return a->delay;
}

static void probe_take(struct agent *a, struct json_object *rec)
{
	__u64 device, seq, time, delay;

	if (!rec_num(rec, "device", &device) || device != a->device ||
	    !rec_num(rec, "seq", &seq))
		return;
	if (!a->started) {
		a->started = true;
		a->first = seq;
	}
	delay = delay_of(a, seq);
	if (a->silent || delay == NEVER || a->n_waiting == WAITING_MAX)
		return;
	time = rec_num_or(rec, "time-ns", now());
	a->waiting[a->n_waiting].seq = seq;
	a->waiting[a->n_waiting].due = time + delay;
	a->n_waiting++;
}

static int on_probe(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct agent *a = arg;
	struct json_object *rec;
	struct genlmsghdr *hdr;

	if (nlh->nlmsg_type != a->ctx->family || !genlmsg_valid_hdr(nlh, 0))
		return NL_OK;
	hdr = genlmsg_hdr(nlh);
	if (hdr->cmd != RESMON_CMD_ECHO_PROBE)
		return NL_OK;
	rec = decode(&set_echo, genlmsg_attrdata(hdr, 0),
		     genlmsg_attrlen(hdr, 0));
	probe_take(a, rec);
	json_object_put(rec);
	return NL_OK;
}

/* An answer was refused: the device is gone, or another agent has it. */
static int on_refusal(struct sockaddr_nl *from, struct nlmsgerr *err,
		      void *arg)
{
	struct agent *a = arg;
	struct request rq = { .cmd = RESMON_CMD_ECHO_REPLY, .items = &a->p,
			      .n_items = 1 };

	(void)from;
	rq_refused(&rq, err);
	a->failed = true;
	return NL_SKIP;
}

static int any_seq(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_OK;
}

static int answer(struct agent *a, __u32 seq)
{
	struct nl_msg *msg = rq_new(a->ctx, RESMON_CMD_ECHO_REPLY, 0);
	int err;

	if (!msg)
		return -1;
	nla_put_u32(msg, RESMON_A_ECHO_DEVICE, a->device);
	nla_put_u32(msg, RESMON_A_ECHO_SEQ, seq);
	err = rq_send(a->ctx, msg);
	nlmsg_free(msg);
	if (err < 0)
		fprintf(stderr, "rmctl: echo agent: %s\n", nl_geterror(err));
	return err < 0 ? -1 : 0;
}

static struct probe *next_due(struct agent *a)
{
	struct probe *first = NULL;
	size_t i;

	for (i = 0; i < a->n_waiting; i++)
		if (!first || a->waiting[i].due < first->due)
			first = &a->waiting[i];
	return first;
}

/* Answers what is due; says how long to sleep, NULL for until a probe. */
static struct timespec *answer_due(struct agent *a, struct timespec *ts)
{
	struct probe *first;

	while ((first = next_due(a))) {
		__u64 t = now();
		__u32 seq = first->seq;

		if (t + SPIN < first->due) {
			t = first->due - SPIN - t;
			ts->tv_sec = t / 1000000000;
			ts->tv_nsec = t % 1000000000;
			return ts;
		}
		while (now() < first->due)
			;
		*first = a->waiting[--a->n_waiting];
		if (answer(a, seq))
			a->failed = true;
	}
	return NULL;
}

static void say(const char *what)
{
	puts(what);
	fflush(stdout);
}

/* Takes the signals that came; false: one of them ends us. */
static bool go_on(struct agent *a, int signals)
{
	int sig;

	while ((sig = signals_next(signals))) {
		if (sig != SIGUSR1)
			return false;
		a->silent = !a->silent;
		a->n_waiting = 0;
		say(a->silent ? "silent" : "answering");
	}
	return true;
}

static int loop(struct agent *a, struct nl_cb *cb, int signals)
{
	struct pollfd fds[] = {
		{ .fd = nl_socket_get_fd(a->ctx->sk), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	struct timespec ts;
	int err;

	nl_socket_set_nonblocking(a->ctx->sk);
	while (go_on(a, signals)) {
		struct timespec *timeout = answer_due(a, &ts);

		if (a->failed)
			return STATUS_REFUSED;
		if (ppoll(fds, ARRAY_SIZE(fds), timeout, NULL) <= 0 ||
		    !fds[0].revents)
			continue;
		err = nl_recvmsgs(a->ctx->sk, cb);
		/* NOMEM is how libnl tells ENOBUFS: a probe was lost. */
		if (err < 0 && err != -NLE_AGAIN && err != -NLE_NOMEM &&
		    err != -NLE_INTR) {
			fprintf(stderr, "rmctl: echo agent: %s\n",
				nl_geterror(err));
			return STATUS_REFUSED;
		}
	}
	return 0;
}

static int serve(struct agent *a)
{
	struct replies early;
	struct reply *reply;
	struct nl_cb *cb;
	int signals, err;

	signals = signals_open();
	/* The kernel wakes us when we ask, not up to 50 us later. */
	prctl(PR_SET_TIMERSLACK, 1);
	replies_init(&early);
	err = rq_parsed(a->ctx, a->p, &early);
	if (err)
		return err;
	printf("registered device %u\n", a->device);
	fflush(stdout);
	/* A probe can have come before the ack. */
	for (reply = early.first; reply; reply = reply->next) {
		struct json_object *rec = decode_reply(reply);

		if (reply->cmd == RESMON_CMD_ECHO_PROBE)
			probe_take(a, rec);
		json_object_put(rec);
	}
	replies_free(&early);

	cb = nl_cb_alloc(NL_CB_DEFAULT);
	if (!cb)
		return STATUS_REFUSED;
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_probe, a);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, any_seq, NULL);
	nl_cb_err(cb, NL_CB_CUSTOM, on_refusal, a);
	err = loop(a, cb, signals);
	nl_cb_put(cb);
	return err;
}

int agent_run(struct ctx *ctx, const struct parsed *p)
{
	const struct value *file = args_get(p, "delay-file");
	const struct value *delays = args_get(p, "delays");
	struct agent *a = calloc(1, sizeof(*a));
	int err;

	if (!a)
		return STATUS_REFUSED;
	a->ctx = ctx;
	a->p = p;
	a->device = args_num(p, "device", 0);
	a->delay = args_num(p, "delay", 0) * NSEC_PER_USEC;
	a->file = file ? file->text : NULL;
	a->drop = args_num(p, "drop", 0);
	if (delays)
		a->delays = parse_delays(delays->text, &a->n_delays);
	err = serve(a);
	free(a->delays);
	free(a);
	return err;
}
