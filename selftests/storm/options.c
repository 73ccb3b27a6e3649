// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

#define CLIENTS_MAX 1000000

struct options options = {
	.time_s = 120,
	.release = true,
	.restart_after_s = -1,
	.expect = -1,
	.mac_base = { 0x02, 0x53, 0x00, 0x00, 0x00, 0x00 },
	.seed = 1,
	.frames_per_second = 50000,
	/* rp-pppoe dials with these, and then again. */
	.pppoe_timer = { .ms = { 5000, 10000, 20000 }, .n = 3, .cycle = true },
	.dhcp4_timer = { .ms = { 4000, 8000, 16000, 32000, 64000 }, .n = 5,
			 .jitter_ms = 1000 },
	.dhcp6_timer = { .ms = { 1000, 2000, 4000, 8000, 16000, 32000, 64000,
				 128000, 256000, 512000, 1024000, 2048000,
				 3600000 }, .n = 13, .jitter_percent = 10 },
	.ppp_timer_ms = 3000,
	.service = "",
	.user = "storm",
	.password = "storm",
	.na = true,
	.pd = true,
};

static const char usage_text[] =
	"usage: storm [OPTION...] DEV\n"
	"\n"
	"Plays subscribers on a net device until all are in, and tells when each was.\n"
	"\n"
	"  --pppoe N, --dhcp4 N, --dhcp6 N   so many clients\n"
	"  --dual-stack         DHCPv6 client n has the MAC and VLAN of DHCPv4 client n\n"
	"  --spread MS          first signs of life at random within MS (default 0)\n"
	"  --time SEC           all are to be in by then (default 120)\n"
	"  --expect N           exactly N are to be in then, instead of all\n"
	"  --hold SEC           stay up that long, then leave (default 0)\n"
	"  --no-release         just stop, as in a power cut\n"
	"  --restart-after SEC  everybody comes back that long after the end, once\n"
	"\n"
	"  --mac-base MAC       of the first client (default 02:53:00:00:00:00)\n"
	"  --vlan A[-B]         clients in turn on these VLANs\n"
	"  --qinq O[-O]:I[-I]   the same with two tags, the outer one of type 88a8\n"
	"  --tpid HEX           another type of the outer tag\n"
	"  --seed N             another choice of everything random (default 1)\n"
	"  --pps N              send at most N frames a second (default 50000, 0: no limit)\n"
	"  --flood PROTOCOL     first signs from random MACs, beside the clients or\n"
	"                       alone; pppoe, dhcp4 or dhcp6\n"
	"  --rate N             so many of them a second (default 1000)\n"
	"\n"
	"  --pppoe-timer S,...  delays between tries, over and over (default 5,10,20)\n"
	"  --dhcp4-timer S,...  the last one for ever, each +-1 (default 4,8,16,32,64)\n"
	"  --dhcp6-timer S,...  the last one for ever, each +-10% (default 1,2,4 .. 3600)\n"
	"  --ppp-timer S        of LCP, PAP and IPCP (default 3)\n"
	"  --service NAME, --user NAME, --password TEXT\n"
	"  --ipv6cp             PPPoE clients want IPV6CP too\n"
	"  --init-reboot[=ADDRESS]  DHCPv4 clients ask for the address they had, or for\n"
	"                       ADDRESS + n\n"
	"  --broadcast          DHCPv4 answers are to be broadcast\n"
	"  --rapid              DHCPv6 with rapid commit\n"
	"  --no-na, --no-pd     DHCPv6 without address, without prefix\n"
	"\n"
	"  --csv FILE           a line for each client\n"
	"  -j                   the summary as JSON, a line for each round\n"
	"\n"
	"Exit status: 0 as expected, 1 not, 2 nothing could be done.\n";

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("storm: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

static __u64 read_number(const char *name, const char *text, __u64 min,
			 __u64 max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || value < min ||
	    value > max)
		die("--%s is a number from %llu to %llu, not '%s'", name, min,
		    max, text);
	return value;
}

static __u32 read_delay(const char *name, const char *text, char **end)
{
	double value = strtod(text, end);

	if (*end == text || !(value >= 0.001 && value <= 86400))
		die("--%s takes seconds from 0.001 to 86400, not '%s'", name,
		    text);
	return value * 1000 + 0.5;
}

static void read_backoff(struct backoff *backoff, const char *name,
			 const char *text)
{
	char *at = (char *)text;

	backoff->n = 0;
	do {
		if (backoff->n == ARRAY_SIZE(backoff->ms))
			die("--%s takes no more than %d delays", name,
			    backoff->n);
		backoff->ms[backoff->n++] = read_delay(name, at, &at);
	} while (*at++ == ',');
	if (at[-1])
		die("--%s takes seconds and commas, not '%s'", name, text);
}

static void read_mac(const char *text)
{
	unsigned int byte[ETH_ALEN];
	char rest;
	int i;

	if (sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%c", &byte[0], &byte[1],
		   &byte[2], &byte[3], &byte[4], &byte[5], &rest) != ETH_ALEN)
		die("--mac-base is a MAC, not '%s'", text);
	if (byte[0] & 1)
		die("--mac-base is a MAC of a host, not of a group");
	for (i = 0; i < ETH_ALEN; i++)
		options.mac_base[i] = byte[i];
}

/* A or A-B; returns what follows. */
static const char *read_vids(int i, const char *text)
{
	unsigned long first, last;
	char *end;

	first = strtoul(text, &end, 10);
	last = first;
	if (end != text && *end == '-')
		last = strtoul(end + 1, &end, 10);
	if (first < 1 || last > 4094 || last < first)
		die("VLANs are from 1 to 4094, as in 100 or 100-199, not '%s'",
		    text);
	options.tag[i].first = first;
	options.tag[i].n = last - first + 1;
	return end;
}

static void read_vlan(const char *text)
{
	options.tags = 1;
	options.tag[0].tpid = ETH_P_8021Q;
	if (*read_vids(0, text))
		die("--vlan takes VLANs as 100 or 100-199, not '%s'", text);
}

static void read_qinq(const char *text)
{
	const char *at;

	options.tags = 2;
	options.tag[0].tpid = ETH_P_8021AD;
	options.tag[1].tpid = ETH_P_8021Q;
	at = read_vids(0, text);
	if (*at != ':' || *read_vids(1, at + 1))
		die("--qinq takes outer and inner VLANs as 10:100-199, not '%s'",
		    text);
}

static void read_flood(const char *text)
{
	static const struct protocol *const all[] = {
		&pppoe_protocol, &dhcp4_protocol, &dhcp6_protocol,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i]->name, text))
			options.flood = all[i];
	if (!options.flood)
		die("--flood is one of pppoe, dhcp4 and dhcp6, not '%s'", text);
}

static void read_address(const char *text)
{
	struct in_addr address;

	options.init_reboot = true;
	if (!text)
		return;
	if (inet_pton(AF_INET, text, &address) != 1)
		die("--init-reboot takes an IPv4 address, not '%s'", text);
	options.init_reboot_address = ntohl(address.s_addr);
}

static const char *short_text(const char *name, const char *text)
{
	if (strlen(text) > 255)
		die("--%s is too long", name);
	return text;
}

enum {
	OPT_PPPOE = 256, OPT_DHCP4, OPT_DHCP6, OPT_DUAL_STACK, OPT_SPREAD,
	OPT_TIME, OPT_EXPECT, OPT_HOLD, OPT_NO_RELEASE, OPT_RESTART, OPT_MAC,
	OPT_VLAN, OPT_QINQ, OPT_TPID, OPT_SEED, OPT_PPS, OPT_FLOOD, OPT_RATE,
	OPT_PPPOE_TIMER, OPT_DHCP4_TIMER, OPT_DHCP6_TIMER, OPT_PPP_TIMER,
	OPT_SERVICE, OPT_USER, OPT_PASSWORD, OPT_IPV6CP, OPT_INIT_REBOOT,
	OPT_BROADCAST, OPT_RAPID, OPT_NO_NA, OPT_NO_PD, OPT_CSV,
};

static const struct option long_options[] = {
	{ "pppoe", 1, NULL, OPT_PPPOE },
	{ "dhcp4", 1, NULL, OPT_DHCP4 },
	{ "dhcp6", 1, NULL, OPT_DHCP6 },
	{ "dual-stack", 0, NULL, OPT_DUAL_STACK },
	{ "spread", 1, NULL, OPT_SPREAD },
	{ "time", 1, NULL, OPT_TIME },
	{ "expect", 1, NULL, OPT_EXPECT },
	{ "hold", 1, NULL, OPT_HOLD },
	{ "no-release", 0, NULL, OPT_NO_RELEASE },
	{ "restart-after", 1, NULL, OPT_RESTART },
	{ "mac-base", 1, NULL, OPT_MAC },
	{ "vlan", 1, NULL, OPT_VLAN },
	{ "qinq", 1, NULL, OPT_QINQ },
	{ "tpid", 1, NULL, OPT_TPID },
	{ "seed", 1, NULL, OPT_SEED },
	{ "pps", 1, NULL, OPT_PPS },
	{ "flood", 1, NULL, OPT_FLOOD },
	{ "rate", 1, NULL, OPT_RATE },
	{ "pppoe-timer", 1, NULL, OPT_PPPOE_TIMER },
	{ "dhcp4-timer", 1, NULL, OPT_DHCP4_TIMER },
	{ "dhcp6-timer", 1, NULL, OPT_DHCP6_TIMER },
	{ "ppp-timer", 1, NULL, OPT_PPP_TIMER },
	{ "service", 1, NULL, OPT_SERVICE },
	{ "user", 1, NULL, OPT_USER },
	{ "password", 1, NULL, OPT_PASSWORD },
	{ "ipv6cp", 0, NULL, OPT_IPV6CP },
	{ "init-reboot", 2, NULL, OPT_INIT_REBOOT },
	{ "broadcast", 0, NULL, OPT_BROADCAST },
	{ "rapid", 0, NULL, OPT_RAPID },
	{ "no-na", 0, NULL, OPT_NO_NA },
	{ "no-pd", 0, NULL, OPT_NO_PD },
	{ "csv", 1, NULL, OPT_CSV },
	{ "json", 0, NULL, 'j' },
	{ "help", 0, NULL, 'h' },
	{}
};

static void read_option(int option, const char *name, __u16 *tpid)
{
	char *end;

	switch (option) {
	case OPT_PPPOE:
		options.pppoe = read_number(name, optarg, 0, CLIENTS_MAX);
		break;
	case OPT_DHCP4:
		options.dhcp4 = read_number(name, optarg, 0, CLIENTS_MAX);
		break;
	case OPT_DHCP6:
		options.dhcp6 = read_number(name, optarg, 0, CLIENTS_MAX);
		break;
	case OPT_DUAL_STACK:
		options.dual_stack = true;
		break;
	case OPT_SPREAD:
		options.spread_ms = read_number(name, optarg, 0, 86400000);
		break;
	case OPT_TIME:
		options.time_s = read_number(name, optarg, 1, 86400);
		break;
	case OPT_EXPECT:
		options.expect = read_number(name, optarg, 0, 3 * CLIENTS_MAX);
		break;
	case OPT_HOLD:
		options.hold_s = read_number(name, optarg, 0, 864000);
		break;
	case OPT_NO_RELEASE:
		options.release = false;
		break;
	case OPT_RESTART:
		options.restart_after_s = read_number(name, optarg, 0, 86400);
		break;
	case OPT_MAC:
		read_mac(optarg);
		break;
	case OPT_VLAN:
		read_vlan(optarg);
		break;
	case OPT_QINQ:
		read_qinq(optarg);
		break;
	case OPT_TPID:
		*tpid = strtoul(optarg, &end, 16);
		if (*end || (*tpid != ETH_P_8021Q && *tpid != ETH_P_8021AD &&
			     *tpid != ETH_P_QINQ1))
			die("--tpid is 8100, 88a8 or 9100, not '%s'", optarg);
		break;
	case OPT_SEED:
		options.seed = read_number(name, optarg, 0, ~0ULL);
		break;
	case OPT_PPS:
		options.frames_per_second = read_number(name, optarg, 0, 100000000);
		break;
	case OPT_FLOOD:
		read_flood(optarg);
		break;
	case OPT_RATE:
		options.rate = read_number(name, optarg, 1, 10000000);
		break;
	case OPT_PPPOE_TIMER:
		read_backoff(&options.pppoe_timer, name, optarg);
		break;
	case OPT_DHCP4_TIMER:
		read_backoff(&options.dhcp4_timer, name, optarg);
		break;
	case OPT_DHCP6_TIMER:
		read_backoff(&options.dhcp6_timer, name, optarg);
		break;
	case OPT_PPP_TIMER:
		options.ppp_timer_ms = read_delay(name, optarg, &end);
		break;
	case OPT_SERVICE:
		options.service = short_text(name, optarg);
		break;
	case OPT_USER:
		options.user = short_text(name, optarg);
		break;
	case OPT_PASSWORD:
		options.password = short_text(name, optarg);
		break;
	case OPT_IPV6CP:
		options.ipv6cp = true;
		break;
	case OPT_INIT_REBOOT:
		read_address(optarg);
		break;
	case OPT_BROADCAST:
		options.broadcast = true;
		break;
	case OPT_RAPID:
		options.rapid = true;
		break;
	case OPT_NO_NA:
		options.na = false;
		break;
	case OPT_NO_PD:
		options.pd = false;
		break;
	case OPT_CSV:
		options.csv = optarg;
		break;
	case 'j':
		options.json = true;
		break;
	case 'h':
		fputs(usage_text, stdout);
		exit(0);
	default:
		exit(2);
	}
}

static void check(__u16 tpid)
{
	__u32 all = options.pppoe + options.dhcp4 + options.dhcp6;

	if (!all && !options.flood)
		die("nobody to play: --pppoe, --dhcp4, --dhcp6 or --flood");
	if (options.expect > (long)all)
		die("there are only %u clients to expect", all);
	if (options.dual_stack && options.dhcp4 < options.dhcp6)
		die("--dual-stack wants a DHCPv4 client beside each of DHCPv6");
	if (!options.na && !options.pd)
		die("a DHCPv6 client wants an address or a prefix");
	if (options.rate && !options.flood)
		die("--rate is that of --flood");
	if (options.flood && !options.rate)
		options.rate = 1000;
	if (tpid && !options.tags)
		die("--tpid is for --vlan and --qinq");
	if (tpid)
		options.tag[0].tpid = tpid;
	/* A flood is as fast as was asked for. */
	if (options.frames_per_second &&
	    options.frames_per_second < 2 * options.rate)
		options.frames_per_second = 2 * options.rate;
}

void options_read(int argc, char **argv)
{
	int option, which = 0;
	__u16 tpid = 0;

	while ((option = getopt_long(argc, argv, "jh", long_options,
				     &which)) != -1)
		read_option(option, long_options[which].name, &tpid);
	if (optind + 1 != argc)
		die("one net device, see storm --help");
	options.dev = argv[optind];
	check(tpid);
}
