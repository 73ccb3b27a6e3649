/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_SYSFS_H
#define RESMON_SYSFS_H

struct resmon_device;
struct resmon_net;
struct resmon_place;

int resmon_sysfs_register(void);
void resmon_sysfs_unregister(void);
int resmon_sysfs_chassis_add(struct resmon_net *rn);
void resmon_sysfs_chassis_del(struct resmon_net *rn);
int resmon_sysfs_device_add(struct resmon_net *rn,
			    struct resmon_device *device);
void resmon_sysfs_device_del(struct resmon_net *rn,
			     struct resmon_device *device);
int resmon_sysfs_place_add(struct resmon_net *rn, struct resmon_place *place);
void resmon_sysfs_place_del(struct resmon_net *rn, struct resmon_place *place);

#endif /* RESMON_SYSFS_H */
