#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""vectors/rtt_step.csv, one row a probe, through an echo agent (E1 to E3).

Everything takes four times as long as in the file, so that a machine that is
emulated has room, and probes are sent more often, so that it takes less time
altogether: they are still judged in their order.
"""

import os
import subprocess
import time

from resmon_netlink import CMD, Socket, Test, attr, enum_of, fresh, number, \
    rmctl

SLOWER, INTERVAL_MS = 4, 500
# What is in time is so by a margin: the way back takes some time itself.
MARGIN_MS = 300
VECTOR = os.path.join(os.path.dirname(__file__), "../vectors/rtt_step.csv")
RTT = enum_of("RESMON_A_RTT_TARGET")
TARGET = enum_of("RESMON_A_TARGET_KIND")
ELEMENT_DEVICE = 1


def vector():
    """Rows of second, RTT in ms, exceeded, consecutive, allowed."""
    with open(VECTOR, encoding="utf-8") as file:
        return [[int(word) for word in line.split(",")]
                for line in file if not line.startswith("#")]


def show(sk):
    """Measurements so far, exceeded, consecutive, allowed."""
    target = attr(TARGET["RESMON_A_TARGET_KIND"], ELEMENT_DEVICE) + \
        attr(TARGET["RESMON_A_TARGET_DEVICE"], 0)
    reply = sk.ask(CMD["RESMON_CMD_RTT_GET"],
                   attr(RTT["RESMON_A_RTT_TARGET"] | 0x8000, target))
    return [number(reply[RTT["RESMON_A_RTT_" + name]])
            for name in ("MEASURED", "EXCEEDED", "CONSECUTIVE", "ALLOWED")]


def follow(sk, rows):
    """The state after each measurement, by the number of it."""
    seen, end = {}, time.monotonic() + 60
    while len(seen) < rows and time.monotonic() < end:
        measured, *state = show(sk)
        if measured and measured not in seen:
            seen[measured] = state
        time.sleep(0.02)
    return seen


def main():
    rows = vector()
    test = Test()
    fresh()
    rmctl("device", "add", "0")
    rmctl("rtt", "set", "device", "0", "threshold", str(1000 * SLOWER))
    rmctl("echo", "set", "device", "0", "engine", "agent", "interval",
          str(INTERVAL_MS))
    delays = ",".join(str(rtt * SLOWER - (0 if rtt > 1000 else MARGIN_MS))
                      for _, rtt, *_ in rows)
    sk = Socket()
    with subprocess.Popen(("rmctl", "echo", "agent", "device", "0", "delays",
                           delays), stdout=subprocess.DEVNULL) as agent:
        seen = follow(sk, len(rows))
        agent.terminate()
    for second, rtt, *state in rows:
        test.check(f"second {second}, RTT {rtt} ms: "
                   "exceeded, consecutive, allowed", state, seen.get(second))
    test.finish()


main()
