// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: how the login traffic of ports and lags is treated.
 */
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

#include "enforce.h"
#include "net.h"
#include "netlink.h"
#include "place.h"
#include "xdp.h"

#define SILENCE_MIN	10	/* seconds */
#define VLAN_MAX	4094

static const struct netlink_range_validation silence_range = {
	.max = 86400,
};

const struct nla_policy
resmon_nl_enforce_policy[RESMON_A_ENFORCE_VALUE + 1] = {
	[RESMON_A_ENFORCE_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_ENFORCE_PPPOE] = NLA_POLICY_MAX(NLA_U32, RESMON_ACTION_MAX),
	[RESMON_A_ENFORCE_DHCP4] = NLA_POLICY_MAX(NLA_U32, RESMON_ACTION_MAX),
	[RESMON_A_ENFORCE_DHCP6] = NLA_POLICY_MAX(NLA_U32, RESMON_ACTION_MAX),
	[RESMON_A_ENFORCE_L2TP] = NLA_POLICY_MAX(NLA_U32, RESMON_ACTION_MAX),
	[RESMON_A_ENFORCE_MODE] =
		NLA_POLICY_MAX(NLA_U32, RESMON_ENFORCE_MODE_MAX),
	[RESMON_A_ENFORCE_KEY] = NLA_POLICY_MAX(NLA_U32, RESMON_IDENTITY_MAX),
	[RESMON_A_ENFORCE_DUAL_STACK] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[RESMON_A_ENFORCE_SILENCE] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &silence_range),
	[RESMON_A_ENFORCE_PRIORITY] =
		NLA_POLICY_MAX(NLA_U32, RESMON_PRIORITY_MAX),
	[RESMON_A_ENFORCE_VALUE] =
		NLA_POLICY_RANGE(NLA_BINARY, 0, RESMON_KEY_LEN),
};

/* The action on a protocol is the attribute of its name. */
static int action_attr(u32 login)
{
	static const u8 attr[] = {
		[RESMON_LOGIN_PPPOE] = RESMON_A_ENFORCE_PPPOE,
		[RESMON_LOGIN_DHCP4] = RESMON_A_ENFORCE_DHCP4,
		[RESMON_LOGIN_DHCP6] = RESMON_A_ENFORCE_DHCP6,
		[RESMON_LOGIN_L2TP] = RESMON_A_ENFORCE_L2TP,
	};

	BUILD_BUG_ON(ARRAY_SIZE(attr) != RESMON_LOGIN_MAX + 1);
	return attr[login];
}

static int seen_attr(unsigned int what)
{
	static const u8 attr[] = {
		[RESMON_SEEN_MALFORMED] = RESMON_A_ENFORCE_MALFORMED,
		[RESMON_SEEN_DROPPED] = RESMON_A_ENFORCE_DROPPED,
		[RESMON_SEEN_REJECTED] = RESMON_A_ENFORCE_REJECTED,
		[RESMON_SEEN_OBSERVED] = RESMON_A_ENFORCE_OBSERVED,
		[RESMON_SEEN_UNENFORCED] = RESMON_A_ENFORCE_UNENFORCED,
		[RESMON_SEEN_ROGUE] = RESMON_A_ENFORCE_ROGUE,
		[RESMON_SEEN_FORGED] = RESMON_A_ENFORCE_FORGED,
		[RESMON_SEEN_FOREIGN] = RESMON_A_ENFORCE_FOREIGN,
		[RESMON_SEEN_ADOPTED] = RESMON_A_ENFORCE_ADOPTED,
		[RESMON_SEEN_GHOST] = RESMON_A_ENFORCE_GHOST,
		[RESMON_SEEN_EVICTED] = RESMON_A_ENFORCE_EVICTED,
		[RESMON_SEEN_FULL] = RESMON_A_ENFORCE_FULL,
	};

	BUILD_BUG_ON(ARRAY_SIZE(attr) != RESMON_SEEN);
	return attr[what];
}

/* Places are ports and lags; nothing else sees frames. */
static struct resmon_place *place_of(struct resmon_element *elem)
{
	if (elem->id.kind != RESMON_ELEMENT_KIND_PORT &&
	    elem->id.kind != RESMON_ELEMENT_KIND_LAG)
		return NULL;
	return container_of(elem, struct resmon_place, elem);
}

static struct resmon_place *enforce_find(struct resmon_net *rn,
					 struct genl_info *info)
{
	struct nlattr *target = info->attrs[RESMON_A_ENFORCE_TARGET];
	struct resmon_element *elem;
	struct resmon_place *place;

	lockdep_assert_held(&rn->config_lock);

	if (!target)
		return ERR_PTR(resmon_nl_missing(info, RESMON_A_ENFORCE_TARGET,
				"which port or lag? a target is needed"));
	elem = resmon_nl_element(rn, target, info->extack);
	if (IS_ERR(elem))
		return ERR_CAST(elem);
	place = place_of(elem);
	if (place)
		return place;
	NL_SET_ERR_MSG_ATTR(info->extack, target,
			    "login traffic is seen on ports and lags alone");
	return ERR_PTR(-EOPNOTSUPP);
}

static int fill_settings(struct sk_buff *skb, const struct resmon_place *place)
{
	struct resmon_enforce enforce;
	u32 login;

	resmon_enforce_get(place, &enforce);
	for (login = 0; login <= RESMON_LOGIN_MAX; login++)
		if (nla_put_u32(skb, action_attr(login), enforce.action[login]))
			return -EMSGSIZE;
	if (nla_put_u32(skb, RESMON_A_ENFORCE_MODE, enforce.mode) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_KEY, enforce.key) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_DUAL_STACK,
			enforce.dual_stack) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_SILENCE, enforce.silence) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_PRIORITY, enforce.priority) ||
	    (enforce.value_len &&
	     nla_put(skb, RESMON_A_ENFORCE_VALUE, enforce.value_len,
		     enforce.value)))
		return -EMSGSIZE;
	return 0;
}

static int enforce_fill(struct sk_buff *skb, struct resmon_net *rn,
			const void *obj)
{
	struct resmon_place *place = (struct resmon_place *)obj;
	struct resmon_enforce_show show;
	unsigned int i;

	resmon_enforce_show(place, &show);
	if (resmon_nl_put_ident(skb, RESMON_A_ENFORCE_TARGET,
				&place->elem.id) ||
	    fill_settings(skb, place))
		return -EMSGSIZE;
	for (i = 0; i < RESMON_SEEN; i++)
		if (resmon_nl_put_u64(skb, seen_attr(i), show.n[i],
				      RESMON_A_ENFORCE_PAD))
			return -EMSGSIZE;
	if (nla_put_u32(skb, RESMON_A_ENFORCE_ATTACHED, show.attached) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_FLIGHTS, show.flights) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_FLIGHT_MAX, show.flight_max) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_SUSPECTS, show.suspects) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_OFFER_MS, show.offer_ms) ||
	    nla_put_u32(skb, RESMON_A_ENFORCE_SETUP_MS, show.setup_ms))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_enforce_get() - RESMON_CMD_ENFORCE_GET for one port or lag
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_enforce_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_place *place;
	int err;

	mutex_lock(&rn->config_lock);
	place = enforce_find(rn, info);
	err = IS_ERR(place) ? PTR_ERR(place) :
	      resmon_nl_reply(info, rn, enforce_fill, place);
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * resmon_nl_enforce_dump() - RESMON_CMD_ENFORCE_GET for all that were ever set
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_enforce_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_place *place;
	unsigned long index;
	int err;

	err = resmon_nl_dump_only(cb, 0);
	if (err)
		return err;

	rcu_read_lock();
	xa_for_each_start(&rn->places, index, place, cb->args[0]) {
		if (rcu_access_pointer(place->hook) &&
		    resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_ENFORCE_GET,
				       enforce_fill, place))
			break;
		cb->args[0] = index + 1;
	}
	rcu_read_unlock();
	return skb->len;
}

static bool anything_to_set(struct nlattr **attrs)
{
	int attr;

	for (attr = RESMON_A_ENFORCE_PPPOE; attr <= RESMON_A_ENFORCE_VALUE;
	     attr++)
		if (attrs[attr])
			return true;
	return false;
}

static bool vlan_ok(const struct nlattr *value)
{
	const u8 *byte = nla_data(value);
	int i;

	if (nla_len(value) != 2 && nla_len(value) != 4)
		return false;
	for (i = 0; i < nla_len(value); i += 2) {
		u16 id = byte[i] << 8 | byte[i + 1];

		if (!id || id > VLAN_MAX)
			return false;
	}
	return true;
}

/* What the frames of a priority carry must be there and fit its kind. */
static int check_value(struct genl_info *info)
{
	struct nlattr *priority = info->attrs[RESMON_A_ENFORCE_PRIORITY];
	struct nlattr *value = info->attrs[RESMON_A_ENFORCE_VALUE];
	u32 kind = priority ? nla_get_u32(priority) : RESMON_PRIORITY_NONE;

	if (value && !priority) {
		NL_SET_ERR_MSG_ATTR(info->extack, value,
				    "a value goes with its priority");
		return -EINVAL;
	}
	if (value && kind == RESMON_PRIORITY_NONE) {
		NL_SET_ERR_MSG_ATTR(info->extack, value,
				    "priority none has no value");
		return -EINVAL;
	}
	if (kind == RESMON_PRIORITY_NONE)
		return 0;
	if (!value)
		return resmon_nl_missing(info, RESMON_A_ENFORCE_VALUE,
					 "the value of the priority is missing");
	if (kind == RESMON_PRIORITY_VLAN && !vlan_ok(value)) {
		NL_SET_ERR_MSG_ATTR(info->extack, value,
				    "a VLAN is one or two ids of 2 bytes, each from 1 to 4094");
		return -EINVAL;
	}
	if (kind == RESMON_PRIORITY_MAC &&
	    (nla_len(value) != ETH_ALEN ||
	     !is_valid_ether_addr(nla_data(value)))) {
		NL_SET_ERR_MSG_ATTR(info->extack, value,
				    "that is no MAC address of a subscriber");
		return -EINVAL;
	}
	if (!nla_len(value)) {
		NL_SET_ERR_MSG_ATTR(info->extack, value, "the value is empty");
		return -EINVAL;
	}
	return 0;
}

static int enforce_check(struct genl_info *info)
{
	struct nlattr *silence = info->attrs[RESMON_A_ENFORCE_SILENCE];
	struct nlattr *l2tp = info->attrs[RESMON_A_ENFORCE_L2TP];

	if (!anything_to_set(info->attrs))
		return resmon_nl_missing(info, RESMON_A_ENFORCE_PPPOE,
					 "nothing to set");
	if (l2tp && nla_get_u32(l2tp) == RESMON_ACTION_REJECT) {
		NL_SET_ERR_MSG_ATTR(info->extack, l2tp,
				    "L2TP has no answer that refuses, take drop");
		return -EOPNOTSUPP;
	}
	if (silence && nla_get_u32(silence) &&
	    nla_get_u32(silence) < SILENCE_MIN) {
		NL_SET_ERR_MSG_ATTR(info->extack, silence,
				    "silence is 0 for never or at least 10 seconds");
		return -ERANGE;
	}
	return check_value(info);
}

static void take_u8(struct nlattr *attr, u8 *value)
{
	if (attr)
		*value = nla_get_u32(attr);
}

static void take_attrs(struct nlattr **attrs, struct resmon_enforce *enforce)
{
	struct nlattr *value = attrs[RESMON_A_ENFORCE_VALUE];
	u32 login;

	for (login = 0; login <= RESMON_LOGIN_MAX; login++)
		take_u8(attrs[action_attr(login)], &enforce->action[login]);
	take_u8(attrs[RESMON_A_ENFORCE_MODE], &enforce->mode);
	take_u8(attrs[RESMON_A_ENFORCE_KEY], &enforce->key);
	take_u8(attrs[RESMON_A_ENFORCE_DUAL_STACK], &enforce->dual_stack);
	if (attrs[RESMON_A_ENFORCE_SILENCE])
		enforce->silence = nla_get_u32(attrs[RESMON_A_ENFORCE_SILENCE]);
	if (!attrs[RESMON_A_ENFORCE_PRIORITY])
		return;
	take_u8(attrs[RESMON_A_ENFORCE_PRIORITY], &enforce->priority);
	memset(enforce->value, 0, sizeof(enforce->value));
	enforce->value_len = value ? nla_len(value) : 0;
	if (value)
		memcpy(enforce->value, nla_data(value), nla_len(value));
}

static int enforce_set(struct resmon_net *rn, struct genl_info *info)
{
	struct nlattr *mode = info->attrs[RESMON_A_ENFORCE_MODE];
	struct resmon_enforce enforce;
	struct resmon_place *place;
	int err;

	place = enforce_find(rn, info);
	if (IS_ERR(place))
		return PTR_ERR(place);
	err = enforce_check(info);
	if (err)
		return err;
	if (mode && nla_get_u32(mode) == RESMON_ENFORCE_MODE_XDP) {
		err = resmon_xdp_check(place, info->extack);
		if (err) {
			NL_SET_BAD_ATTR(info->extack, mode);
			return err;
		}
	}
	resmon_enforce_get(place, &enforce);
	take_attrs(info->attrs, &enforce);
	err = resmon_enforce_set(rn, place, &enforce, info->extack);
	if (err)
		return err;
	resmon_nl_notify(info, rn, RESMON_CMD_ENFORCE_NTF, enforce_fill, place);
	return 0;
}

/**
 * resmon_nl_enforce_set() - RESMON_CMD_ENFORCE_SET, what is absent stays
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number, and then nothing changed.
 */
int resmon_nl_enforce_set(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	int err;

	/* Hooks come and go with net devices. */
	rtnl_lock();
	mutex_lock(&rn->config_lock);
	err = enforce_set(rn, info);
	mutex_unlock(&rn->config_lock);
	rtnl_unlock();
	return err;
}
