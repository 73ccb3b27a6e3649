/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_DEVICE_H
#define RESMON_DEVICE_H

#include "echo.h"
#include "element.h"
#include "memory.h"
#include "rtt.h"

struct device;

/**
 * struct resmon_mic - a group of ports on a device
 * @elem: the element
 * @ports: number of ports on it; protected by config_lock
 * @rcu: for the free after a grace period
 */
struct resmon_mic {
	struct resmon_element elem;
	unsigned int ports;
	struct rcu_head rcu;
};

/**
 * struct resmon_device - a line card
 * @elem: the element
 * @name: given by the operator or empty; set once
 * @host: it stands for this host, see collect in memory.c; set once
 * @ports: number of ports that stand on it; protected by config_lock
 * @mic: its mics; written under config_lock, read under RCU
 * @rtt: its throttle
 * @echo: what probes it
 * @memory: its memory regions
 * @sysfs: its class device; protected by config_lock
 * @rcu: for the free after a grace period
 */
struct resmon_device {
	struct resmon_element elem;
	char name[RESMON_NAME_LEN + 1];
	bool host;
	unsigned int ports;
	struct resmon_mic __rcu *mic[RESMON_MIC_MAX + 1];
	struct resmon_rtt rtt;
	struct resmon_echo echo;
	struct resmon_memory memory;
	struct device *sysfs;
	struct rcu_head rcu;
};

static inline struct resmon_device *
resmon_device_of(struct resmon_element *elem)
{
	return container_of(elem, struct resmon_device, elem);
}

struct resmon_device *resmon_device_find(struct resmon_net *rn, u32 index);
struct resmon_device *resmon_device_new(struct resmon_net *rn, u32 index,
					const char *name, bool host);
void resmon_device_del(struct resmon_net *rn, struct resmon_device *device);
struct resmon_mic *resmon_mic_find(struct resmon_device *device, u32 index);
struct resmon_mic *resmon_mic_new(struct resmon_net *rn,
				  struct resmon_device *device, u32 index);
void resmon_mic_del(struct resmon_net *rn, struct resmon_device *device,
		    struct resmon_mic *mic);

#endif /* RESMON_DEVICE_H */
