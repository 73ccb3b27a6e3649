// SPDX-License-Identifier: GPL-2.0-only
/* IP, UDP and DHCPv6. */
#include "dhcp_cases.h"
#include "driver.h"

void fuzz_seeds(void)
{
	static struct frame f;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(dhcp6_cases); i++) {
		dhcp6_frame(&dhcp6_cases[i], &f);
		fuzz_seed(f.data, f.len);
	}
}

void fuzz_frame(const struct resmon_bytes *b, const struct resmon_link *link)
{
	static const u8 none[ETH_ALEN];
	struct resmon_dhcp6 msg;
	struct resmon_udp udp;
	u32 i;

	if (!fuzz_udp(b, link, &udp) ||
	    resmon_dhcp6_parse(b, &udp, &msg) != RESMON_PARSE_OK)
		return;
	fuzz_check(msg.udp.off == udp.off, "a message of another datagram");
	fuzz_check(msg.type && msg.type <= RESMON_DHCP6_INFORMATION_REQUEST,
		   "a type that is none");
	fuzz_check(msg.relays <= RESMON_DHCP6_RELAYS, "too many relays");
	fuzz_check(msg.relays || (!msg.circuit.len && !msg.remote.len),
		   "a relay's options without a relay");
	fuzz_check(msg.client.len <= 130 && msg.server.len <= 130,
		   "a DUID too long");
	fuzz_check(msg.has_mac || !memcmp(msg.mac, none, ETH_ALEN),
		   "an address that is not there");
	fuzz_check(msg.n_ia <= RESMON_DHCP6_IAS, "too many associations");
	for (i = 0; i < msg.n_ia; i++)
		fuzz_check(msg.ia[i].type == 3 || msg.ia[i].type == 4 ||
			   msg.ia[i].type == 25, "an association of no type");
	fuzz_span(b, &msg.client);
	fuzz_span(b, &msg.server);
	fuzz_span(b, &msg.circuit);
	fuzz_span(b, &msg.remote);
}
