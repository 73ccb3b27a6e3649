// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lease file of ISC dhcpd, DHCPv4 and DHCPv6. It is written on and on: what
 * stands last of an address counts.
 *	lease ADDRESS { ends DATE; binding state STATE; hardware ethernet MAC; .. }
 *	ia-na "IAID+DUID" { iaaddr ADDRESS { binding state STATE; ends DATE; } }
 *	ia-pd "IAID+DUID" { iaprefix PREFIX/LENGTH { .. } }
 * The IAID is in the byte order of the host that wrote it.
 */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "args.h"
#include "leases.h"
#include "rmctl.h"

/* The longest text that is looked at; what is longer is cut. */
#define TOKEN_LEN	255

enum token {
	END,
	WORD,
	STRING,
	SIGN,			/* ; { or } */
	BAD,			/* the reason is in lines.error */
};

struct isc {
	struct lines *in;
	const char *at;
	enum token token;
	char text[TOKEN_LEN + 1];
	size_t len;
	bool big_endian;
};

static void keep(struct isc *isc, char c)
{
	if (isc->len < TOKEN_LEN)
		isc->text[isc->len++] = c;
}

/* Behind the first quote. A byte is written as it is, or in three digits. */
static enum token read_string(struct isc *isc)
{
	const char *at = isc->at;
	unsigned int i, c;

	while (*at != '"') {
		if (!*at)
			return BAD;
		c = (unsigned char)*at++;
		if (c == '\\') {
			if (!*at)
				return BAD;
			c = (unsigned char)*at++;
			if (c >= '0' && c <= '7') {
				c -= '0';
				for (i = 0; i < 2 && *at >= '0' && *at <= '7';
				     i++)
					c = c << 3 | (*at++ - '0');
			}
		}
		keep(isc, c);
	}
	isc->at = at + 1;
	return STRING;
}

static enum token next(struct isc *isc)
{
	int err;

	isc->len = 0;
	for (;;) {
		isc->at += strspn(isc->at, " \t,");
		if (*isc->at && *isc->at != '#')
			break;
		err = lines_next(isc->in);
		if (err <= 0) {
			isc->token = err ? BAD : END;
			return isc->token;
		}
		isc->at = isc->in->text;
	}
	if (*isc->at == '"') {
		isc->at++;
		isc->token = read_string(isc);
		if (isc->token == BAD)
			lines_bad(isc->in);
	} else if (strchr(";{}", *isc->at)) {
		keep(isc, *isc->at++);
		isc->token = SIGN;
	} else {
		while (!strchr(" \t,;{}\"#", *isc->at))
			keep(isc, *isc->at++);
		isc->token = WORD;
	}
	isc->text[isc->len] = '\0';
	return isc->token;
}

static bool is(const struct isc *isc, enum token token, const char *text)
{
	return isc->token == token && !strcmp(isc->text, text);
}

/* An error is told where it is found first. */
static int bad(struct isc *isc)
{
	switch (isc->token) {
	case BAD:
		return -EINVAL;
	case END:
		return lines_short(isc->in);
	default:
		return lines_bad(isc->in);
	}
}

static int need(struct isc *isc, const char *sign)
{
	next(isc);
	return is(isc, SIGN, sign) ? 0 : bad(isc);
}

/* To the end of a statement, from its first token or one within it. */
static int skip(struct isc *isc)
{
	unsigned long depth = 0;

	for (;; next(isc)) {
		if (isc->token == END || isc->token == BAD)
			return bad(isc);
		if (is(isc, SIGN, "{"))
			depth++;
		else if (is(isc, SIGN, "}") && !depth)
			return bad(isc);
		else if (is(isc, SIGN, "}") && !--depth)
			return 0;
		else if (is(isc, SIGN, ";") && !depth)
			return 0;
	}
}

/* never | epoch SECONDS | WEEKDAY YEAR/MONTH/DAY HOUR:MINUTE:SECOND */
static int read_date(struct isc *isc, __u64 *ends)
{
	struct tm tm = { 0 };
	int n = -1;

	next(isc);
	if (is(isc, WORD, "never")) {
		*ends = NEVER;
	} else if (is(isc, WORD, "epoch")) {
		if (next(isc) != WORD || parse_u64(isc->text, INT64_MAX, ends))
			return bad(isc);
	} else {
		if (isc->token != WORD || next(isc) != WORD ||
		    sscanf(isc->text, "%4d/%2d/%2d%n", &tm.tm_year, &tm.tm_mon,
			   &tm.tm_mday, &n) != 3 || isc->text[n])
			return bad(isc);
		if (next(isc) != WORD ||
		    sscanf(isc->text, "%2d:%2d:%2d%n", &tm.tm_hour, &tm.tm_min,
			   &tm.tm_sec, &n) != 3 || isc->text[n] ||
		    tm.tm_year < 1970)
			return bad(isc);
		tm.tm_year -= 1900;
		tm.tm_mon--;
		*ends = timegm(&tm);
	}
	next(isc);
	return skip(isc);
}

/* binding state WORD; is it in use? */
static int read_binding(struct isc *isc, bool *up)
{
	next(isc);
	if (!is(isc, WORD, "state") || next(isc) != WORD)
		return bad(isc);
	*up = !strcmp(isc->text, "active");
	return skip(isc);
}

static int read_hardware(struct isc *isc, struct lease *one)
{
	next(isc);
	if (is(isc, WORD, "ethernet") &&
	    (next(isc) != WORD || !lease_mac(one, isc->text)))
		return bad(isc);
	return skip(isc);
}

/* Text, or bytes in hexadecimal digits when it cannot be printed. */
static int read_option(struct isc *isc, struct lease *one)
{
	unsigned char raw[TOKEN_LEN];
	int len;

	next(isc);
	if (!is(isc, WORD, "agent.circuit-id"))
		return skip(isc);
	next(isc);
	if (isc->token == STRING) {
		len = isc->len;
		memcpy(raw, isc->text, len);
	} else {
		len = isc->token == WORD ?
		      lease_hex(isc->text, raw, sizeof(raw)) : -1;
	}
	if (len < 0)
		return bad(isc);
	if (len > (int)sizeof(one->circuit))
		len = sizeof(one->circuit);
	memcpy(one->circuit, raw, len);
	one->circuit_len = len;
	return skip(isc);
}

/* What stands in the braces of an address. */
static int read_body(struct isc *isc, struct lease *one)
{
	int err = need(isc, "{");

	one->ends = NEVER;
	while (!err) {
		next(isc);
		if (is(isc, SIGN, "}"))
			return 0;
		if (is(isc, WORD, "ends"))
			err = read_date(isc, &one->ends);
		else if (is(isc, WORD, "binding"))
			err = read_binding(isc, &one->up);
		else if (is(isc, WORD, "hardware"))
			err = read_hardware(isc, one);
		else if (is(isc, WORD, "option"))
			err = read_option(isc, one);
		else
			err = isc->token == WORD ? skip(isc) : bad(isc);
	}
	return err;
}

static int read_lease(struct isc *isc, struct leases *all)
{
	struct lease one = { 0 };
	int err;

	if (next(isc) != WORD || !lease_address(&one, isc->text) ||
	    one.login != RESMON_LOGIN_DHCP4)
		return bad(isc);
	err = read_body(isc, &one);
	return err ?: leases_add(isc->in, all, &one);
}

static int read_ia(struct isc *isc, struct leases *all, bool prefix)
{
	const unsigned char *id = (const unsigned char *)isc->text;
	struct lease ia = { .prefix = prefix };
	struct lease one;
	char *slash;
	int err;

	if (next(isc) != STRING || isc->len <= 4 ||
	    isc->len > 4 + sizeof(ia.duid))
		return bad(isc);
	ia.iaid = isc->big_endian ?
		  (__u32)id[0] << 24 | id[1] << 16 | id[2] << 8 | id[3] :
		  (__u32)id[3] << 24 | id[2] << 16 | id[1] << 8 | id[0];
	ia.duid_len = isc->len - 4;
	memcpy(ia.duid, id + 4, ia.duid_len);
	err = need(isc, "{");
	while (!err) {
		next(isc);
		if (is(isc, SIGN, "}"))
			return 0;
		if (!is(isc, WORD, prefix ? "iaprefix" : "iaaddr")) {
			err = isc->token == WORD ? skip(isc) : bad(isc);
			continue;
		}
		one = ia;
		next(isc);
		slash = prefix ? strchr(isc->text, '/') : NULL;
		if (slash)
			*slash = '\0';
		if (isc->token != WORD || !lease_address(&one, isc->text) ||
		    one.login != RESMON_LOGIN_DHCP6)
			return bad(isc);
		err = read_body(isc, &one) ?: leases_add(isc->in, all, &one);
	}
	return err;
}

static int read_order(struct isc *isc)
{
	next(isc);
	isc->big_endian = is(isc, WORD, "big-endian");
	return skip(isc);
}

/* What else stands in such a file. */
static bool other(const struct isc *isc)
{
	static const char * const words[] = {
		"server-duid", "host", "group", "class", "subclass",
		"failover", "ia-ta",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (is(isc, WORD, words[i]))
			return true;
	return false;
}

int leases_isc(struct lines *in, struct leases *all)
{
	struct isc isc = { .in = in, .at = in->text };
	int err = 0;

	/* What a file without a word on it means. */
	isc.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	while (!err && next(&isc) != END) {
		if (is(&isc, WORD, "lease"))
			err = read_lease(&isc, all);
		else if (is(&isc, WORD, "ia-na"))
			err = read_ia(&isc, all, false);
		else if (is(&isc, WORD, "ia-pd"))
			err = read_ia(&isc, all, true);
		else if (is(&isc, WORD, "authoring-byte-order"))
			err = read_order(&isc);
		else
			err = other(&isc) ? skip(&isc) : bad(&isc);
	}
	return err;
}
