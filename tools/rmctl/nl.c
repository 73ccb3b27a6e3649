// SPDX-License-Identifier: GPL-2.0-only
/* The socket, requests and their answers. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "nl.h"

/* Room for the answers to a full batch, each with a sentence. */
#define RECEIVE_SIZE	(256 * 1024)
#define SOCKET_SIZE	(1024 * 1024)
/* A dump that keeps being interrupted is printed as it is after so many. */
#define DUMP_TRIES	5

struct exchange {
	const struct ctx *ctx;
	const struct request *rq;
	struct replies *replies;
	bool over;
	bool failed;
	bool torn;		/* NLM_F_DUMP_INTR */
};

void replies_init(struct replies *replies)
{
	replies->first = NULL;
	replies->last = &replies->first;
	replies->n = 0;
}

void replies_free(struct replies *replies)
{
	struct reply *reply, *next;

	for (reply = replies->first; reply; reply = next) {
		next = reply->next;
		free(reply);
	}
	replies_init(replies);
}

static int failure(const struct ctx *ctx, const char *what, const char *why)
{
	if (!ctx->quiet)
		fprintf(stderr, "rmctl: %s: %s\n", what, why);
	return STATUS_REFUSED;
}

int link_open(struct ctx *ctx)
{
	int on = 1, fd, err;

	if (ctx->sk)
		return 0;
	ctx->sk = nl_socket_alloc();
	if (!ctx->sk)
		return failure(ctx, "netlink", strerror(ENOMEM));
	err = genl_connect(ctx->sk);
	if (err) {
		link_close(ctx);
		return failure(ctx, "netlink", nl_geterror(err));
	}
	/* libnl's own default of 32 KiB is smaller than a full batch. */
	nl_socket_set_buffer_size(ctx->sk, SOCKET_SIZE, SOCKET_SIZE);
	nl_socket_set_msg_buf_size(ctx->sk, RECEIVE_SIZE);
	fd = nl_socket_get_fd(ctx->sk);
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));

	ctx->family = genl_ctrl_resolve(ctx->sk, RESMON_FAMILY_NAME);
	if (ctx->family < 0) {
		err = ctx->family;
		link_close(ctx);
		if (err == -NLE_OBJ_NOTFOUND)
			return failure(ctx, "the resmon module is not loaded",
				       "try modprobe resmon");
		return failure(ctx, "netlink", nl_geterror(err));
	}
	return 0;
}

void link_close(struct ctx *ctx)
{
	nl_socket_free(ctx->sk);
	ctx->sk = NULL;
}

/* Joins a multicast group. */
int link_group(struct ctx *ctx, const char *name)
{
	int group = genl_ctrl_resolve_grp(ctx->sk, RESMON_FAMILY_NAME, name);

	if (group >= 0)
		group = nl_socket_add_membership(ctx->sk, group);
	if (group < 0)
		return failure(ctx, name, nl_geterror(group));
	return 0;
}

/* A message of at most @size bytes, 0: a page. */
struct nl_msg *rq_new(struct ctx *ctx, unsigned int cmd, size_t size)
{
	struct nl_msg *msg = size ? nlmsg_alloc_size(size) : nlmsg_alloc();

	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, ctx->family, 0,
				 0, cmd, RESMON_FAMILY_VERSION)) {
		failure(ctx, "netlink", strerror(ENOMEM));
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct exchange *ex = arg;
	struct genlmsghdr *hdr;
	struct reply *reply;
	int len;

	if (!ex->replies || nlh->nlmsg_type != ex->ctx->family ||
	    !genlmsg_valid_hdr(nlh, 0))
		return NL_OK;
	hdr = genlmsg_hdr(nlh);
	len = genlmsg_attrlen(hdr, 0);
	reply = malloc(sizeof(*reply) + len);
	if (!reply) {
		failure(ex->ctx, "netlink", strerror(ENOMEM));
		ex->failed = true;
		ex->over = true;
		return NL_STOP;
	}
	reply->next = NULL;
	reply->cmd = hdr->cmd;
	reply->len = len;
	memcpy(reply->attrs, genlmsg_attrdata(hdr, 0), len);
	*ex->replies->last = reply;
	ex->replies->last = &reply->next;
	ex->replies->n++;
	return NL_OK;
}

/* The end of a dump carries an error of its own, and extack too (T2). */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct exchange *ex = arg;
	int error, len = nlmsg_datalen(nlh);

	ex->over = true;
	if (len < (int)sizeof(error))
		return NL_STOP;
	memcpy(&error, nlmsg_data(nlh), sizeof(error));
	len -= NLMSG_ALIGN(sizeof(error));
	if (error >= 0)
		return NL_STOP;
	ex->failed = true;
	if (!ex->ctx->quiet)
		extack_print(ex->rq, error,
			     (void *)((char *)nlmsg_data(nlh) +
				      NLMSG_ALIGN(sizeof(error))),
			     nlh->nlmsg_flags & NLM_F_ACK_TLVS ? len : 0);
	return NL_STOP;
}

/* Where the TLVs of an ack begin: behind our request, when it is in there. */
static const struct nlattr *ack_tlvs(const struct nlmsghdr *nlh,
				     const struct nlmsgerr *err, int *len)
{
	size_t skip = sizeof(*err);

	*len = 0;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) &&
	    err->msg.nlmsg_len > sizeof(err->msg))
		skip += NLMSG_ALIGN(err->msg.nlmsg_len - sizeof(err->msg));
	if (skip >= (size_t)nlmsg_datalen(nlh))
		return NULL;
	*len = nlmsg_datalen(nlh) - skip;
	return (const void *)((const char *)err + skip);
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	const struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct exchange *ex = arg;
	const struct nlattr *tlvs;
	int len;

	ex->over = true;
	/* With success a sentence is a warning. */
	tlvs = ack_tlvs(nlh, nlmsg_data(nlh), &len);
	if (tlvs && !ex->ctx->quiet)
		extack_print(ex->rq, 0, tlvs, len);
	return NL_STOP;
}

/* Says why. @rq has no message when the request is not at hand any more. */
void rq_refused(const struct request *rq, struct nlmsgerr *err)
{
	/* libnl hands out the payload; its header stands before it. */
	const struct nlmsghdr *nlh = (void *)((char *)err - NLMSG_HDRLEN);
	const struct nlattr *tlvs;
	int len;

	tlvs = ack_tlvs(nlh, err, &len);
	extack_print(rq, err->error, tlvs, len);
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct exchange *ex = arg;

	(void)from;
	ex->over = true;
	ex->failed = true;
	if (!ex->ctx->quiet)
		rq_refused(ex->rq, err);
	return NL_STOP;
}

/*
 * An event (number 0) can come between a request and its answer: a probe right
 * after an agent registered. What else has another number is not for us.
 */
static int on_seq(struct nl_msg *msg, void *arg)
{
	__u32 seq = nlmsg_hdr(msg)->nlmsg_seq;
	struct exchange *ex = arg;

	return !seq || seq == nlmsg_hdr(ex->rq->msg)->nlmsg_seq ? NL_OK :
								   NL_SKIP;
}

static int on_torn(struct nl_msg *msg, void *arg)
{
	struct exchange *ex = arg;

	(void)msg;
	ex->torn = true;
	return NL_OK;
}

/* Sends and receives until the kernel has said that it is over. */
static int talk(struct ctx *ctx, struct exchange *ex)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err;

	if (!cb)
		return failure(ctx, "netlink", strerror(ENOMEM));
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, ex);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, ex);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, ex);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_seq, ex);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_torn, ex);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, ex);

	nlmsg_hdr(ex->rq->msg)->nlmsg_seq = NL_AUTO_SEQ;
	err = nl_send_auto(ctx->sk, ex->rq->msg);
	while (err >= 0 && !ex->over)
		err = nl_recvmsgs(ctx->sk, cb);
	nl_cb_put(cb);
	/* The refusal itself is among the errors of nl_recvmsgs(). */
	if (!ex->over)
		return failure(ctx, "netlink", nl_geterror(err));
	return ex->failed ? STATUS_REFUSED : 0;
}

int rq_do(struct ctx *ctx, const struct request *rq, struct replies *replies)
{
	struct exchange ex = { .ctx = ctx, .rq = rq, .replies = replies };

	nlmsg_hdr(rq->msg)->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	return talk(ctx, &ex);
}

int rq_dump(struct ctx *ctx, const struct request *rq, struct replies *replies)
{
	unsigned int tries;
	int err;

	nlmsg_hdr(rq->msg)->nlmsg_flags |= NLM_F_REQUEST | NLM_F_DUMP;
	for (tries = 1; ; tries++) {
		struct exchange ex = {
			.ctx = ctx, .rq = rq, .replies = replies
		};

		err = talk(ctx, &ex);
		if (err || !ex.torn)
			return err;
		if (tries == DUMP_TRIES)
			break;
		replies_free(replies);
	}
	if (!ctx->quiet)
		fprintf(stderr,
			"rmctl: changed while it was read, may be incomplete\n");
	return 0;
}

/* No ack is asked for: the kernel speaks up only when it refuses. */
int rq_send(struct ctx *ctx, struct nl_msg *msg)
{
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST;
	return nl_send_auto(ctx->sk, msg);
}

static int ask(struct ctx *ctx, const struct parsed *p, unsigned int cmd,
	       bool dump, struct replies *replies)
{
	struct request rq = { .cmd = cmd, .items = &p, .n_items = p ? 1 : 0 };
	int err;

	err = link_open(ctx);
	if (err)
		return err;
	rq.msg = rq_new(ctx, cmd, 0);
	if (!rq.msg)
		return STATUS_REFUSED;
	if (p && args_put(rq.msg, p, NULL))
		err = failure(ctx, "the request", "does not fit into a message");
	else if (dump)
		err = rq_dump(ctx, &rq, replies);
	else
		err = rq_do(ctx, &rq, replies);
	nlmsg_free(rq.msg);
	return err;
}

int rq_parsed(struct ctx *ctx, const struct parsed *p,
	      struct replies *replies)
{
	bool dump = p->command->show == SHOW_ALL ||
		    (p->command->show == SHOW_EITHER && !args_any_attr(p));

	return ask(ctx, p, p->command->cmd, dump, replies);
}

int rq_get_all(struct ctx *ctx, unsigned int cmd, struct replies *replies)
{
	return ask(ctx, NULL, cmd, true, replies);
}

int rq_get_one(struct ctx *ctx, unsigned int cmd, struct replies *replies)
{
	return ask(ctx, NULL, cmd, false, replies);
}
