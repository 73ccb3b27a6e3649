// SPDX-License-Identifier: GPL-2.0-only
/* PPPoE discovery and PPP. */
#include "frames_link.h"
#include "frames_pppoe.h"
#include "driver.h"

void fuzz_seeds(void)
{
	fuzz_table(&frames_link);
	fuzz_table(&frames_pppoe);
	fuzz_table(&frames_ppp);
}

void fuzz_frame(const struct resmon_bytes *b, const struct resmon_link *link)
{
	struct resmon_pppoe msg;
	struct resmon_ppp ppp;

	if (resmon_pppoe_parse(b, link, &msg) == RESMON_PARSE_OK) {
		fuzz_check(msg.has_service || !msg.service.len,
			   "a service without its tag");
		fuzz_span(b, &msg.service);
		fuzz_span(b, &msg.host_uniq);
		fuzz_span(b, &msg.cookie);
		fuzz_span(b, &msg.relay);
		fuzz_span(b, &msg.circuit);
		fuzz_span(b, &msg.remote);
	}
	if (resmon_ppp_parse(b, link, &ppp) == RESMON_PARSE_OK)
		fuzz_check(!ppp.mrru || ppp.proto == RESMON_PPP_LCP,
			   "a bundle without LCP");
}
