// SPDX-License-Identifier: GPL-2.0-only
/*
 * PPP of a subscriber, no more than it needs to be let in: LCP (RFC 1661),
 * PAP or CHAP with MD5 if asked for, IPCP and on request IPV6CP. Who is up
 * answers echoes. One restart timer serves all protocols of a session, as no
 * two of them ever need different times.
 */
#include "client.h"
#include "md5.h"
#include "options.h"
#include "ppp.h"

#define PPP_IPCP 0x8021
#define PPP_IP6CP 0x8057
#define PPP_LCP_PROTO 0xc021
#define PPP_PAP 0xc023
#define PPP_CHAP 0xc223
#define CHAP_MD5 5

#define CONF_REQ 1
#define CONF_ACK 2
#define CONF_NAK 3
#define CONF_REJ 4
#define TERM_REQ 5
#define TERM_ACK 6
#define CODE_REJ 7
#define PROTO_REJ 8
#define ECHO_REQ 9
#define ECHO_REPLY 10

#define LCP_MRU 1
#define LCP_AUTH 3
#define LCP_MAGIC 5
#define IPCP_ADDRESS 3
#define IP6CP_ID 1

#define CHAP_CHALLENGE 1
#define CHAP_RESPONSE 2
#define CHAP_SUCCESS 3
#define CHAP_FAILURE 4

/* As pppd does it. */
#define TRIES_MAX 10

struct message {
	__u16 proto;
	__u8 code;
	__u8 id;
	const __u8 *data;
	size_t len;
};

/* Writes code and id of a message whose data follow; returns its length. */
static __u8 *message_open(struct client *client, struct out *out, __u16 proto,
			  __u8 code, __u8 id)
{
	struct pppoe_client *p = &client->pppoe;
	__u8 *header;

	packet_open(out, p->ac, client->mac, &client->tags, ETH_P_PPP_SES);
	header = out->at;
	put_16(out, 0x1100);
	put_16(out, p->session);
	put_16(out, 0);
	put_16(out, proto);
	put_8(out, code);
	put_8(out, id);
	put_16(out, 0);
	return header;
}

static void message_close(struct out *out, __u8 *header)
{
	if (out->start) {
		set_16(header + 4, out->at - header - 6);
		set_16(header + 10, out->at - header - 8);
	}
	packet_close(out);
}

static void send_message(struct client *client, __u16 proto, __u8 code,
			 __u8 id, const void *data, size_t len)
{
	struct out out;
	__u8 *header = message_open(client, &out, proto, code, id);

	put(&out, data, len);
	message_close(&out, header);
}

static struct ppp_cp *cp_of(struct pppoe_client *p, __u16 proto)
{
	switch (proto) {
	case PPP_LCP_PROTO:
		return &p->lcp;
	case PPP_IPCP:
		return &p->ipcp;
	case PPP_IP6CP:
		return &p->ip6cp;
	}
	return NULL;
}

static void conf_req(struct client *client, __u16 proto)
{
	struct pppoe_client *p = &client->pppoe;
	struct ppp_cp *cp = cp_of(p, proto);
	struct out out;
	__u8 *header;

	cp->ours = false;
	cp->id++;
	cp->tries++;
	header = message_open(client, &out, proto, CONF_REQ, cp->id);
	switch (proto) {
	case PPP_LCP_PROTO:
		if (!p->no_mru) {
			put_16(&out, LCP_MRU << 8 | 4);
			put_16(&out, p->mru);
		}
		if (!p->no_magic) {
			put_16(&out, LCP_MAGIC << 8 | 6);
			put_32(&out, p->magic);
		}
		break;
	case PPP_IPCP:
		put_16(&out, IPCP_ADDRESS << 8 | 6);
		put_32(&out, p->address);
		break;
	case PPP_IP6CP:
		put_16(&out, IP6CP_ID << 8 | 10);
		put(&out, p->ifid, sizeof(p->ifid));
		break;
	}
	message_close(&out, header);
}

static void send_pap(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;
	size_t user = strlen(options.user), password = strlen(options.password);
	struct out out;
	__u8 *header;

	p->auth_id++;
	header = message_open(client, &out, PPP_PAP, 1, p->auth_id);
	put_8(&out, user);
	put(&out, options.user, user);
	put_8(&out, password);
	put(&out, options.password, password);
	message_close(&out, header);
}

static bool cp_done(const struct ppp_cp *cp)
{
	return cp->off || (cp->ours && cp->theirs);
}

static void restart(struct timer *timer)
{
	struct client *client = client_of_retry(timer);
	struct pppoe_client *p = &client->pppoe;

	if (p->lcp.tries >= TRIES_MAX || p->ipcp.tries >= TRIES_MAX ||
	    p->ip6cp.tries >= TRIES_MAX || p->auth_tries >= TRIES_MAX) {
		pppoe_failed(client, REFUSED_PPP_TIMEOUT);
		return;
	}
	client_counts.retries++;
	timer_set(&client->retry, options.ppp_timer_ms);
	switch (p->phase) {
	case PPP_LCP:
		conf_req(client, PPP_LCP_PROTO);
		break;
	case PPP_AUTH:
		p->auth_tries++;
		if (p->auth == PPP_PAP)
			send_pap(client);
		break;
	case PPP_NETWORK:
		if (!cp_done(&p->ipcp))
			conf_req(client, PPP_IPCP);
		if (!cp_done(&p->ip6cp))
			conf_req(client, PPP_IP6CP);
		break;
	default:
		timer_stop(&client->retry);
		break;
	}
}

static void restart_timer(struct client *client)
{
	client->retry.fire = restart;
	timer_set(&client->retry, options.ppp_timer_ms);
}

static void network_start(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;

	p->phase = PPP_NETWORK;
	p->ipcp.tries = 0;
	p->ip6cp.tries = 0;
	restart_timer(client);
	conf_req(client, PPP_IPCP);
	if (!p->ip6cp.off)
		conf_req(client, PPP_IP6CP);
}

/* As far as it goes, after anything was acknowledged. */
static void advance(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;

	if (p->phase == PPP_LCP && cp_done(&p->lcp)) {
		if (!p->auth) {
			network_start(client);
			return;
		}
		p->phase = PPP_AUTH;
		p->auth_tries = 0;
		restart_timer(client);
		/* CHAP is for them to begin. */
		if (p->auth == PPP_PAP)
			send_pap(client);
	} else if (p->phase == PPP_NETWORK && cp_done(&p->ipcp) &&
		   cp_done(&p->ip6cp)) {
		p->phase = PPP_UP;
		timer_stop(&client->retry);
		client_in(client);
	}
}

void ppp_start(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;

	memset(&p->lcp, 0, sizeof(p->lcp));
	memset(&p->ipcp, 0, sizeof(p->ipcp));
	memset(&p->ip6cp, 0, sizeof(p->ip6cp));
	p->ip6cp.off = !options.ipv6cp;
	p->auth = 0;
	p->auth_tries = 0;
	p->address = 0;
	p->mru = 1492;
	p->no_mru = false;
	p->no_magic = false;
	p->magic = client_random(client) | 1;
	memcpy(p->ifid, client->mac, 3);
	p->ifid[0] ^= 2;
	p->ifid[3] = 0xff;
	p->ifid[4] = 0xfe;
	memcpy(p->ifid + 5, client->mac + 3, 3);
	p->phase = PPP_LCP;
	restart_timer(client);
	conf_req(client, PPP_LCP_PROTO);
}

void ppp_stop(struct client *client)
{
	client->pppoe.phase = PPP_DEAD;
	client->pppoe.session = 0;
}

void ppp_terminate(struct client *client)
{
	struct pppoe_client *p = &client->pppoe;

	send_message(client, PPP_LCP_PROTO, TERM_REQ, ++p->lcp.id, NULL, 0);
}

/* --- what they ask for */

/* What an option of theirs is answered with. What is to be told in a Nak is
 * written to nak, and its length returned there.
 */
static __u8 judge_lcp(struct pppoe_client *p, const __u8 *option, __u8 *nak,
		      __u16 *auth)
{
	switch (option[0]) {
	case LCP_MRU:
		return option[1] == 4 ? CONF_ACK : CONF_REJ;
	case LCP_MAGIC:
		return option[1] == 6 && get_32(option + 2) != p->magic ?
		       CONF_ACK : CONF_REJ;
	case LCP_AUTH:
		if (option[1] < 4)
			return CONF_REJ;
		*auth = get_16(option + 2);
		if (*auth == PPP_PAP && option[1] == 4)
			return CONF_ACK;
		if (*auth == PPP_CHAP && option[1] == 5 &&
		    option[4] == CHAP_MD5)
			return CONF_ACK;
		nak[0] = LCP_AUTH;
		if (*auth == PPP_CHAP) {
			nak[1] = 5;
			nak[4] = CHAP_MD5;
		} else {
			*auth = PPP_PAP;
			nak[1] = 4;
		}
		set_16(nak + 2, *auth);
		return CONF_NAK;
	}
	return CONF_REJ;
}

static __u8 judge(struct pppoe_client *p, __u16 proto, const __u8 *option,
		  __u8 *nak, __u16 *auth)
{
	switch (proto) {
	case PPP_LCP_PROTO:
		return judge_lcp(p, option, nak, auth);
	case PPP_IPCP:
		return option[0] == IPCP_ADDRESS && option[1] == 6 &&
		       get_32(option + 2) ? CONF_ACK : CONF_REJ;
	case PPP_IP6CP:
		return option[0] == IP6CP_ID && option[1] == 10 ?
		       CONF_ACK : CONF_REJ;
	}
	return CONF_REJ;
}

static void got_conf_req(struct client *client, const struct message *m)
{
	struct pppoe_client *p = &client->pppoe;
	struct ppp_cp *cp = cp_of(p, m->proto);
	__u8 answer = CONF_ACK, nak[8], reply[256];
	const __u8 *option, *end = m->data + m->len;
	size_t reply_len = 0;
	__u16 auth = 0;

	if (m->len > sizeof(reply))
		return;
	for (option = m->data; option != end; option += option[1]) {
		const __u8 *told = option;
		__u8 verdict;

		if (end - option < 2 || option[1] < 2 ||
		    option[1] > end - option) {
			packet_counts.malformed++;
			return;
		}
		verdict = judge(p, m->proto, option, nak, &auth);
		/* A Reject comes before a Nak, a Nak before an Ack. */
		if (verdict < answer)
			continue;
		if (verdict > answer)
			reply_len = 0;
		answer = verdict;
		if (verdict == CONF_NAK)
			told = nak;
		/* A Nak is no longer than what it answers, but once. */
		if (reply_len + told[1] > sizeof(reply))
			return;
		memcpy(reply + reply_len, told, told[1]);
		reply_len += told[1];
	}
	/* They begin anew with what was settled. */
	if (cp_done(cp)) {
		if (m->proto == PPP_LCP_PROTO) {
			p->phase = PPP_LCP;
			p->ipcp.ours = false;
			p->ipcp.theirs = false;
			p->ip6cp.ours = false;
			p->ip6cp.theirs = false;
		} else {
			p->phase = PPP_NETWORK;
		}
		cp->tries = 0;
		cp->theirs = false;
		restart_timer(client);
		conf_req(client, m->proto);
	}
	send_message(client, m->proto, answer, m->id, reply, reply_len);
	cp->theirs = answer == CONF_ACK;
	if (m->proto == PPP_LCP_PROTO && cp->theirs)
		p->auth = auth;
	advance(client);
}

/* --- what they say to what we ask for */

/* Returns false when there is no way to go on. */
static bool amend(struct client *client, const struct message *m,
		  const __u8 *option)
{
	struct pppoe_client *p = &client->pppoe;
	bool nak = m->code == CONF_NAK;

	switch (m->proto) {
	case PPP_LCP_PROTO:
		if (option[0] == LCP_MRU && nak && option[1] == 4)
			p->mru = get_16(option + 2);
		else if (option[0] == LCP_MRU)
			p->no_mru = true;
		else if (option[0] == LCP_MAGIC && nak)
			p->magic = client_random(client) | 1;
		else if (option[0] == LCP_MAGIC)
			p->no_magic = true;
		return true;
	case PPP_IPCP:
		if (option[0] != IPCP_ADDRESS)
			return true;
		if (!nak || option[1] != 6)
			return false;
		p->address = get_32(option + 2);
		return true;
	case PPP_IP6CP:
		if (nak && option[0] == IP6CP_ID && option[1] == 10)
			memcpy(p->ifid, option + 2, sizeof(p->ifid));
		else if (!nak)
			p->ip6cp.off = true;
		return true;
	}
	return true;
}

static void got_conf_refusal(struct client *client, const struct message *m)
{
	const __u8 *option, *end = m->data + m->len;

	for (option = m->data; option != end; option += option[1]) {
		if (end - option < 2 || option[1] < 2 ||
		    option[1] > end - option) {
			packet_counts.malformed++;
			return;
		}
		if (!amend(client, m, option)) {
			pppoe_failed(client, REFUSED_NO_NCP);
			return;
		}
	}
	if (!cp_of(&client->pppoe, m->proto)->off)
		conf_req(client, m->proto);
	advance(client);
}

static void got_proto_rej(struct client *client, const struct message *m)
{
	if (m->len < 2)
		return;
	switch (get_16(m->data)) {
	case PPP_IPCP:
		pppoe_failed(client, REFUSED_NO_NCP);
		break;
	case PPP_IP6CP:
		client->pppoe.ip6cp.off = true;
		advance(client);
		break;
	}
}

static void got_echo(struct client *client, const struct message *m)
{
	struct pppoe_client *p = &client->pppoe;
	struct out out;
	__u8 *header;

	if (m->len < 4 || p->phase <= PPP_LCP)
		return;
	header = message_open(client, &out, PPP_LCP_PROTO, ECHO_REPLY, m->id);
	put_32(&out, p->no_magic ? 0 : p->magic);
	put(&out, m->data + 4, m->len - 4);
	message_close(&out, header);
}

static void got_term_req(struct client *client, const struct message *m)
{
	struct ppp_cp *cp = cp_of(&client->pppoe, m->proto);

	send_message(client, m->proto, TERM_ACK, m->id, NULL, 0);
	cp->ours = false;
	cp->theirs = false;
	/* A network protocol that ends alone gets the time of the timer. */
	if (m->proto == PPP_LCP_PROTO)
		pppoe_failed(client, REFUSED_LCP_TERMINATE);
}

static void control(struct client *client, const struct message *m)
{
	struct pppoe_client *p = &client->pppoe;
	struct ppp_cp *cp = cp_of(p, m->proto);
	bool lcp = m->proto == PPP_LCP_PROTO;

	if (p->state == PPPOE_CLOSING && m->code != TERM_REQ &&
	    m->code != TERM_ACK && m->code != ECHO_REQ)
		return;
	switch (m->code) {
	case CONF_REQ:
		got_conf_req(client, m);
		break;
	case CONF_ACK:
		if (m->id != cp->id || cp->ours)
			break;
		cp->ours = true;
		cp->tries = 0;
		advance(client);
		break;
	case CONF_NAK:
	case CONF_REJ:
		if (m->id == cp->id && !cp->ours)
			got_conf_refusal(client, m);
		break;
	case TERM_REQ:
		got_term_req(client, m);
		break;
	case TERM_ACK:
		if (lcp && p->state == PPPOE_CLOSING)
			pppoe_closed(client);
		break;
	case PROTO_REJ:
		if (lcp)
			got_proto_rej(client, m);
		break;
	case ECHO_REQ:
		if (lcp)
			got_echo(client, m);
		break;
	}
}

/* --- authentication */

static void got_pap(struct client *client, const struct message *m)
{
	struct pppoe_client *p = &client->pppoe;

	if (p->phase != PPP_AUTH || m->id != p->auth_id)
		return;
	if (m->code == 2)
		network_start(client);
	else if (m->code == 3)
		pppoe_failed(client, REFUSED_AUTH);
}

static void got_challenge(struct client *client, const struct message *m)
{
	size_t secret = strlen(options.password), len;
	__u8 text[1 + 255 + 255], digest[MD5_LEN];
	struct out out;
	__u8 *header;

	if (!m->len || m->data[0] > m->len - 1)
		return;
	len = m->data[0];
	text[0] = m->id;
	memcpy(text + 1, options.password, secret);
	memcpy(text + 1 + secret, m->data + 1, len);
	md5(text, 1 + secret + len, digest);
	header = message_open(client, &out, PPP_CHAP, CHAP_RESPONSE, m->id);
	put_8(&out, MD5_LEN);
	put(&out, digest, MD5_LEN);
	put(&out, options.user, strlen(options.user));
	message_close(&out, header);
}

static void got_chap(struct client *client, const struct message *m)
{
	struct pppoe_client *p = &client->pppoe;

	if (m->code == CHAP_CHALLENGE && p->phase >= PPP_AUTH)
		got_challenge(client, m);
	else if (m->code == CHAP_SUCCESS && p->phase == PPP_AUTH)
		network_start(client);
	else if (m->code == CHAP_FAILURE && p->phase >= PPP_AUTH)
		pppoe_failed(client, REFUSED_AUTH);
}

void ppp_receive(struct client *client, const __u8 *data, size_t len)
{
	struct message m = { .proto = get_16(data) };

	if (!cp_of(&client->pppoe, m.proto) && m.proto != PPP_PAP &&
	    m.proto != PPP_CHAP) {
		struct out out;
		__u8 *header;

		/* Not of ours, CCP mostly: they are told as soon as they can
		 * listen.
		 */
		if (client->pppoe.phase <= PPP_LCP)
			return;
		header = message_open(client, &out, PPP_LCP_PROTO, PROTO_REJ,
				      ++client->pppoe.reject_id);
		put(&out, data, len);
		message_close(&out, header);
		return;
	}
	if (len < 6 || get_16(data + 4) < 4 || get_16(data + 4) > len - 2) {
		packet_counts.malformed++;
		return;
	}
	m.code = data[2];
	m.id = data[3];
	m.data = data + 6;
	m.len = get_16(data + 4) - 4;
	switch (m.proto) {
	case PPP_PAP:
		got_pap(client, &m);
		break;
	case PPP_CHAP:
		got_chap(client, &m);
		break;
	case PPP_IP6CP:
		if (!options.ipv6cp) {
			send_message(client, PPP_LCP_PROTO, PROTO_REJ,
				     ++client->pppoe.reject_id, data, len);
			break;
		}
		control(client, &m);
		break;
	case PPP_IPCP:
		/* Nothing of the network before LCP and authentication. */
		if (client->pppoe.phase >= PPP_NETWORK)
			control(client, &m);
		break;
	default:
		control(client, &m);
		break;
	}
}
