// SPDX-License-Identifier: GPL-2.0-only
/* From attributes to records, by the tables of the specification. */

#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "out.h"

static struct json_object *decode_string(const struct nlattr *nla)
{
	char *text = strndup(nla_data(nla), nla_len(nla));
	struct json_object *value;

	if (!text)
		return NULL;
	clean_text(text);
	value = json_object_new_string(text);
	free(text);
	return value;
}

static struct json_object *decode_key(const struct nlattr *nla)
{
	char text[1024];

	key_text(nla_data(nla), nla_len(nla), text, sizeof(text));
	return json_object_new_string(text);
}

/* A value from a newer kernel has no word: its number stands for it. */
static struct json_object *decode_u32(const struct attr *attr, __u32 num)
{
	const char *word = attr->names ? names_word(attr->names, num) : NULL;

	if (word)
		return json_object_new_string(word);
	return json_object_new_uint64(num);
}

static struct json_object *decode_value(const struct attr *attr,
					const struct nlattr *nla)
{
	int len = nla_len(nla);

	switch (attr->type) {
	case ATTR_U32:
		return len >= 4 ? decode_u32(attr, nla_get_u32(nla)) : NULL;
	case ATTR_S32:
		return len >= 4 ? json_object_new_int(nla_get_s32(nla)) : NULL;
	case ATTR_U64:
		return len >= 8 ? json_object_new_uint64(nla_get_u64(nla)) :
				  NULL;
	case ATTR_STRING:
		return decode_string(nla);
	case ATTR_BINARY:
		return decode_key(nla);
	case ATTR_FLAG:
		return json_object_new_boolean(1);
	case ATTR_NEST:
		return decode(attr->set, nla_data(nla), len);
	default:
		return NULL;
	}
}

static void add_multi(struct json_object *rec, const char *name,
		      struct json_object *value)
{
	struct json_object *list;

	if (!json_object_object_get_ex(rec, name, &list)) {
		list = json_object_new_array();
		json_object_object_add(rec, name, list);
	}
	json_object_array_add(list, value);
}

/* Attributes that this tool does not know are left out. */
struct json_object *decode(const struct attr_set *set,
			   const struct nlattr *attrs, int len)
{
	struct json_object *rec = json_object_new_object();
	const struct nlattr *nla;
	int rem;

	nla_for_each_attr(nla, attrs, len, rem) {
		unsigned int type = nla_type(nla);
		struct json_object *value;
		const struct attr *attr;

		if (type > set->max)
			continue;
		attr = &set->attrs[type];
		value = decode_value(attr, nla);
		if (!value)
			continue;
		if (attr->multi)
			add_multi(rec, attr->name, value);
		else
			json_object_object_add(rec, attr->name, value);
	}
	return rec;
}

struct json_object *decode_reply(const struct reply *reply)
{
	if (reply->cmd > ops_max || !ops[reply->cmd].set)
		return json_object_new_object();
	return decode(ops[reply->cmd].set, reply->attrs, reply->len);
}

struct json_object *rec_get(struct json_object *rec, const char *field)
{
	struct json_object *value;

	return json_object_object_get_ex(rec, field, &value) ? value : NULL;
}

bool rec_num(struct json_object *rec, const char *field, __u64 *num)
{
	struct json_object *value = rec_get(rec, field);

	if (!value)
		return false;
	*num = json_object_get_uint64(value);
	return true;
}

__u64 rec_num_or(struct json_object *rec, const char *field,
		 __u64 otherwise)
{
	__u64 num;

	return rec_num(rec, field, &num) ? num : otherwise;
}

const char *rec_word(struct json_object *rec, const char *field)
{
	struct json_object *value = rec_get(rec, field);

	return value ? json_object_get_string(value) : NULL;
}
