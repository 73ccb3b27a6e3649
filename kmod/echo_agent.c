// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine `agent`: a process on the line card, or its driver, answers probes
 * over netlink (E1, E2, E8).
 */
#include <linux/netlink.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "device.h"
#include "echo.h"
#include "net.h"
#include "netlink.h"

/**
 * resmon_echo_agent_start() - get ready for an agent
 * @echo: what probes the device, with another engine so far
 *
 * Context: Under config_lock, may sleep.
 * Return: 0 or -ENOMEM, and then nothing changed.
 */
int resmon_echo_agent_start(struct resmon_echo *echo)
{
	struct resmon_probe *ring;

	lockdep_assert_held(&echo->rn->config_lock);

	ring = kvcalloc(RESMON_ECHO_RING, sizeof(*ring), GFP_KERNEL_ACCOUNT);
	if (!ring)
		return -ENOMEM;
	spin_lock_bh(&echo->lock);
	echo->ring = ring;
	spin_unlock_bh(&echo->lock);
	return 0;
}

/* What the agent has not answered so far, nobody will answer. */
static void agent_forget(struct resmon_echo *echo)
{
	lockdep_assert_held(&echo->lock);

	echo->portid = 0;
	echo->first_seq = echo->seq;
	echo->judge_seq = echo->seq;
	echo->heard_seq = echo->seq;
	echo->late_us = 0;
}

/**
 * resmon_echo_agent_stop() - let the agent go
 * @device: a device whose engine is another one already
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_echo_agent_stop(struct resmon_device *device)
{
	struct resmon_echo *echo = &device->echo;
	struct resmon_probe *ring;
	bool had;

	lockdep_assert_held(&echo->rn->config_lock);

	spin_lock_bh(&echo->lock);
	had = echo->portid;
	agent_forget(echo);
	echo->gone = false;
	ring = echo->ring;
	echo->ring = NULL;
	spin_unlock_bh(&echo->lock);
	kvfree(ring);
	if (had)
		resmon_echo_event(device, RESMON_EVENT_TYPE_ECHO_DOWN);
}

static struct resmon_probe *probe_at(struct resmon_echo *echo, u32 seq)
{
	lockdep_assert_held(&echo->lock);
	return &echo->ring[seq % RESMON_ECHO_RING];
}

static u32 probe_age_us(const struct resmon_probe *probe, u64 now_ns)
{
	u64 age_ns = now_ns - probe->sent_ns;

	return min_t(u64, div_u64(age_ns, NSEC_PER_USEC), U32_MAX);
}

static void probe_judge(struct resmon_device *device,
			struct resmon_probe *probe, u32 rtt_us,
			u32 threshold_us, bool answered, u64 now_ns)
{
	struct resmon_throttle_sample sample = {
		.rtt_us = rtt_us,
		.threshold_us = threshold_us,
		.exceeded = rtt_us > threshold_us,
		.answered = answered,
	};

	/* An answer after the threshold is none in time (E2). */
	probe->number = resmon_rtt_sample(&device->rtt, &sample,
					  sample.exceeded, now_ns);
}

/*
 * How long the agent has let us wait: the oldest probe that is newer than the
 * last answer, or that last answer if it was late.
 */
static u32 agent_wait_us(struct resmon_echo *echo, u64 now_ns)
{
	u32 oldest = echo->heard_seq;

	if (oldest == echo->seq)
		return echo->late_us;
	/* Older ones than the ring has are forgotten. */
	if (echo->seq - oldest > RESMON_ECHO_RING)
		oldest = echo->seq - RESMON_ECHO_RING;
	return max(probe_age_us(probe_at(echo, oldest), now_ns),
		   echo->late_us);
}

/* Probes that have had no answer for the threshold are exceeded, once (E2). */
static void agent_judge(struct resmon_device *device, u32 threshold_us,
			u64 now_ns)
{
	struct resmon_echo *echo = &device->echo;
	struct resmon_probe *probe;
	u32 rtt_us;

	lockdep_assert_held(&echo->lock);

	for (; echo->judge_seq != echo->seq; echo->judge_seq++) {
		probe = probe_at(echo, echo->judge_seq);
		if (probe->state != RESMON_PROBE_WAITING)
			continue;
		rtt_us = probe_age_us(probe, now_ns);
		if (rtt_us <= threshold_us)
			break;
		rtt_us = max(rtt_us, agent_wait_us(echo, now_ns));
		probe->state = RESMON_PROBE_JUDGED;
		probe_judge(device, probe, rtt_us, threshold_us, false, now_ns);
	}
}

/* When a probe becomes due for its judgement, or the next one for sending. */
static u64 agent_next_ns(struct resmon_echo *echo, u32 threshold_us)
{
	u64 deadline_ns;

	lockdep_assert_held(&echo->lock);

	if (echo->judge_seq == echo->seq)
		return echo->next_ns;
	/* One more than the threshold is the first that is exceeded. */
	deadline_ns = probe_at(echo, echo->judge_seq)->sent_ns +
		      (threshold_us + 1ULL) * NSEC_PER_USEC;
	return min(deadline_ns, echo->next_ns);
}

static u32 agent_probe(struct resmon_echo *echo, u64 now_ns)
{
	lockdep_assert_held(&echo->lock);

	*probe_at(echo, echo->seq) = (struct resmon_probe) {
		.sent_ns = now_ns,
		.seq = echo->seq,
		.state = RESMON_PROBE_WAITING,
	};
	return echo->seq++;
}

static int agent_send(struct resmon_device *device, u32 portid, u32 seq,
		      u64 now_ns)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(nla_total_size(sizeof(u32)) * 2 +
			  nla_total_size_64bit(sizeof(u64)), GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put(skb, 0, 0, &resmon_genl_family, 0,
			  RESMON_CMD_ECHO_PROBE);
	if (!hdr ||
	    nla_put_u32(skb, RESMON_A_ECHO_DEVICE, device->elem.id.device) ||
	    nla_put_u32(skb, RESMON_A_ECHO_SEQ, seq) ||
	    resmon_nl_put_u64(skb, RESMON_A_ECHO_TIME_NS, now_ns,
			      RESMON_A_ECHO_PAD)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_unicast(device->echo.rn->net, skb, portid);
}

/**
 * resmon_echo_agent_work() - send the next probe, judge those without an answer
 * @device: the device
 *
 * Context: The work of the device, may sleep.
 */
void resmon_echo_agent_work(struct resmon_device *device)
{
	struct resmon_echo *echo = &device->echo;
	u32 threshold_us, portid, seq = 0;
	u64 now_ns;
	bool due;

	rcu_read_lock();
	threshold_us = resmon_echo_threshold_us(device);
	rcu_read_unlock();

	spin_lock_bh(&echo->lock);
	now_ns = ktime_get_boottime_ns();
	portid = echo->portid;
	if (!portid) {
		/* Whoever registers starts the work again. */
		spin_unlock_bh(&echo->lock);
		return;
	}
	agent_judge(device, threshold_us, now_ns);
	due = resmon_echo_due(echo, now_ns);
	if (due)
		seq = agent_probe(echo, now_ns);
	spin_unlock_bh(&echo->lock);

	/*
	 * A probe that cannot be sent has no answer either: the agent does not
	 * read its socket.
	 */
	if (due && agent_send(device, portid, seq, now_ns))
		portid = 0;

	spin_lock_bh(&echo->lock);
	if (due && portid)
		echo->counts.sent++;
	else if (due)
		echo->counts.lost++;
	if (echo->portid)
		resmon_echo_again(echo, ktime_get_boottime_ns(),
				  agent_next_ns(echo, threshold_us));
	spin_unlock_bh(&echo->lock);
}

/**
 * resmon_echo_register() - a socket answers the probes of a device from now on
 * @device: the device
 * @portid: of the socket
 * @extack: set on error
 *
 * Context: Under config_lock.
 * Return: 0, -EOPNOTSUPP when the device has another engine, or -EBUSY when
 * there is an agent already.
 */
int resmon_echo_register(struct resmon_device *device, u32 portid,
			 struct netlink_ext_ack *extack)
{
	struct resmon_echo *echo = &device->echo;

	lockdep_assert_held(&echo->rn->config_lock);

	if (echo->engine != RESMON_ENGINE_AGENT) {
		NL_SET_ERR_MSG(extack, "the engine of this device is not agent");
		return -EOPNOTSUPP;
	}
	if (echo->portid == portid)
		return 0;
	if (echo->portid) {
		NL_SET_ERR_MSG(extack, "this device has an agent already");
		return -EBUSY;
	}

	spin_lock_bh(&echo->lock);
	echo->portid = portid;
	echo->gone = false;
	/* The agent wants to read the answer to its request first. */
	echo->next_ns = ktime_get_boottime_ns() +
			(u64)echo->interval_ms * NSEC_PER_MSEC;
	spin_unlock_bh(&echo->lock);
	resmon_echo_event(device, RESMON_EVENT_TYPE_ECHO_UP);
	resmon_echo_kick(device);
	return 0;
}

static void agent_answer(struct resmon_device *device,
			 struct resmon_probe *probe, u32 threshold_us,
			 u64 now_ns)
{
	u32 rtt_us = probe_age_us(probe, now_ns);
	struct resmon_echo *echo = &device->echo;
	bool waiting = probe->state == RESMON_PROBE_WAITING;
	bool late = !waiting || rtt_us > threshold_us;

	lockdep_assert_held(&echo->lock);

	probe->state = RESMON_PROBE_ANSWERED;
	echo->counts.answered++;
	echo->counts.late += late;
	echo->late_us = late ? rtt_us : 0;
	if ((s32)(probe->seq - echo->heard_seq) >= 0)
		echo->heard_seq = probe->seq + 1;

	if (!waiting) {
		resmon_rtt_late(&device->rtt, probe->number, rtt_us,
				threshold_us);
		return;
	}
	/* Older ones that are over their time come before it. */
	agent_judge(device, threshold_us, now_ns);
	probe_judge(device, probe, rtt_us, threshold_us, true, now_ns);
}

/**
 * resmon_echo_reply() - an answer to a probe
 * @device: the device
 * @portid: of the socket that it came from
 * @seq: number of the probe
 * @extack: set on error
 *
 * Answers with an unknown or already answered number are ignored (E1).
 *
 * Context: RCU read section.
 * Return: 0, or -EPERM for a socket that is not the agent.
 */
int resmon_echo_reply(struct resmon_device *device, u32 portid, u32 seq,
		      struct netlink_ext_ack *extack)
{
	u64 now_ns = ktime_get_boottime_ns();
	u32 threshold_us = resmon_echo_threshold_us(device);
	struct resmon_echo *echo = &device->echo;
	struct resmon_probe *probe;
	int err = 0;

	spin_lock_bh(&echo->lock);
	if (!echo->portid || echo->portid != portid) {
		echo->counts.foreign++;
		NL_SET_ERR_MSG(extack,
			       "this socket is not the agent of the device");
		err = -EPERM;
		goto out;
	}
	probe = probe_at(echo, seq);
	if (seq - echo->first_seq >= echo->seq - echo->first_seq ||
	    probe->seq != seq || probe->state == RESMON_PROBE_ANSWERED)
		echo->counts.unknown++;
	else
		agent_answer(device, probe, threshold_us, now_ns);
out:
	spin_unlock_bh(&echo->lock);
	return err;
}

static bool socket_known(struct resmon_net *rn, u32 portid)
{
	struct resmon_device *device;
	unsigned long index;
	bool known = false;

	rcu_read_lock();
	xa_for_each(&rn->devices, index, device)
		known |= READ_ONCE(device->echo.portid) == portid;
	rcu_read_unlock();
	return known;
}

/**
 * resmon_echo_socket_closed() - a socket is no agent any more (E8)
 * @rn: the chassis
 * @portid: of the socket
 *
 * The throttle stays for its lifetime, for an agent that is only restarted.
 *
 * Context: Process context, may sleep; takes config_lock.
 */
void resmon_echo_socket_closed(struct resmon_net *rn, u32 portid)
{
	struct resmon_device *device;
	unsigned long index;

	/* Most sockets are of no agent and need not wait for the lock. */
	if (!portid || !socket_known(rn, portid))
		return;

	mutex_lock(&rn->config_lock);
	xa_for_each(&rn->devices, index, device) {
		struct resmon_echo *echo = &device->echo;

		if (echo->portid != portid)
			continue;
		spin_lock_bh(&echo->lock);
		agent_forget(echo);
		echo->gone = true;
		echo->gone_s = ktime_get_boottime_seconds();
		spin_unlock_bh(&echo->lock);
		resmon_rtt_pause(&device->rtt);
		resmon_echo_event(device, RESMON_EVENT_TYPE_ECHO_DOWN);
		resmon_nl_echo_changed(NULL, rn, device);
	}
	mutex_unlock(&rn->config_lock);
}

/**
 * resmon_echo_agent_tick() - release the throttle of an agent that is gone (E8)
 * @device: the device
 * @now_s: seconds of CLOCK_BOOTTIME
 *
 * Context: RCU read section.
 */
void resmon_echo_agent_tick(struct resmon_device *device, u32 now_s)
{
	struct resmon_echo *echo = &device->echo;
	struct resmon_rtt_params params;

	if (!READ_ONCE(echo->gone))
		return;
	resmon_rtt_params_get(&device->rtt, &params);

	spin_lock_bh(&echo->lock);
	if (echo->gone && (s32)(now_s - echo->gone_s) >= (s32)params.lifetime_s) {
		echo->gone = false;
		resmon_rtt_stop(&device->rtt);
		resmon_echo_event(device, RESMON_EVENT_TYPE_ECHO_GONE);
	}
	spin_unlock_bh(&echo->lock);
}
