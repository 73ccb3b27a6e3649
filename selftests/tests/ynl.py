#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
"""The kernel source's Python YNL client drives the module from the
specification alone: U1. Every operation at least once."""
import errno
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
import resmon_nl  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok  # noqa: E402

SPEC = resmon_nl.ROOT + "/Documentation/netlink/specs/resmon.yaml"
ETH1 = {"kind": "port", "ifname": "eth1"}
DEV0 = {"kind": "device", "device": 0}


class Client:
    """Notes which operations of the specification were used."""

    def __init__(self, family):
        self.family = family
        self.used = set()

    def do(self, op, **values):
        self.used.add(op)
        return self.family.do(op, {name.replace("_", "-"): value
                                   for name, value in values.items()})

    def dump(self, op, **values):
        self.used.add(op)
        return self.family.dump(op, {name.replace("_", "-"): value
                                     for name, value in values.items()})

    def told(self, name, timeout=10):
        """The next message of that name; others are noted on the way."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for one in self.family.poll_ntf(duration=0.2):
                self.used.add(one["name"])
                if one["name"] == name:
                    return one["msg"]
        return None


def configuration(c):
    c.do("device-new", index=0, name="fpc0")
    equal("U1: device-ntf", c.told("device-ntf")["name"], "fpc0")
    c.do("device-new", index=1, host=1)
    c.do("mic-new", device=0, index=1)
    equal("U1: mic-ntf", c.told("mic-ntf")["index"], 1)
    c.do("port-new", ifname="eth1", device=0, mic=1)
    equal("U1: port-ntf", c.told("port-ntf")["ifname"], "eth1")
    c.do("port-new", ifname="leg1", device=1)
    legs = c.told("lag-ntf")["leg"]
    equal("U1: lag-ntf, a nest that comes many times", legs[0]["ifname"],
          "leg1")
    c.do("port-new", ifname="ps0", anchor=[0, 1])
    equal("U1: an attribute that comes many times",
          c.do("port-get", ifname="ps0")["anchor"], [0, 1])
    equal("U1: device-get", [c.do("device-get", index=0)["name"],
                             len(c.dump("device-get"))], ["fpc0", 2])
    equal("U1: mic-get", [c.do("mic-get", device=0, index=1)["ports"],
                          len(c.dump("mic-get"))], [1, 1])
    equal("U1: port-get", {one["ifname"] for one in c.dump("port-get")},
          {"eth1", "leg1", "ps0"})
    equal("U1: lag-get", [c.do("lag-get", ifname="bond1")["ifname"],
                          len(c.dump("lag-get"))], ["bond1", 1])


def settings(c):
    c.do("chassis-set", high_threshold=80, on_error="admit")
    told = c.told("chassis-ntf")
    equal("U1: chassis-ntf, a number and a word",
          (told["high-threshold"], told["on-error"]), (80, "admit"))
    shown = c.do("chassis-get")
    equal("U1: chassis-get", (shown["high-threshold"], shown["devices"]),
          (80, 2))
    c.do("watermark-set", heap=30)
    equal("U1: watermark-ntf", c.told("watermark-ntf")["heap"], 30)
    c.do("watermark-set", reset=True)
    equal("U1: watermark-get", c.do("watermark-get")["heap"], 20)
    c.do("timeout-set", idle=600)
    equal("U1: timeout-ntf", c.told("timeout-ntf")["idle"], 600)
    equal("U1: timeout-get", c.do("timeout-get")["starting"], 60)
    c.do("limit-set", target=ETH1, type="pppoe", max_sessions=2, warn=50)
    told = c.told("limit-ntf")
    equal("U1: limit-ntf, with a target", (told["target"]["ifname"],
                                           told["max-sessions"]),
          ("eth1", 2))
    equal("U1: limit-get, a target restricts it",
          [one["type"] for one in c.dump("limit-get", target=ETH1)],
          ["any", "pppoe", "dhcp", "l2tp"])
    c.do("drain-set", target=DEV0, on=1)
    equal("U1: drain-ntf", c.told("drain-ntf")["on"], 1)
    equal("U1: drain-get", [one["target"] for one in c.dump("drain-get")],
          [DEV0])
    c.do("drain-set", target=DEV0, on=0)
    c.do("rtt-set", target=DEV0, law="proportional", threshold_us=7000000)
    equal("U1: rtt-ntf", c.told("rtt-ntf")["law"], "proportional")
    equal("U1: rtt-get", [c.do("rtt-get", target=DEV0)["threshold-us"],
                          len(c.dump("rtt-get"))], [7000000, 4])
    c.do("rtt-reset", target=DEV0)
    c.do("enforce-set", target=ETH1, pppoe="drop", dhcp4="count",
         priority="circuit", value=b"line 1")
    told = c.told("enforce-ntf")
    equal("U1: enforce-ntf, words and bytes",
          (told["pppoe"], told["dhcp4"], told["dhcp6"], told["value"]),
          ("drop", "count", "off", b"line 1"))
    equal("U1: enforce-get", [c.do("enforce-get", target=ETH1)["priority"],
                              len(c.dump("enforce-get"))], ["circuit", 1])
    told = c.do("session-import", request=[
        dict(target=ETH1, login="dhcp4", mac=b"\x02\0\0\0\0\x01", lease=9)
    ])["answer"][0]
    equal("U1: session-import", (told["verdict"], told["same"]), ("admit", 0))
    c.do("session-release", request=[dict(id=told["id"])])
    c.do("enforce-set", target=ETH1, pppoe="off", dhcp4="off",
         priority="none")
    c.told("enforce-ntf")
    c.do("region-report", device=0, region="nh", pfe=1, used=1 << 40,
         total=1 << 41)
    equal("U1: region-get, large numbers",
          [(one["region"], one["pfe"], one["used"], one["free-pct"])
           for one in c.dump("region-get", device=0)],
          [("nh", 1, 1 << 40, 50)])


def sessions(c):
    answers = c.do("session-admit", request=[
        dict(target=ETH1, type="pppoe", key=b"\x02\x00\x00\x00\x00\x01"),
        dict(target=ETH1, type="pppoe", key=b"two", active=True),
        dict(target=ETH1, type="pppoe", key=b"three"),
        dict(type="pppoe")])["answer"]
    equal("U1: session-admit, four requests, four answers",
          [one.get("verdict", one.get("error")) for one in answers],
          ["admit", "admit", "deny", -errno.EINVAL])
    equal("U1: a cause, its element and a sentence",
          (answers[2]["cause"], answers[2]["target"]["kind"],
           answers[3]["message"]),
          ("cap-port", "port", "the port or lag is missing"))
    one = answers[0]["id"]
    equal("U1: session-activate", c.do(
        "session-activate", request=[dict(id=one)])["answer"][0]["id"], one)
    equal("U1: session-get", c.do("session-get", id=one)["state"], "active")
    equal("U1: session-get, filtered",
          len(c.dump("session-get", target=ETH1, type="pppoe",
                     state="active")), 2)
    equal("U1: session-count", c.do("session-count", target=ETH1)["count"],
          2)
    equal("U1: why-get", [(one["cause"], one["place"]["ifname"])
                          for one in c.dump("why-get")],
          [("cap-port", "eth1")])
    stats = c.dump("stats-get", target=ETH1)[0]
    row = stats["row"][0]
    equal("U1: stats-get, nests in nests",
          (row["requests"], row["admitted"], row["denied"][0]["cause"]),
          (3, 2, "cap-port"))
    seen = []
    while "verdict" not in seen:
        event = c.told("event")
        if event is None:
            break
        seen.append(event["type"])
    equal("U1: event", sorted(set(seen) - {"drained"}),
          ["limit-warn", "verdict"])
    c.do("stats-clear", target=ETH1)
    equal("U1: stats-ntf", c.told("stats-ntf")["target"]["ifname"], "eth1")
    released = c.do("session-release", request=[dict(all=True)])
    equal("U1: session-release", released["answer"][0]["released"], 2)


def echo(c):
    c.do("echo-set", device=0, engine="agent", interval_ms=100)
    equal("U1: echo-ntf", c.told("echo-ntf")["engine"], "agent")
    c.do("echo-register", device=0)
    probe = c.told("echo-probe")
    ok("U1: echo-probe", probe and probe["device"] == 0 and
       probe["time-ns"] > 0, probe)
    if probe:
        c.do("echo-reply", device=0, seq=probe["seq"])
    shown = c.do("echo-get", device=0)
    ok("U1: echo-get", shown["answered"] >= 1 and shown["unknown"] == 0 and
       len(c.dump("echo-get")) == 2, shown)
    c.do("echo-set", device=0, engine="none")


def refusals(c, error):
    for name, op, values, number, words in (
            ("a sentence and the attribute", "device-new", dict(index=0),
             errno.EEXIST, "already"),
            ("what is out of range", "limit-set",
             dict(target=ETH1, type="any", max_sessions=1000001),
             errno.ERANGE, "range")):
        try:
            c.do(op, **values)
            ok("U3: %s" % name, False)
        except error as said:
            message = said.nl_msg.extack
            ok("U3: %s" % name, -said.nl_msg.error == number and
               words in message.get("msg", "") and "bad-attr" in message,
               message)


def undo(c):
    c.do("limit-del", target=ETH1, type="pppoe")
    c.do("port-del", ifname="eth1")
    equal("U1: port-del-ntf", c.told("port-del-ntf")["ifname"], "eth1")
    c.do("port-del", ifname="leg1")
    equal("U1: lag-del-ntf", c.told("lag-del-ntf")["ifname"], "bond1")
    c.do("port-del", ifname="ps0")
    c.do("mic-del", device=0, index=1)
    equal("U1: mic-del-ntf", c.told("mic-del-ntf")["index"], 1)
    c.do("device-del", index=0)
    equal("U1: device-del-ntf", c.told("device-del-ntf")["index"], 0)


def main():
    source = os.environ.get("RESMON_KSRC", "")
    pyynl = os.path.join(source, "tools/net/ynl/pyynl")
    missing = None
    if not os.path.isdir(pyynl):
        missing = "no YNL client in RESMON_KSRC (%s)" % (source or "not set")
    try:
        import yaml  # noqa: F401
    except ImportError:
        missing = "no python3-yaml"
    if missing:
        print("1..0 # SKIP " + missing)
        sys.exit(4)
    sys.path.append(pyynl)
    from lib import YnlFamily, NlError

    nl = tap.fresh()
    tap.ip("link add eth1 type dummy", "link add leg1 type dummy",
           "link add ps0 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up")
    # The schema is checked when the header is made.
    family = YnlFamily(SPEC, schema="")
    family.ntf_subscribe("config")
    # It can subscribe to one group, and the socket to more.
    family.sock.setsockopt(
        resmon_nl.SOL_NETLINK, resmon_nl.NETLINK_ADD_MEMBERSHIP,
        family.nlproto.get_mcast_id("events", family.mcast_groups))
    client = Client(family)
    for test in (configuration, settings, sessions, echo):
        test(client)
    refusals(client, NlError)
    undo(client)
    unused = set(family.msgs) - client.used
    ok("U1: every operation of the specification was used", not unused,
       sorted(unused))
    family.sock.close()
    tap.finish(nl)


tap.main(main)
