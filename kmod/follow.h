/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_FOLLOW_H
#define RESMON_FOLLOW_H

#include <linux/rhashtable.h>

#include "session.h"

struct resmon_hook;
struct resmon_net;

/* Network control protocols that bring a PPP session up: IPCP and IPV6CP. */
#define RESMON_NCPS	2

/* Leases of one subscriber that are told apart; more share the last entry. */
#define RESMON_LEASES	8

/* The lease of DHCPv4 among those of a household: no option code of DHCPv6. */
#define RESMON_LEASE_V4	U16_MAX

/**
 * struct resmon_ncp - how far one network control protocol has come
 * @asked: identifier of the last Configure-Request, by direction
 * @has_asked: there was one
 * @acked: the last one was acknowledged by the other side
 */
struct resmon_ncp {
	u8 asked[2];
	bool has_asked[2];
	bool acked[2];
};

/**
 * struct resmon_pppoe_life - what is known of a PPPoE session
 * @mac: of the client
 * @sid: session id, 0 before the PADS
 * @start: hash of Host-Uniq and Relay-Session-Id, which the PADS returns
 * @ncp: IPCP and IPV6CP
 * @terminate: identifier of the last LCP Terminate-Request, by direction
 * @terminating: there was one
 * @multilink: LCP agreed on multilink
 * @suspect: this host is silent in it (H4)
 * @echo_s: seconds between LCP echo requests of this host, 0 for unknown
 * @echo_at: when the last one left, seconds of CLOCK_BOOTTIME
 */
struct resmon_pppoe_life {
	u8 mac[ETH_ALEN];
	u16 sid;
	u64 start;
	struct resmon_ncp ncp[RESMON_NCPS];
	u8 terminate[2];
	bool terminating[2];
	bool multilink;
	bool suspect;
	u16 echo_s;
	u32 echo_at;
};

/**
 * struct resmon_lease - one lease of a subscriber
 * @until: when it ends, seconds of CLOCK_BOOTTIME, ~0 for never
 * @iaid: of DHCPv6
 * @kind: RESMON_LEASE_V4, the option code of the IA for DHCPv6, 0 for none
 * @imported: none of its messages was seen, so that nobody knows its server
 */
struct resmon_lease {
	u32 until;
	u32 iaid;
	u16 kind;
	bool imported;
};

/**
 * struct resmon_dhcp_life - what is known of an IPoE session
 * @lease: its leases
 * @mac: of the client
 * @rapid: charged by a SOLICIT with rapid commit, until the answer tells
 */
struct resmon_dhcp_life {
	struct resmon_lease lease[RESMON_LEASES];
	u8 mac[ETH_ALEN];
	bool rapid;
};

/**
 * struct resmon_l2tp_life - what is known of a call in a tunnel
 * @tid: tunnel id that this host assigned
 * @sid: session id that this host assigned, 0 before the ICRP
 * @denied: it has no place: its data is dropped (H12)
 */
struct resmon_l2tp_life {
	u16 tid;
	u16 sid;
	bool denied;
};

/**
 * struct resmon_follow - a session that is known from frames
 * @node: in resmon_net.followed, while it has an alias
 * @alias: another name by which it is found: of PPPoE the subscriber, of IPoE
 *	the DUID of the client, of L2TP the tunnel
 * @session: the session
 * @hook: what sees its frames
 * @began_ns: when its first sign was seen, CLOCK_BOOTTIME, 0 for not at all
 * @seen: last sign of life, seconds of CLOCK_BOOTTIME; written without a lock
 * @login: enum resmon_login
 * @linked: it is in resmon_net.followed
 * @pppoe: of RESMON_LOGIN_PPPOE
 * @dhcp: of RESMON_LOGIN_DHCP4 and RESMON_LOGIN_DHCP6
 * @l2tp: of RESMON_LOGIN_L2TP
 * @rcu: for the free after a grace period
 *
 * Everything but @seen is protected by charge_lock.
 */
struct resmon_follow {
	struct rhlist_head node;
	struct resmon_key alias;
	struct resmon_session *session;
	struct resmon_hook *hook;
	u64 began_ns;
	u32 seen;
	u8 login;
	bool linked;
	union {
		struct resmon_pppoe_life pppoe;
		struct resmon_dhcp_life dhcp;
		struct resmon_l2tp_life l2tp;
	};
	struct rcu_head rcu;
};

struct resmon_follow *resmon_follow_alloc(struct resmon_hook *hook, u8 login);
int resmon_follow_name(struct resmon_net *rn, struct resmon_follow *follow,
		       const struct resmon_key *alias);
struct resmon_follow *resmon_follow_find(struct resmon_net *rn,
					 const struct resmon_key *alias);
void resmon_follow_alive(struct resmon_follow *follow);
bool resmon_follow_up(struct resmon_net *rn, struct resmon_session *session);
void resmon_follow_end(struct resmon_net *rn, struct resmon_follow *follow);
bool resmon_follow_expired(struct resmon_net *rn,
			   struct resmon_session *session);
void resmon_follow_rearm(struct resmon_net *rn, struct resmon_hook *hook);
int resmon_follow_net_init(struct resmon_net *rn);
void resmon_follow_net_exit(struct resmon_net *rn);

#endif /* RESMON_FOLLOW_H */
