/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before arch/um/os-Linux/time.c when the debug kernel is built: a CPU
 * does not fall asleep while interrupts are noted for it, see smp.h.
 */
#if defined(__UM_HOST__) && defined(CONFIG_SMP)
#include <signal.h>
#include <os.h>

extern __thread unsigned int ipis_pending;

static inline int poll_unless_due(unsigned int n, const int *fds)
{
	sigset_t ipi;
	int ret = 0;

	sigemptyset(&ipi);
	sigaddset(&ipi, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &ipi, NULL);
	if (!ipis_pending)
		ret = os_poll(n, fds);
	sigprocmask(SIG_UNBLOCK, &ipi, NULL);
	return ret;
}

#define os_poll(n, fds) poll_unless_due(n, fds)
#endif
