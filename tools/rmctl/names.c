// SPDX-License-Identifier: GPL-2.0-only
/* Words of enums, and how keys, names and times are written. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "names.h"

int names_find(const struct names *names, const char *word)
{
	unsigned int i;

	for (i = 0; i < names->n; i++)
		if (names->words[i] && !strcmp(names->words[i], word))
			return i;
	return -1;
}

/* NULL when the kernel is newer than we are. */
const char *names_word(const struct names *names, unsigned int value)
{
	return value < names->n ? names->words[value] : NULL;
}

/* a|b|c, for help. */
void names_join(const struct names *names, char *buf, size_t len)
{
	size_t used = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < names->n && used < len; i++)
		if (names->words[i])
			used += snprintf(buf + used, len - used, "%s%s",
					 used ? "|" : "", names->words[i]);
}

/* Text when all of it can be printed, else 0x and hexadecimal. */
void key_text(const void *key, size_t n, char *buf, size_t len)
{
	const unsigned char *byte = key;
	size_t i;

	for (i = 0; i < n; i++)
		if (byte[i] < 0x20 || byte[i] > 0x7e)
			break;
	if (i == n && n) {
		snprintf(buf, len, "%.*s", (int)n, (const char *)key);
		return;
	}
	snprintf(buf, len, "0x");
	for (i = 0; i < n && 2 * i + 4 < len; i++)
		snprintf(buf + 2 + 2 * i, len - 2 - 2 * i, "%02x", byte[i]);
}

/* How many bytes a UTF-8 sequence has that begins at @s, 0 when it is none. */
static size_t utf8_len(const unsigned char *s)
{
	size_t n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if ((s[0] & 0xf0) == 0xe0)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/*
 * A net device can have any bytes in its name: what would break a terminal or
 * a JSON reader becomes a question mark.
 */
void clean_text(char *text)
{
	unsigned char *s = (unsigned char *)text;
	size_t n;

	for (; *s; s += n ?: 1) {
		n = utf8_len(s);
		if (!n || *s < 0x20 || *s == 0x7f)
			*s = '?';
	}
}

/* Local time with milliseconds; @ns counts from the epoch. */
void time_text(__u64 ns, char *buf, size_t len)
{
	time_t sec = ns / 1000000000;
	char day[32];
	struct tm tm;

	if (!localtime_r(&sec, &tm) ||
	    !strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &tm)) {
		snprintf(buf, len, "-");
		return;
	}
	snprintf(buf, len, "%s.%03u", day,
		 (unsigned int)(ns % 1000000000 / 1000000));
}
