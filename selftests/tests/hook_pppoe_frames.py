#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The life of PPPoE sessions, told by frames made by hand (H1 to H16)."""
import os
import struct
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from pppoe import (AC_ERROR, BROADCAST, CHAP, CONF_ACK, CONF_REQ,  # noqa: E402
                   ECHO_REP, ECHO_REQ, ETH_P_DISC, ETH_P_SES,
                   HOST_UNIQ, IPCP, IPV6CP, LCP, PADI, PADO, PADR, PADS,
                   PAP, RELAY, SERVICE, TERM_ACK, TERM_REQ, Subscriber, Wire,
                   agent, discovery, ethernet, subscriber, tag, text)
from resmon_nl import Netlink, device, port  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

ACC = port("acc0")
REFUSAL = b"too many sessions, try again later"


class Bng:
    """A port, new for each case, whose counters begin at zero."""

    def __init__(self, nl):
        self.nl = nl
        tap.ip("link add acc0 type veth peer name home0", "link set acc0 up",
               "link set home0 up")
        self.wire = Wire("acc0", "home0")
        nl.do("chassis-set", settle=0)
        nl.do("device-new", index=0)
        self.there = False

    def begin(self, most=None, **settings):
        if self.there:
            self.nl.do("port-del", ifname="acc0")
        self.there = True
        self.nl.do("port-new", ifname="acc0", device=0)
        if most is not None:
            self.nl.limit(ACC, max_sessions=most)
        settings.setdefault("pppoe", "drop")
        self.nl.do("enforce-set", target=ACC, **settings)
        self.wire.bng.heard()
        self.wire.home.heard()
        return self

    def sub(self, number, **values):
        return Subscriber(self.wire, number, **values)

    def shown(self, name):
        return self.nl.do("enforce-get", target=ACC)[name]

    def count(self):
        return self.nl.count(ACC)

    def sessions(self):
        """Identity and state of each."""
        return sorted((one["key"].decode(), one["state"])
                      for one in self.nl.dump("session-get"))

    def passed(self):
        """Frames of discovery that a daemon has seen."""
        return len(self.wire.bng.heard())

    def answered(self):
        return self.wire.home.heard()

    def row(self, name):
        for row in self.nl.dump("stats-get", target=ACC)[0].get("row", ()):
            if (row["kind"], row.get("type")) == ("client", "pppoe"):
                return row[name]
        return 0


def up(sub, state="active"):
    return ("%s/%d" % (text(sub.mac), sub.sid), state)


def flight(bng):
    bng.begin(2)
    one, two, three = (bng.sub(n) for n in (1, 2, 3))
    began = time.monotonic()
    one.padi()
    equal("a PADI takes a place in flight, and no session",
          (bng.shown("flights"), bng.count(), bng.passed()), (1, 0, 1))
    one.padi()
    equal("sent again it is a duplicate",
          (bng.shown("flights"), bng.row("admitted"), bng.row("duplicate"),
           bng.passed()), (1, 1, 1, 1))
    two.padi()
    three.padi()
    equal("places in flight count towards the cap: the third is dropped",
          (bng.shown("flights"), bng.passed(), bng.shown("dropped")),
          (2, 1, 1))
    ok("a place is given back when no PADR follows",
       wait_until(lambda: not bng.shown("flights"), 30))
    took = time.monotonic() - began
    ok("after 3 s while nothing was measured", 2.5 < took < 8, took)
    three.padi()
    equal("and another one gets it", (bng.passed(), bng.shown("flights")),
          (1, 1))
    three.pado()
    three.padr()
    equal("the PADR charges, and the flight is over",
          (bng.count(), bng.shown("flights"), bng.sessions()),
          (1, 0, [(text(three.mac), "starting")]))
    three.padr()
    equal("a PADR that is sent again is the same session",
          (bng.count(), bng.passed()), (1, 2))
    ok("the time from offer to commit was measured",
       0 < bng.shown("offer-ms") < 1000, bng.shown("offer-ms"))

    bng.begin()
    one.padi()
    one.pado()
    one.padr()
    began = time.monotonic()
    two.padi()
    equal("where it was measured", bng.shown("flights"), 1)
    ok("a place is given back sooner",
       wait_until(lambda: not bng.shown("flights"), 30))
    took = time.monotonic() - began
    ok("but not within 0.3 s", 0.3 <= took < 2.5, took)


def over_cap(bng):
    for action in "drop", "reject":
        bng.begin(0, pppoe=action)
        bng.sub(1).padi()
        equal("%s: a PADI over the cap is dropped, and not answered" % action,
              (bng.passed(), bng.answered(), bng.shown("dropped"),
               bng.shown("rejected"), bng.shown("flights")),
              (0, [], 1, 0, 0))
    equal("its denial has its cause",
          bng.row("denied"), [{"cause": "cap-port", "count": 1}])

    bng.begin(0, pppoe="count")
    bng.sub(1).dial(5)
    equal("count: it passes, and its PADR", bng.passed(), 2)
    equal("both were observed, and nothing is counted as a session",
          (bng.shown("observed"), bng.shown("dropped"), bng.count()),
          (2, 0, 0))

    bng.begin(1)
    bng.sub(1).dial(5)
    bng.passed()
    bng.answered()
    bng.sub(2).padr()
    equal("drop: a PADR over the cap is dropped, and not answered",
          (bng.passed(), bng.answered(), bng.shown("dropped"), bng.count()),
          (0, [], 1, 1))


def reject(bng):
    def pads(service, dst, src, extra=b""):
        tags = service + tag(HOST_UNIQ, struct.pack(">I", 2)) + extra + \
            tag(AC_ERROR, REFUSAL)
        return ethernet(dst, src, ETH_P_DISC, discovery(PADS, tags))

    bng.begin(0, pppoe="reject")
    two = bng.sub(2)
    two.padr(service=b"gold", tags=tag(RELAY, b"relay!"))
    equal("reject: a PADR over the cap is refused with a PADS, to the byte",
          bng.answered(), [pads(tag(SERVICE, b"gold"), two.mac, two.bng,
                                tag(RELAY, b"relay!"))])
    equal("and is seen by nobody else",
          (bng.passed(), bng.shown("rejected"), bng.shown("dropped"),
           bng.count()), (0, 1, 0, 0))
    two.padr()
    equal("an empty service name is returned, what was not there is not",
          bng.answered(), [pads(tag(SERVICE), two.mac, two.bng)])

    tap.run("ip", "link", "add", "link", "acc0", "name", "acc0.7", "address",
            "02:99:00:00:00:07", "type", "vlan", "id", "7")
    tap.run("ip", "link", "set", "acc0.7", "up")
    child = bytes.fromhex("029900000007")
    bng.wire.home.heard_all()
    tagged = bng.sub(2, vlans=(7,), bng=child)
    tagged.padr()
    equal("in a VLAN from the address that it was sent to",
          bng.wire.home.heard_all(),
          [ethernet(two.mac, child, ETH_P_DISC,
                    pads(tag(SERVICE), two.mac, child)[14:], (7,))])
    tagged.vlans = ((0x88a8, 100), 200)
    tagged.bng = bng.wire.bng.mac
    tap.run("ip", "link", "add", "link", "acc0", "name", "acc0.100", "type",
            "vlan", "proto", "802.1ad", "id", "100")
    tap.run("ip", "link", "set", "acc0.100", "up")
    tagged.padr()
    equal("with both tags of QinQ", bng.wire.home.heard_all(),
          [ethernet(two.mac, two.bng, ETH_P_DISC,
                    pads(tag(SERVICE), two.mac, two.bng)[14:],
                    ((0x88a8, 100), 200))])
    tap.run("ip", "link", "del", "acc0.7")
    tap.run("ip", "link", "del", "acc0.100")


def foreign(bng):
    bng.begin(1)
    one = bng.sub(1)
    one.padi()
    one.padr(dst=b"\x02\x77\0\0\0\x01")
    equal("a PADR to another BNG passes and ends the flight",
          (bng.shown("flights"), bng.shown("foreign"), bng.count()),
          (0, 1, 0))
    two = bng.sub(2)
    two.padi()
    equal("so that another gets in at once", bng.shown("flights"), 1)


def refused_by_bng(bng):
    bng.begin(1)
    one = bng.sub(1)
    one.padi()
    one.padr()
    equal("a PADR is charged", bng.count(), 1)
    bng.sub(2).pads(0)
    equal("a PADS without a session to another releases nothing",
          bng.count(), 1)
    one.pads(0)
    equal("the BNG's PADS without a session releases it",
          (bng.count(), bng.sessions()), (0, []))


def network_protocols(bng):
    for name, proto in (("IPCP", IPCP), ("IPV6CP alone", IPV6CP)):
        bng.begin()
        one = bng.sub(1)
        one.dial(5)
        equal("%s: a PADS gives the session its id" % name, bng.sessions(),
              [up(one, "starting")])
        one.ppp(True, proto, CONF_REQ, 1)
        one.ppp(False, proto, CONF_REQ, 7)
        one.ppp(False, proto, CONF_ACK, 2)
        one.ppp(True, proto, CONF_ACK, 8)
        equal("%s: other identifiers acknowledge nothing" % name,
              bng.sessions(), [up(one, "starting")])
        one.ppp(False, proto, CONF_ACK, 1)
        equal("%s: one way is not both" % name, bng.sessions(),
              [up(one, "starting")])
        one.ppp(True, proto, CONF_ACK, 7)
        equal("%s: acknowledged both ways it is up" % name, bng.sessions(),
              [up(one)])
    bng.begin()
    one = bng.sub(1)
    one.dial(5)
    one.ppp(True, IPCP, CONF_REQ, 1)
    one.ppp(False, IPCP, CONF_ACK, 1)
    one.ppp(False, IPV6CP, CONF_REQ, 2)
    one.ppp(True, IPV6CP, CONF_ACK, 2)
    equal("half of IPCP and half of IPV6CP are not one", bng.sessions(),
          [up(one, "starting")])
    one.ppp(True, IPCP, CONF_REQ, 3)
    one.ppp(False, IPCP, CONF_REQ, 4)
    one.ppp(True, IPCP, CONF_ACK, 4)
    equal("a new request takes back what was acknowledged", bng.sessions(),
          [up(one, "starting")])
    ok("the set-up time is known of sessions that came up",
       bng.shown("setup-ms") == 0 and bng.begin() and
       (bng.sub(2).come_up(6), bng.shown("setup-ms"))[1] > 0)


def multilink(bng):
    mrru = b"\x11\x04\x05\xdc"
    for name, proto, code, options, state in (
            ("PAP", PAP, 2, mrru, "active"), ("CHAP", CHAP, 3, mrru, "active"),
            ("PAP without multilink", PAP, 2, b"", "starting"),
            ("a CHAP response", CHAP, 2, mrru, "starting")):
        bng.begin()
        one = bng.sub(1)
        one.dial(5)
        one.ppp(False, LCP, CONF_REQ, 1, options)
        one.ppp(True, LCP, CONF_ACK, 1, options)
        one.ppp(True, proto, code, 1)
        equal("multilink: after %s it is %s" % (name, state), bng.sessions(),
              [up(one, state)])


def terminate(bng):
    for way, asks in (("the client", False), ("the BNG", True)):
        bng.begin()
        one = bng.sub(1)
        one.come_up(5)
        one.ppp(not asks, LCP, TERM_ACK, 3)
        one.ppp(asks, LCP, TERM_REQ, 3)
        one.ppp(not asks, LCP, TERM_ACK, 4)
        one.ppp(asks, LCP, TERM_ACK, 3)
        equal("Terminate: nothing answers the request of %s" % way,
              bng.sessions(), [up(one)])
        one.ppp(not asks, LCP, TERM_ACK, 3)
        equal("Terminate: the answer to %s ends it" % way,
              (bng.count(), bng.sessions()), (0, []))
    one.padt()
    equal("a late PADT after that is one of a session that is not there",
          bng.shown("forged"), 1)


def ends(bng):
    bng.begin()
    one, two = bng.sub(1), bng.sub(2)
    one.come_up(5)
    two.sid = 5
    two.padt()
    equal("PADT: by another address it ends nothing",
          (bng.sessions(), bng.shown("forged")), ([up(one)], 1))
    two.padt(leaving=True)
    equal("PADT: nor to another", bng.sessions(), [up(one)])
    one.padt(dst=b"\x02\x77\0\0\0\x01")
    equal("PADT: nor when another BNG is meant",
          (bng.sessions(), bng.shown("forged")), ([up(one)], 2))
    one.sid = 6
    one.padt()
    equal("PADT: nor of another id", bng.count(), 1)
    other = bng.sub(1, vlans=(9,))
    other.sid = 5
    other.padt()
    equal("PADT: nor in another VLAN", bng.count(), 1)
    one.sid = 5
    one.padt()
    equal("PADT: its own ends it", (bng.count(), bng.sessions()), (0, []))
    one.come_up(7)
    equal("the same client comes again", bng.sessions(), [up(one)])
    one.padt(leaving=True)
    equal("PADT: that of the BNG ends it", (bng.count(), bng.sessions()),
          (0, []))


def again(bng):
    bng.begin()
    one = bng.sub(1)
    one.come_up(5)
    first = bng.nl.dump("session-get")[0]["id"]
    one.uniq = b"another"
    one.padi()
    one.padr()
    equal("a second login of a client", len(bng.sessions()), 2)
    one.pads(5)
    equal("an id that is given again ends its old session",
          (bng.sessions(), bng.count()), ([up(one, "starting")], 1))
    ok("which is another one", bng.nl.dump("session-get")[0]["id"] != first)
    one.uniq = b"forked"
    one.padr()
    one.pads(8)
    other = bng.sub(1)
    other.sid = 5
    equal("answered with another id it takes the place of the first",
          (bng.sessions(), bng.count()), ([up(one, "starting")], 1))


def ghost(bng):
    bng.begin(1)
    one, two = bng.sub(1), bng.sub(2)
    one.come_up(5)
    old = up(one)
    two.padi()
    equal("the port is full", bng.shown("dropped"), 1)
    bng.passed()
    one.uniq = b"again"
    one.padi()
    one.padr()
    equal("who holds a session gets in at a full port",
          (bng.passed(), bng.count(), len(bng.sessions())), (2, 1, 2))
    one.pads(6)
    equal("the PADS moves the place to the new session",
          (bng.sessions(), bng.count(), bng.shown("ghost")),
          ([up(one, "starting")], 1, 1))
    one.ppp(True, LCP, ECHO_REQ, 1, bytes(4), sid=5)
    equal("if the BNG still speaks in the old one, both count",
          (bng.sessions(), bng.count(), bng.shown("adopted")),
          (sorted([old, up(one, "starting")]), 2, 1))

    bng.begin(1)
    one.come_up(5)
    one.uniq = b"in vain"
    one.padi()
    one.padr()
    one.pads(0)
    equal("a second login that the BNG refuses leaves the first alone",
          (bng.sessions(), bng.count()), ([old], 1))
    one.sid = 5
    one.uniq = b"early"
    one.padi()
    one.padr()
    one.padt()
    equal("when the first ends meanwhile, its place is free", bng.count(), 0)
    one.pads(9)
    equal("and the second counts from its PADS",
          (bng.count(), bng.sessions()), (1, [up(one, "starting")]))


def malformed(bng):
    bng.begin(0, pppoe="reject")
    src = subscriber(1)
    wrong = (("too long", discovery(PADI, tag(SERVICE))[:4] + b"\x05\xdc" +
              tag(SERVICE)),
             ("a version of 2", b"\x21" + discovery(PADI, tag(SERVICE))[1:]),
             ("a tag that goes beyond the end",
              discovery(PADI, struct.pack(">HH", SERVICE, 9) + b"x")),
             ("half a tag", discovery(PADR, b"\x01\x01")))
    for n, (name, payload) in enumerate(wrong):
        bng.wire.arrive(ethernet(BROADCAST, src, ETH_P_DISC, payload))
        equal("malformed, %s: it passes and is counted" % name,
              (bng.shown("malformed"), bng.passed(), bng.shown("dropped")),
              (n + 1, 1, 0))
    bng.begin()
    one = bng.sub(1)
    one.sid = 5
    one.leave(ETH_P_SES, struct.pack(">BBHHH", 0x11, 0, 5, 6, LCP) +
              struct.pack(">BBH", ECHO_REQ, 1, 99))
    equal("malformed, an echo longer than its frame: counted, not adopted",
          (bng.shown("malformed"), bng.count()), (1, 0))
    one.arrive(ETH_P_DISC, discovery(0xd3, b""))
    one.arrive(ETH_P_DISC, discovery(0x44, b"\xff"))
    equal("codes of no login are none of it", bng.shown("malformed"), 1)


def rogue(bng):
    bng.begin()
    one = bng.sub(1)
    one.padi()
    one.arrive(ETH_P_DISC, discovery(PADO, one.ask_tags()))
    one.padr()
    one.arrive(ETH_P_DISC, discovery(PADS, one.ask_tags(), 5))
    equal("a PADO and a PADS from the subscribers' side change nothing",
          (bng.shown("rogue"), bng.sessions()),
          (2, [(text(one.mac), "starting")]))
    one.arrive(ETH_P_DISC, discovery(PADS, one.ask_tags()))
    equal("nor does one that refuses", (bng.shown("rogue"), bng.count()),
          (3, 1))
    equal("and all pass", bng.passed(), 5)


def circuit(bng):
    bng.begin(1, key="circuit")
    one = bng.sub(1, tags=agent(b"olt1/1/1", b"house"))
    again_ = bng.sub(2, tags=agent(b"olt1/1/1"))
    other = bng.sub(3, tags=agent(b"olt1/1/2"))
    one.padi()
    again_.padi()
    other.padi()
    equal("key circuit: another address on a circuit is the same subscriber",
          (bng.shown("flights"), bng.row("duplicate"), bng.shown("dropped")),
          (1, 1, 1))
    one.padr()
    one.pads(5)
    bng.passed()
    again_.padi()
    other.padi()
    equal("key circuit: so it is for who holds a session", bng.passed(), 1)
    again_.padr()
    again_.pads(6)
    equal("key circuit: whose place it takes",
          (bng.sessions(), bng.shown("ghost"), bng.count()),
          ([up(again_, "starting")], 1, 1))
    bng.begin(1, key="circuit")
    bng.sub(4).padi()
    bng.sub(5).padi()
    equal("key circuit: without one it is the address",
          (bng.shown("flights"), bng.shown("dropped")), (1, 1))


def vlans(bng):
    bng.begin()
    subs = [bng.sub(1), bng.sub(1, vlans=(7,)), bng.sub(1, vlans=(8,)),
            bng.sub(1, vlans=((0x88a8, 7), 8)), bng.sub(1, vlans=(7, 9))]
    for sub in subs:
        sub.padi()
    equal("VLANs: one address in five of them is five subscribers",
          bng.shown("flights"), 5)
    bng.sub(1, vlans=(0,)).padi()
    equal("VLANs: a priority tag is none",
          (bng.shown("flights"), bng.row("duplicate")), (5, 1))


def priority(bng):
    agent_ = Netlink()
    nl = bng.nl
    nl.do("echo-set", device=0, engine="agent", interval_ms=100)
    nl.do("rtt-set", target=device(0), threshold_us=1000, count=1, step=100,
          max_pct=100, silent_max=100)
    agent_.do("echo-register", device=0)
    ok("the load gate lets nobody pass",
       wait_until(lambda: nl.do("rtt-get", target=device(0))["allowed"] == 0,
                  30))
    mac = subscriber(1)
    for kind, value, wins, loses in (
            ("none", None, None, bng.sub(1)),
            ("mac", mac, bng.sub(1), bng.sub(2)),
            ("vlan", b"\0\x07", bng.sub(1, vlans=(7,)), bng.sub(1)),
            ("vlan", b"\0\x07\0\x08", bng.sub(1, vlans=(7, 8)),
             bng.sub(1, vlans=(7,))),
            ("circuit", b"olt", bng.sub(1, tags=agent(b"olt")),
             bng.sub(2, tags=agent(b"olt2")))):
        bng.begin(priority=kind, value=value)
        if wins:
            wins.padi()
        first = bng.shown("flights")
        loses.padi()
        equal("priority %s: who has it passes the load gate, others do not" %
              kind, (first, bng.shown("flights"), bng.shown("dropped")),
              (int(bool(wins)), int(bool(wins)), 1))
    bng.begin(priority="service-name", value=b"emergency")
    bng.sub(1).padi(b"emergency")
    bng.sub(2).padi(b"emergenc")
    bng.sub(3).padi(b"")
    equal("priority service-name: only all of the name",
          (bng.shown("flights"), bng.shown("dropped")), (1, 2))
    bng.begin(0, priority="mac", value=mac)
    bng.sub(1).padi()
    equal("priority: no cap is passed by it", bng.shown("dropped"), 1)
    bng.begin()
    bng.sub(3).padr()
    equal("a PADR is asked nothing by the load gate (H1)", bng.count(), 1)
    nl.do("echo-set", device=0, engine="none")
    agent_.close()
    nl.do("rtt-reset", target=device(0))


def adoption(bng):
    bng.begin(0)
    one = bng.sub(1)
    one.sid = 5
    one.ppp(False, LCP, ECHO_REQ, 1, bytes(4))
    one.ppp(False, LCP, ECHO_REP, 1, bytes(4))
    one.ppp(True, LCP, TERM_REQ, 1)
    one.ppp(True, LCP, TERM_ACK, 1)
    one.ppp(True, LCP, CONF_REQ, 1)
    one.data(True)
    equal("what a client says, ends and data are no session",
          (bng.count(), bng.shown("adopted")), (0, 0))
    one.ppp(True, LCP, ECHO_REQ, 1, bytes(4))
    equal("an echo that leaves is one, above every limit",
          (bng.sessions(), bng.count(), bng.shown("adopted")),
          ([up(one)], 1, 1))
    one.ppp(True, LCP, ECHO_REQ, 2, bytes(4))
    equal("but once", (bng.count(), bng.shown("adopted")), (1, 1))
    two = bng.sub(2)
    two.sid = 6
    two.ppp(True, LCP, ECHO_REP, 1, bytes(4))
    three = bng.sub(3)
    three.sid = 7
    three.ppp(True, IPCP, CONF_ACK, 1)
    equal("an answer to an echo is one, and IPCP", bng.shown("adopted"), 3)
    one.padt()
    two.padt(leaving=True)
    three.ppp(False, LCP, TERM_REQ, 1)
    three.ppp(True, LCP, TERM_ACK, 1)
    equal("they end as others do", (bng.count(), bng.sessions()), (0, []))

    bng.begin(1)
    one.padi()
    one.ppp(True, LCP, ECHO_REQ, 1, bytes(4))
    equal("who is adopted has no place in flight any more",
          (bng.shown("flights"), bng.count()), (0, 1))


def starting(bng):
    bng.nl.do("timeout-set", starting=5)
    bng.begin()
    one, two = bng.sub(1), bng.sub(2)
    began = time.monotonic()
    one.dial(5)
    two.dial(6)
    time.sleep(3)
    one.ppp(False, LCP, CONF_REQ, 1)
    ok("a session that stays in its beginning is given up",
       wait_until(lambda: bng.sessions() == [up(one, "starting")], 30))
    took = time.monotonic() - began
    ok("after the time that is set", 4 <= took, took)
    ok("one that has gone on later", wait_until(lambda: not bng.count(), 30))
    later = time.monotonic() - began
    ok("counted from its last message", later >= 7 and later - took >= 1,
       (took, later))
    bng.nl.do("timeout-set", starting=60)


def silence(bng):
    bng.begin(silence=10)
    one, two, three = (bng.sub(n) for n in (1, 2, 3))
    one.come_up(5)
    two.come_up(6)
    # One that is adopted is no exception.
    three.sid = 7
    three.ppp(True, LCP, ECHO_REP, 1, bytes(4))
    began = time.monotonic()
    for n in range(5):
        time.sleep(1)
        one.ppp(False, LCP, ECHO_REQ, n, bytes(4))
        one.data(False)
        two.ppp(True, LCP, ECHO_REP, n, bytes(4))
    ok("a session in which the BNG is silent is a suspect",
       wait_until(lambda: bng.shown("suspects") == 2, 30))
    took = time.monotonic() - began
    ok("after the silence, whatever the client says", 9 <= took < 25, took)
    one.data(False)
    one.ppp(False, LCP, ECHO_REP, 9, bytes(4))
    equal("what the client says clears nobody", bng.shown("suspects"), 2)
    one.data(True)
    equal("a data frame of the BNG does", bng.shown("suspects"), 1)
    three.ppp(True, LCP, ECHO_REQ, 1, bytes(4))
    equal("and so does an echo", bng.shown("suspects"), 0)
    ok("the others are there", bng.count() == 3)
    ok("who spoke later is suspect later",
       wait_until(lambda: bng.shown("suspects") == 1, 30))
    two.padt()
    equal("a suspect that ends is none any more",
          (bng.shown("suspects"), bng.count()), (0, 2))
    bng.nl.do("enforce-set", target=ACC, silence=0)
    time.sleep(13)
    equal("silence 0: nobody is suspect", bng.shown("suspects"), 0)


def off(bng):
    bng.begin(0)
    bng.nl.do("enforce-set", target=ACC, pppoe="off")
    one = bng.sub(1)
    one.come_up(5)
    one.ppp(True, LCP, ECHO_REQ, 1, bytes(4))
    equal("off: nothing is seen",
          (bng.passed(), bng.count(), bng.shown("attached")), (2, 0, 0))
    bng.begin(1)
    bng.sub(1).padi()
    bng.nl.do("enforce-set", target=ACC, pppoe="off")
    equal("off: places in flight are given back", bng.shown("flights"), 0)
    bng.begin(2)
    bng.sub(1).come_up(5)
    asked = bng.nl.admitted(ACC, active=True)
    bng.nl.do("enforce-set", target=ACC, pppoe="off")
    equal("off: what nobody looks at any more does not count",
          [one["id"] for one in bng.nl.dump("session-get")], [asked])
    bng.nl.release(all=True)


def test():
    nl = tap.fresh()
    bng = Bng(nl)
    cases = (flight, over_cap, reject, foreign, refused_by_bng,
             network_protocols, multilink, terminate, ends, again, ghost,
             malformed, rogue, circuit, vlans, priority, adoption, starting,
             silence, off)
    only = os.environ.get("RESMON_CASES", "").split()
    for case in cases:
        if only and case.__name__ not in only:
            continue
        try:
            case(bng)
        except Exception:  # the others are of interest all the same
            ok("%s ran to its end" % case.__name__, False,
               traceback.format_exc())
    nl.do("port-del", ifname="acc0")
    tap.finish(nl)


tap.main(test)
