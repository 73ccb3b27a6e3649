// SPDX-License-Identifier: GPL-2.0-only
/*
 * Planted bugs: proves that a machine of the suite notices each kind.
 *
 * modprobe resmon_planted bug=NAME makes the mistake NAME and returns. The
 * module is built for the test machines alone.
 */

#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static char *bug = "none";
module_param(bug, charp, 0444);
MODULE_PARM_DESC(bug, "The mistake to make");

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);
static DEFINE_SPINLOCK(spin);

static void bug_none(void)
{
}

static void bug_warn(void)
{
	WARN(1, "planted\n");
}

static void bug_oops(void)
{
	int *nowhere = NULL;

	OPTIMIZER_HIDE_VAR(nowhere);
	WRITE_ONCE(*nowhere, 1);
}

static void bug_panic(void)
{
	panic("planted");
}

/* Memory of which the compiler knows neither size nor fate. */
static char *fresh(size_t size)
{
	char *object = kmalloc(size, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	return object;
}

static void bug_uaf(void)
{
	char *object = fresh(64);
	char *freed = object;

	OPTIMIZER_HIDE_VAR(freed);
	kfree(object);
	if (freed)
		WRITE_ONCE(freed[8], 1);
}

static void bug_overrun(void)
{
	char *object = fresh(61);

	if (object)
		WRITE_ONCE(object[61], 1);
	kfree(object);
}

static void bug_shift(void)
{
	int by = 40;
	int value = 1;

	OPTIMIZER_HIDE_VAR(by);
	value <<= by;
	OPTIMIZER_HIDE_VAR(value);
}

/* Several, since a pointer that stayed on a stack hides one of them. */
static void bug_leak(void)
{
	char *object;
	int i;

	for (i = 0; i < 16; i++) {
		object = fresh(128);
		if (object)
			WRITE_ONCE(object[0], 1);
	}
}

static void bug_lockdep(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);

	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
}

static void bug_rcu(void)
{
	static int __rcu *pointer;

	if (rcu_dereference(pointer))
		pr_info("unexpected\n");
}

static void bug_atomic(void)
{
	spin_lock(&spin);
	msleep(20);
	spin_unlock(&spin);
}

static void bug_refcount(void)
{
	static refcount_t count = REFCOUNT_INIT(1);

	refcount_set(&count, 0);
	refcount_inc(&count);
}

static void never_fires(struct timer_list *timer)
{
}

static void bug_object(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, never_fires, 0);
	timer->expires = jiffies + HZ * 600;
	add_timer(timer);
	kfree(timer);
}

/* Never comes back: a hang that only the machine's time limit ends. */
static void bug_hang(void)
{
	for (;;)
		schedule_timeout_uninterruptible(HZ);
}

/* Sleeps without end: what the hung task detector is for. */
static void bug_hung_task(void)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
	}
}

static const struct {
	const char *name;
	void (*make)(void);
} bugs[] = {
	{ "none", bug_none },
	{ "warn", bug_warn },
	{ "oops", bug_oops },
	{ "panic", bug_panic },
	{ "uaf", bug_uaf },
	{ "overrun", bug_overrun },
	{ "shift", bug_shift },
	{ "leak", bug_leak },
	{ "lockdep", bug_lockdep },
	{ "rcu", bug_rcu },
	{ "atomic", bug_atomic },
	{ "refcount", bug_refcount },
	{ "object", bug_object },
	{ "hang", bug_hang },
	{ "hung_task", bug_hung_task },
};

static int __init planted_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (!strcmp(bugs[i].name, bug)) {
			bugs[i].make();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit planted_exit(void)
{
}

module_init(planted_init);
module_exit(planted_exit);
MODULE_DESCRIPTION("Planted bugs for the tests of the test machines");
MODULE_LICENSE("GPL");
