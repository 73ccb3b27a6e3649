/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before mm/vmalloc.c when the debug kernel is built.
 *
 * When areas of the vmalloc space are purged, KASAN is told of each, and then
 * once to flush the TLB from the first to the last. User-mode Linux has no TLB
 * there and takes that for an area to be cleared: with one area at either end
 * of the space, which is where modules and where per-CPU memory are, that is
 * the shadow of terabytes. The machine eats up its host's memory and hangs, and
 * what lives in between is not guarded any more. So only areas are told.
 */
#ifdef __KERNEL__
#include <linux/kasan.h>

#define kasan_release_vmalloc(start, end, free_start, free_end, flags) \
do { \
	if ((flags) & KASAN_VMALLOC_PAGE_RANGE) \
		(kasan_release_vmalloc)(start, end, free_start, free_end, \
					flags); \
} while (0)
#endif
