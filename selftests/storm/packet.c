// SPDX-License-Identifier: GPL-2.0-only
/*
 * One socket to read and one to write. The one that reads lets only login
 * traffic and questions for neighbours through, with up to two VLAN tags in
 * the frame, or the outer one in the metadata. Frames to write wait in a queue
 * that is emptied at most so fast as was asked for: who writes looks with
 * packet_roomy() before it starts something new.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/if.h>

#include "packet.h"

#define FRAME_MAX 1600
#define QUEUE 4096
#define BATCH 64
/* So many are read before timers and the queue get their turn. */
#define READ_AT_ONCE 512
#define RCVBUF (64 << 20)
#define SNDBUF (4 << 20)

struct packet_counts packet_counts;
const __u8 broadcast_mac[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static int rx = -1;
static int tx = -1;
static unsigned int per_second;

static struct {
	__u16 len;
	__u8 data[FRAME_MAX];
} queue[QUEUE];

/* Both only grow; what is between them waits. */
static unsigned int queue_in;
static unsigned int queue_out;

/* --- filter */

enum label { NEXT, ACCEPT, REJECT, SESSION, IPV4, IPV6, UDP6, DEEPER, LABELS };

static struct sock_filter code[160];
static struct {
	enum label yes;
	enum label no;
} jumps[160];
static int code_n;

static void emit(__u16 op, __u32 k)
{
	code[code_n++] = (struct sock_filter){ op, 0, 0, k };
}

static void emit_jump(__u16 op, __u32 k, enum label yes, enum label no)
{
	jumps[code_n].yes = yes;
	jumps[code_n].no = no;
	emit(BPF_JMP | op | BPF_K, k);
}

static void resolve(int from, int to, enum label label)
{
	int i;

	for (i = from; i < to; i++) {
		if (BPF_CLASS(code[i].code) != BPF_JMP)
			continue;
		if (jumps[i].yes == label) {
			code[i].jt = to - i - 1;
			jumps[i].yes = NEXT;
		}
		if (jumps[i].no == label) {
			code[i].jf = to - i - 1;
			jumps[i].no = NEXT;
		}
	}
}

/* The frame whose type is at this offset; tagged ones go on to the next. */
static void emit_depth(__u32 type, bool last)
{
	__u32 l3 = type + 2;
	int from = code_n;

	emit(BPF_LD | BPF_H | BPF_ABS, type);
	emit_jump(BPF_JEQ, ETH_P_PPP_DISC, ACCEPT, NEXT);
	emit_jump(BPF_JEQ, ETH_P_PPP_SES, SESSION, NEXT);
	emit_jump(BPF_JEQ, ETH_P_IP, IPV4, NEXT);
	emit_jump(BPF_JEQ, ETH_P_IPV6, IPV6, NEXT);
	emit_jump(BPF_JEQ, ETH_P_ARP, ACCEPT, NEXT);
	if (!last) {
		emit_jump(BPF_JEQ, ETH_P_8021Q, DEEPER, NEXT);
		emit_jump(BPF_JEQ, ETH_P_8021AD, DEEPER, NEXT);
		emit_jump(BPF_JEQ, ETH_P_QINQ1, DEEPER, NEXT);
	}
	emit(BPF_RET | BPF_K, 0);

	/* Control protocols of PPP, no data. */
	resolve(from, code_n, SESSION);
	emit(BPF_LD | BPF_H | BPF_ABS, l3 + 6);
	emit_jump(BPF_JGE, 0x8000, ACCEPT, REJECT);

	resolve(from, code_n, IPV4);
	emit(BPF_LD | BPF_B | BPF_ABS, l3 + 9);
	emit_jump(BPF_JEQ, IPPROTO_UDP, NEXT, REJECT);
	emit(BPF_LD | BPF_H | BPF_ABS, l3 + 6);
	emit_jump(BPF_JSET, 0x1fff, REJECT, NEXT);
	emit(BPF_LDX | BPF_B | BPF_MSH, l3);
	emit(BPF_LD | BPF_H | BPF_IND, l3 + 2);
	emit_jump(BPF_JEQ, 68, ACCEPT, REJECT);

	resolve(from, code_n, IPV6);
	emit(BPF_LD | BPF_B | BPF_ABS, l3 + 6);
	emit_jump(BPF_JEQ, IPPROTO_UDP, UDP6, NEXT);
	emit_jump(BPF_JEQ, IPPROTO_ICMPV6, NEXT, REJECT);
	emit(BPF_LD | BPF_B | BPF_ABS, l3 + 40);
	emit_jump(BPF_JEQ, 135, ACCEPT, REJECT);
	resolve(from, code_n, UDP6);
	emit(BPF_LD | BPF_H | BPF_ABS, l3 + 42);
	emit_jump(BPF_JEQ, 546, ACCEPT, REJECT);

	resolve(from, code_n, DEEPER);
}

static int attach_filter(int fd)
{
	struct sock_fprog program = { .filter = code };
	int depth;

	for (depth = 0; depth <= TAGS_MAX; depth++)
		emit_depth(12 + 4 * depth, depth == TAGS_MAX);
	resolve(0, code_n, REJECT);
	emit(BPF_RET | BPF_K, 0);
	resolve(0, code_n, ACCEPT);
	emit(BPF_RET | BPF_K, 0xffff);
	program.len = code_n;
	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program,
			  sizeof(program));
}

/* --- sockets */

static void buffer(int fd, int force, int option, int size)
{
	/* Only who may administrate the network goes beyond the sysctl. */
	if (setsockopt(fd, SOL_SOCKET, force, &size, sizeof(size)))
		setsockopt(fd, SOL_SOCKET, option, &size, sizeof(size));
}

int packet_init(const char *dev, unsigned int frames_per_second)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex(dev),
	};
	struct packet_mreq promiscuous = {
		.mr_ifindex = address.sll_ifindex,
		.mr_type = PACKET_MR_PROMISC,
	};
	int one = 1;

	per_second = frames_per_second;
	if (!address.sll_ifindex) {
		fprintf(stderr, "storm: no net device %s\n", dev);
		return -1;
	}
	/* Protocol 0: nothing comes in before the filter is in place. */
	rx = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	tx = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (rx < 0 || tx < 0 || attach_filter(rx))
		goto failed;
	buffer(rx, SO_RCVBUFFORCE, SO_RCVBUF, RCVBUF);
	buffer(tx, SO_SNDBUFFORCE, SO_SNDBUF, SNDBUF);
	if (setsockopt(rx, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) ||
	    setsockopt(rx, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous,
		       sizeof(promiscuous)))
		goto failed;
	setsockopt(rx, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one));
	if (bind(rx, (struct sockaddr *)&address, sizeof(address)))
		goto failed;
	address.sll_protocol = 0;
	if (bind(tx, (struct sockaddr *)&address, sizeof(address)))
		goto failed;
	return rx;
failed:
	fprintf(stderr, "storm: packet sockets on %s: %s\n", dev,
		strerror(errno));
	return -1;
}

void packet_counts_read(void)
{
	struct tpacket_stats stats;
	socklen_t len = sizeof(stats);

	/* Reading sets them to zero. */
	if (!getsockopt(rx, SOL_PACKET, PACKET_STATISTICS, &stats, &len))
		packet_counts.rx_dropped += stats.tp_drops;
}

/* --- in */

bool tags_equal(const struct tags *a, const struct tags *b)
{
	int i;

	if (a->n != b->n)
		return false;
	/* The type of a tag may be rewritten under way, its number may not. */
	for (i = 0; i < a->n; i++)
		if (a->tag[i].vid != b->tag[i].vid)
			return false;
	return true;
}

static bool is_tag(__u16 type)
{
	return type == ETH_P_8021Q || type == ETH_P_8021AD ||
	       type == ETH_P_QINQ1;
}

static bool tag_add(struct tags *tags, __u16 tpid, __u16 tci)
{
	/* A priority tag names no VLAN. */
	if (!(tci & 0xfff))
		return true;
	if (tags->n == TAGS_MAX)
		return false;
	tags->tag[tags->n++] = (struct tag){ tpid, tci & 0xfff };
	return true;
}

/* A tag that the driver or the kernel took out of the frame. */
static bool stripped_tag(struct msghdr *msg, struct tags *tags)
{
	struct cmsghdr *cmsg;

	for (cmsg = CMSG_FIRSTHDR(msg); cmsg; cmsg = CMSG_NXTHDR(msg, cmsg)) {
		struct tpacket_auxdata aux;

		if (cmsg->cmsg_level != SOL_PACKET ||
		    cmsg->cmsg_type != PACKET_AUXDATA)
			continue;
		memcpy(&aux, CMSG_DATA(cmsg), sizeof(aux));
		if (aux.tp_status & TP_STATUS_VLAN_VALID)
			return tag_add(tags, aux.tp_vlan_tpid,
				       aux.tp_vlan_tci);
	}
	return true;
}

static bool dissect(struct frame *frame, struct msghdr *msg, const __u8 *data,
		    size_t len)
{
	memset(frame, 0, sizeof(*frame));
	if (len < ETH_HLEN || !stripped_tag(msg, &frame->tags))
		return false;
	frame->dst = data;
	frame->src = data + ETH_ALEN;
	frame->type = get_16(data + 12);
	data += ETH_HLEN;
	len -= ETH_HLEN;
	while (is_tag(frame->type)) {
		if (len < 4 || !tag_add(&frame->tags, frame->type, get_16(data)))
			return false;
		frame->type = get_16(data + 2);
		data += 4;
		len -= 4;
	}
	frame->data = data;
	frame->len = len;
	return true;
}

/* Answers that cannot be queued would be lost: rather leave them with the
 * kernel, whose buffer is bigger than the queue.
 */
static bool room_to_answer(void)
{
	return queue_in - queue_out < QUEUE - 2 * BATCH;
}

void packet_receive(void (*handle)(const struct frame *frame))
{
	static __u8 data[BATCH][2048];
	static __u8 control[BATCH][CMSG_SPACE(sizeof(struct tpacket_auxdata))];
	static struct mmsghdr msgs[BATCH];
	static struct iovec iov[BATCH];
	struct frame frame;
	int i, n, all = 0;

	while (all < READ_AT_ONCE && room_to_answer()) {
		for (i = 0; i < BATCH; i++) {
			iov[i].iov_base = data[i];
			iov[i].iov_len = sizeof(data[i]);
			msgs[i].msg_hdr = (struct msghdr){
				.msg_iov = &iov[i],
				.msg_iovlen = 1,
				.msg_control = control[i],
				.msg_controllen = sizeof(control[i]),
			};
		}
		n = recvmmsg(rx, msgs, BATCH, MSG_DONTWAIT, NULL);
		if (n <= 0)
			return;
		for (i = 0; i < n; i++) {
			packet_counts.received++;
			if (dissect(&frame, &msgs[i].msg_hdr, data[i],
				    msgs[i].msg_len))
				handle(&frame);
			else
				packet_counts.malformed++;
		}
		all += n;
		if (n < BATCH)
			return;
	}
}

/* --- out */

bool packet_roomy(void)
{
	return queue_in - queue_out < QUEUE / 2;
}

void put(struct out *out, const void *data, size_t len)
{
	if ((size_t)(out->end - out->at) < len) {
		/* Never half a frame. */
		out->start = NULL;
		out->end = out->at;
		return;
	}
	if (len)
		memcpy(out->at, data, len);
	out->at += len;
}

void put_zero(struct out *out, size_t len)
{
	static const __u8 zero[256];

	put(out, zero, len);
}

void put_8(struct out *out, __u8 value)
{
	put(out, &value, 1);
}

void put_16(struct out *out, __u16 value)
{
	__u8 bytes[] = { value >> 8, value };

	put(out, bytes, sizeof(bytes));
}

void put_32(struct out *out, __u32 value)
{
	put_16(out, value >> 16);
	put_16(out, value);
}

void packet_open(struct out *out, const __u8 *dst, const __u8 *src,
		 const struct tags *tags, __u16 type)
{
	int i;

	if (queue_in - queue_out == QUEUE)
		packet_flush();
	if (queue_in - queue_out == QUEUE) {
		memset(out, 0, sizeof(*out));
		return;
	}
	out->start = queue[queue_in % QUEUE].data;
	out->at = out->start;
	out->end = out->start + FRAME_MAX;
	put(out, dst, ETH_ALEN);
	put(out, src, ETH_ALEN);
	for (i = 0; i < tags->n; i++) {
		put_16(out, tags->tag[i].tpid);
		put_16(out, tags->tag[i].vid);
	}
	put_16(out, type);
}

void packet_close(struct out *out)
{
	if (!out->start) {
		packet_counts.unsent++;
		return;
	}
	if (out->at - out->start < ETH_ZLEN)
		put_zero(out, ETH_ZLEN - (out->at - out->start));
	queue[queue_in % QUEUE].len = out->at - out->start;
	queue_in++;
}

/* How many may be sent now: a bucket that holds what 10 ms bring. */
static unsigned int allowance(void)
{
	static __u64 last_ns;
	static double tokens;
	struct timespec ts;
	__u64 ns;

	if (!per_second)
		return QUEUE;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	ns = ts.tv_sec * 1000000000ULL + ts.tv_nsec;
	tokens += (ns - last_ns) / 1e9 * per_second;
	last_ns = ns;
	if (tokens > per_second / 100 + 1)
		tokens = per_second / 100 + 1;
	ns = tokens;
	if (ns > queue_in - queue_out)
		ns = queue_in - queue_out;
	tokens -= ns;
	return ns;
}

static int send_batch(int wanted)
{
	struct mmsghdr msgs[BATCH] = {};
	struct iovec iov[BATCH];
	int i;

	for (i = 0; i < wanted; i++) {
		unsigned int slot = (queue_out + i) % QUEUE;

		iov[i].iov_base = queue[slot].data;
		iov[i].iov_len = queue[slot].len;
		msgs[i].msg_hdr.msg_iov = &iov[i];
		msgs[i].msg_hdr.msg_iovlen = 1;
	}
	return sendmmsg(tx, msgs, wanted, MSG_DONTWAIT);
}

int packet_flush(void)
{
	unsigned int allowed = allowance();

	while (queue_in != queue_out && allowed) {
		unsigned int wanted = queue_in - queue_out;
		int sent;

		if (wanted > allowed)
			wanted = allowed;
		if (wanted > BATCH)
			wanted = BATCH;
		sent = send_batch(wanted);
		if (sent <= 0) {
			if (errno == EAGAIN || errno == ENOBUFS ||
			    errno == EINTR)
				return 1;
			/* The device is down: the frame is lost, as on a wire. */
			packet_counts.unsent++;
			queue_out++;
			allowed--;
			continue;
		}
		packet_counts.sent += sent;
		queue_out += sent;
		allowed -= sent;
	}
	return queue_in == queue_out ? -1 : 1;
}

/* --- checksums */

__u32 sum_add(__u32 sum, const void *data, size_t len)
{
	const __u8 *at = data;

	for (; len > 1; len -= 2, at += 2)
		sum += get_16(at);
	if (len)
		sum += at[0] << 8;
	return sum;
}

__u16 sum_fold(__u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}
