// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parsers in user space, under sanitizers: frames made by hand, and each of
 * them cut after every byte. TAP.
 */
#include <stdio.h>
#include <stdlib.h>

#include "frames_l2tp.h"
#include "frames_link.h"
#include "frames_pppoe.h"

static const struct frames *const tables[] = {
	&frames_link, &frames_udp, &frames_pppoe, &frames_ppp, &frames_l2tp,
};

static unsigned int results, failures;

static void ok(bool good, const char *table, const char *name)
{
	printf("%sok %u - %s: %s\n", good ? "" : "not ", ++results, table,
	       name);
	failures += !good;
}

/* A copy that ends where the frame does, for the sanitizer to see beyond. */
static u8 *copy(const u8 *from, u32 len)
{
	u8 *to = malloc(len ?: 1);

	if (!to)
		abort();
	memcpy(to, from, len);
	return to;
}

/* What is cut says something, and reads nothing that is not there. */
static void cut(const struct frames *table, const struct frame *f,
		const u8 *data, u32 len)
{
	u32 n;

	for (n = 0; n < len; n += 1 + n / 256) {
		struct resmon_bytes b = { .data = copy(data, n), .len = n };

		table->good(f, &b);
		free((void *)b.data);
	}
}

int main(void)
{
	static u8 buffer[FRAME_MAX];
	u32 t, i;

	for (t = 0; t < ARRAY_SIZE(tables); t++) {
		for (i = 0; i < tables[t]->n; i++) {
			const struct frame *f = &tables[t]->frame[i];
			struct resmon_bytes b;

			b.skb = NULL;
			b.mac = 0;
			b.len = frame_build(f, buffer);
			b.data = copy(buffer, b.len);
			ok(tables[t]->good(f, &b), tables[t]->name, f->name);
			cut(tables[t], f, b.data, b.len);
			free((void *)b.data);
		}
	}
	printf("1..%u\n", results);
	return failures != 0;
}
