/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_NAMES_H
#define RMCTL_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "schema.h"

int names_find(const struct names *names, const char *word);
const char *names_word(const struct names *names, unsigned int value);
void names_join(const struct names *names, char *buf, size_t len);

void key_text(const void *key, size_t n, char *buf, size_t len);
void clean_text(char *text);
void time_text(__u64 ns, char *buf, size_t len);

#endif /* RMCTL_NAMES_H */
