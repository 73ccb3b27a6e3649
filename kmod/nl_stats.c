// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: counters, and the last denials.
 */
#include <net/sock.h>

#include "net.h"
#include "netlink.h"
#include "stats.h"
#include "why.h"

const struct nla_policy resmon_nl_why_policy[RESMON_A_WHY_KEY + 1] = {
	[RESMON_A_WHY_KEY] = NLA_POLICY_RANGE(NLA_BINARY, 1, RESMON_KEY_LEN),
};

const struct nla_policy resmon_nl_stats_policy[RESMON_A_STATS_TARGET + 1] = {
	[RESMON_A_STATS_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
};

static int put_causes(struct sk_buff *skb, int attr, const u64 *counter)
{
	struct nlattr *nest;
	u32 cause;

	for (cause = 0; cause <= RESMON_CAUSE_MAX; cause++) {
		if (!counter[cause])
			continue;
		nest = nla_nest_start(skb, attr);
		if (!nest)
			return -EMSGSIZE;
		if (nla_put_u32(skb, RESMON_A_STATS_CAUSE_CAUSE, cause) ||
		    resmon_nl_put_u64(skb, RESMON_A_STATS_CAUSE_COUNT,
				      counter[cause],
				      RESMON_A_STATS_CAUSE_PAD))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

/* Of the one pass that @row was read in, so the sum always agrees (P3). */
static u64 requests(const struct resmon_row *row)
{
	u64 sum = row->admitted + row->duplicate;
	u32 cause;

	for (cause = 0; cause <= RESMON_CAUSE_MAX; cause++)
		sum += row->denied[cause];
	return sum;
}

static int put_row(struct sk_buff *skb, u32 column,
		   const struct resmon_row *row)
{
	bool service = column == RESMON_COLUMN_SERVICE;
	struct nlattr *nest;

	nest = nla_nest_start(skb, RESMON_A_STATS_ROW);
	if (!nest)
		return -EMSGSIZE;
	/* Services are counted together, whatever their client is. */
	if (nla_put_u32(skb, RESMON_A_STATS_ROW_TYPE,
			service ? RESMON_TYPE_ANY :
				  RESMON_TYPE_PPPOE + column) ||
	    nla_put_u32(skb, RESMON_A_STATS_ROW_KIND,
			service ? RESMON_KIND_SERVICE : RESMON_KIND_CLIENT) ||
	    resmon_nl_put_u64(skb, RESMON_A_STATS_ROW_REQUESTS, requests(row),
			      RESMON_A_STATS_ROW_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_STATS_ROW_ADMITTED, row->admitted,
			      RESMON_A_STATS_ROW_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_STATS_ROW_WAITING, 0,
			      RESMON_A_STATS_ROW_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_STATS_ROW_DUPLICATE, row->duplicate,
			      RESMON_A_STATS_ROW_PAD) ||
	    put_causes(skb, RESMON_A_STATS_ROW_DENIED, row->denied) ||
	    put_causes(skb, RESMON_A_STATS_ROW_REFUSED, row->refused))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_stats(struct sk_buff *skb, const struct resmon_element *elem)
{
	struct resmon_row row;
	u32 column;

	if (resmon_nl_put_ident(skb, RESMON_A_STATS_TARGET, &elem->id))
		return -EMSGSIZE;
	for (column = 0; column < RESMON_COLUMNS; column++) {
		resmon_stats_row(elem, column, &row);
		if (!resmon_stats_row_empty(&row) && put_row(skb, column, &row))
			return -EMSGSIZE;
	}
	if (resmon_nl_put_u64(skb, RESMON_A_STATS_CHARGED,
			      resmon_stats_commits(elem, RESMON_COMMIT_CHARGED),
			      RESMON_A_STATS_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_STATS_SAME,
			      resmon_stats_commits(elem, RESMON_COMMIT_SAME),
			      RESMON_A_STATS_PAD) ||
	    resmon_nl_put_u64(skb, RESMON_A_STATS_REFUSED_COMMITS,
			      resmon_stats_commits(elem, RESMON_COMMIT_REFUSED),
			      RESMON_A_STATS_PAD))
		return -EMSGSIZE;
	return 0;
}

static int fill_stats(struct sk_buff *skb, struct resmon_net *rn,
		      const void *obj)
{
	const struct resmon_nl_row *row = obj;

	return put_stats(skb, row->elem);
}

/* Without an element every one was cleared: an empty message says so. */
static int fill_cleared(struct sk_buff *skb, struct resmon_net *rn,
			const void *obj)
{
	const struct resmon_element *elem = obj;

	if (!elem)
		return 0;
	return resmon_nl_put_ident(skb, RESMON_A_STATS_TARGET, &elem->id);
}

/**
 * resmon_nl_stats_start() - begin of RESMON_CMD_STATS_GET
 * @cb: state of the dump
 *
 * Context: Process context.
 * Return: 0.
 */
int resmon_nl_stats_start(struct netlink_callback *cb)
{
	/* An element that was refused for every cause needs about 5 KiB. */
	cb->min_dump_alloc = 8192;
	return 0;
}

/**
 * resmon_nl_stats_dump() - RESMON_CMD_STATS_GET
 * @skb: the dump
 * @cb: its state
 *
 * Context: Process context.
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return resmon_nl_dump_elements(skb, cb, RESMON_CMD_STATS_GET,
				       resmon_dump_attrs(cb)[RESMON_A_STATS_TARGET],
				       1, fill_stats);
}

/**
 * resmon_nl_stats_clear() - RESMON_CMD_STATS_CLEAR
 * @skb: the request
 * @info: its attributes
 *
 * Context: Process context.
 * Return: 0 or a negative error number.
 */
int resmon_nl_stats_clear(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *target = info->attrs[RESMON_A_STATS_TARGET];
	struct resmon_element *elem = NULL;
	struct resmon_walk walk = {};
	int err = 0;

	mutex_lock(&rn->config_lock);
	if (target) {
		elem = resmon_nl_element(rn, target, info->extack);
		if (IS_ERR(elem)) {
			err = PTR_ERR(elem);
			goto out;
		}
		resmon_stats_clear(rn, elem);
	} else {
		struct resmon_element *each;

		while ((each = resmon_walk_at(rn, &walk))) {
			resmon_stats_clear(rn, each);
			resmon_walk_step(&walk);
			cond_resched();
		}
	}
	resmon_net_changed(rn);
	resmon_nl_notify(info, rn, RESMON_CMD_STATS_NTF, fill_cleared, elem);
out:
	mutex_unlock(&rn->config_lock);
	return err;
}

/**
 * struct dump_why - where a dump of denials is, in netlink_callback.ctx
 * @list: the denials when it began
 * @at: the next one
 */
struct dump_why {
	struct resmon_why_list *list;
	unsigned int at;
};

static int fill_why(struct sk_buff *skb, struct resmon_net *rn, const void *obj)
{
	const struct resmon_why_entry *entry = obj;

	if (resmon_nl_put_u64(skb, RESMON_A_WHY_TIME, entry->when,
			      RESMON_A_WHY_PAD) ||
	    (entry->has_place &&
	     resmon_nl_put_ident(skb, RESMON_A_WHY_PLACE, &entry->place)) ||
	    (entry->has_refuser &&
	     resmon_nl_put_ident(skb, RESMON_A_WHY_REFUSER, &entry->refuser)) ||
	    nla_put_u32(skb, RESMON_A_WHY_CAUSE, entry->cause) ||
	    nla_put_u32(skb, RESMON_A_WHY_TYPE, entry->type) ||
	    nla_put_u32(skb, RESMON_A_WHY_KIND, entry->kind) ||
	    (entry->len &&
	     nla_put(skb, RESMON_A_WHY_KEY, entry->len, entry->text)) ||
	    (entry->outer &&
	     nla_put_u32(skb, RESMON_A_WHY_VLAN_OUTER, entry->outer)) ||
	    (entry->inner &&
	     nla_put_u32(skb, RESMON_A_WHY_VLAN_INNER, entry->inner)))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_why_start() - begin of RESMON_CMD_WHY_GET
 * @cb: state of the dump
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_nl_why_start(struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_net_of(sock_net(cb->skb->sk));
	const struct nlattr *key = resmon_dump_attrs(cb)[RESMON_A_WHY_KEY];
	struct dump_why *dump = (void *)cb->ctx;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	dump->list = resmon_why_read(rn, key ? nla_data(key) : NULL,
				     key ? nla_len(key) : 0);
	return dump->list ? 0 : -ENOMEM;
}

/**
 * resmon_nl_why_dump() - RESMON_CMD_WHY_GET
 * @skb: the dump
 * @cb: its state
 *
 * What is dumped was copied when the dump began: it is never inconsistent.
 *
 * Context: Process context.
 * Return: Length of the message, 0 at the end.
 */
int resmon_nl_why_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_net_of(sock_net(cb->skb->sk));
	struct dump_why *dump = (void *)cb->ctx;

	for (; dump->at < dump->list->n; dump->at++)
		if (resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_WHY_GET,
				       fill_why, &dump->list->entry[dump->at]))
			break;
	return skb->len;
}

/**
 * resmon_nl_why_done() - end of RESMON_CMD_WHY_GET
 * @cb: state of the dump
 *
 * Context: Process context.
 * Return: 0.
 */
int resmon_nl_why_done(struct netlink_callback *cb)
{
	struct dump_why *dump = (void *)cb->ctx;

	kvfree(dump->list);
	return 0;
}
