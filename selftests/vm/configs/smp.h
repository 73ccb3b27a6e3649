/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before arch/um/os-Linux/smp.c when the debug kernel is built.
 *
 * User-mode Linux with several CPUs keeps interrupts of other CPUs away by
 * blocking their signal, two system calls of the host for each pair of
 * local_irq_save and local_irq_restore. A debug kernel has so many of these that
 * two thirds of its time went there. Here such a signal is taken as all others
 * are: while interrupts are off it is noted, and when they are on again, done.
 */
#ifdef __UM_HOST__
#include <signal.h>

extern __thread int signals_enabled;

/* A bit for each kind of interrupt that is due; os-Linux/time.c looks, too. */
__thread unsigned int ipis_pending;

static __thread int ipis_open;
static void (*ipi_do)(int sig, siginfo_t *info, void *context);

static void ipi_take(int sig, siginfo_t *info, void *context)
{
	if (signals_enabled)
		ipi_do(sig, info, context);
	else
		__atomic_fetch_or(&ipis_pending, 1U << info->si_value.sival_int,
				  __ATOMIC_SEQ_CST);
}

static int ipi_set(int how, const sigset_t *set)
{
	siginfo_t info = { };
	unsigned int due;

	if (how == SIG_BLOCK)
		return 0;
	/* A CPU begins with it blocked. */
	if (!ipis_open) {
		ipis_open = 1;
		return (sigprocmask)(SIG_UNBLOCK, set, NULL);
	}
	while (ipis_pending) {
		due = __atomic_exchange_n(&ipis_pending, 0, __ATOMIC_SEQ_CST);
		for (; due; due &= due - 1) {
			info.si_value.sival_int = __builtin_ctz(due);
			ipi_do(SIGRTMIN, &info, NULL);
		}
	}
	return 0;
}

/* Of its calls those that set a whole mask are for the start of a thread. */
#define sigprocmask(how, set, old) \
	((how) == SIG_SETMASK ? (sigprocmask)(how, set, old) : \
				ipi_set(how, set))
#define sigaction(sig, action, old) \
({ \
	ipi_do = (action)->sa_sigaction; \
	(action)->sa_sigaction = ipi_take; \
	(sigaction)(sig, action, old); \
})
#endif
