/* SPDX-License-Identifier: GPL-2.0-only */
/* What the command line says. */
#ifndef STORM_OPTIONS_H
#define STORM_OPTIONS_H

#include "client.h"

struct options {
	const char *dev;
	__u32 pppoe;
	__u32 dhcp4;
	__u32 dhcp6;
	/* A DHCPv6 client has the MAC and VLAN of the DHCPv4 client beside it. */
	bool dual_stack;

	/* When. */
	__u32 spread_ms;
	__u32 time_s;
	__u32 hold_s;
	bool release;
	/* -1: everybody stays away. */
	long restart_after_s;
	/* -1: all of them. */
	long expect;

	/* From where. */
	__u8 mac_base[ETH_ALEN];
	/* Tags of client n: vid first + n modulo how many, inner ones first. */
	int tags;
	struct {
		__u16 tpid;
		__u16 first;
		__u16 n;
	} tag[TAGS_MAX];
	__u64 seed;
	__u32 frames_per_second;

	const struct protocol *flood;
	__u32 rate;

	struct backoff pppoe_timer;
	struct backoff dhcp4_timer;
	struct backoff dhcp6_timer;
	__u32 ppp_timer_ms;
	const char *service;
	const char *user;
	const char *password;
	bool ipv6cp;
	bool init_reboot;
	__u32 init_reboot_address;
	bool broadcast;
	bool rapid;
	bool na;
	bool pd;

	const char *csv;
	bool json;
};

extern struct options options;

/* Ends the program when the command line is wrong. */
void options_read(int argc, char **argv);

#endif
