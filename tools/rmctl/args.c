// SPDX-License-Identifier: GPL-2.0-only
/* From words to values. */

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "names.h"
#include "rmctl.h"

int usage_error(const struct parsed *p, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "rmctl: %s", p->where);
	if (p->object)
		fprintf(stderr, "%s%s%s: ", p->object->name,
			p->command && p->command->name ? " " : "",
			p->command && p->command->name ? p->command->name : "");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	if (p->object)
		usage_print(stderr, p->object, p->command);
	return STATUS_USAGE;
}

static int bad_number(const struct parsed *p, const char *word, int err,
		      const char *meta)
{
	if (err == -ERANGE)
		return usage_error(p, "'%s' is too large for %s", word, meta);
	return usage_error(p, "'%s' is not a number (%s)", word, meta);
}

/* N/M, MIN:MAX, V.V */
static int parse_pair(const char *text, char sep, __u64 *num, __u64 *num2)
{
	const char *at = strchr(text, sep);
	char first[32];
	int err;

	if (!at || (size_t)(at - text) >= sizeof(first))
		return -EINVAL;
	memcpy(first, text, at - text);
	first[at - text] = '\0';
	err = parse_u64(first, UINT32_MAX, num);
	if (err)
		return err;
	return parse_u64(at + 1, UINT32_MAX, num2);
}

static int parse_list(const char *text)
{
	unsigned int n = 0;

	for (;;) {
		size_t len = strcspn(text, ",");
		char one[32];
		__u64 num;
		int err;

		if (len >= sizeof(one) || ++n > LIST_MAX)
			return -EINVAL;
		memcpy(one, text, len);
		one[len] = '\0';
		err = parse_u64(one, UINT32_MAX, &num);
		if (err)
			return err;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

/* TARGET is one word (chassis) or two; returns how many it took. */
static int parse_target(const struct parsed *p, const struct arg *arg,
			int argc, char * const *argv, struct target *target)
{
	const char *word = argv[0];
	__u64 num = 0, num2 = 0;
	int kind, err;

	kind = names_find(&names_element_kind, word);
	if (kind < 0 || !(arg->elements & (1u << kind))) {
		usage_error(p, "'%s' is no %s", word, arg_meta(arg));
		return -1;
	}
	target->kind = kind;
	if (kind == RESMON_ELEMENT_KIND_CHASSIS)
		return 1;
	if (argc < 2) {
		usage_error(p, "'%s' needs a name after it", word);
		return -1;
	}
	word = argv[1];
	switch (kind) {
	case RESMON_ELEMENT_KIND_DEVICE:
		err = parse_u64(word, UINT32_MAX, &num);
		if (err) {
			bad_number(p, word, err, "device N");
			return -1;
		}
		break;
	case RESMON_ELEMENT_KIND_MIC:
		if (parse_pair(word, '/', &num, &num2)) {
			usage_error(p, "'%s' is not of the form N/M", word);
			return -1;
		}
		break;
	default:
		if (!*word) {
			usage_error(p, "the name of a net device is empty");
			return -1;
		}
		target->ifname = word;
		break;
	}
	target->device = num;
	target->mic = num2;
	return 2;
}

/* V[.V], each of which must fit into two bytes. */
static int parse_vlan(const char *text, struct value *v)
{
	int err;

	v->pair = strchr(text, '.');
	if (v->pair)
		err = parse_pair(text, '.', &v->num, &v->num2);
	else
		err = parse_u64(text, UINT16_MAX, &v->num);
	if (!err && (v->num > UINT16_MAX || v->num2 > UINT16_MAX))
		err = -ERANGE;
	return err;
}

/* A kind and, but for none, what it is; returns how many words it took. */
static int parse_priority(const struct parsed *p, const struct arg *arg,
			  int argc, char * const *argv, struct value *v)
{
	int kind = names_find(arg->names, argv[0]);
	unsigned char mac[6];
	int err = 0;

	if (kind < 0) {
		usage_error(p, "'%s' is not one of %s", argv[0], arg_meta(arg));
		return -1;
	}
	v->kind = kind;
	if (kind == RESMON_PRIORITY_NONE)
		return 1;
	if (argc < 2) {
		usage_error(p, "'%s' needs a value after it", argv[0]);
		return -1;
	}
	v->text = argv[1];
	if (kind == RESMON_PRIORITY_VLAN)
		err = parse_vlan(v->text, v);
	else if (kind == RESMON_PRIORITY_MAC)
		err = parse_mac(v->text, mac);
	if (err) {
		usage_error(p, "'%s' is no %s", v->text, argv[0]);
		return -1;
	}
	return 2;
}

/* Whether a bare value can be meant by @word. */
static bool arg_accepts(const struct arg *arg, const char *word)
{
	__u64 num, num2;
	int kind;

	switch (arg->type) {
	case ARG_U32:
		return !parse_u64(word, UINT32_MAX, &num);
	case ARG_WORD:
		return names_find(arg->names, word) >= 0;
	case ARG_SWITCH:
		return !strcmp(word, "on") || !strcmp(word, "off");
	case ARG_TARGET:
		kind = names_find(&names_element_kind, word);
		return kind >= 0 && arg->elements & (1u << kind);
	case ARG_MIC:
		return !parse_pair(word, '/', &num, &num2);
	case ARG_TEXT:
	case ARG_KEY:
		return true;
	default:
		return false;
	}
}

static int parse_value(const struct parsed *p, const struct arg *arg,
		       struct value *v, const char *word)
{
	const char *meta = arg_meta(arg);
	int err = 0, n;

	switch (arg->type) {
	case ARG_U32:
		err = parse_u64(word, UINT32_MAX, &v->num);
		break;
	case ARG_U64:
		err = parse_u64(word, UINT64_MAX, &v->num);
		break;
	case ARG_SECONDS_OFF:
		err = strcmp(word, "off") ?
			parse_u64(word, UINT32_MAX, &v->num) : 0;
		break;
	case ARG_MS:
		err = parse_milli(word, 1000, UINT32_MAX, &v->num);
		break;
	case ARG_LIST:
		err = parse_list(word);
		break;
	case ARG_SWITCH:
		if (strcmp(word, "on") && strcmp(word, "off"))
			return usage_error(p, "'%s' is neither on nor off",
					   word);
		v->num = !strcmp(word, "on");
		break;
	case ARG_WORD:
		n = names_find(arg->names, word);
		if (n < 0)
			return usage_error(p, "'%s' is not one of %s", word,
					   meta);
		v->num = n;
		break;
	case ARG_RANGE:
		if (parse_pair(word, ':', &v->num, &v->num2))
			return usage_error(p, "'%s' is not of the form %s",
					   word, meta);
		break;
	case ARG_MIC:
		if (parse_pair(word, '/', &v->num, &v->num2))
			return usage_error(p, "'%s' is not of the form %s",
					   word, meta);
		break;
	case ARG_VLAN:
		v->num2 = 0;
		if (!strchr(word, '.'))
			err = parse_u64(word, UINT32_MAX, &v->num);
		else if (parse_pair(word, '.', &v->num, &v->num2))
			return usage_error(p, "'%s' is not of the form %s",
					   word, meta);
		break;
	default:
		break;
	}
	if (err)
		return bad_number(p, word, err, meta);
	v->text = word;
	return 0;
}

/* Takes the words of one argument; returns how many, or a negative number. */
static int take(struct parsed *p, unsigned int i, int argc, char * const *argv)
{
	const struct arg *arg = &p->command->args[i];
	struct value *v = &p->values[i];
	int n = 0;

	if (v->given) {
		usage_error(p, "'%s' is given twice", argv[0]);
		return -1;
	}
	v->given = true;
	v->words = argv;
	if (arg->word)
		n++;
	if (arg->type == ARG_FLAG || arg->type == ARG_ONE) {
		v->num = 1;
		v->n_words = n;
		return n;
	}
	if (n >= argc) {
		usage_error(p, "'%s' needs %s after it", argv[0],
			    arg_meta(arg));
		return -1;
	}
	if (arg->type == ARG_TARGET) {
		int m = parse_target(p, arg, argc - n, argv + n, &v->target);

		if (m < 0)
			return m;
		n += m;
	} else if (arg->type == ARG_PRIORITY) {
		int m = parse_priority(p, arg, argc - n, argv + n, v);

		if (m < 0)
			return m;
		n += m;
	} else {
		if (parse_value(p, arg, v, argv[n]))
			return -1;
		n++;
	}
	v->n_words = n;
	return n;
}

/* Which argument @word begins, or -1. */
static int which(const struct parsed *p, const char *word)
{
	const struct arg *args = p->command->args;
	unsigned int i;

	/* What must come first comes first, whatever it looks like. */
	for (i = 0; args[i].type && !args[i].word && args[i].flags & ARG_MUST;
	     i++)
		if (!p->values[i].given)
			return i;
	for (i = 0; args[i].type; i++)
		if (args[i].word && !strcmp(args[i].word, word))
			return i;
	for (i = 0; args[i].type; i++)
		if (!args[i].word && !p->values[i].given &&
		    arg_accepts(&args[i], word))
			return i;
	/* For a better message than "unexpected". */
	for (i = 0; args[i].type; i++)
		if (!args[i].word && !p->values[i].given &&
		    args[i].flags & ARG_MUST)
			return i;
	return -1;
}

const struct arg no_args[] = { { 0 } };

int args_parse(struct parsed *p, int argc, char * const *argv)
{
	const struct arg *args = p->command->args;
	const char *wrong;
	int i, n;

	if (!args) {
		if (argc)
			return usage_error(p, "unexpected word '%s'", argv[0]);
		args = no_args;
	}
	if (p->command->stdin_ok && argc == 1 && !strcmp(argv[0], "-") &&
	    !*p->where) {
		p->from_stdin = true;
		return 0;
	}
	for (; argc; argc -= n, argv += n) {
		i = which(p, argv[0]);
		if (i < 0)
			return usage_error(p, "unexpected word '%s'", argv[0]);
		n = take(p, i, argc, argv);
		if (n < 0)
			return STATUS_USAGE;
	}
	for (i = 0; args[i].type; i++)
		if (args[i].flags & ARG_MUST && !p->values[i].given)
			return usage_error(p, "%s%s%s is missing",
					   args[i].word ? args[i].word : "",
					   args[i].word ? " " : "",
					   arg_meta(&args[i]));
	wrong = p->command->check ? p->command->check(p) : NULL;
	if (wrong)
		return usage_error(p, "%s", wrong);
	return 0;
}

/* By keyword, or by what help calls a bare value. NULL when not given. */
const struct value *args_get(const struct parsed *p, const char *name)
{
	const struct arg *args = p->command->args ?: no_args;
	unsigned int i;

	for (i = 0; args[i].type; i++) {
		const char *own = args[i].word ?: args[i].meta;

		if (own && !strcmp(own, name))
			return p->values[i].given ? &p->values[i] : NULL;
	}
	return NULL;
}

__u64 args_num(const struct parsed *p, const char *name, __u64 otherwise)
{
	const struct value *v = args_get(p, name);

	return v ? v->num : otherwise;
}

bool args_any_attr(const struct parsed *p)
{
	const struct arg *args = p->command->args ?: no_args;
	unsigned int i;

	for (i = 0; args[i].type; i++)
		if (args[i].attr && p->values[i].given)
			return true;
	return false;
}

/* What the user typed for @attr; empty when nothing. */
void args_words(const struct parsed *p, unsigned int attr, char *buf,
		size_t len)
{
	const struct arg *args = p->command->args ?: no_args;
	size_t used = 0;
	unsigned int i;
	int n;

	buf[0] = '\0';
	for (i = 0; args[i].type; i++) {
		const struct value *v = &p->values[i];

		if (!v->given || (args[i].attr != attr && args[i].attr2 != attr))
			continue;
		for (n = 0; n < v->n_words && used < len; n++)
			used += snprintf(buf + used, len - used, "%s%s",
					 n ? " " : "", v->words[n]);
		return;
	}
}
