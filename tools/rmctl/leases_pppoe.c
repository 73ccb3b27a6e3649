// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/net/pppoe: a head line, and of each session
 *	ID MAC DEVICE
 * ID is the number as it stands in the frame, read as this host reads numbers,
 * in 8 hexadecimal digits.
 */

#include <arpa/inet.h>
#include <string.h>

#include "args.h"
#include "leases.h"

static bool read_session(const char *text, struct lease *one)
{
	char mac[18], dev[IFNAMSIZ];
	unsigned int id;
	int end = -1;

	if (sscanf(text, "%8x %17s %15s%n", &id, mac, dev, &end) != 3 ||
	    text[end] || id > 0xffff || !id || !lease_mac(one, mac))
		return false;
	one->pppoe_id = ntohs(id);
	strcpy(one->ifname, dev);
	return true;
}

int leases_pppoe(struct lines *in, struct leases *all)
{
	int err = lines_next(in);

	if (err > 0 && strncmp(in->text, "Id ", 3))
		return lines_bad(in);
	while (err >= 0 && (err = lines_next(in)) > 0) {
		struct lease one = {
			.login = RESMON_LOGIN_PPPOE,
			.up = true,
			.ends = NEVER,
		};

		if (!read_session(in->text, &one))
			return lines_bad(in);
		err = leases_add(in, all, &one);
	}
	return err;
}
