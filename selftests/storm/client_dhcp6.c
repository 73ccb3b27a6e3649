// SPDX-License-Identifier: GPL-2.0-only
/*
 * A DHCPv6 client (RFC 8415) that asks for an address and a prefix. It takes
 * the first ADVERTISE that offers one of them, as most home gateways do, and
 * is in with the first of the two.
 */
#include "client.h"
#include "options.h"

#define SOLICIT 1
#define ADVERTISE 2
#define REQUEST 3
#define RENEW 5
#define REBIND 6
#define REPLY 7
#define RELEASE 8

#define OPT_CLIENT_ID 1
#define OPT_SERVER_ID 2
#define OPT_IA_NA 3
#define OPT_IA_ADDRESS 5
#define OPT_REQUESTED 6
#define OPT_ELAPSED 8
#define OPT_RAPID 14
#define OPT_IA_PD 25
#define OPT_IA_PREFIX 26

/* RFC 8415, 7.6; that of a SOLICIT is an option of ours. */
#define REQUEST_MS 1000
#define REQUEST_MAX_MS 30000
#define REQUEST_TRIES 10
#define RENEW_MS 10000
#define RENEW_MAX_MS 600000
#define RELEASE_MS 1000
#define RELEASE_TRIES 2

static const __u8 all_servers[16] = { 0xff, 0x02, [13] = 1, [15] = 2 };
static const __u8 all_servers_mac[ETH_ALEN] = { 0x33, 0x33, 0, 1, 0, 2 };

static void solicit(struct client *client);

/* --- what goes out */

static void put_ia(struct out *out, const struct client *client, __u8 type)
{
	const struct dhcp6_client *d = &client->dhcp6;
	bool known = type != SOLICIT;

	if (options.na && (!known || d->have_na)) {
		put_16(out, OPT_IA_NA);
		put_16(out, 12 + (known ? 28 : 0));
		put_32(out, client->index);
		put_32(out, 0);
		put_32(out, 0);
		if (known) {
			put_16(out, OPT_IA_ADDRESS);
			put_16(out, 24);
			put(out, d->address, 16);
			put_32(out, 0);
			put_32(out, 0);
		}
	}
	if (options.pd && (!known || d->have_pd)) {
		put_16(out, OPT_IA_PD);
		put_16(out, 12 + (known ? 29 : 0));
		put_32(out, client->index);
		put_32(out, 0);
		put_32(out, 0);
		if (known) {
			put_16(out, OPT_IA_PREFIX);
			put_16(out, 25);
			put_32(out, 0);
			put_32(out, 0);
			put_8(out, d->prefix_len);
			put(out, d->prefix, 16);
		}
	}
}

static void send_dhcp(struct client *client, __u8 type)
{
	struct dhcp6_client *d = &client->dhcp6;
	__u64 elapsed = (now_ms - d->began) / 10;
	struct out out;
	__u8 *ip, source[16];

	link_local(source, client->mac);
	packet_open(&out, all_servers_mac, client->mac, &client->tags,
		    ETH_P_IPV6);
	ip = out.at;
	put_32(&out, 6U << 28);
	put_16(&out, 0);
	put_16(&out, 17 << 8 | 1);
	put(&out, source, 16);
	put(&out, all_servers, 16);
	put_16(&out, 546);
	put_16(&out, 547);
	put_32(&out, 0);

	put_32(&out, (__u32)type << 24 | d->xid);
	put_16(&out, OPT_CLIENT_ID);
	put_16(&out, 4 + ETH_ALEN);
	/* DUID-LL, Ethernet. */
	put_32(&out, 3 << 16 | 1);
	put(&out, client->mac, ETH_ALEN);
	put_16(&out, OPT_ELAPSED);
	put_16(&out, 2);
	put_16(&out, elapsed > 0xffff ? 0xffff : elapsed);
	if (type == SOLICIT && options.rapid) {
		put_16(&out, OPT_RAPID);
		put_16(&out, 0);
	}
	if (type != SOLICIT && type != REBIND) {
		put_16(&out, OPT_SERVER_ID);
		put_16(&out, d->server_len);
		put(&out, d->server, d->server_len);
	}
	if (type != RELEASE) {
		put_16(&out, OPT_REQUESTED);
		put_16(&out, 2);
		/* Recursive name servers. */
		put_16(&out, 23);
	}
	put_ia(&out, client, type);
	if (out.start) {
		__u8 *udp = ip + 40;
		__u16 len = out.at - udp, sum;

		set_16(ip + 4, len);
		set_16(udp + 4, len);
		sum = sum_fold(sum_add(17 + len, ip + 8, 32 + len));
		set_16(udp + 6, sum ? sum : 0xffff);
	}
	packet_close(&out);
}

static void new_xid(struct client *client)
{
	client->dhcp6.xid = client_random(client) & 0xffffff;
}

/* RFC 8415, 15: doubled each time, and a tenth more or less by chance. */
static __u32 next_rt(struct client *client, __u32 first, __u32 max)
{
	struct dhcp6_client *d = &client->dhcp6;
	__u32 rt = d->rt ? 2 * d->rt : first;

	if (rt > max)
		rt = max;
	rt += rt / 1000 * (client_random(client) % 201) - rt / 1000 * 100;
	d->rt = rt;
	return rt;
}

static void solicit_again(struct timer *timer)
{
	solicit(client_of_retry(timer));
}

static void solicit(struct client *client)
{
	struct dhcp6_client *d = &client->dhcp6;

	if (d->state != DHCP6_SOLICIT) {
		d->state = DHCP6_SOLICIT;
		d->began = now_ms;
		/* One xid for all tries of a message, unlike DHCPv4. */
		new_xid(client);
	}
	client_first_sign(client);
	send_dhcp(client, SOLICIT);
	client->retry.fire = solicit_again;
	timer_set(&client->retry,
		  client_backoff(client, &options.dhcp6_timer));
}

static void start(struct client *client)
{
	client->dhcp6.state = DHCP6_IDLE;
	solicit(client);
}

static void request(struct timer *timer)
{
	struct client *client = client_of_retry(timer);
	struct dhcp6_client *d = &client->dhcp6;

	if (d->tries == REQUEST_TRIES) {
		client->refusal = REFUSED_NO_ANSWER;
		client_counts.refusals[REFUSED_NO_ANSWER]++;
		client->backoff_step = 0;
		solicit(client);
		return;
	}
	if (d->tries++)
		client_counts.retries++;
	send_dhcp(client, REQUEST);
	client->retry.fire = request;
	timer_set(&client->retry, next_rt(client, REQUEST_MS, REQUEST_MAX_MS));
}

static void renew(struct timer *timer)
{
	struct client *client = client_of_life(timer);
	struct dhcp6_client *d = &client->dhcp6;
	__u64 wait;

	if (now_ms >= d->end) {
		d->state = DHCP6_IDLE;
		client_refused(client, REFUSED_LEASE_END);
		return;
	}
	if (d->state == DHCP6_BOUND) {
		d->state = DHCP6_RENEW;
		d->began = now_ms;
		d->rt = 0;
		new_xid(client);
	} else if (d->state == DHCP6_RENEW && now_ms >= d->t2) {
		d->state = DHCP6_REBIND;
		d->began = now_ms;
		d->rt = 0;
		new_xid(client);
	} else {
		client_counts.retries++;
	}
	send_dhcp(client, d->state == DHCP6_RENEW ? RENEW : REBIND);
	wait = next_rt(client, RENEW_MS, RENEW_MAX_MS);
	if (d->state == DHCP6_RENEW && now_ms + wait > d->t2)
		wait = d->t2 - now_ms;
	if (now_ms + wait > d->end)
		wait = d->end - now_ms;
	client->life.fire = renew;
	timer_set(&client->life, wait);
}

/* --- what comes in */

struct message {
	__u8 type;
	__u32 xid;
	bool rapid;
	bool ours;
	const __u8 *server;
	__u16 server_len;
	const __u8 *address;
	/* As in the option: its length is the byte before it. */
	const __u8 *prefix;
	__u32 valid;
	__u32 t1;
	__u32 t2;
};

static bool option_fits(const __u8 *at, const __u8 *end)
{
	return end - at >= 4 && get_16(at + 2) <= end - at - 4;
}

static bool parse_ia(struct message *m, const __u8 *ia, __u16 code)
{
	const __u8 *at = ia + 16, *end = ia + 4 + get_16(ia + 2);

	if (end - at < 0)
		return false;
	for (; at != end; at += 4 + get_16(at + 2)) {
		__u16 len;
		__u32 valid = 0;

		if (!option_fits(at, end))
			return false;
		len = get_16(at + 2);
		if (code == OPT_IA_NA && get_16(at) == OPT_IA_ADDRESS &&
		    len >= 24) {
			valid = get_32(at + 24);
			if (valid)
				m->address = at + 4;
		} else if (code == OPT_IA_PD && get_16(at) == OPT_IA_PREFIX &&
			   len >= 25) {
			valid = get_32(at + 8);
			if (valid)
				m->prefix = at + 13;
		}
		if (!valid)
			continue;
		/* The shortest of all counts. */
		if (!m->valid || valid < m->valid)
			m->valid = valid;
		m->t1 = get_32(ia + 8);
		m->t2 = get_32(ia + 12);
	}
	return true;
}

static bool parse_option(struct message *m, const struct client *client,
			 const __u8 *at)
{
	__u16 code = get_16(at), len = get_16(at + 2);

	switch (code) {
	case OPT_CLIENT_ID:
		m->ours = len == 4 + ETH_ALEN &&
			  !memcmp(at + 8, client->mac, ETH_ALEN);
		break;
	case OPT_SERVER_ID:
		m->server = at + 4;
		m->server_len = len;
		return len <= sizeof(client->dhcp6.server);
	case OPT_RAPID:
		m->rapid = true;
		break;
	case OPT_IA_NA:
	case OPT_IA_PD:
		return parse_ia(m, at, code);
	}
	return true;
}

static bool parse(struct message *m, const struct client *client,
		  const struct frame *frame)
{
	const __u8 *at = frame->data, *end;
	size_t len = get_16(at + 4);

	memset(m, 0, sizeof(*m));
	if (len < 12 || len > frame->len - 40)
		return false;
	end = at + 40 + len;
	at += 48;
	m->type = at[0];
	m->xid = get_32(at) & 0xffffff;
	for (at += 4; at != end; at += 4 + get_16(at + 2))
		if (!option_fits(at, end) || !parse_option(m, client, at))
			return false;
	return m->ours && m->server;
}

/* What was offered or given. */
static void take(struct client *client, const struct message *m)
{
	struct dhcp6_client *d = &client->dhcp6;

	memcpy(d->server, m->server, m->server_len);
	d->server_len = m->server_len;
	d->have_na = m->address;
	d->have_pd = m->prefix;
	if (m->address)
		memcpy(d->address, m->address, 16);
	if (m->prefix) {
		memcpy(d->prefix, m->prefix, 16);
		d->prefix_len = m->prefix[-1];
	}
}

static void bound(struct client *client, const struct message *m)
{
	struct dhcp6_client *d = &client->dhcp6;

	take(client, m);
	d->state = DHCP6_BOUND;
	timer_stop(&client->retry);
	timer_stop(&client->life);
	/* The longest there is means for ever. */
	if (m->valid != 0xffffffff) {
		__u32 t1 = m->t1 ? m->t1 : m->valid / 2;
		__u32 t2 = m->t2 ? m->t2 : m->valid / 5 * 4;

		d->end = now_ms + m->valid * 1000ULL;
		d->t1 = now_ms + t1 * 1000ULL;
		d->t2 = now_ms + t2 * 1000ULL;
		client->life.fire = renew;
		timer_set(&client->life, t1 * 1000ULL);
	}
	client_in(client);
}

static void got_advertise(struct client *client, const struct message *m)
{
	struct dhcp6_client *d = &client->dhcp6;

	if (d->state != DHCP6_SOLICIT) {
		client_counts.stale++;
		return;
	}
	if (!m->valid) {
		/* Its timer goes on: another one may have more. */
		client->refusal = REFUSED_NO_ADDRESS;
		client_counts.refusals[REFUSED_NO_ADDRESS]++;
		return;
	}
	take(client, m);
	d->state = DHCP6_REQUEST;
	d->began = now_ms;
	d->tries = 0;
	d->rt = 0;
	new_xid(client);
	request(&client->retry);
}

static void got_reply(struct client *client, const struct message *m)
{
	struct dhcp6_client *d = &client->dhcp6;

	switch (d->state) {
	case DHCP6_SOLICIT:
		if (!options.rapid || !m->rapid) {
			client_counts.stale++;
			return;
		}
		break;
	case DHCP6_REQUEST:
	case DHCP6_RENEW:
	case DHCP6_REBIND:
		break;
	case DHCP6_RELEASE:
		d->state = DHCP6_IDLE;
		client_gone(client);
		return;
	default:
		client_counts.stale++;
		return;
	}
	if (m->valid) {
		bound(client, m);
		return;
	}
	d->state = DHCP6_IDLE;
	client_refused(client, REFUSED_NO_ADDRESS);
}

static void receive(struct client *client, const struct frame *frame)
{
	struct message m;

	if (!parse(&m, client, frame)) {
		packet_counts.malformed++;
		return;
	}
	if (m.xid != client->dhcp6.xid) {
		client_counts.stale++;
		return;
	}
	if (m.type == ADVERTISE)
		got_advertise(client, &m);
	else if (m.type == REPLY)
		got_reply(client, &m);
}

static void release_again(struct timer *timer)
{
	struct client *client = client_of_retry(timer);
	struct dhcp6_client *d = &client->dhcp6;

	if (d->tries++ == RELEASE_TRIES) {
		d->state = DHCP6_IDLE;
		client_gone(client);
		return;
	}
	send_dhcp(client, RELEASE);
	client->retry.fire = release_again;
	timer_set(&client->retry, RELEASE_MS);
}

static void release(struct client *client)
{
	struct dhcp6_client *d = &client->dhcp6;

	if (d->state < DHCP6_BOUND) {
		d->state = DHCP6_IDLE;
		client_gone(client);
		return;
	}
	d->state = DHCP6_RELEASE;
	d->began = now_ms;
	d->tries = 0;
	new_xid(client);
	release_again(&client->retry);
}

static void forget(struct client *client)
{
	memset(&client->dhcp6, 0, sizeof(client->dhcp6));
}

static void flood(struct client *client)
{
	client->dhcp6.began = now_ms;
	new_xid(client);
	send_dhcp(client, SOLICIT);
}

const struct protocol dhcp6_protocol = {
	.name = "dhcp6",
	.start = start,
	.receive = receive,
	.release = release,
	.forget = forget,
	.flood = flood,
};
