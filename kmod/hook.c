// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks that see the frames of a place in both directions.
 *
 * Almost every frame is none of login traffic, so the first look costs a
 * comparison of the ethertype, for PPPoE data one more of the PPP protocol
 * number, and for IP one more of protocol and ports (H6).
 */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netfilter_netdev.h>

#include "enforce.h"
#include "follow.h"
#include "hook.h"
#include "net.h"
#include "place.h"

/* A PPP protocol number of one byte is that of data, its lowest bit says so. */
#define PPP_SHORT	0x01
/* Control protocols have the highest bit of two. */
#define PPP_CONTROL	0x80

/* The port that tells which login an UDP datagram belongs to, or -1. */
static int login_of_ports(__be16 sport, __be16 dport, bool v6)
{
	u16 port[2] = { ntohs(sport), ntohs(dport) };
	int i;

	for (i = 0; i < 2; i++) {
		if (port[i] == RESMON_PORT_L2TP)
			return RESMON_LOGIN_L2TP;
		if (!v6 && (port[i] == RESMON_PORT_DHCP4_SERVER ||
			    port[i] == RESMON_PORT_DHCP4_CLIENT))
			return RESMON_LOGIN_DHCP4;
		if (v6 && (port[i] == RESMON_PORT_DHCP6_SERVER ||
			   port[i] == RESMON_PORT_DHCP6_CLIENT))
			return RESMON_LOGIN_DHCP6;
	}
	return -1;
}

/* What an IP frame may be a login of, or -1; bytes of it are there. */
static int login_of_ip(const struct resmon_bytes *b, u32 off, u16 proto)
{
	const __be16 *ports;
	__be16 buffer[2];
	u8 first[40];

	if (proto == ETH_P_IP) {
		const struct iphdr *ip = resmon_bytes_at(b, off, sizeof(*ip),
							 first);

		if (!ip || ip->protocol != IPPROTO_UDP)
			return -1;
		off += ip->ihl * 4;
	} else {
		const struct ipv6hdr *ip = resmon_bytes_at(b, off, sizeof(*ip),
							   first);

		/* Login traffic with extension headers is a fragment. */
		if (!ip || (ip->nexthdr != IPPROTO_UDP &&
			    ip->nexthdr != IPPROTO_FRAGMENT &&
			    ip->nexthdr != IPPROTO_HOPOPTS))
			return -1;
		if (ip->nexthdr != IPPROTO_UDP)
			return RESMON_LOGIN_DHCP6;
		off += sizeof(*ip);
	}
	ports = resmon_bytes_at(b, off, sizeof(buffer), buffer);
	if (!ports)
		return -1;
	return login_of_ports(ports[0], ports[1], proto == ETH_P_IPV6);
}

/* The settings say that this login is looked at. */
static bool looked_at(const struct resmon_frame *frame, int login)
{
	return login >= 0 &&
	       frame->enforce->action[login] != RESMON_ACTION_OFF;
}

static enum resmon_fate ip_frame(struct resmon_frame *frame)
{
	struct resmon_udp udp;
	int login;

	login = login_of_ip(&frame->bytes, frame->link.off, frame->link.proto);
	if (!looked_at(frame, login))
		return RESMON_PASS;
	frame->login = login;
	if (!resmon_frame_read(frame, resmon_udp_parse(&frame->bytes,
						       &frame->link, &udp)))
		return RESMON_PASS;
	/* Behind extension headers the ports are known only now. */
	login = login_of_ports(htons(udp.sport), htons(udp.dport),
			       frame->link.proto == ETH_P_IPV6);
	if (!looked_at(frame, login))
		return RESMON_PASS;
	frame->login = login;
	switch (login) {
	case RESMON_LOGIN_DHCP4:
		return resmon_dhcp4_message(frame, &udp);
	case RESMON_LOGIN_DHCP6:
		return resmon_dhcp6_message(frame, &udp);
	default:
		return resmon_l2tp_message(frame, &udp);
	}
}

static enum resmon_fate login_frame(struct resmon_frame *frame, int tag)
{
	if (!resmon_link_parse(&frame->bytes, tag, &frame->link))
		return RESMON_PASS;
	switch (frame->link.proto) {
	case ETH_P_PPP_DISC:
		frame->login = RESMON_LOGIN_PPPOE;
		if (looked_at(frame, RESMON_LOGIN_PPPOE))
			return resmon_pppoe_discovery(frame);
		return RESMON_PASS;
	case ETH_P_PPP_SES:
		frame->login = RESMON_LOGIN_PPPOE;
		if (looked_at(frame, RESMON_LOGIN_PPPOE))
			resmon_pppoe_session(frame);
		return RESMON_PASS;
	case ETH_P_IP:
	case ETH_P_IPV6:
		return ip_frame(frame);
	default:
		return RESMON_PASS;
	}
}

/**
 * resmon_hook_frame() - a frame that may be login traffic
 * @hook: what sees it
 * @bytes: the frame
 * @skb: the same, to be answered, or NULL in XDP
 * @leaving: it leaves this host
 * @tag: TCI of a tag in its metadata, or RESMON_NO_TAG
 *
 * Context: RCU read section, BH off.
 * Return: RESMON_PASS or RESMON_DROP.
 */
enum resmon_fate resmon_hook_frame(struct resmon_hook *hook,
				   const struct resmon_bytes *bytes,
				   struct sk_buff *skb, bool leaving, int tag)
{
	struct resmon_frame frame;

	/* Not zeroed: the link alone is longer than what is set here. */
	frame.rn = hook->rn;
	frame.hook = hook;
	frame.enforce = rcu_dereference(hook->enforce);
	frame.bytes = *bytes;
	frame.skb = skb;
	frame.leaving = leaving;
	return login_frame(&frame, tag);
}

/**
 * resmon_hook_maybe() - the look that every frame costs
 * @mac: its MAC header
 * @room: bytes of the frame from there in one piece
 * @suspects: data frames of PPPoE are looked at too
 *
 * All it reads lies behind the MAC header, and is there in one piece in all
 * frames but odd ones, which go the long way.
 *
 * Context: Any.
 * Return: false when the frame is no login traffic for sure.
 */
bool resmon_hook_maybe(const u8 *mac, u32 room, bool suspects)
{
	const u8 *net = mac + ETH_HLEN;

	if (unlikely(room < ETH_HLEN + 8))
		return true;
	switch (((const struct ethhdr *)mac)->h_proto) {
	case htons(ETH_P_PPP_SES):
		/* Version, code, session id, length, then the PPP number. */
		return suspects || (!(net[6] & PPP_SHORT) &&
				    net[6] & PPP_CONTROL);
	case htons(ETH_P_IP): {
		const __be16 *ports;
		u32 len;

		if (unlikely(room < ETH_HLEN + 20))
			return true;
		if (net[9] != IPPROTO_UDP)
			return false;
		len = (net[0] & 0xf) * 4;
		if (unlikely(room < ETH_HLEN + len + 4))
			return true;
		ports = (const __be16 *)(net + len);
		return login_of_ports(ports[0], ports[1], false) >= 0;
	}
	case htons(ETH_P_IPV6): {
		const __be16 *ports = (const __be16 *)(net + 40);

		if (unlikely(room < ETH_HLEN + 44))
			return true;
		if (net[6] != IPPROTO_UDP)
			return net[6] == IPPROTO_FRAGMENT ||
			       net[6] == IPPROTO_HOPOPTS;
		return login_of_ports(ports[0], ports[1], true) >= 0;
	}
	case htons(ETH_P_PPP_DISC):
	case htons(ETH_P_8021Q):
	case htons(ETH_P_8021AD):
	case htons(ETH_P_QINQ1):
		return true;
	default:
		return false;
	}
}

static unsigned int hook_run(struct resmon_hook *hook, struct sk_buff *skb,
			     int mac, bool leaving)
{
	struct resmon_bytes bytes;
	int tag = RESMON_NO_TAG;

	if (likely(!resmon_hook_maybe(skb->data + mac, skb_headlen(skb) - mac,
				      leaving && READ_ONCE(hook->suspects))))
		return NF_ACCEPT;

	bytes = (struct resmon_bytes) {
		.skb = skb,
		.mac = mac,
		.len = skb->len - mac,
	};
	if (skb_vlan_tag_present(skb))
		tag = skb_vlan_tag_get(skb);
	return resmon_hook_frame(hook, &bytes, skb, leaving, tag) ==
	       RESMON_PASS ? NF_ACCEPT : NF_DROP;
}

/* The MAC header has been pulled. */
static unsigned int hook_ingress(void *priv, struct sk_buff *skb,
				 const struct nf_hook_state *state)
{
	return hook_run(priv, skb, skb_mac_header(skb) - skb->data, false);
}

/* The data begins with the MAC header. */
static unsigned int hook_egress(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	return hook_run(priv, skb, 0, true);
}

/**
 * resmon_hook_ops() - what to register with netfilter
 * @hook: what is to see the frames
 * @leaving: the egress, else the ingress
 *
 * Context: Under config_lock.
 */
void resmon_hook_ops(struct resmon_hook *hook, bool leaving)
{
	hook->ops[leaving] = (struct nf_hook_ops) {
		.hook = leaving ? hook_egress : hook_ingress,
		.dev = hook->place->dev,
		.priv = hook,
		.pf = NFPROTO_NETDEV,
		.hooknum = leaving ? NF_NETDEV_EGRESS : NF_NETDEV_INGRESS,
		/* Before the rules of nftables, which begin at INT_MIN + 1. */
		.priority = INT_MIN,
	};
}
