#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 400
"""DHCP frames made by hand, one at a time, and what each of them does.

Each step names everything that it changes: sessions, places in flight, and
every counter of the port and of its requests. What it does not name must stay
as it was. Rules by their names: H1, H2, H3, H5, H8 to H11, H13 to H16, P7.
"""
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
import dhcp  # noqa: E402
from dhcp import ether, ia, ip4, ip6, mac, message4, message6, udp  # noqa: E402
from resmon_nl import CHASSIS, Netlink, device, lag, port, text  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

ACC, OTHER, BOND = port("acc0"), port("acc1"), lag("bond1")
BNG = b"\2\xbb\0\0\0\1"
OURS, FOREIGN = "10.9.0.1", "10.99.0.1"
SERVER6, FOREIGN6 = dhcp.duid(BNG), dhcp.duid(mac(999))
A, B, C, D = mac(1), mac(2), mac(3), mac(4)
SEEN = ("malformed", "dropped", "rejected", "observed", "unenforced", "rogue",
        "forged", "foreign", "adopted", "ghost", "evicted", "full")


class Port:
    """A port as new, and the two ends of its cable."""

    def __init__(self, nl, target=ACC, near="acc0", far="home0", max=10,
                 **settings):
        self.nl, self.target = nl, target
        if target["kind"] == "port":
            nl.do("port-del", ifname=near)
            nl.do("port-new", ifname=near, device=0)
        nl.limit(target, max_sessions=max)
        settings.setdefault("dhcp4", "drop")
        settings.setdefault("dhcp6", "drop")
        nl.do("enforce-set", target=target, **settings)
        self.near, self.far = dhcp.Wire(near), dhcp.Wire(far)
        self.before = self.state()

    def close(self):
        self.near.close()
        self.far.close()

    def state(self):
        """All that a frame can change."""
        enforce = self.nl.do("enforce-get", target=self.target)
        out = {name: enforce.get(name, 0) for name in SEEN}
        out["flights"] = enforce["flights"]
        sessions = [one for one in self.nl.dump("session-get")
                    if text(one["target"]) == text(self.target)]
        out["sessions"] = len(sessions)
        out["starting"] = sum(one["state"] == "starting" for one in sessions)
        stats = self.nl.dump("stats-get", target=self.target)[0]
        for name in ("charged", "same", "refused-commits"):
            out[name] = stats.get(name, 0)
        for row in stats.get("row", ()):
            if row["type"] == "dhcp":
                for name in ("admitted", "duplicate"):
                    out[name] = out.get(name, 0) + row.get(name, 0)
                for one in row.get("denied", ()):
                    name = "denied-" + one["cause"]
                    out[name] = out.get(name, 0) + one["count"]
        return {name: value for name, value in out.items() if value}

    def step(self, name, frame=None, leaving=False, passes=None, **changes):
        """One frame, all that it changes, and whether it got through."""
        self.near.heard()
        if frame:
            (self.near if leaving else self.far).send(frame)
        want = dict(self.before)
        for what, by in changes.items():
            what = what.replace("_", "-")
            want[what] = want.get(what, 0) + by
        want = {what: value for what, value in want.items() if value}
        got = {}

        def same():
            got.clear()
            got.update(self.state())
            return got == want

        good = wait_until(same, 30)
        differ = sorted(set(want.items()) ^ set(got.items()))
        ok(name, good, "wanted %s\ngot    %s" % (
            {what: want.get(what, 0) for what, _ in differ},
            {what: got.get(what, 0) for what, _ in differ}))
        if passes is not None:
            body = frame[12:] if frame[12:14] not in (
                b"\x81\0", b"\x88\xa8") else frame[-64:]
            through = any(body in one for one in self.near.heard())
            ok(name + (": it passes" if passes else ": it is dropped"),
               through == passes)
        self.before = got

    # --- frames, from a client and from the server

    def up4(self, name, kind, client, passes=None, tags=(), src=None,
            saddr="0.0.0.0", daddr="255.255.255.255", **values):
        changes = {one: values.pop(one) for one in list(values)
                   if one in CHANGES}
        frame = ether(dhcp.BROADCAST, src or client, 0x0800,
                      ip4(udp(68, 67, message4(kind, client, **values)),
                          saddr, daddr), tags)
        # Of two tags the inner one hides the ethertype from who listens.
        self.step(name, frame, False, passes if len(tags) < 2 else None,
                  **changes)

    def down4(self, name, kind, client, tags=(), server=OURS, dst=None,
              dport=68, side="near", **values):
        changes = {one: values.pop(one) for one in list(values)
                   if one in CHANGES}
        frame = ether(dst or client, BNG, 0x0800,
                      ip4(udp(67, dport, message4(kind, client, server,
                                                  yiaddr="10.9.1.1",
                                                  **values)),
                          OURS, "10.9.1.1"), tags)
        self.step(name, frame, side == "near", **changes)

    def frame6(self, client, message, tags=(), leaving=False, relay=None):
        ports = (547, 547) if relay else (547, 546) if leaving else (546, 547)
        packet = ip6(udp(*ports, message),
                     dst="fe80::2" if leaving else "ff02::1:2",
                     src="fe80::1" if leaving else "fe80::2")
        if leaving:
            return ether(relay or client, BNG, 0x86dd, packet, tags)
        return ether(dhcp.SERVERS6, relay or client, 0x86dd, packet, tags)

    def up6(self, name, kind, client, *options, passes=None, tags=(), id=None,
            server=None, rapid=False, **changes):
        message = message6(kind, id or dhcp.duid(client), server, *options,
                           rapid=rapid)
        self.step(name, self.frame6(client, message, tags), False, passes,
                  **changes)

    def down6(self, name, kind, client, *options, tags=(), id=None,
              server=SERVER6, side="near", **changes):
        message = message6(kind, id or dhcp.duid(client), server, *options)
        self.step(name, self.frame6(client, message, tags, True),
                  side == "near",
                  **changes)

    def session(self, key=None):
        """The one session, or that of a key."""
        for one in self.nl.dump("session-get"):
            if key is None or one["key"] == key.encode():
                return one
        return {}

    def lease4(self, client, name="a client gets a lease", lease=3600, **more):
        """DISCOVER to ACK."""
        self.up4(name + ": DISCOVER", dhcp.DISCOVER, client, flights=1,
                 admitted=1, **more)
        self.down4(name + ": OFFER", dhcp.OFFER, client, lease=lease, **more)
        self.up4(name + ": REQUEST", dhcp.REQUEST, client, server=OURS,
                 flights=-1, sessions=1, starting=1, charged=1, **more)
        self.down4(name + ": ACK", dhcp.ACK, client, lease=lease, starting=-1,
                   **more)

    def lease6(self, client, *ias, name="a client gets leases", **more):
        """SOLICIT to REPLY."""
        self.up6(name + ": SOLICIT", dhcp.SOLICIT6, client, flights=1,
                 admitted=1, **more)
        self.down6(name + ": ADVERTISE", dhcp.ADVERTISE6, client, *ias, **more)
        self.up6(name + ": REQUEST", dhcp.REQUEST6, client, *ias,
                 server=SERVER6, flights=-1, sessions=1, starting=1, charged=1,
                 **more)
        self.down6(name + ": REPLY", dhcp.REPLY6, client, *ias, starting=-1,
                   **more)


CHANGES = SEEN + ("flights", "sessions", "starting", "charged", "same",
                  "refused_commits", "admitted", "duplicate",
                  "denied_cap_port", "denied_cap_device", "denied_settle",
                  "denied_rtt")
NEW6 = ia(dhcp.IA_NA, 1)


def on(nl, **settings):
    return Port(nl, **settings)


# --- DHCPv4

def life4(nl):
    p = on(nl)
    p.lease4(A)
    equal("H8: the session has the client's address for its key",
          p.session()["key"], dhcp.spelled(A).encode())
    ok("it ends with its lease",
       3500 < p.session()["expires"] <= 3600, p.session())
    p.up4("H1: a client that renews passes", dhcp.REQUEST, A, passes=True,
          ciaddr="10.9.1.1", saddr="10.9.1.1", daddr=OURS)
    p.down4("its ACK renews the lease", dhcp.ACK, A, lease=7200)
    ok("which is longer now", p.session()["expires"] > 7000)
    p.up4("H10: a RELEASE to another server is none", dhcp.RELEASE, A,
          ciaddr="10.9.1.1", server=FOREIGN)
    p.up4("a RELEASE ends the session", dhcp.RELEASE, A, passes=True,
          ciaddr="10.9.1.1", server=OURS, sessions=-1)
    p.up4("a second RELEASE means nothing", dhcp.RELEASE, A,
          ciaddr="10.9.1.1", server=OURS)
    p.lease4(A)
    p.up4("a DECLINE ends it too", dhcp.DECLINE, A, passes=True,
          requested="10.9.1.1", server=OURS, sessions=-1)
    p.lease4(A)
    p.down4("and so does a NAK", dhcp.NAK, A, sessions=-1)
    p.lease4(A, lease=dhcp.FOREVER)
    ok("a lease for ever has no end", not p.session().get("expires"),
       p.session())
    p.down4("until it is renewed for less", dhcp.ACK, A, lease=1)
    p.step("and ends with that", sessions=-1)
    p.lease4(B, lease=2)
    p.step("a lease of 2 seconds ends by itself", sessions=-1)
    p.lease4(C)
    p.down4("a lease of no time at all", dhcp.ACK, C, lease=0)
    p.step("ends at once", sessions=-1)
    p.up4("H1: INIT-REBOOT is a first sign and a commit", dhcp.REQUEST, D,
          passes=True, requested="10.9.1.1", admitted=1, sessions=1,
          starting=1, charged=1)
    p.up4("once more", dhcp.REQUEST, D, requested="10.9.1.1", duplicate=1,
          same=1)
    p.down4("the server knows better", dhcp.NAK, D, sessions=-1, starting=-1)
    p.close()


def foreign4(nl):
    p = on(nl, max=1)
    p.up4("DISCOVER", dhcp.DISCOVER, A, flights=1, admitted=1)
    p.down4("OFFER of ours", dhcp.OFFER, A, lease=60)
    p.up4("H10: a REQUEST for another server passes and ends the flight",
          dhcp.REQUEST, A, passes=True, server=FOREIGN, flights=-1, foreign=1)
    p.lease4(B)
    p.up4("H10: even where there is no room", dhcp.REQUEST, A, passes=True,
          server=FOREIGN, foreign=1)
    p.up4("a REQUEST for ours is refused there", dhcp.REQUEST, A,
          passes=False, server=OURS, dropped=1, refused_commits=1)
    p.down4("H3: an ACK for one who is not known adopts it, above the cap",
            dhcp.ACK, A, lease=60, sessions=1, adopted=1)
    p.up4("H1: who renews above the cap passes", dhcp.REQUEST, C, passes=True,
          ciaddr="10.9.1.3", saddr="10.9.1.3", daddr=OURS)
    p.down4("H3: and its ACK adopts it", dhcp.ACK, C, lease=60, sessions=1,
            adopted=1)
    p.up4("H1: who rebinds passes too", dhcp.REQUEST, D, passes=True,
          ciaddr="10.9.1.4", saddr="10.9.1.4")
    p.down4("H13: a NAK to it adopts nobody", dhcp.NAK, D)
    p.up4("H1: INIT-REBOOT is refused, which may not help", dhcp.REQUEST, D,
          passes=False, requested="10.9.1.4", dropped=1, unenforced=1,
          denied_cap_port=1)
    p.up4("H9: a client that is in asks for the place it has", dhcp.DISCOVER,
          B, passes=True, duplicate=1)
    p.up4("H9: and takes it", dhcp.REQUEST, B, passes=True, server=OURS,
          same=1)
    p.down4("H9: and keeps it", dhcp.ACK, B, lease=60)
    p.close()


def nothing4(nl):
    """H1, H13: what changes nothing."""
    p = on(nl, max=1)
    p.lease4(A)
    for name, kind in (("INFORM", dhcp.INFORM), ("BOOTP", None),
                       ("LEASEQUERY", dhcp.LEASEQUERY), ("type 200", 200)):
        p.up4("H1: %s means nothing" % name, kind, B, passes=True)
        p.up4("H1: %s of one who is in means nothing" % name, kind, A,
              passes=True)
    for name, kind in (("an INFORM's ACK", dhcp.ACK), ("BOOTP", None),
                       ("FORCERENEW", dhcp.FORCERENEW),
                       ("LEASEACTIVE", dhcp.LEASEACTIVE)):
        p.down4("H1: %s means nothing" % name, kind, B)
        p.down4("H1: %s to one who is in means nothing" % name, kind, A)
    for name, kind in (("OFFER", dhcp.OFFER), ("ACK", dhcp.ACK),
                       ("NAK", dhcp.NAK)):
        for who, client in (("one who is in", A), ("another", B)):
            p.down4("H13: a rogue %s to %s is counted" % (name, who), kind,
                    client, lease=60, server=FOREIGN, side="far", rogue=1)
    for name, kind in (("DISCOVER", dhcp.DISCOVER), ("RELEASE", dhcp.RELEASE)):
        p.step("H13: a %s that leaves here means nothing" % name,
               ether(dhcp.BROADCAST, A, 0x0800,
                     ip4(udp(68, 67, message4(kind, A, OURS)))), True)
    p.up4("H10: the rogue's identifier is not ours", dhcp.REQUEST, B,
          passes=True, server=FOREIGN, foreign=1)
    p.close()


def malformed(nl):
    """H5: counted, and passed untouched."""
    p = on(nl, max=0)
    good = message4(dhcp.DISCOVER, A)
    bad4 = (
        ("a message that is cut", ip4(udp(68, 67, good[:200]))),
        ("an option that is cut", ip4(udp(68, 67, good[:-1] + b"\x0c\x20x"))),
        ("a hardware address of 17 bytes",
         ip4(udp(68, 67, message4(dhcp.DISCOVER, A, hlen=17)))),
        ("a DISCOVER that says it is an answer",
         ip4(udp(68, 67, message4(dhcp.DISCOVER, A, op=2)))),
        ("an IP length beyond the frame",
         ip4(udp(68, 67, good), length=1500)),
        ("a UDP length beyond the packet",
         ip4(udp(68, 67, good, length=1000))),
        ("a UDP length under its header", ip4(udp(68, 67, good, length=7))),
        ("two message types", ip4(udp(68, 67, message4(
            dhcp.DISCOVER, A, extra=dhcp.option(53, b"\3"))))),
        ("a first fragment", ip4(udp(68, 67, good), fragment=0x2000)),
    )
    for name, packet in bad4:
        p.step("H5: DHCPv4: " + name,
               ether(dhcp.BROADCAST, A, 0x0800, packet), passes=True,
               malformed=1)
    p.step("H5: a later fragment is nothing",
           ether(dhcp.BROADCAST, A, 0x0800, ip4(good, fragment=0x20)),
           passes=True)

    solicit = message6(dhcp.SOLICIT6, dhcp.duid(A), None, NEW6)
    bad6 = (
        ("a message that is cut", udp(546, 547, solicit[:3])),
        ("an option that is cut", udp(546, 547, solicit[:-2])),
        ("an IA that is cut", udp(546, 547, message6(
            dhcp.SOLICIT6, dhcp.duid(A), None, dhcp.option6(3, bytes(4))))),
        ("a relay without a message",
         udp(547, 547, bytes([dhcp.FORW6, 0]) + bytes(32))),
        ("a UDP length beyond the packet",
         udp(546, 547, solicit, length=1000)),
    )
    for name, datagram in bad6:
        p.step("H5: DHCPv6: " + name,
               ether(dhcp.SERVERS6, A, 0x86dd, ip6(datagram)), passes=True,
               malformed=1)
    p.step("H5: DHCPv6: a first fragment", ether(
        dhcp.SERVERS6, A, 0x86dd,
        ip6(b"\x11\0\0\1" + bytes(4) + udp(546, 547, solicit), kind=44)),
        passes=True, malformed=1)
    p.step("H5: DHCPv6: a fragment that is all of it", ether(
        dhcp.SERVERS6, A, 0x86dd,
        ip6(b"\x11\0\0\0" + bytes(4) + udp(546, 547, solicit), kind=44)),
        passes=False, dropped=1, denied_cap_port=1)
    deep = solicit
    for _ in range(32):
        deep = dhcp.relayed6(deep)
    p.step("H5: DHCPv6: 32 relays", p.frame6(A, deep, relay=B),
           passes=False, dropped=1, denied_cap_port=1)
    p.step("H5: DHCPv6: 33 relays",
           p.frame6(A, dhcp.relayed6(deep), relay=B), passes=True,
           malformed=1)
    p.step("H5: DHCPv6 without a client identifier means nothing",
           p.frame6(A, message6(dhcp.SOLICIT6, None, None, NEW6)),
           passes=True)
    p.close()


def identity4(nl):
    """H8: who is who."""
    p = on(nl)
    p.lease4(A, "in VLAN 7", tags=(7,))
    p.lease4(A, "in QinQ 7.8", tags=(7, 8))
    p.lease4(A, "without a tag")
    equal("H8: each VLAN has its own",
          sorted((one.get("vlan-outer", 0), one.get("vlan-inner", 0))
                 for one in nl.dump("session-get")), [(0, 0), (7, 0), (7, 8)])
    p.up4("a RELEASE without a tag", dhcp.RELEASE, A, server=OURS,
          sessions=-1)
    p.up4("one in a VLAN where there is none", dhcp.RELEASE, A, server=OURS,
          tags=(8,))
    p.up4("a priority tag is none", dhcp.DISCOVER, B, tags=(0,), admitted=1,
          flights=1)
    p.up4("it is the same client", dhcp.DISCOVER, B, duplicate=1)
    p.close()

    p = on(nl, key="circuit")
    p.lease4(A, "key circuit", circuit=b"line 1")
    equal("H8: the session has the circuit for its key", p.session()["key"],
          b"line 1")
    p.up4("H8: another MAC on the same line is the same subscriber",
          dhcp.DISCOVER, B, circuit=b"line 1", duplicate=1)
    p.lease4(A, "another line", circuit=b"line 2")
    p.lease4(A, "no option 82")
    ok("H8: without a circuit the address is the key",
       p.session(dhcp.spelled(A)))
    p.up4("a RELEASE on line 2", dhcp.RELEASE, C, server=OURS,
          circuit=b"line 2", sessions=-1)
    p.close()

    p = on(nl)
    p.lease4(A, "key mac", circuit=b"line 1")
    p.up4("H8: where the MAC is the key the line is not", dhcp.DISCOVER, A,
          circuit=b"line 2", duplicate=1)
    p.close()


def relayed4(nl):
    p = on(nl)
    relay = dict(giaddr="10.77.0.1", circuit=b"line 1", remote=b"cpe")
    up = dict(relay, src=D, saddr="10.77.0.1", daddr=OURS)
    down = dict(relay, dst=D, dport=67)
    for client, n in ((A, 1), (B, 2)):
        p.up4("relayed DISCOVER of client %d" % n, dhcp.DISCOVER, client,
              admitted=1, flights=1, **up)
        p.down4("relayed OFFER", dhcp.OFFER, client, lease=60, **down)
        p.up4("relayed REQUEST", dhcp.REQUEST, client, server=OURS,
              flights=-1, sessions=1, starting=1, charged=1, **up)
        p.down4("relayed ACK", dhcp.ACK, client, lease=60, starting=-1, **down)
    ok("H8: behind a relay each client is its own",
       p.session(dhcp.spelled(A)) and p.session(dhcp.spelled(B)))
    p.up4("relayed RELEASE", dhcp.RELEASE, A, server=OURS, sessions=-1, **up)
    p.close()


def actions4(nl):
    """H2."""
    p = on(nl, max=1, dhcp4="count", dhcp6="count")
    p.lease4(A)
    p.up4("H2: count lets a first sign pass", dhcp.DISCOVER, B, passes=True,
          observed=1, denied_cap_port=1)
    p.up4("H2: and a commit", dhcp.REQUEST, B, passes=True, server=OURS,
          observed=1, refused_commits=1)
    p.down4("H3: whose ACK adopts", dhcp.ACK, B, lease=60, adopted=1,
            sessions=1)
    p.up6("H2: and one of DHCPv6", dhcp.SOLICIT6, C, NEW6, passes=True,
          observed=1, denied_cap_port=1)
    nl.do("enforce-set", target=ACC, dhcp4="off")
    p.step("H2: off: nobody is counted", sessions=-2)
    p.up4("H2: off looks at nothing", dhcp.DISCOVER, C, passes=True)
    p.up4("H2: not even at the end", dhcp.RELEASE, A, server=OURS)
    p.close()


def full(nl, p, *clients):
    """All are offered a place, and then there is only one."""
    nl.limit(ACC, max_sessions=len(clients) + 1)
    for client in clients:
        p.up4("DISCOVER before the cap falls", dhcp.DISCOVER, client,
              flights=1, admitted=1)
    p.down4("an OFFER", dhcp.OFFER, clients[0], lease=60)
    nl.limit(ACC, max_sessions=0)


def reject4(nl):
    p = on(nl, dhcp4="reject", dhcp6="reject")
    full(nl, p, A, B, C)
    p.far.heard()
    p.up4("H2: reject answers a REQUEST for ours", dhcp.REQUEST, A,
          passes=False, server=OURS, xid=0xabcdef, flights=-1, rejected=1,
          refused_commits=1)
    heard = wait_until(p.far.heard, 30)
    one = heard[0] if heard else bytes(400)
    said = dhcp.read4(one[42:])
    equal("H2: with one NAK", (len(heard or ()), said.get(53), said["op"]),
          (1, b"\6", 2))
    equal("H2: of the transaction, to the client",
          (said["xid"], said["client"], said.get(54)),
          (0xabcdef, A, dhcp.address(OURS)))
    ok("H2: with a reason", b"too many sessions" in said.get(56, b""), said)
    equal("H2: to everybody, by Ethernet and by IP",
          (one[:6], one[30:34], one[34:38]),
          (dhcp.BROADCAST, b"\xff" * 4, b"\0\x43\0\x44"))
    ok("H2: its checksum is good", checksum4(one), one.hex())
    relay = dict(giaddr="10.77.0.1", circuit=b"line 1", remote=b"cpe")
    p.up4("H2: a relay is answered too", dhcp.REQUEST, B, server=OURS, src=D,
          saddr="10.77.0.1", daddr=OURS, flights=-1, rejected=1,
          refused_commits=1, **relay)
    heard = wait_until(p.far.heard, 30)
    one = heard[0] if heard else bytes(400)
    said = dhcp.read4(one[42:])
    equal("H2: it finds the way back", (
        one[:6], one[30:34], one[34:38], said.get(82)),
        (D, dhcp.address("10.77.0.1"), b"\0\x43\0\x43",
         b"\1\6line 1\2\3cpe"))
    p.up4("H2: a first sign is never answered", dhcp.DISCOVER, D,
          passes=False, dropped=1, denied_cap_port=1)
    p.up4("H2: nor is INIT-REBOOT", dhcp.REQUEST, D, passes=False,
          requested="10.9.1.9", dropped=1, unenforced=1, denied_cap_port=1)
    ok("H2: nothing came back", not p.far.heard())
    for tags, name in (((7,), "home7"), ((7, 8), "home78")):
        wire = dhcp.Wire(name)
        nl.limit(ACC, max_sessions=10)
        p.up4("H2: in tags %s" % (tags,), dhcp.DISCOVER, A, tags=tags,
              admitted=1, flights=1)
        nl.limit(ACC, max_sessions=0)
        p.up4("H2: the REQUEST in tags", dhcp.REQUEST, A, tags=tags,
              server=OURS, rejected=1, flights=-1, refused_commits=1)
        heard = wait_until(wire.heard, 30)
        equal("H2: and the NAK with them", heard and
              dhcp.read4(heard[0][42:]).get(53), b"\6")
        wire.close()
    p.close()


def checksum4(frame):
    """Of the IP header, and of UDP."""
    def total(data):
        data += bytes(len(data) % 2)
        out = sum(data[i] << 8 | data[i + 1] for i in range(0, len(data), 2))
        while out >> 16:
            out = (out & 0xffff) + (out >> 16)
        return out
    end = 14 + (frame[16] << 8 | frame[17])
    pseudo = frame[26:34] + b"\0\x11" + frame[38:40]
    return total(frame[14:34]) == 0xffff and \
        total(pseudo + frame[34:end]) == 0xffff


# --- places in flight

def flights(nl):
    p = on(nl, max=1)
    p.up4("H16: a DISCOVER takes the last place", dhcp.DISCOVER, A,
          passes=True, flights=1, admitted=1)
    began = time.monotonic()
    p.up4("H16: another client finds none", dhcp.DISCOVER, B, passes=False,
          dropped=1, denied_cap_port=1)
    p.up6("H16: nor does one of DHCPv6", dhcp.SOLICIT6, C, NEW6,
          passes=False, dropped=1, denied_cap_port=1)
    p.step("H16: it is given back when no commit comes", flights=-1)
    took = time.monotonic() - began
    ok("H16: not before 3 seconds when nothing is known",
       2.8 < took < tap.scaled(4.5, 8), took)
    p.up4("H16: then another gets in", dhcp.DISCOVER, B, passes=True,
          flights=1, admitted=1)
    p.up4("H16: who asks again is a duplicate", dhcp.DISCOVER, B, passes=True,
          duplicate=1)
    p.down4("OFFER", dhcp.OFFER, B, lease=60)
    p.up4("H16: a commit takes it, though others were admitted",
          dhcp.REQUEST, B, server=OURS, flights=-1, sessions=1, starting=1,
          charged=1)
    p.down4("ACK", dhcp.ACK, B, lease=60, starting=-1)
    shown = nl.do("enforce-get", target=ACC)
    ok("H16: offer to commit was measured, and so was the set-up",
       0 < shown["offer-ms"] <= shown["setup-ms"] + 1, shown)
    p.up4("B leaves", dhcp.RELEASE, B, server=OURS, sessions=-1)
    p.far.send(ether(dhcp.BROADCAST, A, 0x0800,
                     ip4(udp(68, 67, message4(dhcp.DISCOVER, A)))))
    began = time.monotonic()
    wait_until(lambda: nl.do("enforce-get", target=ACC)["flights"], 1)
    ok("H16: now it is given back sooner", wait_until(
        lambda: not nl.do("enforce-get", target=ACC)["flights"], 5) and
       0.25 < time.monotonic() - began < max(
           1.5, shown["offer-ms"] / 250 + 0.5), time.monotonic() - began)
    p.close()


def levels(nl):
    """A place in flight is one at every level, and moves with a leg."""
    p = on(nl, max=10)
    q = Port(nl, OTHER, "acc1", "home1")
    nl.limit(device(0), max_sessions=1)
    p.up4("C1: in flight on one port", dhcp.DISCOVER, A, flights=1,
          admitted=1)
    q.up4("C1: is in flight on the device", dhcp.DISCOVER, B, passes=False,
          dropped=1, denied_cap_device=1)
    nl.do("port-del", ifname="acc0")
    q.up4("H16: a port that goes takes its flights along", dhcp.DISCOVER, B,
          passes=True, admitted=1, flights=1)
    p.close()
    q.close()
    nl.limit(device(0), max_sessions=1000)
    nl.do("port-new", ifname="acc0", device=0)


def legs(nl):
    """H17, C5, C6: a lag whose legs are on two devices."""
    tap.ip("link add leg0 type veth peer name far0",
           "link add leg1 type veth peer name far1",
           "link add bond1 type bond mode active-backup miimon 10",
           "link set leg0 master bond1", "link set leg1 master bond1",
           "link set bond1 up", "link set far0 up", "link set far1 up",
           "link set leg0 up", "link set leg1 up")
    nl.do("port-new", ifname="leg0", device=0)
    nl.do("port-new", ifname="leg1", device=1)
    wait_until(lambda: nl.dump("lag-get"))
    active = wait_until(lambda: [
        one.split()[-1] for one in open("/proc/net/bonding/bond1")
        if one.startswith("Currently Active Slave: leg")])[0]
    p = Port(nl, BOND, "bond1", "far" + active[-1])
    q = Port(nl, OTHER, "acc1", "home1")
    nl.limit(device(0), max_sessions=1)
    frame = ether(dhcp.BROADCAST, A, 0x0800,
                  ip4(udp(68, 67, message4(dhcp.DISCOVER, A))))
    other = dhcp.Wire("far1" if active[-1] == "0" else "far0")
    other.send(frame)
    p.step("H17: what both legs receive is seen once", frame, passes=True,
           flights=1, admitted=1)
    q.up4("C5: it is in flight on both devices", dhcp.DISCOVER, B,
          passes=False, dropped=1, denied_cap_device=1)
    tap.ip("link set leg0 nomaster")
    wait_until(lambda: nl.do("enforce-get", target=port("leg0")))
    q.up4("C6: a leg that leaves takes no flight along", dhcp.DISCOVER, B,
          passes=True, admitted=1, flights=1)
    p.close()
    q.close()
    other.close()
    nl.limit(device(0), max_sessions=1000)
    tap.ip("link del bond1", "link del leg0", "link del leg1")


def stateless(nl):
    """H14: a denied subscriber leaves nothing behind."""
    p = on(nl, max=1)
    p.lease4(A)
    random.seed(1)
    many = tap.scaled(1000, 200)
    for _ in range(many):
        client = b"\2" + bytes(random.getrandbits(8) for _ in range(5))
        p.far.send(ether(dhcp.BROADCAST, client, 0x0800,
                         ip4(udp(68, 67, message4(dhcp.DISCOVER, client)))))
    p.step("H14: %d random addresses of DHCPv4" % many, dropped=many,
           denied_cap_port=many)
    for _ in range(many):
        client = b"\2" + bytes(random.getrandbits(8) for _ in range(5))
        p.far.send(p.frame6(client, message6(
            dhcp.SOLICIT6, dhcp.duid(client), None, NEW6)))
    p.step("H14: %d random addresses of DHCPv6" % many, dropped=many,
           denied_cap_port=many)
    equal("H14: what is in is in", p.session()["key"],
          dhcp.spelled(A).encode())
    p.close()


# --- DHCPv6

NA, PD = ia(dhcp.IA_NA, 1, 3600), ia(dhcp.IA_PD, 1, 3600)


def life6(nl):
    p = on(nl)
    p.lease6(A, NA, PD)
    p.up6("H11: the address is released", dhcp.RELEASE6, A, NA,
          server=SERVER6, passes=True)
    p.up6("H11: another prefix is released", dhcp.RELEASE6, A,
          ia(dhcp.IA_PD, 2), server=SERVER6)
    p.up6("H10: a RELEASE to another server is none", dhcp.RELEASE6, A, PD,
          server=FOREIGN6)
    p.up6("the last lease is released", dhcp.RELEASE6, A, PD, server=SERVER6,
          passes=True, sessions=-1)
    p.lease6(A, NA, PD)
    p.up6("a DECLINE is of one lease", dhcp.DECLINE6, A, NA, server=SERVER6)
    p.down6("a lifetime of 0 ends the other one", dhcp.REPLY6, A,
            ia(dhcp.IA_PD, 1, 0), sessions=-1)
    p.lease6(A, NA, PD)
    p.down6("a renewal that fails for both", dhcp.REPLY6, A,
            ia(dhcp.IA_NA, 1, None, 3), ia(dhcp.IA_PD, 1, None, 3),
            sessions=-1)
    p.lease6(A, ia(dhcp.IA_NA, 1, 2), PD)
    ok("the longest lease is the session's", p.session()["expires"] > 3500)
    p.up6("without it", dhcp.RELEASE6, A, PD, server=SERVER6)
    p.step("the shorter one ends it", sessions=-1)
    p.lease6(A, ia(dhcp.IA_NA, 1, dhcp.FOREVER), PD)
    ok("a lease for ever has no end", not p.session().get("expires"))
    p.down6("a lease that is given with another that is not", dhcp.REPLY6, A,
            PD, ia(dhcp.IA_NA, 1, None, dhcp.NO_ADDRS))
    ok("leaves the other one", 3000 < p.session()["expires"] <= 3600)
    p.up6("RELEASE", dhcp.RELEASE6, A, PD, server=SERVER6, sessions=-1)
    p.lease6(B, ia(dhcp.IA_TA, 5, 60), name="temporary addresses")
    p.close()

    p = on(nl)
    for answer, options in (("none of its leases",
                             (ia(dhcp.IA_NA, 1, None, dhcp.NO_ADDRS),)),
                            ("nothing but a status",
                             (dhcp.option6(13, b"\0\1"),))):
        p.up6("SOLICIT", dhcp.SOLICIT6, A, NEW6, flights=1, admitted=1)
        p.down6("ADVERTISE", dhcp.ADVERTISE6, A, NA)
        p.up6("REQUEST", dhcp.REQUEST6, A, NEW6, server=SERVER6, flights=-1,
              sessions=1, starting=1, charged=1)
        p.down6("the REPLY has " + answer, dhcp.REPLY6, A, *options,
                sessions=-1, starting=-1)
    p.close()


def rapid6(nl):
    p = on(nl, max=1)
    p.up6("rapid commit: SOLICIT", dhcp.SOLICIT6, A, NEW6, rapid=True,
          passes=True, admitted=1, sessions=1, starting=1, charged=1)
    p.down6("REPLY", dhcp.REPLY6, A, NA, starting=-1)
    p.up6("another one has no room", dhcp.SOLICIT6, B, NEW6, rapid=True,
          passes=False, dropped=1, denied_cap_port=1)
    p.up6("RELEASE", dhcp.RELEASE6, A, NA, server=SERVER6, sessions=-1)
    p.up6("SOLICIT", dhcp.SOLICIT6, B, NEW6, rapid=True, admitted=1,
          sessions=1, starting=1, charged=1)
    p.down6("an ADVERTISE undoes it, for a place in flight", dhcp.ADVERTISE6,
            B, NA, sessions=-1, starting=-1, flights=1)
    p.up6("a REQUEST takes that", dhcp.REQUEST6, B, NEW6, server=SERVER6,
          sessions=1, starting=1, flights=-1, charged=1)
    p.down6("REPLY", dhcp.REPLY6, B, NA, starting=-1)
    p.up6("RELEASE", dhcp.RELEASE6, B, NA, server=SERVER6, sessions=-1)
    p.up6("SOLICIT", dhcp.SOLICIT6, C, NEW6, rapid=True, admitted=1,
          sessions=1, starting=1, charged=1)
    time.sleep(3.5)
    p.step("it waits for its answer")
    p.step("nobody answers, so it is undone", sessions=-1, starting=-1)
    p.close()


def nothing6(nl):
    p = on(nl, max=1)
    p.lease6(A, NA)
    for name, kind, server in (
            ("CONFIRM", dhcp.CONFIRM6, None), ("RENEW", dhcp.RENEW6, SERVER6),
            ("REBIND", dhcp.REBIND6, None),
            ("INFORMATION-REQUEST", dhcp.INFORMATION6, None)):
        p.up6("H1: %s passes above the cap" % name, kind, B, NEW6,
              server=server, passes=True)
    p.down6("H1: RECONFIGURE means nothing", dhcp.RECONFIGURE6, A)
    p.down6("H1: the answer to INFORMATION-REQUEST means nothing",
            dhcp.REPLY6, B)
    for name, kind in (("ADVERTISE", dhcp.ADVERTISE6),
                       ("REPLY", dhcp.REPLY6)):
        for client in (A, B):
            p.down6("H13: a rogue %s is counted" % name, kind, client,
                    ia(dhcp.IA_NA, 1, 0), server=FOREIGN6, side="far",
                    rogue=1)
    p.up6("H10: a REQUEST for the rogue is not ours", dhcp.REQUEST6, B, NEW6,
          server=FOREIGN6, passes=True, foreign=1)
    p.up6("a REQUEST for ours is refused", dhcp.REQUEST6, B, NEW6,
          server=SERVER6, passes=False, dropped=1, refused_commits=1)
    p.down6("H3: the REPLY to a REBIND adopts", dhcp.REPLY6, B, NA,
            sessions=1, adopted=1)
    p.close()

    p = on(nl, max=1)
    p.up6("SOLICIT", dhcp.SOLICIT6, A, NEW6, flights=1, admitted=1)
    p.up6("H16: once more", dhcp.SOLICIT6, A, NEW6, duplicate=1)
    p.up6("H10: a REQUEST for another server ends the flight", dhcp.REQUEST6,
          A, NEW6, server=FOREIGN6, passes=True, flights=-1, foreign=1)
    p.close()


def reject6(nl):
    p = on(nl, dhcp4="reject", dhcp6="reject")
    ok("the port has a link-local address", wait_until(
        lambda: "fe80" in tap.run("ip", "-6", "-o", "addr", "show", "acc0",
                                  "-tentative"), 10))
    p.up6("SOLICIT before the cap falls", dhcp.SOLICIT6, A, NEW6, flights=1,
          admitted=1)
    p.down6("ADVERTISE", dhcp.ADVERTISE6, A, NA)
    nl.limit(ACC, max_sessions=0)
    p.far.heard()
    p.up6("H2: reject answers a REQUEST for ours", dhcp.REQUEST6, A, NEW6,
          ia(dhcp.IA_PD, 9), server=SERVER6, passes=False, flights=-1,
          rejected=1, refused_commits=1)
    heard = wait_until(lambda: [one for one in p.far.heard()
                                if one[20] == 17], 5)
    one = heard[0] if heard else bytes(200)
    said = dhcp.read6(one[62:])
    equal("H2: with one REPLY of the transaction",
          (len(heard or ()), said["type"], said["xid"]),
          (1, dhcp.REPLY6, 0x654321))
    equal("H2: to the client, of our server", (
        said.get(1), said.get(2), one[:6], one[54:58]),
        ([dhcp.duid(A)], [SERVER6], A, b"\2\x23\2\x22"))
    equal("H2: that has no addresses and no prefix", (
        [one[-6:] for one in said.get(3, ())],
        [one[-6:] for one in said.get(25, ())]),
        ([b"\0\x0d\0\2\0\2"], [b"\0\x0d\0\2\0\6"]))
    p.up6("H2: a first sign is not answered", dhcp.SOLICIT6, B, NEW6,
          passes=False, dropped=1, denied_cap_port=1)
    p.step("H2: nor is one behind a relay", p.frame6(
        A, dhcp.relayed6(message6(dhcp.REQUEST6, dhcp.duid(A), SERVER6,
                                  NEW6)), relay=D), passes=False, dropped=1,
        refused_commits=1)
    p.close()


def relayed6(nl):
    for name, values in (("without option 79", {}),
                         ("with option 79", {"link_mac": A})):
        p = on(nl)
        who = dhcp.vendor_duid(7)

        def up(what, kind, *options, server=None, **changes):
            p.step("relay %s: %s" % (name, what), p.frame6(
                A, dhcp.relayed6(message6(kind, who, server, *options),
                                 **values), relay=D), **changes)

        def down(what, kind, *options, **changes):
            p.step("relay %s: %s" % (name, what), p.frame6(
                A, dhcp.relayed6(message6(kind, who, SERVER6, *options),
                                 dhcp.REPL6), leaving=True, relay=D),
                leaving=True, **changes)

        up("SOLICIT", dhcp.SOLICIT6, NEW6, flights=1, admitted=1)
        down("ADVERTISE", dhcp.ADVERTISE6, NA)
        up("REQUEST", dhcp.REQUEST6, NEW6, server=SERVER6, flights=-1,
           sessions=1, starting=1, charged=1)
        down("the DUID finds the session", dhcp.REPLY6, NA, PD, starting=-1)
        equal("relay %s: its key" % name, p.session()["key"],
              dhcp.spelled(A).encode() if values else who)
        down("a renewal", dhcp.REPLY6, NA)
        up("RELEASE of one", dhcp.RELEASE6, NA, server=SERVER6)
        up("RELEASE of the other", dhcp.RELEASE6, PD, server=SERVER6,
           sessions=-1)
        p.close()

    p = on(nl, key="circuit")
    for n, changes in ((1, dict(flights=1, admitted=1)),
                       (2, dict(duplicate=1))):
        p.step("H8: option 18 names the line, of client %d" % n, p.frame6(
            A, dhcp.relayed6(message6(dhcp.SOLICIT6, dhcp.vendor_duid(n),
                                      None, NEW6), interface=b"line 9"),
            relay=D), **changes)
    p.close()


def households(nl):
    """H11."""
    p = on(nl, max=1)
    p.lease4(A)
    p.up6("H11: DHCPv6 of a client that is in", dhcp.SOLICIT6, A, NEW6,
          passes=True, duplicate=1)
    p.down6("ADVERTISE", dhcp.ADVERTISE6, A, NA)
    p.up6("H11: has the same session", dhcp.REQUEST6, A, NEW6, server=SERVER6,
          passes=True, same=1)
    p.down6("REPLY", dhcp.REPLY6, A, NA)
    p.up4("H11: it stays when DHCPv4 is released", dhcp.RELEASE, A,
          server=OURS)
    p.up6("H11: until DHCPv6 is", dhcp.RELEASE6, A, NA, server=SERVER6,
          sessions=-1)
    p.lease6(A, NA)
    p.up4("H11: the other way round", dhcp.DISCOVER, A, duplicate=1)
    p.up4("REQUEST", dhcp.REQUEST, A, server=OURS, same=1)
    p.down4("ACK", dhcp.ACK, A, lease=3600)
    p.up6("RELEASE of DHCPv6", dhcp.RELEASE6, A, NA, server=SERVER6)
    p.down4("NAK of DHCPv4", dhcp.NAK, A, sessions=-1)
    p.close()

    p = on(nl)
    p.up4("H11: both at once: DISCOVER", dhcp.DISCOVER, A, flights=1,
          admitted=1)
    p.up6("H11: both at once: SOLICIT", dhcp.SOLICIT6, A, NEW6, duplicate=1)
    p.down4("OFFER", dhcp.OFFER, A, lease=60)
    p.up4("REQUEST", dhcp.REQUEST, A, server=OURS, flights=-1, sessions=1,
          starting=1, charged=1)
    p.up6("H11: a SOLICIT with rapid commit between", dhcp.SOLICIT6, A, NEW6,
          rapid=True, duplicate=1, same=1)
    p.down6("H11: its ADVERTISE undoes nothing of DHCPv4", dhcp.ADVERTISE6,
            A, NA)
    p.down4("ACK", dhcp.ACK, A, lease=60, starting=-1)
    p.up6("H11: a REQUEST", dhcp.REQUEST6, A, NEW6, server=SERVER6, same=1)
    p.close()

    p = on(nl)
    p.up4("DISCOVER", dhcp.DISCOVER, A, flights=1, admitted=1)
    p.down4("OFFER", dhcp.OFFER, A, lease=60)
    p.up6("H11: rapid commit comes first", dhcp.SOLICIT6, A, NEW6, rapid=True,
          flights=-1, duplicate=1, sessions=1, starting=1, charged=1)
    p.up4("H11: a REQUEST of DHCPv4 takes its session", dhcp.REQUEST, A,
          server=OURS, same=1)
    p.down6("H11: an ADVERTISE undoes nothing then", dhcp.ADVERTISE6, A, NA)
    p.down4("ACK", dhcp.ACK, A, lease=60, starting=-1)
    p.close()

    p = on(nl)
    ta = ia(dhcp.IA_TA, 0, 3600)
    p.lease4(A)
    p.up6("SOLICIT of a temporary address", dhcp.SOLICIT6, A,
          ia(dhcp.IA_TA, 0), duplicate=1)
    p.down6("ADVERTISE", dhcp.ADVERTISE6, A, ta)
    p.up6("REQUEST", dhcp.REQUEST6, A, ta, server=SERVER6, same=1)
    p.down6("REPLY", dhcp.REPLY6, A, ta)
    p.up6("H11: a temporary address is no lease of DHCPv4", dhcp.RELEASE6, A,
          ta, server=SERVER6)
    p.up4("H11: which ends by itself", dhcp.RELEASE, A, server=OURS,
          sessions=-1)
    p.close()

    p = on(nl, dual_stack=2)
    p.lease4(A, "dual-stack two")
    p.lease6(A, NA, name="dual-stack two")
    p.up4("H11: each of two is released by itself", dhcp.RELEASE, A,
          server=OURS, sessions=-1)
    p.up6("H11: and the other one", dhcp.RELEASE6, A, NA, server=SERVER6,
          sessions=-1)
    p.close()


def off(nl):
    p = on(nl)
    p.lease4(A)
    p.lease6(B, NA)
    nl.do("enforce-set", target=ACC, dhcp4="off")
    p.step("H2: off: who is not looked at any more does not count",
           sessions=-1)
    nl.do("enforce-set", target=ACC, dhcp6="off")
    p.step("H2: off: of DHCPv6 neither", sessions=-1)
    p.close()

    p = on(nl)
    p.lease4(A)
    p.up6("SOLICIT", dhcp.SOLICIT6, A, NEW6, duplicate=1)
    p.down6("ADVERTISE", dhcp.ADVERTISE6, A, NA)
    p.up6("REQUEST", dhcp.REQUEST6, A, NEW6, server=SERVER6, same=1)
    p.down6("REPLY", dhcp.REPLY6, A, NA)
    nl.do("enforce-set", target=ACC, dhcp4="off")
    p.up6("H11: a household has its DHCPv6 left", dhcp.SOLICIT6, A, NEW6,
          duplicate=1)
    p.up6("H11: and ends with that", dhcp.RELEASE6, A, NA, server=SERVER6,
          sessions=-1)
    p.close()


# --- who is asked less

def priorities(nl):
    """H15, P7: skips the throttle, not a cap."""
    nl.do("echo-set", device=0, engine="agent", interval_ms=100)
    nl.do("rtt-set", target=device(0), threshold_us=1, count=1, max_pct=100,
          step=100, silent_max=100, lifetime=3600)
    agent = Netlink()
    agent.do("echo-register", device=0)
    ok("the throttle refuses everybody", wait_until(
        lambda: nl.do("rtt-get", target=device(0))["throttle"] == 100, 60))
    for kind, value, one, other in (
            ("vlan", b"\0\7", dict(tags=(7,)), dict(tags=(8,))),
            ("vlan", b"\0\7\0\x08", dict(tags=(7, 8)), dict(tags=(7, 9))),
            ("mac", A, {}, dict(client=B)),
            ("circuit", b"gold", dict(circuit=b"gold"),
             dict(circuit=b"golden"))):
        p = on(nl, max=2, priority=kind, value=value)
        one, other = dict(one), dict(other)
        p.up4("P7: priority by %s: others are refused" % kind, dhcp.DISCOVER,
              other.pop("client", A), passes=False, dropped=1, denied_rtt=1,
              **other)
        p.up4("P7: priority by %s: it gets in" % kind, dhcp.DISCOVER, A,
              passes=True, flights=1, admitted=1, **one)
        nl.limit(ACC, max_sessions=0)
        if kind != "mac":
            p.up4("P7: priority by %s: but not above a cap" % kind,
                  dhcp.DISCOVER, C, passes=False, dropped=1,
                  denied_cap_port=1, **one)
        p.close()
    p = on(nl, priority="mac", value=A)
    p.up6("P7: priority by mac: DHCPv6", dhcp.SOLICIT6, A, NEW6, passes=True,
          flights=1, admitted=1)
    p.up6("P7: priority by mac: another", dhcp.SOLICIT6, B, NEW6,
          passes=False, dropped=1, denied_rtt=1)
    p.down6("H1: a commit", dhcp.ADVERTISE6, B, NA)
    p.up6("H1: is not refused by a throttle", dhcp.REQUEST6, B, NEW6,
          server=SERVER6, passes=True, sessions=1, starting=1, charged=1)
    p.up4("H1: INIT-REBOOT is, and is told apart", dhcp.REQUEST, C,
          passes=False, requested="10.9.1.4", dropped=1, unenforced=1,
          denied_rtt=1)
    p.close()
    agent.close()
    nl.do("echo-set", device=0, engine="none")


def settle():
    """H3: so soon after a load only who is known gets in."""
    tap.unload()
    tap.run("modprobe", "resmon")
    nl = Netlink()
    nl.do("device-new", index=0)
    nl.do("port-new", ifname="acc0", device=0)
    p = on(nl)
    p.up4("H3: after a load an unknown client is refused", dhcp.DISCOVER, A,
          passes=False, dropped=1, denied_settle=1)
    p.up6("H3: of DHCPv6 too", dhcp.SOLICIT6, B, NEW6, passes=False,
          dropped=1, denied_settle=1)
    p.up4("H3: and INIT-REBOOT", dhcp.REQUEST, A, requested="10.9.1.1",
          passes=False, dropped=1, unenforced=1, denied_settle=1)
    p.up4("H3: who renews passes", dhcp.REQUEST, A, ciaddr="10.9.1.1",
          saddr="10.9.1.1", daddr=OURS, passes=True)
    p.down4("H3: and is known by its ACK", dhcp.ACK, A, lease=60, sessions=1,
            adopted=1)
    p.up4("H3: then it gets in", dhcp.DISCOVER, A, passes=True, duplicate=1)
    nl.do("chassis-set", settle=1)
    time.sleep(2)
    p.up4("H3: when the time is over all do", dhcp.DISCOVER, C, passes=True,
          flights=1, admitted=1)
    p.close()
    return nl


def main():
    nl = tap.fresh()
    nl.do("chassis-set", settle=0)
    tap.ip("link add acc0 type veth peer name home0",
           "link add acc1 type veth peer name home1",
           "link add name home7 link home0 type vlan id 7",
           "link set acc0 up", "link set home0 up",
           "link set acc1 up", "link set home1 up", "link set home7 up")
    tap.run("ip", "link", "add", "home7q", "link", "home0", "type", "vlan",
            "proto", "802.1ad", "id", "7")
    tap.ip("link add name home78 link home7q type vlan id 8",
           "link set home7q up", "link set home78 up")
    for index in (0, 1):
        nl.do("device-new", index=index)
    nl.do("port-new", ifname="acc0", device=0)
    nl.do("port-new", ifname="acc1", device=0)
    for part in (life4, foreign4, nothing4, malformed, identity4, relayed4,
                 actions4, reject4, flights, levels, legs, stateless, life6,
                 rapid6, nothing6, reject6, relayed6, households, off,
                 priorities):
        if only(part):
            tap.comment(part.__name__)
            part(nl)
            nl.release(all=True)
            wait_until(lambda: not nl.count(CHASSIS), 30)
    if only(settle):
        nl.close()
        nl = settle()
    for name in ("acc0", "acc1"):
        try:
            nl.do("port-del", ifname=name)
        except Exception as said:
            tap.comment(said)
    tap.finish(nl)


def only(part):
    """Some parts alone, by their names as arguments."""
    return len(sys.argv) < 2 or part.__name__ in sys.argv[1:]


tap.main(main)
