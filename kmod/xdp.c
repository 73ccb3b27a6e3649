// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a BPF program asks about each frame that arrives, in mode xdp (H7).
 *
 * The program sees a frame before any socket does, also before those that read
 * every protocol, which the ingress hook cannot hold back.
 */
#include <linux/bpf.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/xdp.h>

#include "compat/btf.h"
#include "enforce.h"
#include "hook.h"
#include "lag.h"
#include "net.h"
#include "place.h"
#include "port.h"
#include "xdp.h"

/* These take the tag out of the frame, and XDP does not see where it goes. */
#define TAG_OFFLOADS	(NETIF_F_HW_VLAN_CTAG_RX | NETIF_F_HW_VLAN_STAG_RX)

/*
 * A program on a bond runs on its legs. What arrives on a leg that the bond
 * does not use is dropped by the bond later on, and is no login (H17).
 */
static struct resmon_hook *hook_of(const struct net_device *dev)
{
	struct resmon_net *rn = resmon_net_of(dev_net(dev));
	struct resmon_place *place = resmon_place_find(rn, dev->ifindex);

	if (!place)
		return NULL;
	if (place->elem.id.kind == RESMON_ELEMENT_KIND_PORT) {
		struct resmon_port *port = resmon_port_of(place);
		struct resmon_lag *lag = rcu_dereference(port->lag);

		if (lag && !READ_ONCE(port->tx_enabled))
			return NULL;
		if (lag)
			place = &lag->place;
	}
	return rcu_dereference(place->hook);
}

static enum resmon_fate xdp_run(const struct xdp_buff *xdp)
{
	const struct resmon_bytes bytes = {
		.data = xdp->data,
		.len = xdp->data_end - xdp->data,
	};
	struct resmon_hook *hook;

	if (likely(!resmon_hook_maybe(bytes.data, bytes.len, false)))
		return RESMON_PASS;
	hook = hook_of(xdp->rxq->dev);
	if (!hook || !READ_ONCE(hook->xdp))
		return RESMON_PASS;
	return resmon_hook_frame(hook, &bytes, NULL, false, RESMON_NO_TAG);
}

__bpf_kfunc_start_defs();

/**
 * resmon_xdp_verdict() - what is to become of a frame, for XDP programs
 * @ctx: the frame
 *
 * Passes whatever arrives where mode xdp is not set.
 *
 * Context: An XDP program, BH off.
 * Return: XDP_PASS or XDP_DROP.
 */
__bpf_kfunc int resmon_xdp_verdict(struct xdp_md *ctx)
{
	enum resmon_fate fate;

	/* Not every driver has one around its programs. */
	rcu_read_lock();
	fate = xdp_run((const struct xdp_buff *)ctx);
	rcu_read_unlock();
	return fate == RESMON_PASS ? XDP_PASS : XDP_DROP;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(xdp_kfuncs)
BTF_ID_FLAGS(func, resmon_xdp_verdict)
BTF_KFUNCS_END(xdp_kfuncs)

static const struct btf_kfunc_id_set xdp_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &xdp_kfuncs,
};

/* Without it no program finds the function. */
static bool have_btf(void)
{
#ifdef CONFIG_DEBUG_INFO_BTF_MODULES
	return THIS_MODULE->btf_data_size;
#else
	return false;
#endif
}

static bool tags_taken(struct resmon_place *place)
{
	struct net_device *dev = place->dev, *leg;
	struct list_head *iter;

	if (place->elem.id.kind == RESMON_ELEMENT_KIND_PORT)
		return dev->features & TAG_OFFLOADS;
	netdev_for_each_lower_dev(dev, leg, iter)
		if (leg->features & TAG_OFFLOADS)
			return true;
	return false;
}

/**
 * resmon_xdp_check() - can XDP see the frames of a place?
 * @place: the port or lag
 * @extack: set when not
 *
 * Whether a program is there is for user space to know.
 *
 * Context: Under RTNL.
 * Return: 0 or a negative error number.
 */
int resmon_xdp_check(struct resmon_place *place,
		     struct netlink_ext_ack *extack)
{
	ASSERT_RTNL();
	if (tags_taken(place)) {
		NL_SET_ERR_MSG(extack,
			       "XDP would not see VLAN tags, switch rxvlan and rx-vlan-stag-hw-parse off with ethtool");
		return -EOPNOTSUPP;
	}
	if (!have_btf()) {
		NL_SET_ERR_MSG(extack,
			       "the module was built without BTF, no program can ask it; take mode hook");
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * resmon_xdp_register() - let XDP programs ask
 *
 * Ends with the module, which a loaded program holds.
 *
 * Context: Process context, may sleep.
 * Return: 0, also where the module has no BTF, or a negative error number.
 */
int resmon_xdp_register(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_XDP, &xdp_kfunc_set);
}
