// SPDX-License-Identifier: GPL-2.0-only
/* From text to numbers and addresses. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

/* Digits only: strtoull() would take signs, blanks and 0x. */
int parse_u64(const char *text, __u64 max, __u64 *num)
{
	char *end;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return -EINVAL;
	errno = 0;
	*num = strtoull(text, &end, 10);
	if (errno || *num > max)
		return -ERANGE;
	return 0;
}

/* A decimal number times @unit (a power of ten), exact: no floating point. */
int parse_milli(const char *text, __u64 unit, __u64 max, __u64 *num)
{
	const char *dot = strchr(text, '.');
	char whole[32];
	size_t len = dot ? (size_t)(dot - text) : strlen(text);
	__u64 part = 0;
	int err;

	if (!len || len >= sizeof(whole))
		return -EINVAL;
	memcpy(whole, text, len);
	whole[len] = '\0';
	err = parse_u64(whole, max / unit, num);
	if (err)
		return err;
	*num *= unit;
	if (!dot)
		return 0;
	if (!dot[1])
		return -EINVAL;
	for (dot++; *dot; dot++) {
		if (*dot < '0' || *dot > '9')
			return -EINVAL;
		/* More decimals than the unit has must be zeroes. */
		if (unit == 1 && *dot != '0')
			return -EINVAL;
		if (unit > 1) {
			unit /= 10;
			part += (__u64)(*dot - '0') * unit;
		}
	}
	if (*num > max - part)
		return -ERANGE;
	*num += part;
	return 0;
}

/* Hexadecimal digits and colons in their places, nothing else. */
int parse_mac(const char *text, unsigned char *mac)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	unsigned int i;

	if (strlen(text) != 17)
		return -EINVAL;
	for (i = 0; i < 17; i++)
		if (i % 3 == 2 ? text[i] != ':' : !strchr(digits, text[i]))
			return -EINVAL;
	for (i = 0; i < 6; i++)
		mac[i] = strtoul(text + 3 * i, NULL, 16);
	return 0;
}
