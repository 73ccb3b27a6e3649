#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Dumps while everything changes, and what is told of changes: U4, U5."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import (CHASSIS, NLM_F_DUMP, NLM_F_ECHO, Netlink,  # noqa: E402
                       Refused, device, encode, mic, port, text)
import tap  # noqa: E402
from tap import equal, ok  # noqa: E402

DEVICES = 40
ETH0 = port("eth0")


def setup(nl):
    tap.ip(*["link add eth%d type dummy" % n for n in range(DEVICES)])
    for n in range(DEVICES):
        nl.do("device-new", index=2 * n + 10)
        nl.do("mic-new", device=2 * n + 10, index=3)
        nl.do("port-new", ifname="eth%d" % n, device=2 * n + 10, mic=3)
        nl.do("drain-set", target=mic(2 * n + 10, 3), on=1)
    for n in range(DEVICES):
        nl.do("region-report", device=2 * n + 10, region="heap", used=50,
              total=100, lifetime=86400)
    nl.do("drain-set", target=mic(10, 3), on=0)
    nl.admit(ETH0, count=400)


# What the kernel fills at least; less would be cut off.
SMALL = 4096
SMALL_STATS = 8192


def slowly(command, between, **values):
    """A dump in small messages, with something done after the first."""
    nl = Netlink(size=SMALL_STATS if command == "stats-get" else SMALL)
    message = nl.pack(command, encode(command.split("-")[0].upper(), values),
                      NLM_F_DUMP)
    nl.sock.send(message)
    between()
    out = nl.answers(message, command.split("-")[0].upper())
    interrupted = nl.interrupted
    nl.close()
    return out, interrupted


def name_of(command, one):
    """What tells two messages of a dump apart."""
    target = text(one["target"]) if "target" in one else ""
    names = {"limit-get": ("type",), "region-get": ("device", "region"),
             "mic-get": ("device", "index"), "session-get": ("id",),
             "echo-get": ("device",)}
    return (target,) + tuple(one.get(name) for name in names.get(
        command, ("index", "ifname")))


COMMANDS = ("device-get", "mic-get", "port-get", "limit-get", "drain-get",
            "rtt-get", "echo-get", "stats-get", "region-get", "session-get")


def interrupted(nl):
    for command in COMMANDS:
        stays = [name_of(command, one) for one in nl.dump(command)]
        got, flag = slowly(command, lambda: None)
        names = [name_of(command, one) for one in got]
        ok("U4: %s in many messages: each once, nothing interrupted" %
           command, names == stays and not flag,
           "%d, not %d" % (len(names), len(stays)))

        def change():
            # Before and behind where the dump stands.
            nl.do("device-new", index=1)
            nl.do("device-new", index=500)
            nl.do("device-del", index=1)
            nl.do("device-new", index=2)

        got, flag = slowly(command, change)
        names = [name_of(command, one) for one in got]
        ok("U4: %s while elements come and go is told interrupted" % command,
           flag)
        ok("U4: %s: what stays is met exactly once" % command,
           len(set(names)) == len(names) and set(stays) <= set(names),
           "%d twice, missing %s" % (len(names) - len(set(names)),
                                     set(stays) - set(names)))
        nl.do("device-del", index=2)
        nl.do("device-del", index=500)

    for name, values in (("settings", lambda: nl.do("chassis-set",
                                                    logging=1)),
                         ("a limit", lambda: nl.limit(CHASSIS,
                                                      max_sessions=999)),
                         ("draining", lambda: nl.do("drain-set",
                                                    target=device(10),
                                                    on=0)),
                         ("a throttle", lambda: nl.do(
                             "rtt-set", target=device(10), step=11)),
                         ("a renamed port", lambda: tap.ip(
                             "link set eth1 name eth1a",
                             "link set eth1a name eth1"))):
        ok("U4: a change of %s interrupts a dump" % name,
           slowly("limit-get", values)[1])
    nl.do("limit-del", target=CHASSIS, type="any")
    for name, values in (("sessions", lambda: nl.admit(ETH0, count=5)),
                         ("a report", lambda: nl.do(
                             "region-report", device=10, region="heap",
                             used=51, total=100)),
                         ("reading", lambda: nl.dump("device-get"))):
        ok("U4: %s are no change of configuration" % name,
           not slowly("limit-get", values)[1])

    def deleted_at_cursor():
        for n in range(DEVICES):
            nl.do("port-del", ifname="eth%d" % n)

    got, flag = slowly("port-get", deleted_at_cursor)
    names = [one["ifname"] for one in got]
    ok("U4: all ports deleted in the middle: no port twice",
       flag and len(set(names)) == len(names) < DEVICES)
    for n in range(DEVICES):
        nl.do("port-new", ifname="eth%d" % n, device=2 * n + 10, mic=3)


def churn_process():
    nl = Netlink()
    while True:
        for index in (0, 11, 51, 300):
            nl.do("device-new", index=index)
        nl.do("drain-set", target=device(300), on=1)
        for index in (0, 11, 51, 300):
            nl.do("device-del", index=index)


def session_process():
    nl = Netlink()
    while True:
        nl.admit(ETH0, type="dhcp", count=100)
        nl.release(target=ETH0, type="dhcp")


def fork(function):
    pid = os.fork()
    if not pid:
        try:
            function()
        finally:
            os._exit(1)
    return pid


def churn(nl):
    nl.admit(ETH0, count=300)
    stable = {command: {name_of(command, one) for one in nl.dump(command)}
              for command in COMMANDS}
    pids = [fork(churn_process), fork(session_process)]
    reader = Netlink(size=SMALL_STATS)
    dumps, flags, wrong = 0, 0, []
    rounds = tap.scaled(3, 1)
    for _ in range(rounds):
        for command in COMMANDS:
            got = [name_of(command, one) for one in
                   reader.dump_once(command)]
            dumps += 1
            flags += reader.interrupted
            if len(set(got)) != len(got):
                wrong.append("%s: %d twice" % (command,
                                               len(got) - len(set(got))))
            if not stable[command] <= set(got):
                wrong.append("%s: missing %s" %
                             (command, stable[command] - set(got)))
    alive = [os.waitpid(pid, os.WNOHANG)[0] == 0 for pid in pids]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for pid, here in zip(pids, alive):
        if here:
            os.waitpid(pid, 0)
    ok("U4: %d dumps under churn: what stays is met once, nothing twice" %
       dumps, not wrong and all(alive), "\n".join(wrong) or alive)
    ok("U4: some were interrupted, and said so", 0 < flags, flags)
    reader.close()
    for one in nl.dump("device-get"):
        if not one["ports"]:
            nl.do("device-del", index=one["index"])
    nl.release(all=True)
    ok("U4: rmctl repeats what was interrupted",
       tap.run("rmctl", "device", "show").count("\n") >= DEVICES)


# --- notifications

def told(listener):
    """What was told up to now, but for throttles' own and lags."""
    out = []
    while True:
        one = listener.next(0)
        if one is None:
            return out
        out.append(one)


def notifications(nl):
    listener = Netlink(groups=["config"])
    tap.ip("link add new type dummy")
    table = [
        ("device-new", dict(index=400, name="card"), "device-ntf",
         lambda: nl.do("device-get", index=400)),
        ("mic-new", dict(device=400, index=2), "mic-ntf",
         lambda: nl.do("mic-get", device=400, index=2)),
        ("port-new", dict(ifname="new", device=400, mic=2), "port-ntf",
         lambda: nl.do("port-get", ifname="new")),
        ("limit-set", dict(target=device(400), type="dhcp", max_sessions=7,
                           warn=50), "limit-ntf",
         lambda: [one for one in nl.dump("limit-get", target=device(400))
                  if one["type"] == "dhcp"][0]),
        ("limit-del", dict(target=device(400), type="dhcp"), "limit-ntf",
         lambda: [one for one in nl.dump("limit-get", target=device(400))
                  if one["type"] == "dhcp"][0]),
        ("drain-set", dict(target=port("new"), on=1), "drain-ntf",
         lambda: [one for one in nl.dump("drain-get")
                  if text(one["target"]) == "port new"][0]),
        ("drain-set", dict(target=port("new"), on=0), "drain-ntf", None),
        ("watermark-set", dict(heap=33), "watermark-ntf",
         lambda: nl.do("watermark-get")),
        ("watermark-set", dict(reset=True), "watermark-ntf",
         lambda: nl.do("watermark-get")),
        ("chassis-set", dict(high_threshold=77), "chassis-ntf",
         lambda: nl.do("chassis-get")),
        ("timeout-set", dict(idle=9), "timeout-ntf",
         lambda: nl.do("timeout-get")),
        ("rtt-set", dict(target=device(400), step=7), "rtt-ntf",
         lambda: nl.do("rtt-get", target=device(400))),
        ("rtt-reset", dict(target=device(400)), "rtt-ntf",
         lambda: nl.do("rtt-get", target=device(400))),
        ("enforce-set", dict(target=port("new"), pppoe="count"),
         "enforce-ntf", lambda: nl.do("enforce-get", target=port("new"))),
        ("echo-set", dict(device=400, engine="agent", interval_ms=60000),
         "echo-ntf", lambda: nl.do("echo-get", device=400)),
        ("echo-register", dict(device=400), "echo-ntf",
         lambda: nl.do("echo-get", device=400)),
        ("echo-set", dict(device=400, engine="none"), "echo-ntf",
         lambda: nl.do("echo-get", device=400)),
        ("stats-clear", dict(target=device(400)), "stats-ntf", None),
        ("stats-clear", {}, "stats-ntf", None),
        ("port-del", dict(ifname="new"), "port-del-ntf", None),
        ("mic-del", dict(device=400, index=2), "mic-del-ntf", None),
        ("device-del", dict(index=400), "device-del-ntf", None),
        ("timeout-set", dict(idle=0), "timeout-ntf", None),
        ("chassis-set", dict(high_threshold=90), "chassis-ntf", None),
    ]
    told(listener)
    for command, values, notice, read in table:
        echo = nl.do(command, flags=NLM_F_ECHO, **values)
        heard = told(listener)
        ok("U5: %s: one %s, to the group" % (command, notice),
           [one.command for one in heard] == [notice] and
           heard[0].portid == nl.portid and heard[0].seq == nl.seq, heard)
        ok("U5: %s: NLM_F_ECHO tells the caller the same" % command,
           echo and heard and echo.command == notice and
           echo.attrs == heard[0].attrs, echo)
        if read and heard:
            now = read()
            equal("U5: %s: it is what can be read" % notice, heard[0].attrs,
                  now)
    nl.do("chassis-set", logging=1)
    ok("U5: without NLM_F_ECHO the caller is not told", not told(nl))
    told(listener)
    for command, values in (("device-new", dict(index=10)),
                            ("limit-set", dict(target=CHASSIS, type="any")),
                            ("chassis-set", dict(retry_min=9, retry_max=8))):
        try:
            nl.do(command, flags=NLM_F_ECHO, **values)
        except Refused:
            pass
    nl.admitted(ETH0)
    nl.release(all=True)
    equal("U5: nothing is told of what was refused, nor of sessions",
          told(listener), [])

    tap.ip("link set eth2 name eth2a")
    heard = told(listener)
    ok("U5: a port that is renamed is told",
       [(one.command, one.attrs["ifname"]) for one in heard] ==
       [("port-ntf", "eth2a")], heard)
    tap.ip("link del eth2a")
    heard = told(listener)
    ok("U5: and one whose net device is gone",
       [(one.command, one.attrs["ifname"]) for one in heard] ==
       [("port-del-ntf", "eth2a")], heard)
    tap.ip("link add bond1 type bond mode balance-rr miimon 10",
           "link set bond1 up", "link set eth3 master bond1")
    tap.wait_until(lambda: nl.do("port-get", ifname="eth3").get(
        "leg-active"))
    tap.ip("link set eth3 nomaster")
    heard = [one for one in told(listener)]
    names = [one.command for one in heard]
    ok("U5: a lag that is found, and forgotten",
       "lag-ntf" in names and names[-1] in ("lag-del-ntf", "lag-ntf"), names)
    tap.ip("link del bond1")
    listener.close()


def main():
    nl = tap.fresh()
    setup(nl)
    for test in (interrupted, churn, notifications):
        test(nl)
    tap.finish(nl)


tap.main(main)
