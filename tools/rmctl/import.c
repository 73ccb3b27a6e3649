// SPDX-License-Identifier: GPL-2.0-only
/*
 * session import: sessions that are up already, from the kernel's own list or
 * from a daemon's lease file, in batches. Of thousands that are refused most are
 * for one reason, so that reasons are told, each with the first that it met.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "batch.h"
#include "import.h"
#include "leases.h"
#include "names.h"
#include "route.h"

#define PROC_PPPOE	"/proc/net/pppoe"
/* A request has at most a DUID or a circuit, a net device and some numbers. */
#define MESSAGE_SIZE	(RESMON_BATCH_MAX * 400)
/* Reasons that are told apart. */
#define REASONS		16

struct reason {
	char message[128];
	char first[80];
	__u64 n;
};

struct import {
	struct ctx *ctx;
	const struct parsed *p;
	struct target target;		/* ifname NULL: as each says */
	struct nl_sock *routes;
	__u64 now;
	struct nl_msg *msg;
	const struct lease *item[RESMON_BATCH_MAX];
	unsigned int n;
	__u64 imported;
	__u64 known;
	__u64 refused;
	struct reason reason[REASONS];
};

static void refuse(struct import *im, const struct lease *one,
		   const char *message)
{
	struct reason *reason = im->reason;

	im->refused++;
	while (reason < &im->reason[REASONS - 1] && reason->n &&
	       strcmp(reason->message, message))
		reason++;
	if (!reason->n++) {
		lease_name(one, reason->first, sizeof(reason->first));
		clean_text(reason->first);
		snprintf(reason->message, sizeof(reason->message), "%s",
			 message);
	} else if (strcmp(reason->message, message)) {
		strcpy(reason->message, "other reasons");
	}
}

static void take_answer(void *arg, struct json_object *rec)
{
	struct import *im = arg;
	__u64 index = rec_num_or(rec, "index", 0);
	struct json_object *error = rec_get(rec, "error");

	if (error && index < im->n)
		refuse(im, im->item[index], rec_word(rec, "message") ?:
		       strerror(-json_object_get_int(error)));
	else if (rec_num_or(rec, "same", 0))
		im->known++;
	else
		im->imported++;
}

static int flush(struct import *im)
{
	struct refusal refusal = { 0 };
	struct request rq = {
		.msg = im->msg, .cmd = RESMON_CMD_SESSION_IMPORT,
		.items = &im->p, .n_items = 1,
		/* The error of a message is that of its only request. */
		.refusal = im->n == 1 ? &refusal : NULL,
	};
	struct replies replies;
	int err;

	if (!im->n)
		return 0;
	replies_init(&replies);
	err = rq_do(im->ctx, &rq, &replies);
	answers_take(&replies, take_answer, im);
	replies_free(&replies);
	if (refusal.error) {
		refuse(im, im->item[0], refusal.message[0] ? refusal.message :
		       strerror(-refusal.error));
		err = 0;
	}
	nlmsg_free(im->msg);
	im->msg = NULL;
	im->n = 0;
	return err;
}

/* Where it is: as the user says, as the file says, or by its route. */
static bool find_target(struct import *im, const struct lease *one,
			struct target *target, char *ifname)
{
	int family = one->login == RESMON_LOGIN_DHCP4 ? AF_INET : AF_INET6;
	__u32 ifindex;

	*target = im->target;
	if (target->ifname)
		return true;
	target->kind = RESMON_ELEMENT_KIND_PORT;
	target->ifname = one->ifname;
	if (one->ifname[0])
		return true;
	target->ifname = ifname;
	return !route_lookup(im->routes, family, one->address, &ifindex) &&
	       if_indextoname(ifindex, ifname);
}

static int put_lease(struct import *im, const struct lease *one,
		     const struct target *target)
{
	struct nlattr *nest = nla_nest_start(im->msg, RESMON_A_BATCH_REQUEST |
					     NLA_F_NESTED);
	__u64 left = one->ends - im->now;
	int err;

	if (!nest)
		return -ENOBUFS;
	if (one->ends == NEVER || left > UINT32_MAX)
		left = UINT32_MAX;
	err = args_put_target(im->msg, RESMON_A_REQUEST_TARGET, target) ?:
	      nla_put_u32(im->msg, RESMON_A_REQUEST_LOGIN, one->login);
	if (!err && one->has_mac)
		err = nla_put(im->msg, RESMON_A_REQUEST_MAC, MAC_LEN, one->mac);
	if (!err && one->login == RESMON_LOGIN_PPPOE)
		err = nla_put_u32(im->msg, RESMON_A_REQUEST_PPPOE_ID,
				  one->pppoe_id);
	else if (!err)
		err = nla_put_u32(im->msg, RESMON_A_REQUEST_LEASE, left);
	if (!err && one->circuit_len)
		err = nla_put(im->msg, RESMON_A_REQUEST_CIRCUIT,
			      one->circuit_len, one->circuit);
	if (!err && one->login == RESMON_LOGIN_DHCP6)
		err = nla_put(im->msg, RESMON_A_REQUEST_DUID, one->duid_len,
			      one->duid) ?:
		      nla_put_u32(im->msg, RESMON_A_REQUEST_IAID, one->iaid);
	if (!err && one->prefix)
		err = nla_put_flag(im->msg, RESMON_A_REQUEST_PREFIX);
	nla_nest_end(im->msg, nest);
	return err;
}

static int import_one(struct import *im, const struct lease *one)
{
	char ifname[IF_NAMESIZE];
	struct target target;

	if (!find_target(im, one, &target, ifname)) {
		refuse(im, one, "there is no route to the address");
		return 0;
	}
	if (!im->msg)
		im->msg = rq_new(im->ctx, RESMON_CMD_SESSION_IMPORT,
				 MESSAGE_SIZE);
	if (!im->msg)
		return STATUS_REFUSED;
	if (put_lease(im, one, &target)) {
		fputs("rmctl: the requests do not fit into a message\n",
		      stderr);
		return STATUS_REFUSED;
	}
	im->item[im->n++] = one;
	return im->n == RESMON_BATCH_MAX ? flush(im) : 0;
}

static void print_json(const struct import *im)
{
	struct json_object *rec = json_object_new_object();
	struct json_object *list = json_object_new_array(), *one;
	const struct reason *reason;

	json_object_object_add(rec, "imported",
			       json_object_new_uint64(im->imported));
	json_object_object_add(rec, "known", json_object_new_uint64(im->known));
	json_object_object_add(rec, "refused",
			       json_object_new_uint64(im->refused));
	for (reason = im->reason; reason < &im->reason[REASONS] && reason->n;
	     reason++) {
		one = json_object_new_object();
		json_object_object_add(one, "message",
				       json_object_new_string(reason->message));
		json_object_object_add(one, "count",
				       json_object_new_uint64(reason->n));
		json_object_object_add(one, "first",
				       json_object_new_string(reason->first));
		json_object_array_add(list, one);
	}
	json_object_object_add(rec, "reasons", list);
	json_print(im->ctx, rec);
	json_object_put(rec);
}

static void print_sum(const struct import *im)
{
	const struct reason *reason;

	if (im->ctx->json)
		print_json(im);
	else
		printf("imported %llu, known %llu, refused %llu\n",
		       im->imported, im->known, im->refused);
	for (reason = im->reason; reason < &im->reason[REASONS] && reason->n;
	     reason++)
		fprintf(stderr, "rmctl: session import: %s (%llu, first %s)\n",
			reason->message, reason->n, reason->first);
}

/* Without PPPoE in the kernel there is no such file, and no session. */
static int read_file(const struct parsed *p, struct leases *all)
{
	const struct value *leases = args_get(p, "leases");
	const char *name = leases ? leases->text : PROC_PPPOE;
	struct lines in;
	FILE *file;
	int err;

	file = fopen(name, "re");
	if (!file && errno == ENOENT && !leases)
		return 0;
	if (!file) {
		fprintf(stderr, "rmctl: session import: %s: %s\n", name,
			strerror(errno));
		return STATUS_REFUSED;
	}
	lines_begin(&in, file);
	err = leases ? leases_read(&in, all) : leases_pppoe(&in, all);
	fclose(file);
	if (!err)
		return 0;
	fprintf(stderr, "rmctl: session import: %s: %s\n", name, in.error);
	return STATUS_REFUSED;
}

int run_import(struct ctx *ctx, const struct parsed *p)
{
	struct import im = { .ctx = ctx, .p = p, .now = time(NULL) };
	struct leases all = { 0 };
	unsigned int i;
	int err;

	for (i = 0; p->command->args[i].type; i++)
		if (p->command->args[i].type == ARG_TARGET &&
		    p->values[i].given)
			im.target = p->values[i].target;
	err = read_file(p, &all);
	leases_valid(&all, im.now);
	if (!err)
		err = link_open(ctx);
	if (!err) {
		im.routes = route_open();
		if (!im.routes) {
			fputs("rmctl: netlink: routes cannot be asked for\n",
			      stderr);
			err = STATUS_REFUSED;
		}
	}
	for (i = 0; !err && i < all.n; i++)
		err = import_one(&im, &all.list[i]);
	if (!err)
		err = flush(&im);
	if (!err) {
		print_sum(&im);
		err = out_check();
	}
	nlmsg_free(im.msg);
	nl_socket_free(im.routes);
	leases_free(&all);
	return err || im.refused ? STATUS_REFUSED : 0;
}
