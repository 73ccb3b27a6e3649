// SPDX-License-Identifier: GPL-2.0-only
/* By which net device an address is reached. */

#include <errno.h>
#include <sys/socket.h>

#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "route.h"

/* NULL when there is none. */
struct nl_sock *route_open(void)
{
	struct nl_sock *sk = nl_socket_alloc();

	if (sk && nl_connect(sk, NETLINK_ROUTE)) {
		nl_socket_free(sk);
		return NULL;
	}
	return sk;
}

static int on_route(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct nlattr *oif;

	if (nlh->nlmsg_type != RTM_NEWROUTE)
		return NL_SKIP;
	oif = nlmsg_find_attr(nlh, sizeof(struct rtmsg), RTA_OIF);
	if (oif)
		*(__u32 *)arg = nla_get_u32(oif);
	return NL_OK;
}

/* 0, or a negative error number of libnl or of ours. */
int route_lookup(struct nl_sock *sk, int family, const void *address,
		 __u32 *ifindex)
{
	const int len = family == AF_INET ? 4 : 16;
	const struct rtmsg rtm = {
		.rtm_family = family,
		.rtm_dst_len = 8 * len,
	};
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETROUTE, 0);
	int err = -NLE_NOMEM;

	*ifindex = 0;
	if (msg && !nlmsg_append(msg, (void *)&rtm, sizeof(rtm), NLMSG_ALIGNTO))
		err = nla_put(msg, RTA_DST, len, address);
	if (err >= 0) {
		nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, on_route,
				    ifindex);
		/* With it comes an ack, which is waited for. */
		err = nl_send_auto(sk, msg);
	}
	if (err >= 0)
		err = nl_recvmsgs_default(sk);
	if (err >= 0)
		err = nl_wait_for_ack(sk);
	nlmsg_free(msg);
	if (err < 0)
		return err;
	return *ifindex ? 0 : -ENETUNREACH;
}
