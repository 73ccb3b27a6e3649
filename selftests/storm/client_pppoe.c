// SPDX-License-Identifier: GPL-2.0-only
/*
 * PPPoE discovery of a subscriber (RFC 2516), as rp-pppoe does it: PADI and
 * PADR each with the delays of the client's timer; after the last PADR it
 * starts over. What comes with a session is for client_ppp.c.
 */
#include "client.h"
#include "options.h"
#include "ppp.h"

#define PADI 0x09
#define PADO 0x07
#define PADR 0x19
#define PADS 0x65
#define PADT 0xa7

#define TAG_END 0x0000
#define TAG_SERVICE_NAME 0x0101
#define TAG_HOST_UNIQ 0x0103
#define TAG_AC_COOKIE 0x0104
#define TAG_RELAY_ID 0x0110
#define TAG_SERVICE_NAME_ERROR 0x0201
#define TAG_AC_SYSTEM_ERROR 0x0202
#define TAG_GENERIC_ERROR 0x0203

#define PADR_TRIES 3

/* How long the answer to a Terminate-Request is waited for. */
#define CLOSING_MS 1000

static void send_discovery(struct client *client, __u8 code)
{
	struct pppoe_client *p = &client->pppoe;
	const __u8 *dst = code == PADI ? broadcast_mac : p->ac;
	size_t service_len = strlen(options.service);
	struct out out;
	__u8 *header;

	packet_open(&out, dst, client->mac, &client->tags, ETH_P_PPP_DISC);
	header = out.at;
	put_8(&out, 0x11);
	put_8(&out, code);
	put_16(&out, code == PADT ? p->session : 0);
	put_16(&out, 0);
	if (code != PADT) {
		put_16(&out, TAG_SERVICE_NAME);
		put_16(&out, service_len);
		put(&out, options.service, service_len);
		put_16(&out, TAG_HOST_UNIQ);
		put_16(&out, 8);
		put_32(&out, client->index);
		put_32(&out, ~client->index);
	}
	if (code == PADR)
		put(&out, p->tags, p->tags_len);
	if (out.start)
		set_16(header + 4, out.at - header - 6);
	packet_close(&out);
}

static void padi(struct client *client);

static void padi_again(struct timer *timer)
{
	padi(client_of_retry(timer));
}

static void padi(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;

	p->state = PPPOE_PADI;
	p->session = 0;
	client_first_sign(client);
	send_discovery(client, PADI);
	client->retry.fire = padi_again;
	timer_set(&client->retry,
		  client_backoff(client, &options.pppoe_timer));
}

static void padr(struct timer *timer)
{
	struct client *client = client_of_retry(timer);
	struct pppoe_client *p = &client->pppoe;
	const struct backoff *backoff = &options.pppoe_timer;

	if (p->padr_tries == PADR_TRIES) {
		client->refusal = REFUSED_NO_ANSWER;
		client_counts.refusals[REFUSED_NO_ANSWER]++;
		client->backoff_step = 0;
		padi(client);
		return;
	}
	if (p->padr_tries)
		client_counts.retries++;
	send_discovery(client, PADR);
	client->retry.fire = padr;
	timer_set(&client->retry, backoff->ms[p->padr_tries % backoff->n]);
	p->padr_tries++;
}

/* --- what comes in */

struct discovery {
	__u8 code;
	__u16 session;
	bool ours;
	bool error;
	__u16 keep_len;
	__u8 keep[sizeof(((struct pppoe_client *)0)->tags)];
};

static bool parse_tag(struct discovery *d, const struct client *client,
		      const __u8 *tag, __u16 len)
{
	switch (get_16(tag)) {
	case TAG_HOST_UNIQ:
		d->ours = len == 8 && get_32(tag + 4) == client->index;
		break;
	case TAG_AC_COOKIE:
	case TAG_RELAY_ID:
		if (d->keep_len + 4U + len > sizeof(d->keep))
			return false;
		memcpy(d->keep + d->keep_len, tag, 4 + len);
		d->keep_len += 4 + len;
		break;
	case TAG_SERVICE_NAME_ERROR:
	case TAG_AC_SYSTEM_ERROR:
	case TAG_GENERIC_ERROR:
		d->error = true;
		break;
	}
	return true;
}

static bool parse(struct discovery *d, const struct client *client,
		  const struct frame *frame)
{
	const __u8 *at = frame->data, *end;

	memset(d, 0, sizeof(*d));
	if (frame->len < 6 || at[0] != 0x11 || get_16(at + 4) > frame->len - 6)
		return false;
	d->code = at[1];
	d->session = get_16(at + 2);
	end = at + 6 + get_16(at + 4);
	for (at += 6; end - at >= 4; at += 4 + get_16(at + 2)) {
		if (get_16(at) == TAG_END)
			break;
		if (get_16(at + 2) > end - at - 4)
			return false;
		if (!parse_tag(d, client, at, get_16(at + 2)))
			return false;
	}
	return true;
}

static void got_pado(struct client *client, const struct frame *frame,
		     const struct discovery *d)
{
	struct pppoe_client *p = &client->pppoe;

	/* The first who offers is taken, the others are too late. */
	if (p->state != PPPOE_PADI || !d->ours) {
		client_counts.stale++;
		return;
	}
	if (d->error) {
		/* Its timer goes on: another one may offer. */
		client->refusal = REFUSED_PADO_ERROR;
		client_counts.refusals[REFUSED_PADO_ERROR]++;
		return;
	}
	memcpy(p->ac, frame->src, ETH_ALEN);
	memcpy(p->tags, d->keep, d->keep_len);
	p->tags_len = d->keep_len;
	p->state = PPPOE_PADR;
	p->padr_tries = 0;
	padr(&client->retry);
}

static void got_pads(struct client *client, const struct frame *frame,
		     const struct discovery *d)
{
	struct pppoe_client *p = &client->pppoe;

	if (p->state != PPPOE_PADR || !d->ours ||
	    memcmp(frame->src, p->ac, ETH_ALEN)) {
		client_counts.stale++;
		return;
	}
	if (d->error || !d->session) {
		p->state = PPPOE_IDLE;
		client_refused(client, REFUSED_PADS_ERROR);
		return;
	}
	p->state = PPPOE_SESSION;
	p->session = d->session;
	ppp_start(client);
}

static void got_padt(struct client *client, const struct frame *frame,
		     const struct discovery *d)
{
	struct pppoe_client *p = &client->pppoe;

	if (!p->session || d->session != p->session ||
	    memcmp(frame->src, p->ac, ETH_ALEN))
		return;
	if (p->state == PPPOE_CLOSING) {
		p->state = PPPOE_IDLE;
		client_gone(client);
	} else if (p->state == PPPOE_SESSION) {
		p->state = PPPOE_IDLE;
		ppp_stop(client);
		client_refused(client, REFUSED_PADT);
	}
}

static void receive(struct client *client, const struct frame *frame)
{
	struct pppoe_client *p = &client->pppoe;
	struct discovery d;

	if (frame->type == ETH_P_PPP_SES) {
		const __u8 *at = frame->data;

		if (frame->len < 8 || at[0] != 0x11 || at[1] ||
		    get_16(at + 4) > frame->len - 6 || get_16(at + 4) < 2)
			packet_counts.malformed++;
		else if (p->session && get_16(at + 2) == p->session &&
			 !memcmp(frame->src, p->ac, ETH_ALEN) &&
			 p->state >= PPPOE_SESSION)
			ppp_receive(client, at + 6, get_16(at + 4));
		else
			client_counts.stale++;
		return;
	}
	if (!parse(&d, client, frame)) {
		packet_counts.malformed++;
		return;
	}
	switch (d.code) {
	case PADO:
		got_pado(client, frame, &d);
		break;
	case PADS:
		got_pads(client, frame, &d);
		break;
	case PADT:
		got_padt(client, frame, &d);
		break;
	}
}

/* --- the end of a session */

void pppoe_failed(struct client *client, enum refusal refusal)
{
	struct pppoe_client *p = &client->pppoe;

	if (p->state == PPPOE_CLOSING) {
		pppoe_closed(client);
		return;
	}
	send_discovery(client, PADT);
	p->state = PPPOE_IDLE;
	ppp_stop(client);
	client_refused(client, refusal);
}

void pppoe_closed(struct client *client)
{
	if (client->pppoe.session)
		send_discovery(client, PADT);
	client->pppoe.state = PPPOE_IDLE;
	ppp_stop(client);
	client_gone(client);
}

static void closing_ends(struct timer *timer)
{
	pppoe_closed(client_of_retry(timer));
}

static void release(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;

	if (p->state != PPPOE_SESSION) {
		p->state = PPPOE_IDLE;
		client_gone(client);
		return;
	}
	p->state = PPPOE_CLOSING;
	ppp_terminate(client);
	client->retry.fire = closing_ends;
	timer_set(&client->retry, CLOSING_MS);
}

static void forget(struct client *client)
{
	memset(&client->pppoe, 0, sizeof(client->pppoe));
}

static void flood(struct client *client)
{
	send_discovery(client, PADI);
}

const struct protocol pppoe_protocol = {
	.name = "pppoe",
	.start = padi,
	.receive = receive,
	.release = release,
	.forget = forget,
	.flood = flood,
};
