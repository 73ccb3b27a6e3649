#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
"""Throttles of lags and anchored ports (E7), and who is let in (E9, E6, P7).

Each device has an agent that is a thread here: it answers, or is slow, as the
test says for each probe.
"""
import errno
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import Netlink, device, lag, port  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused  # noqa: E402

INTERVAL_MS = tap.scaled(300, 1000)
# Long enough for an answer of a machine that has other things to do.
THRESHOLD_MS = 6 * INTERVAL_MS
BOND, ANCHORED, L0, L1 = lag("bond1"), port("ps0"), port("l0"), port("l1")


def wait_until(condition):
    return tap.wait_until(condition, 60)


class Agent(threading.Thread):
    """Answers the probes of a device that `slow` of their count is not for."""

    def __init__(self, index):
        super().__init__(daemon=True)
        self.nl = Netlink()
        self.index = index
        self.slow = lambda n: False
        self.ends = False
        self.nl.do("echo-register", device=index)
        self.start()

    def run(self):
        n = 0
        while not self.ends:
            message = self.nl.next(0.1)
            if not message or message.command != "echo-probe":
                continue
            n += 1
            if not self.slow(n):
                self.nl.do("echo-reply", device=self.index,
                           seq=message.attrs["seq"])

    def end(self):
        self.ends = True
        self.join()
        self.nl.close()


def rtt(nl, target, name="throttle"):
    return nl.do("rtt-get", target=target).get(name)


def setup(nl):
    tap.ip("link add l0 type dummy", "link add l1 type dummy",
           "link add ps0 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set l0 master bond1", "link set l1 master bond1",
           "link set bond1 up", "link set ps0 up")
    for index in 0, 1:
        nl.do("device-new", index=index)
        nl.do("echo-set", device=index, engine="agent",
              interval_ms=INTERVAL_MS)
        nl.do("rtt-set", target=device(index),
              threshold_us=THRESHOLD_MS * 1000, silent_max=100)
        nl.do("port-new", ifname="l%d" % index, device=index)
    nl.do("port-new", ifname="ps0", anchor=[0, 1])
    for target in BOND, ANCHORED:
        nl.do("rtt-set", target=target, silent_max=100)
    for leg in "l0", "l1":
        wait_until(lambda leg=leg:
                   nl.do("port-get", ifname=leg).get("leg-active") == 1)


def words(nl):
    refused("a port on a device has no throttle of its own", errno.EOPNOTSUPP,
            "this port takes the throttle of its device", nl.do, "rtt-get",
            target=L0)
    refused("nor has the chassis", errno.EOPNOTSUPP,
            "the chassis has no throttle, its devices have", nl.do, "rtt-set",
            target={"kind": "chassis"}, step=5)
    refused("which one?", errno.EINVAL,
            "which throttle? a target is needed", nl.do, "rtt-reset")
    equal("a lag has no threshold, those of its devices count",
          rtt(nl, BOND, "threshold-us"), None)
    equal("all that have one are shown",
          len(nl.dump("rtt-get")), 4)


def in_turn(nl, one, two):
    one.slow = lambda n: n % 2
    two.slow = lambda n: not n % 2
    for target, name in (BOND, "lag"), (ANCHORED, "anchored port"):
        ok("E7: devices that are slow in turn throttle the " + name,
           wait_until(lambda target=target: rtt(nl, target) >= 30))
    equal("E7: neither is slow three times running",
          [rtt(nl, device(0)), rtt(nl, device(1))], [0, 0])
    one.slow = two.slow = lambda n: False
    ok("E7: it ends with them",
       wait_until(lambda: rtt(nl, BOND) == rtt(nl, ANCHORED) == 0))


def explicit(nl):
    nl.do("rtt-set", target=BOND, threshold_us=1, step=100)
    ok("E7: a threshold of the lag counts more than those of its devices",
       wait_until(lambda: rtt(nl, BOND) == 100))
    equal("E7: for the lag alone", rtt(nl, ANCHORED), 0)
    answer = nl.admit(BOND)
    equal("E7: the lag refuses",
          (answer["verdict"], answer["cause"], answer["target"]["kind"]),
          ("deny", "rtt", "lag"))
    nl.do("rtt-set", target=BOND, threshold_us=60000000)
    ok("E6: at 100 % it still ends", wait_until(lambda: rtt(nl, BOND) == 0))
    nl.do("rtt-reset", target=BOND)
    equal("a reset lag has no threshold again",
          rtt(nl, BOND, "threshold-us"), None)


def instead(nl, one):
    one.slow = lambda n: True
    nl.do("rtt-set", target=device(0), max_pct=50, step=50)
    nl.do("rtt-set", target=ANCHORED, max_pct=20, step=20)
    nl.do("rtt-set", target=BOND, max_pct=20, step=20)
    ok("a slow device", wait_until(
        lambda: [rtt(nl, t) for t in (device(0), ANCHORED, BOND)] ==
        [50, 20, 20]))
    for target, percent in (ANCHORED, 20), (BOND, 20):
        verdicts = [answer["verdict"]
                    for answer in nl.admit(target, count=200)]
        denied = verdicts.count("deny")
        ok("E7: the throttle of %s stands instead of its device's" %
           target["kind"], abs(denied - 200 * percent / 100) <= 1, denied)


def spread(nl):
    tap.ip("link set l0 nomaster")
    off = denied = 0
    for n, answer in enumerate(nl.admit(L0, count=501), 1):
        denied += answer["verdict"] == "deny"
        off = max(off, abs(denied - n / 2))
    ok("E9: spread is within one of the share in every prefix", off <= 1, off)
    equal("P7: who has priority passes",
          {answer["verdict"]
           for answer in nl.admit(L0, count=20, priority=True)}, {"admit"})
    nl.do("chassis-set", load_throttle=0)
    equal("P6: load-throttle off",
          {answer["verdict"] for answer in nl.admit(L0, count=20)}, {"admit"})
    nl.do("chassis-set", load_throttle=1)


def sticky(nl):
    nl.do("rtt-set", target=device(0), select="sticky", epoch=86400)
    keys = [dict(target=L0, type="pppoe", key=b"subscriber %d" % i)
            for i in range(1000)]
    first = [answer["verdict"] for answer in nl.batch("session-admit", keys)]
    denied = first.count("deny")
    ok("E9: sticky denies the share", 400 < denied < 600, denied)
    again = [answer["verdict"] for answer in nl.batch("session-admit", keys)]
    equal("E9: who tries again gets the same answer", again, first)
    ok("E9: who has no identity is spread",
       [answer["verdict"]
        for answer in nl.admit(L0, count=100)].count("deny") == 50)
    nl.release(all=True)
    nl.do("rtt-set", target=device(0), epoch=1)
    ok("E9: another epoch has other answers", wait_until(
        lambda: [answer["verdict"] for answer in
                 nl.batch("session-admit", keys)] != first))
    nl.release(all=True)


def lost(nl, one, two):
    nl.do("rtt-set", target=device(1), lifetime=3600)
    one.slow = two.slow = lambda n: False
    ok("quick again", wait_until(lambda: rtt(nl, ANCHORED) == 0))
    measured = rtt(nl, ANCHORED, "measured")
    two.end()
    ok("E7: a device without its agent holds up no round", wait_until(
        lambda: rtt(nl, ANCHORED, "measured") > measured + 10))
    one.slow = lambda n: True
    ok("E7: the other one throttles it", wait_until(
        lambda: rtt(nl, ANCHORED) == 20))
    for index in 0, 1:
        nl.do("rtt-set", target=device(index), lifetime=1)
    one.end()
    ok("E8: with all agents gone everybody gets in", wait_until(
        lambda: [rtt(nl, t) for t in (device(0), ANCHORED, BOND)] ==
        [0, 0, 0]))
    ok("E8: and there is no round trip time", wait_until(
        lambda: [rtt(nl, t, "rtt-us") for t in (device(0), ANCHORED)] ==
        [None, None]))


def main():
    nl = tap.fresh()
    setup(nl)
    words(nl)
    one, two = Agent(0), Agent(1)
    in_turn(nl, one, two)
    explicit(nl)
    instead(nl, one)
    spread(nl)
    sticky(nl)
    lost(nl, one, two)
    tap.finish(nl)


tap.main(main)
