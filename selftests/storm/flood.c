// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "client.h"
#include "flood.h"
#include "options.h"

/* Locally administered, and not where the clients' MACs begin. */
#define FLOOD_MAC 0xf2

__u64 flood_sent;
__u64 flood_answers;

static void flood_one(void)
{
	static struct client nobody;
	__u32 low, high;

	if (!flood_sent)
		nobody.random = ~options.seed;
	low = client_random(&nobody);
	high = client_random(&nobody);
	nobody.index = low;
	nobody.mac[0] = FLOOD_MAC;
	nobody.mac[1] = high;
	memcpy(nobody.mac + 2, &low, sizeof(low));
	nobody.number = high >> 8;
	client_give_tags(&nobody);
	options.flood->flood(&nobody);
	flood_sent++;
}

void flood_run(void)
{
	static __u64 last_ms;
	static double due;

	if (!options.flood)
		return;
	due += (now_ms - last_ms) * options.rate / 1000.0;
	last_ms = now_ms;
	/* Open loop: what could not be sent in time is not sent later. */
	while (due >= 1 && packet_roomy()) {
		flood_one();
		due -= 1;
	}
	if (due > 1)
		due = 1;
}

void flood_receive(const struct frame *frame)
{
	if (options.flood && frame->dst[0] == FLOOD_MAC)
		flood_answers++;
}
