/* SPDX-License-Identifier: GPL-2.0-only */
/* MD5 (RFC 1321), as CHAP wants it: of one short message. */
#ifndef STORM_MD5_H
#define STORM_MD5_H

#include <stddef.h>
#include <linux/types.h>

#define MD5_LEN 16
/* The message, a one bit and its length fill whole blocks of 64 bytes. */
#define MD5_MESSAGE_MAX 567

void md5(const __u8 *data, size_t len, __u8 *digest);

#endif
