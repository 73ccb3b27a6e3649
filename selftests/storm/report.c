// SPDX-License-Identifier: GPL-2.0-only
/*
 * A round as text or as one line of JSON, and each client as a line of CSV.
 * Times are milliseconds since the round began, but for `wait`, which is each
 * client's own: from its first sign of life until it was in.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "flood.h"
#include "options.h"
#include "report.h"

static const char *const refusal_names[REFUSALS] = {
	[REFUSED_NOT] = "none",
	[REFUSED_PADO_ERROR] = "pado-error",
	[REFUSED_PADS_ERROR] = "pads-error",
	[REFUSED_PADT] = "padt",
	[REFUSED_LCP_TERMINATE] = "lcp-terminate",
	[REFUSED_PPP_TIMEOUT] = "ppp-timeout",
	[REFUSED_AUTH] = "auth",
	[REFUSED_NO_NCP] = "no-ncp",
	[REFUSED_NAK] = "nak",
	[REFUSED_NO_ADDRESS] = "no-address",
	[REFUSED_NO_ANSWER] = "no-answer",
	[REFUSED_LEASE_END] = "lease-end",
};

struct times {
	/* Sorted. */
	__u32 *ms;
	__u32 n;
};

struct summary {
	__u32 started;
	struct times in;
	struct times wait;
	__u32 longest_gap;
	/* How many got in during each second. */
	__u32 *seconds;
	__u32 seconds_n;
};

static FILE *csv;

bool report_init(void)
{
	if (!options.csv)
		return true;
	csv = fopen(options.csv, "w");
	if (!csv) {
		fprintf(stderr, "storm: %s: %s\n", options.csv,
			strerror(errno));
		return false;
	}
	fputs("round,client,protocol,vlan,mac,first_sign_ms,in_ms,tries,lost,result\n",
	      csv);
	return true;
}

bool report_end(void)
{
	bool good;

	if (!csv)
		return true;
	good = !ferror(csv);
	if (fclose(csv))
		good = false;
	if (!good)
		fprintf(stderr, "storm: %s could not be written\n",
			options.csv);
	return good;
}

static const char *result_of(const struct client *client)
{
	if (client->in)
		return "in";
	if (!client->started)
		return "not-started";
	if (client->refusal != REFUSED_NOT)
		return refusal_names[client->refusal];
	return "no-answer";
}

static void csv_line(int round, const struct client *client)
{
	const __u8 *m = client->mac;
	char vlan[16] = "";

	if (client->tags.n == 1)
		snprintf(vlan, sizeof(vlan), "%u", client->tags.tag[0].vid);
	else if (client->tags.n == 2)
		snprintf(vlan, sizeof(vlan), "%u.%u", client->tags.tag[0].vid,
			 client->tags.tag[1].vid);
	fprintf(csv, "%d,%u,%s,%s,%02x:%02x:%02x:%02x:%02x:%02x,", round,
		client->index, client->protocol->name, vlan, m[0], m[1], m[2],
		m[3], m[4], m[5]);
	if (client->started)
		fprintf(csv, "%llu", client->first_sign_ms - round_ms);
	fputc(',', csv);
	if (client->was_in)
		fprintf(csv, "%llu", client->in_ms - round_ms);
	fprintf(csv, ",%u,%u,%s\n", client->tries, client->lost,
		result_of(client));
}

static int compare(const void *a, const void *b)
{
	__u32 x = *(const __u32 *)a, y = *(const __u32 *)b;

	return (x > y) - (x < y);
}

static __u32 at_percent(const struct times *times, unsigned int percent)
{
	__u32 rank;

	if (!times->n)
		return 0;
	/* The least time that so many per cent did not exceed. */
	rank = ((__u64)times->n * percent + 99) / 100;
	return times->ms[rank ? rank - 1 : 0];
}

static void *allocate(size_t n, size_t size)
{
	void *memory = calloc(n ? n : 1, size);

	if (!memory) {
		fprintf(stderr, "storm: out of memory\n");
		exit(2);
	}
	return memory;
}

static void summarize(struct summary *s)
{
	__u32 i, last, first_sign = now_ms - round_ms;

	memset(s, 0, sizeof(*s));
	s->in.ms = allocate(clients_n, sizeof(__u32));
	s->wait.ms = allocate(clients_n, sizeof(__u32));
	for (i = 0; i < clients_n; i++) {
		const struct client *client = &clients[i];

		if (!client->started)
			continue;
		s->started++;
		if (client->first_sign_ms - round_ms < first_sign)
			first_sign = client->first_sign_ms - round_ms;
		if (!client->was_in)
			continue;
		s->in.ms[s->in.n++] = client->in_ms - round_ms;
		s->wait.ms[s->wait.n++] = client->in_ms - client->first_sign_ms;
	}
	qsort(s->in.ms, s->in.n, sizeof(__u32), compare);
	qsort(s->wait.ms, s->wait.n, sizeof(__u32), compare);

	last = first_sign;
	for (i = 0; i < s->in.n; i++) {
		if (s->in.ms[i] - last > s->longest_gap)
			s->longest_gap = s->in.ms[i] - last;
		last = s->in.ms[i];
	}
	/* Who is not in yet has waited until now. */
	if (s->in.n < clients_n && now_ms - round_ms - last > s->longest_gap)
		s->longest_gap = now_ms - round_ms - last;

	if (s->in.n)
		s->seconds_n = s->in.ms[s->in.n - 1] / 1000 + 1;
	s->seconds = allocate(s->seconds_n, sizeof(__u32));
	for (i = 0; i < s->in.n; i++)
		s->seconds[s->in.ms[i] / 1000]++;
}

static void forget(struct summary *s)
{
	free(s->in.ms);
	free(s->wait.ms);
	free(s->seconds);
}

/* How many clients of a protocol there are, and are in. */
static void count(const struct protocol *protocol, __u32 *all, __u32 *in)
{
	__u32 i;

	*all = 0;
	*in = 0;
	for (i = 0; i < clients_n; i++) {
		if (clients[i].protocol != protocol)
			continue;
		(*all)++;
		*in += clients[i].in;
	}
}

static const struct protocol *const protocols[] = {
	&pppoe_protocol, &dhcp4_protocol, &dhcp6_protocol,
};

static void print_times(const char *name, const struct times *times)
{
	if (options.json) {
		printf(", \"%s_ms\": {\"first\": %u, \"median\": %u", name,
		       at_percent(times, 0), at_percent(times, 50));
		printf(", \"p95\": %u, \"last\": %u}",
		       at_percent(times, 95), at_percent(times, 100));
		return;
	}
	printf("  %-9s first %.3f, median %.3f, 95%% %.3f, last %.3f s\n", name,
	       at_percent(times, 0) / 1e3, at_percent(times, 50) / 1e3,
	       at_percent(times, 95) / 1e3, at_percent(times, 100) / 1e3);
}

/* Members of a JSON object, each after the one before it. */
static void member(const char **comma, const char *name, __u64 value)
{
	printf("%s\"%s\": %llu", *comma, name, value);
	*comma = ", ";
}

static void print_json_counts(void)
{
	const char *comma = "";
	int i;

	printf(", \"refusals\": {");
	for (i = 1; i < REFUSALS; i++)
		if (client_counts.refusals[i])
			member(&comma, refusal_names[i],
			       client_counts.refusals[i]);
	printf("}, \"frames\": {");
	comma = "";
	member(&comma, "sent", packet_counts.sent);
	member(&comma, "received", packet_counts.received);
	member(&comma, "rx_dropped", packet_counts.rx_dropped);
	member(&comma, "unsent", packet_counts.unsent);
	member(&comma, "wrong_vlan", packet_counts.wrong_vlan);
	member(&comma, "malformed", packet_counts.malformed);
	printf("}");
	if (!options.flood)
		return;
	printf(", \"flood\": {");
	comma = "";
	member(&comma, "sent", flood_sent);
	member(&comma, "answers", flood_answers);
	printf("}");
}

static void print_json(int round, const struct summary *s)
{
	const char *comma = "";
	__u32 i, all, in;

	printf("{");
	member(&comma, "round", round);
	member(&comma, "clients", clients_n);
	member(&comma, "started", s->started);
	member(&comma, "in", client_counts.in);
	member(&comma, "was_in", s->in.n);
	member(&comma, "elapsed_ms", now_ms - round_ms);
	printf(", \"protocols\": {");
	comma = "";
	for (i = 0; i < ARRAY_SIZE(protocols); i++) {
		count(protocols[i], &all, &in);
		if (!all)
			continue;
		printf("%s\"%s\": {\"clients\": %u, \"in\": %u}", comma,
		       protocols[i]->name, all, in);
		comma = ", ";
	}
	printf("}");
	print_times("in", &s->in);
	print_times("wait", &s->wait);
	comma = ", ";
	member(&comma, "longest_gap_ms", s->longest_gap);
	member(&comma, "retries", client_counts.retries);
	member(&comma, "lost", client_counts.lost);
	member(&comma, "stale", client_counts.stale);
	print_json_counts();
	printf(", \"per_second\": [");
	for (i = 0; i < s->seconds_n; i++)
		printf("%s%u", i ? ", " : "", s->seconds[i]);
	printf("]}\n");
}

static void print_text(int round, const struct summary *s)
{
	__u32 i, all, in;

	printf("round %d: %u clients, %u in after %.3f s\n", round, clients_n,
	       client_counts.in, (now_ms - round_ms) / 1e3);
	for (i = 0; i < ARRAY_SIZE(protocols); i++) {
		count(protocols[i], &all, &in);
		if (all)
			printf("  %-9s %u clients, %u in\n", protocols[i]->name,
			       all, in);
	}
	print_times("in", &s->in);
	print_times("wait", &s->wait);
	printf("  nobody got in for at most %.3f s\n", s->longest_gap / 1e3);
	printf("  retries %llu, lost %llu, stale answers %llu\n",
	       client_counts.retries, client_counts.lost, client_counts.stale);
	for (i = 1; i < REFUSALS; i++)
		if (client_counts.refusals[i])
			printf("  refused   %s %llu\n", refusal_names[i],
			       client_counts.refusals[i]);
	printf("  frames    sent %llu, received %llu, dropped %llu, unsent %llu\n",
	       packet_counts.sent, packet_counts.received,
	       packet_counts.rx_dropped, packet_counts.unsent);
	if (packet_counts.wrong_vlan || packet_counts.malformed)
		printf("            wrong VLAN %llu, malformed %llu\n",
		       packet_counts.wrong_vlan, packet_counts.malformed);
	if (options.flood)
		printf("  flood     sent %llu, answers %llu\n", flood_sent,
		       flood_answers);
	printf("  second by second:");
	for (i = 0; i < s->seconds_n; i++)
		printf(" %u", s->seconds[i]);
	printf("\n");
}

void report_round(int round)
{
	struct summary s;
	__u32 i;

	packet_counts_read();
	summarize(&s);
	if (options.json)
		print_json(round, &s);
	else
		print_text(round, &s);
	fflush(stdout);
	forget(&s);
	for (i = 0; csv && i < clients_n; i++)
		csv_line(round, &clients[i]);
}
