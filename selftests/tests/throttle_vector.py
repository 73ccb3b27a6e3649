#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""vectors/rtt_step.csv, one row a probe, through an echo agent (E1 to E3).

Everything takes four times as long as in the file, so that a machine that is
emulated has room, and probes are sent more often, so that it takes less time
altogether: they are still judged in their order.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import ROOT, device  # noqa: E402
import tap  # noqa: E402
from tap import equal, wait_until  # noqa: E402

SLOWER = 4
INTERVAL_MS = 1000
# What is in time is so by a margin: the way back takes some time itself.
MARGIN_MS = 300


def vector():
    """Rows of second, RTT in ms, exceeded, consecutive, allowed."""
    with open(os.path.join(ROOT, "selftests/vectors/rtt_step.csv"),
              encoding="ascii") as file:
        return [[int(word) for word in line.split(",")]
                for line in file if not line.startswith("#")]


def follow(nl, rows):
    """The state after each measurement, by the number of it."""
    seen = {}

    def enough():
        show = nl.do("rtt-get", target=device(0))
        seen.setdefault(show["measured"], [
            show[name] for name in ("exceeded", "consecutive", "allowed")])
        return show["measured"] >= rows

    wait_until(enough, 60)
    return seen


def main():
    nl = tap.fresh()
    # Whoever else runs: no measurement is missed, no answer is late. The agent
    # inherits it.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    nl.do("device-new", index=0)
    nl.do("rtt-set", target=device(0), threshold_us=1000000 * SLOWER)
    nl.do("echo-set", device=0, engine="agent", interval_ms=INTERVAL_MS)
    rows = vector()
    delays = ",".join(str(rtt * SLOWER - (0 if rtt > 1000 else MARGIN_MS))
                      for _, rtt, *_ in rows)
    with subprocess.Popen(["rmctl", "echo", "agent", "device", "0", "delays",
                           delays], stdout=subprocess.DEVNULL) as agent:
        seen = follow(nl, len(rows))
        agent.terminate()
    for second, rtt, *state in rows:
        equal("second %d, RTT %d ms: exceeded, consecutive, allowed" %
              (second, rtt), seen.get(second), state)
    tap.finish(nl)


tap.main(main)
