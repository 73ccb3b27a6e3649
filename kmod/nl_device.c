// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: devices and mics.
 */
#include "device.h"
#include "net.h"
#include "netlink.h"
#include "stats.h"

const struct nla_policy resmon_nl_device_policy[RESMON_A_DEVICE_HOST + 1] = {
	[RESMON_A_DEVICE_INDEX] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_DEVICE_NAME] = { .type = NLA_NUL_STRING,
				   .len = RESMON_NAME_LEN },
	[RESMON_A_DEVICE_HOST] = NLA_POLICY_MAX(NLA_U32, 1),
};

const struct nla_policy resmon_nl_mic_policy[RESMON_A_MIC_INDEX + 1] = {
	[RESMON_A_MIC_DEVICE] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_MIC_INDEX] = NLA_POLICY_MAX(NLA_U32, RESMON_MIC_MAX),
};

static int fill_rtt(struct sk_buff *skb, struct resmon_device *device)
{
	struct resmon_rtt_show view;

	resmon_rtt_read(&device->rtt, &view);
	if (nla_put_u32(skb, RESMON_A_DEVICE_ALLOWED, 100 - view.throttle))
		return -EMSGSIZE;
	if (view.measuring &&
	    nla_put_u32(skb, RESMON_A_DEVICE_RTT_US, view.rtt_us))
		return -EMSGSIZE;
	if (view.avg_n &&
	    (nla_put_u32(skb, RESMON_A_DEVICE_AVG_US, view.avg_us) ||
	     nla_put_u32(skb, RESMON_A_DEVICE_AVG_N, view.avg_n)))
		return -EMSGSIZE;
	return 0;
}

static int fill_device(struct sk_buff *skb, struct resmon_net *rn,
		       const void *obj)
{
	struct resmon_device *device = (struct resmon_device *)obj;
	const struct resmon_element *elem = &device->elem;
	const struct resmon_cap *cap = &elem->caps.cap[RESMON_TYPE_ANY];
	u32 max = READ_ONCE(cap->max);

	if (nla_put_u32(skb, RESMON_A_DEVICE_INDEX, elem->id.device) ||
	    (*device->name &&
	     nla_put_string(skb, RESMON_A_DEVICE_NAME, device->name)) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_HOST, device->host) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_DRAIN, READ_ONCE(elem->drain)) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_SESSIONS,
			READ_ONCE(cap->sessions)) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_STARTING,
			READ_ONCE(cap->starting)) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_SERVICES,
			READ_ONCE(elem->caps.services)) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_PEAK,
			READ_ONCE(elem->caps.mark[RESMON_TYPE_ANY].peak)) ||
	    (max != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_DEVICE_LIMIT, max)) ||
	    resmon_nl_put_u64(skb, RESMON_A_DEVICE_REFUSED,
			      resmon_stats_refused(elem),
			      RESMON_A_DEVICE_PAD) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_PORTS,
			READ_ONCE(device->ports)) ||
	    nla_put_u32(skb, RESMON_A_DEVICE_PFES,
			READ_ONCE(device->memory.pfes)))
		return -EMSGSIZE;
	return fill_rtt(skb, device);
}

static int fill_mic(struct sk_buff *skb, struct resmon_net *rn, const void *obj)
{
	const struct resmon_mic *mic = obj;
	const struct resmon_element *elem = &mic->elem;
	const struct resmon_cap *cap = &elem->caps.cap[RESMON_TYPE_ANY];
	u32 max = READ_ONCE(cap->max);

	if (nla_put_u32(skb, RESMON_A_MIC_DEVICE, elem->id.device) ||
	    nla_put_u32(skb, RESMON_A_MIC_INDEX, elem->id.mic) ||
	    nla_put_u32(skb, RESMON_A_MIC_DRAIN, READ_ONCE(elem->drain)) ||
	    nla_put_u32(skb, RESMON_A_MIC_SESSIONS,
			READ_ONCE(cap->sessions)) ||
	    nla_put_u32(skb, RESMON_A_MIC_STARTING,
			READ_ONCE(cap->starting)) ||
	    nla_put_u32(skb, RESMON_A_MIC_PEAK,
			READ_ONCE(elem->caps.mark[RESMON_TYPE_ANY].peak)) ||
	    (max != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_MIC_LIMIT, max)) ||
	    resmon_nl_put_u64(skb, RESMON_A_MIC_REFUSED,
			      resmon_stats_refused(elem), RESMON_A_MIC_PAD) ||
	    nla_put_u32(skb, RESMON_A_MIC_PORTS, READ_ONCE(mic->ports)))
		return -EMSGSIZE;
	return 0;
}

static struct resmon_device *find_device(struct resmon_net *rn,
					 struct genl_info *info, int attr)
{
	struct resmon_device *device;

	if (!info->attrs[attr])
		return ERR_PTR(resmon_nl_missing(info, attr,
						 "the slot number of the device is missing"));
	device = resmon_device_find(rn, nla_get_u32(info->attrs[attr]));
	if (!device) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr],
				    "no such device");
		return ERR_PTR(-ENOENT);
	}
	return device;
}

static struct resmon_mic *find_mic(struct resmon_net *rn,
				   struct genl_info *info,
				   struct resmon_device **device)
{
	struct nlattr *index = info->attrs[RESMON_A_MIC_INDEX];
	struct resmon_mic *mic;

	*device = find_device(rn, info, RESMON_A_MIC_DEVICE);
	if (IS_ERR(*device))
		return ERR_CAST(*device);
	if (!index)
		return ERR_PTR(resmon_nl_missing(info, RESMON_A_MIC_INDEX,
						 "the number of the mic is missing"));
	mic = resmon_mic_find(*device, nla_get_u32(index));
	if (!mic)
		NL_SET_ERR_MSG_ATTR(info->extack, index, "no such mic");
	return mic ?: ERR_PTR(-ENOENT);
}

/**
 * resmon_nl_device_get() - RESMON_CMD_DEVICE_GET for one device
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_device_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	int err;

	mutex_lock(&rn->config_lock);
	device = find_device(rn, info, RESMON_A_DEVICE_INDEX);
	err = IS_ERR(device) ? PTR_ERR(device) :
	      resmon_nl_reply(info, rn, fill_device, device);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_device_dump() - RESMON_CMD_DEVICE_GET for all devices
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_device_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_device *device;
	unsigned long index;
	int err;

	err = resmon_nl_dump_only(cb, 0);
	if (err)
		return err;

	rcu_read_lock();
	xa_for_each_start(&rn->devices, index, device, cb->args[0]) {
		if (resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_DEVICE_GET,
				       fill_device, device))
			break;
		cb->args[0] = index + 1;
	}
	rcu_read_unlock();
	return skb->len;
}

/**
 * resmon_nl_device_new() - RESMON_CMD_DEVICE_NEW
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_device_new(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *index = info->attrs[RESMON_A_DEVICE_INDEX];
	struct nlattr *name = info->attrs[RESMON_A_DEVICE_NAME];
	struct nlattr *host = info->attrs[RESMON_A_DEVICE_HOST];
	struct resmon_device *device;
	unsigned long slot;
	int err = 0;

	if (!index)
		return resmon_nl_missing(info, RESMON_A_DEVICE_INDEX,
					 "the slot number of the device is missing");
	if (name && !*(char *)nla_data(name)) {
		NL_SET_ERR_MSG_ATTR(info->extack, name, "the name is empty");
		return -EINVAL;
	}

	mutex_lock(&rn->config_lock);
	if (resmon_device_find(rn, nla_get_u32(index))) {
		NL_SET_ERR_MSG_ATTR(info->extack, index,
				    "the slot has a device already");
		err = -EEXIST;
		goto out;
	}
	xa_for_each(&rn->devices, slot, device) {
		if (!name || strcmp(device->name, nla_data(name)))
			continue;
		NL_SET_ERR_MSG_ATTR(info->extack, name,
				    "another device has the name");
		err = -EEXIST;
		goto out;
	}
	device = resmon_device_new(rn, nla_get_u32(index),
				   name ? nla_data(name) : NULL,
				   host && nla_get_u32(host));
	if (IS_ERR(device)) {
		NL_SET_ERR_MSG(info->extack, "no memory for the device");
		err = PTR_ERR(device);
		goto out;
	}
	resmon_nl_notify(info, rn, RESMON_CMD_DEVICE_NTF, fill_device, device);
out:
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_device_del() - RESMON_CMD_DEVICE_DEL
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number, -EBUSY with ports on it (C9).
 */
int resmon_nl_device_del(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	int err = 0;

	mutex_lock(&rn->config_lock);
	device = find_device(rn, info, RESMON_A_DEVICE_INDEX);
	if (IS_ERR(device)) {
		err = PTR_ERR(device);
	} else if (device->ports) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[RESMON_A_DEVICE_INDEX],
				    "the device has ports, delete them first");
		err = -EBUSY;
	} else {
		resmon_nl_notify(info, rn, RESMON_CMD_DEVICE_DEL_NTF,
				 fill_device, device);
		resmon_device_del(rn, device);
	}
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_mic_get() - RESMON_CMD_MIC_GET for one mic
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_mic_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	struct resmon_mic *mic;
	int err;

	mutex_lock(&rn->config_lock);
	mic = find_mic(rn, info, &device);
	err = IS_ERR(mic) ? PTR_ERR(mic) :
	      resmon_nl_reply(info, rn, fill_mic, mic);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_mic_dump() - RESMON_CMD_MIC_GET for all mics
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_mic_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_walk *walk = (void *)cb->ctx;
	struct resmon_element *elem;
	int err;

	err = resmon_nl_dump_only(cb, 0);
	if (err)
		return err;

	rcu_read_lock();
	while ((elem = resmon_walk_at(rn, walk))) {
		if (elem->id.kind == RESMON_ELEMENT_KIND_MIC &&
		    resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_MIC_GET,
				       fill_mic,
				       container_of(elem, struct resmon_mic,
						    elem)))
			break;
		resmon_walk_step(walk);
	}
	rcu_read_unlock();
	return skb->len;
}

/**
 * resmon_nl_mic_new() - RESMON_CMD_MIC_NEW
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_mic_new(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *index = info->attrs[RESMON_A_MIC_INDEX];
	struct resmon_device *device;
	struct resmon_mic *mic;
	int err = 0;

	mutex_lock(&rn->config_lock);
	device = find_device(rn, info, RESMON_A_MIC_DEVICE);
	if (IS_ERR(device)) {
		err = PTR_ERR(device);
	} else if (!index) {
		err = resmon_nl_missing(info, RESMON_A_MIC_INDEX,
					"the number of the mic is missing");
	} else if (resmon_mic_find(device, nla_get_u32(index))) {
		NL_SET_ERR_MSG_ATTR(info->extack, index,
				    "the device has that mic already");
		err = -EEXIST;
	} else {
		mic = resmon_mic_new(rn, device, nla_get_u32(index));
		err = PTR_ERR_OR_ZERO(mic);
		if (err)
			NL_SET_ERR_MSG(info->extack, "no memory for the mic");
		else
			resmon_nl_notify(info, rn, RESMON_CMD_MIC_NTF,
					 fill_mic, mic);
	}
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_mic_del() - RESMON_CMD_MIC_DEL
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number, -EBUSY with ports on it (C9).
 */
int resmon_nl_mic_del(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	struct resmon_mic *mic;
	int err = 0;

	mutex_lock(&rn->config_lock);
	mic = find_mic(rn, info, &device);
	if (IS_ERR(mic)) {
		err = PTR_ERR(mic);
	} else if (mic->ports) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[RESMON_A_MIC_INDEX],
				    "the mic has ports, delete them first");
		err = -EBUSY;
	} else {
		resmon_nl_notify(info, rn, RESMON_CMD_MIC_DEL_NTF, fill_mic,
				 mic);
		resmon_mic_del(rn, device, mic);
	}
	mutex_unlock(&rn->config_lock);
	return err;
}
