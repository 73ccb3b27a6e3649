// SPDX-License-Identifier: GPL-2.0-only
/*
 * The netlink family: its operations, and what all objects share.
 */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/rwsem.h>
#include <net/sock.h>

#include "echo.h"
#include "net.h"
#include "netlink.h"
#include "place.h"
#include "session.h"

struct netlink_range_validation resmon_range_ifindex = {
	.min = 1,
	.max = INT_MAX,
};

struct netlink_range_validation resmon_range_seconds = {
	.min = 1,
	.max = RESMON_SECONDS_MAX,
};

const struct nla_policy resmon_target_policy[RESMON_A_TARGET_MAX + 1] = {
	[RESMON_A_TARGET_KIND] = NLA_POLICY_MAX(NLA_U32, RESMON_ELEMENT_KIND_MAX),
	[RESMON_A_TARGET_DEVICE] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_TARGET_MIC] = NLA_POLICY_MAX(NLA_U32, RESMON_MIC_MAX),
	[RESMON_A_TARGET_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32,
							&resmon_range_ifindex),
	[RESMON_A_TARGET_IFNAME] = { .type = NLA_NUL_STRING,
				     .len = IFNAMSIZ - 1 },
};

/* Of commands that take nothing: a policy of no length would not be looked at. */
const struct nla_policy resmon_nl_none_policy[2] = {
	[1] = { .type = NLA_REJECT },
};

static const struct genl_multicast_group groups[] = {
	[RESMON_MCGRP_NR_CONFIG] = { .name = RESMON_MCGRP_CONFIG },
	[RESMON_MCGRP_NR_EVENTS] = { .name = RESMON_MCGRP_EVENTS },
};

struct genl_family resmon_genl_family = {
	.name = RESMON_FAMILY_NAME,
	.version = RESMON_FAMILY_VERSION,
	.module = THIS_MODULE,
	.netnsok = true,
	.parallel_ops = true,
	.ops = resmon_nl_ops,
	.n_ops = RESMON_NL_OPS,
	.resv_start_op = 0,
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};

/**
 * resmon_nl_missing() - the error for an attribute that is not there
 * @info: the request
 * @attr: the attribute
 * @text: a sentence that stays, because only its address is kept
 *
 * Return: -EINVAL.
 */
int resmon_nl_missing(struct genl_info *info, u32 attr, const char *text)
{
	info->extack->_msg = text;
	NL_SET_ERR_ATTR_MISS(info->extack, NULL, attr);
	return -EINVAL;
}

/**
 * resmon_nl_only() - refuse what an operation has no use for
 * @attrs: the attributes of the request
 * @max: the highest one
 * @allowed: those that it takes, each as its bit
 * @extack: set on error
 *
 * An operation that is both a request for one object and one for many has one
 * policy for both uses of it.
 *
 * Return: 0 or -EINVAL.
 */
int resmon_nl_only(struct nlattr **attrs, int max, u32 allowed,
		   struct netlink_ext_ack *extack)
{
	int attr;

	for (attr = 1; attr <= max; attr++) {
		if (attrs[attr] && !(allowed & BIT(attr))) {
			NL_SET_ERR_MSG_ATTR(extack, attrs[attr],
					    "the command takes no such attribute");
			return -EINVAL;
		}
	}
	return 0;
}

/**
 * resmon_nl_put_u64() - put a 64 bit number, aligned as user space needs it
 * @skb: the message
 * @attr: the attribute
 * @value: the number
 * @pad: the padding attribute of the attribute set
 *
 * Return: 0 or -EMSGSIZE.
 */
int resmon_nl_put_u64(struct sk_buff *skb, int attr, u64 value, int pad)
{
	return nla_put_u64_64bit(skb, attr, value, pad);
}

static int ident_netdev(struct net *net, struct nlattr **tb,
			struct resmon_ident *id, struct netlink_ext_ack *extack)
{
	struct nlattr *ifname = tb[RESMON_A_TARGET_IFNAME];
	struct nlattr *ifindex = tb[RESMON_A_TARGET_IFINDEX];
	struct net_device *dev;

	if (!ifindex && !ifname) {
		NL_SET_ERR_MSG(extack, "a port or lag needs ifindex or ifname");
		return -EINVAL;
	}
	if (ifindex)
		id->ifindex = nla_get_u32(ifindex);
	if (!ifname)
		return 0;
	strscpy(id->ifname, nla_data(ifname), sizeof(id->ifname));
	dev = dev_get_by_name_rcu(net, id->ifname);
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(extack, ifname, "no such net device");
		return -ENODEV;
	}
	if (ifindex && id->ifindex != dev->ifindex) {
		NL_SET_ERR_MSG_ATTR(extack, ifname,
				    "ifindex and ifname are of different net devices");
		return -EINVAL;
	}
	id->ifindex = dev->ifindex;
	return 0;
}

static int ident_number(struct nlattr **tb, struct resmon_ident *id,
			struct netlink_ext_ack *extack)
{
	bool device = id->kind == RESMON_ELEMENT_KIND_DEVICE;
	bool mic = id->kind == RESMON_ELEMENT_KIND_MIC;

	if (!!tb[RESMON_A_TARGET_DEVICE] != (device || mic)) {
		if (device || mic)
			NL_SET_ERR_MSG(extack,
				       "a device or mic needs a slot number");
		else
			NL_SET_ERR_MSG(extack,
				       "only a device or mic has a slot number");
		return -EINVAL;
	}
	if (!!tb[RESMON_A_TARGET_MIC] != mic) {
		if (mic)
			NL_SET_ERR_MSG(extack, "a mic needs a number");
		else
			NL_SET_ERR_MSG(extack, "only a mic has a mic number");
		return -EINVAL;
	}
	if (device || mic)
		id->device = nla_get_u32(tb[RESMON_A_TARGET_DEVICE]);
	if (mic)
		id->mic = nla_get_u32(tb[RESMON_A_TARGET_MIC]);
	return 0;
}

/**
 * resmon_nl_ident() - the name of an element in a request
 * @net: the namespace
 * @nest: the target
 * @id: filled in; of a port or lag with the ifindex
 * @extack: set on error
 *
 * Context: RCU read section.
 * Return: 0 or a negative error number.
 */
int resmon_nl_ident(struct net *net, const struct nlattr *nest,
		    struct resmon_ident *id, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RESMON_A_TARGET_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RESMON_A_TARGET_MAX, nest,
			       resmon_target_policy, extack);
	if (err)
		return err;
	if (!tb[RESMON_A_TARGET_KIND]) {
		NL_SET_ERR_MSG_ATTR(extack, nest, "a target needs its kind");
		return -EINVAL;
	}
	*id = (struct resmon_ident) {
		.kind = nla_get_u32(tb[RESMON_A_TARGET_KIND]),
	};
	err = ident_number(tb, id, extack);
	if (err)
		return err;
	if (id->kind == RESMON_ELEMENT_KIND_PORT || id->kind == RESMON_ELEMENT_KIND_LAG)
		return ident_netdev(net, tb, id, extack);
	if (tb[RESMON_A_TARGET_IFINDEX] || tb[RESMON_A_TARGET_IFNAME]) {
		NL_SET_ERR_MSG(extack, "only a port or lag has a net device");
		return -EINVAL;
	}
	return 0;
}

/**
 * resmon_nl_element() - the element that a request means
 * @rn: the chassis
 * @nest: the target
 * @extack: set on error
 *
 * Context: RCU read section or config_lock.
 * Return: The element or an error pointer.
 */
struct resmon_element *resmon_nl_element(struct resmon_net *rn,
					 const struct nlattr *nest,
					 struct netlink_ext_ack *extack)
{
	struct resmon_element *elem = NULL;
	struct resmon_ident id;
	int err;

	rcu_read_lock();
	err = resmon_nl_ident(rn->net, nest, &id, extack);
	if (!err)
		elem = resmon_element_find(rn, &id);
	rcu_read_unlock();
	if (err)
		return ERR_PTR(err);
	if (elem)
		return elem;

	switch (id.kind) {
	case RESMON_ELEMENT_KIND_DEVICE:
		NL_SET_ERR_MSG_ATTR(extack, nest, "no such device");
		break;
	case RESMON_ELEMENT_KIND_MIC:
		NL_SET_ERR_MSG_ATTR(extack, nest, "no such mic");
		break;
	case RESMON_ELEMENT_KIND_LAG:
		NL_SET_ERR_MSG_ATTR(extack, nest,
				    "the net device is no lag with a port as its leg");
		break;
	default:
		NL_SET_ERR_MSG_ATTR(extack, nest, "the net device is not a port");
	}
	return ERR_PTR(-ENOENT);
}

/**
 * resmon_nl_put_ident() - put the name of an element as a target
 * @skb: the message
 * @attr: the attribute of the nest
 * @id: the name
 *
 * Return: 0 or -EMSGSIZE.
 */
int resmon_nl_put_ident(struct sk_buff *skb, int attr,
			const struct resmon_ident *id)
{
	struct nlattr *nest = nla_nest_start(skb, attr);
	bool netdev = id->kind == RESMON_ELEMENT_KIND_PORT ||
		      id->kind == RESMON_ELEMENT_KIND_LAG;
	bool mic = id->kind == RESMON_ELEMENT_KIND_MIC;

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, RESMON_A_TARGET_KIND, id->kind) ||
	    ((mic || id->kind == RESMON_ELEMENT_KIND_DEVICE) &&
	     nla_put_u32(skb, RESMON_A_TARGET_DEVICE, id->device)) ||
	    (mic && nla_put_u32(skb, RESMON_A_TARGET_MIC, id->mic)) ||
	    (netdev &&
	     (nla_put_u32(skb, RESMON_A_TARGET_IFINDEX, id->ifindex) ||
	      nla_put_string(skb, RESMON_A_TARGET_IFNAME, id->ifname)))) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * resmon_nl_reply() - answer a request with one object
 * @info: the request
 * @rn: the chassis
 * @fill: fills the message
 * @obj: what it is filled with
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_nl_reply(struct genl_info *info, struct resmon_net *rn,
		    resmon_fill_t fill, const void *obj)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &resmon_genl_family, 0,
				info->genlhdr->cmd);
	if (!hdr || fill(skb, rn, obj)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

/*
 * The groups have their numbers only while the family is registered. Net
 * devices, /sys and the events are there before it and after it.
 */
static DECLARE_RWSEM(registered_lock);	/* protects registered; a leaf */
static bool registered;

/**
 * resmon_nl_send_begin() - may something be sent to the groups?
 *
 * Context: Process context, may sleep.
 * Return: true while the family is registered, which then lasts until
 *	resmon_nl_send_end().
 */
bool resmon_nl_send_begin(void)
{
	down_read(&registered_lock);
	if (registered)
		return true;
	up_read(&registered_lock);
	return false;
}

/**
 * resmon_nl_send_end() - everything is sent
 *
 * Context: After resmon_nl_send_begin() returned true.
 */
void resmon_nl_send_end(void)
{
	up_read(&registered_lock);
}

static void registered_set(bool on)
{
	down_write(&registered_lock);
	registered = on;
	up_write(&registered_lock);
}

/**
 * resmon_nl_notify() - tell the config group of a change (U5)
 * @info: the request that made it, or NULL
 * @rn: the chassis
 * @cmd: the notification
 * @fill: fills the message
 * @obj: what it is filled with
 *
 * The caller has made its change: a notification that cannot be made for want
 * of memory is seen by the listeners as an overrun, like one that is dropped.
 *
 * Context: Process context, may sleep.
 */
void resmon_nl_notify(struct genl_info *info, struct resmon_net *rn, u8 cmd,
		      resmon_fill_t fill, const void *obj)
{
	struct sk_buff *skb;
	void *hdr;

	if (!resmon_nl_send_begin())
		return;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		goto err;
	hdr = genlmsg_put(skb, info ? info->snd_portid : 0,
			  info ? info->snd_seq : 0, &resmon_genl_family, 0,
			  cmd);
	if (!hdr || fill(skb, rn, obj)) {
		nlmsg_free(skb);
		goto err;
	}
	genlmsg_end(skb, hdr);
	if (info)
		genl_notify(&resmon_genl_family, skb, info,
			    RESMON_MCGRP_NR_CONFIG, GFP_KERNEL);
	else
		genlmsg_multicast_netns(&resmon_genl_family, rn->net, skb, 0,
					RESMON_MCGRP_NR_CONFIG, GFP_KERNEL);
	resmon_nl_send_end();
	return;
err:
	genl_set_err(&resmon_genl_family, rn->net, 0, RESMON_MCGRP_NR_CONFIG,
		     -ENOBUFS);
	resmon_nl_send_end();
}

/**
 * resmon_nl_dump_only() - refuse what a dump has no use for
 * @cb: state of the dump
 * @allowed: the attributes that it takes, each as its bit
 *
 * Not in .start, which cannot say why in older kernels.
 *
 * Return: 0 or -EINVAL.
 */
int resmon_nl_dump_only(struct netlink_callback *cb, u32 allowed)
{
	return resmon_nl_only(resmon_dump_attrs(cb),
			      genl_dumpit_info(cb)->op.maxattr, allowed,
			      cb->extack);
}

/**
 * resmon_nl_dump_one() - one message of a dump
 * @skb: the dump
 * @cb: its state
 * @rn: the chassis
 * @cmd: the command
 * @fill: fills the message
 * @obj: what it is filled with
 *
 * Return: 0 or -EMSGSIZE when the dump is full.
 */
int resmon_nl_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
		       struct resmon_net *rn, u8 cmd, resmon_fill_t fill,
		       const void *obj)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &resmon_genl_family, NLM_F_MULTI, cmd);
	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (fill(skb, rn, obj)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * resmon_nl_dump_begin() - what every call of a dump does first
 * @cb: state of the dump
 *
 * Return: The chassis.
 */
struct resmon_net *resmon_nl_dump_begin(struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_net_of(sock_net(cb->skb->sk));

	/* A sequence of 0 would mean that nothing is compared. */
	cb->seq = atomic_read(&rn->generation) << 1 | 1;
	return rn;
}

/* State of a dump of elements, in netlink_callback.ctx. */
struct dump_elements {
	struct resmon_walk walk;
	unsigned int row;
	bool done;
};

static int dump_rows(struct sk_buff *skb, struct netlink_callback *cb,
		     struct resmon_net *rn, u8 cmd, struct resmon_element *elem,
		     unsigned int rows, resmon_fill_t fill)
{
	struct dump_elements *dump = (void *)cb->ctx;
	struct resmon_nl_row row = { .elem = elem };

	for (; dump->row < rows; dump->row++) {
		row.row = dump->row;
		if (resmon_nl_dump_one(skb, cb, rn, cmd, fill, &row))
			return -EMSGSIZE;
	}
	dump->row = 0;
	return 0;
}

/**
 * resmon_nl_dump_elements() - dump all elements, or the one that is asked for
 * @skb: the dump
 * @cb: its state
 * @cmd: the command
 * @target: the one element that is asked for, or NULL
 * @rows: messages an element
 * @fill: fills a message from a struct resmon_nl_row
 *
 * Context: Process context.
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_dump_elements(struct sk_buff *skb, struct netlink_callback *cb,
			    u8 cmd, const struct nlattr *target,
			    unsigned int rows, resmon_fill_t fill)
{
	struct dump_elements *dump = (void *)cb->ctx;
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_element *elem;
	int err = 0;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	rcu_read_lock();
	if (target && !dump->done) {
		elem = resmon_nl_element(rn, target, cb->extack);
		err = PTR_ERR_OR_ZERO(elem);
		if (!err && !dump_rows(skb, cb, rn, cmd, elem, rows, fill))
			dump->done = true;
	} else if (!target) {
		while ((elem = resmon_walk_at(rn, &dump->walk))) {
			if (dump_rows(skb, cb, rn, cmd, elem, rows, fill))
				break;
			resmon_walk_step(&dump->walk);
		}
	}
	rcu_read_unlock();
	return err ?: skb->len;
}

static int netlink_event(struct notifier_block *nb, unsigned long event,
			 void *ptr)
{
	struct netlink_notify *notify = ptr;
	struct resmon_net *rn;

	if (event != NETLINK_URELEASE ||
	    notify->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	rn = resmon_net_of(notify->net);
	resmon_echo_socket_closed(rn, notify->portid);
	resmon_session_end_owner(rn, notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block netlink_notifier = {
	.notifier_call = netlink_event,
};

/**
 * resmon_netlink_register() - take requests from user space
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative error number.
 */
int resmon_netlink_register(void)
{
	int err;

	err = netlink_register_notifier(&netlink_notifier);
	if (err)
		return err;
	err = genl_register_family(&resmon_genl_family);
	if (err)
		netlink_unregister_notifier(&netlink_notifier);
	else
		registered_set(true);
	return err;
}

/**
 * resmon_netlink_unregister() - take no more requests
 *
 * Context: Process context, may sleep.
 */
void resmon_netlink_unregister(void)
{
	/* Not held while it is unregistered: that waits for our handlers. */
	registered_set(false);
	genl_unregister_family(&resmon_genl_family);
	netlink_unregister_notifier(&netlink_notifier);
}
