// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: sessions that were up before their frames were seen (H3).
 *
 * An import is told like a frame that leaves such a session, so that the session
 * is known by what its next frames will say.
 */
#include <linux/etherdevice.h>

#include "enforce.h"
#include "frame.h"
#include "net.h"
#include "netlink.h"
#include "place.h"

/* Option codes of DHCPv6. */
#define IA_NA	3
#define IA_PD	25

/* What each protocol must tell, and may tell besides where it is. */
static const struct {
	u32 must;
	u32 may;
} wants[RESMON_LOGIN_MAX + 1] = {
	[RESMON_LOGIN_PPPOE] = {
		BIT(RESMON_A_REQUEST_MAC) | BIT(RESMON_A_REQUEST_PPPOE_ID),
	},
	[RESMON_LOGIN_DHCP4] = {
		BIT(RESMON_A_REQUEST_MAC) | BIT(RESMON_A_REQUEST_LEASE),
		BIT(RESMON_A_REQUEST_CIRCUIT),
	},
	[RESMON_LOGIN_DHCP6] = {
		BIT(RESMON_A_REQUEST_DUID) | BIT(RESMON_A_REQUEST_IAID) |
		BIT(RESMON_A_REQUEST_LEASE),
		BIT(RESMON_A_REQUEST_MAC) | BIT(RESMON_A_REQUEST_PREFIX),
	},
};

#define WHERE	(BIT(RESMON_A_REQUEST_TARGET) | BIT(RESMON_A_REQUEST_LOGIN) | \
		 BIT(RESMON_A_REQUEST_VLAN_OUTER) | \
		 BIT(RESMON_A_REQUEST_VLAN_INNER))

static int lacks(int attr, struct netlink_ext_ack *extack)
{
	switch (attr) {
	case RESMON_A_REQUEST_MAC:
		NL_SET_ERR_MSG(extack,
			       "the MAC address of the client is missing");
		break;
	case RESMON_A_REQUEST_PPPOE_ID:
		NL_SET_ERR_MSG(extack, "the PPPoE session id is missing");
		break;
	case RESMON_A_REQUEST_DUID:
		NL_SET_ERR_MSG(extack, "the DUID of the client is missing");
		break;
	case RESMON_A_REQUEST_IAID:
		NL_SET_ERR_MSG(extack, "the IAID of the lease is missing");
		break;
	default:
		NL_SET_ERR_MSG(extack,
			       "the time that the lease has left is missing");
	}
	return -EINVAL;
}

/**
 * resmon_nl_import_check() - does an import say what its protocol needs?
 * @tb: attributes of the request
 * @extack: set on error
 *
 * Context: Any.
 * Return: 0 or a negative error number.
 */
int resmon_nl_import_check(struct nlattr **tb, struct netlink_ext_ack *extack)
{
	struct nlattr *login = tb[RESMON_A_REQUEST_LOGIN];
	struct nlattr *mac = tb[RESMON_A_REQUEST_MAC];
	struct nlattr *duid = tb[RESMON_A_REQUEST_DUID];
	u32 must, may;
	int attr;

	if (!tb[RESMON_A_REQUEST_TARGET]) {
		NL_SET_ERR_MSG(extack, "the port or lag is missing");
		return -EINVAL;
	}
	if (!login) {
		NL_SET_ERR_MSG(extack, "what it has logged in with is missing");
		return -EINVAL;
	}
	must = wants[nla_get_u32(login)].must;
	may = WHERE | must | wants[nla_get_u32(login)].may;
	if (!must) {
		NL_SET_ERR_MSG_ATTR(extack, login,
				    "sessions of L2TP cannot be imported");
		return -EOPNOTSUPP;
	}
	for (attr = 1; attr <= RESMON_A_REQUEST_MAX; attr++) {
		if (tb[attr] && !(may & BIT(attr))) {
			NL_SET_ERR_MSG_ATTR(extack, tb[attr],
					    "an import of this protocol takes no such attribute");
			return -EINVAL;
		}
		if (!tb[attr] && must & BIT(attr))
			return lacks(attr, extack);
	}
	if (mac && !is_valid_ether_addr(nla_data(mac))) {
		NL_SET_ERR_MSG_ATTR(extack, mac, "no client has that address");
		return -EINVAL;
	}
	if (duid && !nla_len(duid)) {
		NL_SET_ERR_MSG_ATTR(extack, duid, "the DUID is empty");
		return -EINVAL;
	}
	return 0;
}

static struct resmon_span span_of(const struct resmon_frame *frame,
				  const struct nlattr *attr)
{
	struct resmon_span span = {};

	if (attr) {
		span.off = (const u8 *)nla_data(attr) - frame->bytes.data;
		span.len = nla_len(attr);
	}
	return span;
}

static struct resmon_session *import_dhcp6(struct resmon_frame *frame,
					   struct nlattr **tb, bool *same)
{
	/* A client behind a relay need not have an address. */
	struct resmon_dhcp6 msg = {
		.relays = 1,
		.client = span_of(frame, tb[RESMON_A_REQUEST_DUID]),
		.has_mac = tb[RESMON_A_REQUEST_MAC],
	};
	const struct resmon_dhcp6_ia ia = {
		.type = tb[RESMON_A_REQUEST_PREFIX] ? IA_PD : IA_NA,
		.iaid = nla_get_u32(tb[RESMON_A_REQUEST_IAID]),
		.valid = nla_get_u32(tb[RESMON_A_REQUEST_LEASE]),
	};

	if (msg.has_mac)
		ether_addr_copy(msg.mac, frame->link.src);
	resmon_duid_mac(&frame->bytes, &msg);
	return resmon_dhcp6_import(frame, &msg, &ia, same);
}

/**
 * resmon_nl_import() - enter a session that is up
 * @rn: the chassis
 * @place: where it sits
 * @outer: outer VLAN or 0
 * @inner: inner VLAN or 0
 * @nest: the request
 * @tb: its attributes, checked
 * @v: filled in
 * @extack: set on error
 *
 * Context: RCU read section.
 * Return: 0 or a negative error number.
 */
int resmon_nl_import(struct resmon_net *rn, struct resmon_place *place,
		     u16 outer, u16 inner, const struct nlattr *nest,
		     struct nlattr **tb, struct resmon_decision *v,
		     struct netlink_ext_ack *extack)
{
	struct resmon_hook *hook = rcu_dereference(place->hook);
	struct nlattr *login = tb[RESMON_A_REQUEST_LOGIN];
	struct resmon_session *session;
	struct resmon_span circuit;
	struct resmon_frame frame = {
		.rn = rn,
		.hook = hook,
		.bytes.data = nla_data(nest),
		.bytes.len = nla_len(nest),
		.link.outer = outer,
		.link.inner = inner,
		.login = nla_get_u32(login),
	};

	if (hook)
		frame.enforce = rcu_dereference(hook->enforce);
	if (!hook || !READ_ONCE(hook->attached[true]) ||
	    frame.enforce->action[frame.login] == RESMON_ACTION_OFF) {
		NL_SET_ERR_MSG_ATTR(extack, login,
				    "its logins are not enforced there, so that nobody would follow it");
		return -EOPNOTSUPP;
	}
	if (tb[RESMON_A_REQUEST_MAC])
		ether_addr_copy(frame.link.src,
				nla_data(tb[RESMON_A_REQUEST_MAC]));

	*v = (struct resmon_decision) { .verdict = RESMON_VERDICT_ADMIT };
	local_bh_disable();
	switch (frame.login) {
	case RESMON_LOGIN_PPPOE:
		session = resmon_pppoe_import(&frame,
					      nla_get_u32(tb[RESMON_A_REQUEST_PPPOE_ID]),
					      &v->same);
		break;
	case RESMON_LOGIN_DHCP4:
		circuit = span_of(&frame, tb[RESMON_A_REQUEST_CIRCUIT]);
		session = resmon_dhcp4_import(&frame, &circuit,
					      nla_get_u32(tb[RESMON_A_REQUEST_LEASE]),
					      &v->same);
		break;
	default:
		session = import_dhcp6(&frame, tb, &v->same);
	}
	local_bh_enable();
	if (!session) {
		NL_SET_ERR_MSG(extack, "there is no memory for the session");
		return -ENOMEM;
	}
	v->id = session->id;
	return 0;
}
