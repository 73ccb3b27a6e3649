// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices (line cards) and their mics.
 */
#include <linux/slab.h>

#include "device.h"
#include "net.h"
#include "sysfs.h"

/**
 * resmon_device_find() - the device of a slot
 * @rn: the chassis
 * @index: slot number
 *
 * Context: RCU read section or config_lock.
 * Return: The device, or NULL.
 */
struct resmon_device *resmon_device_find(struct resmon_net *rn, u32 index)
{
	return xa_load(&rn->devices, index);
}

static void device_free(struct rcu_head *rcu)
{
	struct resmon_device *device =
		container_of(rcu, struct resmon_device, rcu);

	resmon_element_exit(&device->elem);
	kfree(device);
}

static void mic_free(struct rcu_head *rcu)
{
	struct resmon_mic *mic = container_of(rcu, struct resmon_mic, rcu);

	resmon_element_exit(&mic->elem);
	kfree(mic);
}

/**
 * resmon_device_new() - add a line card
 * @rn: the chassis
 * @index: slot number, 0..RESMON_DEVICE_MAX, that is not in use
 * @name: its name or NULL
 * @host: it stands for this host
 *
 * Context: Under config_lock, may sleep.
 * Return: The device or an error pointer.
 */
struct resmon_device *resmon_device_new(struct resmon_net *rn, u32 index,
					const char *name, bool host)
{
	struct resmon_ident id = {
		.kind = RESMON_ELEMENT_KIND_DEVICE,
		.device = index,
	};
	struct resmon_device *device;
	int err;

	lockdep_assert_held(&rn->config_lock);

	device = kzalloc_obj(*device, GFP_KERNEL_ACCOUNT);
	if (!device)
		return ERR_PTR(-ENOMEM);
	if (name)
		strscpy(device->name, name, sizeof(device->name));
	device->host = host;
	resmon_memory_init(&device->memory);

	err = resmon_element_init(&device->elem, &id);
	if (err)
		goto err_free;
	err = resmon_rtt_init(&device->rtt, rn, &device->elem, false);
	if (err)
		goto err_element;
	err = resmon_echo_init(&device->echo, rn);
	if (err)
		goto err_rtt;
	err = xa_insert(&rn->devices, index, device, GFP_KERNEL_ACCOUNT);
	if (err)
		goto err_echo;
	err = resmon_sysfs_device_add(rn, device);
	if (err)
		goto err_erase;

	resmon_net_changed(rn);
	return device;

err_erase:
	xa_erase(&rn->devices, index);
err_echo:
	resmon_echo_exit(&device->echo);
err_rtt:
	resmon_rtt_exit(&device->rtt);
	/* It could be found for a moment. */
	call_rcu(&device->rcu, device_free);
	return ERR_PTR(err);
err_element:
	resmon_element_exit(&device->elem);
err_free:
	kfree(device);
	return ERR_PTR(err);
}

/**
 * resmon_device_del() - remove a line card that has no ports
 * @rn: the chassis
 * @device: the device; its mics go with it
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_device_del(struct resmon_net *rn, struct resmon_device *device)
{
	struct resmon_mic *mic;
	u32 index;

	lockdep_assert_held(&rn->config_lock);
	WARN_ON_ONCE(device->ports);

	for (index = 0; index <= RESMON_MIC_MAX; index++) {
		mic = resmon_mic_find(device, index);
		if (mic)
			resmon_mic_del(rn, device, mic);
	}
	xa_erase(&rn->devices, device->elem.id.device);
	resmon_sysfs_device_del(rn, device);
	resmon_echo_exit(&device->echo);
	resmon_rtt_exit(&device->rtt);
	call_rcu(&device->rcu, device_free);
	resmon_net_changed(rn);
}

/**
 * resmon_mic_find() - a mic of a device
 * @device: the device
 * @index: number of the mic
 *
 * Context: RCU read section or config_lock.
 * Return: The mic, or NULL.
 */
struct resmon_mic *resmon_mic_find(struct resmon_device *device, u32 index)
{
	if (index > RESMON_MIC_MAX)
		return NULL;
	/* The callers hold one of two locks, see Context. */
	return rcu_dereference_raw(device->mic[index]);
}

/**
 * resmon_mic_new() - add a mic to a device
 * @rn: the chassis
 * @device: the device
 * @index: number of the mic, 0..RESMON_MIC_MAX, that is not in use
 *
 * Context: Under config_lock, may sleep.
 * Return: The mic or an error pointer.
 */
struct resmon_mic *resmon_mic_new(struct resmon_net *rn,
				  struct resmon_device *device, u32 index)
{
	struct resmon_ident id = {
		.kind = RESMON_ELEMENT_KIND_MIC,
		.device = device->elem.id.device,
		.mic = index,
	};
	struct resmon_mic *mic;
	int err;

	lockdep_assert_held(&rn->config_lock);

	mic = kzalloc_obj(*mic, GFP_KERNEL_ACCOUNT);
	if (!mic)
		return ERR_PTR(-ENOMEM);
	err = resmon_element_init(&mic->elem, &id);
	if (err) {
		kfree(mic);
		return ERR_PTR(err);
	}
	rcu_assign_pointer(device->mic[index], mic);
	resmon_net_changed(rn);
	return mic;
}

/**
 * resmon_mic_del() - remove a mic that has no ports
 * @rn: the chassis
 * @device: its device
 * @mic: the mic
 *
 * Context: Under config_lock.
 */
void resmon_mic_del(struct resmon_net *rn, struct resmon_device *device,
		    struct resmon_mic *mic)
{
	lockdep_assert_held(&rn->config_lock);
	WARN_ON_ONCE(mic->ports);

	RCU_INIT_POINTER(device->mic[mic->elem.id.mic], NULL);
	call_rcu(&mic->rcu, mic_free);
	resmon_net_changed(rn);
}
