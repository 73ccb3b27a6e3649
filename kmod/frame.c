// SPDX-License-Identifier: GPL-2.0-only
/*
 * What login traffic sits on: the MAC header with its VLAN tags, IP and UDP
 * (H5, H6).
 *
 * Frames are padded, so every length is that of a header, held against the
 * frame and never taken from it.
 */
#include "parse.h"

/* Tags of one frame, the one in its metadata counted in. */
#define TAGS		4
/* Extension headers of IPv6; Linux itself knows no limit. */
#define EXTENSIONS	16

#define ETHERTYPE_CTAG	0x8100
#define ETHERTYPE_STAG	0x88a8
#define ETHERTYPE_OLD	0x9100

#define VID(tci)	((tci) & 0xfff)

#define LEN_IP4		20
#define LEN_IP6		40
#define LEN_UDP		8

/* The offset is in units of 8 bytes in both. */
#define IP4_MORE	0x2000
#define IP4_OFFSET	0x1fff
#define IP6_MORE	0x0001
#define IP6_OFFSET	0xfff8

enum {
	NEXT_HOPOPTS = 0,
	NEXT_UDP = 17,
	NEXT_ROUTING = 43,
	NEXT_FRAGMENT = 44,
	NEXT_AUTH = 51,
	NEXT_DESTOPTS = 60,
};

static bool is_tag(u16 proto)
{
	return proto == ETHERTYPE_CTAG || proto == ETHERTYPE_STAG ||
	       proto == ETHERTYPE_OLD;
}

static void take_tag(struct resmon_link *link, u16 tci)
{
	if (!VID(tci))
		return;
	if (!link->outer)
		link->outer = VID(tci);
	else if (!link->inner)
		link->inner = VID(tci);
}

/**
 * resmon_link_parse() - read the MAC header of a frame
 * @b: the frame
 * @tag: TCI of the outermost tag when it is in the metadata of the frame, else
 *	RESMON_NO_TAG
 * @link: filled in
 *
 * Of more than two VLAN ids the outer two count.
 *
 * Context: Any.
 * Return: Whether the frame has the whole header, of no more than 4 tags.
 */
bool resmon_link_parse(const struct resmon_bytes *b, int tag,
		       struct resmon_link *link)
{
	u8 room[ETH_HLEN];
	const u8 *p;
	int tags = 0;

	memset(link, 0, sizeof(*link));
	p = resmon_bytes_at(b, 0, ETH_HLEN, room);
	if (!p)
		return false;
	memcpy(link->dst, p, ETH_ALEN);
	memcpy(link->src, p + ETH_ALEN, ETH_ALEN);
	link->proto = get_unaligned_be16(p + 2 * ETH_ALEN);
	link->off = ETH_HLEN;
	if (tag != RESMON_NO_TAG) {
		take_tag(link, tag);
		tags++;
	}
	for (; is_tag(link->proto); tags++) {
		if (tags == TAGS)
			return false;
		p = resmon_bytes_at(b, link->off, 4, room);
		if (!p)
			return false;
		take_tag(link, get_unaligned_be16(p));
		link->proto = get_unaligned_be16(p + 2);
		link->off += 4;
	}
	return true;
}

/* Whose datagrams are login traffic. */
static bool is_login4(u16 port)
{
	return port == RESMON_PORT_DHCP4_SERVER ||
	       port == RESMON_PORT_DHCP4_CLIENT || port == RESMON_PORT_L2TP;
}

static bool is_login6(u16 port)
{
	return port == RESMON_PORT_DHCP6_SERVER ||
	       port == RESMON_PORT_DHCP6_CLIENT || port == RESMON_PORT_L2TP;
}

/* The ports, and what follows them within @end, where the IP packet ends. */
static enum resmon_parse parse_ports(const struct resmon_bytes *b, u32 off,
				     u32 end, bool ip6, bool fragment,
				     struct resmon_udp *udp)
{
	bool (*is_login)(u16 port) = ip6 ? is_login6 : is_login4;
	u8 room[LEN_UDP];
	const u8 *p;
	u32 len;

	p = resmon_bytes_at(b, off, LEN_UDP, room);
	if (!p)
		return RESMON_PARSE_OTHER;
	udp->sport = get_unaligned_be16(p);
	udp->dport = get_unaligned_be16(p + 2);
	if (!is_login(udp->sport) && !is_login(udp->dport))
		return RESMON_PARSE_OTHER;

	if (fragment || end > b->len || end < off + LEN_UDP)
		return RESMON_PARSE_MALFORMED;
	len = get_unaligned_be16(p + 4);
	/* The receiver takes this for a jumbogram, of any size. */
	if (ip6 && !len)
		len = end - off;
	if (len < LEN_UDP || len > end - off)
		return RESMON_PARSE_MALFORMED;
	udp->off = off + LEN_UDP;
	udp->len = len - LEN_UDP;
	return RESMON_PARSE_OK;
}

static void map_address(struct in6_addr *to, const u8 *from)
{
	memset(to, 0, sizeof(*to));
	to->s6_addr[10] = 0xff;
	to->s6_addr[11] = 0xff;
	memcpy(&to->s6_addr[12], from, 4);
}

static enum resmon_parse parse_ip4(const struct resmon_bytes *b, u32 off,
				   struct resmon_udp *udp)
{
	u32 header, end;
	u8 room[LEN_IP4];
	const u8 *p;
	u16 frag;

	p = resmon_bytes_at(b, off, LEN_IP4, room);
	if (!p || p[9] != NEXT_UDP || p[0] >> 4 != 4)
		return RESMON_PARSE_OTHER;
	header = (p[0] & 0xf) * 4;
	frag = get_unaligned_be16(p + 6);
	if (header < LEN_IP4 || (frag & IP4_OFFSET))
		return RESMON_PARSE_OTHER;
	map_address(&udp->saddr, p + 12);
	map_address(&udp->daddr, p + 16);
	end = off + get_unaligned_be16(p + 2);
	return parse_ports(b, off + header, end, false, frag & IP4_MORE, udp);
}

static enum resmon_parse parse_ip6(const struct resmon_bytes *b, u32 off,
				   struct resmon_udp *udp)
{
	bool fragment = false;
	u8 room[LEN_IP6];
	const u8 *p;
	u8 next;
	u32 end;
	int i;

	p = resmon_bytes_at(b, off, LEN_IP6, room);
	if (!p || p[0] >> 4 != 6)
		return RESMON_PARSE_OTHER;
	memcpy(&udp->saddr, p + 8, sizeof(udp->saddr));
	memcpy(&udp->daddr, p + 24, sizeof(udp->daddr));
	next = p[6];
	off += LEN_IP6;
	end = off + get_unaligned_be16(p + 4);

	for (i = 0; i <= EXTENSIONS; i++) {
		u32 units = 8, offset;

		if (next == NEXT_UDP)
			return parse_ports(b, off, end, true, fragment, udp);
		switch (next) {
		case NEXT_HOPOPTS:
		case NEXT_ROUTING:
		case NEXT_DESTOPTS:
		case NEXT_FRAGMENT:
		case NEXT_AUTH:
			break;
		default:
			return RESMON_PARSE_OTHER;
		}
		p = resmon_bytes_at(b, off, 8, room);
		if (!p)
			return RESMON_PARSE_OTHER;
		if (next == NEXT_FRAGMENT) {
			offset = get_unaligned_be16(p + 2);
			if (offset & IP6_OFFSET)
				return RESMON_PARSE_OTHER;
			/* One that is all of the packet is none. */
			if (offset & IP6_MORE)
				fragment = true;
		} else if (next == NEXT_AUTH) {
			units = (p[1] + 2) * 4;
		} else {
			units = (p[1] + 1) * 8;
		}
		next = p[0];
		off += units;
	}
	/* Nobody sends so many but to hide what follows. */
	return RESMON_PARSE_MALFORMED;
}

/**
 * resmon_udp_parse() - read the IP and UDP headers of a frame
 * @b: the frame
 * @link: its MAC header
 * @udp: filled in when it is a datagram of login traffic
 *
 * Where the ports cannot be told nobody else can either, so that is none of
 * the login traffic; where they are ours, all else must be sound. A fragment
 * is not: its datagram cannot be read as a whole.
 *
 * Context: Any.
 * Return: What became of it. RESMON_PARSE_OTHER for all but a datagram to or
 *	from a port of DHCP or L2TP.
 */
enum resmon_parse resmon_udp_parse(const struct resmon_bytes *b,
				   const struct resmon_link *link,
				   struct resmon_udp *udp)
{
	switch (link->proto) {
	case ETH_P_IP:
		return parse_ip4(b, link->off, udp);
	case ETH_P_IPV6:
		return parse_ip6(b, link->off, udp);
	}
	return RESMON_PARSE_OTHER;
}
