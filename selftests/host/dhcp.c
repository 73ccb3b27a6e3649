// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parsers of DHCP in user space: every case of the tables, every case cut
 * at every byte, and cases with bytes changed at random. A frame lies in memory
 * of its own size, so that the sanitizer sees one byte too far.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dhcp_cases.h"

#define CHANGED		200	/* frames with changed bytes, of each case */

static unsigned int results, failures;
static u64 seed;

static void ok(bool good, const char *protocol, const char *name)
{
	if (!good)
		failures++;
	printf("%sok %u - %s: %s\n", good ? "" : "not ", ++results, protocol,
	       name);
}

static u32 rnd(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static enum resmon_parse read_message(const struct resmon_bytes *b, bool ip6)
{
	struct resmon_dhcp4 msg4;
	struct resmon_dhcp6 msg6;

	return ip6 ? dhcp6_read(b, &msg6) : dhcp4_read(b, &msg4);
}

/* The first @len bytes of a frame in a place of that size. */
static u8 *copy(const struct frame *f, u32 len, struct resmon_bytes *b)
{
	u8 *data = malloc(len ?: 1);

	if (!data)
		exit(2);
	memcpy(data, f->data, len);
	*b = (struct resmon_bytes){ .data = data, .len = len };
	return data;
}

static const char *differs(const struct frame *f, const void *c)
{
	struct resmon_bytes b;
	const char *what;
	u8 *data = copy(f, f->len, &b);

	what = f->ip6 ? dhcp6_wrong(c, &b) : dhcp4_wrong(c, &b);
	free(data);
	if (what)
		printf("# wrong %s\n", what);
	return what;
}

/* A frame that lacks bytes which its headers promise is never good. */
static bool cut_is_bad(const struct frame *f)
{
	struct resmon_bytes b;
	bool good = true;
	u32 len;

	for (len = 0; len < f->len; len++) {
		u8 *data = copy(f, len, &b);

		if (read_message(&b, f->ip6) == RESMON_PARSE_OK) {
			printf("# good with %u of %u bytes\n", len, f->len);
			good = false;
		}
		free(data);
	}
	return good;
}

/* Shorter and changed messages in sound headers: the sanitizer is the judge. */
static void disturb(const struct frame *f)
{
	struct frame changed;
	struct resmon_bytes b;
	u32 message = f->ip + (f->ip6 ? 48 : 28);
	u32 len;
	int i, n;
	u8 *data;

	for (len = message; len < f->len; len++) {
		changed = *f;
		changed.len = len;
		frame_end(&changed);
		data = copy(&changed, len, &b);
		read_message(&b, f->ip6);
		free(data);
	}
	if (f->len == message)
		return;
	for (i = 0; i < CHANGED; i++) {
		changed = *f;
		for (n = 1 + rnd(4); n; n--)
			changed.data[message + rnd(f->len - message)] =
				rnd(4) ? rnd(256) : rnd(2) * 255;
		data = copy(&changed, f->len, &b);
		read_message(&b, f->ip6);
		free(data);
	}
}

static void try_case(const char *protocol, const char *name,
		     struct frame *f, const void *c)
{
	bool good = !differs(f, c);

	good &= cut_is_bad(f);
	disturb(f);
	frame_pad(f);
	good &= !differs(f, c);
	ok(good, protocol, name);
}

int main(int argc, char **argv)
{
	static struct frame f;
	size_t i;

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20240229;
	printf("# seed %llu\n", (unsigned long long)seed);
	for (i = 0; i < ARRAY_SIZE(dhcp4_cases); i++) {
		dhcp4_frame(&dhcp4_cases[i], &f);
		try_case("dhcpv4", dhcp4_cases[i].name, &f, &dhcp4_cases[i]);
	}
	for (i = 0; i < ARRAY_SIZE(dhcp6_cases); i++) {
		dhcp6_frame(&dhcp6_cases[i], &f);
		try_case("dhcpv6", dhcp6_cases[i].name, &f, &dhcp6_cases[i]);
	}
	printf("1..%u\n", results);
	return failures != 0;
}
