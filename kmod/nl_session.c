// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: sessions, the request interface of daemons.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "admit.h"
#include "lag.h"
#include "net.h"
#include "netlink.h"
#include "owner.h"
#include "place.h"
#include "session.h"

const struct nla_policy resmon_nl_session_policy[RESMON_A_SESSION_STATE + 1] = {
	[RESMON_A_SESSION_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[RESMON_A_SESSION_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_SESSION_TYPE] = NLA_POLICY_MAX(NLA_U32, RESMON_TYPE_MAX),
	[RESMON_A_SESSION_STATE] = NLA_POLICY_MAX(NLA_U32, RESMON_STATE_MAX),
};

const struct nla_policy resmon_nl_count_policy[RESMON_A_SESSION_TYPE + 1] = {
	[RESMON_A_SESSION_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_SESSION_TYPE] = NLA_POLICY_MAX(NLA_U32, RESMON_TYPE_MAX),
};

/* A request is parsed on its own, so that one of many can be at fault. */
const struct nla_policy resmon_nl_batch_policy[RESMON_A_BATCH_REQUEST + 1] = {
	[RESMON_A_BATCH_REQUEST] = { .type = NLA_NESTED },
};

static const struct netlink_range_validation pppoe_id_range = {
	.min = 1,
	.max = U16_MAX,
};

static const struct nla_policy request_policy[RESMON_A_REQUEST_MAX + 1] = {
	[RESMON_A_REQUEST_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[RESMON_A_REQUEST_TARGET] = NLA_POLICY_NESTED(resmon_target_policy),
	[RESMON_A_REQUEST_TYPE] = NLA_POLICY_MAX(NLA_U32, RESMON_TYPE_MAX),
	[RESMON_A_REQUEST_KIND] = NLA_POLICY_MAX(NLA_U32, RESMON_KIND_MAX),
	[RESMON_A_REQUEST_KEY] = { .type = NLA_BINARY, .len = RESMON_KEY_LEN },
	[RESMON_A_REQUEST_VLAN_OUTER] = NLA_POLICY_RANGE(NLA_U32, 1, 4094),
	[RESMON_A_REQUEST_VLAN_INNER] = NLA_POLICY_RANGE(NLA_U32, 1, 4094),
	[RESMON_A_REQUEST_ON_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[RESMON_A_REQUEST_ACTIVE] = { .type = NLA_FLAG },
	[RESMON_A_REQUEST_PRIORITY] = { .type = NLA_FLAG },
	[RESMON_A_REQUEST_OWNER] = { .type = NLA_FLAG },
	[RESMON_A_REQUEST_QUEUES] = { .type = NLA_FLAG },
	[RESMON_A_REQUEST_ALL] = { .type = NLA_FLAG },
	/* What follows is of imports alone. */
	[RESMON_A_REQUEST_LOGIN] = NLA_POLICY_MAX(NLA_U32, RESMON_LOGIN_MAX),
	[RESMON_A_REQUEST_MAC] = NLA_POLICY_EXACT_LEN(ETH_ALEN),
	[RESMON_A_REQUEST_PPPOE_ID] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &pppoe_id_range),
	[RESMON_A_REQUEST_CIRCUIT] = { .type = NLA_BINARY, .len = 255 },
	[RESMON_A_REQUEST_DUID] = { .type = NLA_BINARY, .len = 130 },
	[RESMON_A_REQUEST_IAID] = { .type = NLA_U32 },
	[RESMON_A_REQUEST_PREFIX] = { .type = NLA_FLAG },
	[RESMON_A_REQUEST_LEASE] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* Answers of one message; more follow in the next. */
#define ANSWERS_SIZE	(16 * 1024)
#define ANSWER_SIZE	512

/**
 * struct batch - a message of requests that is being answered
 * @rn: the chassis
 * @info: the message
 * @alone: it has a single request, whose error is that of the message
 * @max: last attribute that a request may have
 * @index: number of the request
 * @skb: the answers so far, or NULL
 * @hdr: of @skb
 * @spare: a session for the next admission
 * @fresh: ids of the sessions whose verdict is in @skb
 * @fresh_n: how many there are
 */
struct batch {
	struct resmon_net *rn;
	struct genl_info *info;
	bool alone;
	int max;
	u32 index;
	struct sk_buff *skb;
	void *hdr;
	struct resmon_session *spare;
	u32 fresh[RESMON_BATCH_MAX];
	u32 fresh_n;
};

/* One request, parsed. */
struct parsed {
	const struct nlattr *nest;
	struct nlattr *tb[RESMON_A_REQUEST_MAX + 1];
	struct netlink_ext_ack extack;
};

static int bad(struct parsed *p, int attr, const char *text)
{
	p->extack._msg = text;
	p->extack.bad_attr = p->tb[attr];
	return -EINVAL;
}

/* An attribute that the command has no use for is a mistake of the caller. */
static int only(struct parsed *p, u32 allowed)
{
	int attr;

	for (attr = 1; attr <= RESMON_A_REQUEST_ALL; attr++)
		if (p->tb[attr] && !(allowed & BIT(attr)))
			return bad(p, attr,
				   "the command takes no such attribute");
	return 0;
}

/*
 * The port or lag of a request with its VLANs. An unknown one is no error
 * here: what is to be done then is a setting of the operator (P4).
 */
static int parse_place(struct resmon_net *rn, struct parsed *p,
		       struct resmon_place **place, u16 *outer, u16 *inner)
{
	struct nlattr *vlan_outer = p->tb[RESMON_A_REQUEST_VLAN_OUTER];
	struct nlattr *vlan_inner = p->tb[RESMON_A_REQUEST_VLAN_INNER];
	struct resmon_ident id;
	struct net_device *dev;
	int err;

	*place = NULL;
	*outer = 0;
	*inner = 0;
	err = resmon_nl_ident(rn->net, p->tb[RESMON_A_REQUEST_TARGET], &id,
			      &p->extack);
	if (err && err != -ENODEV)
		return err;
	if (id.kind != RESMON_ELEMENT_KIND_PORT && id.kind != RESMON_ELEMENT_KIND_LAG)
		return bad(p, RESMON_A_REQUEST_TARGET,
			   "a session sits on a port or lag");
	if (vlan_inner && !vlan_outer)
		return bad(p, RESMON_A_REQUEST_VLAN_INNER,
			   "an inner VLAN needs an outer one");
	dev = err ? NULL : dev_get_by_index_rcu(rn->net, id.ifindex);
	if (dev)
		*place = resmon_place_of_dev(rn, dev, outer, inner);
	if (*outer && vlan_outer)
		return bad(p, RESMON_A_REQUEST_VLAN_OUTER,
			   "the net device has a VLAN already");
	if (vlan_outer)
		*outer = nla_get_u32(vlan_outer);
	if (vlan_inner)
		*inner = nla_get_u32(vlan_inner);
	/* A leg faces nobody of its own: its subscribers are those of the lag. */
	if (*place)
		*place = resmon_lag_of_leg(*place);
	return 0;
}

static int parse_key(struct parsed *p, const void **text, u8 *len)
{
	struct nlattr *key = p->tb[RESMON_A_REQUEST_KEY];

	*text = NULL;
	*len = 0;
	if (!key)
		return 0;
	if (!nla_len(key))
		return bad(p, RESMON_A_REQUEST_KEY, "the key is empty");
	*text = nla_data(key);
	*len = nla_len(key);
	return 0;
}

/* A service sits where its client session sits, and is of its type. */
static int parse_service(struct resmon_net *rn, struct parsed *p,
			 struct resmon_request *req)
{
	struct resmon_session *parent;

	if (!p->tb[RESMON_A_REQUEST_ON_ID]) {
		p->extack._msg = "a service needs the id of its client session";
		return -EINVAL;
	}
	parent = resmon_session_find(rn,
				     nla_get_u32(p->tb[RESMON_A_REQUEST_ON_ID]));
	if (!parent) {
		bad(p, RESMON_A_REQUEST_ON_ID, "no such client session");
		return -ENOENT;
	}
	if (parent->kind != RESMON_KIND_CLIENT)
		return bad(p, RESMON_A_REQUEST_ON_ID,
			   "a service sits on a client session");
	if (p->tb[RESMON_A_REQUEST_TYPE] && req->type != parent->key.type)
		return bad(p, RESMON_A_REQUEST_TYPE,
			   "the client session is of another type");
	req->parent = parent->id;
	req->place = parent->place;
	req->type = parent->key.type;
	resmon_key_set(rn, &req->key, parent->key.ifindex, parent->key.outer,
		       parent->key.inner, req->type, req->text, req->text_len);
	req->key.parent = parent->id;
	return 0;
}

static int parse_client(struct resmon_net *rn, struct parsed *p,
			struct resmon_request *req)
{
	u16 outer, inner;
	int err;

	if (p->tb[RESMON_A_REQUEST_ON_ID])
		return bad(p, RESMON_A_REQUEST_ON_ID,
			   "only a service sits on a session");
	if (!p->tb[RESMON_A_REQUEST_TARGET]) {
		p->extack._msg = "the port or lag is missing";
		return -EINVAL;
	}
	if (!req->type) {
		if (!p->tb[RESMON_A_REQUEST_TYPE])
			p->extack._msg = "the client type is missing";
		else
			bad(p, RESMON_A_REQUEST_TYPE,
			    "a session is of one client type, not of any");
		return -EINVAL;
	}
	err = parse_place(rn, p, &req->place, &outer, &inner);
	if (err)
		return err;
	resmon_key_set(rn, &req->key,
		       req->place ? req->place->elem.id.ifindex : 0, outer,
		       inner, req->type, req->text, req->text_len);
	return 0;
}

static int parse_admit(struct batch *b, struct parsed *p,
		       struct resmon_request *req)
{
	const void *text;
	int err;

	err = only(p, ~(u32)(BIT(RESMON_A_REQUEST_ID) |
			     BIT(RESMON_A_REQUEST_ALL)));
	if (err)
		return err;
	*req = (struct resmon_request) {
		.active = p->tb[RESMON_A_REQUEST_ACTIVE],
		.priority = p->tb[RESMON_A_REQUEST_PRIORITY],
		.queues = p->tb[RESMON_A_REQUEST_QUEUES],
		.owner = p->tb[RESMON_A_REQUEST_OWNER] ?
			 b->info->snd_portid : 0,
	};
	if (p->tb[RESMON_A_REQUEST_TYPE])
		req->type = nla_get_u32(p->tb[RESMON_A_REQUEST_TYPE]);
	if (p->tb[RESMON_A_REQUEST_KIND])
		req->kind = nla_get_u32(p->tb[RESMON_A_REQUEST_KIND]);
	err = parse_key(p, &text, &req->text_len);
	if (err)
		return err;
	req->text = text;
	if (req->kind == RESMON_KIND_SERVICE)
		return parse_service(b->rn, p, req);
	return parse_client(b->rn, p, req);
}

/* ---- answers ---- */

static void fresh_release(struct batch *b)
{
	struct resmon_session *session;
	u32 i;

	spin_lock_bh(&b->rn->charge_lock);
	for (i = 0; i < b->fresh_n; i++) {
		session = resmon_session_find(b->rn, b->fresh[i]);
		if (session)
			resmon_session_end(b->rn, session);
	}
	spin_unlock_bh(&b->rn->charge_lock);
	b->fresh_n = 0;
}

static int answers_begin(struct batch *b)
{
	b->skb = genlmsg_new(ANSWERS_SIZE, GFP_KERNEL);
	if (!b->skb)
		return -ENOMEM;
	b->hdr = genlmsg_put_reply(b->skb, b->info, &resmon_genl_family, 0,
				   b->info->genlhdr->cmd);
	return 0;
}

/* A verdict that cannot be delivered takes its charge back (U6). */
static int answers_send(struct batch *b)
{
	int err;

	if (!b->skb)
		return 0;
	genlmsg_end(b->skb, b->hdr);
	err = genlmsg_reply(b->skb, b->info);
	b->skb = NULL;
	if (err) {
		fresh_release(b);
		NL_SET_ERR_MSG(b->info->extack,
			       "the answers could not be delivered");
	}
	b->fresh_n = 0;
	return err;
}

/* Before a request: room for its answer whatever it will be. */
static int answers_room(struct batch *b)
{
	int err;

	if (b->skb && skb_tailroom(b->skb) < ANSWER_SIZE) {
		err = answers_send(b);
		if (err)
			return err;
	}
	return b->skb ? 0 : answers_begin(b);
}

static void put_error(struct batch *b, const struct parsed *p, int err)
{
	struct sk_buff *skb = b->skb;

	if (nla_put_s32(skb, RESMON_A_ANSWER_ERROR, err) ||
	    (p->extack._msg &&
	     nla_put_string(skb, RESMON_A_ANSWER_MESSAGE, p->extack._msg)) ||
	    (p->extack.bad_attr &&
	     nla_put_u32(skb, RESMON_A_ANSWER_BAD_ATTR,
			 nla_type(p->extack.bad_attr))))
		WARN_ON_ONCE(1);
}

static void put_verdict(struct batch *b, const struct resmon_decision *v)
{
	struct sk_buff *skb = b->skb;

	if (nla_put_u32(skb, RESMON_A_ANSWER_VERDICT, v->verdict) ||
	    nla_put_u32(skb, RESMON_A_ANSWER_CAUSE, v->cause) ||
	    (v->refuser && resmon_nl_put_ident(skb, RESMON_A_ANSWER_TARGET,
					       &v->refuser->id)) ||
	    (v->id && nla_put_u32(skb, RESMON_A_ANSWER_ID, v->id)) ||
	    nla_put_u32(skb, RESMON_A_ANSWER_SAME, v->same) ||
	    (v->verdict != RESMON_VERDICT_ADMIT &&
	     nla_put_u32(skb, RESMON_A_ANSWER_RETRY_MS, v->retry_ms)))
		WARN_ON_ONCE(1);
}

/* ---- the commands; each returns 0 with its answer put, or an error ---- */

static int do_admit(struct batch *b, struct parsed *p)
{
	struct resmon_decision v;
	struct resmon_request req;
	int err;

	if (!b->spare)
		b->spare = resmon_session_alloc(GFP_KERNEL);

	rcu_read_lock();
	err = parse_admit(b, p, &req);
	if (!err) {
		req.spare = b->spare;
		resmon_admit(b->rn, &req, &v);
		b->spare = req.spare;
		put_verdict(b, &v);
		if (v.id && !v.same)
			b->fresh[b->fresh_n++] = v.id;
	}
	rcu_read_unlock();
	return err;
}

/* The session that a request means by its id or its key; under charge_lock. */
static struct resmon_session *session_by_key(struct resmon_net *rn,
					     struct parsed *p)
{
	struct resmon_session *session = NULL;
	struct resmon_place *place;
	struct resmon_key key;
	const void *text;
	u16 outer, inner;
	u32 type, first, last;
	u8 len;
	int err;

	err = parse_key(p, &text, &len);
	if (!err)
		err = parse_place(rn, p, &place, &outer, &inner);
	if (err)
		return ERR_PTR(err);
	first = RESMON_TYPE_PPPOE;
	last = RESMON_TYPE_MAX;
	if (p->tb[RESMON_A_REQUEST_TYPE] &&
	    nla_get_u32(p->tb[RESMON_A_REQUEST_TYPE])) {
		first = nla_get_u32(p->tb[RESMON_A_REQUEST_TYPE]);
		last = first;
	}
	for (type = first; place && !session && type <= last; type++) {
		resmon_key_set(rn, &key, place->elem.id.ifindex, outer, inner,
			       type, text, len);
		session = resmon_session_find_key(rn, &key);
	}
	if (!session) {
		bad(p, RESMON_A_REQUEST_KEY, "no session with that key");
		return ERR_PTR(-ENOENT);
	}
	return session;
}

static struct resmon_session *session_meant(struct resmon_net *rn,
					    struct parsed *p)
{
	struct nlattr *id = p->tb[RESMON_A_REQUEST_ID];
	struct resmon_session *session;

	if (!id)
		return session_by_key(rn, p);
	session = resmon_session_find(rn, nla_get_u32(id));
	if (!session) {
		bad(p, RESMON_A_REQUEST_ID, "no session with that id");
		return ERR_PTR(-ENOENT);
	}
	return session;
}

#define BY_KEY	(BIT(RESMON_A_REQUEST_KEY) | BIT(RESMON_A_REQUEST_TARGET) | \
		 BIT(RESMON_A_REQUEST_TYPE) | \
		 BIT(RESMON_A_REQUEST_VLAN_OUTER) | \
		 BIT(RESMON_A_REQUEST_VLAN_INNER))

static int do_activate(struct batch *b, struct parsed *p)
{
	struct resmon_session *session;
	int err;

	err = only(p, p->tb[RESMON_A_REQUEST_ID] ? BIT(RESMON_A_REQUEST_ID) :
						   BY_KEY);
	if (err)
		return err;
	if (!p->tb[RESMON_A_REQUEST_ID] &&
	    (!p->tb[RESMON_A_REQUEST_KEY] || !p->tb[RESMON_A_REQUEST_TARGET])) {
		p->extack._msg = "an id, or a key with its port or lag, is missing";
		return -EINVAL;
	}

	rcu_read_lock();
	spin_lock_bh(&b->rn->charge_lock);
	session = session_meant(b->rn, p);
	err = PTR_ERR_OR_ZERO(session);
	if (!err) {
		resmon_session_activate(b->rn, session);
		if (nla_put_u32(b->skb, RESMON_A_ANSWER_ID, session->id))
			WARN_ON_ONCE(1);
	}
	spin_unlock_bh(&b->rn->charge_lock);
	rcu_read_unlock();
	return err;
}

/* All sessions of an element, of a client type if one is given. */
static int release_filter(struct batch *b, struct parsed *p, u32 *released)
{
	struct nlattr *target = p->tb[RESMON_A_REQUEST_TARGET];
	struct resmon_session_filter filter = { .state = -1 };
	int err = 0;

	if (!target && !p->tb[RESMON_A_REQUEST_ALL]) {
		p->extack._msg = "an id, a key, a target or all is missing";
		return -EINVAL;
	}
	err = only(p, BIT(RESMON_A_REQUEST_TYPE) |
		   BIT(target ? RESMON_A_REQUEST_TARGET :
				RESMON_A_REQUEST_ALL));
	if (err)
		return err;
	if (p->tb[RESMON_A_REQUEST_TYPE])
		filter.type = nla_get_u32(p->tb[RESMON_A_REQUEST_TYPE]);

	mutex_lock(&b->rn->config_lock);
	if (target) {
		filter.elem = resmon_nl_element(b->rn, target, &p->extack);
		err = PTR_ERR_OR_ZERO(filter.elem);
	}
	if (!err)
		*released = resmon_session_end_filter(b->rn, &filter);
	mutex_unlock(&b->rn->config_lock);
	return err;
}

static int release_one(struct batch *b, struct parsed *p, u32 *released)
{
	struct resmon_session *session;
	int err;

	err = only(p, p->tb[RESMON_A_REQUEST_ID] ? BIT(RESMON_A_REQUEST_ID) :
						   BY_KEY);
	if (err)
		return err;
	if (p->tb[RESMON_A_REQUEST_KEY] && !p->tb[RESMON_A_REQUEST_TARGET])
		return bad(p, RESMON_A_REQUEST_KEY,
			   "a key needs its port or lag");

	rcu_read_lock();
	spin_lock_bh(&b->rn->charge_lock);
	session = session_meant(b->rn, p);
	err = PTR_ERR_OR_ZERO(session);
	if (!err)
		*released = resmon_session_end(b->rn, session);
	spin_unlock_bh(&b->rn->charge_lock);
	rcu_read_unlock();
	return err;
}

static int do_release(struct batch *b, struct parsed *p)
{
	u32 released = 0;
	int err;

	if (p->tb[RESMON_A_REQUEST_ID] || p->tb[RESMON_A_REQUEST_KEY])
		err = release_one(b, p, &released);
	else
		err = release_filter(b, p, &released);
	if (!err && nla_put_u32(b->skb, RESMON_A_ANSWER_RELEASED, released))
		WARN_ON_ONCE(1);
	return err;
}

static int do_import(struct batch *b, struct parsed *p)
{
	struct resmon_place *place;
	struct resmon_decision v;
	u16 outer, inner;
	int err;

	err = resmon_nl_import_check(p->tb, &p->extack);
	if (err)
		return err;

	rcu_read_lock();
	err = parse_place(b->rn, p, &place, &outer, &inner);
	if (!err && !place && p->extack._msg) {
		err = -ENODEV;
	} else if (!err && !place) {
		bad(p, RESMON_A_REQUEST_TARGET, "the net device is not a port");
		err = -ENOENT;
	}
	if (!err)
		err = resmon_nl_import(b->rn, place, outer, inner, p->nest,
				       p->tb, &v, &p->extack);
	if (!err)
		put_verdict(b, &v);
	rcu_read_unlock();
	return err;
}

static int batch_one(struct batch *b, const struct nlattr *attr,
		     int (*act)(struct batch *b, struct parsed *p))
{
	struct parsed p = { .nest = attr };
	struct nlattr *nest;
	int err;

	err = answers_room(b);
	if (err)
		return err;
	nest = nla_nest_start(b->skb, RESMON_A_BATCH_ANSWER);
	if (WARN_ON_ONCE(!nest) ||
	    nla_put_u32(b->skb, RESMON_A_ANSWER_INDEX, b->index))
		return -EMSGSIZE;

	err = nla_parse_nested(p.tb, b->max, attr, request_policy, &p.extack);
	if (!err)
		err = act(b, &p);
	if (err && b->alone) {
		*b->info->extack = p.extack;
		return err;
	}
	if (err)
		put_error(b, &p, err);
	nla_nest_end(b->skb, nest);
	return 0;
}

/* U6: many requests in one message, each with an answer of its own. */
static int batch(struct genl_info *info, int max,
		 int (*act)(struct batch *b, struct parsed *p))
{
	const struct nlattr *attr;
	struct batch *b;
	u32 n = 0;
	int rem, err = 0;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		n++;
	if (!n)
		return resmon_nl_missing(info, RESMON_A_BATCH_REQUEST,
					 "there is no request");
	if (n > RESMON_BATCH_MAX) {
		NL_SET_ERR_MSG(info->extack,
			       "more than 512 requests in one message");
		return -E2BIG;
	}

	b = kzalloc_obj(*b, GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	b->rn = resmon_net_of(genl_info_net(info));
	b->info = info;
	b->alone = n == 1;
	b->max = max;
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		err = batch_one(b, attr, act);
		if (err)
			break;
		b->index++;
		cond_resched();
	}
	if (!err)
		err = answers_send(b);
	nlmsg_free(b->skb);
	resmon_session_free(b->spare);
	kfree(b);
	return err;
}

/**
 * resmon_nl_session_admit() - RESMON_CMD_SESSION_ADMIT
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 with the answers sent, or a negative error number.
 */
int resmon_nl_session_admit(struct sk_buff *skb, struct genl_info *info)
{
	return batch(info, RESMON_A_REQUEST_ALL, do_admit);
}

/**
 * resmon_nl_session_activate() - RESMON_CMD_SESSION_ACTIVATE
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 with the answers sent, or a negative error number.
 */
int resmon_nl_session_activate(struct sk_buff *skb, struct genl_info *info)
{
	return batch(info, RESMON_A_REQUEST_ALL, do_activate);
}

/**
 * resmon_nl_session_release() - RESMON_CMD_SESSION_RELEASE
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 with the answers sent, or a negative error number.
 */
int resmon_nl_session_release(struct sk_buff *skb, struct genl_info *info)
{
	return batch(info, RESMON_A_REQUEST_ALL, do_release);
}

/**
 * resmon_nl_session_import() - RESMON_CMD_SESSION_IMPORT
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 with the answers sent, or a negative error number.
 */
int resmon_nl_session_import(struct sk_buff *skb, struct genl_info *info)
{
	return batch(info, RESMON_A_REQUEST_MAX, do_import);
}

/* ---- show ---- */

static int fill_session(struct sk_buff *skb, struct resmon_net *rn,
			const void *obj)
{
	const struct resmon_session *session = obj;
	const struct resmon_extra *extra = READ_ONCE(session->extra);
	u32 now = ktime_get_boottime_seconds();
	u32 deadline = READ_ONCE(session->deadline);
	u8 buffer[RESMON_KEY_LEN];
	const void *text;
	u8 len;

	text = resmon_session_text(session, buffer, &len);
	if (nla_put_u32(skb, RESMON_A_SESSION_ID, session->id) ||
	    resmon_nl_put_ident(skb, RESMON_A_SESSION_TARGET,
				&session->place->elem.id) ||
	    nla_put_u32(skb, RESMON_A_SESSION_TYPE, session->key.type) ||
	    nla_put_u32(skb, RESMON_A_SESSION_KIND, session->kind) ||
	    nla_put_u32(skb, RESMON_A_SESSION_STATE,
			READ_ONCE(session->state)) ||
	    (text && nla_put(skb, RESMON_A_SESSION_KEY, len, text)) ||
	    (session->key.outer &&
	     nla_put_u32(skb, RESMON_A_SESSION_VLAN_OUTER,
			 session->key.outer)) ||
	    (session->key.inner &&
	     nla_put_u32(skb, RESMON_A_SESSION_VLAN_INNER,
			 session->key.inner)) ||
	    (session->key.parent &&
	     nla_put_u32(skb, RESMON_A_SESSION_ON_ID, session->key.parent)) ||
	    nla_put_u32(skb, RESMON_A_SESSION_AGE, now - session->since) ||
	    (deadline &&
	     nla_put_u32(skb, RESMON_A_SESSION_EXPIRES,
			 (s32)(deadline - now) > 0 ? deadline - now : 0)) ||
	    (extra && extra->portid &&
	     nla_put_u32(skb, RESMON_A_SESSION_OWNER_ID, extra->portid)))
		return -EMSGSIZE;
	return 0;
}

/**
 * resmon_nl_session_get() - RESMON_CMD_SESSION_GET for one session
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_session_get(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *id = info->attrs[RESMON_A_SESSION_ID];
	struct resmon_session *session;
	struct sk_buff *reply;
	int err;
	void *hdr;

	err = resmon_nl_only(info->attrs, RESMON_A_SESSION_STATE,
			     BIT(RESMON_A_SESSION_ID), info->extack);
	if (err)
		return err;
	if (!id)
		return resmon_nl_missing(info, RESMON_A_SESSION_ID,
					 "the id of the session is missing");
	reply = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	hdr = genlmsg_put_reply(reply, info, &resmon_genl_family, 0,
				RESMON_CMD_SESSION_GET);

	rcu_read_lock();
	session = resmon_session_find(rn, nla_get_u32(id));
	err = session ? fill_session(reply, rn, session) : -ENOENT;
	rcu_read_unlock();
	if (err) {
		if (!session)
			NL_SET_ERR_MSG_ATTR(info->extack, id,
					    "no session with that id");
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, hdr);
	return genlmsg_reply(reply, info);
}

/**
 * resmon_nl_session_dump() - RESMON_CMD_SESSION_GET for many
 * @skb: the dump
 * @cb: its state
 *
 * Sessions come and go all the time, so only a change of the elements makes
 * the dump one to be repeated: a session that is there all the time is met
 * exactly once.
 *
 * Return: Length of the message, 0 at the end, or a negative error number.
 */
int resmon_nl_session_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct resmon_net *rn = resmon_nl_dump_begin(cb);
	struct nlattr **attrs = resmon_dump_attrs(cb);
	struct nlattr *target = attrs[RESMON_A_SESSION_TARGET];
	struct resmon_session_filter filter = { .state = -1 };
	struct resmon_session *session;
	unsigned long index;
	int err;

	err = resmon_nl_dump_only(cb, BIT(RESMON_A_SESSION_TARGET) |
				  BIT(RESMON_A_SESSION_TYPE) |
				  BIT(RESMON_A_SESSION_STATE));
	if (err)
		return err;
	if (attrs[RESMON_A_SESSION_TYPE])
		filter.type = nla_get_u32(attrs[RESMON_A_SESSION_TYPE]);
	if (attrs[RESMON_A_SESSION_STATE])
		filter.state = nla_get_u32(attrs[RESMON_A_SESSION_STATE]);

	rcu_read_lock();
	if (target) {
		filter.elem = resmon_nl_element(rn, target, cb->extack);
		err = PTR_ERR_OR_ZERO(filter.elem);
		if (err)
			goto out;
	}
	xa_for_each_start(&rn->ids, index, session, cb->args[0]) {
		/* An entry that is on its way in has no id yet. */
		if (READ_ONCE(session->id) &&
		    resmon_session_matches(session, &filter) &&
		    resmon_nl_dump_one(skb, cb, rn, RESMON_CMD_SESSION_GET,
				       fill_session, session))
			break;
		cb->args[0] = index + 1;
	}
out:
	rcu_read_unlock();
	return err ?: skb->len;
}

/**
 * resmon_nl_session_count() - RESMON_CMD_SESSION_COUNT
 * @skb: the request
 * @info: its attributes
 *
 * Return: 0 or a negative error number.
 */
int resmon_nl_session_count(struct sk_buff *skb, struct genl_info *info)
{
	struct resmon_net *rn = resmon_net_of(genl_info_net(info));
	struct nlattr *target = info->attrs[RESMON_A_SESSION_TARGET];
	struct nlattr *type = info->attrs[RESMON_A_SESSION_TYPE];
	struct resmon_element *elem = &rn->chassis;
	const struct resmon_cap *cap;
	struct sk_buff *reply;
	int err = 0;
	void *hdr;

	reply = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	hdr = genlmsg_put_reply(reply, info, &resmon_genl_family, 0,
				RESMON_CMD_SESSION_COUNT);

	rcu_read_lock();
	if (target)
		elem = resmon_nl_element(rn, target, info->extack);
	if (IS_ERR(elem)) {
		err = PTR_ERR(elem);
	} else {
		cap = &elem->caps.cap[type ? nla_get_u32(type) :
					     RESMON_TYPE_ANY];
		err = nla_put_u32(reply, RESMON_A_SESSION_COUNT,
				  READ_ONCE(cap->sessions)) ?:
		      nla_put_u32(reply, RESMON_A_SESSION_COUNT_STARTING,
				  READ_ONCE(cap->starting));
	}
	rcu_read_unlock();
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, hdr);
	return genlmsg_reply(reply, info);
}
