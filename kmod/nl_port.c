// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: ports and lags.
 */
#include <linux/rtnetlink.h>

#include "lag.h"
#include "net.h"
#include "netlink.h"
#include "port.h"
#include "stats.h"

const struct nla_policy resmon_nl_port_policy[RESMON_A_PORT_ANCHOR + 1] = {
	[RESMON_A_PORT_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32,
						       &resmon_range_ifindex),
	[RESMON_A_PORT_IFNAME] = { .type = NLA_NUL_STRING,
				   .len = IFNAMSIZ - 1 },
	[RESMON_A_PORT_DEVICE] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_PORT_MIC] = NLA_POLICY_MAX(NLA_U32, RESMON_MIC_MAX),
	[RESMON_A_PORT_ANCHOR] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
};

const struct nla_policy resmon_nl_lag_policy[RESMON_A_LAG_IFNAME + 1] = {
	[RESMON_A_LAG_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32,
						       &resmon_range_ifindex),
	[RESMON_A_LAG_IFNAME] = { .type = NLA_NUL_STRING,
				  .len = IFNAMSIZ - 1 },
};

static int fill_where(struct sk_buff *skb, const struct resmon_port *port)
{
	u32 index;

	if (port->device &&
	    nla_put_u32(skb, RESMON_A_PORT_DEVICE, port->device->elem.id.device))
		return -EMSGSIZE;
	if (port->mic &&
	    nla_put_u32(skb, RESMON_A_PORT_MIC, port->mic->elem.id.mic))
		return -EMSGSIZE;
	for_each_set_bit(index, port->anchor, RESMON_DEVICE_MAX + 1)
		if (nla_put_u32(skb, RESMON_A_PORT_ANCHOR, index))
			return -EMSGSIZE;
	return 0;
}

static int fill_port_lag(struct sk_buff *skb, const struct resmon_port *port)
{
	const struct resmon_lag *lag;
	int err = 0;

	rcu_read_lock();
	lag = rcu_dereference(port->lag);
	if (lag &&
	    (nla_put_u32(skb, RESMON_A_PORT_LAG_IFINDEX,
			 lag->place.elem.id.ifindex) ||
	     nla_put_string(skb, RESMON_A_PORT_LAG_IFNAME,
			    lag->place.elem.id.ifname) ||
	     nla_put_u32(skb, RESMON_A_PORT_LEG_ACTIVE,
			 READ_ONCE(port->active))))
		err = -EMSGSIZE;
	rcu_read_unlock();
	return err;
}

static int fill_port(struct sk_buff *skb, struct resmon_net *rn,
		     const void *obj)
{
	const struct resmon_port *port = obj;
	const struct resmon_element *elem = &port->place.elem;
	const struct resmon_cap *cap = &elem->caps.cap[RESMON_TYPE_ANY];
	u32 max = READ_ONCE(cap->max);

	if (nla_put_u32(skb, RESMON_A_PORT_IFINDEX, elem->id.ifindex) ||
	    nla_put_string(skb, RESMON_A_PORT_IFNAME, elem->id.ifname) ||
	    fill_where(skb, port) || fill_port_lag(skb, port) ||
	    nla_put_u32(skb, RESMON_A_PORT_DRAIN, READ_ONCE(elem->drain)) ||
	    nla_put_u32(skb, RESMON_A_PORT_SESSIONS,
			READ_ONCE(cap->sessions)) ||
	    nla_put_u32(skb, RESMON_A_PORT_STARTING,
			READ_ONCE(cap->starting)) ||
	    nla_put_u32(skb, RESMON_A_PORT_PEAK,
			READ_ONCE(elem->caps.mark[RESMON_TYPE_ANY].peak)) ||
	    (max != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_PORT_LIMIT, max)) ||
	    nla_put_u32(skb, RESMON_A_PORT_OWN,
			READ_ONCE(port->place.own.sessions[RESMON_TYPE_ANY])) ||
	    resmon_nl_put_u64(skb, RESMON_A_PORT_DENIED,
			      resmon_stats_denied(elem), RESMON_A_PORT_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_PORT_REFUSED,
			      resmon_stats_refused(elem), RESMON_A_PORT_PAD))
		return -EMSGSIZE;
	return 0;
}

/* The legs of a lag are the ports on its path. */
static int fill_legs(struct sk_buff *skb, const struct resmon_lag *lag)
{
	const struct resmon_path *path;
	struct nlattr *nest;
	unsigned int i;

	path = rcu_dereference(lag->place.path);
	for (i = 0; path && i < path->n; i++) {
		const struct resmon_ident *id = &path->level[i].elem->id;

		if (id->kind != RESMON_ELEMENT_KIND_PORT)
			continue;
		nest = nla_nest_start(skb, RESMON_A_LAG_LEG);
		if (!nest ||
		    nla_put_u32(skb, RESMON_A_LEG_IFINDEX, id->ifindex) ||
		    nla_put_string(skb, RESMON_A_LEG_IFNAME, id->ifname) ||
		    nla_put_u32(skb, RESMON_A_LEG_ACTIVE, path->level[i].ask))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int fill_lag(struct sk_buff *skb, struct resmon_net *rn, const void *obj)
{
	const struct resmon_lag *lag = obj;
	const struct resmon_element *elem = &lag->place.elem;
	const struct resmon_cap *cap = &elem->caps.cap[RESMON_TYPE_ANY];
	u32 max = READ_ONCE(cap->max);
	int err;

	if (nla_put_u32(skb, RESMON_A_LAG_IFINDEX, elem->id.ifindex) ||
	    nla_put_string(skb, RESMON_A_LAG_IFNAME, elem->id.ifname))
		return -EMSGSIZE;
	rcu_read_lock();
	err = fill_legs(skb, lag);
	rcu_read_unlock();
	if (err ||
	    nla_put_u32(skb, RESMON_A_LAG_DRAIN, READ_ONCE(elem->drain)) ||
	    nla_put_u32(skb, RESMON_A_LAG_SESSIONS,
			READ_ONCE(cap->sessions)) ||
	    nla_put_u32(skb, RESMON_A_LAG_STARTING,
			READ_ONCE(cap->starting)) ||
	    nla_put_u32(skb, RESMON_A_LAG_PEAK,
			READ_ONCE(elem->caps.mark[RESMON_TYPE_ANY].peak)) ||
	    (max != RESMON_NO_LIMIT &&
	     nla_put_u32(skb, RESMON_A_LAG_LIMIT, max)) ||
	    resmon_nl_put_u64(skb, RESMON_A_LAG_DENIED,
			      resmon_stats_denied(elem), RESMON_A_LAG_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_LAG_REFUSED,
			      resmon_stats_refused(elem), RESMON_A_LAG_PAD))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_port_changed() - tell the config group of a change of a port
 * @rn: the chassis
 * @cmd: the notification
 * @elem: the port
 *
 * Context: Process context, may sleep.
 */
void resmon_nl_port_changed(struct resmon_net *rn, u8 cmd,
			    const struct resmon_element *elem)
{
	resmon_nl_notify(NULL, rn, cmd, fill_port,
			 container_of(elem, struct resmon_port, place.elem));
}

/**
 * resmon_nl_lag_changed() - tell the config group of a change of a lag
 * @rn: the chassis
 * @cmd: the notification
 * @elem: the lag
 *
 * Context: Process context, may sleep.
 */
void resmon_nl_lag_changed(struct resmon_net *rn, u8 cmd,
			   const struct resmon_element *elem)
{
	resmon_nl_notify(NULL, rn, cmd, fill_lag,
			 container_of(elem, struct resmon_lag, place.elem));
}

/* Under RTNL, so that the net device stays. */
static struct net_device *find_netdev(struct genl_info *info, int attr_ifindex,
				      int attr_ifname)
{
	struct nlattr *ifindex = info->attrs[attr_ifindex];
	struct nlattr *ifname = info->attrs[attr_ifname];
	struct net *net = genl_info_net(info);
	struct net_device *dev = NULL;

	if (!ifindex && !ifname)
		return ERR_PTR(resmon_nl_missing(info, attr_ifname,
						 "the net device is missing"));
	if (ifindex)
		dev = __dev_get_by_index(net, nla_get_u32(ifindex));
	if (ifname && (!ifindex || dev)) {
		struct net_device *named =
			__dev_get_by_name(net, nla_data(ifname));

		if (dev && named != dev) {
			NL_SET_ERR_MSG_ATTR(info->extack, ifname,
					    "ifindex and ifname are of different net devices");
			return ERR_PTR(-EINVAL);
		}
		dev = named;
	}
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(info->extack, ifname ?: ifindex,
				    "no such net device");
		return ERR_PTR(-ENODEV);
	}
	return dev;
}

static struct resmon_place *find_place(struct resmon_net *rn,
				       struct genl_info *info, u32 kind)
{
	bool port = kind == RESMON_ELEMENT_KIND_PORT;
	int ifindex = port ? (int)RESMON_A_PORT_IFINDEX : RESMON_A_LAG_IFINDEX;
	int ifname = port ? (int)RESMON_A_PORT_IFNAME : RESMON_A_LAG_IFNAME;
	struct resmon_place *place;
	struct net_device *dev;

	dev = find_netdev(info, ifindex, ifname);
	if (IS_ERR(dev))
		return ERR_CAST(dev);
	place = resmon_place_find(rn, dev->ifindex);
	if (place && place->elem.id.kind == kind)
		return place;
	if (port)
		NL_SET_ERR_MSG(info->extack, "the net device is not a port");
	else
		NL_SET_ERR_MSG(info->extack,
			       "the net device is no lag with a port as its leg");
	NL_SET_BAD_ATTR(info->extack, info->attrs[ifname] ?:
				      info->attrs[ifindex]);
	return ERR_PTR(-ENOENT);
}

/**
 * resmon_nl_port_get() - RESMON_CMD_PORT_GET for one port
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_port_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_place *place;
	int err;

	rtnl_lock();
	place = find_place(rn, info, RESMON_ELEMENT_KIND_PORT);
	err = IS_ERR(place) ? PTR_ERR(place) :
	      resmon_nl_reply(info, rn, fill_port, resmon_port_of(place));
	rtnl_unlock();
	return err;
}

/**
 * resmon_nl_lag_get() - RESMON_CMD_LAG_GET for one lag
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_lag_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_place *place;
	int err;

	rtnl_lock();
	mutex_lock(&rn->config_lock);
	place = find_place(rn, info, RESMON_ELEMENT_KIND_LAG);
	err = IS_ERR(place) ? PTR_ERR(place) :
	      resmon_nl_reply(info, rn, fill_lag, resmon_lag_of(place));
	mutex_unlock(&rn->config_lock);
	rtnl_unlock();
	return err;
}

/* A place is the first member of a port and of a lag. */
static int dump_places(struct sk_buff *skb, struct netlink_callback *cb,
		       u32 kind, u8 cmd, resmon_fill_t fill)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_place *place;
	unsigned long index;
	int err;

	BUILD_BUG_ON(offsetof(struct resmon_port, place) ||
		     offsetof(struct resmon_lag, place));

	err = resmon_nl_dump_only(cb, 0);
	if (err)
		return err;

	rcu_read_lock();
	xa_for_each_start(&rn->places, index, place, cb->args[0]) {
		if (place->elem.id.kind == kind &&
		    resmon_nl_dump_one(skb, cb, rn, cmd, fill, place))
			break;
		cb->args[0] = index + 1;
	}
	rcu_read_unlock();
	return skb->len;
}

/**
 * resmon_nl_port_dump() - RESMON_CMD_PORT_GET for all ports
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_places(skb, cb, RESMON_ELEMENT_KIND_PORT, RESMON_CMD_PORT_GET,
			   fill_port);
}

/**
 * resmon_nl_lag_dump() - RESMON_CMD_LAG_GET for all lags
 * @skb: the dump
 * @cb: its state
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_lag_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_places(skb, cb, RESMON_ELEMENT_KIND_LAG, RESMON_CMD_LAG_GET,
			   fill_lag);
}

/* The devices of an anchored port; the attribute comes once for each. */
static int parse_anchor(struct resmon_net *rn, struct genl_info *info,
			unsigned long *anchor)
{
	const struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		u32 index;

		if (nla_type(attr) != RESMON_A_PORT_ANCHOR)
			continue;
		index = nla_get_u32(attr);
		if (!resmon_device_find(rn, index)) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "no such device");
			return -ENOENT;
		}
		if (__test_and_set_bit(index, anchor)) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "the anchor names the device twice");
			return -EINVAL;
		}
	}
	return 0;
}

static int port_new(struct resmon_net *rn, struct genl_info *info)
{
	DECLARE_BITMAP(anchor, RESMON_DEVICE_MAX + 1) = {};
	struct nlattr *slot = info->attrs[RESMON_A_PORT_DEVICE];
	struct nlattr *number = info->attrs[RESMON_A_PORT_MIC];
	bool anchored = info->attrs[RESMON_A_PORT_ANCHOR];
	struct resmon_device *device = NULL;
	struct resmon_mic *mic = NULL;
	struct resmon_port *port;
	struct net_device *dev;
	int err;

	dev = find_netdev(info, RESMON_A_PORT_IFINDEX, RESMON_A_PORT_IFNAME);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	if (!!slot == anchored) {
		if (!slot)
			return resmon_nl_missing(info, RESMON_A_PORT_DEVICE,
						 "a port needs a device or an anchor");
		NL_SET_ERR_MSG_ATTR(info->extack, slot,
				    "a port has either a device or an anchor");
		return -EINVAL;
	}
	if (number && !slot) {
		NL_SET_ERR_MSG_ATTR(info->extack, number,
				    "an anchored port has no mic");
		return -EINVAL;
	}
	if (slot) {
		device = resmon_device_find(rn, nla_get_u32(slot));
		if (!device) {
			NL_SET_ERR_MSG_ATTR(info->extack, slot,
					    "no such device");
			return -ENOENT;
		}
	}
	if (number) {
		mic = resmon_mic_find(device, nla_get_u32(number));
		if (!mic) {
			NL_SET_ERR_MSG_ATTR(info->extack, number,
					    "no such mic");
			return -ENOENT;
		}
	}
	err = parse_anchor(rn, info, anchor);
	if (err)
		return err;
	port = resmon_port_new(rn, dev, device, mic, anchored ? anchor : NULL,
			       info->extack);
	if (IS_ERR(port)) {
		NL_SET_BAD_ATTR(info->extack,
				info->attrs[RESMON_A_PORT_IFNAME] ?:
				info->attrs[RESMON_A_PORT_IFINDEX]);
		return PTR_ERR(port);
	}
	resmon_nl_notify(info, rn, RESMON_CMD_PORT_NTF, fill_port, port);
	return 0;
}

/**
 * resmon_nl_port_new() - RESMON_CMD_PORT_NEW
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_port_new(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	int err;

	rtnl_lock();
	mutex_lock(&rn->config_lock);
	err = port_new(rn, info);
	mutex_unlock(&rn->config_lock);
	rtnl_unlock();
	return err;
}

/**
 * resmon_nl_port_del() - RESMON_CMD_PORT_DEL
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_port_del(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct resmon_place *place;
	int err = 0;

	rtnl_lock();
	mutex_lock(&rn->config_lock);
	place = find_place(rn, info, RESMON_ELEMENT_KIND_PORT);
	if (IS_ERR(place)) {
		err = PTR_ERR(place);
	} else {
		resmon_nl_notify(info, rn, RESMON_CMD_PORT_DEL_NTF, fill_port,
				 resmon_port_of(place));
		resmon_port_del(rn, resmon_port_of(place));
	}
	mutex_unlock(&rn->config_lock);
	rtnl_unlock();
	return err;
}
