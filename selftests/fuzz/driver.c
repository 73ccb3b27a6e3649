// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the fuzzers of all parsers have in common. Built with SEEDS it is a
 * program that writes the frames to begin with into a folder.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

/* The fuzzer reports what ends by itself. */
void fuzz_check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

/* Where what was read goes, lest reading be left out. */
u8 fuzz_sum;

/* A span lies in the frame; what it has is read for the sanitizer. */
void fuzz_span(const struct resmon_bytes *b, const struct resmon_span *span)
{
	const u8 *p;
	u32 i;

	if (!span->len)
		return;
	fuzz_check(span->off + span->len <= b->len, "a span leaves its frame");
	for (i = 0; i < span->len; i++) {
		u8 room;

		p = resmon_bytes_at(b, span->off + i, 1, &room);
		fuzz_check(p, "a byte of a span is not there");
		fuzz_sum += *p;
	}
}

bool fuzz_udp(const struct resmon_bytes *b, const struct resmon_link *link,
	      struct resmon_udp *udp)
{
	if (resmon_udp_parse(b, link, udp) != RESMON_PARSE_OK)
		return false;
	fuzz_check(udp->off >= link->off && udp->off <= b->len &&
		   udp->len <= b->len - udp->off,
		   "a datagram leaves its frame");
	return true;
}

#ifdef SEEDS

static const char *folder;

void fuzz_seed(const void *data, u32 len)
{
	static unsigned int n;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%04u", folder, n++);
	f = fopen(path, "w");
	if (!f || fwrite(data, 1, len, f) != len || fclose(f)) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	folder = argv[1];
	fuzz_seeds();
	return 0;
}

#else

void fuzz_seed(const void *data, u32 len)
{
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct resmon_bytes b = { .data = data, .len = size };
	struct resmon_link link;

	/* Once as it is, and once as if its outer tag had been taken off. */
	if (resmon_link_parse(&b, RESMON_NO_TAG, &link)) {
		fuzz_check(link.off <= size, "a MAC header leaves its frame");
		fuzz_frame(&b, &link);
	}
	if (resmon_link_parse(&b, 0x2064, &link)) {
		fuzz_check(link.outer == 0x64, "the tag of the metadata");
		fuzz_frame(&b, &link);
	}
	return 0;
}

#endif
