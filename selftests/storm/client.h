/* SPDX-License-Identifier: GPL-2.0-only */
/* A subscriber: what all protocols share, and what each keeps of its own. */
#ifndef STORM_CLIENT_H
#define STORM_CLIENT_H

#include "packet.h"
#include "wheel.h"

/* Why a client that had begun did not get in, or is in no more. */
enum refusal {
	REFUSED_NOT,
	REFUSED_PADO_ERROR,
	REFUSED_PADS_ERROR,
	REFUSED_PADT,
	REFUSED_LCP_TERMINATE,
	REFUSED_PPP_TIMEOUT,
	REFUSED_AUTH,
	REFUSED_NO_NCP,
	REFUSED_NAK,
	REFUSED_NO_ADDRESS,
	REFUSED_NO_ANSWER,
	REFUSED_LEASE_END,
	REFUSALS,
};

struct client;

struct protocol {
	const char *name;
	/* The first sign of life, also after a refusal. */
	void (*start)(struct client *client);
	void (*receive)(struct client *client, const struct frame *frame);
	/* Says good-bye; client_gone() follows, at once or later. */
	void (*release)(struct client *client);
	/* Forgets everything, as a power cut does. */
	void (*forget)(struct client *client);
	/* Sends one first sign of life, and that is all. */
	void (*flood)(struct client *client);
};

/* Delays between tries, in milliseconds. */
struct backoff {
	__u32 ms[16];
	int n;
	/* After the last one: from the first again, or the last for ever. */
	bool cycle;
	/* What is added or taken away, at most, by chance. */
	__u32 jitter_ms;
	__u32 jitter_percent;
};

/* One control protocol of PPP (LCP or a network layer) on its way up. */
struct ppp_cp {
	__u8 id;
	/* They acknowledged what we ask for, and we what they ask for. */
	bool ours;
	bool theirs;
	/* Requests sent without an answer. */
	__u8 tries;
	/* Not asked for, or given up as the other side does not know it. */
	bool off;
};

enum ppp_phase { PPP_DEAD, PPP_LCP, PPP_AUTH, PPP_NETWORK, PPP_UP };

struct pppoe_client {
	enum { PPPOE_IDLE, PPPOE_PADI, PPPOE_PADR, PPPOE_SESSION,
	       PPPOE_CLOSING } state;
	__u16 session;
	__u8 ac[ETH_ALEN];
	/* PADRs sent for one PADO. */
	int padr_tries;
	/* Cookie and relay id, as they are to be returned. */
	__u16 tags_len;
	__u8 tags[180];
	enum ppp_phase phase;
	struct ppp_cp lcp;
	struct ppp_cp ipcp;
	struct ppp_cp ip6cp;
	/* The authentication that was demanded, 0: none. */
	__u16 auth;
	__u8 auth_id;
	__u8 auth_tries;
	__u8 reject_id;
	/* Options that the other side does not want to hear of. */
	bool no_magic;
	bool no_mru;
	__u16 mru;
	__u32 magic;
	__u8 ifid[8];
	__u32 address;
};

struct dhcp4_client {
	enum { DHCP4_IDLE, DHCP4_REBOOTING, DHCP4_SELECTING, DHCP4_REQUESTING,
	       DHCP4_BOUND, DHCP4_RENEWING, DHCP4_REBINDING } state;
	__u32 xid;
	__u32 address;
	__u32 server;
	__u8 server_mac[ETH_ALEN];
	int tries;
	__u64 began;
	/* Times of the lease, in milliseconds as now_ms; 0: for ever. */
	__u64 t1;
	__u64 t2;
	__u64 end;
	/* Others with the same hash of the address. */
	struct client *next;
};

struct dhcp6_client {
	enum { DHCP6_IDLE, DHCP6_SOLICIT, DHCP6_REQUEST, DHCP6_BOUND,
	       DHCP6_RENEW, DHCP6_REBIND, DHCP6_RELEASE } state;
	__u32 xid;
	int tries;
	__u64 began;
	__u32 rt;
	__u64 t1;
	__u64 t2;
	__u64 end;
	bool have_na;
	bool have_pd;
	__u8 address[16];
	__u8 prefix[16];
	__u8 prefix_len;
	__u8 server_len;
	__u8 server[130];
};

struct client {
	const struct protocol *protocol;
	/* Among all clients, and among those of its protocol. */
	__u32 index;
	__u32 number;
	__u8 mac[ETH_ALEN];
	struct tags tags;
	/* The next try, and the end of what is held. */
	struct timer retry;
	struct timer life;
	__u64 random;
	int backoff_step;

	/* For the report, all since the round began. */
	bool started;
	bool in;
	bool was_in;
	bool gone;
	__u64 first_sign_ms;
	__u64 in_ms;
	__u32 tries;
	__u32 lost;
	enum refusal refusal;

	union {
		struct pppoe_client pppoe;
		struct dhcp4_client dhcp4;
		struct dhcp6_client dhcp6;
	};
};

struct client_counts {
	__u64 retries;
	__u64 refusals[REFUSALS];
	/* Was in, and is not any more. */
	__u64 lost;
	/* Answers that came too late, or to another question. */
	__u64 stale;
	/* How many are in now, and how many took their leave. */
	__u32 in;
	__u32 gone;
};

extern struct client *clients;
extern __u32 clients_n;
extern struct client_counts client_counts;
/* When the round began. */
extern __u64 round_ms;

extern const struct protocol pppoe_protocol;
extern const struct protocol dhcp4_protocol;
extern const struct protocol dhcp6_protocol;

static inline struct client *client_of_retry(struct timer *timer)
{
	return (struct client *)((char *)timer - offsetof(struct client, retry));
}

static inline struct client *client_of_life(struct timer *timer)
{
	return (struct client *)((char *)timer - offsetof(struct client, life));
}

/* Lays out all clients as the options say; returns false without memory. */
bool clients_init(void);
/* The VLAN tags that its number means. */
void client_give_tags(struct client *client);
/* Everybody is to start, each at its time. */
void clients_begin(void);
/* Everybody says good-bye, or just stops. */
void clients_end(bool release);
void clients_receive(const struct frame *frame);
/* The client of this protocol with that MAC, or NULL. */
struct client *client_by_mac(const struct protocol *protocol, const __u8 *mac);

/* What a client's protocol tells of it. */
void client_first_sign(struct client *client);
void client_in(struct client *client);
/* Starts again when the client's timer has run. */
void client_refused(struct client *client, enum refusal refusal);
void client_gone(struct client *client);

__u32 client_random(struct client *client);
/* The next delay, and the one after that becomes next. */
__u32 client_backoff(struct client *client, const struct backoff *backoff);

/* Answers who asks for a client's address, IPv4 or link-local. */
void neighbour_arp(const struct frame *frame);
void neighbour_solicited(const struct frame *frame);
struct client *dhcp4_by_address(__u32 address);
void link_local(__u8 *address, const __u8 *mac);

#endif
