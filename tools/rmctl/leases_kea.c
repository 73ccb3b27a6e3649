// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memfile of Kea, dhcp4 or dhcp6: a header with the names of the columns,
 * and a line each time that a lease changed. One that was given back has a
 * lifetime of 0.
 */

#include <stdint.h>
#include <string.h>

#include "args.h"
#include "leases.h"

/* Columns of a file; there are 19 at most by now. */
#define COLUMNS		64

enum {
	IN_USE = 0,		/* column state */
	IA_NA = 0,		/* column lease_type */
	IA_TA = 1,
	IA_PD = 2,
};

/* The columns that are looked at, and where they are. */
enum column {
	ADDRESS,
	HWADDR,
	DUID,
	LIFETIME,
	EXPIRE,
	TYPE,
	IAID,
	STATE,
	CONTEXT,
	WANTED,
};

static const char * const names[WANTED] = {
	[ADDRESS] = "address",
	[HWADDR] = "hwaddr",
	[DUID] = "duid",
	[LIFETIME] = "valid_lifetime",
	[EXPIRE] = "expire",
	[TYPE] = "lease_type",
	[IAID] = "iaid",
	[STATE] = "state",
	[CONTEXT] = "user_context",
};

struct kea {
	int at[WANTED];			/* -1: the file has none */
	unsigned int n;			/* of all columns */
	char *field[COLUMNS];
	char text[LINE_MAX_LEN + 1];
};

/* A comma in a field is written otherwise, so each one separates. */
static bool split(struct kea *kea, const char *text)
{
	char *at = kea->text;

	strcpy(kea->text, text);
	for (kea->n = 0; at; kea->n++) {
		if (kea->n == COLUMNS)
			return false;
		kea->field[kea->n] = strsep(&at, ",");
	}
	return true;
}

static bool read_header(struct kea *kea, const char *text)
{
	unsigned int i, c;

	if (!split(kea, text))
		return false;
	for (c = 0; c < WANTED; c++) {
		kea->at[c] = -1;
		for (i = 0; i < kea->n; i++)
			if (!strcmp(kea->field[i], names[c]))
				kea->at[c] = i;
	}
	return !kea->at[ADDRESS] && kea->at[LIFETIME] >= 0 && kea->at[EXPIRE] >= 0 &&
	       (kea->at[DUID] >= 0 ? kea->at[IAID] >= 0 && kea->at[TYPE] >= 0 :
				     kea->at[HWADDR] >= 0);
}

static const char *column(const struct kea *kea, enum column c)
{
	return kea->at[c] < 0 ? "" : kea->field[kea->at[c]];
}

static bool number(const struct kea *kea, enum column c, __u64 max, __u64 *num)
{
	return !parse_u64(column(kea, c), max, num);
}

/* Option 82 in the context, hexadecimal digits behind 0x; the circuit is 1. */
static void read_circuit(struct lease *one, const char *context)
{
	const char *at = strstr(context, "relay-agent-info");
	unsigned char raw[256];
	size_t n = 0, i;

	at = at ? strstr(at, "\"0x") : NULL;
	if (!at)
		return;
	for (at += 3; n < sizeof(raw) && at[0] && at[1]; at += 2, n++) {
		const char pair[] = { at[0], at[1], '\0' };

		if (lease_hex(pair, &raw[n], 1) != 1)
			break;
	}
	for (i = 0; i + 2 <= n; i += 2 + raw[i + 1]) {
		size_t len = raw[i + 1];

		if (raw[i] != 1 || i + 2 + len > n)
			continue;
		if (len > sizeof(one->circuit))
			len = sizeof(one->circuit);
		memcpy(one->circuit, &raw[i + 2], len);
		one->circuit_len = len;
		return;
	}
}

static bool read_dhcp6(const struct kea *kea, struct lease *one)
{
	__u64 type, iaid;

	if (!number(kea, TYPE, IA_PD, &type) ||
	    !number(kea, IAID, UINT32_MAX, &iaid) ||
	    !lease_duid(one, column(kea, DUID)))
		return false;
	one->iaid = iaid;
	one->prefix = type == IA_PD;
	one->up &= type != IA_TA;
	return true;
}

static bool read_lease(const struct kea *kea, struct lease *one)
{
	__u64 state = IN_USE, lifetime, expire;
	const bool dhcp6 = kea->at[DUID] >= 0;
	const char *mac;

	if (!lease_address(one, column(kea, ADDRESS)) ||
	    one->login != (dhcp6 ? RESMON_LOGIN_DHCP6 : RESMON_LOGIN_DHCP4) ||
	    !number(kea, LIFETIME, UINT32_MAX, &lifetime) ||
	    !number(kea, EXPIRE, INT64_MAX, &expire) ||
	    (kea->at[STATE] >= 0 && !number(kea, STATE, UINT32_MAX, &state)))
		return false;
	one->up = state == IN_USE && lifetime;
	one->ends = lifetime == UINT32_MAX ? NEVER : expire;
	mac = column(kea, HWADDR);
	if (*mac)
		lease_mac(one, mac);
	if (dhcp6)
		return read_dhcp6(kea, one);
	read_circuit(one, column(kea, CONTEXT));
	return true;
}

int leases_kea(struct lines *in, struct leases *all)
{
	struct kea kea;
	unsigned int n;
	int err = 0;

	if (!read_header(&kea, in->text))
		return lines_bad(in);
	n = kea.n;
	while (!err && (err = lines_next(in)) > 0) {
		struct lease one = { 0 };

		if (!split(&kea, in->text) || kea.n != n ||
		    !read_lease(&kea, &one))
			return lines_bad(in);
		err = leases_add(in, all, &one);
	}
	return err;
}
