/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_SOCKETS_H
#define RMCTL_SOCKETS_H

#include <json-c/json.h>

struct json_object *sockets_read(void);
struct json_object *sockets_before(struct json_object *all, __u64 ifindex);

#endif /* RMCTL_SOCKETS_H */
