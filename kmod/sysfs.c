// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/class/resmon and /sys/class/net/DEV/resmon: one value a file.
 *
 * Reading takes no lock but RCU. Writing takes config_lock only if it is free,
 * and has the system call restarted otherwise: whoever removes a file waits
 * for its writers, perhaps with config_lock held.
 */
#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/netdevice.h>
#include <linux/sysfs.h>

#include "device.h"
#include "net.h"
#include "netlink.h"
#include "place.h"
#include "proc.h"
#include "stats.h"
#include "sysfs.h"

static struct class resmon_class;

/**
 * struct value_attr - a file that shows a number of an element
 * @attr: the file
 * @value: the number; called in an RCU read section
 */
struct value_attr {
	struct device_attribute attr;
	u64 (*value)(const struct resmon_element *elem);
};

/**
 * struct setting_attr - a file that is a number among the chassis settings
 * @attr: the file
 * @get: the number
 * @set: take another number, that @max and @min allow
 * @min: smallest
 * @max: largest
 */
struct setting_attr {
	struct device_attribute attr;
	u32 (*get)(const struct resmon_settings *settings);
	void (*set)(struct resmon_settings *settings, u32 value);
	u32 min;
	u32 max;
};

static struct resmon_net *net_of(const struct device *dev)
{
	struct resmon_element *elem;

	if (dev->class != &resmon_class)
		return resmon_net_of(dev_net(to_net_dev(dev)));
	elem = dev_get_drvdata(dev);
	if (elem->id.kind == RESMON_ELEMENT_KIND_CHASSIS)
		return container_of(elem, struct resmon_net, chassis);
	return resmon_device_of(elem)->rtt.rn;
}

/*
 * In an RCU read section or under config_lock. NULL when the net device is a
 * port or lag no more, or not yet.
 */
static struct resmon_element *elem_of(const struct device *dev)
{
	struct resmon_place *place;

	if (dev->class == &resmon_class)
		return dev_get_drvdata(dev);
	place = resmon_place_find(net_of(dev), to_net_dev(dev)->ifindex);
	return place ? &place->elem : NULL;
}

static ssize_t value_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	const struct value_attr *value =
		container_of(attr, struct value_attr, attr);
	const struct resmon_element *elem;
	ssize_t n = -ENODEV;

	rcu_read_lock();
	elem = elem_of(dev);
	if (elem)
		n = sysfs_emit(buf, "%llu\n", value->value(elem));
	rcu_read_unlock();
	return n;
}

static u64 usage(const struct resmon_element *elem)
{
	return READ_ONCE(elem->caps.cap[RESMON_TYPE_ANY].sessions);
}

static u64 starting(const struct resmon_element *elem)
{
	return READ_ONCE(elem->caps.cap[RESMON_TYPE_ANY].starting);
}

static u64 services(const struct resmon_element *elem)
{
	return READ_ONCE(elem->caps.services);
}

static u64 peak(const struct resmon_element *elem)
{
	return READ_ONCE(elem->caps.mark[RESMON_TYPE_ANY].peak);
}

/* The throttle that stands for an element: of a port that of its device. */
static struct resmon_rtt *rtt_of(const struct resmon_element *elem)
{
	struct resmon_element *e = (struct resmon_element *)elem;

	if (elem->id.kind == RESMON_ELEMENT_KIND_DEVICE)
		return &resmon_device_of(e)->rtt;
	return container_of(e, struct resmon_place, elem)->rtt;
}

static u64 allowed_pct(const struct resmon_element *elem)
{
	return resmon_rtt_allowed(rtt_of(elem));
}

#define VALUE(_name, _value)						\
	static struct value_attr value_##_name = {			\
		.attr = __ATTR(_name, 0444, value_show, NULL),		\
		.value = _value,					\
	}

VALUE(usage, usage);
VALUE(starting, starting);
VALUE(services, services);
VALUE(peak, peak);
VALUE(admitted, resmon_stats_admitted);
VALUE(denied, resmon_stats_denied);
VALUE(refused, resmon_stats_refused);
VALUE(allowed_pct, allowed_pct);

/* A time in milliseconds, -- when nothing measures it. */
static ssize_t show_ms(struct device *dev, char *buf, bool average)
{
	const struct resmon_element *elem;
	struct resmon_rtt_show show;
	char ms[RESMON_MS_TEXT];
	ssize_t n = -ENODEV;

	rcu_read_lock();
	elem = elem_of(dev);
	if (elem) {
		resmon_rtt_read(rtt_of(elem), &show);
		if (average ? show.avg_n : show.measuring)
			n = sysfs_emit(buf, "%s\n",
				       resmon_ms_text(average ? show.avg_us :
						      show.rtt_us,
						      ms, sizeof(ms)));
		else
			n = sysfs_emit(buf, "--\n");
	}
	rcu_read_unlock();
	return n;
}

static ssize_t rtt_ms_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return show_ms(dev, buf, false);
}
static DEVICE_ATTR_RO(rtt_ms);

static ssize_t avg_ms_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return show_ms(dev, buf, true);
}
static DEVICE_ATTR_RO(avg_ms);

static ssize_t name_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	const struct resmon_element *elem = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%s\n",
			  resmon_device_of((struct resmon_element *)elem)->name);
}
static DEVICE_ATTR_RO(name);

/* Take config_lock, or have the write come again. The file is in use. */
static int write_begin(struct device *dev, struct resmon_net **rn)
{
	*rn = net_of(dev);
	if (!ns_capable((*rn)->net->user_ns, CAP_NET_ADMIN))
		return -EPERM;
	if (!mutex_trylock(&(*rn)->config_lock))
		return restart_syscall();
	return 0;
}

static ssize_t limit_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	const struct resmon_element *elem;
	ssize_t n = -ENODEV;

	rcu_read_lock();
	elem = elem_of(dev);
	if (elem) {
		u32 max = READ_ONCE(elem->caps.cap[RESMON_TYPE_ANY].max);

		if (max == RESMON_NO_LIMIT)
			n = sysfs_emit(buf, "-\n");
		else
			n = sysfs_emit(buf, "%u\n", max);
	}
	rcu_read_unlock();
	return n;
}

static int limit_parse(const char *buf, u32 *max)
{
	int err;

	*max = RESMON_NO_LIMIT;
	if (sysfs_streq(buf, "-") || sysfs_streq(buf, "none"))
		return 0;
	err = kstrtou32(buf, 0, max);
	if (err)
		return err;
	return *max > RESMON_LIMIT_MAX ? -ERANGE : 0;
}

static ssize_t limit_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t count)
{
	struct resmon_element *elem;
	struct resmon_net *rn;
	u32 max, no_warn = 0;
	int err;

	err = limit_parse(buf, &max);
	if (!err)
		err = write_begin(dev, &rn);
	if (err)
		return err;

	elem = elem_of(dev);
	if (elem) {
		/* A warning mark needs a limit. */
		err = resmon_element_limit_set(rn, elem, RESMON_TYPE_ANY, &max,
					       NULL, max == RESMON_NO_LIMIT ?
						     &no_warn : NULL);
		if (!err)
			resmon_nl_limit_changed(NULL, rn, elem,
						RESMON_TYPE_ANY);
	} else {
		err = -ENODEV;
	}
	mutex_unlock(&rn->config_lock);
	return err ?: count;
}
static DEVICE_ATTR_RW(limit);

static ssize_t drain_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	const struct resmon_element *elem;
	ssize_t n = -ENODEV;

	rcu_read_lock();
	elem = elem_of(dev);
	if (elem)
		n = sysfs_emit(buf, "%d\n", READ_ONCE(elem->drain));
	rcu_read_unlock();
	return n;
}

static ssize_t drain_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t count)
{
	struct resmon_element *elem;
	struct resmon_net *rn;
	bool on;
	int err;

	err = kstrtobool(buf, &on);
	if (!err)
		err = write_begin(dev, &rn);
	if (err)
		return err;

	elem = elem_of(dev);
	if (elem) {
		resmon_element_drain_set(rn, elem, on);
		resmon_nl_drain_changed(NULL, rn, elem);
	} else {
		err = -ENODEV;
	}
	mutex_unlock(&rn->config_lock);
	return err ?: count;
}
static DEVICE_ATTR_RW(drain);

static ssize_t setting_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	const struct setting_attr *setting =
		container_of(attr, struct setting_attr, attr);
	ssize_t n;

	rcu_read_lock();
	n = sysfs_emit(buf, "%u\n",
		       setting->get(rcu_dereference(net_of(dev)->settings)));
	rcu_read_unlock();
	return n;
}

/* Change one setting; the others stay. */
static ssize_t settings_store(struct device *dev, size_t count,
			      void (*set)(struct resmon_settings *settings,
					  u32 value), u32 value)
{
	struct resmon_settings settings;
	struct resmon_net *rn;
	int err;

	err = write_begin(dev, &rn);
	if (err)
		return err;

	settings = *rcu_dereference_protected(rn->settings,
					      lockdep_is_held(&rn->config_lock));
	set(&settings, value);
	err = resmon_settings_replace(rn, &settings);
	if (!err)
		resmon_nl_chassis_changed(NULL, rn);
	mutex_unlock(&rn->config_lock);
	return err ?: count;
}

static ssize_t setting_store(struct device *dev, struct device_attribute *attr,
			     const char *buf, size_t count)
{
	const struct setting_attr *setting =
		container_of(attr, struct setting_attr, attr);
	u32 value;
	bool on;
	int err;

	/* Switches take the words that other files of the kernel take too. */
	if (!setting->min && setting->max == 1) {
		err = kstrtobool(buf, &on);
		value = on;
	} else {
		err = kstrtou32(buf, 0, &value);
	}
	if (err)
		return err;
	if (value < setting->min || value > setting->max)
		return -ERANGE;
	return settings_store(dev, count, setting->set, value);
}

static u32 get_throttle(const struct resmon_settings *settings)
{
	return settings->throttle;
}

static void set_throttle(struct resmon_settings *settings, u32 value)
{
	settings->throttle = value;
}

static struct setting_attr setting_throttle = {
	.attr = __ATTR(throttle, 0644, setting_show, setting_store),
	.get = get_throttle,
	.set = set_throttle,
	.min = 0,
	.max = 1,
};

static u32 get_load_throttle(const struct resmon_settings *settings)
{
	return settings->load_throttle;
}

static void set_load_throttle(struct resmon_settings *settings, u32 value)
{
	settings->load_throttle = value;
}

static struct setting_attr setting_load_throttle = {
	.attr = __ATTR(load_throttle, 0644, setting_show, setting_store),
	.get = get_load_throttle,
	.set = set_load_throttle,
	.min = 0,
	.max = 1,
};

static u32 get_logging(const struct resmon_settings *settings)
{
	return settings->logging;
}

static void set_logging(struct resmon_settings *settings, u32 value)
{
	settings->logging = value;
}

static struct setting_attr setting_logging = {
	.attr = __ATTR(logging, 0644, setting_show, setting_store),
	.get = get_logging,
	.set = set_logging,
	.min = 0,
	.max = 1,
};

static u32 get_high_threshold(const struct resmon_settings *settings)
{
	return settings->high_threshold;
}

static void set_high_threshold(struct resmon_settings *settings, u32 value)
{
	settings->high_threshold = value;
}

static struct setting_attr setting_high_threshold = {
	.attr = __ATTR(high_threshold, 0644, setting_show, setting_store),
	.get = get_high_threshold,
	.set = set_high_threshold,
	.min = 1,
	.max = 99,
};

static const char * const on_error_text[] = {
	[RESMON_ON_ERROR_DENY] = "deny",
	[RESMON_ON_ERROR_ADMIT] = "admit",
};

static ssize_t on_error_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	const struct resmon_settings *settings;
	ssize_t n;

	rcu_read_lock();
	settings = rcu_dereference(net_of(dev)->settings);
	n = sysfs_emit(buf, "%s\n", on_error_text[settings->on_error]);
	rcu_read_unlock();
	return n;
}

static void set_on_error(struct resmon_settings *settings, u32 value)
{
	settings->on_error = value;
}

static ssize_t on_error_store(struct device *dev, struct device_attribute *attr,
			      const char *buf, size_t count)
{
	int value = sysfs_match_string(on_error_text, buf);

	if (value < 0)
		return value;
	return settings_store(dev, count, set_on_error, value);
}
static DEVICE_ATTR_RW(on_error);

static struct attribute *chassis_attrs[] = {
	&dev_attr_limit.attr,
	&dev_attr_drain.attr,
	&value_usage.attr.attr,
	&value_starting.attr.attr,
	&value_services.attr.attr,
	&value_peak.attr.attr,
	&value_admitted.attr.attr,
	&value_denied.attr.attr,
	&setting_throttle.attr.attr,
	&setting_load_throttle.attr.attr,
	&setting_high_threshold.attr.attr,
	&setting_logging.attr.attr,
	&dev_attr_on_error.attr,
	NULL
};
ATTRIBUTE_GROUPS(chassis);

static struct attribute *device_attrs[] = {
	&dev_attr_name.attr,
	&dev_attr_limit.attr,
	&dev_attr_drain.attr,
	&value_usage.attr.attr,
	&value_starting.attr.attr,
	&value_services.attr.attr,
	&value_peak.attr.attr,
	&value_refused.attr.attr,
	&value_allowed_pct.attr.attr,
	&dev_attr_rtt_ms.attr,
	&dev_attr_avg_ms.attr,
	NULL
};
ATTRIBUTE_GROUPS(device);

static struct attribute *place_attrs[] = {
	&dev_attr_limit.attr,
	&dev_attr_drain.attr,
	&value_usage.attr.attr,
	&value_starting.attr.attr,
	&value_services.attr.attr,
	&value_peak.attr.attr,
	&value_denied.attr.attr,
	&value_refused.attr.attr,
	&value_allowed_pct.attr.attr,
	&dev_attr_rtt_ms.attr,
	&dev_attr_avg_ms.attr,
	NULL
};

static const struct attribute_group place_group = {
	.name = "resmon",
	.attrs = place_attrs,
};

static resmon_class_tag_t class_namespace(resmon_class_device *dev)
{
	return resmon_class_tag(net_of(dev)->net);
}

static void class_get_ownership(resmon_class_device *dev, kuid_t *uid,
				kgid_t *gid)
{
	net_ns_get_ownership(net_of(dev)->net, uid, gid);
}

static struct class resmon_class = {
	.name = "resmon",
	.ns_type = &net_ns_type_operations,
	.namespace = class_namespace,
	.get_ownership = class_get_ownership,
};

/**
 * resmon_sysfs_register() - make /sys/class/resmon
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_sysfs_register(void)
{
	return class_register(&resmon_class);
}

/**
 * resmon_sysfs_unregister() - remove /sys/class/resmon, which is empty
 *
 * Context: Process context, may sleep.
 */
void resmon_sysfs_unregister(void)
{
	class_unregister(&resmon_class);
}

/*
 * The core owns the class device, and frees it when its last user is gone,
 * perhaps after this module.
 */
static int class_add(struct device **sysfs, struct resmon_element *elem,
		     const struct attribute_group **groups, const char *name)
{
	struct device *dev;

	dev = device_create_with_groups(&resmon_class, NULL, 0, elem, groups,
					"%s", name);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	*sysfs = dev;
	return 0;
}

static void class_del(struct device **sysfs)
{
	if (*sysfs)
		device_unregister(*sysfs);
	*sysfs = NULL;
}

/**
 * resmon_sysfs_chassis_add() - make /sys/class/resmon/chassis
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_sysfs_chassis_add(struct resmon_net *rn)
{
	return class_add(&rn->sysfs, &rn->chassis, chassis_groups, "chassis");
}

/**
 * resmon_sysfs_chassis_del() - remove /sys/class/resmon/chassis
 * @rn: the chassis
 *
 * Waits for readers and writers.
 *
 * Context: Process context, may sleep.
 */
void resmon_sysfs_chassis_del(struct resmon_net *rn)
{
	class_del(&rn->sysfs);
}

/**
 * resmon_sysfs_device_add() - make /sys/class/resmon/deviceN
 * @rn: the chassis
 * @device: the device
 *
 * Context: Process context, may sleep; config_lock may be held.
 * Return: 0 or a negative error number.
 */
int resmon_sysfs_device_add(struct resmon_net *rn,
			    struct resmon_device *device)
{
	char name[16];

	snprintf(name, sizeof(name), "device%u", device->elem.id.device);
	return class_add(&device->sysfs, &device->elem, device_groups, name);
}

/**
 * resmon_sysfs_device_del() - remove /sys/class/resmon/deviceN
 * @rn: the chassis
 * @device: the device
 *
 * Waits for readers and writers.
 *
 * Context: Process context, may sleep; config_lock may be held.
 */
void resmon_sysfs_device_del(struct resmon_net *rn,
			     struct resmon_device *device)
{
	class_del(&device->sysfs);
}

/**
 * resmon_sysfs_place_add() - make /sys/class/net/DEV/resmon
 * @rn: the chassis
 * @place: the port or lag
 *
 * Context: Process context, may sleep; RTNL and config_lock may be held.
 * Return: 0 or a negative error number.
 */
int resmon_sysfs_place_add(struct resmon_net *rn, struct resmon_place *place)
{
	return sysfs_create_group(&place->dev->dev.kobj, &place_group);
}

/**
 * resmon_sysfs_place_del() - remove /sys/class/net/DEV/resmon
 * @rn: the chassis
 * @place: the port or lag, its net device is still registered
 *
 * Waits for readers and writers.
 *
 * Context: Process context, may sleep; RTNL and config_lock may be held.
 */
void resmon_sysfs_place_del(struct resmon_net *rn, struct resmon_place *place)
{
	sysfs_remove_group(&place->dev->dev.kobj, &place_group);
}
