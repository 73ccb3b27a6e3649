// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: memory regions.
 */
#include "device.h"
#include "memory.h"
#include "net.h"
#include "netlink.h"

static struct netlink_range_validation lifetime_range = {
	.min = 1,
	.max = 86400,
};

const struct nla_policy
resmon_nl_region_policy[RESMON_A_REGION_LIFETIME + 1] = {
	[RESMON_A_REGION_DEVICE] = NLA_POLICY_MAX(NLA_U32, RESMON_DEVICE_MAX),
	[RESMON_A_REGION_PFE] = NLA_POLICY_MAX(NLA_U32, RESMON_PFE_MAX),
	[RESMON_A_REGION_REGION] = NLA_POLICY_MAX(NLA_U32, RESMON_REGION_KIND_MAX),
	[RESMON_A_REGION_USED] = { .type = NLA_U64 },
	[RESMON_A_REGION_TOTAL] = { .type = NLA_U64 },
	[RESMON_A_REGION_LIFETIME] = NLA_POLICY_FULL_RANGE(NLA_U32,
							   &lifetime_range),
};

/**
 * struct dump_region - where a dump is, in netlink_callback.ctx
 * @device: slot of the device
 * @slot: which of its regions
 */
struct dump_region {
	unsigned long device;
	unsigned int slot;
};

/**
 * struct region_row - what a message is filled with
 * @device: the device
 * @slot: which of its regions
 * @view: what it holds
 */
struct region_row {
	struct resmon_device *device;
	unsigned int slot;
	struct resmon_region_view view;
};

static int fill_region(struct sk_buff *skb, struct resmon_net *rn,
		       const void *obj)
{
	const struct region_row *row = obj;
	const struct resmon_region_view *view = &row->view;
	u32 pfe, region = resmon_memory_slot_region(row->slot, &pfe);

	if (nla_put_u32(skb, RESMON_A_REGION_DEVICE,
			row->device->elem.id.device) ||
	    (region != RESMON_REGION_KIND_HEAP &&
	     nla_put_u32(skb, RESMON_A_REGION_PFE, pfe)) ||
	    nla_put_u32(skb, RESMON_A_REGION_REGION, region) ||
	    resmon_nl_put_u64(skb, RESMON_A_REGION_USED, view->used,
			      RESMON_A_REGION_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_REGION_TOTAL, view->total,
			      RESMON_A_REGION_PAD) ||
	    nla_put_u32(skb, RESMON_A_REGION_LIFETIME, view->lifetime_s) ||
	    nla_put_u32(skb, RESMON_A_REGION_LOW, view->low) ||
	    nla_put_u32(skb, RESMON_A_REGION_HIGH, view->high) ||
	    nla_put_u32(skb, RESMON_A_REGION_AGE, view->age_s) ||
	    nla_put_u32(skb, RESMON_A_REGION_STALE, view->stale))
		return -EMSGSIZE;
	/* What is too old is shown as -- (R5). */
	if (!view->stale &&
	    (nla_put_u32(skb, RESMON_A_REGION_FREE_PCT, view->free_pct) ||
	     nla_put_u32(skb, RESMON_A_REGION_USED_PCT, view->used_pct)))
		return -EMSGSIZE;
	return 0;
}

static int dump_device(struct sk_buff *skb, struct netlink_callback *cb,
		       struct resmon_net *rn, struct resmon_device *device)
{
	struct dump_region *dump = (void *)cb->ctx;
	struct region_row row = { .device = device };

	for (; dump->slot < RESMON_REGIONS; dump->slot++) {
		row.slot = dump->slot;
		resmon_memory_view(device, row.slot, &row.view);
		if (row.view.reported &&
		    resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_REGION_GET,
				       fill_region, &row))
			return -EMSGSIZE;
	}
	return 0;
}

/**
 * resmon_nl_region_dump() - RESMON_CMD_REGION_GET
 * @skb: the dump
 * @cb: its state
 *
 * Context: Process context.
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_region_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct nlattr *only =
		resmon_dump_attrs(cb)[RESMON_A_REGION_DEVICE];
	struct dump_region *dump = (void *)cb->ctx;
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct resmon_device *device;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	rcu_read_lock();
	if (only) {
		device = resmon_device_find(rn, nla_get_u32(only));
		if (!device) {
			rcu_read_unlock();
			NL_SET_ERR_MSG_ATTR(cb->extack, only, "no such device");
			return -ENOENT;
		}
		dump_device(skb, cb, rn, device);
		goto out;
	}
	for (;;) {
		unsigned long at = dump->device;

		device = xa_find(&rn->devices, &dump->device, RESMON_DEVICE_MAX,
				 XA_PRESENT);
		if (!device)
			break;
		if (dump->device != at)
			dump->slot = 0;
		if (dump_device(skb, cb, rn, device))
			break;
		dump->device++;
		dump->slot = 0;
	}
out:
	rcu_read_unlock();
	return skb->len;
}

static int missing_attr(struct genl_info *info)
{
	if (!info->attrs[RESMON_A_REGION_DEVICE])
		return resmon_nl_missing(info, RESMON_A_REGION_DEVICE,
					 "the device is missing");
	if (!info->attrs[RESMON_A_REGION_REGION])
		return resmon_nl_missing(info, RESMON_A_REGION_REGION,
					 "the region is missing");
	if (!info->attrs[RESMON_A_REGION_USED])
		return resmon_nl_missing(info, RESMON_A_REGION_USED,
					 "the bytes in use are missing");
	if (!info->attrs[RESMON_A_REGION_TOTAL])
		return resmon_nl_missing(info, RESMON_A_REGION_TOTAL,
					 "the size of the region is missing");
	return 0;
}

/**
 * resmon_nl_region_report() - RESMON_CMD_REGION_REPORT
 * @skb: the request
 * @info: its attributes
 *
 * Not a change of configuration: neither a notification nor a new generation.
 *
 * Context: Process context.
 * Return: 0 or a negative error number.
 */
int resmon_nl_region_report(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr **attrs = info->attrs;
	u32 region, pfe = 0, lifetime = RESMON_REGION_LIFETIME;
	struct resmon_device *device;
	u64 used, total;
	int err;

	err = missing_attr(info);
	if (err)
		return err;
	region = nla_get_u32(attrs[RESMON_A_REGION_REGION]);
	used = nla_get_u64(attrs[RESMON_A_REGION_USED]);
	total = nla_get_u64(attrs[RESMON_A_REGION_TOTAL]);
	if (attrs[RESMON_A_REGION_PFE]) {
		if (region == RESMON_REGION_KIND_HEAP) {
			NL_SET_ERR_MSG_ATTR(info->extack,
					    attrs[RESMON_A_REGION_PFE],
					    "heap belongs to the device, not to a PFE");
			return -EINVAL;
		}
		pfe = nla_get_u32(attrs[RESMON_A_REGION_PFE]);
	}
	if (attrs[RESMON_A_REGION_LIFETIME])
		lifetime = nla_get_u32(attrs[RESMON_A_REGION_LIFETIME]);
	if (!total) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[RESMON_A_REGION_TOTAL],
				    "a region cannot have a size of 0");
		return -EINVAL;
	}
	if (used > total) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[RESMON_A_REGION_USED],
				    "more in use than the region has");
		return -EINVAL;
	}

	rcu_read_lock();
	device = resmon_device_find(rn, nla_get_u32(attrs[RESMON_A_REGION_DEVICE]));
	if (!device) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[RESMON_A_REGION_DEVICE],
				    "no such device");
		err = -ENOENT;
	} else if (resmon_memory_is_read(device, region, pfe)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[RESMON_A_REGION_REGION],
				    "the module reads this region of its host itself");
		err = -EOPNOTSUPP;
	} else {
		resmon_memory_report(rn, device, region, pfe, used, total,
				     lifetime);
	}
	rcu_read_unlock();
	return err;
}
