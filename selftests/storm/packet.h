/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames: read from and written to one net device, VLAN tags told apart. */
#ifndef STORM_PACKET_H
#define STORM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <linux/if_ether.h>
#include <linux/types.h>

#define TAGS_MAX 2
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

struct tag {
	__u16 tpid;
	__u16 vid;
};

struct tags {
	int n;
	/* Outer tag first. */
	struct tag tag[TAGS_MAX];
};

/* A frame that came in; it points into a buffer that is used again. */
struct frame {
	const __u8 *dst;
	const __u8 *src;
	struct tags tags;
	__u16 type;
	const __u8 *data;
	size_t len;
};

/* A frame being written. Without room everything written is dropped. */
struct out {
	__u8 *start;
	__u8 *at;
	__u8 *end;
};

struct packet_counts {
	__u64 sent;
	__u64 received;
	/* By the kernel, for want of room in our socket. */
	__u64 rx_dropped;
	/* By us: no room in the queue, or the device refused. */
	__u64 unsent;
	/* Meant for a client, but with other VLAN tags than its own. */
	__u64 wrong_vlan;
	__u64 malformed;
};

extern struct packet_counts packet_counts;
extern const __u8 broadcast_mac[ETH_ALEN];

/* Returns the socket to poll for input, or -1 having said why not. */
int packet_init(const char *dev, unsigned int frames_per_second);
void packet_receive(void (*handle)(const struct frame *frame));
/* Returns milliseconds to wait before the rest can be sent, -1: all is sent. */
int packet_flush(void);
/* Whether there is room for more than answers. */
bool packet_roomy(void);
void packet_counts_read(void);

void packet_open(struct out *out, const __u8 *dst, const __u8 *src,
		 const struct tags *tags, __u16 type);
void packet_close(struct out *out);

bool tags_equal(const struct tags *a, const struct tags *b);

/* Adds to a frame; without room it is no frame any more. */
void put(struct out *out, const void *data, size_t len);
void put_zero(struct out *out, size_t len);
void put_8(struct out *out, __u8 value);
void put_16(struct out *out, __u16 value);
void put_32(struct out *out, __u32 value);

static inline void set_16(__u8 *at, __u16 value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static inline __u16 get_16(const __u8 *at)
{
	return at[0] << 8 | at[1];
}

static inline __u32 get_32(const __u8 *at)
{
	return (__u32)get_16(at) << 16 | get_16(at + 2);
}

/* The Internet checksum of data, with what was summed before. */
__u32 sum_add(__u32 sum, const void *data, size_t len);
__u16 sum_fold(__u32 sum);

#endif
