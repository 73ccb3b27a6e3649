#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
"""The engine softnet: probes through the receive path of this host."""
import os
import select
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import Netlink, device  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

CPUS = os.sysconf("SC_NPROCESSORS_ONLN")
ETH_P_ALL = 3


def echo(nl, name, index=0):
    return nl.do("echo-get", device=index)[name]


def rtt(nl, name="throttle"):
    return nl.do("rtt-get", target=device(0)).get(name)


def measures(nl):
    nl.do("rtt-set", target=device(0), threshold_us=60000000)
    nl.do("echo-set", device=0, engine="softnet", interval_ms=100)
    ok("it measures", wait_until(lambda: rtt(nl, "measured") >= 5))
    ok("there is a round trip time", 0 < rtt(nl, "rtt-us") < 60000000,
       rtt(nl, "rtt-us"))
    equal("nobody is refused", rtt(nl), 0)
    before, measured = nl.do("echo-get", device=0), rtt(nl, "measured")
    wait_until(lambda: rtt(nl, "measured") >= measured + 10)
    after = nl.do("echo-get", device=0)
    # A slow machine has some still on their way when the next is due.
    probes = sum(after[name] - before[name] for name in ("sent", "lost"))
    ok("every CPU is probed at every interval", probes >= 8 * CPUS,
       "%d CPUs, %d probes" % (CPUS, probes))
    show = nl.do("echo-get", device=0)
    ok("all that are not on their way are answered",
       0 <= show["sent"] - show["answered"] <= CPUS, show)


def unseen(nl):
    """A tap on everything, in the namespace of the probes' net device."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                       socket.htons(ETH_P_ALL)) as tap_sock:
        answered = echo(nl, "answered")
        wait_until(lambda: echo(nl, "answered") >= answered + 10)
        frames = []
        while select.select([tap_sock], [], [], 0)[0]:
            frames.append(tap_sock.recvfrom(2048))
        equal("taps do not see the probes", frames, [])


def exceeds(nl):
    nl.do("rtt-set", target=device(0), threshold_us=1, step=20)
    ok("the throttle rises above the threshold",
       wait_until(lambda: rtt(nl) >= 60, 60))
    ok("and it is said that answers are late", echo(nl, "late") > 0)
    nl.do("rtt-set", target=device(0), threshold_us=60000000)
    ok("it recovers", wait_until(lambda: rtt(nl) == 0))
    nl.do("rtt-reset", target=device(0))
    equal("its own default threshold", rtt(nl, "threshold-us"), 5000)


def flood():
    """Frames to nobody, so that the backlog is never empty."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        while True:
            sock.sendto(b"x" * 64, ("127.0.0.1", 9))


def flooder():
    child = os.fork()
    if child:
        return child
    try:
        flood()
    finally:
        os._exit(0)


def comes_and_goes(nl, times):
    """Begun and ended again and again, with frames in every backlog."""
    children = [flooder() for _ in range(CPUS)]
    try:
        for i in range(times):
            nl.do("echo-set", device=0, engine="softnet",
                  interval_ms=100 + i % 50)
            if i % 3 != 1:
                nl.do("echo-set", device=1, interval_ms=100,
                      engine="none" if i % 3 else "softnet")
            if i % 5 == 0:
                time.sleep(0.1 + i % 7 * 0.01)
            if i % 2:
                nl.do("echo-set", device=0, engine="none")
    finally:
        for child in children:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
    ok("it comes and goes under load", True)
    nl.do("device-del", index=1)
    nl.do("echo-set", device=0, engine="softnet", interval_ms=100)


def namespace_ends(nl):
    """A chassis that goes with its namespace while it is probed."""
    child = os.fork()
    if not child:
        try:
            tap.unshare()
            inside = Netlink()
            inside.do("device-new", index=0)
            inside.do("echo-set", device=0, engine="softnet", interval_ms=100)
            os._exit(0 if wait_until(lambda: rtt(inside, "measured") >= 2)
                     else 1)
        finally:
            os._exit(2)
    equal("it works in a namespace, and ends with it",
          os.waitpid(child, 0)[1], 0)
    equal("the one beside it does not care", echo(nl, "engine"), "softnet")


def hotplug(nl):
    path = "/sys/devices/system/cpu/cpu1/online"
    if not os.path.exists(path):
        tap.skip("CPUs come and go", "this kernel cannot take a CPU away")
        return

    def online(value):
        with open(path, "w", encoding="ascii") as file:
            file.write(value)

    def probes_of(cpus):
        sent, measured = echo(nl, "sent"), rtt(nl, "measured")
        wait_until(lambda: rtt(nl, "measured") >= measured + 20)
        probes = echo(nl, "sent") - sent
        measured = rtt(nl, "measured") - measured
        return round(probes / measured) == cpus

    for _ in range(tap.scaled(5, 2)):
        online("0")
        online("1")
    online("0")
    ok("a CPU that went away is not probed", wait_until(lambda: probes_of(1)))
    online("1")
    ok("one that came back is", wait_until(lambda: probes_of(2)))


def main():
    nl = tap.fresh(namespace=False)
    nl.do("device-new", index=0)
    nl.do("device-new", index=1)
    measures(nl)
    unseen(nl)
    exceeds(nl)
    comes_and_goes(nl, tap.scaled(100, 20))
    namespace_ends(nl)
    hotplug(nl)
    ok("the module goes while it probes", tap.unload())
    equal("and leaves nothing", tap.loaded(), False)
    tap.run("modprobe", "resmon")
    tap.finish()


tap.main(main)
