/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Login traffic, read but not judged: no state, no lock, no allocation.
 *
 * frame.c and the proto_*.c build in the kernel, in KUnit and in user space,
 * for the fuzzers; this is their one header. Every offset counts from the MAC
 * header, every number is in host order unless its type says otherwise.
 */
#ifndef RESMON_PARSE_H
#define RESMON_PARSE_H

#include "pure.h"

#ifdef __KERNEL__
#include <linux/skbuff.h>
#endif
#include <linux/if_ether.h>
#include <linux/in6.h>

/**
 * enum resmon_parse - what became of a frame that was read
 * @RESMON_PARSE_OTHER: none of this protocol's login traffic
 * @RESMON_PARSE_OK: the message was filled in
 * @RESMON_PARSE_MALFORMED: of this protocol, but broken; it passes untouched
 *	and is counted
 */
enum resmon_parse {
	RESMON_PARSE_OTHER,
	RESMON_PARSE_OK,
	RESMON_PARSE_MALFORMED,
};

/* ---- frame.c: what every protocol sits on ---- */

/**
 * struct resmon_bytes - a frame, read through resmon_bytes_at() alone
 * @skb: where it is in the kernel, or NULL
 * @data: where it is in one piece, when @skb is NULL
 * @mac: offset of the MAC header from skb->data; negative at ingress
 * @len: bytes from the MAC header to the end of the frame
 */
struct resmon_bytes {
	const struct sk_buff *skb;
	const u8 *data;
	int mac;
	u32 len;
};

/**
 * resmon_bytes_at() - some bytes of a frame in one piece
 * @b: the frame
 * @off: where they begin
 * @len: how many
 * @buffer: room for @len bytes, used when they do not lie in one piece
 *
 * Return: The bytes, or NULL when the frame does not have them all.
 */
static inline const void *resmon_bytes_at(const struct resmon_bytes *b, u32 off,
					  u32 len, void *buffer)
{
	if (off > b->len || len > b->len - off)
		return NULL;
#ifdef __KERNEL__
	if (b->skb)
		return skb_header_pointer(b->skb, b->mac + (int)off, len,
					  buffer);
#endif
	return b->data + off;
}

/**
 * struct resmon_span - where in the frame a text of any length lies
 * @off: where it begins
 * @len: its length, 0 when there is none
 */
struct resmon_span {
	u16 off;
	u16 len;
};

/**
 * struct resmon_link - the MAC header and what tags follow it
 * @dst: destination address
 * @src: source address
 * @outer: outer VLAN id, 0 for none; a priority tag is none
 * @inner: inner VLAN id, 0 for none
 * @proto: ethertype behind the tags
 * @off: what follows the ethertype
 */
struct resmon_link {
	u8 dst[ETH_ALEN];
	u8 src[ETH_ALEN];
	u16 outer;
	u16 inner;
	u16 proto;
	u32 off;
};

/**
 * struct resmon_udp - a datagram
 * @saddr: source address, IPv4 as ::ffff:a.b.c.d
 * @daddr: destination address
 * @sport: source port
 * @dport: destination port
 * @off: where its payload begins
 * @len: length of its payload, within the frame
 */
struct resmon_udp {
	struct in6_addr saddr;
	struct in6_addr daddr;
	u16 sport;
	u16 dport;
	u32 off;
	u32 len;
};

/* No tag in the metadata of the frame. */
#define RESMON_NO_TAG	(-1)

/* Ports of login traffic, IPv4, IPv6 and both. */
enum {
	RESMON_PORT_DHCP4_SERVER = 67,
	RESMON_PORT_DHCP4_CLIENT = 68,
	RESMON_PORT_DHCP6_CLIENT = 546,
	RESMON_PORT_DHCP6_SERVER = 547,
	RESMON_PORT_L2TP = 1701,
};

bool resmon_link_parse(const struct resmon_bytes *b, int tag,
		       struct resmon_link *link);
enum resmon_parse resmon_udp_parse(const struct resmon_bytes *b,
				   const struct resmon_link *link,
				   struct resmon_udp *udp);

/* ---- proto_pppoe.c: discovery, and the control protocols of PPP ---- */

enum resmon_pppoe_code {
	RESMON_PPPOE_PADO = 0x07,
	RESMON_PPPOE_PADI = 0x09,
	RESMON_PPPOE_PADR = 0x19,
	RESMON_PPPOE_PADS = 0x65,
	RESMON_PPPOE_PADT = 0xa7,
};

/**
 * struct resmon_pppoe - a discovery message
 * @code: enum resmon_pppoe_code
 * @sid: session id of a PADS or PADT, else 0
 * @host_uniq: tag 0x0103
 * @cookie: AC-Cookie, tag 0x0104
 * @relay: Relay-Session-Id, tag 0x0110
 * @service: Service-Name, tag 0x0101
 * @has_service: the tag is there; it may be empty, and must be returned so
 * @circuit: circuit id of an intermediate agent, tag 0x0105 of vendor 3561,
 *	sub-tag 1
 * @remote: remote id of an intermediate agent, sub-tag 2
 */
struct resmon_pppoe {
	u8 code;
	u16 sid;
	struct resmon_span host_uniq;
	struct resmon_span cookie;
	struct resmon_span relay;
	struct resmon_span service;
	bool has_service;
	struct resmon_span circuit;
	struct resmon_span remote;
};

enum resmon_ppp_proto {
	RESMON_PPP_IPCP = 0x8021,
	RESMON_PPP_IPV6CP = 0x8057,
	RESMON_PPP_LCP = 0xc021,
	RESMON_PPP_PAP = 0xc023,
	RESMON_PPP_CHAP = 0xc223,
	RESMON_PPP_EAP = 0xc227,
};

/**
 * struct resmon_ppp - a frame of a PPPoE session
 * @sid: session id
 * @proto: PPP protocol number, of 1 or 2 bytes on the wire
 * @code: of LCP, an authentication protocol or an NCP (@proto of 0x8000 to
 *	0xbfff), else 0
 * @id: identifier of these
 * @mrru: an LCP Configure-Request or -Ack carries the MRRU option (17)
 */
struct resmon_ppp {
	u16 sid;
	u16 proto;
	u8 code;
	u8 id;
	bool mrru;
};

enum resmon_parse resmon_pppoe_parse(const struct resmon_bytes *b,
				     const struct resmon_link *link,
				     struct resmon_pppoe *msg);
enum resmon_parse resmon_ppp_parse(const struct resmon_bytes *b,
				   const struct resmon_link *link,
				   struct resmon_ppp *msg);

/* ---- proto_dhcp4.c ---- */

enum resmon_dhcp4_type {
	RESMON_DHCP4_DISCOVER = 1,
	RESMON_DHCP4_OFFER,
	RESMON_DHCP4_REQUEST,
	RESMON_DHCP4_DECLINE,
	RESMON_DHCP4_ACK,
	RESMON_DHCP4_NAK,
	RESMON_DHCP4_RELEASE,
	RESMON_DHCP4_INFORM,
};

/**
 * struct resmon_dhcp4 - a DHCPv4 message
 * @udp: what it came in
 * @reply: op is BOOTREPLY
 * @type: option 53, never 0: plain BOOTP is none of the login traffic
 * @xid: transaction
 * @hops: relays it has passed
 * @ciaddr: address that the client uses
 * @yiaddr: address that the client is given
 * @giaddr: address of the first relay
 * @chaddr: MAC address of the client; zero when it is none of Ethernet
 * @requested: option 50, 0 when there is none
 * @server: option 54, 0 when there is none
 * @has_lease: option 51 is there
 * @lease: option 51 in seconds, ~0 for ever
 * @client: client id, option 61
 * @circuit: circuit id, option 82 sub-option 1
 * @remote: remote id, option 82 sub-option 2
 */
struct resmon_dhcp4 {
	struct resmon_udp udp;
	bool reply;
	u8 type;
	u8 hops;
	u32 xid;
	__be32 ciaddr;
	__be32 yiaddr;
	__be32 giaddr;
	u8 chaddr[ETH_ALEN];
	__be32 requested;
	__be32 server;
	bool has_lease;
	u32 lease;
	struct resmon_span client;
	struct resmon_span circuit;
	struct resmon_span remote;
};

enum resmon_parse resmon_dhcp4_parse(const struct resmon_bytes *b,
				     const struct resmon_udp *udp,
				     struct resmon_dhcp4 *msg);

/**
 * enum resmon_dhcp4_request - what a REQUEST asks for
 * @RESMON_DHCP4_SELECTING: an address that was offered
 * @RESMON_DHCP4_INIT_REBOOT: the address of an earlier lease
 * @RESMON_DHCP4_RENEWING: more time for the address in use, of its server
 *	(renewing) or of any (rebinding)
 */
enum resmon_dhcp4_request {
	RESMON_DHCP4_SELECTING,
	RESMON_DHCP4_INIT_REBOOT,
	RESMON_DHCP4_RENEWING,
};

enum resmon_dhcp4_request
resmon_dhcp4_request_of(const struct resmon_dhcp4 *msg);

/* ---- proto_dhcp6.c ---- */

enum resmon_dhcp6_type {
	RESMON_DHCP6_SOLICIT = 1,
	RESMON_DHCP6_ADVERTISE,
	RESMON_DHCP6_REQUEST,
	RESMON_DHCP6_CONFIRM,
	RESMON_DHCP6_RENEW,
	RESMON_DHCP6_REBIND,
	RESMON_DHCP6_REPLY,
	RESMON_DHCP6_RELEASE,
	RESMON_DHCP6_DECLINE,
	RESMON_DHCP6_RECONFIGURE,
	RESMON_DHCP6_INFORMATION_REQUEST,
	RESMON_DHCP6_RELAY_FORW,
	RESMON_DHCP6_RELAY_REPL,
};

/* Relays around one message; more is malformed. */
#define RESMON_DHCP6_RELAYS	32
/* IAs of one message that are told apart; more are malformed. */
#define RESMON_DHCP6_IAS	16

/**
 * struct resmon_dhcp6_ia - one identity association
 * @type: option code: 3 IA_NA, 4 IA_TA, 25 IA_PD
 * @iaid: its number
 * @valid: longest valid lifetime of its addresses or prefixes in seconds, ~0
 *	for ever, 0 when it has none
 * @failed: it carries a status code other than success
 */
struct resmon_dhcp6_ia {
	u16 type;
	u32 iaid;
	u32 valid;
	bool failed;
};

/**
 * struct resmon_dhcp6 - a DHCPv6 message, without its relays
 * @udp: what it came in
 * @relays: relays around it
 * @type: enum resmon_dhcp6_type, never a relay's
 * @xid: transaction
 * @rapid: option 14, rapid commit
 * @status: status code of the message, 0 for success or none
 * @client: DUID of the client, option 1
 * @server: DUID of the server, option 2
 * @circuit: interface id of the innermost relay, option 18
 * @remote: remote id of the innermost relay, option 37
 * @mac: MAC address of the client: option 79, else DUID-LL or DUID-LLT
 * @has_mac: one of them was there
 * @n_ia: identity associations
 * @ia: they
 */
struct resmon_dhcp6 {
	struct resmon_udp udp;
	u8 relays;
	u8 type;
	u32 xid;
	bool rapid;
	u16 status;
	struct resmon_span client;
	struct resmon_span server;
	struct resmon_span circuit;
	struct resmon_span remote;
	u8 mac[ETH_ALEN];
	bool has_mac;
	u8 n_ia;
	struct resmon_dhcp6_ia ia[RESMON_DHCP6_IAS];
};

enum resmon_parse resmon_dhcp6_parse(const struct resmon_bytes *b,
				     const struct resmon_udp *udp,
				     struct resmon_dhcp6 *msg);
bool resmon_duid_mac(const struct resmon_bytes *b, struct resmon_dhcp6 *msg);

/* ---- proto_l2tp.c: L2TPv2 over UDP ---- */

enum resmon_l2tp_type {
	RESMON_L2TP_SCCRQ = 1,
	RESMON_L2TP_SCCRP,
	RESMON_L2TP_SCCCN,
	RESMON_L2TP_STOPCCN,
	RESMON_L2TP_HELLO = 6,
	RESMON_L2TP_ICRQ = 10,
	RESMON_L2TP_ICRP,
	RESMON_L2TP_ICCN,
	RESMON_L2TP_CDN = 14,
	RESMON_L2TP_ZLB = 0xffff,
};

/**
 * struct resmon_l2tp - an L2TPv2 message
 * @udp: what it came in
 * @control: a control message; the rest but the ids is of these alone
 * @tid: tunnel id, of the receiver
 * @sid: session id, of the receiver
 * @ns: its sequence number
 * @nr: the one that the sender expects next
 * @type: AVP 0, RESMON_L2TP_ZLB for a message without AVPs
 * @assigned_tid: AVP 9, 0 when there is none
 * @assigned_sid: AVP 14, 0 when there is none
 */
struct resmon_l2tp {
	struct resmon_udp udp;
	bool control;
	u16 tid;
	u16 sid;
	u16 ns;
	u16 nr;
	u16 type;
	u16 assigned_tid;
	u16 assigned_sid;
};

enum resmon_parse resmon_l2tp_parse(const struct resmon_bytes *b,
				    const struct resmon_udp *udp,
				    struct resmon_l2tp *msg);

#endif /* RESMON_PARSE_H */
