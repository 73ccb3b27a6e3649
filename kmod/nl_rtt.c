// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations on round trip time throttles.
 */
#include "device.h"
#include "echo.h"
#include "lag.h"
#include "net.h"
#include "netlink.h"
#include "port.h"
#include "rtt.h"

static const struct netlink_range_validation threshold_range = {
	.min = 1,
	.max = RESMON_THRESHOLD_MAX_US,
};

static const struct netlink_range_validation day_range = {
	.min = 1,
	.max = 86400,
};

const struct nla_policy resmon_nl_rtt_policy[RESMON_A_RTT_EPOCH + 1] = {
	[RESMON_A_RTT_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_RTT_THRESHOLD_US] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &threshold_range),
	[RESMON_A_RTT_COUNT] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RESMON_A_RTT_LAW] = NLA_POLICY_MAX(NLA_U32, RESMON_LAW_MAX),
	[RESMON_A_RTT_STEP] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RESMON_A_RTT_MAX_PCT] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RESMON_A_RTT_SILENT_MAX] = NLA_POLICY_MAX(NLA_U32, 100),
	[RESMON_A_RTT_LIFETIME] = NLA_POLICY_FULL_RANGE(NLA_U32, &day_range),
	[RESMON_A_RTT_RECOVERY] = NLA_POLICY_MAX(NLA_U32, RESMON_RECOVERY_MAX),
	[RESMON_A_RTT_HOLD] = NLA_POLICY_FULL_RANGE(NLA_U32, &day_range),
	[RESMON_A_RTT_BACK] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RESMON_A_RTT_SELECT] = NLA_POLICY_MAX(NLA_U32, RESMON_SELECT_MAX),
	[RESMON_A_RTT_EPOCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &day_range),
};

/* The throttle that an element has of its own, or NULL. */
static struct resmon_rtt *rtt_of(struct resmon_element *elem)
{
	struct resmon_place *place;

	switch (elem->id.kind) {
	case RESMON_ELEMENT_KIND_DEVICE:
		return &resmon_device_of(elem)->rtt;
	case RESMON_ELEMENT_KIND_PORT:
		place = container_of(elem, struct resmon_place, elem);
		return resmon_port_of(place)->rtt;
	case RESMON_ELEMENT_KIND_LAG:
		place = container_of(elem, struct resmon_place, elem);
		return &resmon_lag_of(place)->rtt;
	default:
		return NULL;
	}
}

static struct resmon_rtt *rtt_find(struct resmon_net *rn,
				   struct genl_info *info)
{
	struct nlattr *target = info->attrs[RESMON_A_RTT_TARGET];
	struct resmon_element *elem;
	struct resmon_rtt *rtt;

	lockdep_assert_held(&rn->config_lock);

	if (!target)
		return ERR_PTR(resmon_nl_missing(info, RESMON_A_RTT_TARGET,
				"which throttle? a target is needed"));
	elem = resmon_nl_element(rn, target, info->extack);
	if (IS_ERR(elem))
		return ERR_CAST(elem);
	rtt = rtt_of(elem);
	if (rtt)
		return rtt;

	switch (elem->id.kind) {
	case RESMON_ELEMENT_KIND_PORT:
		NL_SET_ERR_MSG_ATTR(info->extack, target,
				    "this port takes the throttle of its device");
		break;
	case RESMON_ELEMENT_KIND_MIC:
		NL_SET_ERR_MSG_ATTR(info->extack, target,
				    "a mic takes the throttle of its device");
		break;
	default:
		NL_SET_ERR_MSG_ATTR(info->extack, target,
				    "the chassis has no throttle, its devices have");
	}
	return ERR_PTR(-EOPNOTSUPP);
}

/* An absent threshold of a bundle means those of its devices. */
static u32 rtt_threshold(struct resmon_rtt *rtt,
			 const struct resmon_rtt_params *params)
{
	if (rtt->elem->id.kind == RESMON_ELEMENT_KIND_DEVICE)
		return resmon_echo_threshold_us(resmon_device_of(rtt->elem));
	return params->throttle.threshold_us;
}

static int rtt_fill_settings(struct sk_buff *skb, struct resmon_rtt *rtt)
{
	struct resmon_rtt_params params;
	u32 threshold_us;

	rcu_read_lock();
	resmon_rtt_params_get(rtt, &params);
	threshold_us = rtt_threshold(rtt, &params);
	rcu_read_unlock();

	if (resmon_nl_put_ident(skb, RESMON_A_RTT_TARGET, &rtt->elem->id) ||
	    (threshold_us &&
	     nla_put_u32(skb, RESMON_A_RTT_THRESHOLD_US, threshold_us)) ||
	    nla_put_u32(skb, RESMON_A_RTT_COUNT, params.throttle.count) ||
	    nla_put_u32(skb, RESMON_A_RTT_LAW, params.throttle.law) ||
	    nla_put_u32(skb, RESMON_A_RTT_STEP, params.throttle.step) ||
	    nla_put_u32(skb, RESMON_A_RTT_MAX_PCT, params.throttle.max) ||
	    nla_put_u32(skb, RESMON_A_RTT_SILENT_MAX,
			params.throttle.silent_max) ||
	    nla_put_u32(skb, RESMON_A_RTT_LIFETIME, params.lifetime_s) ||
	    nla_put_u32(skb, RESMON_A_RTT_RECOVERY, params.throttle.recovery) ||
	    nla_put_u32(skb, RESMON_A_RTT_HOLD, params.throttle.hold_s) ||
	    nla_put_u32(skb, RESMON_A_RTT_BACK, params.throttle.back) ||
	    nla_put_u32(skb, RESMON_A_RTT_SELECT, params.select) ||
	    nla_put_u32(skb, RESMON_A_RTT_EPOCH, params.epoch_s))
		return -EMSGSIZE;
	return 0;
}

static int rtt_fill(struct sk_buff *skb, struct resmon_net *rn, const void *obj)
{
	struct resmon_rtt *rtt = (struct resmon_rtt *)obj;
	struct resmon_rtt_show show;

	resmon_rtt_read(rtt, &show);
	if (rtt_fill_settings(skb, rtt) ||
	    nla_put_u32(skb, RESMON_A_RTT_THROTTLE, show.throttle) ||
	    nla_put_u32(skb, RESMON_A_RTT_ALLOWED, 100 - show.throttle) ||
	    (show.measuring &&
	     nla_put_u32(skb, RESMON_A_RTT_RTT_US, show.rtt_us)) ||
	    (show.avg_n &&
	     nla_put_u32(skb, RESMON_A_RTT_AVG_US, show.avg_us)) ||
	    nla_put_u32(skb, RESMON_A_RTT_AVG_N, show.avg_n) ||
	    nla_put_u32(skb, RESMON_A_RTT_EXCEEDED, show.exceeded) ||
	    nla_put_u32(skb, RESMON_A_RTT_CONSECUTIVE, show.consecutive) ||
	    resmon_nl_put_u64(skb, RESMON_A_RTT_MEASURED, show.measured,
			      RESMON_A_RTT_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_RTT_OVER, show.over,
			      RESMON_A_RTT_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_RTT_UNANSWERED, show.unanswered,
			      RESMON_A_RTT_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_RTT_RAISED, show.raised,
			      RESMON_A_RTT_PAD))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_rtt_get() - one throttle
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_rtt_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_rtt *rtt;
	int err;

	mutex_lock(&rn->config_lock);
	rtt = rtt_find(rn, info);
	if (IS_ERR(rtt))
		err = PTR_ERR(rtt);
	else
		err = resmon_nl_reply(info, rn, rtt_fill, rtt);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_rtt_dump() - all throttles
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_rtt_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_walk *walk = (void *)cb->ctx;
	struct resmon_element *elem;
	struct resmon_rtt *rtt;
	int err;

	BUILD_BUG_ON(sizeof(*walk) > sizeof(cb->ctx));

	err = resmon_nl_dump_only(cb, 0);
	if (err)
		return err;

	rcu_read_lock();
	while ((elem = resmon_walk_at(rn, walk))) {
		rtt = rtt_of(elem);
		if (rtt && resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_RTT_GET,
					      rtt_fill, rtt))
			break;
		resmon_walk_step(walk);
	}
	rcu_read_unlock();
	return skb->len;
}

static void take_u32(struct nlattr *attr, u32 *value)
{
	if (attr)
		*value = nla_get_u32(attr);
}

static int rtt_check(struct genl_info *info)
{
	struct nlattr *law = info->attrs[RESMON_A_RTT_LAW];

	if (law && nla_get_u32(law) == RESMON_LAW_PI) {
		NL_SET_ERR_MSG_ATTR(info->extack, law,
				    "law pi is not built yet, take step or proportional");
		return -EOPNOTSUPP;
	}
	return 0;
}

static void rtt_take_attrs(struct nlattr **attrs,
			   struct resmon_rtt_params *params)
{
	struct resmon_throttle_params *throttle = &params->throttle;

	take_u32(attrs[RESMON_A_RTT_THRESHOLD_US], &throttle->threshold_us);
	take_u32(attrs[RESMON_A_RTT_COUNT], &throttle->count);
	take_u32(attrs[RESMON_A_RTT_LAW], &throttle->law);
	take_u32(attrs[RESMON_A_RTT_STEP], &throttle->step);
	take_u32(attrs[RESMON_A_RTT_MAX_PCT], &throttle->max);
	take_u32(attrs[RESMON_A_RTT_SILENT_MAX], &throttle->silent_max);
	take_u32(attrs[RESMON_A_RTT_LIFETIME], &params->lifetime_s);
	take_u32(attrs[RESMON_A_RTT_RECOVERY], &throttle->recovery);
	take_u32(attrs[RESMON_A_RTT_HOLD], &throttle->hold_s);
	take_u32(attrs[RESMON_A_RTT_BACK], &throttle->back);
	take_u32(attrs[RESMON_A_RTT_SELECT], &params->select);
	take_u32(attrs[RESMON_A_RTT_EPOCH], &params->epoch_s);
}

static int rtt_replace(struct resmon_net *rn, struct genl_info *info,
		       struct resmon_rtt *rtt,
		       const struct resmon_rtt_params *params, bool release)
{
	int err;

	err = resmon_rtt_params_set(rtt, params);
	if (err)
		return err;
	if (release)
		resmon_rtt_release(rtt);
	/* A shorter threshold may have passed for probes on their way. */
	if (rtt->elem->id.kind == RESMON_ELEMENT_KIND_DEVICE)
		resmon_echo_kick(resmon_device_of(rtt->elem));
	resmon_net_changed(rn);
	resmon_nl_notify(info, rn, RESMON_CMD_RTT_NTF, rtt_fill, rtt);
	return 0;
}

/**
 * resmon_nl_rtt_set() - change what is given of a throttle, the rest stays
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative error number, and then nothing changed.
 */
int resmon_nl_rtt_set(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_rtt_params params;
	struct resmon_rtt *rtt;
	int err;

	err = rtt_check(info);
	if (err)
		return err;

	mutex_lock(&rn->config_lock);
	rtt = rtt_find(rn, info);
	if (IS_ERR(rtt)) {
		err = PTR_ERR(rtt);
	} else {
		resmon_rtt_params_get(rtt, &params);
		rtt_take_attrs(info->attrs, &params);
		err = rtt_replace(rn, info, rtt, &params, false);
	}
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_rtt_reset() - the defaults, and the throttle released
 * @skb: the request
 * @info: the request
 *
 * Return: 0 or a negative error number, and then nothing changed.
 */
int resmon_nl_rtt_reset(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_rtt_params params;
	struct resmon_rtt *rtt;
	int err;

	resmon_rtt_defaults(&params);
	mutex_lock(&rn->config_lock);
	rtt = rtt_find(rn, info);
	if (IS_ERR(rtt))
		err = PTR_ERR(rtt);
	else
		err = rtt_replace(rn, info, rtt, &params, true);
	mutex_unlock(&rn->config_lock);
	return err;
}
