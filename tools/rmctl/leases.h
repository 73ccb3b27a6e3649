/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_LEASES_H
#define RMCTL_LEASES_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

#include <linux/resmon.h>
#include <linux/types.h>

#include "lines.h"

#define MAC_LEN		6
#define DUID_LEN	130	/* RFC 8415, with its type */
#define NEVER		((__u64)-1)

/* A session that is up, as a file tells of it. */
struct lease {
	size_t order;			/* in the file */
	__u64 ends;			/* seconds since the epoch, or NEVER */
	__u32 iaid;
	__u16 pppoe_id;
	__u8 login;			/* enum resmon_login */
	bool up;			/* else it was given back */
	bool prefix;
	bool has_mac;
	__u8 circuit_len;
	__u8 duid_len;
	unsigned char address[16];	/* that was leased, of PPPoE zero */
	unsigned char mac[MAC_LEN];
	unsigned char circuit[RESMON_KEY_LEN];
	unsigned char duid[DUID_LEN];
	char ifname[IFNAMSIZ];		/* empty when the file has none */
};

struct leases {
	struct lease *list;
	size_t n;
	size_t room;
};

/*
 * Each reads all of a file and returns 0, or a negative error number with the
 * reason in lines.error. Those of a format begin with the line that was read.
 */
int leases_read(struct lines *in, struct leases *all);
int leases_isc(struct lines *in, struct leases *all);
int leases_kea(struct lines *in, struct leases *all);
int leases_dnsmasq(struct lines *in, struct leases *all);
int leases_pppoe(struct lines *in, struct leases *all);

int leases_add(struct lines *in, struct leases *all, const struct lease *one);
void leases_valid(struct leases *all, __u64 now);
void leases_free(struct leases *all);

/* For the formats; false or a negative number when the text is none. */
bool lease_address(struct lease *one, const char *text);
int lease_hex(const char *text, unsigned char *out, size_t room);
bool lease_mac(struct lease *one, const char *text);
bool lease_duid(struct lease *one, const char *text);
void lease_name(const struct lease *one, char *buf, size_t len);

#endif /* RMCTL_LEASES_H */
