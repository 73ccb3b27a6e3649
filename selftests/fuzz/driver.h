/* SPDX-License-Identifier: GPL-2.0-only */
/* One parser under libFuzzer; the rest is in driver.c. */
#ifndef RESMON_FUZZ_DRIVER_H
#define RESMON_FUZZ_DRIVER_H

#include "parse.h"

/* Told by the fuzzer of a parser: read a frame, and check what is told of it. */
void fuzz_frame(const struct resmon_bytes *b, const struct resmon_link *link);
/* Give every frame to begin with to fuzz_seed(). */
void fuzz_seeds(void);

extern u8 fuzz_sum;

void fuzz_seed(const void *data, u32 len);
void fuzz_check(bool good, const char *what);
void fuzz_span(const struct resmon_bytes *b, const struct resmon_span *span);
bool fuzz_udp(const struct resmon_bytes *b, const struct resmon_link *link,
	      struct resmon_udp *udp);

#ifdef RESMON_FRAMES_H
/* The frames of a table. */
static inline void fuzz_table(const struct frames *table)
{
	static u8 data[FRAME_MAX];
	u32 i;

	for (i = 0; i < table->n; i++)
		fuzz_seed(data, frame_build(&table->frame[i], data));
}
#endif

#endif /* RESMON_FUZZ_DRIVER_H */
