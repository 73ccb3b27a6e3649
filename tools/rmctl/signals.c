// SPDX-License-Identifier: GPL-2.0-only
/* Signals as something to poll for: none can be missed between two calls. */

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "signals.h"

/* SIGINT, SIGTERM and SIGUSR1 arrive at the file descriptor from now on. */
int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* The number of the next one, 0 when there is none. */
int signals_next(int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return info.ssi_signo;
}
