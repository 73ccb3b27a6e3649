/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module exports nothing. A build with tests gives them the few entry
 * points that they drive from inside the kernel.
 */
#ifndef RESMON_EXPORT_H
#define RESMON_EXPORT_H

#include <linux/export.h>

#ifdef RESMON_TESTS
#define RESMON_EXPORT_TEST(symbol)	EXPORT_SYMBOL_GPL(symbol)
#else
#define RESMON_EXPORT_TEST(symbol)
#endif

#endif /* RESMON_EXPORT_H */
