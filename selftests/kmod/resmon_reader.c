// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader that takes its time: writing N to the parameter hold_ms keeps an RCU
 * read section open for N ms, on a CPU that does nothing else meanwhile. What
 * frees memory that readers may look at must not be done before.
 *
 * The module is built for the test machines alone.
 */

#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>

static int hold(const char *value, const struct kernel_param *param)
{
	unsigned int ms;
	u64 end;
	int err;

	err = kstrtouint(value, 0, &ms);
	if (err)
		return err;
	if (ms > 5000)
		return -ERANGE;
	rcu_read_lock();
	end = ktime_get_mono_fast_ns() + ms * (u64)NSEC_PER_MSEC;
	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
	rcu_read_unlock();
	return 0;
}

static const struct kernel_param_ops hold_ops = {
	.set = hold,
};

module_param_cb(hold_ms, &hold_ops, NULL, 0200);
MODULE_PARM_DESC(hold_ms, "Keep an RCU read section open for that long");

MODULE_DESCRIPTION("A long RCU read section for the tests of resmon");
MODULE_LICENSE("GPL");
