/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_LINES_H
#define RMCTL_LINES_H

#include <stdio.h>

/* A line that is longer is none of a daemon. */
#define LINE_MAX_LEN	16384

/* A file that somebody else wrote, read line by line. */
struct lines {
	FILE *file;
	unsigned int number;
	char text[LINE_MAX_LEN + 1];
	char error[160];		/* what is wrong with it */
};

void lines_begin(struct lines *in, FILE *file);
int lines_next(struct lines *in);
int lines_bad(struct lines *in);
int lines_short(struct lines *in);

#endif /* RMCTL_LINES_H */
