// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: settings of the chassis, watermarks and timeouts.
 */
#include "net.h"
#include "netlink.h"
#include "stats.h"

static struct netlink_range_validation range_day = { .max = 86400 };
static struct netlink_range_validation range_hour_ms = { .max = 3600000 };
static struct netlink_range_validation range_idle = {
	.max = RESMON_SECONDS_MAX,
};

const struct nla_policy
	resmon_nl_chassis_policy[RESMON_A_CHASSIS_RETRY_MAX + 1] = {
	[RESMON_A_CHASSIS_THROTTLE] = NLA_POLICY_MAX(NLA_U32, 1),
	[RESMON_A_CHASSIS_LOAD_THROTTLE] = NLA_POLICY_MAX(NLA_U32, 1),
	[RESMON_A_CHASSIS_HIGH_THRESHOLD] = NLA_POLICY_RANGE(NLA_U32, 1, 99),
	[RESMON_A_CHASSIS_LOGGING] = NLA_POLICY_MAX(NLA_U32, 1),
	[RESMON_A_CHASSIS_ON_ERROR] = NLA_POLICY_MAX(NLA_U32,
						     RESMON_ON_ERROR_MAX),
	[RESMON_A_CHASSIS_SETTLE] = NLA_POLICY_FULL_RANGE(NLA_U32, &range_day),
	[RESMON_A_CHASSIS_RETRY_MIN] = NLA_POLICY_FULL_RANGE(NLA_U32,
							     &range_hour_ms),
	[RESMON_A_CHASSIS_RETRY_MAX] = NLA_POLICY_FULL_RANGE(NLA_U32,
							     &range_hour_ms),
};

const struct nla_policy
	resmon_nl_watermark_policy[RESMON_A_WATERMARK_RESET + 1] = {
	[RESMON_A_WATERMARK_HEAP] = NLA_POLICY_RANGE(NLA_U32, 1, 99),
	[RESMON_A_WATERMARK_NH] = NLA_POLICY_RANGE(NLA_U32, 1, 99),
	[RESMON_A_WATERMARK_FW] = NLA_POLICY_RANGE(NLA_U32, 1, 99),
	[RESMON_A_WATERMARK_DEAD_BAND] = NLA_POLICY_MAX(NLA_U32, 50),
	[RESMON_A_WATERMARK_RESET] = { .type = NLA_FLAG },
};

const struct nla_policy
	resmon_nl_timeout_policy[RESMON_A_TIMEOUT_TICKET + 1] = {
	[RESMON_A_TIMEOUT_STARTING] = NLA_POLICY_FULL_RANGE(NLA_U32,
							    &resmon_range_seconds),
	[RESMON_A_TIMEOUT_IDLE] = NLA_POLICY_FULL_RANGE(NLA_U32,
							&range_idle),
	[RESMON_A_TIMEOUT_TICKET] = NLA_POLICY_RANGE(NLA_U32, 1, 3600),
};

static int fill_settings(struct sk_buff *skb,
			 const struct resmon_settings *settings)
{
	if (nla_put_u32(skb, RESMON_A_CHASSIS_THROTTLE, settings->throttle) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_LOAD_THROTTLE,
			settings->load_throttle) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_HIGH_THRESHOLD,
			settings->high_threshold) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_LOGGING, settings->logging) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_ON_ERROR, settings->on_error) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_SETTLE, settings->settle) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_RETRY_MIN,
			settings->retry_min) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_RETRY_MAX, settings->retry_max))
		return -EMSGSIZE;
	return 0;
}

static int fill_chassis(struct sk_buff *skb, struct resmon_net *rn,
			const void *obj)
{
	const struct resmon_element *chassis = &rn->chassis;
	const struct resmon_cap *cap = &chassis->caps.cap[RESMON_TYPE_ANY];
	struct resmon_device *device;
	unsigned long index;
	u32 devices = 0;
	u32 max = READ_ONCE(cap->max);
	int err;

	rcu_read_lock();
	err = fill_settings(skb, rcu_dereference(rn->settings));
	xa_for_each(&rn->devices, index, device)
		devices++;
	rcu_read_unlock();
	if (err ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_DRAIN,
			READ_ONCE(chassis->drain)) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_SESSIONS,
			READ_ONCE(cap->sessions)) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_STARTING,
			READ_ONCE(cap->starting)) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_SERVICES,
			READ_ONCE(chassis->caps.services)) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_PEAK,
			READ_ONCE(chassis->caps.mark[RESMON_TYPE_ANY].peak)) ||
	    (max != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_CHASSIS_LIMIT, max)) ||
	    resmon_nl_put_u64(skb, RESMON_A_CHASSIS_DENIED,
			      resmon_stats_denied(chassis),
			      RESMON_A_CHASSIS_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_CHASSIS_ADMITTED,
			      resmon_stats_admitted(chassis),
			      RESMON_A_CHASSIS_PAD) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_DEVICES, devices) ||
	    nla_put_u32(skb, RESMON_A_CHASSIS_PORTS, READ_ONCE(rn->ports)) ||
	    resmon_nl_put_u64(skb, RESMON_A_CHASSIS_EVENTS_LOST,
			      READ_ONCE(rn->events.lost),
			      RESMON_A_CHASSIS_PAD))
		return -EMSGSIZE;
	return 0;
}

static int fill_watermark(struct sk_buff *skb, struct resmon_net *rn,
			  const void *obj)
{
	const struct resmon_settings *settings;
	int err;

	rcu_read_lock();
	settings = rcu_dereference(rn->settings);
	err = nla_put_u32(skb, RESMON_A_WATERMARK_HEAP,
			  settings->low[RESMON_REGION_KIND_HEAP]) ?:
	      nla_put_u32(skb, RESMON_A_WATERMARK_NH,
			  settings->low[RESMON_REGION_KIND_NH]) ?:
	      nla_put_u32(skb, RESMON_A_WATERMARK_FW,
			  settings->low[RESMON_REGION_KIND_FW]) ?:
	      nla_put_u32(skb, RESMON_A_WATERMARK_DEAD_BAND,
			  settings->dead_band);
	rcu_read_unlock();
	return err;
}

static int fill_timeout(struct sk_buff *skb, struct resmon_net *rn,
			const void *obj)
{
	const struct resmon_settings *settings;
	int err;

	rcu_read_lock();
	settings = rcu_dereference(rn->settings);
	err = nla_put_u32(skb, RESMON_A_TIMEOUT_STARTING, settings->starting) ?:
	      nla_put_u32(skb, RESMON_A_TIMEOUT_IDLE, settings->idle) ?:
	      nla_put_u32(skb, RESMON_A_TIMEOUT_TICKET, settings->ticket);
	rcu_read_unlock();
	return err;
}

/**
 * resmon_nl_chassis_changed() - tell the config group of other settings
 * @info: the request that made the change, or NULL
 * @rn: the chassis
 *
 * Context: Process context, may sleep.
 */
void resmon_nl_chassis_changed(struct genl_info *info, struct resmon_net *rn)
{
	resmon_nl_notify(info, rn, RESMON_CMD_CHASSIS_NTF, fill_chassis, NULL);
}

/**
 * resmon_nl_chassis_get() - RESMON_CMD_CHASSIS_GET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_chassis_get(struct sk_buff *skb, struct genl_info *info)
{
	return resmon_nl_reply(info, resmon_net_of(genl_info_net(info)),
			       fill_chassis, NULL);
}

/**
 * resmon_nl_watermark_get() - RESMON_CMD_WATERMARK_GET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_watermark_get(struct sk_buff *skb, struct genl_info *info)
{
	return resmon_nl_reply(info, resmon_net_of(genl_info_net(info)),
			       fill_watermark, NULL);
}

/**
 * resmon_nl_timeout_get() - RESMON_CMD_TIMEOUT_GET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_timeout_get(struct sk_buff *skb, struct genl_info *info)
{
	return resmon_nl_reply(info, resmon_net_of(genl_info_net(info)),
			       fill_timeout, NULL);
}

/* The three sets below change one struct, each its own members. */
typedef int (*change_t)(struct genl_info *info,
			struct resmon_settings *settings);

static int settings_change(struct genl_info *info, change_t change, u8 ntf,
			   resmon_fill_t fill)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_settings settings;
	int err;

	mutex_lock(&rn->config_lock);
	settings = *rcu_dereference_protected(rn->settings,
					      lockdep_is_held(&rn->config_lock));
	err = change(info, &settings);
	if (!err)
		err = resmon_settings_replace(rn, &settings);
	if (!err)
		resmon_nl_notify(info, rn, ntf, fill, NULL);
	mutex_unlock(&rn->config_lock);
	return err;
}

static bool get_u32(struct genl_info *info, int attr, u32 *value)
{
	if (!info->attrs[attr])
		return false;
	*value = nla_get_u32(info->attrs[attr]);
	return true;
}

static int change_chassis(struct genl_info *info,
			  struct resmon_settings *settings)
{
	bool any = false;
	u32 value;

	if (get_u32(info, RESMON_A_CHASSIS_THROTTLE, &value)) {
		settings->throttle = value;
		any = true;
	}
	if (get_u32(info, RESMON_A_CHASSIS_LOAD_THROTTLE, &value)) {
		settings->load_throttle = value;
		any = true;
	}
	if (get_u32(info, RESMON_A_CHASSIS_LOGGING, &value)) {
		settings->logging = value;
		any = true;
	}
	if (get_u32(info, RESMON_A_CHASSIS_ON_ERROR, &value)) {
		settings->on_error = value;
		any = true;
	}
	any |= get_u32(info, RESMON_A_CHASSIS_HIGH_THRESHOLD,
		       &settings->high_threshold);
	any |= get_u32(info, RESMON_A_CHASSIS_SETTLE, &settings->settle);
	any |= get_u32(info, RESMON_A_CHASSIS_RETRY_MIN, &settings->retry_min);
	any |= get_u32(info, RESMON_A_CHASSIS_RETRY_MAX, &settings->retry_max);

	if (!any)
		return resmon_nl_missing(info, RESMON_A_CHASSIS_THROTTLE,
					 "nothing to set");
	if (settings->retry_min > settings->retry_max) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[RESMON_A_CHASSIS_RETRY_MIN] ?:
				    info->attrs[RESMON_A_CHASSIS_RETRY_MAX],
				    "the shortest retry hint is above the longest");
		return -EINVAL;
	}
	return 0;
}

/**
 * resmon_nl_chassis_set() - RESMON_CMD_CHASSIS_SET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_chassis_set(struct sk_buff *skb, struct genl_info *info)
{
	return settings_change(info, change_chassis, RESMON_CMD_CHASSIS_NTF,
			       fill_chassis);
}

static int change_watermark(struct genl_info *info,
			    struct resmon_settings *settings)
{
	const struct resmon_settings *defaults = resmon_settings_defaults();
	bool any = false;

	if (info->attrs[RESMON_A_WATERMARK_RESET]) {
		memcpy(settings->low, defaults->low, sizeof(settings->low));
		settings->dead_band = defaults->dead_band;
		any = true;
	}
	any |= get_u32(info, RESMON_A_WATERMARK_HEAP,
		       &settings->low[RESMON_REGION_KIND_HEAP]);
	any |= get_u32(info, RESMON_A_WATERMARK_NH,
		       &settings->low[RESMON_REGION_KIND_NH]);
	any |= get_u32(info, RESMON_A_WATERMARK_FW,
		       &settings->low[RESMON_REGION_KIND_FW]);
	any |= get_u32(info, RESMON_A_WATERMARK_DEAD_BAND,
		       &settings->dead_band);
	/* R2: one watermark for next hops and encapsulations. */
	settings->low[RESMON_REGION_KIND_ENCAP] = settings->low[RESMON_REGION_KIND_NH];

	if (!any)
		return resmon_nl_missing(info, RESMON_A_WATERMARK_HEAP,
					 "nothing to set");
	return 0;
}

/**
 * resmon_nl_watermark_set() - RESMON_CMD_WATERMARK_SET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_watermark_set(struct sk_buff *skb, struct genl_info *info)
{
	return settings_change(info, change_watermark,
			       RESMON_CMD_WATERMARK_NTF, fill_watermark);
}

static int change_timeout(struct genl_info *info,
			  struct resmon_settings *settings)
{
	bool any = false;

	any |= get_u32(info, RESMON_A_TIMEOUT_STARTING, &settings->starting);
	any |= get_u32(info, RESMON_A_TIMEOUT_IDLE, &settings->idle);
	any |= get_u32(info, RESMON_A_TIMEOUT_TICKET, &settings->ticket);
	if (!any)
		return resmon_nl_missing(info, RESMON_A_TIMEOUT_STARTING,
					 "nothing to set");
	return 0;
}

/**
 * resmon_nl_timeout_set() - RESMON_CMD_TIMEOUT_SET
 * @skb: the request
 * @info: its attributes
 *
 * Sessions that are there keep the deadline they have.
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_timeout_set(struct sk_buff *skb, struct genl_info *info)
{
	return settings_change(info, change_timeout, RESMON_CMD_TIMEOUT_NTF,
			       fill_timeout);
}
