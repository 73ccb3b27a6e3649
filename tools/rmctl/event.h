/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_EVENT_H
#define RMCTL_EVENT_H

#include "out.h"

void event_text(struct json_object *rec, char *buf, size_t len);
void config_text(const char *op, struct json_object *rec, char *buf,
		 size_t len);

#endif /* RMCTL_EVENT_H */
