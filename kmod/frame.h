/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_FRAME_H
#define RESMON_FRAME_H

#include "admit.h"
#include "parse.h"

struct resmon_enforce;
struct resmon_follow;
struct resmon_hook;
struct resmon_net;

/**
 * struct resmon_frame - one frame of login traffic on its way
 * @rn: the chassis
 * @hook: what sees it
 * @enforce: its settings, valid in the RCU read section
 * @bytes: the frame
 * @link: its MAC header and tags
 * @skb: the frame, NULL in XDP
 * @login: enum resmon_login
 * @leaving: it leaves this host
 */
struct resmon_frame {
	struct resmon_net *rn;
	struct resmon_hook *hook;
	const struct resmon_enforce *enforce;
	struct resmon_bytes bytes;
	struct resmon_link link;
	struct sk_buff *skb;
	u8 login;
	bool leaving;
};

/* What is to become of a frame. */
enum resmon_fate {
	RESMON_PASS,
	RESMON_DROP,
};

/* The subscriber's end of the frame. */
static inline const u8 *resmon_frame_client(const struct resmon_frame *frame)
{
	return frame->leaving ? frame->link.dst : frame->link.src;
}

/**
 * struct resmon_subscriber - who sends a login message (H8)
 * @key: what tells it apart
 * @text: its name, for those who ask why
 * @len: length of @text
 */
struct resmon_subscriber {
	struct resmon_key key;
	u8 text[RESMON_KEY_LEN];
	u8 len;
};

void resmon_subscriber_set(const struct resmon_frame *frame, u8 type,
			   const u8 *mac, const struct resmon_span *circuit,
			   struct resmon_subscriber *who);
bool resmon_frame_read(const struct resmon_frame *frame,
		       enum resmon_parse parse);
bool resmon_frame_priority(const struct resmon_frame *frame, const u8 *mac,
			   const struct resmon_span *service,
			   const struct resmon_span *circuit);
bool resmon_frame_for_us(const struct resmon_frame *frame);
u64 resmon_frame_hash(const struct resmon_frame *frame,
		      const struct resmon_span *span);

enum resmon_fate resmon_login_first(const struct resmon_frame *frame,
				    const struct resmon_subscriber *who,
				    bool known, bool priority);
enum resmon_fate resmon_login_commit(const struct resmon_frame *frame,
				     const struct resmon_subscriber *who,
				     const struct resmon_key *key, bool ghost,
				     struct resmon_follow *follow);
void resmon_login_foreign(const struct resmon_frame *frame,
			  const struct resmon_subscriber *who);
struct resmon_session *resmon_login_adopt(const struct resmon_frame *frame,
					  const struct resmon_subscriber *who,
					  const struct resmon_key *key,
					  struct resmon_follow *follow);

/* life_pppoe.c */
enum resmon_fate resmon_pppoe_discovery(const struct resmon_frame *frame);
void resmon_pppoe_session(const struct resmon_frame *frame);
struct resmon_session *resmon_pppoe_import(const struct resmon_frame *frame,
					   u16 sid, bool *same);
bool resmon_pppoe_expired(struct resmon_net *rn, struct resmon_session *session);

/* life_dhcp4.c, life_dhcp6.c */
enum resmon_fate resmon_dhcp4_message(const struct resmon_frame *frame,
				      const struct resmon_udp *udp);
enum resmon_fate resmon_dhcp6_message(const struct resmon_frame *frame,
				      const struct resmon_udp *udp);
struct resmon_session *resmon_dhcp4_import(const struct resmon_frame *frame,
					   const struct resmon_span *circuit,
					   u32 seconds, bool *same);
struct resmon_session *
resmon_dhcp6_import(const struct resmon_frame *frame,
		    const struct resmon_dhcp6 *msg,
		    const struct resmon_dhcp6_ia *ia, bool *same);
bool resmon_dhcp_expired(struct resmon_net *rn, struct resmon_session *session);
bool resmon_dhcp_off(struct resmon_follow *follow,
		     const struct resmon_enforce *enforce);

/* life_l2tp.c */
enum resmon_fate resmon_l2tp_message(const struct resmon_frame *frame,
				     const struct resmon_udp *udp);
bool resmon_l2tp_expired(struct resmon_net *rn, struct resmon_session *session);
void resmon_l2tp_tick(struct resmon_net *rn);
void resmon_l2tp_hook_exit(struct resmon_hook *hook);
int resmon_l2tp_net_init(struct resmon_net *rn);
void resmon_l2tp_net_exit(struct resmon_net *rn);

#endif /* RESMON_FRAME_H */
