// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who serves a client asks who has its address before it sends to it, when it
 * does not know that from the client's own messages.
 */
#include <string.h>

#include "client.h"

static const __u8 fe80[8] = { 0xfe, 0x80 };

void link_local(__u8 *address, const __u8 *mac)
{
	memcpy(address, fe80, 8);
	memcpy(address + 8, mac, 3);
	address[8] ^= 2;
	address[11] = 0xff;
	address[12] = 0xfe;
	memcpy(address + 13, mac + 3, 3);
}

void neighbour_arp(const struct frame *frame)
{
	const __u8 *arp = frame->data;
	struct client *client;
	struct out out;

	/* A request, Ethernet and IPv4. */
	if (frame->len < 28 || get_16(arp + 6) != 1 || get_16(arp + 2) != ETH_P_IP)
		return;
	client = dhcp4_by_address(get_32(arp + 24));
	if (!client || !tags_equal(&client->tags, &frame->tags))
		return;
	packet_open(&out, frame->src, client->mac, &client->tags, ETH_P_ARP);
	put(&out, arp, 6);
	put_16(&out, 2);
	put(&out, client->mac, ETH_ALEN);
	put(&out, arp + 24, 4);
	put(&out, arp + 8, 10);
	packet_close(&out);
}

/* The client whose link-local address it is. */
static struct client *by_link_local(const __u8 *address)
{
	__u8 mac[ETH_ALEN];

	if (memcmp(address, fe80, 8) || address[11] != 0xff ||
	    address[12] != 0xfe)
		return NULL;
	memcpy(mac, address + 8, 3);
	mac[0] ^= 2;
	memcpy(mac + 3, address + 13, 3);
	return client_by_mac(&dhcp6_protocol, mac);
}

void neighbour_solicited(const struct frame *frame)
{
	static const __u8 unspecified[16];
	const __u8 *ip = frame->data, *target = ip + 48;
	struct client *client;
	struct out out;
	__u8 *icmp;

	if (frame->len < 64 || ip[40] != 135 || !memcmp(ip + 8, unspecified, 16))
		return;
	client = by_link_local(target);
	if (!client || !client->started || client->gone ||
	    !tags_equal(&client->tags, &frame->tags))
		return;
	packet_open(&out, frame->src, client->mac, &client->tags, ETH_P_IPV6);
	put_32(&out, 6U << 28);
	put_16(&out, 32);
	put_16(&out, 58 << 8 | 255);
	put(&out, target, 16);
	put(&out, ip + 8, 16);
	icmp = out.at;
	put_32(&out, 136U << 24);
	/* Solicited, and it overrides what was known. */
	put_32(&out, 0x60000000);
	put(&out, target, 16);
	put_16(&out, 2 << 8 | 1);
	put(&out, client->mac, ETH_ALEN);
	if (out.start)
		set_16(icmp + 2, sum_fold(sum_add(58 + 32, icmp - 32, 64)));
	packet_close(&out);
}
