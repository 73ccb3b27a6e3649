// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: limits, and draining.
 */
#include "net.h"
#include "netlink.h"
#include "stats.h"

static struct netlink_range_validation range_limit = {
	.max = RESMON_LIMIT_MAX,
};

const struct nla_policy resmon_nl_limit_policy[RESMON_A_LIMIT_WARN + 1] = {
	[RESMON_A_LIMIT_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_LIMIT_TYPE] = NLA_POLICY_MAX(NLA_U32, RESMON_TYPE_MAX),
	[RESMON_A_LIMIT_MAX_SESSIONS] = NLA_POLICY_FULL_RANGE(NLA_U32,
							      &range_limit),
	[RESMON_A_LIMIT_MAX_STARTING] = NLA_POLICY_FULL_RANGE(NLA_U32,
							      &range_limit),
	[RESMON_A_LIMIT_WARN] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
};

const struct nla_policy resmon_nl_drain_policy[RESMON_A_DRAIN_ON + 1] = {
	[RESMON_A_DRAIN_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_DRAIN_ON] = NLA_POLICY_MAX(NLA_U32, 1),
};

static int fill_limit(struct sk_buff *skb, struct resmon_net *rn,
		      const void *obj)
{
	const struct resmon_nl_row *row = obj;
	const struct resmon_element *elem = row->elem;
	const struct resmon_cap *cap = &elem->caps.cap[row->row];
	const struct resmon_mark *mark = &elem->caps.mark[row->row];
	u32 max_starting = READ_ONCE(cap->max_starting);
	u32 max = READ_ONCE(cap->max);

	if (resmon_nl_put_ident(skb, RESMON_A_LIMIT_TARGET, &elem->id) ||
	    nla_put_u32(skb, RESMON_A_LIMIT_TYPE, row->row) ||
	    (max != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_LIMIT_MAX_SESSIONS, max)) ||
	    (max_starting != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_LIMIT_MAX_STARTING, max_starting)) ||
	    (mark->warn &&
	     nla_put_u32(skb, RESMON_A_LIMIT_WARN, mark->warn)) ||
	    nla_put_u32(skb, RESMON_A_LIMIT_SESSIONS,
			READ_ONCE(cap->sessions)) ||
	    nla_put_u32(skb, RESMON_A_LIMIT_STARTING,
			READ_ONCE(cap->starting)) ||
	    nla_put_u32(skb, RESMON_A_LIMIT_PEAK, READ_ONCE(mark->peak)) ||
	    resmon_nl_put_u64(skb, RESMON_A_LIMIT_PEAK_TIME,
			      READ_ONCE(mark->peak_time),
			      RESMON_A_LIMIT_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_LIMIT_REFUSED,
			      resmon_stats_refused_type(elem, row->row),
			      RESMON_A_LIMIT_PAD) ||
	    nla_put_u32(skb, RESMON_A_LIMIT_OVER,
			resmon_caps_over(&elem->caps, row->row)))
		return -EMSGSIZE;
	return 0;
}

static int fill_drain(struct sk_buff *skb, struct resmon_net *rn,
		      const void *obj)
{
	const struct resmon_element *elem = obj;

	if (resmon_nl_put_ident(skb, RESMON_A_DRAIN_TARGET, &elem->id) ||
	    nla_put_u32(skb, RESMON_A_DRAIN_ON, READ_ONCE(elem->drain)) ||
	    nla_put_u32(skb, RESMON_A_DRAIN_LEFT,
			READ_ONCE(elem->caps.cap[RESMON_TYPE_ANY].sessions)))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_limit_changed() - tell the config group of another limit
 * @info: the request that made the change, or NULL
 * @rn: the chassis
 * @elem: the element
 * @type: enum resmon_type
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_nl_limit_changed(struct genl_info *info, struct resmon_net *rn,
			     struct resmon_element *elem, u32 type)
{
	struct resmon_nl_row row = { .elem = elem, .row = type };

	resmon_nl_notify(info, rn, RESMON_CMD_LIMIT_NTF, fill_limit, &row);
}

/**
 * resmon_nl_drain_changed() - tell the config group that draining began or ended
 * @info: the request that made the change, or NULL
 * @rn: the chassis
 * @elem: the element
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_nl_drain_changed(struct genl_info *info, struct resmon_net *rn,
			     struct resmon_element *elem)
{
	resmon_nl_notify(info, rn, RESMON_CMD_DRAIN_NTF, fill_drain, elem);
}

/**
 * resmon_nl_limit_dump() - RESMON_CMD_LIMIT_GET
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_limit_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return resmon_nl_dump_elements(skb, cb, RESMON_CMD_LIMIT_GET,
				       resmon_dump_attrs(cb)[RESMON_A_LIMIT_TARGET],
				       RESMON_TYPES, fill_limit);
}

static struct resmon_element *limit_element(struct resmon_net *rn,
					    struct genl_info *info)
{
	struct nlattr *target = info->attrs[RESMON_A_LIMIT_TARGET];

	if (!target)
		return ERR_PTR(resmon_nl_missing(info, RESMON_A_LIMIT_TARGET,
						 "the target is missing"));
	if (!info->attrs[RESMON_A_LIMIT_TYPE])
		return ERR_PTR(resmon_nl_missing(info, RESMON_A_LIMIT_TYPE,
						 "the client type is missing"));
	return resmon_nl_element(rn, target, info->extack);
}

static const u32 *get_u32(struct genl_info *info, int attr)
{
	return info->attrs[attr] ? nla_data(info->attrs[attr]) : NULL;
}

/**
 * resmon_nl_limit_set() - RESMON_CMD_LIMIT_SET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_limit_set(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	const u32 *max = get_u32(info, RESMON_A_LIMIT_MAX_SESSIONS);
	const u32 *max_starting = get_u32(info, RESMON_A_LIMIT_MAX_STARTING);
	const u32 *warn = get_u32(info, RESMON_A_LIMIT_WARN);
	struct resmon_element *elem;
	int err = 0;
	u32 type;

	mutex_lock(&rn->config_lock);
	elem = limit_element(rn, info);
	if (IS_ERR(elem)) {
		err = PTR_ERR(elem);
		goto out;
	}
	if (!max && !max_starting && !warn) {
		err = resmon_nl_missing(info, RESMON_A_LIMIT_MAX_SESSIONS,
					"nothing to set");
		goto out;
	}
	type = nla_get_u32(info->attrs[RESMON_A_LIMIT_TYPE]);
	err = resmon_element_limit_set(rn, elem, type, max, max_starting, warn);
	if (err)
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[RESMON_A_LIMIT_WARN],
				    "a warning mark needs a limit");
	else
		resmon_nl_limit_changed(info, rn, elem, type);
out:
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_limit_del() - RESMON_CMD_LIMIT_DEL
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_limit_del(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	const struct resmon_cap *cap;
	struct resmon_element *elem;
	int err = 0;
	u32 type;

	mutex_lock(&rn->config_lock);
	elem = limit_element(rn, info);
	if (IS_ERR(elem)) {
		err = PTR_ERR(elem);
		goto out;
	}
	type = nla_get_u32(info->attrs[RESMON_A_LIMIT_TYPE]);
	cap = &elem->caps.cap[type];
	if (cap->max == RESMON_NO_LIMIT &&
	    cap->max_starting == RESMON_NO_LIMIT) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[RESMON_A_LIMIT_TYPE],
				    "there is no limit on that type");
		err = -ENOENT;
		goto out;
	}
	resmon_element_limit_del(rn, elem, type);
	resmon_nl_limit_changed(info, rn, elem, type);
out:
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_drain_dump() - RESMON_CMD_DRAIN_GET
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end.
 */
int resmon_nl_drain_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_walk *walk = (void *)cb->ctx;
	struct resmon_element *elem;

	rcu_read_lock();
	while ((elem = resmon_walk_at(rn, walk))) {
		if (READ_ONCE(elem->drain) &&
		    resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_DRAIN_GET,
				       fill_drain, elem))
			break;
		resmon_walk_step(walk);
	}
	rcu_read_unlock();
	return skb->len;
}

/**
 * resmon_nl_drain_set() - RESMON_CMD_DRAIN_SET
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_drain_set(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *target = info->attrs[RESMON_A_DRAIN_TARGET];
	struct nlattr *on = info->attrs[RESMON_A_DRAIN_ON];
	struct resmon_element *elem;
	int err = 0;

	if (!target)
		return resmon_nl_missing(info, RESMON_A_DRAIN_TARGET,
					 "the target is missing");
	if (!on)
		return resmon_nl_missing(info, RESMON_A_DRAIN_ON,
					 "on or off is missing");

	mutex_lock(&rn->config_lock);
	elem = resmon_nl_element(rn, target, info->extack);
	if (IS_ERR(elem)) {
		err = PTR_ERR(elem);
	} else {
		resmon_element_drain_set(rn, elem, nla_get_u32(on));
		resmon_nl_drain_changed(info, rn, elem);
	}
	mutex_unlock(&rn->config_lock);
	return err;
}
