// SPDX-License-Identifier: GPL-2.0-only
/* From values to attributes. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include "args.h"
#include "rmctl.h"

int args_put_target(struct nl_msg *msg, unsigned int attr,
		    const struct target *target)
{
	/* The flag is set by hand: libnl before 3.5 does not. */
	struct nlattr *nest = nla_nest_start(msg, attr | NLA_F_NESTED);
	int err;

	if (!nest)
		return -ENOBUFS;
	err = nla_put_u32(msg, RESMON_A_TARGET_KIND, target->kind);
	if (!err && (target->kind == RESMON_ELEMENT_KIND_DEVICE ||
		     target->kind == RESMON_ELEMENT_KIND_MIC))
		err = nla_put_u32(msg, RESMON_A_TARGET_DEVICE, target->device);
	if (!err && target->kind == RESMON_ELEMENT_KIND_MIC)
		err = nla_put_u32(msg, RESMON_A_TARGET_MIC, target->mic);
	if (!err && target->ifname)
		err = nla_put_string(msg, RESMON_A_TARGET_IFNAME,
				     target->ifname);
	if (err)
		return -ENOBUFS;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_key(struct nl_msg *msg, unsigned int attr, const char *text,
		   const char *suffix)
{
	char key[4096];
	int len;

	len = snprintf(key, sizeof(key), "%s%s", text, suffix ? suffix : "");
	if (len >= (int)sizeof(key))
		return -ENOBUFS;
	return nla_put(msg, attr, len, key);
}

static int put_list(struct nl_msg *msg, unsigned int attr, const char *text)
{
	int err = 0;

	for (;;) {
		/* parse_list() has looked at every character. */
		err = nla_put_u32(msg, attr, strtoul(text, NULL, 10));
		text = strchr(text, ',');
		if (err || !text)
			return err;
		text++;
	}
}

/* As the frames carry it. */
static int put_priority(struct nl_msg *msg, const struct arg *arg,
			const struct value *v)
{
	const unsigned char vlan[] = {
		v->num >> 8, v->num, v->num2 >> 8, v->num2
	};
	unsigned char mac[6];
	int err;

	err = nla_put_u32(msg, arg->attr, v->kind);
	if (err)
		return err;
	switch (v->kind) {
	case RESMON_PRIORITY_NONE:
		return 0;
	case RESMON_PRIORITY_VLAN:
		return nla_put(msg, arg->attr2, v->pair ? 4 : 2, vlan);
	case RESMON_PRIORITY_MAC:
		/* parse_priority() has looked at every character. */
		parse_mac(v->text, mac);
		return nla_put(msg, arg->attr2, sizeof(mac), mac);
	default:
		return nla_put(msg, arg->attr2, strlen(v->text), v->text);
	}
}

static int put_value(struct nl_msg *msg, const struct arg *arg,
		     const struct value *v, const char *suffix)
{
	switch (arg->type) {
	case ARG_U64:
		return nla_put_u64(msg, arg->attr, v->num);
	case ARG_TEXT:
		return nla_put_string(msg, arg->attr, v->text);
	case ARG_KEY:
		return put_key(msg, arg->attr, v->text, suffix);
	case ARG_FLAG:
		return nla_put_flag(msg, arg->attr);
	case ARG_TARGET:
		return args_put_target(msg, arg->attr, &v->target);
	case ARG_LIST:
		return put_list(msg, arg->attr, v->text);
	case ARG_PRIORITY:
		return put_priority(msg, arg, v);
	case ARG_RANGE:
	case ARG_MIC:
		return nla_put_u32(msg, arg->attr, v->num) ?:
		       nla_put_u32(msg, arg->attr2, v->num2);
	case ARG_VLAN:
		if (!strchr(v->text, '.'))
			return nla_put_u32(msg, arg->attr, v->num);
		return nla_put_u32(msg, arg->attr, v->num) ?:
		       nla_put_u32(msg, arg->attr2, v->num2);
	default:
		return nla_put_u32(msg, arg->attr, v->num);
	}
}

/* All that is for the kernel; @suffix goes behind a key. */
int args_put(struct nl_msg *msg, const struct parsed *p, const char *suffix)
{
	const struct arg *args = p->command->args ?: no_args;
	unsigned int i;

	for (i = 0; args[i].type; i++)
		if (args[i].attr && p->values[i].given &&
		    put_value(msg, &args[i], &p->values[i], suffix))
			return -ENOBUFS;
	return 0;
}
