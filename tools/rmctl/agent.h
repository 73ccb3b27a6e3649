/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_AGENT_H
#define RMCTL_AGENT_H

#include "rmctl.h"

int agent_run(struct ctx *ctx, const struct parsed *p);
const char *agent_check(const struct parsed *p);

#endif /* RMCTL_AGENT_H */
