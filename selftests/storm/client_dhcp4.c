// SPDX-License-Identifier: GPL-2.0-only
/*
 * A DHCPv4 client (RFC 2131) with a lease to keep: each DISCOVER has an xid of
 * its own, and an OFFER that answers an earlier one is too late.
 */
#include "client.h"
#include "options.h"

#define BOOTP_LEN 236
#define MAGIC 0x63825363
#define FIXED_LEN (BOOTP_LEN + 4)
/* Some relays drop what is shorter. */
#define MESSAGE_MIN 300

#define DISCOVER 1
#define OFFER 2
#define REQUEST 3
#define ACK 5
#define NAK 6
#define RELEASE 7

#define OPT_PAD 0
#define OPT_ADDRESS 50
#define OPT_LEASE 51
#define OPT_TYPE 53
#define OPT_SERVER 54
#define OPT_PARAMETERS 55
#define OPT_MAX_SIZE 57
#define OPT_T1 58
#define OPT_T2 59
#define OPT_CLIENT_ID 61
#define OPT_END 255

#define REQUEST_TRIES 4
#define REBOOT_TRIES 2
/* RFC 2131, 4.4.5: no renewal is tried again earlier. */
#define RENEW_AGAIN_MS 60000

static void discover(struct client *client);

/* --- who has this address */

#define HASH_SIZE 65536

static struct client *by_address[HASH_SIZE];

static struct client **chain_of(__u32 address)
{
	return &by_address[(address ^ address >> 16) % HASH_SIZE];
}

struct client *dhcp4_by_address(__u32 address)
{
	struct client *client = *chain_of(address);

	while (client && client->dhcp4.address != address)
		client = client->dhcp4.next;
	return client;
}

static void address_take(struct client *client)
{
	struct client **chain = chain_of(client->dhcp4.address);

	client->dhcp4.next = *chain;
	*chain = client;
}

static void address_drop(struct client *client)
{
	struct client **link = chain_of(client->dhcp4.address);

	while (*link && *link != client)
		link = &(*link)->dhcp4.next;
	if (*link)
		*link = client->dhcp4.next;
}

static bool has_lease(const struct client *client)
{
	return client->dhcp4.state >= DHCP4_BOUND;
}

/* --- what goes out */

static void put_ip(struct out *out, __u32 src, __u32 dst)
{
	__u8 *header = out->at;

	put_16(out, 0x4500);
	put_16(out, 0);
	put_32(out, 0);
	put_16(out, 64 << 8 | 17);
	put_16(out, 0);
	put_32(out, src);
	put_32(out, dst);
	/* UDP, client to server. */
	put_16(out, 68);
	put_16(out, 67);
	put_32(out, 0);
	if (out->start)
		set_16(header + 6, 0x4000);
}

static void finish_ip(struct out *out, __u8 *ip)
{
	__u8 *udp = ip + 20;
	__u16 len, sum;

	if (!out->start)
		return;
	len = out->at - udp;
	set_16(ip + 2, len + 20);
	set_16(ip + 10, sum_fold(sum_add(0, ip, 20)));
	set_16(udp + 4, len);
	sum = sum_fold(sum_add(17 + len, ip + 12, 8 + len));
	set_16(udp + 6, sum ? sum : 0xffff);
}

static void put_option_32(struct out *out, __u8 option, __u32 value)
{
	put_8(out, option);
	put_8(out, 4);
	put_32(out, value);
}

static void send_dhcp(struct client *client, __u8 type)
{
	static const __u8 parameters[] = { 1, 3, 6, 12, 15, 28, 51, 54, 58, 59 };
	struct dhcp4_client *d = &client->dhcp4;
	bool unicast = d->state == DHCP4_BOUND || d->state == DHCP4_RENEWING;
	__u32 ciaddr = has_lease(client) ? d->address : 0;
	__u64 secs = (now_ms - d->began) / 1000;
	struct out out;
	__u8 *ip, *bootp;

	packet_open(&out, unicast ? d->server_mac : broadcast_mac, client->mac,
		    &client->tags, ETH_P_IP);
	ip = out.at;
	put_ip(&out, ciaddr, unicast ? d->server : 0xffffffff);
	bootp = out.at;
	put_32(&out, 0x01010600);
	put_32(&out, d->xid);
	put_16(&out, secs > 0xffff ? 0xffff : secs);
	put_16(&out, options.broadcast && !ciaddr ? 0x8000 : 0);
	put_32(&out, ciaddr);
	put_zero(&out, 12);
	put(&out, client->mac, ETH_ALEN);
	put_zero(&out, 10);
	put_zero(&out, 64);
	put_zero(&out, 128);
	put_32(&out, MAGIC);
	put_8(&out, OPT_TYPE);
	put_8(&out, 1);
	put_8(&out, type);
	put_8(&out, OPT_CLIENT_ID);
	put_8(&out, 1 + ETH_ALEN);
	put_8(&out, 1);
	put(&out, client->mac, ETH_ALEN);
	if (d->state == DHCP4_REQUESTING || d->state == DHCP4_REBOOTING)
		put_option_32(&out, OPT_ADDRESS, d->address);
	if (d->state == DHCP4_REQUESTING || type == RELEASE)
		put_option_32(&out, OPT_SERVER, d->server);
	if (type != RELEASE) {
		put_8(&out, OPT_MAX_SIZE);
		put_8(&out, 2);
		put_16(&out, 1472);
		put_8(&out, OPT_PARAMETERS);
		put_8(&out, sizeof(parameters));
		put(&out, parameters, sizeof(parameters));
	}
	put_8(&out, OPT_END);
	if (out.at - bootp < MESSAGE_MIN)
		put_zero(&out, MESSAGE_MIN - (out.at - bootp));
	finish_ip(&out, ip);
	packet_close(&out);
}

static void again(struct client *client, void (*fire)(struct timer *timer))
{
	client->retry.fire = fire;
	timer_set(&client->retry,
		  client_backoff(client, &options.dhcp4_timer));
}

static void discover_again(struct timer *timer)
{
	discover(client_of_retry(timer));
}

static void discover(struct client *client)
{
	struct dhcp4_client *d = &client->dhcp4;

	if (d->state != DHCP4_SELECTING)
		d->began = now_ms;
	d->state = DHCP4_SELECTING;
	d->xid = client_random(client);
	client_first_sign(client);
	send_dhcp(client, DISCOVER);
	again(client, discover_again);
}

static void request(struct timer *timer)
{
	struct client *client = client_of_retry(timer);
	struct dhcp4_client *d = &client->dhcp4;

	if (d->tries == REQUEST_TRIES) {
		client->refusal = REFUSED_NO_ANSWER;
		client_counts.refusals[REFUSED_NO_ANSWER]++;
		client->backoff_step = 0;
		discover(client);
		return;
	}
	if (d->tries++)
		client_counts.retries++;
	send_dhcp(client, REQUEST);
	again(client, request);
}

static void reboot(struct timer *timer)
{
	struct client *client = client_of_retry(timer);
	struct dhcp4_client *d = &client->dhcp4;

	if (d->tries == REBOOT_TRIES) {
		d->address = 0;
		discover(client);
		return;
	}
	d->tries++;
	client_first_sign(client);
	send_dhcp(client, REQUEST);
	again(client, reboot);
}

static void start(struct client *client)
{
	struct dhcp4_client *d = &client->dhcp4;

	if (has_lease(client))
		address_drop(client);
	d->began = now_ms;
	d->tries = 0;
	if (!client->started && options.init_reboot) {
		/* What it had before the power cut, if it had anything. */
		if (!d->address && options.init_reboot_address)
			d->address = options.init_reboot_address +
				     client->number;
		if (d->address) {
			d->state = DHCP4_REBOOTING;
			d->xid = client_random(client);
			reboot(&client->retry);
			return;
		}
	}
	d->state = DHCP4_IDLE;
	discover(client);
}

/* --- the lease */

static void renew(struct timer *timer)
{
	struct client *client = client_of_life(timer);
	struct dhcp4_client *d = &client->dhcp4;
	__u64 until, wait;

	if (now_ms >= d->end) {
		address_drop(client);
		d->state = DHCP4_IDLE;
		d->address = 0;
		client_refused(client, REFUSED_LEASE_END);
		return;
	}
	if (d->state == DHCP4_BOUND)
		d->began = now_ms;
	else
		client_counts.retries++;
	d->state = now_ms >= d->t2 ? DHCP4_REBINDING : DHCP4_RENEWING;
	d->xid = client_random(client);
	send_dhcp(client, REQUEST);
	/* Half of what is left, but no renewal more often than a minute. */
	until = d->state == DHCP4_RENEWING ? d->t2 : d->end;
	wait = (until - now_ms) / 2;
	if (wait < RENEW_AGAIN_MS)
		wait = RENEW_AGAIN_MS;
	if (now_ms + wait > until)
		wait = until - now_ms;
	client->life.fire = renew;
	timer_set(&client->life, wait);
}

struct message {
	__u8 type;
	__u32 xid;
	__u32 yiaddr;
	__u32 server;
	__u32 lease;
	__u32 t1;
	__u32 t2;
};

static void bound(struct client *client, const struct frame *frame,
		  const struct message *m)
{
	struct dhcp4_client *d = &client->dhcp4;

	if (has_lease(client))
		address_drop(client);
	d->address = m->yiaddr;
	d->server = m->server;
	memcpy(d->server_mac, frame->src, ETH_ALEN);
	d->state = DHCP4_BOUND;
	address_take(client);
	timer_stop(&client->retry);
	timer_stop(&client->life);
	/* The longest there is means for ever. */
	if (m->lease != 0xffffffff) {
		__u32 t1 = m->t1 ? m->t1 : m->lease / 2;
		__u32 t2 = m->t2 ? m->t2 : m->lease / 8 * 7;

		d->end = now_ms + m->lease * 1000ULL;
		d->t1 = now_ms + t1 * 1000ULL;
		d->t2 = now_ms + t2 * 1000ULL;
		client->life.fire = renew;
		timer_set(&client->life, t1 * 1000ULL);
	}
	client_in(client);
}

/* --- what comes in */

static void parse_option(struct message *m, const __u8 *option)
{
	__u32 value = option[1] == 4 ? get_32(option + 2) : 0;

	switch (option[0]) {
	case OPT_TYPE:
		if (option[1] == 1)
			m->type = option[2];
		break;
	case OPT_SERVER:
		m->server = value;
		break;
	case OPT_LEASE:
		m->lease = value;
		break;
	case OPT_T1:
		m->t1 = value;
		break;
	case OPT_T2:
		m->t2 = value;
		break;
	}
}

static bool parse(struct message *m, const struct frame *frame)
{
	const __u8 *at = frame->data, *end;
	size_t ip = get_16(at + 2), ihl = (at[0] & 0xf) * 4;

	memset(m, 0, sizeof(*m));
	if (ip > frame->len || ip < ihl + 8 + FIXED_LEN)
		return false;
	end = at + ip;
	at += ihl + 8;
	if (at[0] != 2 || get_32(at + BOOTP_LEN) != MAGIC)
		return false;
	m->xid = get_32(at + 4);
	m->yiaddr = get_32(at + 16);
	at += FIXED_LEN;
	while (at < end && at[0] != OPT_END) {
		if (at[0] == OPT_PAD) {
			at++;
			continue;
		}
		if (end - at < 2 || at[1] > end - at - 2)
			return false;
		parse_option(m, at);
		at += 2 + at[1];
	}
	return m->type;
}

static void got_offer(struct client *client, const struct message *m)
{
	struct dhcp4_client *d = &client->dhcp4;

	if (d->state != DHCP4_SELECTING) {
		client_counts.stale++;
		return;
	}
	d->state = DHCP4_REQUESTING;
	d->address = m->yiaddr;
	d->server = m->server;
	d->tries = 0;
	client->backoff_step = 0;
	request(&client->retry);
}

static void receive(struct client *client, const struct frame *frame)
{
	struct dhcp4_client *d = &client->dhcp4;
	struct message m;

	if (!parse(&m, frame)) {
		packet_counts.malformed++;
		return;
	}
	if (m.xid != d->xid) {
		client_counts.stale++;
		return;
	}
	switch (m.type) {
	case OFFER:
		got_offer(client, &m);
		break;
	case ACK:
		if (d->state == DHCP4_REBOOTING ||
		    d->state == DHCP4_REQUESTING ||
		    d->state >= DHCP4_RENEWING)
			bound(client, frame, &m);
		else
			client_counts.stale++;
		break;
	case NAK:
		if (d->state < DHCP4_REBOOTING || d->state == DHCP4_SELECTING ||
		    d->state == DHCP4_BOUND)
			break;
		if (has_lease(client))
			address_drop(client);
		d->state = DHCP4_IDLE;
		d->address = 0;
		client_refused(client, REFUSED_NAK);
		break;
	}
}

static void release(struct client *client)
{
	struct dhcp4_client *d = &client->dhcp4;

	if (has_lease(client)) {
		address_drop(client);
		d->state = DHCP4_BOUND;
		d->xid = client_random(client);
		d->began = now_ms;
		send_dhcp(client, RELEASE);
		d->address = 0;
	}
	d->state = DHCP4_IDLE;
	/* Nobody answers a RELEASE. */
	client_gone(client);
}

static void forget(struct client *client)
{
	struct dhcp4_client *d = &client->dhcp4;
	/* A lease outlives a power cut on the client's disk. */
	bool kept = has_lease(client) || d->state == DHCP4_IDLE;
	__u32 address = kept ? d->address : 0;

	if (has_lease(client))
		address_drop(client);
	memset(d, 0, sizeof(*d));
	d->address = address;
}

static void flood(struct client *client)
{
	client->dhcp4.state = DHCP4_SELECTING;
	client->dhcp4.xid = client_random(client);
	client->dhcp4.began = now_ms;
	send_dhcp(client, DISCOVER);
}

const struct protocol dhcp4_protocol = {
	.name = "dhcp4",
	.start = start,
	.receive = receive,
	.release = release,
	.forget = forget,
	.flood = flood,
};
