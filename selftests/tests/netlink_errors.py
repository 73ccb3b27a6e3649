#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is wrong with a request is said, and changes nothing: U2, U3, U6.

Every sentence in kmod/ that can go into an extended acknowledgement must be in
SAID or in UNREACHED: a new one without a test fails here.
"""
import ctypes
import errno
import glob
import os
import re
import socket
import struct
import sys

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
import resmon_nl  # noqa: E402
from resmon_nl import (CHASSIS, NLM_F_ACK, NLM_F_DUMP, Netlink,  # noqa: E402
                       Refused, attr, const, device, encode, encode_one, lag,
                       mic, number_of, port, space_of)
import tap  # noqa: E402
from tap import equal, ok  # noqa: E402

# Only where there is no memory, or on kernels that are built otherwise.
UNREACHED = {
    "no memory for the device", "no memory for the mic",
    "no memory for the port", "no memory for the throttle",
    "engine softnet needs a kernel with CONFIG_NET_CLS_ACT",
    "the hooks of the net device cannot be had",
    "there is no memory for the session",
    "engine softnet needs a kernel without CONFIG_PREEMPT_RT",
    # The acknowledgement that says so finds the same full socket: what it
    # means for the sessions is tested by undelivered().
    "the answers could not be delivered",
    # By the kernel and its net devices: tested by xdp.sh.
    "XDP would not see VLAN tags, switch rxvlan and rx-vlan-stag-hw-parse off"
    " with ethtool",
    "the module was built without BTF, no program can ask it; take mode hook",
}

NO_SUCH = "an import of this protocol takes no such attribute"
UNFOLLOWED = "its logins are not enforced there, so that nobody would follow it"
NO_USE = "the command takes no such attribute"
BIG = 0x7ffffff0
LIMIT = dict(target=CHASSIS, type="any")
ETH1, ETH2, LEG, PLAIN, BOND, MASTER = (
    port("eth1"), port("eth2"), port("leg1"), port("plain"), lag("bond1"),
    lag("bond2"))

PPPOE = dict(target=ETH1, login="pppoe", mac=b"\2" + bytes(5), pppoe_id=1)
DHCP4 = dict(target=ETH1, login="dhcp4", mac=b"\2" + bytes(5), lease=1)
DHCP6 = dict(target=ETH1, login="dhcp6", duid=b"\0\2a", iaid=1, lease=1)


def request(**values):
    """The attributes of a batch of one."""
    return dict(request=values)


def said_table(one):
    """(sentence, error, path or -missing, command, attributes).

    one: the ids of sessions that are there.
    """
    einval, enoent, eexist = errno.EINVAL, errno.ENOENT, errno.EEXIST
    enodev, eopnotsupp, ebusy = errno.ENODEV, errno.EOPNOTSUPP, errno.EBUSY
    target = "request.target"
    return [
        # netlink.c: targets
        ("a target needs its kind", einval, "target", "limit-set",
         dict(LIMIT, target={}, max_sessions=1)),
        ("a device or mic needs a slot number", einval, None, "limit-set",
         dict(LIMIT, target={"kind": "device"}, max_sessions=1)),
        ("only a device or mic has a slot number", einval, None, "limit-set",
         dict(LIMIT, target=dict(CHASSIS, device=1), max_sessions=1)),
        ("a mic needs a number", einval, None, "limit-set",
         dict(LIMIT, target={"kind": "mic", "device": 0}, max_sessions=1)),
        ("only a mic has a mic number", einval, None, "limit-set",
         dict(LIMIT, target=dict(device(0), mic=1), max_sessions=1)),
        ("a port or lag needs ifindex or ifname", einval, None, "limit-set",
         dict(LIMIT, target={"kind": "port"}, max_sessions=1)),
        ("only a port or lag has a net device", einval, None, "limit-set",
         dict(LIMIT, target=dict(CHASSIS, ifname="eth1"), max_sessions=1)),
        ("no such net device", enodev, "target.ifname", "limit-set",
         dict(LIMIT, target=port("nobody"), max_sessions=1)),
        ("ifindex and ifname are of different net devices", einval,
         "target.ifname", "limit-set",
         dict(LIMIT, target=dict(ETH1, ifindex=1), max_sessions=1)),
        ("no such device", enoent, "target", "limit-set",
         dict(LIMIT, target=device(9), max_sessions=1)),
        ("no such mic", enoent, "target", "limit-set",
         dict(LIMIT, target=mic(0, 7), max_sessions=1)),
        ("the net device is not a port", enoent, "target", "limit-set",
         dict(LIMIT, target=PLAIN, max_sessions=1)),
        ("the net device is not a port", enoent, "target", "limit-set",
         dict(LIMIT, target=port("bond1"), max_sessions=1)),
        ("the net device is no lag with a port as its leg", enoent, "target",
         "limit-set", dict(LIMIT, target=MASTER, max_sessions=1)),
        ("no such device", enoent, "target", "drain-set",
         dict(target=device(9), on=1)),
        ("no such device", enoent, "target", "rtt-set",
         dict(target=device(9), step=1)),
        ("no such device", enoent, "target", "stats-clear",
         dict(target=device(9))),
        ("no such device", enoent, "target", "session-count",
         dict(target=device(9))),
        ("no such device", enoent, target, "session-release",
         request(target=device(9))),
        # nl_chassis.c
        ("nothing to set", einval, "-throttle", "chassis-set", {}),
        ("nothing to set", einval, "-heap", "watermark-set", {}),
        ("nothing to set", einval, "-starting", "timeout-set", {}),
        ("the shortest retry hint is above the longest", einval, "retry-min",
         "chassis-set", dict(retry_min=20, retry_max=10)),
        ("the shortest retry hint is above the longest", einval, "retry-max",
         "chassis-set", dict(retry_max=10)),
        # nl_device.c
        ("the slot number of the device is missing", einval, "-index",
         "device-new", {}),
        ("the slot number of the device is missing", einval, "-index",
         "device-del", {}),
        ("the slot number of the device is missing", einval, "-index",
         "device-get", {}),
        ("the slot number of the device is missing", einval, "-device",
         "mic-new", dict(index=1)),
        ("the name is empty", einval, "name", "device-new",
         dict(index=9, name="")),
        ("the slot has a device already", eexist, "index", "device-new",
         dict(index=0)),
        ("another device has the name", eexist, "name", "device-new",
         dict(index=9, name="fpc0")),
        ("no such device", enoent, "index", "device-del", dict(index=9)),
        ("the device has ports, delete them first", ebusy, "index",
         "device-del", dict(index=0)),
        ("the number of the mic is missing", einval, "-index", "mic-new",
         dict(device=0)),
        ("the number of the mic is missing", einval, "-index", "mic-del",
         dict(device=0)),
        ("the device has that mic already", eexist, "index", "mic-new",
         dict(device=0, index=1)),
        ("no such mic", enoent, "index", "mic-del", dict(device=0, index=7)),
        ("no such device", enoent, "device", "mic-new",
         dict(device=9, index=1)),
        ("the mic has ports, delete them first", ebusy, "index", "mic-del",
         dict(device=0, index=1)),
        # nl_port.c, port.c
        ("the net device is missing", einval, "-ifname", "port-new",
         dict(device=0)),
        ("the net device is missing", einval, "-ifname", "port-get", {}),
        ("the net device is missing", einval, "-ifname", "lag-get", {}),
        ("no such net device", enodev, "ifname", "port-new",
         dict(ifname="nobody", device=0)),
        ("no such net device", enodev, "ifindex", "port-del",
         dict(ifindex=BIG)),
        ("ifindex and ifname are of different net devices", einval, "ifname",
         "port-new", dict(ifname="plain", ifindex=1, device=0)),
        ("the net device is not a port", enoent, "ifname", "port-del",
         dict(ifname="plain")),
        ("the net device is no lag with a port as its leg", enoent, "ifname",
         "lag-get", dict(ifname="bond2")),
        ("a port needs a device or an anchor", einval, "-device", "port-new",
         dict(ifname="plain")),
        ("a port has either a device or an anchor", einval, "device",
         "port-new", dict(ifname="plain", device=0, anchor=[1])),
        ("an anchored port has no mic", einval, "mic", "port-new",
         dict(ifname="plain", mic=1, anchor=[0])),
        ("the anchor names the device twice", einval, "anchor", "port-new",
         dict(ifname="plain", anchor=[0, 1, 0])),
        ("no such device", enoent, "anchor", "port-new",
         dict(ifname="plain", anchor=[0, 9])),
        ("no such device", enoent, "device", "port-new",
         dict(ifname="plain", device=9)),
        ("no such mic", enoent, "mic", "port-new",
         dict(ifname="plain", device=0, mic=7)),
        ("the net device is a port already", eexist, "ifname", "port-new",
         dict(ifname="eth1", device=0)),
        ("the net device is a port already", eexist, "ifname", "port-new",
         dict(ifname="eth1", device=1)),
        ("a lag is found from its legs, add these as ports", einval,
         "ifname", "port-new", dict(ifname="bond1", device=0)),
        ("the loopback net device faces no subscribers", einval, "ifname",
         "port-new", dict(ifname="lo", device=0)),
        ("the VLAN's sessions count on the port below it", einval, "ifname",
         "port-new", dict(ifname="eth1.5", device=0)),
        ("a VLAN on a lag counts on the lag", einval, "ifname", "port-new",
         dict(ifname="bond2.5", device=0)),
        ("a VLAN of the net device is a port", einval, "ifname", "port-new",
         dict(ifname="plain2", device=0)),
        # nl_limit.c
        ("the target is missing", einval, "-target", "limit-set",
         dict(type="any", max_sessions=1)),
        ("the target is missing", einval, "-target", "limit-del",
         dict(type="any")),
        ("the target is missing", einval, "-target", "drain-set", dict(on=1)),
        ("the client type is missing", einval, "-type", "limit-set",
         dict(target=CHASSIS, max_sessions=1)),
        ("nothing to set", einval, "-max-sessions", "limit-set", LIMIT),
        ("a warning mark needs a limit", einval, "warn", "limit-set",
         dict(target=ETH2, type="dhcp", warn=50)),
        ("there is no limit on that type", enoent, "type", "limit-del",
         dict(target=ETH2, type="dhcp")),
        ("on or off is missing", einval, "-on", "drain-set",
         dict(target=CHASSIS)),
        # nl_region.c
        ("the device is missing", einval, "-device", "region-report",
         dict(region="heap", used=1, total=2)),
        ("the region is missing", einval, "-region", "region-report",
         dict(device=0, used=1, total=2)),
        ("the bytes in use are missing", einval, "-used", "region-report",
         dict(device=0, region="heap", total=2)),
        ("the size of the region is missing", einval, "-total",
         "region-report", dict(device=0, region="heap", used=1)),
        ("heap belongs to the device, not to a PFE", einval, "pfe",
         "region-report", dict(device=0, region="heap", pfe=0, used=1,
                               total=2)),
        ("a region cannot have a size of 0", einval, "total",
         "region-report", dict(device=0, region="heap", used=0, total=0)),
        ("more in use than the region has", einval, "used", "region-report",
         dict(device=0, region="heap", used=3, total=2)),
        ("no such device", enoent, "device", "region-report",
         dict(device=9, region="heap", used=1, total=2)),
        ("the module reads this region of its host itself", eopnotsupp,
         "region", "region-report", dict(device=2, region="heap", used=1,
                                         total=2)),
        # nl_rtt.c
        ("which throttle? a target is needed", einval, "-target", "rtt-set",
         dict(step=5)),
        ("which throttle? a target is needed", einval, "-target",
         "rtt-reset", {}),
        ("this port takes the throttle of its device", eopnotsupp, "target",
         "rtt-set", dict(target=ETH1, step=5)),
        ("a mic takes the throttle of its device", eopnotsupp, "target",
         "rtt-reset", dict(target=mic(0, 1))),
        ("the chassis has no throttle, its devices have", eopnotsupp,
         "target", "rtt-get", dict(target=CHASSIS)),
        ("law pi is not built yet, take step or proportional", eopnotsupp,
         "law", "rtt-set", dict(target=device(0), law="pi")),
        # nl_enforce.c
        ("which port or lag? a target is needed", einval, "-target",
         "enforce-set", dict(pppoe="drop")),
        ("which port or lag? a target is needed", einval, "-target",
         "enforce-get", {}),
        ("the net device is not a port", enoent, "target", "enforce-get",
         dict(target=PLAIN)),
        ("login traffic is seen on ports and lags alone", eopnotsupp,
         "target", "enforce-set", dict(target=device(0), pppoe="drop")),
        ("nothing to set", einval, "-pppoe", "enforce-set",
         dict(target=ETH1)),
        ("L2TP has no answer that refuses, take drop", eopnotsupp, "l2tp",
         "enforce-set", dict(target=ETH1, pppoe="drop", l2tp="reject")),
        ("silence is 0 for never or at least 10 seconds", errno.ERANGE,
         "silence", "enforce-set", dict(target=ETH1, silence=9)),
        ("a value goes with its priority", einval, "value", "enforce-set",
         dict(target=ETH1, value=b"x")),
        ("priority none has no value", einval, "value", "enforce-set",
         dict(target=ETH1, priority="none", value=b"x")),
        ("the value of the priority is missing", einval, "-value",
         "enforce-set", dict(target=ETH1, priority="circuit")),
        ("the value is empty", einval, "value", "enforce-set",
         dict(target=ETH1, priority="service-name", value=b"")),
        ("a VLAN is one or two ids of 2 bytes, each from 1 to 4094", einval,
         "value", "enforce-set", dict(target=ETH1, priority="vlan",
                                      value=b"\x00\x64\x0f\xff")),
        ("that is no MAC address of a subscriber", einval, "value",
         "enforce-set", dict(target=ETH1, priority="mac",
                             value=b"\x01\0\0\0\0\x01")),
        # nl_echo.c, echo_agent.c
        ("which device? a slot number is needed", einval, "-device",
         "echo-set", dict(engine="agent")),
        ("which device? a slot number is needed", einval, "-device",
         "echo-get", {}),
        ("no such device", enoent, "device", "echo-set",
         dict(device=9, engine="agent")),
        ("engine cfm is not built yet, take agent or softnet", eopnotsupp,
         "engine", "echo-set", dict(device=0, engine="cfm")),
        ("an answer needs the number of its probe", einval, "-seq",
         "echo-reply", dict(device=0)),
        ("the engine of this device is not agent", None, None,
         "echo-register", dict(device=0)),
        ("this device has an agent already", None, None, "echo-register",
         dict(device=1)),
        ("this socket is not the agent of the device", errno.EPERM, None,
         "echo-reply", dict(device=1, seq=1)),
        # nl_session.c
        ("there is no request", einval, "-request", "session-admit", {}),
        ("there is no request", einval, "-request", "session-release", {}),
        (NO_USE, einval, "request.id",
         "session-admit", request(target=ETH1, type="pppoe", id=1)),
        (NO_USE, einval, "request.all",
         "session-admit", request(target=ETH1, type="pppoe", all=True)),
        (NO_USE, einval, "request.all",
         "session-activate", request(id=one[0], all=True)),
        (NO_USE, einval, "request.all",
         "session-release", request(target=ETH1, all=True)),
        (NO_USE, einval, "request.owner",
         "session-release", request(all=True, owner=True)),
        ("the port or lag is missing", einval, None, "session-admit",
         request(type="pppoe")),
        ("the client type is missing", einval, None, "session-admit",
         request(target=ETH1)),
        ("a session is of one client type, not of any", einval,
         "request.type", "session-admit", request(target=ETH1, type="any")),
        ("a session sits on a port or lag", einval, target, "session-admit",
         request(target=device(0), type="pppoe")),
        ("an inner VLAN needs an outer one", einval, "request.vlan-inner",
         "session-admit", request(target=ETH1, type="pppoe", vlan_inner=5)),
        ("the net device has a VLAN already", einval, "request.vlan-outer",
         "session-admit", request(target=port("eth1.5"), type="pppoe",
                                  vlan_outer=5)),
        ("the key is empty", einval, "request.key", "session-admit",
         request(target=ETH1, type="pppoe", key=b"")),
        ("only a service sits on a session", einval, "request.on-id",
         "session-admit", request(target=ETH1, type="pppoe", on_id=one[0])),
        ("a service needs the id of its client session", einval, None,
         "session-admit", request(kind="service")),
        ("no such client session", enoent, "request.on-id", "session-admit",
         request(kind="service", on_id=BIG)),
        ("a service sits on a client session", einval, "request.on-id",
         "session-admit", request(kind="service", on_id=one[1])),
        ("the client session is of another type", einval, "request.type",
         "session-admit", request(kind="service", on_id=one[0],
                                  type="l2tp")),
        ("no session with that key", enoent, "request.key",
         "session-release", request(target=ETH1, key=b"nobody")),
        ("no session with that key", enoent, "request.key",
         "session-activate", request(target=port("nobody"), key=b"x")),
        ("no session with that id", enoent, "request.id", "session-release",
         request(id=BIG)),
        ("no session with that id", enoent, "id", "session-get",
         dict(id=BIG)),
        ("an id, or a key with its port or lag, is missing", einval, None,
         "session-activate", request(key=b"x")),
        ("an id, a key, a target or all is missing", einval, None,
         "session-release", request(type="pppoe")),
        ("a key needs its port or lag", einval, "request.key",
         "session-release", request(key=b"x")),
        ("the id of the session is missing", einval, "-id", "session-get",
         {}),
        # nl_import.c
        ("there is no request", einval, "-request", "session-import", {}),
        ("the port or lag is missing", einval, None, "session-import",
         request(login="pppoe")),
        ("what it has logged in with is missing", einval, None,
         "session-import", request(target=ETH1)),
        ("sessions of L2TP cannot be imported", eopnotsupp, "request.login",
         "session-import", request(target=ETH1, login="l2tp")),
        (NO_SUCH, einval, "request.lease", "session-import",
         dict(request=dict(PPPOE, lease=1))),
        (NO_SUCH, einval, "request.key", "session-import",
         dict(request=dict(PPPOE, key=b"a"))),
        (NO_SUCH, einval, "request.circuit", "session-import",
         dict(request=dict(DHCP6, circuit=b"a"))),
        (NO_SUCH, einval, "request.iaid", "session-import",
         dict(request=dict(DHCP4, iaid=1))),
        ("the MAC address of the client is missing", einval, None,
         "session-import", dict(request=dict(DHCP4, mac=None))),
        ("the PPPoE session id is missing", einval, None, "session-import",
         dict(request=dict(PPPOE, pppoe_id=None))),
        ("the DUID of the client is missing", einval, None, "session-import",
         dict(request=dict(DHCP6, duid=None))),
        ("the IAID of the lease is missing", einval, None, "session-import",
         dict(request=dict(DHCP6, iaid=None))),
        ("the time that the lease has left is missing", einval, None,
         "session-import", dict(request=dict(DHCP4, lease=None))),
        ("no client has that address", einval, "request.mac",
         "session-import", dict(request=dict(PPPOE, mac=b"\1" + bytes(5)))),
        ("the DUID is empty", einval, "request.duid", "session-import",
         dict(request=dict(DHCP6, duid=b""))),
        ("a session sits on a port or lag", einval, target, "session-import",
         dict(request=dict(PPPOE, target=device(0)))),
        ("no such net device", enodev, "request.target.ifname",
         "session-import", dict(request=dict(PPPOE, target=port("nobody")))),
        ("the net device is not a port", enoent, target, "session-import",
         dict(request=dict(PPPOE, target=PLAIN))),
        (UNFOLLOWED, eopnotsupp, "request.login", "session-import",
         dict(request=PPPOE)),
        (UNFOLLOWED, eopnotsupp, "request.login", "session-import",
         dict(request=dict(DHCP6, target=port("eth1.5")))),
        ("more than 512 requests in one message", errno.E2BIG, None,
         "session-import", dict(request=[PPPOE] * 513)),
        ("more than 512 requests in one message", errno.E2BIG, None,
         "session-admit", dict(request=[dict(target=ETH1, type="dhcp")] *
                               513)),
    ]


def sentences():
    """All that the sources can say, with the files that say it."""
    found = {}
    for name in glob.glob(resmon_nl.ROOT + "/kmod/*.c"):
        with open(name, encoding="utf-8") as source:
            code = re.sub(r"/\*.*?\*/", "", source.read(), flags=re.S)
        for call in re.findall(
                r"\b(?:NL_SET_ERR_MSG\w*|resmon_nl_missing|bad|_msg =)"
                r"([^;]*);", code, re.S):
            for strings in re.findall(r'((?:"[^"]*"\s*)+)', call):
                text = "".join(re.findall(r'"([^"]*)"', strings))
                found.setdefault(text, set()).add(os.path.basename(name))
    return found


VOLATILE = {"age", "expires", "time", "foreign", "measured", "unanswered",
            "over", "sent", "raised", "exceeded", "consecutive", "lost",
            "throttle", "allowed", "rtt-us", "avg-us", "avg-n"}


def state(nl):
    """Everything that can be read and does not change by itself."""
    out = []
    for command in ("chassis-get", "watermark-get", "timeout-get"):
        one = nl.do(command)
        out.append((command, sorted(one.items())))
    for command in ("device-get", "mic-get", "port-get", "lag-get",
                    "limit-get", "drain-get", "rtt-get", "echo-get",
                    "session-get", "stats-get", "why-get", "enforce-get"):
        out += [(command, sorted((name, value) for name, value in one.items()
                                 if name not in VOLATILE or
                                 command == "chassis-get"), )
                for one in nl.dump(command)]
    return out


def differs(before, after):
    return "\n".join(["- %s" % (one,) for one in before if one not in after] +
                     ["+ %s" % (one,) for one in after if one not in before])


def setup(nl):
    tap.ip("link add eth1 type dummy", "link add eth2 type dummy",
           "link add plain type dummy", "link add plain2 type dummy",
           "link add leg1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link add bond2 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up",
           "link add link eth1 name eth1.5 type vlan id 5",
           "link add link bond2 name bond2.5 type vlan id 5",
           "link add link plain2 name plain2.5 type vlan id 5")
    nl.do("device-new", index=0, name="fpc0")
    nl.do("device-new", index=1)
    nl.do("device-new", index=2, host=1)
    nl.do("mic-new", device=0, index=1)
    nl.do("port-new", ifname="eth1", device=0, mic=1)
    nl.do("port-new", ifname="eth2", device=1)
    nl.do("port-new", ifname="leg1", device=1)
    nl.do("port-new", ifname="plain2.5", device=1)
    nl.limit(ETH1, max_sessions=100, warn=90)
    nl.do("echo-set", device=1, engine="agent", interval_ms=60000)
    client = nl.admitted(ETH1, key=b"client")
    service = nl.admitted(None, type=None, kind="service", on_id=client)
    nl.admitted(BOND, type="dhcp", key=b"x" * 40)
    return client, service


def try_one(nl, row):
    """'' when the kernel said what it should."""
    sentence, number, where, command, values = row
    attrs = encode(space_of(command), values)
    try:
        got = nl.raw(command, attrs)
    except Refused as said:
        at = said.path if said.path else \
            "-" + said.missing if said.missing else None
        wrong = []
        if said.message != sentence:
            wrong.append("said '%s'" % said.message)
        if number and said.errno != number:
            wrong.append("error %s" % os.strerror(said.errno))
        if at != where:
            wrong.append("at %s, not %s" % (at, where))
        return ", ".join(wrong)
    return "was done: %s" % got


def every_sentence(nl, ids):
    known = sentences()
    table = said_table(ids)
    ok("U3: there are sentences to say", len(known) > 60, len(known))
    before = state(nl)
    for row in table:
        found = try_one(nl, row)
        ok("U3: %s: %s" % (row[3], row[0]), not found, found)
    after = state(nl)
    ok("U3: none of these refused requests changed anything",
       before == after, differs(before, after))
    tested = {row[0] for row in table}
    for text in sorted(set(known) - tested - UNREACHED):
        ok("U3: '%s' has a test" % text, False, known[text])
    gone = tested - set(known)
    ok("U3: nothing is tested that cannot be said", not gone, gone)
    for row in (("no such device", "limit-get", dict(target=device(9))),
                ("no such device", "stats-get", dict(target=device(9))),
                ("no such device", "session-get", dict(target=device(9))),
                ("no such device", "region-get", dict(device=9))):
        tap.refused("U3: dump of %s: %s" % (row[1], row[0]), errno.ENOENT,
                    row[0], nl.dump, row[1], **row[2])


# --- what the policies refuse

READABLE = {"chassis-get", "device-get", "mic-get", "port-get", "lag-get",
            "limit-get", "drain-get", "watermark-get", "region-get",
            "rtt-get", "echo-get", "session-count", "timeout-get",
            "stats-get", "enforce-get"}
DUMP_ONLY = {"limit-get", "drain-get", "region-get", "why-get", "stats-get"}
NO_COMMAND = {"echo-probe", "event"}


def requests():
    """Commands that user space can send."""
    return [name for name in resmon_nl.COMMANDS.values()
            if not name.endswith("-ntf") and name not in NO_COMMAND]


def flags_of(command):
    return NLM_F_DUMP if command in DUMP_ONLY else 0


def number_attrs(nl):
    """Every number with a range, one beyond either end."""
    percent = [("chassis-set", name, low, 99) for name, low in
               (("high-threshold", 1),)]
    percent += [("watermark-set", name, 1, 99) for name in ("heap", "nh",
                                                            "fw")]
    percent += [("limit-set", "warn", 1, 100)]
    percent += [("rtt-set", name, low, 100) for name, low in (
        ("step", 1), ("max-pct", 1), ("silent-max", 0), ("back", 1))]
    others = [("chassis-set", "throttle", 0, 1),
              ("chassis-set", "load-throttle", 0, 1),
              ("chassis-set", "logging", 0, 1),
              ("chassis-set", "on-error", 0, 1),
              ("chassis-set", "settle", 0, 86400),
              ("chassis-set", "retry-min", 0, 3600000),
              ("chassis-set", "retry-max", 0, 3600000),
              ("watermark-set", "dead-band", 0, 50),
              ("timeout-set", "starting", 1, const("SECONDS_MAX")),
              ("timeout-set", "idle", 0, const("SECONDS_MAX")),
              ("timeout-set", "ticket", 1, 3600),
              ("device-new", "index", 0, const("DEVICE_MAX")),
              ("device-new", "host", 0, 1),
              ("mic-new", "index", 0, const("MIC_MAX")),
              ("port-new", "device", 0, const("DEVICE_MAX")),
              ("port-new", "anchor", 0, const("DEVICE_MAX")),
              ("port-new", "ifindex", 1, 0x7fffffff),
              ("limit-set", "max-sessions", 0, const("LIMIT_MAX")),
              ("limit-set", "max-starting", 0, const("LIMIT_MAX")),
              ("limit-set", "type", 0, 3),
              ("drain-set", "on", 0, 1),
              ("region-report", "pfe", 0, const("PFE_MAX")),
              ("region-report", "region", 0, 3),
              ("region-report", "lifetime", 1, 86400),
              ("rtt-set", "threshold-us", 1, const("THRESHOLD_MAX_US")),
              ("rtt-set", "count", 1, 100), ("rtt-set", "law", 0, 2),
              ("rtt-set", "lifetime", 1, 86400),
              ("rtt-set", "recovery", 0, 1), ("rtt-set", "hold", 1, 86400),
              ("rtt-set", "select", 0, 2), ("rtt-set", "epoch", 1, 86400),
              ("enforce-set", "pppoe", 0, 3), ("enforce-set", "dhcp4", 0, 3),
              ("enforce-set", "dhcp6", 0, 3), ("enforce-set", "l2tp", 0, 3),
              ("enforce-set", "mode", 0, 1), ("enforce-set", "key", 0, 1),
              ("enforce-set", "dual-stack", 1, 2),
              ("enforce-set", "silence", 0, 86400),
              ("enforce-set", "priority", 0, 4),
              ("echo-set", "engine", 0, 3),
              ("echo-set", "interval-ms", const("INTERVAL_MIN_MS"),
               const("INTERVAL_MAX_MS")),
              ("session-get", "id", 1, None)]
    batch = [("type", 0, 3), ("kind", 0, 1), ("vlan-outer", 1, 4094),
             ("vlan-inner", 1, 4094), ("id", 1, None), ("on-id", 1, None)]
    target = [("kind", 0, 4), ("device", 0, const("DEVICE_MAX")),
              ("mic", 0, const("MIC_MAX")), ("ifindex", 1, 0x7fffffff)]

    cases = [(command, name, attr(number_of(space_of(command), name),
                                  struct.pack("=I", value)), value)
             for command, name, low, high in percent + others
             for value in beyond(low, high)]
    cases += [("session-admit", "request." + name,
               encode("BATCH", request(**{name: value})), value)
              for name, low, high in batch for value in beyond(low, high)]
    cases += [("session-import", "request." + name,
               encode("BATCH", request(**{name: value})), value)
              for name, low, high in (("login", 0, 3), ("lease", 1, None),
                                      ("pppoe-id", 1, 65535))
              for value in beyond(low, high)]
    cases += [("limit-set", "target." + name,
               encode("LIMIT", dict(target={name: value})), value)
              for name, low, high in target for value in beyond(low, high)]
    wrong = []
    for command, name, attrs, value in cases:
        try:
            nl.raw(command, attrs)
            wrong.append("%s %s=%d was done" % (command, name, value))
        except Refused as said:
            if said.errno != errno.ERANGE or said.path != name or \
                    not said.message:
                wrong.append("%s %s=%d: %s" % (command, name, value, said))
    ok("U3: %d numbers that are out of range, 0 %% and 101 %% among them" %
       len(cases), not wrong, "\n".join(wrong))


def beyond(low, high):
    out = [low - 1] if low else []
    if high is not None:
        out += [high + 1, 0xffffffff]
        if high in (99, 100):
            out.append(101)
    return out


def forged(nl):
    """Attributes that are of the wrong make, for every command."""
    wrong = []

    def must_fail(command, attrs, what, path=None):
        try:
            nl.raw(command, attrs, flags_of(command))
            wrong.append("%s: %s was done" % (command, what))
        except Refused as said:
            if not said.message or (path and said.path != path):
                wrong.append("%s: %s: %s" % (command, what, said))

    for command in requests():
        must_fail(command, attr(200, b"\0\0\0\0"), "an unknown attribute")
        must_fail(command, attr(0, b"\0\0\0\0"), "attribute 0")
        must_fail(command, attr(0x3fff, b""), "the highest attribute")
        must_fail(command, b"\x01\x02\x03", "three bytes")
        must_fail(command, struct.pack("=HH", 400, 1) + b"\0\0\0\0",
                  "a length beyond the message")
        must_fail(command, struct.pack("=HH", 2, 1), "a length of 2")
    ok("U2: unknown and malformed attributes are refused by every command",
       not wrong, "\n".join(wrong))

    del wrong[:]
    good = encode("TARGET", CHASSIS)
    limit_type = encode_one("LIMIT", "type", 0)
    limit_max = encode_one("LIMIT", "max-sessions", 5)
    must_fail("limit-set", attr(1, good) + limit_type + limit_max,
              "a target without the nested flag", "target")
    must_fail("limit-set", attr(1, good, True) +
              attr(2, b"\0\0\0\0", True) + limit_max, "a nested number",
              "type")
    must_fail("limit-set", attr(1, attr(1, good, True), True) + limit_type +
              limit_max, "a target in a target")
    must_fail("limit-set", attr(1, attr(77, b"\0\0\0\0"), True) +
              limit_type + limit_max, "an unknown attribute in a target")
    must_fail("session-admit", attr(1, encode("REQUEST", dict(
        target=ETH1, type="pppoe"))), "a request without the nested flag")
    must_fail("session-admit", attr(2, b"", True), "an answer as a request")
    must_fail("session-admit", encode("BATCH", request(
        target=ETH1, type="pppoe", raw=attr(99, b"")))
              , "an unknown attribute in a request")
    must_fail("session-admit", encode("BATCH", request(
        target=ETH1, type="pppoe", raw=attr(number_of("REQUEST", "active"),
                                            b"\1\0\0\0"))),
              "a flag with a value", "request.active")
    for size in (0, 1, 2, 3, 5, 8):
        must_fail("limit-set", attr(1, good, True) + attr(2, bytes(size)) +
                  limit_max, "a number of %d bytes" % size, "type")
    for size in (0, 4, 7, 9):
        must_fail("region-report", attr(number_of("REGION", "used"),
                                        bytes(size)),
                  "a large number of %d bytes" % size, "used")
    must_fail("port-new", attr(number_of("PORT", "ifname"), b"eth1") +
              encode_one("PORT", "device", 0), "a name without an end")
    must_fail("port-new", encode("PORT", dict(ifname="a" * 16, device=0)),
              "a name of 16 bytes", "ifname")
    must_fail("device-new", encode("DEVICE", dict(index=9, name="n" * 32)),
              "a name of 32 bytes", "name")
    must_fail("session-admit", encode("BATCH", request(
        target=ETH1, type="pppoe", key=b"k" * 65)), "a key of 65 bytes",
              "request.key")
    must_fail("enforce-set", encode("ENFORCE", dict(
        target=ETH1, priority="circuit", value=b"v" * 65)),
              "a value of 65 bytes", "value")
    for command, name in (("chassis-set", "sessions"), ("device-new", "ports"),
                          ("port-new", "own"), ("limit-set", "over"),
                          ("limit-set", "peak"), ("drain-set", "left"),
                          ("region-report", "age"), ("rtt-set", "throttle"),
                          ("echo-set", "agent"), ("echo-set", "sent"),
                          ("session-get", "age")):
        must_fail(command, attr(number_of(space_of(command), name),
                                b"\0\0\0\0"), "what is read only: " + name)
    ok("U3: wrong nesting, sizes, names and read-only attributes", not wrong,
       "\n".join(wrong))

    del wrong[:]
    limit = encode("LIMIT", dict(target=ETH1, type="pppoe", max_sessions=7))
    for length in range(0, len(limit), 2):
        must_fail("limit-set", limit[:length], "cut after %d bytes" % length)
    ok("U3: a request cut short is refused at every length", not wrong,
       "\n".join(wrong))

    # Twice the same: the last one counts, as everywhere in the kernel, and
    # the first is checked as well.
    must_fail("limit-set", attr(1, good, True) + attr(2, b"\x09\0\0\0") +
              limit_type + limit_max, "a doubled type, the first out of range")
    ok("U3: of a doubled attribute both are checked", not wrong,
       "\n".join(wrong))

    # A header that promises more than came has no answer at all.
    message = bytearray(nl.pack("limit-set", limit, NLM_F_ACK))
    struct.pack_into("=I", message, 0, len(message) + 400)
    nl.sock.send(bytes(message))
    # A command that there is not.
    for number in (0, 200, 255):
        try:
            nl.sock.send(nl.pack(None, b"", NLM_F_ACK, number))
            nl.answers(nl.pack(None, b"", 0, number)[:8] + struct.pack(
                "=I", nl.seq - 1) + bytes(8), None)
            wrong.append("command %d was done" % number)
        except Refused as said:
            if said.errno != errno.EOPNOTSUPP:
                wrong.append(str(said))
    ok("U2: commands that there are not", not wrong, "\n".join(wrong))


def specification():
    """What the specification lists: (operation, flags, set, attributes)."""
    with open(resmon_nl.ROOT + "/Documentation/netlink/specs/resmon.yaml",
              encoding="utf-8") as source:
        spec = yaml.load(source, Loader=getattr(yaml, "CSafeLoader",
                                                yaml.SafeLoader))
    sets = {one["name"]: one["attributes"] for one in spec["attribute-sets"]}
    for one in spec["operations"]["list"]:
        for use, flags in (("do", 0), ("dump", NLM_F_DUMP)):
            if use in one:
                yield (one["name"], flags, sets[one["attribute-set"]],
                       one[use].get("request", {}).get("attributes", []))


def sample(one):
    """An attribute with a value that is right where it may be."""
    values = {"u32": struct.pack("=I", 1), "u64": struct.pack("=Q", 1),
              "s32": struct.pack("=i", 1), "string": b"x\0", "flag": b"",
              "binary": b"x", "pad": b"", "nest": encode("TARGET", CHASSIS)}
    return values[one["type"]], one["type"] == "nest"


def only_what_is_listed(nl):
    """Every attribute of its set that an operation has no use for."""
    wrong = []
    operations = set()
    tried = 0
    for command, flags, attributes, listed in specification():
        operations.add(command)
        for one in attributes:
            if one["name"] in listed:
                continue
            tried += 1
            number = number_of(space_of(command), one["name"])
            try:
                nl.raw(command, attr(number, *sample(one)), flags)
                said = "was taken"
            except Refused as refused:
                if refused.errno == errno.EINVAL and (
                        refused.path == one["name"] and refused.message or
                        # What a dump says at its end has no place in it.
                        flags and refused.message == NO_USE):
                    continue
                said = refused
            wrong.append("%s%s: %s: %s" % (
                command, " as a dump" if flags else "", one["name"], said))
    ok("U2: each operation takes what the specification lists and nothing "
       "else", not wrong, "\n".join(wrong))
    ok("U2: these were all operations, and what they do not list",
       operations == set(requests()) and tried > 400,
       "%d, %s" % (tried, operations ^ set(requests())))


def batches(nl, ids):
    nl.room(4 << 20)
    one = encode_one("BATCH", "request", dict(target=ETH2, type="dhcp",
                                              active=True))
    answers = nl.batch("session-admit", [one] * 512)
    equal("U6: 512 requests in one message",
          (len(answers), nl.count(ETH2), answers[-1]["index"]),
          (512, 512, 511))
    nl.release(target=ETH2)
    for many in (513, 10000):
        tap.refused("U6: %d are too many" % many, errno.E2BIG,
                    "more than 512 requests in one message", nl.raw,
                    "session-admit", one * many)
        tap.refused("U6: %d releases too" % many, errno.E2BIG,
                    "more than 512 requests in one message", nl.raw,
                    "session-release", attr(1, b"", True) * many)
    equal("U6: and none of them is done", nl.count(ETH2), 0)

    good = dict(target=ETH2, type="dhcp")
    for what, bad, number, message, at in (
            ("an unknown type", dict(good, type="any"), errno.EINVAL,
             "a session is of one client type, not of any", "type"),
            ("a key of 65 bytes", dict(good, key=b"k" * 65), errno.ERANGE,
             None, "key"),
            ("a target that is a device", dict(good, target=device(0)),
             errno.EINVAL, "a session sits on a port or lag", "target"),
            ("no target", dict(type="dhcp"), errno.EINVAL,
             "the port or lag is missing", None),
            ("a target in it that is wrong", dict(good, target={"kind": 9}),
             errno.ERANGE, None, "kind"),
            ("a service on nobody", dict(kind="service", on_id=BIG),
             errno.ENOENT, "no such client session", "on-id"),
            ("an unknown attribute", dict(good, raw=attr(99, b"")),
             errno.EINVAL, None, None)):
        answers = nl.batch("session-admit", [good, good, bad, good])
        third = answers[2]
        where = {"kind": number_of("TARGET", "kind")}.get(at) or (
            at and number_of("REQUEST", at))
        ok("U6: a batch whose third request has %s" % what,
           [one["index"] for one in answers] == [0, 1, 2, 3] and
           [one.get("verdict") for one in answers] ==
           ["admit", "admit", None, "admit"] and
           third["error"] == -number and
           (message is None or third["message"] == message) and
           (at is None or third.get("bad-attr") == where), third)
        equal("U6: the others are done", nl.release(target=ETH2), 3)
    client = nl.admitted(ETH2, type="dhcp")
    answers = nl.batch("session-release", [dict(id=BIG), dict(id=client),
                                           dict(id=client)])
    equal("U6: a batch of releases says which failed",
          [one.get("released", one.get("error")) for one in answers],
          [-errno.ENOENT, 1, -errno.ENOENT])
    answers = nl.batch("session-activate", [dict(id=ids[0]), dict(id=BIG)])
    equal("U6: and one of activations",
          [one.get("id", one.get("error")) for one in answers],
          [ids[0], -errno.ENOENT])


def undelivered(nl):
    """A verdict that cannot be delivered takes its charge back."""
    deaf = Netlink()
    deaf.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    one = encode_one("BATCH", "request", dict(target=ETH2, type="dhcp"))
    for _ in range(4):
        deaf.sock.send(deaf.pack("session-admit", one * 512, NLM_F_ACK))
    told = 0
    while True:
        try:
            data = deaf.sock.recv(1 << 17, socket.MSG_DONTWAIT)
        except BlockingIOError:
            break
        except OSError:
            continue
        if struct.unpack_from("=H", data, 4)[0] == deaf.family:
            told += len(resmon_nl.decode("BATCH", data[20:])["answer"])
    equal("U6: only sessions whose verdict could be delivered are there",
          nl.count(ETH2), told)
    ok("U6: there were some that could not", told < 2048, told)
    deaf.close()
    nl.release(target=ETH2)


# --- who may

def in_child(function, *args):
    """What a process returns that can be given up; True or a text."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            said = function(*args)
        except Exception as error:  # whatever it was, it is told
            said = repr(error)
        os.write(writing, (said or "").encode())
        os._exit(0)
    os.close(writing)
    said = b""
    while True:
        more = os.read(reading, 65536)
        if not more:
            break
        said += more
    os.close(reading)
    os.waitpid(pid, 0)
    return said.decode()


def drop_user():
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)


def drop_capability():
    """Still root, without CAP_NET_ADMIN."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("=Ii", 0x20080522, 0)
    data = ctypes.create_string_buffer(24)
    if libc.syscall(125, header, data):
        raise OSError(ctypes.get_errno(), "capget")
    words = list(struct.unpack("=6I", data.raw))
    for n in range(3):
        words[n] &= ~(1 << 12)
    if libc.syscall(126, header, struct.pack("=6I", *words)):
        raise OSError(ctypes.get_errno(), "capset")


def user_namespace():
    """All capabilities, but in a user namespace of its own."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000):
        raise OSError(ctypes.get_errno(), "no user namespaces")


def unprivileged(become, ids):
    become()
    nl = Netlink()
    samples = dict((row[3], row[4]) for row in said_table(ids))
    samples.update({
        "chassis-set": dict(throttle=0), "device-new": dict(index=9),
        "device-del": dict(index=2), "mic-new": dict(device=0, index=2),
        "port-new": dict(ifname="plain", device=0),
        "port-del": dict(ifname="eth1"),
        "limit-set": dict(LIMIT, max_sessions=1),
        "limit-del": dict(target=ETH1, type="any"),
        "drain-set": dict(target=CHASSIS, on=1),
        "watermark-set": dict(heap=50),
        "region-report": dict(device=0, region="heap", used=99, total=100),
        "rtt-set": dict(target=device(0), step=50),
        "rtt-reset": dict(target=device(0)),
        "echo-set": dict(device=0, engine="agent"),
        "session-admit": request(target=ETH1, type="pppoe"),
        "session-release": request(all=True),
        "session-import": dict(request=PPPOE),
        "session-activate": request(id=ids[0]),
        "session-get": dict(id=ids[0]), "timeout-set": dict(idle=1),
        "stats-clear": {}, "device-get": dict(index=0),
        "mic-get": dict(device=0, index=1), "port-get": dict(ifname="eth1"),
        "lag-get": dict(ifname="bond1"), "rtt-get": dict(target=device(0)),
        "echo-get": dict(device=0), "session-count": {},
        "enforce-get": dict(target=ETH1),
        "enforce-set": dict(target=ETH1, pppoe="drop")})
    wrong = []
    for command in requests():
        attrs = b"" if command in DUMP_ONLY else \
            encode(space_of(command), samples.get(command, {}))
        try:
            nl.raw(command, attrs, flags_of(command))
            number = 0
        except Refused as said:
            number = said.errno
        if number != (0 if command in READABLE else errno.EPERM):
            wrong.append("%s: %s" % (command, os.strerror(number)))
    for command in ("session-get",):
        try:
            nl.dump(command)
            wrong.append("dump of %s" % command)
        except Refused as said:
            if said.errno != errno.EPERM:
                wrong.append("dump of %s: %s" % (command, said))
    return "\n".join(wrong)


def privileges(nl, ids):
    before = state(nl)
    for name, become in (("as nobody", drop_user),
                         ("as root without CAP_NET_ADMIN", drop_capability),
                         ("in a user namespace of its own", user_namespace)):
        said = in_child(unprivileged, become, ids)
        if "no user namespaces" in said:
            tap.skip("U2: %s" % name, "no user namespaces")
            continue
        ok("U2: %s nothing can be changed, nor subscribers be read" % name,
           not said, said)
    after = state(nl)
    ok("U2: and nothing was changed", before == after,
       differs(before, after))


def main():
    nl = tap.fresh()
    agent = Netlink()
    ids = setup(nl)
    agent.do("echo-register", device=1)
    every_sentence(nl, ids)
    before = state(nl)
    number_attrs(nl)
    forged(nl)
    only_what_is_listed(nl)
    after = state(nl)
    ok("U3: none of all these changed anything", before == after,
       differs(before, after))
    batches(nl, ids)
    undelivered(nl)
    privileges(nl, ids)
    agent.close()
    tap.finish(nl)


tap.main(main)
