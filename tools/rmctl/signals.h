/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RMCTL_SIGNALS_H
#define RMCTL_SIGNALS_H

int signals_open(void);
int signals_next(int fd);

#endif /* RMCTL_SIGNALS_H */
