#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Caps on the sessions of elements, and draining: C1, C3, C4, C7 to C10."""
import errno
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import CHASSIS, Netlink, device, lag, mic, port  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused  # noqa: E402

TYPES = ("pppoe", "dhcp", "l2tp")
DEV0, DEV1, MIC, ETH1, ETH2, ETH3 = (device(0), device(1), mic(0, 1),
                                     port("eth1"), port("eth2"), port("eth3"))


def setup(nl):
    tap.ip("link add eth1 type dummy", "link add eth2 type dummy",
           "link add eth3 type dummy", "link add leg1 type dummy",
           "link add leg2 type dummy",
           "link add bond9 type bond mode balance-rr miimon 10",
           "link set leg1 master bond9", "link set leg2 master bond9",
           "link set bond9 up")
    nl.do("device-new", index=0)
    nl.do("device-new", index=1)
    nl.do("mic-new", device=0, index=1)
    nl.do("port-new", ifname="eth1", device=0, mic=1)
    nl.do("port-new", ifname="eth2", device=0)
    nl.do("port-new", ifname="eth3", device=1)
    nl.do("port-new", ifname="leg1", device=0)
    nl.do("port-new", ifname="leg2", device=1)


def limits(nl, target, type="any"):
    for row in nl.dump("limit-get", target=target):
        if row["type"] == type:
            return row
    raise AssertionError("no row of %s" % type)


def sessions(nl, target, type="any"):
    return limits(nl, target, type)["sessions"]


def denied(answer, cause, target):
    got = answer.get("target") or {}
    return answer["verdict"] == "deny" and answer["cause"] == cause and \
        all(got.get(name) == value for name, value in target.items())


def try_limit(nl, level, target, place, type):
    """A limit of 2 on one element for one type, or for all together."""
    nl.limit(target, type, max_sessions=2)
    mine = TYPES if type == "any" else (type, type)
    answers = [nl.admit(place, type=one) for one in mine[:2]]
    third = nl.admit(place, type=mine[-1])
    good = all(one["verdict"] == "admit" for one in answers) and \
        denied(third, "cap-" + level, target)
    for other in TYPES:
        if type not in ("any", other):
            good &= nl.admit(place, type=other)["verdict"] == "admit"
    good &= sessions(nl, target, type) == 2
    ok("C1: a %s's limit on %s, and no other, holds and is named" %
       (level, type), good, [answers, third])
    nl.release(all=True)
    nl.do("limit-del", target=target, type=type)


def c1(nl):
    for level, target, place in (("port", ETH1, ETH1), ("mic", MIC, ETH1),
                                 ("device", DEV0, ETH1),
                                 ("chassis", CHASSIS, ETH1),
                                 ("lag", lag("bond9"), lag("bond9"))):
        for type in ("any",) + TYPES:
            try_limit(nl, level, target, place, type)

    order = (("chassis", CHASSIS, 1), ("device", DEV0, 2), ("mic", MIC, 3),
             ("port", ETH1, 4))
    for _, target, limit in order:
        nl.limit(target, max_sessions=limit)
    for level, target, limit in order:
        nl.admitted(ETH1)
        answer = nl.admit(ETH1)
        ok("C1: the most restrictive limit wins: that of the %s" % level,
           denied(answer, "cap-" + level, target), answer)
        nl.do("limit-del", target=target, type="any")
    nl.release(all=True)

    nl.limit(ETH1, "pppoe", max_sessions=5)
    nl.limit(ETH1, "any", max_sessions=1)
    nl.admitted(ETH1, type="dhcp")
    ok("C1: the limit on any holds for a type that has room",
       denied(nl.admit(ETH1), "cap-port", ETH1))
    nl.do("limit-del", target=ETH1, type="any")
    nl.do("limit-del", target=ETH1, type="pppoe")
    nl.release(all=True)

    # 10 on port A, port B unaffected.
    nl.limit(ETH1, max_sessions=10)
    a = nl.admit(ETH1, count=20)
    b = nl.admit(ETH2, count=20)
    equal("C1: 10 on one port, the other one unaffected",
          [sum(one["verdict"] == "admit" for one in many) for many in (a, b)],
          [10, 20])
    nl.do("limit-del", target=ETH1, type="any")
    nl.release(all=True)


def c3(nl):
    rows = nl.dump("limit-get")
    ok("C3: by default there is no limit anywhere",
       not [row for row in rows if "max-sessions" in row or
            "max-starting" in row], rows)
    answers = nl.admit(ETH1, count=600)
    equal("C3: no hidden limit: 600 sessions get in",
          sum(one["verdict"] == "admit" for one in answers), 600)
    nl.release(all=True)

    table = tap.run("rmctl", "limit", "show", "port", "eth1").splitlines()
    line = [words.split() for words in table if " any " in words][0]
    equal("C3: an absent limit prints as -", line[4], "-")

    nl.limit(ETH1, max_sessions=0)
    ok("C3: a limit of 0 is nobody",
       denied(nl.admit(ETH1), "cap-port", ETH1))
    nl.limit(ETH1, max_sessions=1000000)
    equal("C3: 1 000 000 is a limit",
          limits(nl, ETH1)["max-sessions"], 1000000)
    for name in ("max-sessions", "max-starting"):
        for value in (1000001, 0xffffffff):
            said = refused("C3: %s of %d is out of range" % (name, value),
                           errno.ERANGE, None, nl.limit, ETH1,
                           **{name: value})
            equal("C3: %s is the attribute at fault" % name,
                  said and said.path, name)
    equal("C3: a refused limit changes nothing",
          limits(nl, ETH1)["max-sessions"], 1000000)
    nl.do("limit-del", target=ETH1, type="any")
    ok("C3: a limit that is deleted is absent",
       "max-sessions" not in limits(nl, ETH1))
    refused("C3: a limit that is not there is not deleted", errno.ENOENT,
            "there is no limit on that type", nl.do, "limit-del", target=ETH1,
            type="any")


def c4(nl):
    ids = [nl.admitted(ETH1) for _ in range(5)]
    nl.limit(ETH1, max_sessions=2)
    row = limits(nl, ETH1)
    equal("C4: a limit under the usage is taken, sessions stay, it shows",
          (row["sessions"], row["max-sessions"], row["over"]), (5, 2, 1))
    table = tap.run("rmctl", "limit", "show", "port", "eth1")
    ok("C4: rmctl says over", " over " in table, table)
    ok("C4: new ones are denied",
       denied(nl.admit(ETH1), "cap-port", ETH1))
    for one in ids[:3]:
        nl.release(id=one)
    equal("C4: at the limit it is no longer over",
          limits(nl, ETH1)["over"], 0)
    ok("C4: at the limit new ones are still denied",
       denied(nl.admit(ETH1), "cap-port", ETH1))
    nl.release(id=ids[3])
    ok("C4: under the limit they get in",
       nl.admit(ETH1)["verdict"] == "admit")
    nl.limit(CHASSIS, max_sessions=0)
    nl.limit(DEV0, max_sessions=0)
    equal("C4: lowered to 0 at every level, never EBUSY, nobody leaves",
          sessions(nl, CHASSIS), 2)
    nl.release(all=True)
    for target in (ETH1, CHASSIS, DEV0):
        nl.do("limit-del", target=target, type="any")


def c7(nl):
    nl.limit(ETH1, max_starting=1)
    first = nl.admitted(ETH1, key=b"a")
    answer = nl.admit(ETH1, key=b"b")
    ok("C7: starting 1: the second of two overlapping begins is denied",
       denied(answer, "cap-starting", ETH1), answer)
    ok("C7: one that is active at once is not starting",
       nl.admit(ETH1, key=b"c", active=True)["verdict"] == "admit")
    nl.activate(id=first)
    equal("C7: activated, it is not starting any more",
          limits(nl, ETH1)["starting"], 0)
    ok("C7: now the next may begin",
       nl.admit(ETH1, key=b"b")["verdict"] == "admit")
    ok("C7: the limit on all sessions is apart: three are in",
       sessions(nl, ETH1) == 3)
    nl.release(all=True)
    nl.do("limit-del", target=ETH1, type="any")

    for target, place in ((MIC, ETH1), (DEV0, ETH1), (CHASSIS, ETH1),
                          (lag("bond9"), lag("bond9"))):
        nl.limit(target, "dhcp", max_starting=2, max_sessions=9)
        nl.admit(place, type="dhcp", count=2)
        one, two = nl.admit(place, type="dhcp"), nl.admit(place)
        ok("C7: starting 2 of one type on a %s" % target["kind"],
           denied(one, "cap-starting", target) and two["verdict"] == "admit",
           [one, two])
        nl.release(all=True)
        nl.do("limit-del", target=target, type="dhcp")


def c8(nl):
    nl.do("stats-clear")
    before = int(time.time())
    nl.limit(CHASSIS, max_sessions=3)
    ids = [nl.admitted(ETH1) for _ in range(3)]
    nl.admit(ETH1)
    for one in ids[:2]:
        nl.release(id=one)
    for target in (ETH1, MIC, DEV0, CHASSIS):
        row = limits(nl, target)
        ok("C8: peak of a %s and its time, denials do not raise it" %
           target["kind"], row["peak"] == 3 and row["sessions"] == 1 and
           before - 1 <= row["peak-time"] <= time.time() + 1, row)
    nl.do("stats-clear")
    for target in (ETH1, CHASSIS):
        row = limits(nl, target)
        equal("C8: stats clear on a %s: usage stays, the peak is the usage" %
              target["kind"],
              (row["sessions"], row["peak"], row["refused"]), (1, 1, 0))
    equal("C8: stats clear clears the counters",
          [nl.do("chassis-get")[name] for name in ("denied", "admitted")],
          [0, 0])
    nl.admitted(ETH1)
    nl.do("stats-clear", target=DEV0)
    equal("C8: stats clear of one element leaves the others",
          nl.do("chassis-get")["admitted"], 1)
    nl.release(all=True)
    nl.do("limit-del", target=CHASSIS, type="any")


def c9(nl):
    refused("C9: a device with ports stays", errno.EBUSY,
            "the device has ports, delete them first", nl.do, "device-del",
            index=0)
    refused("C9: a mic with ports stays", errno.EBUSY,
            "the mic has ports, delete them first", nl.do, "mic-del",
            device=0, index=1)

    ids = [one["id"] for one in nl.admit(ETH1, count=5)]
    keep = nl.admitted(ETH2)
    nl.do("port-del", ifname="eth1")
    equal("C9: a deleted port releases its sessions at every level",
          [sessions(nl, target) for target in (MIC, DEV0, CHASSIS)],
          [0, 1, 1])
    refused("C9: its sessions are gone", errno.ENOENT,
            "no session with that id", nl.do, "session-get", id=ids[0])
    equal("C9: those of others are not",
          nl.do("session-get", id=keep)["id"], keep)
    nl.do("mic-del", device=0, index=1)
    nl.do("mic-new", device=0, index=1)
    nl.do("port-new", ifname="eth1", device=0, mic=1)

    nl.admit(ETH3, count=3)
    tap.ip("link del eth3")
    refused("C9: a port whose net device is gone is gone", errno.ENODEV,
            "no such net device", nl.do, "port-get", ifname="eth3")
    equal("C9: and so are its sessions",
          (sessions(nl, DEV1), sessions(nl, CHASSIS)), (0, 1))
    equal("C9: one port less on the device",
          nl.do("device-get", index=1)["ports"], 1)
    nl.release(all=True)

    tap.ip("link add link eth1 name eth1.100 type vlan id 100",
           "link add link eth1.100 name eth1.100.200 type vlan id 200",
           "link add link eth2 name eth2.7 type vlan id 7")
    for name in ("eth1.100", "eth1.100.200"):
        refused("C9: VLAN %s of a port is no port" % name, errno.EINVAL,
                "the VLAN's sessions count on the port below it", nl.do,
                "port-new", ifname=name, device=0)
    nl.do("port-del", ifname="eth2")
    nl.do("port-new", ifname="eth2.7", device=0)
    refused("C9: nor the other way round", errno.EINVAL,
            "a VLAN of the net device is a port", nl.do, "port-new",
            ifname="eth2", device=0)
    nl.do("port-del", ifname="eth2.7")
    nl.do("port-new", ifname="eth2", device=0)

    one = nl.admitted(port("eth1.100.200"), type="dhcp", key=b"q")
    two = nl.admitted(port("eth1.100"), type="dhcp", key=b"q")
    three = nl.admitted(ETH1, type="dhcp", key=b"q", vlan_outer=100,
                        vlan_inner=201)
    same = nl.admit(ETH1, type="dhcp", key=b"q", vlan_outer=100,
                    vlan_inner=200)
    equal("C9: sessions of VLAN and QinQ net devices count on their port",
          (sessions(nl, ETH1), sessions(nl, DEV0)), (3, 3))
    equal("C9: with their VLANs",
          [[nl.do("session-get", id=an_id).get(name) for name in
            ("vlan-outer", "vlan-inner")] for an_id in (one, two, three)],
          [[100, 200], [100, None], [100, 201]])
    equal("C9: by VLAN or by net device it is the same session",
          (same.get("same"), same["id"]), (1, one))
    nl.limit(ETH1, "dhcp", max_sessions=3)
    ok("C9: and the port's limit holds for them",
       denied(nl.admit(port("eth1.100"), type="dhcp"), "cap-port", ETH1))
    nl.do("limit-del", target=ETH1, type="dhcp")
    nl.release(all=True)


def crossings(events, nl):
    """Events but denials, up to one that is caused here."""
    nl.do("drain-set", target=DEV1, on=1)
    nl.do("drain-set", target=DEV1, on=0)
    seen = []
    while True:
        event = events.next(10)
        if event is None:
            return seen + ["timeout"]
        what = event.attrs
        if what["type"] == "drained" and what["target"] == DEV1:
            return seen
        if what["type"] != "verdict":
            seen.append((what["type"], what.get("value"), what.get("mark")))


def c10(nl):
    events = Netlink(groups=["events"])
    nl.limit(ETH1, max_sessions=100, warn=80)
    nl.admit(ETH1, count=79)
    for _ in range(4):
        one = nl.admitted(ETH1)
        nl.release(id=one)
    ids = [nl.admitted(ETH1) for _ in range(3)]
    equal("C10: around the mark, 79 80 79 80, one event",
          crossings(events, nl), [("limit-warn", 80, 100)])
    for one in ids:
        nl.release(id=one)
    some = [one["id"] for one in nl.dump("session-get")]
    nl.release(id=some[0])
    nl.release(id=some[1])
    nl.release(id=some[2])
    equal("C10: 76 is within the dead band", crossings(events, nl), [])
    nl.release(id=some[3])
    equal("C10: 75 is clear", crossings(events, nl),
          [("limit-clear", 75, 100)])
    nl.admit(ETH1, count=5)
    equal("C10: the next crossing is an event again", crossings(events, nl),
          [("limit-warn", 80, 100)])
    nl.limit(ETH1, max_sessions=200)
    equal("C10: a limit that is raised clears it", crossings(events, nl),
          [("limit-clear", 80, 200)])
    nl.limit(ETH1, max_sessions=80)
    equal("C10: one that is lowered crosses it", crossings(events, nl),
          [("limit-warn", 80, 80)])
    nl.do("limit-del", target=ETH1, type="any")
    equal("C10: without a limit there is no warning", crossings(events, nl)[-1:],
          [("limit-clear", 80, None)])
    nl.release(all=True)

    parent = nl.admitted(ETH1, key=b"a")
    nl.admitted(ETH1, key=b"b")
    for target in (ETH1, MIC, DEV0, CHASSIS):
        nl.do("drain-set", target=target, on=1)
        answer = nl.admit(ETH1)
        ok("C10: a %s that is drained admits nobody" % target["kind"],
           denied(answer, "drain", target), answer)
        equal("C10: it keeps who is there, and shows how many are left",
              nl.dump("drain-get")[0]["left"], 2)
        nl.do("drain-set", target=target, on=0)
    nl.do("drain-set", target=ETH1, on=1)
    answer = nl.admit(None, type=None, kind="service", on_id=parent)
    ok("C10: nor a service", denied(answer, "drain", ETH1), answer)
    equal("C10: not drained while somebody is left", crossings(events, nl),
          [])
    nl.release(all=True)
    equal("C10: drained is told once", crossings(events, nl),
          [("drained", None, None)])
    nl.do("drain-set", target=ETH1, on=0)
    ok("C10: after it, everybody gets in",
       nl.admit(ETH1)["verdict"] == "admit")
    equal("C10: nothing is being drained", nl.dump("drain-get"), [])
    nl.release(all=True)
    events.close()


def start_up(nl):
    """Hundreds wait at start-up: many ports, 50 attempts each, at once."""
    ports = tap.scaled(20, 4)
    tap.ip(*["link add many%d type dummy" % n for n in range(ports)])
    for n in range(ports):
        nl.do("port-new", ifname="many%d" % n, device=n % 2)
        nl.limit(port("many%d" % n), max_sessions=30)
    nl.limit(CHASSIS, max_sessions=ports * 25)
    requests = [dict(target=port("many%d" % n), type="pppoe")
                for _ in range(50) for n in range(ports)]
    answers = nl.batch("session-admit", requests)
    equal("C1: %d ports x 50 attempts, exactly the chassis' limit" % ports,
          sum(one["verdict"] == "admit" for one in answers), ports * 25)
    equal("C1: and that is the usage", sessions(nl, CHASSIS), ports * 25)


def main():
    nl = tap.fresh()
    setup(nl)
    for test in (c1, c3, c4, c7, c8, c9, c10, start_up):
        test(nl)
    tap.finish(nl)


tap.main(main)
