/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_ENFORCE_H
#define RESMON_ENFORCE_H

#include <linux/netfilter.h>
#include <linux/u64_stats_sync.h>

#include "flight.h"
#include "pure.h"

struct netlink_ext_ack;
struct resmon_net;
struct resmon_place;

/* Server identifiers that a place is known to have answered with (H10). */
#define RESMON_SERVERS	16

/**
 * struct resmon_enforce - how the login traffic of one place is treated (H2)
 * @rcu: for kfree_rcu()
 * @action: enum resmon_action, by enum resmon_login
 * @mode: enum resmon_enforce_mode
 * @key: enum resmon_identity, what tells subscribers apart (H8)
 * @dual_stack: sessions of a household that speaks DHCPv4 and DHCPv6: 1 or 2
 * @silence: seconds without a sign of life from this host after which a PPPoE
 *	session is suspect, 0 for never (H4)
 * @priority: enum resmon_priority, which frames skip the load gates (H15)
 * @value_len: length of @value in bytes
 * @value: what they carry: 2 bytes of VLAN id or 4 of two in network order,
 *	6 of MAC address, or a text
 */
struct resmon_enforce {
	struct rcu_head rcu;
	u8 action[RESMON_LOGIN_MAX + 1];
	u8 mode;
	u8 key;
	u8 dual_stack;
	u32 silence;
	u8 priority;
	u8 value_len;
	u8 value[RESMON_KEY_LEN];
};

/**
 * enum resmon_seen - what is counted of the frames of a place
 * @RESMON_SEEN_MALFORMED: broken login traffic, passed untouched (H5)
 * @RESMON_SEEN_DROPPED: refused by silence
 * @RESMON_SEEN_REJECTED: refused with an answer
 * @RESMON_SEEN_OBSERVED: would have been refused, but the action is `count`
 * @RESMON_SEEN_UNENFORCED: refused, but the client may go on without us (H1)
 * @RESMON_SEEN_ROGUE: answers from the subscriber side (H13)
 * @RESMON_SEEN_FORGED: ends of a session that its sender does not have (H13)
 * @RESMON_SEEN_FOREIGN: commits meant for another BNG or server (H10)
 * @RESMON_SEEN_ADOPTED: sessions that were up before they were known (H3)
 * @RESMON_SEEN_GHOST: places that moved to the new session of a subscriber (H9)
 * @RESMON_SEEN_EVICTED: first signs that made room for another's (H14)
 * @RESMON_SEEN_FULL: first signs for which a table had no room (H14)
 * @RESMON_SEEN: how many
 */
enum resmon_seen {
	RESMON_SEEN_MALFORMED,
	RESMON_SEEN_DROPPED,
	RESMON_SEEN_REJECTED,
	RESMON_SEEN_OBSERVED,
	RESMON_SEEN_UNENFORCED,
	RESMON_SEEN_ROGUE,
	RESMON_SEEN_FORGED,
	RESMON_SEEN_FOREIGN,
	RESMON_SEEN_ADOPTED,
	RESMON_SEEN_GHOST,
	RESMON_SEEN_EVICTED,
	RESMON_SEEN_FULL,
	RESMON_SEEN,
};

/**
 * struct resmon_seen_counts - monotone counters of one CPU
 * @sync: for hosts of 32 bits
 * @n: by enum resmon_seen
 */
struct resmon_seen_counts {
	struct u64_stats_sync sync;
	u64_stats_t n[RESMON_SEEN];
};

/**
 * struct resmon_enforce_show - what there is to show of the hook of a place
 * @n: by enum resmon_seen
 * @attached: it sees the frames now; false for a leg, whose lag does
 * @flights: first signs that are undecided
 * @flight_max: most of them that there can be in the namespace
 * @suspects: sessions that were silent for too long (H4)
 * @offer_ms: measured time from an offer to its commit in ms (H16)
 * @setup_ms: measured time from the first sign to up in ms (H16)
 */
struct resmon_enforce_show {
	u64 n[RESMON_SEEN];
	bool attached;
	u32 flights;
	u32 flight_max;
	u32 suspects;
	u32 offer_ms;
	u32 setup_ms;
};

/**
 * struct resmon_hook - what sees the frames of one place
 * @rn: the chassis
 * @place: whose they are
 * @enforce: the settings; replaced whole under config_lock, read under RCU
 * @ops: ingress and egress
 * @attached: which of @ops are registered; protected by config_lock
 * @xdp: what arrives is seen by programs that ask, see xdp.c; written under
 *	config_lock, read without it by each of their frames
 * @seen: counters, per CPU
 * @flights: first signs that are undecided, oldest first; protected by
 *	charge_lock
 * @n_flights: how many
 * @flight_group: how many of each group of VLANs
 * @on_flying: in resmon_net.flying, while it has some
 * @suspects: sessions that were silent for too long; written under charge_lock,
 *	read without it by each data frame
 * @offer_ms: mean time from an offer to its commit in ms; under charge_lock
 * @setup_ms: mean time from the first sign to up in ms; under charge_lock
 * @server: hashes of server identifiers that left here; under charge_lock
 * @n_servers: how many, ever; the oldest is overwritten
 */
struct resmon_hook {
	struct resmon_net *rn;
	struct resmon_place *place;
	struct resmon_enforce __rcu *enforce;
	struct nf_hook_ops ops[2];
	bool attached[2];
	bool xdp;
	struct resmon_seen_counts __percpu *seen;
	struct list_head flights;
	u32 n_flights;
	u16 flight_group[RESMON_FLIGHT_GROUPS];
	struct list_head on_flying;
	u32 suspects;
	u32 offer_ms;
	u32 setup_ms;
	u64 server[RESMON_SERVERS];
	u32 n_servers;
};

void resmon_enforce_defaults(struct resmon_enforce *enforce);
void resmon_enforce_get(const struct resmon_place *place,
			struct resmon_enforce *enforce);
int resmon_enforce_set(struct resmon_net *rn, struct resmon_place *place,
		       const struct resmon_enforce *enforce,
		       struct netlink_ext_ack *extack);
void resmon_enforce_show(struct resmon_place *place,
			 struct resmon_enforce_show *show);
void resmon_enforce_place_exit(struct resmon_place *place);
void resmon_enforce_place_free(struct resmon_place *place);
int resmon_enforce_attach(struct resmon_place *place);

void resmon_seen_count(struct resmon_hook *hook, enum resmon_seen what);

#endif /* RESMON_ENFORCE_H */
