/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_NETDEV_H
#define RESMON_NETDEV_H

int resmon_netdev_register(void);
void resmon_netdev_unregister(void);

#endif /* RESMON_NETDEV_H */
