/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_NETLINK_H
#define RESMON_NETLINK_H

#include <net/genetlink.h>

#include "element.h"

struct resmon_decision;
struct resmon_net;
struct resmon_place;

enum resmon_mcgrp {
	RESMON_MCGRP_NR_CONFIG,
	RESMON_MCGRP_NR_EVENTS,
};

/* Fills one message of a reply or a notification with @obj. */
typedef int (*resmon_fill_t)(struct sk_buff *skb, struct resmon_net *rn,
			     const void *obj);

extern struct genl_family resmon_genl_family;
/* Ranges that are too wide for the policy itself. */
extern struct netlink_range_validation resmon_range_ifindex;
extern struct netlink_range_validation resmon_range_seconds;
extern const struct nla_policy resmon_target_policy[RESMON_A_TARGET_MAX + 1];

/* netlink.c: what every object needs */
int resmon_netlink_register(void);
void resmon_netlink_unregister(void);
int resmon_nl_missing(struct genl_info *info, u32 attr, const char *text);
int resmon_nl_only(struct nlattr **attrs, int max, u32 allowed,
		   struct netlink_ext_ack *extack);
int resmon_nl_dump_only(struct netlink_callback *cb, u32 allowed);
int resmon_nl_put_u64(struct sk_buff *skb, int attr, u64 value, int pad);
int resmon_nl_ident(struct net *net, const struct nlattr *nest,
		    struct resmon_ident *id, struct netlink_ext_ack *extack);
struct resmon_element *resmon_nl_element(struct resmon_net *rn,
					 const struct nlattr *nest,
					 struct netlink_ext_ack *extack);
int resmon_nl_put_ident(struct sk_buff *skb, int attr,
			const struct resmon_ident *id);
bool resmon_nl_send_begin(void);
void resmon_nl_send_end(void);
int resmon_nl_reply(struct genl_info *info, struct resmon_net *rn,
		    resmon_fill_t fill, const void *obj);
void resmon_nl_notify(struct genl_info *info, struct resmon_net *rn, u8 cmd,
		      resmon_fill_t fill, const void *obj);
int resmon_nl_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
		       struct resmon_net *rn, u8 cmd, resmon_fill_t fill,
		       const void *obj);
struct resmon_net *resmon_nl_dump_begin(struct netlink_callback *cb);
int resmon_nl_dump_elements(struct sk_buff *skb, struct netlink_callback *cb,
			    u8 cmd, const struct nlattr *target,
			    unsigned int rows, resmon_fill_t fill);

/**
 * struct resmon_nl_row - what resmon_nl_dump_elements() fills in
 * @elem: the element
 * @row: which of its rows
 */
struct resmon_nl_row {
	struct resmon_element *elem;
	unsigned int row;
};

/* nl_ops.c */
#define RESMON_NL_OPS	41

extern const struct genl_ops resmon_nl_ops[RESMON_NL_OPS];

/* nl_chassis.c */
extern const struct nla_policy resmon_nl_none_policy[2];
extern const struct nla_policy
	resmon_nl_chassis_policy[RESMON_A_CHASSIS_RETRY_MAX + 1];
extern const struct nla_policy
	resmon_nl_watermark_policy[RESMON_A_WATERMARK_RESET + 1];
extern const struct nla_policy
	resmon_nl_timeout_policy[RESMON_A_TIMEOUT_TICKET + 1];
int resmon_nl_chassis_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_chassis_set(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_watermark_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_watermark_set(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_timeout_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_timeout_set(struct sk_buff *skb, struct genl_info *info);

void resmon_nl_chassis_changed(struct genl_info *info, struct resmon_net *rn);

/* nl_device.c */
extern const struct nla_policy resmon_nl_device_policy[RESMON_A_DEVICE_HOST + 1];
extern const struct nla_policy resmon_nl_mic_policy[RESMON_A_MIC_INDEX + 1];
int resmon_nl_device_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_device_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_device_new(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_device_del(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_mic_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_mic_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_mic_new(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_mic_del(struct sk_buff *skb, struct genl_info *info);

/* nl_port.c */
extern const struct nla_policy resmon_nl_port_policy[RESMON_A_PORT_ANCHOR + 1];
extern const struct nla_policy resmon_nl_lag_policy[RESMON_A_LAG_IFNAME + 1];
int resmon_nl_port_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_port_new(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_port_del(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_lag_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_lag_dump(struct sk_buff *skb, struct netlink_callback *cb);
void resmon_nl_port_changed(struct resmon_net *rn, u8 cmd,
			    const struct resmon_element *elem);
void resmon_nl_lag_changed(struct resmon_net *rn, u8 cmd,
			   const struct resmon_element *elem);

/* nl_limit.c */
extern const struct nla_policy resmon_nl_limit_policy[RESMON_A_LIMIT_WARN + 1];
extern const struct nla_policy resmon_nl_drain_policy[RESMON_A_DRAIN_ON + 1];
void resmon_nl_limit_changed(struct genl_info *info, struct resmon_net *rn,
			     struct resmon_element *elem, u32 type);
void resmon_nl_drain_changed(struct genl_info *info, struct resmon_net *rn,
			     struct resmon_element *elem);
int resmon_nl_limit_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_limit_set(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_limit_del(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_drain_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_drain_set(struct sk_buff *skb, struct genl_info *info);

/* nl_region.c */
extern const struct nla_policy
	resmon_nl_region_policy[RESMON_A_REGION_LIFETIME + 1];
int resmon_nl_region_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_region_report(struct sk_buff *skb, struct genl_info *info);

/* nl_rtt.c */
extern const struct nla_policy resmon_nl_rtt_policy[RESMON_A_RTT_EPOCH + 1];
extern const struct nla_policy
	resmon_nl_echo_policy[RESMON_A_ECHO_INTERVAL_MS + 1];
extern const struct nla_policy
	resmon_nl_echo_reply_policy[RESMON_A_ECHO_SEQ + 1];
int resmon_nl_rtt_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_rtt_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_rtt_set(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_rtt_reset(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_echo_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_echo_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_echo_set(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_echo_register(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_echo_reply(struct sk_buff *skb, struct genl_info *info);

/* nl_enforce.c */
extern const struct nla_policy
	resmon_nl_enforce_policy[RESMON_A_ENFORCE_VALUE + 1];
int resmon_nl_enforce_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_enforce_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_enforce_set(struct sk_buff *skb, struct genl_info *info);

/* nl_session.c */
extern const struct nla_policy
	resmon_nl_session_policy[RESMON_A_SESSION_STATE + 1];
extern const struct nla_policy
	resmon_nl_count_policy[RESMON_A_SESSION_TYPE + 1];
extern const struct nla_policy resmon_nl_batch_policy[RESMON_A_BATCH_REQUEST + 1];
int resmon_nl_session_get(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_session_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_session_admit(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_session_activate(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_session_release(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_session_count(struct sk_buff *skb, struct genl_info *info);
int resmon_nl_session_import(struct sk_buff *skb, struct genl_info *info);

/* nl_import.c */
int resmon_nl_import_check(struct nlattr **tb, struct netlink_ext_ack *extack);
int resmon_nl_import(struct resmon_net *rn, struct resmon_place *place,
		     u16 outer, u16 inner, const struct nlattr *nest,
		     struct nlattr **tb, struct resmon_decision *v,
		     struct netlink_ext_ack *extack);

/* nl_stats.c */
extern const struct nla_policy resmon_nl_why_policy[RESMON_A_WHY_KEY + 1];
extern const struct nla_policy resmon_nl_stats_policy[RESMON_A_STATS_TARGET + 1];
int resmon_nl_why_start(struct netlink_callback *cb);
int resmon_nl_why_done(struct netlink_callback *cb);
int resmon_nl_why_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_stats_start(struct netlink_callback *cb);
int resmon_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb);
int resmon_nl_stats_clear(struct sk_buff *skb, struct genl_info *info);

#endif /* RESMON_NETLINK_H */
