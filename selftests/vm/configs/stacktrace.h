/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before arch/um/kernel/stacktrace.c when the debug kernel is built.
 *
 * User-mode Linux takes a stack trace by asking of every word on the stack
 * whether it is code. For a word outside the kernel's own text that is a look
 * at the modules under RCU, which lockdep follows with several local_irq_save,
 * each a system call of the host. A debug kernel takes a stack trace with each
 * allocation, so two thirds of its time went there. Words that cannot be code
 * are refused first.
 */
#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/pgtable.h>
#include <linux/vmalloc.h>
#include <asm/sections.h>

static inline int may_be_text(unsigned long addr)
{
	return (addr >= (unsigned long)_stext && addr < (unsigned long)_end) ||
	       (addr >= VMALLOC_START && addr < VMALLOC_END);
}

#define __kernel_text_address(addr) \
	(may_be_text(addr) && (__kernel_text_address)(addr))
#endif
