// SPDX-License-Identifier: GPL-2.0-only
/* IP, UDP and L2TPv2. */
#include "frames_l2tp.h"
#include "frames_link.h"
#include "driver.h"

void fuzz_seeds(void)
{
	fuzz_table(&frames_udp);
	fuzz_table(&frames_l2tp);
}

void fuzz_frame(const struct resmon_bytes *b, const struct resmon_link *link)
{
	struct resmon_l2tp msg;
	struct resmon_udp udp;

	if (!fuzz_udp(b, link, &udp) ||
	    resmon_l2tp_parse(b, &udp, &msg) != RESMON_PARSE_OK)
		return;
	fuzz_check(msg.udp.off == udp.off, "a message of another datagram");
	fuzz_check(msg.control || !msg.type, "data of a type");
	fuzz_check(msg.type != RESMON_L2TP_ICRQ || msg.assigned_sid,
		   "a session without an id");
}
