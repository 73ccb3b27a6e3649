// SPDX-License-Identifier: GPL-2.0-only
/*
 * What probes a device: the choice of the engine, and what all engines share.
 */
#include <linux/netlink.h>
#include <linux/timekeeping.h>

#include "bundle.h"
#include "device.h"
#include "echo.h"
#include "net.h"

#define ECHO_INTERVAL_MS		1000

/* Thresholds while nobody sets one, in us. */
#define ECHO_THRESHOLD_US		1000000
#define ECHO_THRESHOLD_SOFTNET_US	5000

/*
 * Probes must be judged while the CPUs are busy with what they measure, so
 * they are bound to none of them and go first.
 */
static struct workqueue_struct *echo_wq;

static struct resmon_device *device_of(struct resmon_echo *echo)
{
	return container_of(echo, struct resmon_device, echo);
}

/**
 * resmon_echo_global_init() - what the probes of all chassis share
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int resmon_echo_global_init(void)
{
	echo_wq = alloc_workqueue("resmon_echo", WQ_HIGHPRI | WQ_UNBOUND, 0);
	return echo_wq ? 0 : -ENOMEM;
}

/**
 * resmon_echo_global_exit() - undo resmon_echo_global_init()
 *
 * Context: Process context, may sleep.
 */
void resmon_echo_global_exit(void)
{
	destroy_workqueue(echo_wq);
}

static void echo_work(struct work_struct *work)
{
	struct resmon_echo *echo =
		container_of(to_delayed_work(work), struct resmon_echo, work);

	switch (READ_ONCE(echo->engine)) {
	case RESMON_ENGINE_AGENT:
		resmon_echo_agent_work(device_of(echo));
		break;
	case RESMON_ENGINE_SOFTNET:
		resmon_softnet_work(device_of(echo));
		break;
	}
}

/**
 * resmon_echo_init() - a device that nothing probes
 * @echo: zeroed, in its device
 * @rn: the chassis
 *
 * Context: Process context.
 * Return: 0.
 */
int resmon_echo_init(struct resmon_echo *echo, struct resmon_net *rn)
{
	echo->rn = rn;
	spin_lock_init(&echo->lock);
	INIT_DELAYED_WORK(&echo->work, echo_work);
	echo->engine = RESMON_ENGINE_NONE;
	echo->interval_ms = ECHO_INTERVAL_MS;
	return 0;
}

/* Nothing is sent or judged any more when it returns. */
static void echo_stop(struct resmon_echo *echo)
{
	u32 engine = echo->engine;

	lockdep_assert_held(&echo->rn->config_lock);

	spin_lock_bh(&echo->lock);
	WRITE_ONCE(echo->engine, RESMON_ENGINE_NONE);
	spin_unlock_bh(&echo->lock);
	cancel_delayed_work_sync(&echo->work);

	if (engine == RESMON_ENGINE_AGENT)
		resmon_echo_agent_stop(device_of(echo));
	resmon_softnet_free(echo->softnet);
	echo->softnet = NULL;
}

/**
 * resmon_echo_exit() - probe no more
 * @echo: what probes a device that is going away
 *
 * Context: Under config_lock, may sleep.
 */
void resmon_echo_exit(struct resmon_echo *echo)
{
	echo_stop(echo);
}

/**
 * resmon_echo_set() - choose what probes a device
 * @device: the device; with another engine its throttle is released
 * @engine: enum resmon_engine
 * @interval_ms: between two probes in ms
 * @extack: set on error
 *
 * Context: Under config_lock, may sleep.
 * Return: 0 or a negative error number, and then nothing changed.
 */
int resmon_echo_set(struct resmon_device *device, u32 engine, u32 interval_ms,
		    struct netlink_ext_ack *extack)
{
	struct resmon_softnet *softnet = NULL;
	struct resmon_echo *echo = &device->echo;
	bool another = engine != echo->engine;
	u64 now_ns;

	lockdep_assert_held(&echo->rn->config_lock);

	if (!another && interval_ms == echo->interval_ms)
		return 0;
	/* The timers of softnet keep the interval that they began with. */
	if (engine == RESMON_ENGINE_SOFTNET) {
		softnet = resmon_softnet_new(interval_ms, extack);
		if (IS_ERR(softnet))
			return PTR_ERR(softnet);
	}
	if (another && engine == RESMON_ENGINE_AGENT) {
		int err = resmon_echo_agent_start(echo);

		if (err)
			return err;
	}

	if (another || softnet)
		echo_stop(echo);
	if (another)
		resmon_rtt_stop(&device->rtt);

	now_ns = ktime_get_boottime_ns();
	echo->softnet = softnet;
	spin_lock_bh(&echo->lock);
	echo->interval_ms = interval_ms;
	echo->next_ns = now_ns + (u64)interval_ms * NSEC_PER_MSEC;
	WRITE_ONCE(echo->engine, engine);
	spin_unlock_bh(&echo->lock);
	resmon_echo_kick(device);
	return 0;
}

/**
 * resmon_echo_read() - what there is to show of the probes of a device
 * @device: the device
 * @show: filled in
 *
 * Context: Any but hard interrupts.
 */
void resmon_echo_read(struct resmon_device *device,
		      struct resmon_echo_show *show)
{
	struct resmon_echo *echo = &device->echo;

	spin_lock_bh(&echo->lock);
	*show = (struct resmon_echo_show) {
		.engine = echo->engine,
		.interval_ms = echo->interval_ms,
		.portid = echo->portid,
		.counts = echo->counts,
	};
	spin_unlock_bh(&echo->lock);
}

/**
 * resmon_echo_threshold_us() - above what a measurement of a device is exceeded
 * @device: the device
 *
 * Context: RCU read section or config_lock.
 * Return: The threshold that was set, or the default of the engine, in us.
 */
u32 resmon_echo_threshold_us(const struct resmon_device *device)
{
	struct resmon_rtt_params params;

	resmon_rtt_params_get(&device->rtt, &params);
	if (params.throttle.threshold_us)
		return params.throttle.threshold_us;
	if (READ_ONCE(device->echo.engine) == RESMON_ENGINE_SOFTNET)
		return ECHO_THRESHOLD_SOFTNET_US;
	return ECHO_THRESHOLD_US;
}

/**
 * resmon_echo_kick() - look now what is to be done
 * @device: a device whose interval or threshold changed
 *
 * Context: Under config_lock.
 */
void resmon_echo_kick(struct resmon_device *device)
{
	lockdep_assert_held(&device->echo.rn->config_lock);

	if (device->echo.engine != RESMON_ENGINE_NONE)
		mod_delayed_work(echo_wq, &device->echo.work, 0);
}

/**
 * resmon_echo_due() - is it time for the next probe?
 * @echo: what probes the device
 * @now_ns: the time in ns of CLOCK_BOOTTIME
 *
 * Context: Under resmon_echo.lock.
 * Return: true when it is, and then the one after it is planned.
 */
bool resmon_echo_due(struct resmon_echo *echo, u64 now_ns)
{
	u64 interval_ns = (u64)echo->interval_ms * NSEC_PER_MSEC;

	lockdep_assert_held(&echo->lock);

	if (now_ns < echo->next_ns)
		return false;
	echo->next_ns += interval_ns;
	/* What was missed is not made up for, it would come all at once. */
	if (echo->next_ns <= now_ns)
		echo->next_ns = now_ns + interval_ns;
	return true;
}

/**
 * resmon_echo_again() - let the work run again
 * @echo: what probes the device
 * @now_ns: the time in ns of CLOCK_BOOTTIME
 * @at_ns: when, never before it, in ns of CLOCK_BOOTTIME
 *
 * Context: The work, under resmon_echo.lock.
 */
void resmon_echo_again(struct resmon_echo *echo, u64 now_ns, u64 at_ns)
{
	u64 wait_ms = 0;

	lockdep_assert_held(&echo->lock);

	if (echo->engine == RESMON_ENGINE_NONE)
		return;
	if (at_ns > now_ns)
		wait_ms = div_u64(at_ns - now_ns, NSEC_PER_MSEC) + 1;
	queue_delayed_work(echo_wq, &echo->work, msecs_to_jiffies(wait_ms));
}

/**
 * resmon_echo_event() - tell what became of the agent of a device
 * @device: the device
 * @type: enum resmon_event_type
 *
 * Context: Any.
 */
void resmon_echo_event(struct resmon_device *device, u8 type)
{
	struct resmon_event event = {
		.type = type,
		.id = device->elem.id,
	};

	resmon_event_post(device->echo.rn, &event);
}

/**
 * resmon_echo_tick() - once a second: lifetimes, and bundles nobody feeds
 * @rn: the chassis
 * @now_s: seconds of CLOCK_BOOTTIME
 *
 * Context: Any but hard interrupts.
 */
void resmon_echo_tick(struct resmon_net *rn, u32 now_s)
{
	struct resmon_device *device;
	unsigned long index;

	rcu_read_lock();
	xa_for_each(&rn->devices, index, device)
		resmon_echo_agent_tick(device, now_s);
	rcu_read_unlock();
	resmon_bundle_check(rn);
}
