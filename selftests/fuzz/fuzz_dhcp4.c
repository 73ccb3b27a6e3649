// SPDX-License-Identifier: GPL-2.0-only
/* IP, UDP and DHCPv4. */
#include "dhcp_cases.h"
#include "driver.h"

void fuzz_seeds(void)
{
	static struct frame f;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(dhcp4_cases); i++) {
		dhcp4_frame(&dhcp4_cases[i], &f);
		fuzz_seed(f.data, f.len);
	}
}

void fuzz_frame(const struct resmon_bytes *b, const struct resmon_link *link)
{
	struct resmon_dhcp4 msg;
	struct resmon_udp udp;
	bool reply;

	if (!fuzz_udp(b, link, &udp) ||
	    resmon_dhcp4_parse(b, &udp, &msg) != RESMON_PARSE_OK)
		return;
	fuzz_check(msg.udp.off == udp.off, "a message of another datagram");
	fuzz_check(msg.type && msg.type <= RESMON_DHCP4_INFORM,
		   "a type that is none");
	reply = msg.type == RESMON_DHCP4_OFFER ||
		msg.type == RESMON_DHCP4_ACK || msg.type == RESMON_DHCP4_NAK;
	fuzz_check(msg.reply == reply, "a type of the other direction");
	fuzz_check(msg.has_lease || !msg.lease, "time without a lease");
	fuzz_span(b, &msg.client);
	fuzz_span(b, &msg.circuit);
	fuzz_span(b, &msg.remote);
	fuzz_sum += resmon_dhcp4_request_of(&msg);
}
