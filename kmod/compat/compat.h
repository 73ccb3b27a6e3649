/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one place that knows kernel versions: the source reads as if for the
 * newest kernel.
 */
#ifndef RESMON_COMPAT_H
#define RESMON_COMPAT_H

#include <linux/version.h>

#endif /* RESMON_COMPAT_H */
