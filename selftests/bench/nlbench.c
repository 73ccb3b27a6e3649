// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many admissions and releases a second one process gets over netlink.
 *
 * usage: nlbench DEV BATCH ROUNDS	prints pairs a second
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <net/if.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include <linux/resmon.h>

static __u32 ids[RESMON_BATCH_MAX];
static int ids_n;
static int acked;

static void die(const char *what)
{
	fprintf(stderr, "nlbench: %s\n", what);
	exit(1);
}

static int got(struct nl_msg *msg, void *arg)
{
	struct genlmsghdr *hdr = genlmsg_hdr(nlmsg_hdr(msg));
	struct nlattr *attr, *tb[RESMON_A_ANSWER_MAX + 1];
	int rem;

	(void)arg;
	if (hdr->cmd != RESMON_CMD_SESSION_ADMIT)
		return NL_OK;
	nla_for_each_attr(attr, genlmsg_attrdata(hdr, 0),
			  genlmsg_attrlen(hdr, 0), rem) {
		if (nla_type(attr) != RESMON_A_BATCH_ANSWER)
			continue;
		nla_parse_nested(tb, RESMON_A_ANSWER_MAX, attr, NULL);
		if (!tb[RESMON_A_ANSWER_ID])
			die("a request was refused");
		ids[ids_n++] = nla_get_u32(tb[RESMON_A_ANSWER_ID]);
	}
	return NL_OK;
}

static int got_ack(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	acked = 1;
	return NL_STOP;
}

/* The answers come first, in one read or in several, and then the ack. */
static void exchange(struct nl_sock *sock, struct nl_msg *msg)
{
	if (nl_send_auto(sock, msg) < 0)
		die("send");
	nlmsg_free(msg);
	for (acked = 0; !acked; )
		if (nl_recvmsgs_default(sock) < 0)
			die("no acknowledgment");
}

static void admit(struct nl_sock *sock, int family, int ifindex, int batch)
{
	struct nl_msg *msg = nlmsg_alloc_size(batch * 64 + 128);
	int i;

	genlmsg_put(msg, 0, 0, family, 0, NLM_F_ACK, RESMON_CMD_SESSION_ADMIT,
		    1);
	for (i = 0; i < batch; i++) {
		struct nlattr *request, *target;

		request = nla_nest_start(msg, RESMON_A_BATCH_REQUEST |
					      NLA_F_NESTED);
		target = nla_nest_start(msg, RESMON_A_REQUEST_TARGET |
					     NLA_F_NESTED);
		nla_put_u32(msg, RESMON_A_TARGET_KIND,
			    RESMON_ELEMENT_KIND_PORT);
		nla_put_u32(msg, RESMON_A_TARGET_IFINDEX, ifindex);
		nla_nest_end(msg, target);
		nla_put_u32(msg, RESMON_A_REQUEST_TYPE, RESMON_TYPE_PPPOE);
		nla_nest_end(msg, request);
	}
	ids_n = 0;
	exchange(sock, msg);
	if (ids_n != batch)
		die("answers are missing");
}

static void release(struct nl_sock *sock, int family, int batch)
{
	struct nl_msg *msg = nlmsg_alloc_size(batch * 32 + 128);
	int i;

	genlmsg_put(msg, 0, 0, family, 0, NLM_F_ACK,
		    RESMON_CMD_SESSION_RELEASE, 1);
	for (i = 0; i < batch; i++) {
		struct nlattr *request;

		request = nla_nest_start(msg, RESMON_A_BATCH_REQUEST |
					      NLA_F_NESTED);
		nla_put_u32(msg, RESMON_A_REQUEST_ID, ids[i]);
		nla_nest_end(msg, request);
	}
	exchange(sock, msg);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct nl_sock *sock = nl_socket_alloc();
	int batch, rounds, family, ifindex, i;
	double start;

	if (argc != 4)
		die("usage: nlbench DEV BATCH ROUNDS");
	ifindex = if_nametoindex(argv[1]);
	batch = atoi(argv[2]);
	rounds = atoi(argv[3]);
	if (!ifindex || batch < 1 || batch > RESMON_BATCH_MAX || rounds < 1)
		die("bad arguments");
	if (!sock || genl_connect(sock) < 0)
		die("no socket");
	family = genl_ctrl_resolve(sock, RESMON_FAMILY_NAME);
	if (family < 0)
		die("the module is not loaded");
	nl_socket_set_msg_buf_size(sock, 1 << 16);
	nl_socket_disable_seq_check(sock);
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, got, NULL);
	nl_socket_modify_cb(sock, NL_CB_ACK, NL_CB_CUSTOM, got_ack, NULL);

	start = now();
	for (i = 0; i < rounds; i++) {
		admit(sock, family, ifindex, batch);
		release(sock, family, batch);
	}
	printf("%.0f\n", rounds * batch / (now() - start));
	nl_socket_free(sock);
	return 0;
}
