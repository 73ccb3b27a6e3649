// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that files of daemons tell of, whatever the format. */

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "leases.h"

int leases_add(struct lines *in, struct leases *all, const struct lease *one)
{
	if (all->n == all->room) {
		size_t room = all->room ? 2 * all->room : 64;
		struct lease *list = realloc(all->list, room * sizeof(*list));

		if (!list) {
			snprintf(in->error, sizeof(in->error), "%s",
				 strerror(ENOMEM));
			return -ENOMEM;
		}
		all->list = list;
		all->room = room;
	}
	all->list[all->n] = *one;
	all->list[all->n].order = all->n;
	all->n++;
	return 0;
}

void leases_free(struct leases *all)
{
	free(all->list);
	memset(all, 0, sizeof(*all));
}

/* The address tells whether it is DHCPv4 or DHCPv6. */
bool lease_address(struct lease *one, const char *text)
{
	memset(one->address, 0, sizeof(one->address));
	if (inet_pton(AF_INET, text, one->address) == 1)
		one->login = RESMON_LOGIN_DHCP4;
	else if (inet_pton(AF_INET6, text, one->address) == 1)
		one->login = RESMON_LOGIN_DHCP6;
	else
		return false;
	return true;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 1:02:a3, as many bytes as there are; how many, or -EINVAL. */
int lease_hex(const char *text, unsigned char *out, size_t room)
{
	size_t n = 0;
	int value;

	for (;;) {
		value = digit(*text);
		if (value < 0 || n == room)
			return -EINVAL;
		if (digit(*++text) >= 0)
			value = value << 4 | digit(*text++);
		out[n++] = value;
		if (!*text)
			return n;
		if (*text++ != ':')
			return -EINVAL;
	}
}

bool lease_mac(struct lease *one, const char *text)
{
	one->has_mac = !parse_mac(text, one->mac);
	return one->has_mac;
}

bool lease_duid(struct lease *one, const char *text)
{
	int len = lease_hex(text, one->duid, sizeof(one->duid));

	one->duid_len = len > 0 ? len : 0;
	return len > 0;
}

/* What to call it in an error message. */
void lease_name(const struct lease *one, char *buf, size_t len)
{
	char address[INET6_ADDRSTRLEN] = "";

	switch (one->login) {
	case RESMON_LOGIN_PPPOE:
		snprintf(buf, len, "%02x:%02x:%02x:%02x:%02x:%02x/%u on %s",
			 one->mac[0], one->mac[1], one->mac[2], one->mac[3],
			 one->mac[4], one->mac[5], one->pppoe_id, one->ifname);
		break;
	case RESMON_LOGIN_DHCP4:
		inet_ntop(AF_INET, one->address, address, sizeof(address));
		snprintf(buf, len, "%s", address);
		break;
	default:
		inet_ntop(AF_INET6, one->address, address, sizeof(address));
		snprintf(buf, len, "%s%s", one->prefix ? "prefix " : "",
			 address);
	}
}

static int compare_lease(const struct lease *a, const struct lease *b)
{
	return memcmp(a->address, b->address, sizeof(a->address)) ?:
	       (int)a->login - b->login ?: (int)a->prefix - b->prefix;
}

static int by_lease(const void *x, const void *y)
{
	const struct lease *a = x, *b = y;

	return compare_lease(a, b) ?: (a->order > b->order) - (a->order < b->order);
}

/* Of two leases of one client the longer one comes first, and counts. */
static int by_end(const void *x, const void *y)
{
	const struct lease *a = x, *b = y;

	return (a->ends < b->ends) - (a->ends > b->ends) ?: by_lease(x, y);
}

/*
 * Leaves what the file says last of each address, as far as it is leased. A
 * session of PPPoE has no address and no end: all stay.
 */
void leases_valid(struct leases *all, __u64 now)
{
	size_t i, n = 0;

	if (!all->n)
		return;
	qsort(all->list, all->n, sizeof(*all->list), by_lease);
	for (i = 0; i < all->n; i++) {
		const struct lease *one = &all->list[i];

		if (one->login != RESMON_LOGIN_PPPOE && i + 1 < all->n &&
		    !compare_lease(one, one + 1))
			continue;
		if (one->up && one->ends > now)
			all->list[n++] = *one;
	}
	all->n = n;
	qsort(all->list, n, sizeof(*all->list), by_end);
}

/* The first line that says something tells which format it is. */
int leases_read(struct lines *in, struct leases *all)
{
	const char *text;
	int err;

	do {
		err = lines_next(in);
		if (err <= 0)
			return err;
		text = in->text + strspn(in->text, " \t");
	} while (!*text || *text == '#');

	if (!strncmp(text, "address,", 8))
		return leases_kea(in, all);
	if (isdigit((unsigned char)*text) || !strncmp(text, "duid ", 5))
		return leases_dnsmasq(in, all);
	return leases_isc(in, all);
}
