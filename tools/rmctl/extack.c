// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel says when it refuses. libnl-3 knows nothing of extended
 * acks: the sentence, the offset of the attribute at fault in the request we
 * sent, or the type of one that is missing.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <netlink/genl/genl.h>

#include "names.h"
#include "nl.h"

/* Where an offset in a request leads. */
struct place {
	const struct attr_set *set;	/* the set the attribute is of */
	const struct attr *attr;
	unsigned int top;		/* the attribute the words are of */
	unsigned int item;		/* which request of a batch */
	char path[96];
};

static const struct attr *attr_info(const struct attr_set *set,
				    unsigned int type)
{
	if (!set || type > set->max || !set->attrs[type].name)
		return NULL;
	return &set->attrs[type];
}

static void path_add(struct place *at, const char *name)
{
	size_t used = strlen(at->path);

	snprintf(at->path + used, sizeof(at->path) - used, "%s%s",
		 used ? "." : "", name);
}

/* Follows @offset (from the start of the message) down the nests. */
static bool place_find(const struct request *rq, __u32 offset,
		       struct place *at)
{
	struct nlattr *attrs, *nla;
	bool in_batch = false, again;
	struct genlmsghdr *hdr;
	struct nlmsghdr *nlh;
	int len, rem;

	memset(at, 0, sizeof(*at));
	if (!rq->msg)
		return false;
	nlh = nlmsg_hdr(rq->msg);
	hdr = genlmsg_hdr(nlh);
	attrs = genlmsg_attrdata(hdr, 0);
	len = genlmsg_attrlen(hdr, 0);
	at->set = rq->cmd <= ops_max ? ops[rq->cmd].set : NULL;
	do {
		unsigned int n = 0;

		again = false;
		nla_for_each_attr(nla, attrs, len, rem) {
			__u32 start = (char *)nla - (char *)nlh;
			bool request = at->set == &set_batch;

			if (offset >= start + nla->nla_len) {
				n++;
				continue;
			}
			if (offset < start)
				return false;
			at->attr = attr_info(at->set, nla_type(nla));
			if (!at->attr)
				return false;
			if (request) {
				at->item = n;
				in_batch = true;
			} else {
				path_add(at, at->attr->name);
				if (!at->top)
					at->top = nla_type(nla);
			}
			if (offset == start || !at->attr->set)
				return true;
			at->set = at->attr->set;
			attrs = nla_data(nla);
			len = nla_len(nla);
			again = true;
			break;
		}
	} while (again);
	return in_batch;
}

/* The range that the kernel's policy allows, when it says so. */
static void range_print(const struct nlattr *policy)
{
	const struct nlattr *nla;
	__u64 min = 0, max = 0;
	bool have_min = false, have_max = false;
	int rem;

	nla_for_each_nested(nla, policy, rem) {
		if (nla_len(nla) < 8)
			continue;
		if (nla_type(nla) == NL_POLICY_TYPE_ATTR_MIN_VALUE_U) {
			min = nla_get_u64(nla);
			have_min = true;
		} else if (nla_type(nla) == NL_POLICY_TYPE_ATTR_MAX_VALUE_U) {
			max = nla_get_u64(nla);
			have_max = true;
		}
	}
	if (have_min && have_max && max != UINT32_MAX && max != UINT64_MAX)
		fprintf(stderr, ", allowed %llu..%llu",
			(unsigned long long)min, (unsigned long long)max);
}

/* The words of the user and the attribute they became: 'max 7' (max-sessions) */
void fault_words(const struct parsed *p, unsigned int attr, const char *name)
{
	char words[256] = "";

	if (!attr)
		return;
	if (p)
		args_words(p, attr, words, sizeof(words));
	clean_text(words);
	if (!name && attr <= set_request.max)
		name = set_request.attrs[attr].name;
	if (words[0])
		fprintf(stderr, ": '%s'", words);
	if (name)
		fprintf(stderr, words[0] ? " (%s)" : ": %s", name);
}

static void fault_print(const struct request *rq, const struct place *at)
{
	const struct parsed *p = at->item < rq->n_items ?
				 rq->items[at->item] : NULL;

	fault_words(p, at->top, at->path);
	if (rq->n_items > 1)
		fprintf(stderr, " in request %u", at->item);
}

static void missing_print(const struct request *rq, __u32 type,
			  const struct nlattr *nest)
{
	const struct attr_set *set = rq->cmd <= ops_max ? ops[rq->cmd].set :
							  NULL;
	const struct attr *attr;
	struct place at;

	if (nest) {
		if (!place_find(rq, nla_get_u32(nest), &at) || !at.attr)
			return;
		set = at.attr->set;
	}
	attr = attr_info(set, type);
	if (attr)
		fprintf(stderr, ": %s is missing", attr->name);
}

static const char *hint(int error)
{
	return error == -EPERM ? " (are you root?)" : "";
}

/* @error 0 is a warning. Everything goes into one line. */
void extack_print(const struct request *rq, int error,
		  const struct nlattr *tlvs, int len)
{
	const struct nlattr *msg = NULL, *offs = NULL, *policy = NULL;
	const struct nlattr *miss = NULL, *nest = NULL, *nla;
	const struct parsed *p = rq->n_items ? rq->items[0] : NULL;
	struct place at;
	int rem;

	if (tlvs && len > 0)
		nla_for_each_attr(nla, tlvs, len, rem)
			switch (nla_type(nla)) {
			case NLMSGERR_ATTR_MSG:
				msg = nla;
				break;
			case NLMSGERR_ATTR_OFFS:
				offs = nla_len(nla) == 4 ? nla : NULL;
				break;
			case NLMSGERR_ATTR_POLICY:
				policy = nla;
				break;
			case NLMSGERR_ATTR_MISS_TYPE:
				miss = nla_len(nla) == 4 ? nla : NULL;
				break;
			case NLMSGERR_ATTR_MISS_NEST:
				nest = nla_len(nla) == 4 ? nla : NULL;
				break;
			}
	if (!error && !msg)
		return;
	if (error && rq->refusal) {
		rq->refusal->error = error;
		snprintf(rq->refusal->message, sizeof(rq->refusal->message),
			 "%.*s", msg ? (int)strnlen(nla_data(msg), nla_len(msg)) :
			 0, msg ? (const char *)nla_data(msg) : "");
		return;
	}
	fprintf(stderr, "rmctl: ");
	if (p)
		fprintf(stderr, "%s%s%s: ", p->object->name,
			p->command->name ? " " : "",
			p->command->name ? p->command->name : "");
	else if (rq->cmd <= ops_max && ops[rq->cmd].name)
		fprintf(stderr, "%s: ", ops[rq->cmd].name);
	if (!error)
		fprintf(stderr, "warning: ");
	if (msg) {
		int n = strnlen(nla_data(msg), nla_len(msg));

		fprintf(stderr, "%.*s", n, (const char *)nla_data(msg));
	} else {
		fprintf(stderr, "%s%s", strerror(-error), hint(error));
	}
	if (offs && place_find(rq, nla_get_u32(offs), &at)) {
		fault_print(rq, &at);
		if (policy)
			range_print(policy);
	} else if (miss) {
		missing_print(rq, nla_get_u32(miss), nest);
	}
	fputc('\n', stderr);
}
