// SPDX-License-Identifier: GPL-2.0-only
/* The writer: records as JSON or as an aligned table. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"

#define CELL_SIZE	256

static int json_flags(const struct ctx *ctx)
{
	return JSON_C_TO_STRING_NOSLASHESCAPE |
	       (ctx->pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
			      JSON_C_TO_STRING_PLAIN);
}

/* One value and a newline. */
void json_print(const struct ctx *ctx, struct json_object *rec)
{
	puts(json_object_to_json_string_ext(rec, json_flags(ctx)));
}

/* A single record: one field a line. */
void fields_print(const struct ctx *ctx, struct json_object *rec)
{
	int width = 0;

	if (ctx->json) {
		json_print(ctx, rec);
		return;
	}
	json_object_object_foreach(rec, name, unused) {
		(void)unused;
		if ((int)strlen(name) > width)
			width = strlen(name);
	}
	json_object_object_foreach(rec, field, value)
		printf("%-*s  %s\n", width, field,
		       json_object_get_string(value));
}

static size_t n_columns(const struct table *table)
{
	size_t n = 0;

	while (table->columns[n].head)
		n++;
	return n;
}

void out_begin(struct out *out, const struct ctx *ctx,
	       const struct table *table)
{
	memset(out, 0, sizeof(*out));
	out->ctx = ctx;
	out->table = table;
	if (ctx->json)
		fputc('[', stdout);
}

static void out_row(struct out *out, struct json_object *rec)
{
	size_t n = n_columns(out->table), i;

	if (out->n_rows == out->room) {
		size_t room = out->room ? 2 * out->room : 64;
		char **cells = realloc(out->cells, room * n * sizeof(*cells));

		if (!cells)
			return;
		out->cells = cells;
		out->room = room;
	}
	for (i = 0; i < n; i++) {
		const struct column *col = &out->table->columns[i];
		char cell[CELL_SIZE];

		(col->cell ?: cell_plain)(rec, col->field, cell, sizeof(cell));
		out->cells[out->n_rows * n + i] = strdup(cell);
	}
	out->n_rows++;
}

/* Takes the record over. */
void out_record(struct out *out, struct json_object *rec)
{
	if (out->ctx->json)
		printf("%s%s", out->n_records ? ",\n" : "",
		       json_object_to_json_string_ext(rec,
						      json_flags(out->ctx)));
	else if (!out->table->skip || !out->table->skip(rec))
		out_row(out, rec);
	out->n_records++;
	json_object_put(rec);
}

/* Blanks are written before the cell that needs them: none end a line. */
static int print_cell(const struct column *col, const char *text, int width,
		      int blanks)
{
	int len = strlen(text), pad = width - len;

	if (!len)
		return blanks + width + 2;
	if (!col->left)
		blanks += pad;
	printf("%*s%s", blanks, "", text);
	return 2 + (col->left ? pad : 0);
}

static void print_table(struct out *out)
{
	const struct column *col = out->table->columns;
	size_t n = n_columns(out->table), row, i;
	int *width = calloc(n, sizeof(*width)), blanks;

	if (!width)
		return;
	for (i = 0; i < n; i++)
		width[i] = strlen(col[i].head);
	for (row = 0; row < out->n_rows; row++)
		for (i = 0; i < n; i++) {
			const char *cell = out->cells[row * n + i];

			if (cell && (int)strlen(cell) > width[i])
				width[i] = strlen(cell);
		}
	for (i = 0, blanks = 0; i < n; i++)
		blanks = print_cell(&col[i], col[i].head, width[i], blanks);
	putchar('\n');
	for (row = 0; row < out->n_rows; row++) {
		for (i = 0, blanks = 0; i < n; i++)
			blanks = print_cell(&col[i],
					    out->cells[row * n + i] ?: "?",
					    width[i], blanks);
		putchar('\n');
	}
	free(width);
}

int out_end(struct out *out)
{
	size_t i;

	if (out->ctx->json)
		puts("]");
	else if (out->n_rows)
		print_table(out);
	else if (out->table->none)
		puts(out->table->none);
	for (i = 0; i < out->n_rows * n_columns(out->table); i++)
		free(out->cells[i]);
	free(out->cells);
	return out_check();
}

/* A full disk or a closed pipe is a failure, not a shorter answer. */
int out_check(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	if (errno != EPIPE)
		fprintf(stderr, "rmctl: output: %s\n", strerror(errno));
	return STATUS_REFUSED;
}
