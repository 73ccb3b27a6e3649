#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Lags whose legs come and go, and anchored ports: C5, C6, C6a, C9.

After every step all usages are computed anew from the sessions and from what
stands where, and compared with what the module counted.
"""
import errno
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import CHASSIS, device, lag, mic, port, text  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused, wait_until  # noqa: E402

TYPES = ("any", "pppoe", "dhcp", "l2tp")


def elements(one):
    """What a session of a port counts on, the chassis apart."""
    out = {"port " + one["ifname"]}
    if "device" in one:
        out.add("device %d" % one["device"])
        if "mic" in one:
            out.add("mic %d/%d" % (one["device"], one["mic"]))
    out.update("device %d" % index for index in one.get("anchor", ()))
    return out


def wrong(nl):
    """Usages that are not what the sessions say."""
    ports = {one["ifname"]: one for one in nl.dump("port-get")}
    paths = {"port " + name: elements(one) for name, one in ports.items()}
    for one in nl.dump("lag-get"):
        path = {"lag " + one["ifname"]}
        for leg in one.get("leg", ()):
            path |= elements(ports[leg["ifname"]])
        paths["lag " + one["ifname"]] = path
    usage = {}
    for session in nl.dump("session-get"):
        if session["kind"] != "client":
            continue
        for element in paths[text(session["target"])] | {"chassis"}:
            for type in ("any", session["type"]):
                row = usage.setdefault((element, type), [0, 0])
                row[0] += 1
                row[1] += session["state"] == "starting"
    out = []
    for row in nl.dump("limit-get"):
        at = text(row["target"]), row["type"]
        got = [row["sessions"], row["starting"]]
        if got != usage.get(at, [0, 0]):
            out.append("%s %s: %s, not %s" % (at + (
                got, usage.get(at, [0, 0]))))
    return out


def exact(nl, name):
    found = wrong(nl)
    ok(name + ": every count is exact", not found, "\n".join(found))


def sessions(nl, *targets):
    return [nl.count(target) for target in targets]


DEV0, DEV1, MIC = device(0), device(1), mic(0, 1)
L1, L2, L3, BOND = port("l1"), port("l2"), port("l3"), lag("bond1")
ALL = (L1, L2, L3, MIC, DEV0, DEV1, CHASSIS)


def setup(nl):
    tap.ip("link add l1 type dummy", "link add l2 type dummy",
           "link add l3 type dummy", "link add eth9 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link add bond2 type bond mode balance-rr miimon 10",
           "link set l1 master bond1", "link set l2 master bond1",
           "link set l3 master bond1", "link set bond1 up",
           "link set bond2 up")
    for index in 0, 1:
        nl.do("device-new", index=index)
    nl.do("mic-new", device=0, index=1)
    nl.do("port-new", ifname="l1", device=0, mic=1)
    nl.do("port-new", ifname="l2", device=0)
    nl.do("port-new", ifname="l3", device=1)
    nl.do("port-new", ifname="eth9", device=1)


def legs(nl, name="bond1"):
    one = [one for one in nl.dump("lag-get") if one["ifname"] == name]
    return {leg["ifname"]: leg["active"]
            for leg in one[0].get("leg", ())} if one else None


def active(nl, name, value):
    return wait_until(
        lambda: nl.do("port-get", ifname=name).get("leg-active") == value)


def c5(nl):
    equal("C5: a bond whose legs are ports is found",
          legs(nl), {"l1": 1, "l2": 1, "l3": 1})
    refused("C5: it is no port itself", errno.EINVAL,
            "a lag is found from its legs, add these as ports", nl.do,
            "port-new", ifname="bond1", device=0)
    nl.admit(BOND, count=2)
    nl.admitted(BOND, type="dhcp", active=True)
    equal("C5: sessions count on every leg, on a device of two legs once",
          sessions(nl, *ALL), [3] * 7)
    exact(nl, "C5: sessions on a lag")
    one = nl.admitted(L2, key=b"leg")
    equal("C5: a session through a leg is one of the lag",
          nl.do("session-get", id=one)["target"]["ifname"], "bond1")
    tap.ip("link add link bond1 name bond1.5 type vlan id 5")
    two = nl.admitted(port("bond1.5"), key=b"leg")
    shown = nl.do("session-get", id=two)
    equal("C5: one of a VLAN on the bond too",
          (text(shown["target"]), shown["vlan-outer"]), ("lag bond1", 5))
    refused("C5: that VLAN is no port", errno.EINVAL,
            "the VLAN's sessions count on the port below it", nl.do, "port-new",
            ifname="bond1.5", device=0)
    exact(nl, "C5: through legs and VLANs")
    for target, cause in ((L3, "cap-port"), (MIC, "cap-mic"),
                          (DEV1, "cap-device"), (BOND, "cap-lag")):
        nl.limit(target, max_sessions=5)
        answer = nl.admit(BOND)
        ok("C5: a full %s refuses the lag" % text(target),
           answer["verdict"] == "deny" and answer["cause"] == cause and
           text(answer["target"]) == text(target), answer)
        nl.do("limit-del", target=target, type="any")


def c6(nl):
    nl.admit(port("eth9"), count=2)
    tap.ip("link set l3 nomaster")
    equal("C6: a leg that leaves takes its share with it",
          sessions(nl, L3, DEV1, CHASSIS, BOND), [0, 2, 7, 5])
    nl.admit(L3, count=3)
    equal("C6: alone it has sessions of its own",
          nl.do("port-get", ifname="l3")["own"], 3)
    exact(nl, "C6: a leg left")
    tap.ip("link set l3 down", "link set l3 master bond1")
    equal("C6: one that joins brings and gets its share",
          sessions(nl, L3, DEV1, CHASSIS, BOND), [8, 10, 10, 5])
    exact(nl, "C6: a leg joined")
    nl.release(target=port("eth9"))
    tap.ip("link set l1 nomaster", "link set l2 nomaster")
    equal("C6: two legs on one device, both left",
          sessions(nl, L1, L2, MIC, DEV0), [0, 0, 0, 0])
    tap.ip("link set l2 down", "link set l2 master bond1")
    equal("C6: one of them came back",
          sessions(nl, L1, L2, MIC, DEV0), [0, 5, 0, 5])
    tap.ip("link set l1 down", "link set l1 master bond1")
    equal("C6: the other came back",
          sessions(nl, L1, L2, MIC, DEV0), [5, 5, 5, 5])
    exact(nl, "C6: legs on one device")

    nl.admit(L1, count=1)
    tap.ip("link set l1 nomaster", "link set l1 down",
           "link set l1 master bond2")
    nl.admit(lag("bond2"), type="l2tp", count=4)
    exact(nl, "C6: a leg moved to another bond")
    equal("C6: there it has that bond's sessions",
          sessions(nl, L1, L2), [4, 6])
    tap.ip("link set l1 nomaster", "link set l1 down",
           "link set l1 master bond1")
    equal("C6: a lag without legs keeps its sessions",
          sessions(nl, lag("bond2"), L1, CHASSIS), [4, 6, 13])
    exact(nl, "C6: moved back")
    nl.release(target=lag("bond2"))
    ok("C6: a lag without legs and sessions is forgotten",
       wait_until(lambda: legs(nl, "bond2") is None))

    tap.ip("link set bond1 down", "link set bond1 name agg1",
           "link set l2 down", "link set l2 name leg2")
    equal("C6: renamed, lag and leg keep their sessions",
          (sessions(nl, lag("agg1"), port("leg2")), sorted(legs(nl, "agg1"))),
          ([6, 6], ["l1", "l3", "leg2"]))
    exact(nl, "C6: after renaming")
    tap.ip("link set leg2 name l2", "link set agg1 name bond1",
           "link set bond1 up", "link set l2 up")

    before = sessions(nl, DEV0, MIC, L1)
    nl.do("port-del", ifname="l2")
    equal("C6: a leg that is no port any more takes nobody with it",
          (sessions(nl, DEV0, MIC, L1), nl.count(BOND)), (before, 6))
    nl.do("port-new", ifname="l2", device=0)
    equal("C6: made a port again it is a leg at once",
          (sessions(nl, L2), sorted(legs(nl))), ([6], ["l1", "l2", "l3"]))
    exact(nl, "C6: port deleted and added")


def c6a(nl):
    for name in ("l1", "l2", "l3"):
        active(nl, name, 1)
    nl.limit(L3, max_sessions=nl.count(L3))
    ok("C6a: a full leg refuses", nl.admit(BOND)["cause"] == "cap-port")
    tap.ip("link set l3 carrier off")
    ok("C6a: without carrier a leg is not active", active(nl, "l3", 0))
    before = nl.count(L3)
    ok("C6a: it is not asked for room", nl.admit(BOND)["verdict"] == "admit")
    equal("C6a: but counts", nl.count(L3), before + 1)
    nl.limit(DEV1, max_sessions=0)
    ok("C6a: nor is the device that only it stands on",
       nl.admit(BOND)["verdict"] == "admit")
    nl.do("limit-del", target=DEV1, type="any")
    tap.ip("link set l3 carrier on")
    ok("C6a: with carrier it is asked again", active(nl, "l3", 1) and
       nl.admit(BOND)["cause"] == "cap-port")
    exact(nl, "C6a: carrier lost and back")
    tap.ip("link set l3 down")
    ok("C6a: a leg that is down is not asked", active(nl, "l3", 0) and
       nl.admit(BOND)["verdict"] == "admit")
    tap.ip("link set l3 up")
    active(nl, "l3", 1)
    nl.do("limit-del", target=L3, type="any")

    nl.limit(MIC, max_sessions=0)
    tap.ip("link set l1 carrier off")
    active(nl, "l1", 0)
    nl.limit(DEV0, max_sessions=0)
    equal("C6a: a device is asked while one of its legs is active",
          nl.admit(BOND)["cause"], "cap-device")
    tap.ip("link set l1 carrier on")
    active(nl, "l1", 1)
    for target in (MIC, DEV0):
        nl.do("limit-del", target=target, type="any")
    nl.release(all=True)


def active_backup(nl):
    tap.ip("link add bond3 type bond mode active-backup miimon 10",
           "link set l1 nomaster", "link set l3 nomaster",
           "link set l1 down", "link set l3 down",
           "link set l1 master bond3", "link set l3 master bond3",
           "link set bond3 up")
    ok("C6a: of active-backup one leg is active",
       wait_until(lambda: sorted(legs(nl, "bond3").values()) == [0, 1]),
       legs(nl, "bond3"))
    state = legs(nl, "bond3")
    first = [name for name, on in state.items() if on][0]
    other = [name for name, on in state.items() if not on][0]
    target = lag("bond3")
    nl.limit(port(other), max_sessions=0)
    ok("C6a: the backup is not asked",
       nl.admit(target)["verdict"] == "admit")
    equal("C6a: both count", sessions(nl, port(first), port(other)), [1, 1])
    tap.ip("link set %s carrier off" % first)
    ok("C6a: after the failover it is",
       active(nl, other, 1) and nl.admit(target)["cause"] == "cap-port")
    ok("C6a: and the failed one not",
       nl.do("port-get", ifname=first)["leg-active"] == 0)
    tap.ip("link set %s carrier on" % first)
    nl.do("limit-del", target=port(other), type="any")
    exact(nl, "C6a: active-backup")
    nl.release(all=True)
    tap.ip("link del bond3")


def aggregated(nl):
    """802.3ad with a partner in another namespace."""
    name = "C6a: 802.3ad"
    try:
        tap.run("ip", "netns", "add", "partner")
    except OSError:
        return tap.skip(name, "no named network namespaces")
    try:
        tap.ip("link add bond4 type bond mode 802.3ad miimon 10 lacp_rate fast",
               "link add v1 type veth peer name w1 netns partner",
               "link add v2 type veth peer name w2 netns partner",
               "link set v1 master bond4", "link set v2 master bond4",
               "link set bond4 up")
        tap.run("ip", "-n", "partner", "-batch", "-", input="""
link add bond4 type bond mode 802.3ad miimon 10 lacp_rate fast
link set w1 master bond4
link set w2 master bond4
link set bond4 up
""")
        nl.do("port-new", ifname="v1", device=0)
        nl.do("port-new", ifname="v2", device=1)
        target = lag("bond4")
        if not wait_until(lambda: legs(nl, "bond4") == {"v1": 1, "v2": 1},
                          15):
            return tap.skip(name, "no aggregation came up within 15 s")
        nl.admit(target, count=2)
        nl.limit(port("v2"), max_sessions=2)
        ok(name + ": both legs collect and distribute, and are asked",
           nl.admit(target)["cause"] == "cap-port")
        # The carrier stays, the partner is gone.
        tap.run("ip", "-n", "partner", "-batch", "-",
                input="link set w2 nomaster\nlink set w2 up\n")
        ok(name + ": a leg with carrier whose partner left is not asked",
           wait_until(lambda: "LOWER_UP" in tap.run("ip", "link", "show",
                                                    "v2")) and
           active(nl, "v2", 0) and
           nl.admit(target)["verdict"] == "admit", legs(nl, "bond4"))
        equal(name + ": but counts", nl.count(port("v2")), 3)
        exact(nl, name)
        tap.ip("link del v1")
        exact(nl, name + ": a leg's net device is gone")
        return None
    finally:
        nl.release(all=True)
        tap.run("ip", "link", "del", "bond4", check=False)
        tap.run("ip", "link", "del", "v2", check=False)
        tap.run("ip", "netns", "del", "partner")


def team(nl):
    try:
        tap.ip("link add team1 type team")
    except Exception:  # whatever `ip` says
        return tap.skip("C5: a team", "no team in this kernel")
    tap.ip("link set l1 nomaster", "link set l3 nomaster",
           "link set l1 down", "link set l3 down",
           "link set l1 master team1", "link set l3 master team1",
           "link set team1 up", "link set l1 up", "link set l3 up")
    target = lag("team1")
    ok("C5: a team is a lag too",
       wait_until(lambda: legs(nl, "team1") == {"l1": 1, "l3": 1}),
       legs(nl, "team1"))
    nl.admit(target, count=3)
    equal("C5: its sessions count on its legs", sessions(nl, L1, L3, DEV1),
          [3, 3, 3])
    tap.ip("link set l3 carrier off")
    nl.limit(L3, max_sessions=0)
    ok("C6a: a leg without carrier is not asked there either",
       active(nl, "l3", 0) and nl.admit(target)["verdict"] == "admit")
    tap.ip("link set l3 carrier on")
    nl.do("limit-del", target=L3, type="any")
    tap.ip("link set l1 nomaster")
    exact(nl, "C6: a leg left a team")
    tap.ip("link del team1")
    equal("C9: a team is deleted with its sessions",
          sessions(nl, L1, L3, CHASSIS), [0, 0, 0])
    return None


def anchored(nl):
    tap.ip("link add ps0 type dummy", "link add ps1 type dummy")
    nl.do("port-new", ifname="ps0", anchor=[0, 1])
    nl.do("port-new", ifname="ps1", anchor=[1])
    nl.admit(port("ps0"), count=3)
    nl.admit(port("ps1"), count=2)
    equal("C5: an anchored port counts on each of its devices",
          sessions(nl, port("ps0"), port("ps1"), DEV0, DEV1, CHASSIS),
          [3, 2, 3, 5, 5])
    exact(nl, "C5: anchored ports")
    nl.limit(DEV0, max_sessions=3)
    answer = nl.admit(port("ps0"))
    ok("C5: it is refused when one of them is full",
       answer["cause"] == "cap-device" and
       text(answer["target"]) == "device 0", answer)
    ok("C5: one that does not stand there is not",
       nl.admit(port("ps1"))["verdict"] == "admit")
    refused("C9: a device that an anchor names stays", errno.EBUSY,
            "the device has ports, delete them first", nl.do, "device-del",
            index=1)
    nl.do("limit-del", target=DEV0, type="any")
    tap.ip("link del ps0")
    equal("C9: gone with its net device",
          sessions(nl, DEV0, DEV1, CHASSIS), [0, 3, 3])
    nl.do("port-del", ifname="ps1")
    equal("C9: and deleted", sessions(nl, DEV0, DEV1, CHASSIS), [0, 0, 0])


def c9(nl):
    tap.ip("link set l1 down", "link set l1 master bond1",
           "link set l3 down", "link set l3 master bond1")
    nl.admit(BOND, count=4)
    tap.ip("link del l3")
    equal("C9: a leg's net device is gone: the lag's sessions stay",
          sessions(nl, BOND, L1, DEV1, CHASSIS), [4, 4, 0, 4])
    exact(nl, "C9: a leg is gone")
    tap.ip("link add l3 type dummy")
    nl.do("port-new", ifname="l3", device=1)
    tap.ip("link set l3 master bond1")
    tap.ip("link set l3 nomaster")
    nl.admit(L3, count=2)
    tap.ip("link set l3 down", "link set l3 master bond1")
    tap.ip("link del bond1")
    equal("C9: a bond is deleted with its sessions, a leg keeps its own",
          sessions(nl, L1, L2, L3, DEV0, DEV1, CHASSIS),
          [0, 0, 2, 0, 2, 2])
    ok("C9: it is no lag any more", legs(nl) is None)
    exact(nl, "C9: a bond is gone")
    nl.release(all=True)


def churn(nl):
    """Anything, in any order."""
    seed = int(os.environ.get("RESMON_SEED", random.randrange(1 << 30)))
    dice = random.Random(seed)
    names = ["m%d" % n for n in range(4)]
    bonds = ["agg%d" % n for n in range(2)]
    tap.ip(*["link add %s type dummy" % name for name in names] +
           ["link add %s type bond mode balance-rr miimon 10" % name
            for name in bonds] + ["link set %s up" % name for name in bonds])
    for n, name in enumerate(names):
        nl.do("port-new", ifname=name, device=n % 2,
              mic=1 if n == 0 else None)
    found = []
    steps = tap.scaled(50, 15)
    for step in range(steps):
        name, bond = dice.choice(names), dice.choice(bonds)
        what = dice.randrange(6)
        if what == 0:
            tap.ip("link set %s nomaster" % name, "link set %s down" % name,
                   "link set %s master %s" % (name, bond))
        elif what == 1:
            tap.ip("link set %s nomaster" % name)
        elif what == 2:
            tap.ip("link set %s carrier %s" % (name,
                                               dice.choice(("on", "off"))))
        elif what == 3:
            nl.admit(port(name), type=dice.choice(TYPES[1:]), count=3,
                     active=dice.random() < 0.5)
        elif what == 4:
            nl.batch("session-admit", [
                dict(target=lag(bond), type="dhcp")] * 4)
        else:
            some = nl.dump("session-get")
            dice.shuffle(some)
            if some:
                nl.batch("session-release", [dict(id=one["id"])
                                             for one in some[:5]])
        found = wrong(nl)
        if found:
            break
    ok("C6: %d steps in any order, every count is exact" % steps, not found,
       "seed %d, step %d\n%s" % (seed, step, "\n".join(found)))
    tap.ip(*["link del %s" % name for name in bonds + names])
    equal("C9: all net devices gone, nothing left", sessions(nl, *ALL),
          [0] * len(ALL))


def main():
    nl = tap.fresh()
    setup(nl)
    for test in (c5, c6, c6a, active_backup, aggregated, team, anchored, c9,
                 churn):
        test(nl)
    tap.finish(nl)


tap.main(main)
