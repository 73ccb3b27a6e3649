// SPDX-License-Identifier: GPL-2.0-only
/*
 * All clients: who they are, when they start, which of them a frame is for,
 * and what is known of each. A client's chances are its own, drawn from the
 * seed and its index, so that they do not depend on who is served first.
 */
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "options.h"

struct client *clients;
__u32 clients_n;
struct client_counts client_counts;
__u64 round_ms;

/* The clients of one protocol stand together. */
static struct range {
	const struct protocol *protocol;
	__u32 first;
	__u32 n;
	/* The MAC of its first client, as a number. */
	__u64 mac;
} ranges[3];

static __u64 mac_number(const __u8 *mac)
{
	return (__u64)get_16(mac) << 32 | get_32(mac + 2);
}

static void start(struct timer *timer)
{
	struct client *client = client_of_retry(timer);

	client->protocol->start(client);
}

void client_give_tags(struct client *client)
{
	__u32 n = client->number;
	int i;

	client->tags.n = options.tags;
	for (i = options.tags - 1; i >= 0; i--) {
		client->tags.tag[i].tpid = options.tag[i].tpid;
		client->tags.tag[i].vid = options.tag[i].first +
					  n % options.tag[i].n;
		n /= options.tag[i].n;
	}
}

static void fill(struct range *range)
{
	__u32 i;
	int byte;

	for (i = 0; i < range->n; i++) {
		struct client *client = &clients[range->first + i];
		__u64 mac = range->mac + i;

		client->protocol = range->protocol;
		client->index = range->first + i;
		client->number = i;
		for (byte = 0; byte < ETH_ALEN; byte++)
			client->mac[byte] = mac >> (40 - 8 * byte);
		client->random = options.seed + client->index * 7919ULL;
		client_give_tags(client);
	}
}

bool clients_init(void)
{
	__u64 mac = mac_number(options.mac_base);
	__u32 i, first = 0;

	ranges[0].protocol = &pppoe_protocol;
	ranges[0].n = options.pppoe;
	ranges[1].protocol = &dhcp4_protocol;
	ranges[1].n = options.dhcp4;
	ranges[2].protocol = &dhcp6_protocol;
	ranges[2].n = options.dhcp6;
	for (i = 0; i < 3; i++) {
		ranges[i].first = first;
		ranges[i].mac = mac + first;
		first += ranges[i].n;
	}
	if (options.dual_stack)
		ranges[2].mac = ranges[1].mac;
	clients_n = first;
	if (!first)
		return true;
	clients = calloc(first, sizeof(*clients));
	if (!clients)
		return false;
	for (i = 0; i < 3; i++)
		fill(&ranges[i]);
	return true;
}

void clients_begin(void)
{
	__u32 i;

	memset(&client_counts, 0, sizeof(client_counts));
	round_ms = now_ms;
	for (i = 0; i < clients_n; i++) {
		struct client *client = &clients[i];

		client->started = false;
		client->in = false;
		client->was_in = false;
		client->gone = false;
		client->tries = 0;
		client->lost = 0;
		client->refusal = REFUSED_NOT;
		client->backoff_step = 0;
		client->retry.fire = start;
		timer_set(&client->retry, options.spread_ms ?
			  client_random(client) % options.spread_ms : 0);
	}
}

void clients_end(bool release)
{
	__u32 i;

	for (i = 0; i < clients_n; i++) {
		struct client *client = &clients[i];

		timer_stop(&client->retry);
		timer_stop(&client->life);
		if (release) {
			client->protocol->release(client);
			continue;
		}
		client->protocol->forget(client);
		client_gone(client);
	}
}

struct client *client_by_mac(const struct protocol *protocol, const __u8 *mac)
{
	__u64 number = mac_number(mac);
	int i;

	for (i = 0; i < 3; i++) {
		struct range *range = &ranges[i];

		if (range->protocol != protocol || number < range->mac ||
		    number - range->mac >= range->n)
			continue;
		return &clients[range->first + (number - range->mac)];
	}
	return NULL;
}

static void hand_over(struct client *client, const struct frame *frame)
{
	if (!client)
		return;
	if (!tags_equal(&client->tags, &frame->tags)) {
		packet_counts.wrong_vlan++;
		return;
	}
	/* Who has not started yet, or has left, is not there. */
	if (client->started && !client->gone)
		client->protocol->receive(client, frame);
}

static void receive_ipv4(const struct frame *frame)
{
	const __u8 *data = frame->data;
	size_t ihl;

	/* As far as the client's MAC in a BOOTP message. */
	if (frame->len < 20)
		return;
	ihl = (data[0] & 0xf) * 4;
	if (ihl < 20 || frame->len < ihl + 8 + 34 || data[9] != 17)
		return;
	hand_over(client_by_mac(&dhcp4_protocol, data + ihl + 8 + 28), frame);
}

static void receive_ipv6(const struct frame *frame)
{
	if (frame->len < 48)
		return;
	if (frame->data[6] == 58)
		neighbour_solicited(frame);
	else
		hand_over(client_by_mac(&dhcp6_protocol, frame->dst), frame);
}

void clients_receive(const struct frame *frame)
{
	switch (frame->type) {
	case ETH_P_PPP_DISC:
	case ETH_P_PPP_SES:
		hand_over(client_by_mac(&pppoe_protocol, frame->dst), frame);
		break;
	case ETH_P_IP:
		receive_ipv4(frame);
		break;
	case ETH_P_IPV6:
		receive_ipv6(frame);
		break;
	case ETH_P_ARP:
		neighbour_arp(frame);
		break;
	}
}

void client_first_sign(struct client *client)
{
	if (!client->started)
		client->first_sign_ms = now_ms;
	else
		client_counts.retries++;
	client->started = true;
	client->tries++;
}

void client_in(struct client *client)
{
	if (client->in)
		return;
	client->in = true;
	client->backoff_step = 0;
	client_counts.in++;
	if (!client->was_in)
		client->in_ms = now_ms;
	client->was_in = true;
}

static void client_out(struct client *client)
{
	if (!client->in)
		return;
	client->in = false;
	client_counts.in--;
}

void client_refused(struct client *client, enum refusal refusal)
{
	const struct backoff *backoff = &options.pppoe_timer;

	client->refusal = refusal;
	client_counts.refusals[refusal]++;
	if (client->in) {
		client->lost++;
		client_counts.lost++;
	}
	client_out(client);
	if (client->protocol == &dhcp4_protocol)
		backoff = &options.dhcp4_timer;
	else if (client->protocol == &dhcp6_protocol)
		backoff = &options.dhcp6_timer;
	timer_stop(&client->life);
	client->retry.fire = start;
	timer_set(&client->retry, client_backoff(client, backoff));
}

void client_gone(struct client *client)
{
	timer_stop(&client->retry);
	timer_stop(&client->life);
	if (!client->gone)
		client_counts.gone++;
	client->gone = true;
}

__u32 client_random(struct client *client)
{
	__u64 z;

	/* splitmix64: any seed will do. */
	client->random += 0x9e3779b97f4a7c15ULL;
	z = client->random;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) >> 32;
}

__u32 client_backoff(struct client *client, const struct backoff *backoff)
{
	int step = client->backoff_step++;
	__u32 ms, jitter;

	if (backoff->cycle)
		step %= backoff->n;
	else if (step >= backoff->n)
		step = backoff->n - 1;
	ms = backoff->ms[step];
	jitter = backoff->jitter_ms + ms / 100 * backoff->jitter_percent;
	if (jitter)
		ms += client_random(client) % (2 * jitter + 1) - jitter;
	return (int)ms < 1 ? 1 : ms;
}
