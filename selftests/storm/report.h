/* SPDX-License-Identifier: GPL-2.0-only */
/* Who got in and when. */
#ifndef STORM_REPORT_H
#define STORM_REPORT_H

#include <stdbool.h>

/* Opens the file that --csv names; returns false having said why not. */
bool report_init(void);
/* One round, as of now. */
void report_round(int round);
/* Returns false when the file could not be written. */
bool report_end(void);

#endif
