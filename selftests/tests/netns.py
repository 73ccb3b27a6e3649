#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A chassis a network namespace: none sees another, none leaves anything."""
import errno
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import CHASSIS, Netlink, device, lag, port, text  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused, wait_until  # noqa: E402

ETH1 = port("eth1")


def within(name, function, *args):
    """Call a function in a namespace; sockets made there stay there."""
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    tap.enter(name)
    try:
        return function(*args)
    finally:
        # pylint: disable=protected-access
        tap._libc.setns(here, tap.CLONE_NEWNET)
        os.close(here)


def make(name):
    tap.run("ip", "netns", "add", name)
    return within(name, Netlink)


def fill(nl, name, limit):
    within(name, tap.ip, "link add eth1 type dummy",
           "link add leg1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up")
    nl.do("device-new", index=0, name="of-" + name)
    nl.do("port-new", ifname="eth1", device=0)
    nl.do("port-new", ifname="leg1", device=0)
    nl.limit(ETH1, max_sessions=limit)


def proc(path):
    with open("/proc/self/net/resmon/" + path, encoding="ascii") as table:
        return table.read()


def apart(a, b):
    fill(a, "a", 5)
    equal("a new namespace has nothing of the other",
          [b.dump(command) for command in ("device-get", "port-get",
                                           "lag-get", "session-get")],
          [[], [], [], []])
    fill(b, "b", 3)
    events = within("b", Netlink, ["events", "config"])
    answers = a.admit(ETH1, count=9)
    equal("a limit is of one namespace",
          (sum(one["verdict"] == "admit" for one in answers), a.count(),
           b.count()), (5, 5, 0))
    ids = [one["id"] for one in a.dump("session-get")]
    refused("a session of one is not known in the other", errno.ENOENT,
            "no session with that id", b.release, id=ids[0])
    refused("nor a service to be put on it", errno.ENOENT,
            "no such client session", b.admit, None, type=None,
            kind="service", on_id=ids[0])
    b.admit(ETH1, count=2)
    equal("releasing all is of one namespace",
          (b.release(all=True), a.count(), b.count()), (2, 5, 0))
    a.do("chassis-set", retry_min=1, retry_max=2)
    a.do("timeout-set", idle=99)
    a.do("watermark-set", heap=77)
    a.do("drain-set", target=CHASSIS, on=1)
    equal("settings are too",
          (b.do("chassis-get")["retry-min"], b.do("timeout-get")["idle"],
           b.do("watermark-get")["heap"], b.dump("drain-get")),
          (1000, 0, 20, []))
    equal("so is draining", b.admit(ETH1)["verdict"], "admit")
    a.do("drain-set", target=CHASSIS, on=0)
    # Draining what is empty is an event at once: the last that is to come.
    b.do("device-new", index=1)
    b.do("drain-set", target=device(1), on=1)
    b.do("drain-set", target=device(1), on=0)
    heard = []
    while True:
        one = events.next(10)
        if one is None or one.attrs.get("target") == device(1):
            break
        heard.append(one)
    equal("events and notifications are told in their namespace",
          [one.command for one in heard], ["device-ntf"])
    equal("names are of one namespace",
          (a.do("device-get", index=0)["name"],
           b.do("device-get", index=0)["name"]), ("of-a", "of-b"))
    index = a.do("port-get", ifname="eth1")["ifindex"]
    ok("a net device of the same name is another one",
       text(b.dump("limit-get", target=ETH1)[0]["target"]) == "port eth1" and
       index)
    equal("/proc/net/resmon is of the namespace that reads it",
          ["sessions 5/-" in within("a", proc, "summary"),
           "sessions 1/-" in within("b", proc, "summary"),
           within("a", proc, "sessions").count("\n"),
           within("b", proc, "sessions").count("\n"),
           "eth1" in proc("elements")], [True, True, 6, 2, False])
    shown = {name: tap.run("rmctl", "-n", name, "session", "count")
             for name in ("a", "b")}
    equal("rmctl -n looks there", shown,
          {"a": "5 sessions, 5 starting\n", "b": "1 sessions, 1 starting\n"})
    b.release(all=True)
    events.close()


def moved(a, b):
    a.release(all=True)
    a.admit(ETH1, count=4)
    a.admit(lag("bond1"), count=3)
    # The name is taken there.
    within("b", tap.ip, "link set eth1 name eth1b")
    within("a", tap.ip, "link set eth1 netns b")
    equal("a port's net device that moves away takes its sessions with it",
          (a.count(), a.count(device(0)), [one["ifname"] for one in
                                           a.dump("port-get")]),
          (3, 3, ["leg1"]))
    equal("and is no port where it arrived",
          [one["ifname"] for one in b.dump("port-get")], ["eth1b", "leg1"])
    refused("it is a plain net device there", errno.ENOENT,
            "the net device is not a port", b.do, "port-get", ifname="eth1")
    b.do("port-new", ifname="eth1", device=0)
    equal("that can be made a port", b.admit(ETH1)["verdict"], "admit")
    within("a", tap.ip, "link set leg1 netns b name leg1a")
    ok("a leg that moves away leaves its lag",
       wait_until(lambda: a.count() == 3 and a.count(device(0)) == 0))
    within("a", tap.ip, "link del bond1")
    equal("nobody is left", a.count(), 0)
    b.release(all=True)


def removed(a, b):
    """Namespaces go with everything in them."""
    a.do("device-new", index=7)
    within("a", tap.ip, "link add eth1 type dummy", "link add ps0 type dummy")
    a.do("port-new", ifname="eth1", device=0)
    a.do("port-new", ifname="ps0", anchor=[0, 7])
    a.do("echo-set", device=7, engine="agent", interval_ms=100)
    a.do("echo-set", device=0, engine="softnet", interval_ms=100)
    within("a", tap.ip, "link add bond1 type bond mode balance-rr miimon 10",
           "link add leg7 type dummy", "link set leg7 master bond1",
           "link set bond1 up")
    a.do("port-new", ifname="leg7", device=7)
    agent = within("a", Netlink)
    agent.do("echo-register", device=7)
    owner = within("a", Netlink)
    many = tap.scaled(2000, 300)
    a.limit(CHASSIS, max_sessions=many + 10, warn=50)
    # The throttles of both devices are at work meanwhile.
    owner.batch("session-admit", [dict(target=port("ps0"), type="pppoe",
                                       owner=True, priority=True)] *
                (many // 2))
    a.admit(ETH1, count=many // 4, priority=True)
    a.admit(lag("bond1"), count=many // 4, priority=True)
    client = a.admitted(ETH1, priority=True)
    a.admitted(None, type=None, kind="service", on_id=client, priority=True)
    a.do("drain-set", target=device(7), on=1)
    equal("many sessions are up", a.count(), many + 1)
    b.admitted(port("eth1b"))
    # Nobody but the sockets holds it now.
    tap.run("ip", "netns", "del", "a")
    equal("a namespace whose name is gone still works", a.count(), many + 1)
    for one in (agent, owner, a):
        one.close()
    equal("the other one does not notice that it went", b.count(), 1)


def come_and_go():
    """Many namespaces, each with something in it, gone at once."""
    rounds = tap.scaled(10, 2)
    for n in range(rounds):
        nl = make("n%d" % n)
        within("n%d" % n, tap.ip, "link add eth1 type dummy")
        nl.do("device-new", index=n)
        nl.do("port-new", ifname="eth1", device=n)
        nl.admit(ETH1, count=20)
        nl.close()
        tap.run("ip", "netns", "del", "n%d" % n)
    ok("%d namespaces came and went with sessions up" % rounds, True)


def main():
    nl = tap.fresh()
    a, b = make("a"), make("b")
    apart(a, b)
    moved(a, b)
    removed(a, b)
    come_and_go()
    b.release(all=True)
    left = tap.usage(b)
    ok("releasing everything leaves every usage at zero there", not left,
       left)
    b.admitted(port("eth1b"))
    # The module goes while a namespace has sessions.
    b.close()
    nl.close()
    ok("the module unloads under a namespace with sessions",
       wait_until(tap.unload, 30))
    tap.run("modprobe", "resmon")
    tap.run("ip", "netns", "del", "b")
    tap.finish(Netlink())


tap.main(main)
