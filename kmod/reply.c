// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refusals that are told: the answer that a client of each protocol understands
 * as "not now" (H2). It goes out where the commit came in.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/if_pppox.h>
#include <linux/ipv6.h>
#include <linux/pkt_sched.h>
#include <linux/udp.h>
#include <net/addrconf.h>
#include <net/ip.h>
#include <net/ip6_checksum.h>

#include "enforce.h"
#include "place.h"
#include "reply.h"

/* What a client is told. */
static const char refusal[] = "too many sessions, try again later";

/* Longest payload behind the MAC header. */
#define REPLY_ROOM	1400

/* What is put before a payload that is written first. */
#define REPLY_HEAD	(sizeof(struct ipv6hdr) + sizeof(struct udphdr) + \
			 2 * VLAN_HLEN)

/*
 * A frame back to its sender, with its tags, from the address that it was sent
 * to; a frame to everybody is answered from that of the net device.
 */
static struct sk_buff *reply_new(const struct resmon_frame *frame, u16 proto)
{
	struct net_device *dev = frame->hook->place->dev;
	struct sk_buff *skb;

	skb = alloc_skb(LL_RESERVED_SPACE(dev) + REPLY_HEAD + REPLY_ROOM,
			GFP_ATOMIC);
	if (!skb)
		return NULL;
	skb->dev = dev;
	skb_reserve(skb, LL_RESERVED_SPACE(dev) + REPLY_HEAD);
	skb_reset_network_header(skb);
	skb->protocol = htons(proto);
	skb->priority = TC_PRIO_CONTROL;
	return skb;
}

/* The ethertype of the outer tag of the frame that is answered. */
static u16 outer_tag(const struct resmon_frame *frame)
{
	const __be16 *type;
	__be16 buffer;

	if (frame->skb && skb_vlan_tag_present(frame->skb))
		return ntohs(frame->skb->vlan_proto);
	type = resmon_bytes_at(&frame->bytes, 2 * ETH_ALEN, sizeof(buffer),
			       &buffer);
	return type ? ntohs(*type) : ETH_P_8021Q;
}

static void put_vlan(struct sk_buff *skb, u16 vid, u16 tag, u16 inner)
{
	struct vlan_hdr *vlan = skb_push(skb, VLAN_HLEN);

	vlan->h_vlan_TCI = htons(vid);
	vlan->h_vlan_encapsulated_proto = htons(inner);
	skb->protocol = htons(tag);
}

/* The MAC header and the tags, and out. Takes the frame. */
static bool reply_send(const struct resmon_frame *frame, struct sk_buff *skb,
		       const u8 *to, u16 proto)
{
	const struct resmon_link *link = &frame->link;
	struct net_device *dev = skb->dev;
	struct ethhdr *eth;
	u16 type = proto;

	if (link->inner) {
		put_vlan(skb, link->inner, ETH_P_8021Q, type);
		type = ETH_P_8021Q;
	}
	if (link->outer) {
		u16 tag = outer_tag(frame);

		put_vlan(skb, link->outer, tag, type);
		type = tag;
	}
	eth = skb_push(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, to);
	ether_addr_copy(eth->h_source, is_multicast_ether_addr(link->dst) ?
				       dev->dev_addr : link->dst);
	eth->h_proto = htons(type);
	skb_reset_mac_header(skb);
	return dev_queue_xmit(skb) == NET_XMIT_SUCCESS;
}

static void *put_tag(struct sk_buff *skb, u16 type, u16 len)
{
	__be16 *tag = skb_put(skb, 4 + len);

	tag[0] = htons(type);
	tag[1] = htons(len);
	return tag + 2;
}

static void copy_tag(const struct resmon_frame *frame, struct sk_buff *skb,
		     u16 type, const struct resmon_span *span)
{
	const void *text;
	void *at;

	if (!span->len || skb_tailroom(skb) < 4 + span->len + 128)
		return;
	at = put_tag(skb, type, span->len);
	text = resmon_bytes_at(&frame->bytes, span->off, span->len, at);
	if (!text)
		memset(at, 0, span->len);
	else if (text != at)
		memcpy(at, text, span->len);
}

/**
 * resmon_reply_pads() - refuse a PADR: a PADS without a session
 * @frame: the PADR
 * @msg: what it says
 *
 * Context: RCU read section, BH off.
 * Return: true when it was sent.
 */
bool resmon_reply_pads(const struct resmon_frame *frame,
		       const struct resmon_pppoe *msg)
{
	struct sk_buff *skb = reply_new(frame, ETH_P_PPP_DISC);
	struct pppoe_hdr *head;

	if (!skb)
		return false;
	head = skb_put_zero(skb, sizeof(*head));
	head->ver = 1;
	head->type = 1;
	head->code = RESMON_PPPOE_PADS;
	/* Even an empty service name is to be returned. */
	if (msg->service.len)
		copy_tag(frame, skb, 0x0101, &msg->service);
	else
		put_tag(skb, 0x0101, 0);
	copy_tag(frame, skb, 0x0103, &msg->host_uniq);
	copy_tag(frame, skb, 0x0110, &msg->relay);
	memcpy(put_tag(skb, 0x0202, strlen(refusal)), refusal, strlen(refusal));
	head->length = htons(skb->len - sizeof(*head));
	return reply_send(frame, skb, frame->link.src, ETH_P_PPP_DISC);
}

/* ---- DHCPv4 ---- */

/* The fixed part of a BOOTP message, with the cookie before its options. */
struct bootp {
	u8 op;
	u8 htype;
	u8 hlen;
	u8 hops;
	__be32 xid;
	__be16 secs;
	__be16 flags;
	__be32 ciaddr;
	__be32 yiaddr;
	__be32 siaddr;
	__be32 giaddr;
	u8 chaddr[16];
	u8 sname[64];
	u8 file[128];
	__be32 cookie;
};

static void put_option(struct sk_buff *skb, u8 code, u8 len, const void *data)
{
	u8 *option = skb_put(skb, 2 + len);

	option[0] = code;
	option[1] = len;
	memcpy(option + 2, data, len);
}

/* A relay finds the way back by what it added. */
static void put_relay(const struct resmon_frame *frame, struct sk_buff *skb,
		      const struct resmon_dhcp4 *msg)
{
	const struct resmon_span *span[] = { &msg->circuit, &msg->remote };
	u8 *option, *sub;
	int i;

	if (!(msg->circuit.len || msg->remote.len) ||
	    msg->circuit.len + msg->remote.len + 4 > 255)
		return;
	option = skb_put(skb, 2);
	option[0] = 82;
	option[1] = 0;
	for (i = 0; i < ARRAY_SIZE(span); i++) {
		const void *text;

		if (!span[i]->len)
			continue;
		sub = skb_put_zero(skb, 2 + span[i]->len);
		sub[0] = i + 1;
		sub[1] = span[i]->len;
		text = resmon_bytes_at(&frame->bytes, span[i]->off,
				       span[i]->len, sub + 2);
		if (text && text != sub + 2)
			memcpy(sub + 2, text, span[i]->len);
		option[1] += 2 + span[i]->len;
	}
}

static void put_udp(struct sk_buff *skb, u16 sport, u16 dport)
{
	struct udphdr *udp = skb_push(skb, sizeof(*udp));

	udp->source = htons(sport);
	udp->dest = htons(dport);
	udp->len = htons(skb->len);
	udp->check = 0;
	skb_reset_transport_header(skb);
}

static void put_ip(struct sk_buff *skb, __be32 saddr, __be32 daddr)
{
	struct udphdr *udp = udp_hdr(skb);
	struct iphdr *ip;

	udp->check = csum_tcpudp_magic(saddr, daddr, skb->len, IPPROTO_UDP,
				       csum_partial(udp, skb->len, 0)) ?:
		     CSUM_MANGLED_0;
	ip = skb_push(skb, sizeof(*ip));
	*ip = (struct iphdr) {
		.version = 4,
		.ihl = 5,
		.tos = IPTOS_LOWDELAY,
		.tot_len = htons(skb->len),
		.ttl = 64,
		.protocol = IPPROTO_UDP,
		.saddr = saddr,
		.daddr = daddr,
	};
	ip_send_check(ip);
	skb_reset_network_header(skb);
}

/**
 * resmon_reply_nak() - refuse a selecting DHCPv4 REQUEST
 * @frame: the REQUEST
 * @msg: what it says; it names a server of this host
 *
 * Context: RCU read section, BH off.
 * Return: true when it was sent.
 */
bool resmon_reply_nak(const struct resmon_frame *frame,
		      const struct resmon_dhcp4 *msg)
{
	struct sk_buff *skb = reply_new(frame, ETH_P_IP);
	const u8 type = RESMON_DHCP4_NAK;
	const struct bootp *asked;
	u8 everybody[ETH_ALEN];
	const u8 end = 255;
	struct bootp *bootp;

	if (!skb)
		return false;
	bootp = skb_put_zero(skb, sizeof(*bootp));
	asked = resmon_bytes_at(&frame->bytes, msg->udp.off, sizeof(*asked),
				bootp);
	if (!asked) {
		kfree_skb(skb);
		return false;
	}
	if (asked != bootp)
		*bootp = *asked;
	bootp->op = 2;
	bootp->hops = 0;
	bootp->secs = 0;
	bootp->ciaddr = 0;
	bootp->yiaddr = 0;
	bootp->siaddr = 0;
	memset(bootp->sname, 0, sizeof(bootp->sname));
	memset(bootp->file, 0, sizeof(bootp->file));
	put_option(skb, 53, sizeof(type), &type);
	put_option(skb, 54, sizeof(msg->server), &msg->server);
	put_option(skb, 56, strlen(refusal), refusal);
	put_relay(frame, skb, msg);
	skb_put_data(skb, &end, sizeof(end));

	put_udp(skb, 67, msg->giaddr ? 67 : 68);
	put_ip(skb, msg->server, msg->giaddr ?: htonl(INADDR_BROADCAST));
	eth_broadcast_addr(everybody);
	return reply_send(frame, skb, msg->giaddr ? frame->link.src : everybody,
			  ETH_P_IP);
}

/* ---- DHCPv6 ---- */

static void put_option6(struct sk_buff *skb, u16 code, u16 len)
{
	__be16 *option = skb_put(skb, 4);

	option[0] = htons(code);
	option[1] = htons(len);
}

static bool copy_option6(const struct resmon_frame *frame, struct sk_buff *skb,
			 u16 code, const struct resmon_span *span)
{
	const void *text;
	void *at;

	if (!span->len)
		return false;
	put_option6(skb, code, span->len);
	at = skb_put(skb, span->len);
	text = resmon_bytes_at(&frame->bytes, span->off, span->len, at);
	if (text && text != at)
		memcpy(at, text, span->len);
	return text;
}

/* An IA that got nothing: its own status says so (RFC 8415, 18.3.2). */
static void put_ia(struct sk_buff *skb, const struct resmon_dhcp6_ia *ia)
{
	/* IA_TA has no times. */
	u16 times = ia->type == 4 ? 0 : 8;

	put_option6(skb, ia->type, 4 + times + 4 + 2);
	put_unaligned_be32(ia->iaid, skb_put(skb, 4));
	skb_put_zero(skb, times);
	put_option6(skb, 13, 2);
	/* NoPrefixAvail, NoAddrsAvail. */
	put_unaligned_be16(ia->type == 25 ? 6 : 2, skb_put(skb, 2));
}

/* The address by which a server on this link speaks. */
static bool link_local(const struct resmon_frame *frame, struct in6_addr *addr)
{
	struct net_device *dev = frame->hook->place->dev;
	const struct inet6_ifaddr *ifa;
	const struct inet6_dev *idev;

	if (frame->link.outer)
		dev = __vlan_find_dev_deep_rcu(dev, htons(ETH_P_8021Q),
					       frame->link.outer) ?: dev;
	idev = __in6_dev_get(dev);
	if (!idev)
		return false;
	list_for_each_entry_rcu(ifa, &idev->addr_list, if_list) {
		if (!(ipv6_addr_type(&ifa->addr) & IPV6_ADDR_LINKLOCAL))
			continue;
		*addr = ifa->addr;
		return true;
	}
	return false;
}

/**
 * resmon_reply_none() - refuse a DHCPv6 REQUEST
 * @frame: the REQUEST
 * @msg: what it says; it names a server of this host
 *
 * Only where the client is heard itself: the way back through relays is theirs.
 *
 * Context: RCU read section, BH off.
 * Return: true when it was sent.
 */
bool resmon_reply_none(const struct resmon_frame *frame,
		       const struct resmon_dhcp6 *msg)
{
	struct in6_addr saddr;
	struct ipv6hdr *ip;
	struct udphdr *udp;
	struct sk_buff *skb;
	int i;

	if (msg->relays || !msg->n_ia || !link_local(frame, &saddr))
		return false;
	skb = reply_new(frame, ETH_P_IPV6);
	if (!skb)
		return false;
	put_unaligned_be32((u32)RESMON_DHCP6_REPLY << 24 | msg->xid,
			   skb_put(skb, 4));
	if (!copy_option6(frame, skb, 1, &msg->client) ||
	    !copy_option6(frame, skb, 2, &msg->server)) {
		kfree_skb(skb);
		return false;
	}
	for (i = 0; i < msg->n_ia; i++)
		put_ia(skb, &msg->ia[i]);

	put_udp(skb, 547, 546);
	udp = udp_hdr(skb);
	udp->check = csum_ipv6_magic(&saddr, &msg->udp.saddr, skb->len,
				     IPPROTO_UDP,
				     csum_partial(udp, skb->len, 0)) ?:
		     CSUM_MANGLED_0;
	ip = skb_push(skb, sizeof(*ip));
	*ip = (struct ipv6hdr) {
		.version = 6,
		.payload_len = htons(skb->len - sizeof(*ip)),
		.nexthdr = IPPROTO_UDP,
		.hop_limit = 64,
		.saddr = saddr,
		.daddr = msg->udp.saddr,
	};
	skb_reset_network_header(skb);
	return reply_send(frame, skb, frame->link.src, ETH_P_IPV6);
}
