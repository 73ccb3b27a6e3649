#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""How login traffic is treated is set, shown, told and forgotten: H2, H7."""
import errno
import json
import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import (CHASSIS, NLM_F_ECHO, Netlink, device,  # noqa: E402
                       lag, mic, port, text)
import tap  # noqa: E402
from tap import equal, ok  # noqa: E402

ETH1, ETH2, LEG, BOND = port("eth1"), port("eth2"), port("leg1"), lag("bond1")
LOGINS = ("pppoe", "dhcp4", "dhcp6", "l2tp")
DEFAULTS = {"pppoe": "off", "dhcp4": "off", "dhcp6": "off", "l2tp": "off",
            "mode": "hook", "key": "mac", "dual-stack": 1, "silence": 180,
            "priority": "none"}
COUNTERS = ("malformed", "dropped", "rejected", "observed", "unenforced",
            "rogue", "forged", "foreign", "adopted", "ghost", "evicted",
            "full")
GAUGES = ("flights", "suspects", "offer-ms", "setup-ms")
ETH_P_ALL, ETH_P_PPP_DISC = 3, 0x8863


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
    nl = within(name, Netlink)
    within(name, tap.ip, "link set lo up", "link add eth1 type dummy",
           "link add eth2 type dummy", "link add leg1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up")
    nl.do("device-new", index=0)
    nl.do("mic-new", device=0, index=1)
    for one in ("eth1", "eth2", "leg1"):
        nl.do("port-new", ifname=one, device=0)
    return nl


def get(nl, target=ETH1):
    return nl.do("enforce-get", target=target)


def settings(one):
    """Without the target, the counters and what is measured."""
    return {name: value for name, value in one.items()
            if name in DEFAULTS or name == "value"}


def expected(**values):
    return dict(DEFAULTS, **{name.replace("_", "-"): value
                             for name, value in values.items()})


def reset(nl, target=ETH1):
    nl.do("enforce-set", target=target, **DEFAULTS)


def defaults(nl):
    one = get(nl)
    equal("nothing is enforced at first", settings(one), DEFAULTS)
    equal("and nothing is counted",
          [one[name] for name in COUNTERS + GAUGES + ("attached",)],
          [0] * 17)
    ok("the room for the undecided is told", one["flight-max"] > 0, one)
    equal("the answer names its port", text(one["target"]), "port eth1")
    equal("a lag has the same defaults", settings(get(nl, BOND)), DEFAULTS)
    equal("what was never set is in no dump", nl.dump("enforce-get"), [])


REFUSED = (
    ("which port or lag? a target is needed", errno.EINVAL, None,
     dict(target=None, pppoe="drop")),
    ("login traffic is seen on ports and lags alone", errno.EOPNOTSUPP,
     "target", dict(target=device(0), pppoe="drop")),
    ("login traffic is seen on ports and lags alone", errno.EOPNOTSUPP,
     "target", dict(target=mic(0, 1), pppoe="drop")),
    ("login traffic is seen on ports and lags alone", errno.EOPNOTSUPP,
     "target", dict(target=CHASSIS, pppoe="drop")),
    ("the net device is not a port", errno.ENOENT, "target",
     dict(target=port("lo"), pppoe="drop")),
    ("the net device is not a port", errno.ENOENT, "target",
     dict(target=port("bond1"), pppoe="drop")),
    ("the net device is no lag with a port as its leg", errno.ENOENT,
     "target", dict(target=lag("eth1"), pppoe="drop")),
    ("nothing to set", errno.EINVAL, None, {}),
    ("L2TP has no answer that refuses, take drop", errno.EOPNOTSUPP, "l2tp",
     dict(pppoe="reject", l2tp="reject")),
    ("silence is 0 for never or at least 10 seconds", errno.ERANGE, "silence",
     dict(pppoe="drop", silence=1)),
    ("silence is 0 for never or at least 10 seconds", errno.ERANGE, "silence",
     dict(silence=9)),
    ("a value goes with its priority", errno.EINVAL, "value",
     dict(value=b"line")),
    ("priority none has no value", errno.EINVAL, "value",
     dict(priority="none", value=b"line")),
) + tuple(
    ("the value of the priority is missing", errno.EINVAL, None,
     dict(priority=kind))
    for kind in ("vlan", "mac", "service-name", "circuit")
) + tuple(
    ("a VLAN is one or two ids of 2 bytes, each from 1 to 4094",
     errno.EINVAL, "value", dict(priority="vlan", value=value))
    for value in (b"", b"\1", b"\0\0", b"\x0f\xff", b"\0\1\1", b"\0\1\0\0",
                  b"\x10\1\0\1", b"\0\1\0\2\0\3", b"100")
) + tuple(
    ("that is no MAC address of a subscriber", errno.EINVAL, "value",
     dict(priority="mac", value=value))
    for value in (b"", b"\2\0\0\0\0", b"\2\0\0\0\0\1\1", bytes(6),
                  b"\xff" * 6, b"\1\0\x5e\0\0\1")
) + tuple(
    ("the value is empty", errno.EINVAL, "value",
     dict(priority=kind, value=b"")) for kind in ("service-name", "circuit")
)


def errors(nl, listener):
    """Each sentence, with the attribute at fault; nothing is changed."""
    nl.do("enforce-set", target=ETH1, pppoe="count", priority="circuit",
          value=b"kept")
    heard(listener)
    before = nl.dump("enforce-get")
    for sentence, number, path, values in REFUSED:
        said = tap.refused("refused: %s: %s" % (sentence, values), number,
                           sentence, nl.do, "enforce-set",
                           **dict(dict(target=ETH1), **values))
        if said and path:
            equal("  it names the attribute", said.path, path)
        elif said:
            ok("  it names what is missing", said.missing, said)
    tap.refused("enforce-get needs a target", errno.EINVAL,
                "which port or lag? a target is needed", nl.do, "enforce-get")
    tap.refused("enforce-get of a device", errno.EOPNOTSUPP,
                "login traffic is seen on ports and lags alone", nl.do,
                "enforce-get", target=device(0))
    tap.refused("a dump takes no target", errno.EINVAL,
                "the command takes no such attribute", nl.dump,
                "enforce-get", target=ETH1)
    equal("nothing of all that changed anything", nl.dump("enforce-get"),
          before)
    equal("nor was it told", heard(listener), [])
    reset(nl)
    heard(listener)


def heard(listener):
    out = []
    while True:
        one = listener.next(0)
        if one is None:
            return out
        out.append((one.command, one.attrs))


VALUES = [(name, action) for name in LOGINS
          for action in ("count", "drop", "reject", "off")
          if (name, action) != ("l2tp", "reject")]
VALUES += [("key", "circuit"), ("key", "mac"), ("mode", "hook"),
           ("dual-stack", 2), ("dual-stack", 1), ("silence", 0),
           ("silence", 10), ("silence", 86400), ("silence", 180)]
PRIORITIES = [("vlan", b"\0\1"), ("vlan", b"\x0f\xfe"),
              ("vlan", b"\0\x64\0\7"), ("mac", b"\2\0\0\0\0\1"),
              ("service-name", b"gold"), ("service-name", b"g" * 64),
              ("circuit", b"\0\1\2 line"), ("circuit", b"\xff" * 64),
              ("circuit", b"four"), ("none", None)]


def one_by_one(nl, listener, target):
    """Each setting alone: the others stay, and all say the same."""
    name = text(target)
    want, wrong = expected(), []
    steps = [{one: value} for one, value in VALUES]
    steps += [dict(priority=kind, value=value) for kind, value in PRIORITIES]
    for step in steps:
        nl.do("enforce-set", target=target, **step)
        want.update(step)
        want = {one: value for one, value in want.items()
                if value is not None}
        told = heard(listener)
        shown = get(nl, target)
        if settings(shown) != want:
            wrong.append("%s: %s, not %s" % (step, settings(shown), want))
        if [(one, settings(attrs)) for one, attrs in told] != \
                [("enforce-ntf", want)]:
            wrong.append("%s: told %s" % (step, told))
        if [one for one in nl.dump("enforce-get")
                if text(one["target"]) == name] != [shown]:
            wrong.append("%s: not so in the dump" % step)
        if shown["attached"] != any(want[one] != "off" for one in LOGINS):
            wrong.append("%s: attached %d" % (step, shown["attached"]))
    ok("%s: %d settings, each alone: do, dump and notification" %
       (name, len(steps)), not wrong, "\n".join(wrong))
    equal("%s: set and back to the defaults it stays in the dump" % name,
          [settings(one) for one in nl.dump("enforce-get")
           if text(one["target"]) == name], [DEFAULTS])


def together(nl, listener):
    values = dict(pppoe="reject", dhcp4="drop", dhcp6="count", l2tp="drop",
                  key="circuit", dual_stack=2, silence=60, priority="mac",
                  value=b"\2\0\0\0\0\x0a")
    echo = nl.do("enforce-set", flags=NLM_F_ECHO, target=ETH1, **values)
    told = heard(listener)
    equal("everything in one request", settings(get(nl)), expected(**values))
    equal("NLM_F_ECHO tells the caller what the group hears",
          [(echo.command, echo.attrs)], told)
    nl.do("enforce-set", target=ETH1, priority="none")
    equal("priority none takes the value away",
          "value" in get(nl), False)
    reset(nl)
    heard(listener)


def legs(nl):
    nl.do("enforce-set", target=BOND, pppoe="drop")
    nl.do("enforce-set", target=LEG, pppoe="drop")
    equal("H17: a lag sees the frames of its legs, a leg sees none",
          (get(nl, BOND)["attached"], get(nl, LEG)["attached"]), (1, 0))
    equal("rmctl says who sees them",
          {text(one["target"]): one.get("lag") for one in
           json.loads(tap.run("rmctl", "-n", "a", "-j", "enforce", "show"))
           if text(one["target"]) in ("port leg1", "lag bond1")},
          {"port leg1": "bond1", "lag bond1": None})
    reset(nl, BOND)
    reset(nl, LEG)


def apart(a, b):
    """Settings are of one namespace."""
    listener = within("b", Netlink, ["config"])
    a.do("enforce-set", target=ETH1, pppoe="drop", silence=30)
    equal("settings are of one namespace",
          (settings(get(a)), settings(get(b)), b.dump("enforce-get")),
          (expected(pppoe="drop", silence=30), DEFAULTS, []))
    equal("and so is their notification", heard(listener), [])
    b.do("enforce-set", target=ETH1, pppoe="count", silence=40)
    equal("both have their own", (settings(get(a)), settings(get(b))),
          (expected(pppoe="drop", silence=30),
           expected(pppoe="count", silence=40)))
    listener.close()
    reset(a)


def forgotten(a, b):
    a.do("enforce-set", target=ETH1, pppoe="drop", silence=30)
    a.do("port-del", ifname="eth1")
    equal("a port that is deleted is in no dump",
          [one for one in a.dump("enforce-get")
           if one["target"]["ifname"] == "eth1"], [])
    tap.refused("nor can it be asked for", errno.ENOENT,
                "the net device is not a port", get, a)
    a.do("port-new", ifname="eth1", device=0)
    equal("a new port begins with the defaults", settings(get(a)), DEFAULTS)
    a.do("enforce-set", target=ETH2, dhcp4="drop")
    within("a", tap.ip, "link del eth2")
    equal("a port whose net device goes while its frames are seen",
          [one for one in a.dump("enforce-get")
           if one["target"]["ifname"] == "eth2"], [])
    reset(a, BOND)
    a.do("enforce-set", target=BOND, dhcp4="drop")
    a.do("enforce-set", target=LEG, pppoe="drop")
    within("a", tap.ip, "link set leg1 nomaster")
    ok("H17: a leg that leaves its lag sees its own frames",
       tap.wait_until(lambda: get(a, LEG)["attached"]))
    equal("a lag without legs keeps its settings",
          settings(get(a, BOND)), expected(dhcp4="drop"))
    within("a", tap.ip, "link set leg1 master bond1")
    ok("H17: a leg that comes back sees none",
       tap.wait_until(lambda: not get(a, LEG)["attached"]))
    within("a", tap.ip, "link del bond1")
    equal("a lag whose net device goes",
          [one for one in a.dump("enforce-get")
           if one["target"]["kind"] == "lag"], [])
    ok("H17: and its leg sees its frames", get(a, LEG)["attached"])
    within("a", tap.ip, "link set eth1 name eth1a")
    a.do("enforce-set", target=port("eth1a"), pppoe="drop")
    within("a", tap.ip, "link set eth1a name eth1")
    equal("a port that is renamed keeps its settings", settings(get(a)),
          expected(pppoe="drop"))
    equal("the other namespace noticed nothing", settings(get(b)),
          expected(pppoe="count", silence=40))
    within("a", tap.ip, "link set eth1 netns b name moved")
    equal("a port that moves away is none any more",
          [one for one in a.dump("enforce-get")
           if one["target"]["ifname"] == "eth1"], [])
    within("b", tap.ip, "link set moved netns a name eth1")
    a.do("port-new", ifname="eth1", device=0)
    equal("and begins anew when it comes back", settings(get(a)), DEFAULTS)


# --- rmctl

def rmctl(words, name="a"):
    done = subprocess.run(["rmctl", "-n", name] + words.split(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def typed(nl):
    """What is typed is what the kernel has."""
    wrong = []
    for words, want in (
            ("pppoe drop dhcp4 count dhcp6 reject l2tp drop",
             expected(pppoe="drop", dhcp4="count", dhcp6="reject",
                      l2tp="drop")),
            ("mode hook key circuit dual-stack two silence 77",
             expected(key="circuit", dual_stack=2, silence=77)),
            ("silence off", expected(silence=0)),
            ("priority vlan 100", expected(priority="vlan",
                                           value=b"\0\x64")),
            ("priority vlan 100.7", expected(priority="vlan",
                                             value=b"\0\x64\0\7")),
            ("priority mac 02:00:00:00:0A:ff",
             expected(priority="mac", value=b"\2\0\0\0\x0a\xff")),
            ("priority service-name gold",
             expected(priority="service-name", value=b"gold")),
            ("priority circuit line-7 dual-stack two",
             expected(priority="circuit", value=b"line-7", dual_stack=2)),
            ("priority none pppoe off", DEFAULTS)):
        reset(nl)
        status, out, error = rmctl("enforce set port eth1 " + words)
        if status or out or error or settings(get(nl)) != want:
            wrong.append("%s: %d %s %s" % (words, status, error, get(nl)))
    ok("rmctl enforce set: what is typed is what the kernel has", not wrong,
       "\n".join(wrong))
    status, out, error = rmctl("enforce set port eth1 l2tp reject")
    equal("rmctl names the words at fault", (status, out, error),
          (1, "", "rmctl: enforce set: L2TP has no answer that refuses, "
           "take drop: 'l2tp reject' (l2tp)\n"))
    status, _, error = rmctl("enforce set port eth1 priority vlan 4095")
    ok("and those of a priority", status == 1 and
       "'priority vlan 4095' (value)" in error, error)


def written(one):
    """The value of a priority as rmctl writes it."""
    value = one.get("value")
    if one["priority"] == "vlan":
        return ".".join(str(int.from_bytes(value[at:at + 2], "big"))
                        for at in range(0, len(value), 2))
    if one["priority"] == "mac":
        return ":".join("%02x" % byte for byte in value)
    return value.decode() if value else None


def in_words(one):
    """A row of the table, from netlink alone."""
    value = written(one)
    off = all(one[name] == "off" for name in LOGINS)
    return " ".join(
        [text(one["target"])] + [one[name] for name in LOGINS] +
        [one["mode"], one["key"], ("one", "two")[one["dual-stack"] - 1],
         "%d s" % one["silence"] if one["silence"] else "off",
         one["priority"] + (" " + value if value else ""),
         "-" if off else "here" if one["attached"] else
         "lag bond1" if text(one["target"]) == "port leg1" else "nowhere"])


def same_numbers(nl):
    reset(nl)
    nl.do("enforce-set", target=ETH1, pppoe="drop", dhcp4="count",
          priority="vlan", value=b"\0\x64\0\7")
    nl.do("enforce-set", target=BOND, l2tp="drop", silence=0, dual_stack=2,
          priority="mac", value=b"\2\0\0\0\0\1")
    nl.do("enforce-set", target=LEG, dhcp6="drop", key="circuit",
          priority="circuit", value=b"line 1")
    rows = nl.dump("enforce-get")
    status, out, error = rmctl("-j enforce show")
    shown = json.loads(out)
    wanted = []
    for one in rows:
        one = dict(one, sockets=[])
        if "value" in one:
            one["value"] = written(one)
        if text(one["target"]) == "port leg1":
            one["lag"] = "bond1"
        wanted.append(one)
    equal("rmctl -j enforce show is what netlink says", (status, error, shown),
          (0, "", wanted))
    equal("and of one port", json.loads(rmctl(
        "-j enforce show port eth1")[1]),
          [one for one in wanted if text(one["target"]) == "port eth1"][0])
    lines = [" ".join(line.split())
             for line in rmctl("enforce show")[1].splitlines()]
    equal("so is the table", lines[1:1 + len(rows)],
          [in_words(one) for one in rows])
    counted = ["%s %s %d" % (text(one["target"]), name, one[name])
               for one in rows for name in COUNTERS + GAUGES if one[name]]
    begin = 1 + len(rows)
    if counted:
        begin += 2
        equal("and the table of what was counted",
              [" ".join(line.split()[:4])
               for line in lines[begin:begin + len(counted)]], counted)
    ok("who is never seen is told", lines[-1].startswith("never seen: ") and
       "SLAAC" in lines[-1], lines[-1])


def warned(where="enforce show"):
    return [line for line in rmctl(where)[1].splitlines()
            if "before the hook" in line]


def sockets(nl):
    """H7: who reads frames before the hook does."""
    kind = socket.AF_PACKET, socket.SOCK_RAW
    equal("without packet sockets nobody is before the hook", warned(), [])

    def bound(name, proto):
        one = socket.socket(*kind, socket.htons(proto) if not name else 0)
        if name:
            one.bind((name, proto))
        return one

    with open("/proc/self/comm", encoding="ascii") as comm:
        me = "%s (pid %d)" % (comm.read().strip(), os.getpid())
    says = "%s: " + me + " reads frames before the hook: mode xdp holds it back"
    every = within("a", bound, None, ETH_P_ALL)
    equal("H7: a socket bound to no net device, at each place",
          sorted(warned()), sorted(says % text(one) for one in (ETH1, BOND,
                                                                LEG)))
    every.close()
    mine = within("a", bound, "eth1", ETH_P_ALL)
    equal("H7: one bound to a port, at that port", warned(),
          [says % "port eth1"])
    shown = json.loads(rmctl("-j enforce show port eth1")[1])["sockets"]
    equal("H7: JSON has it too",
          [(one["pid"], one["inode"]) for one in shown],
          [(os.getpid(), os.fstat(mine.fileno()).st_ino)])
    nl.do("enforce-set", target=ETH1, pppoe="off", dhcp4="off")
    equal("H7: no warning where nothing is enforced", warned(), [])
    nl.do("enforce-set", target=ETH1, pppoe="drop")
    mine.close()
    for name, proto in (("eth1", ETH_P_PPP_DISC), ("lo", ETH_P_ALL)):
        other = within("a", bound, name, proto)
        equal("H7: protocol %#x on %s is not before it" % (proto, name),
              warned(), [])
        other.close()
    other = within("b", bound, None, ETH_P_ALL)
    equal("H7: nor is one of another namespace", warned(), [])
    other.close()


def main():
    first = tap.fresh()
    a, b = make("a"), make("b")
    for nl in (a, b):
        tap.wait_until(lambda: nl.dump("lag-get"))  # pylint: disable=W0640
    listener = within("a", Netlink, ["config"])
    defaults(a)
    errors(a, listener)
    for target in (ETH1, BOND):
        one_by_one(a, listener, target)
    together(a, listener)
    legs(a)
    apart(a, b)
    typed(a)
    same_numbers(a)
    sockets(a)
    forgotten(a, b)
    # A namespace goes while its frames are seen, then the module.
    a.do("enforce-set", target=ETH1, pppoe="drop", dhcp4="reject")
    for one in (a, b, listener):
        one.close()
    tap.run("ip", "netns", "del", "b")
    tap.run("ip", "netns", "del", "a")
    tap.finish(first)


tap.main(main)
