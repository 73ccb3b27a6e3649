/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_IMPORT_H
#define RMCTL_IMPORT_H

struct ctx;
struct parsed;

int run_import(struct ctx *ctx, const struct parsed *p);

#endif /* RMCTL_IMPORT_H */
