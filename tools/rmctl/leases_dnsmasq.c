// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lease file of dnsmasq: a line each lease,
 *	EXPIRY MAC ADDRESS NAME CLIENT-ID
 * and after a line "duid SERVER-DUID" those of DHCPv6,
 *	EXPIRY [T]IAID ADDRESS NAME CLIENT-DUID
 * EXPIRY counts from the epoch and is 0 for never; T is a temporary address.
 */

#include <stdint.h>
#include <string.h>

#include "args.h"
#include "leases.h"

#define FIELDS	5

/* How many fields there are, at most one more than fit. */
static unsigned int split(char *text, char *field[FIELDS])
{
	unsigned int n = 0;
	char *save = NULL, *word;

	for (word = strtok_r(text, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		if (n == FIELDS)
			return FIELDS + 1;
		field[n++] = word;
	}
	return n;
}

static bool read_lease(char *text, struct lease *one)
{
	char *field[FIELDS];
	__u64 num;

	if (split(text, field) != FIELDS || !lease_address(one, field[2]) ||
	    parse_u64(field[0], INT64_MAX, &num))
		return false;
	one->ends = num ?: NEVER;
	one->up = true;
	if (one->login == RESMON_LOGIN_DHCP4) {
		/* 06-01:02:03 is no Ethernet. */
		lease_mac(one, field[1]);
		return true;
	}
	if (field[1][0] == 'T') {
		/* Its client holds a lease that is none of this kind. */
		one->up = false;
		field[1]++;
	}
	if (parse_u64(field[1], UINT32_MAX, &num) ||
	    !lease_duid(one, field[4]))
		return false;
	one->iaid = num;
	return true;
}

int leases_dnsmasq(struct lines *in, struct leases *all)
{
	char text[LINE_MAX_LEN + 1];
	int err = 1;

	for (; err > 0; err = lines_next(in)) {
		struct lease one = { 0 };

		if (!strncmp(in->text, "duid ", 5))
			continue;
		/* The line is kept for what is said of it. */
		strcpy(text, in->text);
		if (!read_lease(text, &one))
			return lines_bad(in);
		err = leases_add(in, all, &one);
		if (err)
			return err;
	}
	return err;
}
