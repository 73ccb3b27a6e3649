// SPDX-License-Identifier: GPL-2.0-only
/*
 * Subscribers in a crowd: see options.c for what can be asked of them. One
 * process and one loop: timers, frames in, frames out. This file is the story
 * of a round: all start, all are in (or time is over), they stay, they leave.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "client.h"
#include "flood.h"
#include "options.h"
#include "report.h"

/* Who has not taken leave by then is not waited for. */
#define LEAVE_MS 5000
/* So often a signal is looked for, at least. */
#define WAIT_MS 100

enum phase { STARTING, STAYING, LEAVING, AWAY, OVER };

static enum phase phase;
static __u64 phase_ms;
static int round_n;
static bool as_expected = true;
static atomic_bool told_to_end;

static void on_signal(int signal)
{
	(void)signal;
	told_to_end = true;
}

static void enter(enum phase next)
{
	phase = next;
	phase_ms = now_ms;
}

static __u32 wanted(void)
{
	return options.expect < 0 ? clients_n : (__u32)options.expect;
}

static void begin(void)
{
	round_n++;
	clients_begin();
	enter(STARTING);
}

static void leave(void)
{
	report_round(round_n);
	if (client_counts.in != wanted())
		as_expected = false;
	clients_end(options.release);
	enter(LEAVING);
}

/* All that are wanted are in, and nobody else is to come. */
static bool complete(void)
{
	return clients_n && wanted() == clients_n &&
	       client_counts.in == clients_n;
}

static void next_phase(bool all_sent)
{
	__u64 for_ms = now_ms - phase_ms;

	switch (phase) {
	case STARTING:
		if (told_to_end)
			leave();
		else if (complete())
			enter(STAYING);
		else if (for_ms < options.time_s * 1000ULL)
			break;
		else if (client_counts.in == wanted())
			enter(STAYING);
		else
			leave();
		break;
	case STAYING:
		if (told_to_end || for_ms >= options.hold_s * 1000ULL)
			leave();
		break;
	case LEAVING:
		if ((client_counts.gone < clients_n || !all_sent) &&
		    for_ms < LEAVE_MS)
			break;
		/* Whom the other side did not let go is gone all the same. */
		clients_end(false);
		enter(options.restart_after_s >= 0 && round_n == 1 &&
		      !told_to_end ? AWAY : OVER);
		break;
	case AWAY:
		if (told_to_end)
			enter(OVER);
		else if (for_ms >= options.restart_after_s * 1000ULL)
			begin();
		break;
	case OVER:
		break;
	}
}

static void receive(const struct frame *frame)
{
	flood_receive(frame);
	clients_receive(frame);
}

static bool flooding(void)
{
	return options.flood && (phase == STARTING || phase == STAYING);
}

static void loop(int epoll)
{
	struct epoll_event event;
	int wait;

	begin();
	while (phase != OVER) {
		clock_read();
		wheel_run(packet_roomy);
		if (flooding())
			flood_run();
		packet_receive(receive);
		wait = packet_flush();
		next_phase(wait < 0);
		if (wait < 0)
			wait = wheel_wait(WAIT_MS);
		if (flooding() || (phase == LEAVING && wait > 1))
			wait = 1;
		epoll_wait(epoll, &event, 1, wait);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct epoll_event event = { .events = EPOLLIN };
	int rx, epoll;

	options_read(argc, argv);
	clock_read();
	rx = packet_init(options.dev, options.frames_per_second);
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (rx < 0)
		return 2;
	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, rx, &event)) {
		perror("storm: epoll");
		return 2;
	}
	if (!clients_init()) {
		fprintf(stderr, "storm: out of memory\n");
		return 2;
	}
	if (!report_init())
		return 2;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	loop(epoll);
	if (!report_end())
		return 2;
	return as_expected ? 0 : 1;
}
