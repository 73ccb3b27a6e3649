// SPDX-License-Identifier: GPL-2.0-only
/*
 * The readers of lease files: what daemons write, the same cut at every byte
 * and with bytes changed at random, and what nobody should write.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leases.h"
#include "rmctl.h"

#define NOW		1800000000	/* 2027/01/15 08:00:00 */
#define CHANGED		4000		/* of each file */

static unsigned int results, failures;
static __u64 seed = 1;

static void ok(bool good, const char *what, const char *name)
{
	if (!good)
		failures++;
	printf("%sok %u - %s: %s\n", good ? "" : "not ", ++results, what, name);
}

static unsigned int rnd(unsigned int n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

typedef int read_fn(struct lines *in, struct leases *all);

static int read_text(read_fn *read, const char *text, size_t len,
		     struct lines *in, struct leases *all)
{
	FILE *file = tmpfile();
	int err;

	if (!file || fwrite(text, 1, len, file) != len)
		exit(2);
	rewind(file);
	memset(all, 0, sizeof(*all));
	lines_begin(in, file);
	err = read(in, all);
	fclose(file);
	return err;
}

static void hex(char *out, const unsigned char *bytes, unsigned int n)
{
	while (n--)
		out += sprintf(out, "%02x", *bytes++);
	*out = '\0';
}

/* One lease in a line: ADDRESS MAC DUID IAID CIRCUIT LEFT. */
static void spell(const struct lease *one, char *out, size_t len)
{
	char name[80], mac[13] = "-", duid[261] = "-", circuit[129] = "-";
	char left[24] = "never";

	lease_name(one, name, sizeof(name));
	if (one->has_mac)
		hex(mac, one->mac, MAC_LEN);
	if (one->duid_len)
		hex(duid, one->duid, one->duid_len);
	if (one->circuit_len)
		hex(circuit, one->circuit, one->circuit_len);
	if (one->ends != NEVER)
		snprintf(left, sizeof(left), "%llu", one->ends - NOW);
	snprintf(out, len, "%s %s %s %u %s %s", name, mac, duid, one->iaid,
		 circuit, left);
}

struct file {
	const char *name;
	read_fn *read;
	const char *text;
	const char *wanted[8];
};

static const struct file files[] = {
	{ "dnsmasq", leases_read,
	  "1800000600 02:53:00:00:00:01 10.9.1.189 * 01:02:53:00:00:00:01\n"
	  "0 02:53:00:00:00:02 10.9.1.2 home 01:02:53:00:00:00:02\n"
	  "1800000000 02:53:00:00:00:03 10.9.1.3 * *\n"
	  "1799999999 02:53:00:00:00:04 10.9.1.4 * *\n"
	  "1800000001 06-02:53 10.9.1.5 * ff:01\n"
	  "duid 00:01:00:01:32:a0:17:93:8a:dc:6c:31:57:50\n"
	  "1800000602 4294967295 fd00:9::50d9 * 00:03:00:01:02:53:00:00:00:01\n"
	  "1800000602 T5 fd00:9::50da * 00:03:00:01:02:53:00:00:00:01\n",
	  { "10.9.1.2 025300000002 - 0 - never",
	    "fd00:9::50d9 - 00030001025300000001 4294967295 - 602",
	    "10.9.1.189 025300000001 - 0 - 600",
	    "10.9.1.5 - - 0 - 1" } },
	{ "dnsmasq of DHCPv6 alone", leases_read,
	  "duid 00:01\n1800000005 7 fd00::1 * aa\n",
	  { "fd00::1 - aa 7 - 5" } },
	{ "an empty file", leases_read, "", { 0 } },
	{ "Kea, DHCPv4", leases_read,
	  "address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,state,user_context\n"
	  "10.9.1.1,02:53:00:00:00:00,01:02,600,1800000600,1,0,0,,0,\n"
	  "10.9.1.2,02:53:00:00:00:01,,600,1800000100,1,0,0,a&#x2cb,0,{ \"ISC\": { \"relay-agent-info\": \"0x0207616161616161610104006f6c74\" } }\n"
	  "10.9.1.3,02:53:00:00:00:02,,600,1800000100,1,0,0,,0,\n"
	  "10.9.1.4,02:53:00:00:00:03,,600,1800000100,1,0,0,,1,\n"
	  "10.9.1.7,02:53:00:00:00:06,,600,1800000007,1,0,0,,0,\"relay-agent-info\": \"0x010561\"\n"
	  "10.9.1.5,02:53:00:00:00:04,,600,1800000100,1,0,0,,2,\n"
	  "10.9.1.3,02:53:00:00:00:02,,0,1800000050,1,0,0,,0,\n"
	  "10.9.1.6,02:53:00:00:00:05,,4294967295,1800000050,1,0,0,,0,\n"
	  "10.9.1.1,02:53:00:00:00:00,01:02,600,1800000700,1,0,0,,0,{ \"ISC\": { \"relay-agent-info\": { \"sub-options\": \"0x0101ff\"&#x2c \"remote-id\": \"1\" } } }\n",
	  { "10.9.1.6 025300000005 - 0 - never",
	    "10.9.1.1 025300000000 - 0 ff 700",
	    "10.9.1.2 025300000001 - 0 006f6c74 100",
	    "10.9.1.7 025300000006 - 0 - 7" } },
	{ "Kea, DHCPv6", leases_read,
	  "address,duid,valid_lifetime,expire,subnet_id,pref_lifetime,lease_type,iaid,prefix_len,fqdn_fwd,fqdn_rev,hostname,hwaddr,state,user_context,hwtype,hwaddr_source\n"
	  "fd00:9::1000,00:03:00:01:02:53:00:00:00:00,600,1800000600,1,500,0,9,128,0,0,,02:53:00:00:00:00,0,,1,2\n"
	  "fd00:a::,00:02:07,600,1800000500,1,500,2,8,56,0,0,,,0,,,\n"
	  "fd00:9::1001,00:02:07,600,1800000500,1,500,1,8,128,0,0,,,0,,,\n",
	  { "fd00:9::1000 025300000000 00030001025300000000 9 - 600",
	    "prefix fd00:a:: - 000207 8 - 500" } },
	{ "Kea without states", leases_read,
	  "address,hwaddr,valid_lifetime,expire\n"
	  "10.0.0.1,02:53:00:00:00:00,5,1800000005\n",
	  { "10.0.0.1 025300000000 - 0 - 5" } },
	{ "ISC dhcpd, DHCPv4", leases_read,
	  "# The format of this file is documented in dhcpd.leases(5).\n\n"
	  "authoring-byte-order little-endian;\n"
	  "server-duid \"\\000\\001\\\"};\\033\";\n"
	  "failover peer \"x\" state {\n  my state normal at 1 2027/01/15 08:00:00;\n}\n"
	  "lease 10.9.1.1 {\n"
	  "  starts 5 2027/01/15 07:00:00;\n"
	  "  ends 5 2027/01/15 08:10:00;\n"
	  "  binding state active;\n"
	  "  next binding state free;\n"
	  "  rewind binding state free;\n"
	  "  hardware ethernet 02:53:00:00:00:00;\n"
	  "  uid \"\\001\\002S\\000\";\n"
	  "  set vendor-class-identifier = \"a } { ; # \\\" b\";\n"
	  "  on expiry {\n    if x = \"}\" { set y = 1; } else { set z = 2; }\n  }\n"
	  "  option agent.circuit-id \"olt\\0001\";\n"
	  "}\n"
	  "lease 10.9.1.2 { ends never; binding state active; hardware ethernet 02:53:00:00:00:01; option agent.circuit-id 1:2:a; }\n"
	  "lease 10.9.1.3 { ends epoch 1800000003; # Fri Jan 15\n"
	  " binding state active; hardware token-ring 01; }\n"
	  "lease 10.9.1.4 { ends epoch 1800000003; binding state free; }\n"
	  "lease 10.9.1.5 { ends 5 2027/01/15 08:10:00; binding state active; }\n"
	  "lease 10.9.1.5 { ends 5 2027/01/15 08:00:00; binding state active; }\n"
	  "lease 10.9.1.6 { ends 5 2027/01/15 08:00:00; }\n",
	  { "10.9.1.2 025300000001 - 0 01020a never",
	    "10.9.1.1 025300000000 - 0 6f6c740031 600",
	    "10.9.1.3 - - 0 - 3" } },
	{ "ISC dhcpd, DHCPv6", leases_read,
	  "authoring-byte-order little-endian;\n"
	  "ia-na \"\\001\\002\\003\\004\\000\\003\\000\\001\\002S\\000\\000\\000\\001\" {\n"
	  "  cltt 1 2027/01/15 08:00:00;\n"
	  "  iaaddr fd00:9::8bd2 {\n    binding state active;\n"
	  "    preferred-life 375;\n    max-life 600;\n"
	  "    ends 5 2027/01/15 08:10:00;\n  }\n"
	  "  iaaddr fd00:9::8bd3 {\n    binding state expired;\n"
	  "    ends 5 2027/01/15 08:20:00;\n  }\n}\n\n"
	  "ia-pd \"\\001\\000\\000\\000a\" { iaprefix fd00:a::/56 {\n"
	  "    binding state active; ends 5 2027/01/15 08:01:00;\n  }\n}\n"
	  "ia-ta \"\\001\\000\\000\\000a\" { iaaddr fd00:9::1 {\n"
	  "    binding state active; ends 5 2027/01/15 08:01:00;\n  }\n}\n"
	  "ia-na \"\\001\\000\\000\\000b\" { iaaddr fd00:9::2 {\n"
	  "    binding state active; ends 5 2027/01/15 08:01:00;\n  }\n}\n"
	  "ia-na \"\\377\\012\\000\\000\\200\\1\\x\" { iaaddr fd00:9::3 {\n"
	  "    binding state active; ends 5 2027/01/15 08:00:30;\n  }\n}\n"
	  "ia-na \"\\001\\000\\000\\000b\" { iaaddr fd00:9::2 {\n"
	  "    binding state released; ends 5 2027/01/15 08:01:00;\n  }\n}\n",
	  { "fd00:9::8bd2 - 00030001025300000001 67305985 - 600",
	    "prefix fd00:a:: - 61 1 - 60",
	    "fd00:9::3 - 800178 2815 - 30" } },
	{ "ISC dhcpd of another host", leases_read,
	  "authoring-byte-order big-endian;\n"
	  "ia-na \"\\001\\002\\003\\004a\" { iaaddr fd00:9::2 {\n"
	  "    binding state active; ends 5 2027/01/15 08:01:00;\n  }\n}\n",
	  { "fd00:9::2 - 61 16909060 - 60" } },
	{ "nothing but comments", leases_read, "# a\n\n#b\n", { 0 } },
	{ "/proc/net/pppoe", leases_pppoe,
	  "Id       Address              Device\n"
	  "00000100 02:53:00:00:00:01     acc0\n"
	  "0000FFFF 02:53:00:00:00:02 a-long-dev.4094\n",
	  { "02:53:00:00:00:01/1 on acc0 025300000001 - 0 - never",
	    "02:53:00:00:00:02/65535 on a-long-dev.4094 025300000002 - 0 - never" } },
	{ "/proc/net/pppoe of nobody", leases_pppoe,
	  "Id       Address              Device\n", { 0 } },
};

static void check_good(const struct file *f)
{
	struct leases all;
	struct lines in;
	char got[600];
	bool right;
	size_t i;

	right = !read_text(f->read, f->text, strlen(f->text), &in, &all);
	if (!right)
		printf("# %s\n", in.error);
	leases_valid(&all, NOW);
	for (i = 0; i < 8 && f->wanted[i]; i++) {
		got[0] = '\0';
		if (i < all.n)
			spell(&all.list[i], got, sizeof(got));
		if (strcmp(got, f->wanted[i])) {
			printf("# wanted %s\n# got    %s\n", f->wanted[i], got);
			right = false;
		}
	}
	if (all.n != i) {
		printf("# wanted %zu, got %zu\n", i, all.n);
		right = false;
	}
	leases_free(&all);
	ok(right, f->name, "what is in it");
}

/*
 * A file that is cut tells of no lease that the whole file has not, when it is
 * not refused; only one that ends with a line may be taken.
 */
static void check_cut(const struct file *f)
{
	size_t len = strlen(f->text), n, i, j;
	struct leases whole, all;
	struct lines in;
	bool right = true;

	read_text(f->read, f->text, len, &in, &whole);
	for (n = 0; n < len && right; n++) {
		if (read_text(f->read, f->text, n, &in, &all)) {
			right = in.error[0];
		} else {
			right = !n || f->text[n - 1] == '\n';
			for (i = 0; i < all.n; i++) {
				all.list[i].order = 0;
				for (j = 0; j < whole.n; j++) {
					whole.list[j].order = 0;
					if (!memcmp(&all.list[i],
						    &whole.list[j],
						    sizeof(all.list[i])))
						break;
				}
				right &= j < whole.n;
			}
		}
		if (!right)
			printf("# cut at %zu: %s\n", n, in.error);
		leases_free(&all);
	}
	leases_free(&whole);
	ok(right, f->name, "cut at every byte");
}

/* The sanitizers are who looks. */
static void check_changed(const struct file *f)
{
	static const char odd[] = "{};\"\\,:/#\n\r \t0\xff";
	size_t len = strlen(f->text);
	char *text = malloc(len + 1);
	struct leases all;
	struct lines in;
	int n, i;

	if (!len)
		goto out;
	for (n = 0; n < CHANGED; n++) {
		memcpy(text, f->text, len);
		for (i = rnd(6); i >= 0; i--)
			text[rnd(len)] = rnd(3) ? odd[rnd(sizeof(odd))] :
						  (char)rnd(256);
		if (!read_text(f->read, text, len, &in, &all))
			leases_valid(&all, NOW);
		leases_free(&all);
	}
out:
	free(text);
	ok(true, f->name, "with changed bytes");
}

/* Files that are refused, and what is said of them. */
static const struct {
	const char *text;
	const char *error;
} wrong[] = {
	{ "hello\n", "line 1 is not understood: hello" },
	{ "# a\n\n  <html>\n", "line 3 is not understood:   <html>" },
	{ "127.0.0.1 localhost\n",
	  "line 1 is not understood: 127.0.0.1 localhost" },
	{ "1800000600 02:53:00:00:00:01 10.9.1.1 *\n",
	  "line 1 is not understood: 1800000600 02:53:00:00:00:01 10.9.1.1 *" },
	{ "1 02:53:00:00:00:01 10.9.1.1 * * *\n", "line 1 is not" },
	{ "1 02:53:00:00:00:01 10.9.1.256 * *\n", "line 1 is not" },
	{ "duid 00\n1 1 fd00::1 * zz\n", "line 2 is not understood: 1 1 fd00" },
	{ "duid 00\n1 4294967296 fd00::1 * 00\n", "line 2 is not" },
	{ "duid 00\n1 -1 fd00::1 * 00\n", "line 2 is not" },
	{ "duid 00\n99999999999999999999 1 fd00::1 * 00\n", "line 2 is not" },
	{ "1 02:53:00:00:00:01 10.9.1.1 * *", "line 1 is cut off" },
	{ "address,hwaddr\n", "line 1 is not" },
	{ "address,duid,valid_lifetime,expire\n", "line 1 is not" },
	{ "address,hwaddr,valid_lifetime,expire\n10.0.0.1,,1\n",
	  "line 2 is not" },
	{ "address,hwaddr,valid_lifetime,expire\n10.0.0.1,,1,1,1\n",
	  "line 2 is not" },
	{ "address,hwaddr,valid_lifetime,expire\nfd00::1,,1,1\n",
	  "line 2 is not" },
	{ "address,hwaddr,valid_lifetime,expire\n10.0.0.1,,1,-1\n",
	  "line 2 is not" },
	{ "lease 10.0.0.1 {\n", "line 2 is missing" },
	{ "lease 10.0.0.1 {\n}\n}\n", "line 3 is not understood: }" },
	{ "lease fd00::1 { }\n", "line 1 is not" },
	{ "lease {\n}\n", "line 1 is not" },
	{ "lease 10.0.0.1 { ends 1 never; }\n", "line 1 is not" },
	{ "lease 10.0.0.1 { ends 1 1969/12/31 23:59:59; }\n", "line 1 is not" },
	{ "lease 10.0.0.1 { ends epoch x; }\n", "line 1 is not" },
	{ "lease 10.0.0.1 { hardware ethernet 02; }\n", "line 1 is not" },
	{ "lease 10.0.0.1 { uid \"abc; }\n", "line 1 is not" },
	{ "lease 10.0.0.1 { option agent.circuit-id x; }\n", "line 1 is not" },
	{ "lease 10.0.0.1 { x { {\n", "line 2 is missing" },
	{ "ia-na \"abcd\" { }\n", "line 1 is not" },
	{ "ia-na abcde { }\n", "line 1 is not" },
	{ "ia-na \"abcde\" { iaaddr 10.0.0.1 { } }\n", "line 1 is not" },
	{ "ia-pd \"abcde\" { iaprefix /56 { } }\n", "line 1 is not" },
	{ "\x1b[31m\n", "line 1 is not understood: ?[31m" },
};

static void refused(void)
{
	struct leases all;
	struct lines in;
	size_t i;
	bool right;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		right = read_text(leases_read, wrong[i].text,
				  strlen(wrong[i].text), &in, &all) &&
			!strncmp(in.error, wrong[i].error,
				 strlen(wrong[i].error));
		if (!right)
			printf("# said %s\n", in.error);
		leases_free(&all);
		ok(right, "refused", wrong[i].error);
	}
}

static void repeat(char *text, const char *head, const char *more, int n)
{
	text += sprintf(text, "%s", head);
	while (n--)
		text += sprintf(text, "%s", more);
	sprintf(text, "\n");
}

/* A lot of the same byte, and what no line should have. */
static void hostile(void)
{
	static const char head[] = "lease 10.0.0.1 { x \"";
	static const char zero[] = "0 02:53:00:00:00:01 10.9.1.1 * *\0x\n";
	const size_t len = 1 << 20;
	char *text = malloc(len);
	struct leases all;
	struct lines in;
	int byte;
	bool right = true;

	if (!text)
		exit(2);
	for (byte = 0; byte < 256; byte++) {
		memset(text, byte, len);
		read_text(leases_read, text, len, &in, &all);
		leases_free(&all);
		memcpy(text, head, sizeof(head) - 1);
		right &= !!read_text(leases_read, text, len, &in, &all);
		leases_free(&all);
	}
	ok(right, "hostile", "a megabyte of each byte");
	memset(text, '{', len);
	for (byte = 0; (size_t)byte < len; byte += 1000)
		text[byte] = '\n';
	memcpy(text, "host x", 6);
	text[len - 1] = '\n';
	ok(read_text(leases_read, text, len, &in, &all) &&
	   strstr(in.error, "is missing"), "hostile", "braces without an end");
	leases_free(&all);
	memcpy(text, zero, sizeof(zero));
	ok(read_text(leases_read, text, sizeof(zero) - 1, &in, &all) &&
	   !strncmp(in.error, "line 1 is not understood: 0 02:", 31),
	   "hostile", "a zero byte");
	leases_free(&all);
	repeat(text, "address,hwaddr,valid_lifetime,expire", ",x", 100);
	ok(read_text(leases_read, text, strlen(text), &in, &all) &&
	   strstr(in.error, "line 1 is not"), "hostile", "many columns");
	leases_free(&all);
	repeat(text, "1 1 fd00::1 * 00", ":00", DUID_LEN);
	ok(read_text(leases_read, text, strlen(text), &in, &all) &&
	   strstr(in.error, "line 1 is not"), "hostile", "a long DUID");
	leases_free(&all);
	repeat(text, "1 1 fd00::1 * 00", ":00", DUID_LEN - 1);
	ok(!read_text(leases_read, text, strlen(text), &in, &all) &&
	   all.n == 1, "hostile", "the longest DUID");
	leases_free(&all);
	memset(text, 'x', len);
	ok(read_text(leases_read, text, len, &in, &all) &&
	   !strncmp(in.error, "line 1 is too long: xxx", 23), "hostile",
	   "a long line");
	leases_free(&all);
	free(text);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		check_good(&files[i]);
		check_cut(&files[i]);
		check_changed(&files[i]);
	}
	refused();
	hostile();
	printf("1..%u\n", results);
	return failures ? 1 : 0;
}
