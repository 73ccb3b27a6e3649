#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sessions that were up before: imported, and followed by their frames (H3).

What an import says is held against what frames say of the same subscriber: they
must find its session, and end it.
"""
import errno
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
import dhcp  # noqa: E402
from dhcp import IA_NA, IA_PD, ia, mac, message4, message6  # noqa: E402
from pppoe import (ECHO_REQ, LCP, TERM_ACK, TERM_REQ, Subscriber,  # noqa: E402
                   Wire, text)
from resmon_nl import encode_one, lag, port  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

ACC, QUIET, BOND = port("acc0"), port("acc1"), lag("lag0")
BNG = b"\2\xbb\0\0\0\1"
OURS, FOREIGN = "10.9.0.1", "10.99.0.1"
SERVER6, FOREIGN6 = dhcp.duid(BNG), dhcp.duid(mac(999))
A, B, C = mac(1), mac(2), mac(3)
UNFOLLOWED = "its logins are not enforced there, so that nobody would follow it"


def network():
    tap.ip("link add acc0 type veth peer name home0",
           "link add acc1 type veth peer name home1",
           "link add leg0 type veth peer name up0",
           "link add lag0 type bond mode active-backup",
           "link set leg0 master lag0",
           *("link set %s up" % name for name in (
               "acc0", "home0", "acc1", "home1", "leg0", "up0", "lag0")),
           "link add link acc0 name acc0.7 type vlan id 7",
           "link add link lag0 name lag0.7 type vlan id 7")
    tap.run("ip", "link", "add", "link", "acc0", "name", "acc0.s", "type",
            "vlan", "proto", "802.1ad", "id", "100")
    tap.ip("link add link acc0.s name acc0.q type vlan id 200")


class Bng:
    """A port as new for each case, and what there is to say of it."""

    def __init__(self, nl):
        self.nl = nl
        nl.do("chassis-set", settle=0)
        nl.do("device-new", index=0)
        self.there = False
        self.wire = Wire("acc0", "home0")

    def begin(self, most=None, **settings):
        if self.there:
            self.nl.do("port-del", ifname="acc0")
        self.there = True
        self.nl.do("port-new", ifname="acc0", device=0)
        if most is not None:
            self.nl.limit(ACC, max_sessions=most)
        self.nl.do("enforce-set", target=ACC,
                   **(settings or dict(pppoe="drop", dhcp4="drop",
                                       dhcp6="drop")))
        self.wire.bng.heard()
        return self

    def add(self, login, target=ACC, **values):
        """The answer to an import that must not fail."""
        return self.nl.batch("session-import", [dict(
            target=target, login=login, **values)])[0]

    def pppoe(self, sub, sid, **values):
        sub.sid = sid
        return self.add("pppoe", mac=sub.mac, pppoe_id=sid, **values)

    def dhcp4(self, client, lease=3600, **values):
        return self.add("dhcp4", mac=client, lease=lease, **values)

    def dhcp6(self, duid, iaid=1, lease=3600, **values):
        return self.add("dhcp6", duid=duid, iaid=iaid, lease=lease, **values)

    def sub(self, number, **values):
        return Subscriber(self.wire, number, **values)

    def shown(self, name, target=ACC):
        return self.nl.do("enforce-get", target=target)[name]

    def session(self):
        """The only one, but for that which is quiet."""
        one, = (one for one in self.nl.dump("session-get")
                if one["target"]["ifname"] != "acc1")
        return one

    def count(self):
        return self.nl.count() - self.nl.count(QUIET)

    # --- frames

    def up4(self, client, kind, circuit=None, **values):
        self.wire.arrive(dhcp.ether(
            dhcp.BROADCAST, client, 0x0800, dhcp.ip4(dhcp.udp(
                68, 67, message4(kind, client, circuit=circuit, **values)))))

    def down4(self, client, kind, server=OURS, **values):
        self.wire.leave(dhcp.ether(
            client, BNG, 0x0800, dhcp.ip4(dhcp.udp(
                67, 68, message4(kind, client, server, yiaddr="10.9.1.1",
                                 **values)), OURS, "10.9.1.1")))

    def frame6(self, client, message, leaving=False, ports=(546, 547)):
        packet = dhcp.ip6(dhcp.udp(*ports, message), src="fe80::1",
                          dst="fe80::2")
        if leaving:
            self.wire.leave(dhcp.ether(client, BNG, 0x86dd, packet))
        else:
            self.wire.arrive(dhcp.ether(dhcp.SERVERS6, client, 0x86dd,
                                        packet))

    def up6(self, client, kind, *options, duid=None, server=SERVER6):
        self.frame6(client, message6(kind, duid or dhcp.duid(client), server,
                                     *options))

    def down6(self, client, kind, *options, duid=None):
        self.frame6(client, message6(kind, duid or dhcp.duid(client), SERVER6,
                                     *options), True, (547, 546))

    def release4(self, client, server=OURS, **values):
        self.up4(client, dhcp.RELEASE, server=server, ciaddr="10.9.1.1",
                 **values)

    def release6(self, client, *options, **values):
        self.up6(client, dhcp.RELEASE6, *options, **values)


def pppoe(bng):
    bng.begin(0)
    bng.nl.do("chassis-set", settle=600)
    one, two = bng.sub(1), bng.sub(2)
    said = bng.pppoe(one, 5)
    equal("H3: a PPPoE session is entered, above a cap and while it settles",
          (said["verdict"], said["same"], bng.count(), bng.shown("adopted")),
          ("admit", 0, 1, 1))
    there = bng.session()
    equal("it is active, and has the name that frames give it",
          (there["id"], there["state"], there["key"].decode(), there["type"]),
          (said["id"], "active", text(one.mac) + "/5", "pppoe"))
    bng.nl.do("chassis-set", settle=0)
    again = bng.pppoe(one, 5)
    equal("once more it is the same, and nothing has changed",
          (again["same"], again["id"], bng.count(), bng.shown("adopted")),
          (1, said["id"], 1, 1))
    one.ppp(True, LCP, ECHO_REQ, 1, bytes(4))
    one.padi()
    equal("H8, H9: its frames know it: no adoption, and a place for its PADI",
          (bng.count(), bng.shown("adopted"), bng.shown("dropped"),
           len(bng.wire.bng.heard())), (1, 1, 0, 1))
    two.sid = 5
    two.padt()
    equal("the PADT of another does not end it",
          (bng.count(), bng.shown("forged")), (1, 1))
    one.padt()
    equal("its own does", bng.count(), 0)
    bng.pppoe(one, 5)
    one.padt(leaving=True)
    equal("and so does one of the BNG", bng.count(), 0)
    bng.pppoe(one, 5)
    one.ppp(False, LCP, TERM_REQ, 9)
    one.ppp(True, LCP, TERM_ACK, 9)
    equal("and a Terminate-Ack", bng.count(), 0)
    bng.pppoe(one, 5)
    bng.pppoe(one, 6)
    equal("one client can have two", bng.count(), 2)
    equal("a release ends both", (bng.nl.release(target=ACC), bng.count()),
          (2, 0))
    said = bng.pppoe(one, 5)
    one.padr()
    one.pads(5)
    there = bng.session()
    equal("H8: a PADS that gives its id again ends it",
          (there["state"], there["id"] != said["id"]), ("starting", True))
    bng.nl.release(target=ACC)


def lease4(bng):
    bng.begin(0)
    said = bng.dhcp4(A)
    there = bng.session()
    equal("H3: a lease of DHCPv4 is entered, above a cap",
          (said["verdict"], said["same"], bng.count(), bng.shown("adopted"),
           there["id"], there["state"], there["key"], there["type"]),
          ("admit", 0, 1, 1, said["id"], "active",
           dhcp.spelled(A).encode(), "dhcp"))
    ok("it ends with its lease", 3500 < there["expires"] <= 3600, there)
    again = bng.dhcp4(A, 9000)
    equal("once more it is the same", (again["same"], again["id"]),
          (1, said["id"]))
    ok("and nothing has changed", bng.session()["expires"] <= 3600 and
       bng.shown("adopted") == 1)
    bng.up4(A, dhcp.DISCOVER)
    equal("H9: its DISCOVER has the place that it holds",
          (bng.shown("flights"), bng.shown("dropped")), (0, 0))
    bng.release4(B)
    equal("a RELEASE of another is nothing to it", bng.count(), 1)
    bng.release4(A)
    equal("its own ends it: nobody knows the server of its lease",
          bng.count(), 0)
    bng.dhcp4(A)
    bng.down4(A, dhcp.ACK, lease=7200)
    ok("an ACK renews it", bng.session()["expires"] > 7000)
    equal("which is no adoption", bng.shown("adopted"), 2)
    bng.release4(A, FOREIGN)
    equal("H10: by then the server is known, and a RELEASE to another is none",
          bng.count(), 1)
    bng.release4(A)
    equal("but one to it is", bng.count(), 0)
    bng.dhcp4(A, 0xffffffff)
    ok("a lease for ever has no end", "expires" not in bng.session(),
       bng.session())
    bng.down4(A, dhcp.NAK)
    equal("until a NAK ends it", bng.count(), 0)
    bng.dhcp4(A, 2)
    bng.dhcp4(B, 60)
    ok("a lease of 2 s ends by itself",
       wait_until(lambda: bng.count() == 1, 10))

    bng.begin(dhcp4="drop", key="circuit")
    bng.dhcp4(A, circuit=b"olt 1/1")
    bng.release4(B)
    equal("H8: by circuit a RELEASE without one is none", bng.count(), 1)
    bng.release4(B, circuit=b"olt 1/1")
    equal("and one from there ends it, whatever its address", bng.count(), 0)
    bng.begin(dhcp4="drop")
    bng.dhcp4(A, circuit=b"olt 1/1")
    bng.release4(A, circuit=b"olt 1/2")
    equal("H8: by address the circuit says nothing", bng.count(), 0)

    bng.begin()
    bng.up4(A, dhcp.REQUEST, requested="10.9.1.1")
    said = bng.dhcp4(A)
    equal("a login on its way stays what it is",
          (said["same"], bng.session()["state"]), (1, "starting"))
    bng.down4(A, dhcp.NAK)
    equal("its answer decides", bng.count(), 0)


def lease6(bng):
    bng.begin(0)
    one = dhcp.duid(A)
    said = bng.dhcp6(one, 7)
    equal("H3: a lease of DHCPv6 is entered, above a cap",
          (said["same"], bng.count(), bng.shown("adopted"),
           bng.session()["key"]), (0, 1, 1, dhcp.spelled(A).encode()))
    more = bng.dhcp6(one, 8, 7200, prefix=True)
    equal("a prefix of the client is of the same session",
          (more["same"], more["id"], bng.count()), (1, said["id"], 1))
    ok("which lasts as long as the longer one",
       bng.session()["expires"] > 7000)
    bng.release6(A, ia(IA_NA, 8), ia(IA_PD, 7))
    ok("a RELEASE of leases that it has not is none",
       bng.count() == 1 and bng.session()["expires"] > 7000)
    bng.release6(A, ia(IA_NA, 7), ia(IA_PD, 8), server=None)
    equal("nor is one to no server", bng.count(), 1)
    bng.release6(A, ia(IA_PD, 8))
    ok("given back one, the other lasts",
       bng.count() == 1 and bng.session()["expires"] <= 3600)
    bng.release6(A, ia(IA_NA, 7))
    equal("and the session ends with the last", bng.count(), 0)
    bng.dhcp6(one, 7, 60)
    bng.down6(A, dhcp.REPLY6, ia(IA_NA, 7, 9000))
    ok("a REPLY renews it", bng.session()["expires"] > 8000)
    bng.release6(A, ia(IA_NA, 7), server=FOREIGN6)
    equal("H10: and its server is known then", bng.count(), 1)
    bng.down6(A, dhcp.REPLY6, ia(IA_NA, 7, 0))
    equal("an answer without a lease ends it", bng.count(), 0)
    bng.dhcp6(one, 7, 2)
    ok("so does the time", wait_until(lambda: not bng.count(), 10))

    vendor = dhcp.vendor_duid(5)
    bng.dhcp6(vendor)
    equal("a DUID without an address is the name of the client",
          (bng.session()["key"], bng.count()), (vendor, 1))
    bng.up6(C, dhcp.SOLICIT6, duid=vendor)
    bng.release6(C, ia(IA_NA, 1), duid=vendor)
    equal("by which its frames find it, whoever sends them", bng.count(), 0)
    bng.dhcp6(vendor, mac=C)
    equal("a MAC address goes before", bng.session()["key"],
          dhcp.spelled(C).encode())
    bng.frame6(B, dhcp.relayed6(message6(dhcp.RELEASE6, vendor, SERVER6,
                                         ia(IA_NA, 1))), ports=(547, 547))
    equal("behind a relay the DUID finds it", bng.count(), 0)


def household(bng):
    bng.begin()
    one = dhcp.duid(A)
    first = bng.dhcp4(A)
    second = bng.dhcp6(one)
    equal("H11: DHCPv4 and DHCPv6 of one client are one session",
          (bng.count(), second["id"], second["same"]), (1, first["id"], 1))
    bng.release4(A)
    equal("H11: alive while any lease is", bng.count(), 1)
    bng.release6(A, ia(IA_NA, 1))
    equal("H11: and over with the last", bng.count(), 0)
    bng.dhcp6(dhcp.vendor_duid(1), mac=A)
    bng.dhcp4(A, 9000)
    ok("H11: in the other order, by the MAC address",
       bng.count() == 1 and bng.session()["expires"] > 8000)
    bng.release6(A, ia(IA_NA, 1), duid=dhcp.vendor_duid(1))
    bng.release4(A)
    equal("H11: both were given back", bng.count(), 0)

    vendor = dhcp.vendor_duid(2)
    bng.down4(B, dhcp.ACK, lease=60)
    said = bng.dhcp6(vendor, mac=B)
    equal("H11: a household that frames know gets the other lease",
          (said["same"], bng.count(), bng.shown("adopted")), (1, 1, 3))
    bng.down4(B, dhcp.NAK)
    equal("H11: which keeps it", bng.count(), 1)
    bng.frame6(C, dhcp.relayed6(message6(
        dhcp.RELEASE6, vendor, SERVER6, ia(IA_NA, 1))),
        ports=(547, 547))
    equal("H11: and is found by its DUID", bng.count(), 0)

    bng.begin(dhcp4="drop", dhcp6="drop", dual_stack=2)
    first = bng.dhcp4(A)
    second = bng.dhcp6(one)
    equal("H11: where they are two, they are two",
          (bng.count(), second["same"], first["id"] != second["id"]),
          (2, 0, True))
    bng.release6(A, ia(IA_NA, 1))
    bng.release4(A)
    equal("H11: each with its own end", bng.count(), 0)


def vlans(bng):
    bng.begin()
    nl = bng.nl
    for name, tags, where in (
            ("a VLAN child", (7,), dict(target=port("acc0.7"))),
            ("a VLAN of the port", (7,), dict(target=ACC, vlan_outer=7)),
            ("a child in QinQ", ((0x88a8, 100), 200),
             dict(target=port("acc0.q"))),
            ("QinQ of the port", ((0x88a8, 100), 200),
             dict(target=ACC, vlan_outer=100, vlan_inner=200))):
        one = bng.sub(1, vlans=tags)
        bng.pppoe(one, 9, **where)
        there = bng.session()
        equal("%s: it sits on the port, in its VLANs" % name,
              (there["target"]["ifname"], there.get("vlan-outer"),
               there.get("vlan-inner", 0)),
              ("acc0", 7, 0) if len(tags) == 1 else ("acc0", 100, 200))
        plain = bng.sub(1)
        plain.sid = 9
        plain.padt(leaving=True)
        equal("%s: a PADT outside is of another" % name, bng.count(), 1)
        one.padt(leaving=True)
        equal("%s: one inside ends it" % name, bng.count(), 0)
    bng.dhcp4(A, target=port("acc0.7"))
    bng.dhcp4(A, target=ACC)
    equal("the same address in two VLANs are two subscribers", bng.count(), 2)
    nl.release(target=ACC)


def lags(bng):
    nl = bng.nl
    nl.do("port-new", ifname="leg0", device=0)
    one = Subscriber(Wire("lag0", "up0"), 1)
    tap.refused("a lag that is not enforced takes none", errno.EOPNOTSUPP,
                UNFOLLOWED, bng.pppoe, one, 9, target=BOND)
    nl.do("enforce-set", target=BOND, pppoe="drop", dhcp4="drop")
    for n, (name, target) in enumerate((
            ("the lag", BOND), ("a leg", port("leg0")),
            ("the lag as a port", port("lag0")))):
        bng.pppoe(one, 9, target=target)
        equal("%s: the session sits on the lag" % name,
              (bng.session()["target"]["ifname"],
               bng.shown("adopted", BOND)), ("lag0", n + 1))
        equal("C5: and counts on its leg", nl.count(port("leg0")), 1)
        one.padt(leaving=True)
        equal("%s: its PADT ends it" % name, bng.count(), 0)
    bng.pppoe(one, 9, target=port("lag0.7"))
    equal("a VLAN child of the lag", (bng.session()["target"]["kind"],
                                      bng.session()["vlan-outer"]),
          ("lag", 7))
    nl.release(target=BOND)


def refusals(bng):
    bng.begin(pppoe="count", dhcp4="off", dhcp6="drop")
    bng.pppoe(bng.sub(1), 3)
    equal("where logins are only observed, it is entered", bng.count(), 1)
    tap.refused("where DHCPv4 is not enforced, it is not",
                errno.EOPNOTSUPP, UNFOLLOWED, bng.dhcp4, A)
    bng.dhcp6(dhcp.duid(A))
    bng.nl.do("enforce-set", target=ACC, pppoe="off", dhcp6="off")
    tap.refused("nor where enforcement has ended", errno.EOPNOTSUPP,
                UNFOLLOWED, bng.pppoe, bng.sub(2), 3)
    tap.refused("not even one that was known", errno.EOPNOTSUPP, UNFOLLOWED,
                bng.pppoe, bng.sub(1), 3)
    equal("what was refused is not counted, and no adoption; the others ended",
          (bng.count(), bng.shown("adopted")), (0, 2))

    bng.begin()
    key = A + b"\0\5" + bytes(8)
    bng.nl.admit(ACC, "pppoe", key=key, active=True)
    said = bng.add("pppoe", mac=A, pppoe_id=5)
    equal("one that the request interface has under its name is the same",
          (said["same"], bng.count(), bng.shown("adopted")), (1, 1, 0))
    bng.nl.release(target=ACC)


def batches(bng):
    bng.begin(10)
    bng.nl.room(4 << 20)
    many = [dict(target=ACC, login="pppoe", mac=mac(n), pppoe_id=n)
            for n in range(1, 601)]
    many[7] = dict(target=ACC, login="pppoe", mac=mac(8))
    many[300] = dict(many[300], target=port("nobody"))
    many[599] = many[0]
    answers = bng.nl.batch("session-import", many)
    equal("U6: each request of a batch has its answer",
          [one["index"] for one in answers], list(range(600)))
    wrong = {one["index"]: (one["error"], one["message"])
             for one in answers if "error" in one}
    equal("U6: and those at fault their own", wrong, {
        7: (-errno.EINVAL, "the PPPoE session id is missing"),
        300: (-errno.ENODEV, "no such net device")})
    equal("the others are done, one of them twice",
          (bng.count(), bng.shown("adopted"),
           sum(one.get("same", 0) for one in answers)), (597, 597, 1))
    answers = bng.nl.batch("session-import", [encode_one(
        "BATCH", "request", one) for one in many[10:20]])
    ok("all of them are known", all(one["same"] for one in answers))
    bng.nl.do("port-del", ifname="acc0")
    bng.there = False
    equal("they go with their port", bng.count(), 0)


def rmctl(*words):
    """Exit status, what is printed, and what went wrong."""
    done = subprocess.run(("rmctl", "-j", "session", "import") + words,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False)
    return (done.returncode, json.loads(done.stdout or "null"),
            done.stderr.strip())


def tool(bng):
    bng.begin()
    path = "/tmp/session-import-leases"

    def write(first, last, odd=()):
        with open(path, "w", encoding="ascii") as file:
            for n in range(first, last + 1):
                client = "06-02:03" if n in odd else dhcp.spelled(mac(n))
                file.write("0 %s 10.9.%d.%d * *\n" % (client, n >> 8,
                                                      n & 255))

    def said(imported, known, refused, *reasons):
        return {"imported": imported, "known": known, "refused": refused,
                "reasons": [dict(zip(("message", "count", "first"), one))
                            for one in reasons]}

    missing = "the MAC address of the client is missing"
    write(1, 1100, (700, 701))
    equal("rmctl: more than fit into a message, two of them refused",
          rmctl("leases", path, "port", "acc0"),
          (1, said(1098, 0, 2, (missing, 2, "10.9.2.188")),
           "rmctl: session import: %s (2, first 10.9.2.188)" % missing))
    equal("rmctl: the others are in", bng.count(), 1098)
    write(512, 512)
    equal("rmctl: one that is known", rmctl("leases", path, "port", "acc0"),
          (0, said(0, 1, 0), ""))
    write(700, 700, (700,))
    equal("rmctl: one alone that is refused",
          rmctl("leases", path, "port", "acc0")[:2],
          (1, said(0, 0, 1, (missing, 1, "10.9.2.188"))))
    equal("rmctl: without a route nobody knows where it is",
          rmctl("leases", path)[:2],
          (1, said(0, 0, 1, ("there is no route to the address", 1,
                             "10.9.2.188"))))
    write(1, 0)
    equal("rmctl: nobody", rmctl("leases", path), (0, said(0, 0, 0), ""))
    with open(path, "a", encoding="ascii") as file:
        file.write("0 02:03:04:05:06:07 10.9.1.1 * *\n0 x\n")
    bng.nl.release(target=ACC)
    equal("rmctl: a file that is not understood",
          rmctl("leases", path, "port", "acc0"),
          (1, None, "rmctl: session import: %s: line 2 is not understood: 0 x"
           % path))
    equal("rmctl: of which nobody is imported", bng.count(), 0)
    os.unlink(path)
    equal("rmctl: nobody has a session in the kernel", rmctl("pppoe"),
          (0, said(0, 0, 0), ""))


def silence(bng):
    """Begun before all else, since it takes its time."""
    bng.nl.do("port-new", ifname="acc1", device=0)
    bng.nl.do("enforce-set", target=QUIET, pppoe="drop", silence=10)
    bng.add("pppoe", target=QUIET, mac=A, pppoe_id=1)


def silent(bng):
    ok("H4: an imported session in which nothing is said is a suspect",
       wait_until(lambda: bng.shown("suspects", QUIET) == 1, 20))
    one = Subscriber(Wire("acc1", "home1"), 0)
    one.mac, one.sid = A, 1
    one.data(False)
    equal("H4: what the client says clears it not",
          bng.shown("suspects", QUIET), 1)
    one.data(True)
    equal("H4: but what the BNG says", bng.shown("suspects", QUIET), 0)


def main():
    nl = tap.fresh()
    network()
    bng = Bng(nl)
    silence(bng)
    for case in (pppoe, lease4, lease6, household, vlans, refusals, lags,
                 tool, batches):
        case(bng)
    silent(bng)
    tap.finish(nl)


tap.main(main)
