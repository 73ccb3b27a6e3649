// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a file, however long it is and whatever is in it. */

#include <errno.h>
#include <string.h>

#include "lines.h"
#include "names.h"

void lines_begin(struct lines *in, FILE *file)
{
	in->file = file;
	in->number = 0;
	in->text[0] = '\0';
	in->error[0] = '\0';
}

static int wrong(struct lines *in, const char *how)
{
	snprintf(in->error, sizeof(in->error), "line %u %s%s%.80s", in->number,
		 how, in->text[0] ? ": " : "", in->text);
	clean_text(in->error);
	return -EINVAL;
}

/* The file ends where more must follow. Always -EINVAL. */
int lines_short(struct lines *in)
{
	return wrong(in, "is missing");
}

/* The line that was read is not understood. Always -EINVAL. */
int lines_bad(struct lines *in)
{
	return wrong(in, "is not understood");
}

/*
 * The next line, without its end: 1, 0 at the end of the file, or a negative
 * error number. A last line without an end was being written: half an address
 * is another one.
 */
int lines_next(struct lines *in)
{
	size_t len = 0;
	int c;

	in->number++;
	while ((c = getc(in->file)) != EOF && c != '\n') {
		if (!c || len == LINE_MAX_LEN) {
			in->text[len] = '\0';
			return c ? wrong(in, "is too long") : lines_bad(in);
		}
		in->text[len++] = c;
	}
	if (len && in->text[len - 1] == '\r')
		len--;
	in->text[len] = '\0';
	if (c == '\n')
		return 1;
	if (ferror(in->file)) {
		snprintf(in->error, sizeof(in->error), "%s", strerror(errno));
		return -EIO;
	}
	return len ? wrong(in, "is cut off") : 0;
}
