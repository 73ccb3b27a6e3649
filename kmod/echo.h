/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_ECHO_H
#define RESMON_ECHO_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct genl_info;
struct netlink_ext_ack;
struct resmon_device;
struct resmon_net;
struct resmon_softnet;

/*
 * Probes of an agent that are remembered, a power of two: at the longest
 * threshold and the shortest interval 600 wait for an answer, the others are
 * there to tell a late answer from an unknown one.
 */
#define RESMON_ECHO_RING	1024

enum resmon_probe_state {
	RESMON_PROBE_WAITING,
	RESMON_PROBE_JUDGED,
	RESMON_PROBE_ANSWERED,
};

/**
 * struct resmon_probe - one probe that was sent to an agent
 * @sent_ns: when, in ns of CLOCK_BOOTTIME
 * @seq: its number
 * @number: of the measurement it became, once it is judged
 * @state: enum resmon_probe_state
 */
struct resmon_probe {
	u64 sent_ns;
	u32 seq;
	u32 number;
	u8 state;
};

/**
 * struct resmon_echo_counts - what became of the probes of a device
 * @sent: sent
 * @answered: answered, in time or late
 * @lost: could not be sent
 * @late: of the answers, those after the threshold
 * @unknown: answers with an unknown or already answered number
 * @foreign: answers from a process that is not the registered agent
 */
struct resmon_echo_counts {
	u64 sent;
	u64 answered;
	u64 lost;
	u64 late;
	u64 unknown;
	u64 foreign;
};

/**
 * struct resmon_echo - what probes one device
 * @rn: the chassis
 * @work: sends probes and judges those without an answer; it never takes
 *	config_lock, because it is cancelled under it
 * @softnet: the engine softnet, or NULL; protected by config_lock, and there
 *	while @work may run
 * @ring: probes of the engine agent by the low bits of their number, or NULL;
 *	written under config_lock and @lock
 * @lock: protects everything below; taken with BH off, before resmon_rtt.lock
 * @engine: enum resmon_engine; written under config_lock and @lock
 * @interval_ms: between two probes in ms; written under config_lock and @lock
 * @portid: of the agent's socket, 0 while there is none; written under
 *	config_lock and @lock
 * @gone: the agent's socket closed, nobody came in its place
 * @gone_s: when it closed, in seconds of CLOCK_BOOTTIME
 * @next_ns: when the next probe is due, in ns of CLOCK_BOOTTIME
 * @seq: number of the next probe, runs on from agent to agent
 * @first_seq: number of the first probe of the agent
 * @judge_seq: number of the first probe that may have to be judged
 * @heard_seq: number behind the newest probe that was answered
 * @late_us: round trip time of the last answer in us if it was late, else 0
 * @counts: what became of the probes
 */
struct resmon_echo {
	struct resmon_net *rn;
	struct delayed_work work;
	struct resmon_softnet *softnet;
	struct resmon_probe *ring;
	spinlock_t lock;	/* see above */
	u8 engine;
	bool gone;
	u32 interval_ms;
	u32 portid;
	u32 gone_s;
	u64 next_ns;
	u32 seq;
	u32 first_seq;
	u32 judge_seq;
	u32 heard_seq;
	u32 late_us;
	struct resmon_echo_counts counts;
};

/**
 * struct resmon_echo_show - what there is to show of the probes of a device
 * @engine: enum resmon_engine
 * @interval_ms: between two probes in ms
 * @portid: of the agent's socket, 0 while there is none
 * @counts: what became of the probes
 */
struct resmon_echo_show {
	u32 engine;
	u32 interval_ms;
	u32 portid;
	struct resmon_echo_counts counts;
};

int resmon_echo_global_init(void);
void resmon_echo_global_exit(void);
int resmon_echo_init(struct resmon_echo *echo, struct resmon_net *rn);
void resmon_echo_exit(struct resmon_echo *echo);
void resmon_echo_tick(struct resmon_net *rn, u32 now_s);
int resmon_echo_set(struct resmon_device *device, u32 engine, u32 interval_ms,
		    struct netlink_ext_ack *extack);
void resmon_echo_read(struct resmon_device *device,
		      struct resmon_echo_show *show);
u32 resmon_echo_threshold_us(const struct resmon_device *device);
void resmon_echo_kick(struct resmon_device *device);
void resmon_echo_again(struct resmon_echo *echo, u64 now_ns, u64 at_ns);
bool resmon_echo_due(struct resmon_echo *echo, u64 now_ns);
void resmon_echo_event(struct resmon_device *device, u8 type);

/* echo_agent.c */
int resmon_echo_agent_start(struct resmon_echo *echo);
void resmon_echo_agent_stop(struct resmon_device *device);
void resmon_echo_agent_work(struct resmon_device *device);
void resmon_echo_agent_tick(struct resmon_device *device, u32 now_s);
int resmon_echo_register(struct resmon_device *device, u32 portid,
			 struct netlink_ext_ack *extack);
int resmon_echo_reply(struct resmon_device *device, u32 portid, u32 seq,
		      struct netlink_ext_ack *extack);
void resmon_echo_socket_closed(struct resmon_net *rn, u32 portid);

/* echo_softnet.c */
struct resmon_softnet *resmon_softnet_new(u32 interval_ms,
					  struct netlink_ext_ack *extack);
void resmon_softnet_free(struct resmon_softnet *softnet);
void resmon_softnet_work(struct resmon_device *device);

/* nl_rtt.c */
void resmon_nl_echo_changed(struct genl_info *info, struct resmon_net *rn,
			    struct resmon_device *device);

#endif /* RESMON_ECHO_H */
