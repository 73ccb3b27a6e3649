/* SPDX-License-Identifier: GPL-2.0-only */
/* PPP inside of a PPPoE session. */
#ifndef STORM_PPP_H
#define STORM_PPP_H

#include "client.h"

void ppp_start(struct client *client);
void ppp_stop(struct client *client);
void ppp_terminate(struct client *client);
void ppp_receive(struct client *client, const __u8 *data, size_t len);

/* The session cannot go on: end it, and start over when it is time. */
void pppoe_failed(struct client *client, enum refusal refusal);
/* The session has ended as we wanted it to. */
void pppoe_closed(struct client *client);

#endif
