// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations on what probes the devices.
 */
#include "device.h"
#include "echo.h"
#include "net.h"
#include "netlink.h"

static const struct netlink_range_validation interval_range = {
	.min = RESMON_INTERVAL_MIN_MS,
	.max = RESMON_INTERVAL_MAX_MS,
};

const struct nla_policy
	resmon_nl_echo_policy[RESMON_A_ECHO_INTERVAL_MS + 1] = {
	[RESMON_A_ECHO_DEVICE] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_ECHO_ENGINE] = NLA_POLICY_MAX(NLA_U32, RESMON_ENGINE_MAX),
	[RESMON_A_ECHO_INTERVAL_MS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &interval_range),
};

const struct nla_policy resmon_nl_echo_reply_policy[RESMON_A_ECHO_SEQ + 1] = {
	[RESMON_A_ECHO_DEVICE] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_ECHO_SEQ] = { .type = NLA_U32 },
};

static struct resmon_device *echo_find(struct resmon_net *rn,
				       struct genl_info *info)
{
	struct nlattr *slot = info->attrs[RESMON_A_ECHO_DEVICE];
	struct resmon_device *device;

	if (!slot)
		return ERR_PTR(resmon_nl_missing(info, RESMON_A_ECHO_DEVICE,
				"which device? a slot number is needed"));
	device = resmon_device_find(rn, nla_get_u32(slot));
	if (device)
		return device;
	NL_SET_ERR_MSG_ATTR(info->extack, slot, "no such device");
	return ERR_PTR(-ENOENT);
}

static int echo_fill(struct sk_buff *skb, struct resmon_net *rn,
		     const void *obj)
{
	struct resmon_device *device = (struct resmon_device *)obj;
	struct resmon_echo_show show;

	resmon_echo_read(device, &show);
	if (nla_put_u32(skb, RESMON_A_ECHO_DEVICE, device->elem.id.device) ||
	    nla_put_u32(skb, RESMON_A_ECHO_ENGINE, show.engine) ||
	    nla_put_u32(skb, RESMON_A_ECHO_INTERVAL_MS, show.interval_ms) ||
	    nla_put_u32(skb, RESMON_A_ECHO_AGENT, show.portid) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_SENT, show.counts.sent,
			      RESMON_A_ECHO_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_ANSWERED, show.counts.answered,
			      RESMON_A_ECHO_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_LOST, show.counts.lost,
			      RESMON_A_ECHO_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_LATE, show.counts.late,
			      RESMON_A_ECHO_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_UNKNOWN, show.counts.unknown,
			      RESMON_A_ECHO_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_FOREIGN, show.counts.foreign,
			      RESMON_A_ECHO_PAD))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_echo_changed() - tell the config group of an engine or agent (U5)
 * @info: the request that changed it, or NULL
 * @rn: the chassis
 * @device: the device
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_nl_echo_changed(struct genl_info *info, struct resmon_net *rn,
			    struct resmon_device *device)
{
	lockdep_assert_held(&rn->config_lock);

	resmon_net_changed(rn);
	resmon_nl_notify(info, rn, RESMON_CMD_ECHO_NTF, echo_fill, device);
}

/**
 * resmon_nl_echo_get() - what probes one device
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_echo_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	int err;

	mutex_lock(&rn->config_lock);
	device = echo_find(rn, info);
	if (IS_ERR(device))
		err = PTR_ERR(device);
	else
		err = resmon_nl_reply(info, rn, echo_fill, device);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_echo_dump() - what probes all devices
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_echo_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	unsigned long *slot = (void *)cb->ctx;
	struct resmon_device *device;
	int err;

	err = resmon_nl_dump_only(cb, 0);
	if (err)
		return err;

	rcu_read_lock();
	while ((device = xa_find(&rn->devices, slot, ULONG_MAX, XA_PRESENT))) {
		if (resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_ECHO_GET,
				       echo_fill, device))
			break;
		(*slot)++;
	}
	rcu_read_unlock();
	return skb->len;
}

static int echo_set(struct resmon_device *device, struct genl_info *info)
{
	struct nlattr *interval = info->attrs[RESMON_A_ECHO_INTERVAL_MS];
	struct nlattr *engine = info->attrs[RESMON_A_ECHO_ENGINE];
	struct resmon_echo_show show;

	if (engine && nla_get_u32(engine) == RESMON_ENGINE_CFM) {
		NL_SET_ERR_MSG_ATTR(info->extack, engine,
				    "engine cfm is not built yet, take agent or softnet");
		return -EOPNOTSUPP;
	}
	resmon_echo_read(device, &show);
	return resmon_echo_set(device, engine ? nla_get_u32(engine) :
						show.engine,
			       interval ? nla_get_u32(interval) :
					  show.interval_ms, info->extack);
}

/**
 * resmon_nl_echo_set() - choose what probes a device, the rest stays
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative error number, and then nothing changed.
 */
int resmon_nl_echo_set(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	int err;

	mutex_lock(&rn->config_lock);
	device = echo_find(rn, info);
	err = PTR_ERR_OR_ZERO(device) ?: echo_set(device, info);
	if (!err)
		resmon_nl_echo_changed(info, rn, device);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_echo_register() - the socket of the caller answers the probes of a
 *	device from now on
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_echo_register(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_device *device;
	int err;

	mutex_lock(&rn->config_lock);
	device = echo_find(rn, info);
	err = PTR_ERR_OR_ZERO(device) ?:
	      resmon_echo_register(device, info->snd_portid, info->extack);
	if (!err)
		resmon_nl_echo_changed(info, rn, device);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_echo_reply() - the answer to a probe
 * @skb: the request
 * @info: the request
 *
 * It does not wait for config_lock: the time that this takes would count.
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_echo_reply(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *seq = info->attrs[RESMON_A_ECHO_SEQ];
	struct resmon_device *device;
	int err;

	if (!seq)
		return resmon_nl_missing(info, RESMON_A_ECHO_SEQ,
					 "an answer needs the number of its probe");
	rcu_read_lock();
	device = echo_find(rn, info);
	err = PTR_ERR_OR_ZERO(device) ?:
	      resmon_echo_reply(device, info->snd_portid, nla_get_u32(seq),
				info->extack);
	rcu_read_unlock();
	return err;
}
