// SPDX-License-Identifier: GPL-2.0-only
/* echo: what probes the line cards. */

#include "agent.h"
#include "out.h"
#include "rmctl.h"

static const struct arg set_args[] = {
	{ "device", "N", ARG_U32, ARG_MUST, RESMON_A_ECHO_DEVICE,
	  .complete = "device" },
	{ "engine", .type = ARG_WORD, .flags = ARG_MUST,
	  .attr = RESMON_A_ECHO_ENGINE, .names = &names_engine },
	{ "interval", "MS", ARG_U32, .attr = RESMON_A_ECHO_INTERVAL_MS },
	{ 0 }
};

static const struct arg agent_args[] = {
	{ "device", "N", ARG_U32, ARG_MUST, RESMON_A_ECHO_DEVICE,
	  .complete = "device" },
	{ "delay", .type = ARG_MS },
	{ "delays", "MS[,MS..]", ARG_TEXT },
	{ "delay-file", "FILE", ARG_TEXT, .complete = "file" },
	{ "drop", "N", ARG_U32 },
	{ 0 }
};

static const struct arg show_args[] = {
	{ "device", "N", ARG_U32, .attr = RESMON_A_ECHO_DEVICE,
	  .complete = "device" },
	{ 0 }
};

static const struct column columns[] = {
	{ "Slot", "device" },
	{ "Engine", "engine", .left = true },
	{ "Interval ms", "interval-ms" },
	{ "Agent", "agent" },
	{ "Sent", "sent" },
	{ "Answered", "answered" },
	{ "Late", "late" },
	{ "Lost", "lost" },
	{ "Unknown", "unknown" },
	{ "Foreign", "foreign" },
	{ 0 }
};

static const struct table table = { columns, "no devices" };

static const struct command commands[] = {
	{ "set", "choose what probes a line card", .args = set_args,
	  .cmd = RESMON_CMD_ECHO_SET, .run = run_change },
	{ "agent", "answer the probes of a line card until a signal ends it",
	  .args = agent_args, .cmd = RESMON_CMD_ECHO_REGISTER,
	  .check = agent_check, .run = agent_run },
	{ "show", "engines and their counters", .args = show_args,
	  .cmd = RESMON_CMD_ECHO_GET, .show = SHOW_EITHER, .table = &table,
	  .run = run_show },
	{ 0 }
};

const struct object object_echo = {
	"echo", "what probes the line cards", commands
};
