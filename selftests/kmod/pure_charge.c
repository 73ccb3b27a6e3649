// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic under test, a second time and without the module. */
#include "../../kmod/charge.c"
