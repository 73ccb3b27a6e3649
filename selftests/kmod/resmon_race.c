// SPDX-License-Identifier: GPL-2.0-only
/*
 * Races for the last places: kernel threads that admit and release through
 * the pipeline as hard as they can.
 *
 *	echo "DEV[,DEV..] THREADS ATTEMPTS CHURN SAME" >/sys/module/resmon_race/parameters/run
 *	cat /sys/module/resmon_race/parameters/result
 *	echo 1 >/sys/module/resmon_race/parameters/release
 *
 * CHURN 0 keeps what was admitted; CHURN n releases every n-th session at once.
 * SAME 0 gives no identities; SAME n gives the same one to n attempts in a row.
 * The result is "admitted released denied errors" of all runs since a release.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>

#include "admit.h"
#include "net.h"
#include "place.h"
#include "session.h"

#define MAX_DEVS	8
#define MAX_IDS		65536

static DEFINE_MUTEX(run_lock);
static u32 *ids;
static atomic_t ids_n;
static atomic_t admitted, released, denied, errors;

struct race {
	struct resmon_net *rn;
	int ifindex[MAX_DEVS];
	unsigned int devs;
	unsigned int attempts;
	unsigned int churn;
	unsigned int same;
	atomic_t left;
	struct completion go;
	struct completion done;
};

static void end_session(struct resmon_net *rn, u32 id)
{
	struct resmon_session *session;

	spin_lock_bh(&rn->charge_lock);
	session = resmon_session_find(rn, id);
	if (session)
		atomic_add(resmon_session_end(rn, session), &released);
	else
		atomic_inc(&errors);
	spin_unlock_bh(&rn->charge_lock);
}

static void attempt(struct race *race, unsigned int n,
		    struct resmon_session **spare)
{
	u32 who = race->same ? n / race->same : n;
	struct resmon_decision v;
	struct resmon_request req = {
		.type = RESMON_TYPE_PPPOE + who % RESMON_TYPE_MAX,
		.active = who & 1,
	};
	int ifindex = race->ifindex[who % race->devs];
	u32 id = 0;

	if (!*spare)
		*spare = resmon_session_alloc(GFP_KERNEL);
	req.spare = *spare;
	rcu_read_lock();
	req.place = resmon_place_find(race->rn, ifindex);
	resmon_key_set(race->rn, &req.key, ifindex, 0, 0, req.type,
		       race->same ? &who : NULL, race->same ? sizeof(who) : 0);
	resmon_admit(race->rn, &req, &v);
	rcu_read_unlock();
	*spare = req.spare;

	if (v.cause == RESMON_CAUSE_ERROR) {
		atomic_inc(&errors);
	} else if (v.verdict != RESMON_VERDICT_ADMIT) {
		atomic_inc(&denied);
	} else {
		id = v.same ? 0 : v.id;
		atomic_inc(&admitted);
	}
	if (!id)
		return;
	if (race->churn && n % race->churn == 0) {
		end_session(race->rn, id);
		return;
	}
	n = atomic_inc_return(&ids_n) - 1;
	if (n < MAX_IDS)
		ids[n] = id;
	else
		atomic_inc(&errors);
}

static int race_thread(void *arg)
{
	struct resmon_session *spare = NULL;
	struct race *race = arg;
	int left;

	wait_for_completion(&race->go);
	while ((left = atomic_dec_return(&race->left)) >= 0) {
		attempt(race, left, &spare);
		cond_resched();
	}
	resmon_session_free(spare);
	complete(&race->done);
	return 0;
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	unsigned int threads, attempts, churn, same, i, started = 0;
	char names[128], *name, *cursor = names;
	struct task_struct *task;
	struct net_device *dev;
	struct race *race;
	int err = 0;

	if (sscanf(val, "%127s %u %u %u %u", names, &threads, &attempts,
		   &churn, &same) != 5 || !threads || threads > 64)
		return -EINVAL;
	race = kzalloc_obj(*race, GFP_KERNEL);
	if (!race)
		return -ENOMEM;
	race->rn = resmon_net_of(current->nsproxy->net_ns);
	race->churn = churn;
	race->same = same;
	atomic_set(&race->left, attempts);
	init_completion(&race->go);
	init_completion(&race->done);
	while ((name = strsep(&cursor, ",")) && race->devs < MAX_DEVS) {
		dev = dev_get_by_name(current->nsproxy->net_ns, name);
		if (!dev) {
			err = -ENODEV;
			goto out;
		}
		race->ifindex[race->devs++] = dev->ifindex;
		dev_put(dev);
	}

	mutex_lock(&run_lock);
	for (i = 0; i < threads; i++) {
		task = kthread_run(race_thread, race, "resmon_race/%u", i);
		if (IS_ERR(task)) {
			err = PTR_ERR(task);
			break;
		}
		started++;
	}
	complete_all(&race->go);
	for (i = 0; i < started; i++)
		wait_for_completion(&race->done);
	mutex_unlock(&run_lock);
out:
	kfree(race);
	return err;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static int release_set(const char *val, const struct kernel_param *kp)
{
	struct resmon_net *rn = resmon_net_of(current->nsproxy->net_ns);
	int i, n;

	mutex_lock(&run_lock);
	n = min(atomic_read(&ids_n), MAX_IDS);
	for (i = 0; i < n; i++) {
		end_session(rn, ids[i]);
		cond_resched();
	}
	atomic_set(&ids_n, 0);
	atomic_set(&admitted, 0);
	atomic_set(&released, 0);
	atomic_set(&denied, 0);
	atomic_set(&errors, 0);
	mutex_unlock(&run_lock);
	return 0;
}

static const struct kernel_param_ops release_ops = { .set = release_set };
module_param_cb(release, &release_ops, NULL, 0200);

static int result_get(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%d %d %d %d\n",
			 atomic_read(&admitted), atomic_read(&released),
			 atomic_read(&denied), atomic_read(&errors));
}

static const struct kernel_param_ops result_ops = { .get = result_get };
module_param_cb(result, &result_ops, NULL, 0400);

static int __init race_init(void)
{
	ids = kvcalloc(MAX_IDS, sizeof(*ids), GFP_KERNEL);
	return ids ? 0 : -ENOMEM;
}

static void __exit race_exit(void)
{
	kvfree(ids);
}

module_init(race_init);
module_exit(race_exit);
MODULE_DESCRIPTION("Races for the last places of resmon");
MODULE_LICENSE("GPL");
