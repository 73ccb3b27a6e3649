#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The life of L2TPv2 calls, told by messages made by hand (H12, H13)."""
import os
import socket
import struct
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import port  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

ACC = port("acc0")
LNS, LAC, STRANGER = "10.30.0.1", "10.30.0.2", "10.30.0.3"
L2TP, MARK = 1701, 4242
SCCRQ, SCCRP, SCCCN, STOPCCN, HELLO, ICRQ, ICRP, ICCN, CDN = (
    1, 2, 3, 4, 6, 10, 11, 12, 14)
TID, SID, RESULT = 9, 14, 1


def message(kind, tid=0, sid=0, **avps):
    """A control message; avps are tid and sid as the sender assigns them."""
    body = struct.pack(">HHHH", 0x8008, 0, 0, kind)
    for name, number in (("result", RESULT), ("my_tid", TID),
                         ("my_sid", SID)):
        if name in avps:
            body += struct.pack(">HHHH", 0x8008, 0, number, avps[name])
    return struct.pack(">HHHHHH", 0xc802, 12 + len(body), tid, sid, 0,
                       0) + body


def data(tid, sid):
    return struct.pack(">HHH", 0x0002, tid, sid) + b"\xff\x03\xc0\x21ppp"


class Network:
    """An LNS whose LACs come in on a port, new for each case."""

    def __init__(self, nl):
        self.nl = nl
        here = os.open("/proc/self/ns/net", os.O_RDONLY)
        tap.run("ip", "netns", "add", "subs")
        tap.ip("link add acc0 type veth peer name home0 netns subs",
               "link set acc0 up")
        tap.run("ip", "addr", "add", LNS + "/24", "dev", "acc0")
        self.lns = self.bound(LNS, L2TP)
        self.mark = self.bound(LNS, MARK)
        tap.enter("subs")
        tap.ip("link set home0 up")
        for address in LAC, STRANGER:
            tap.run("ip", "addr", "add", address + "/24", "dev", "home0")
        self.lac = self.bound(LAC, L2TP)
        self.stranger = self.bound(STRANGER, L2TP)
        # pylint: disable=protected-access
        tap._libc.setns(here, tap.CLONE_NEWNET)
        os.close(here)
        nl.do("chassis-set", settle=0)
        nl.do("device-new", index=0)
        self.there = False

    @staticmethod
    def bound(address, number):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.bind((address, number))
        sock.settimeout(10)
        return sock

    def begin(self, most=None):
        if self.there:
            self.nl.do("port-del", ifname="acc0")
        self.there = True
        self.nl.do("port-new", ifname="acc0", device=0)
        if most is not None:
            self.nl.limit(ACC, max_sessions=most)
        self.nl.do("enforce-set", target=ACC, l2tp="drop")

    def arrive(self, payload, sock=None):
        """To the LNS; whether it got there."""
        sock = sock or self.lac
        sock.sendto(payload, (LNS, L2TP))
        # What was sent before has been judged when this has come.
        sock.sendto(b"mark", (LNS, MARK))
        self.mark.recv(100)
        self.lns.setblocking(False)
        try:
            return self.lns.recv(2000) == payload
        except BlockingIOError:
            return False

    def leave(self, payload, to=LAC):
        self.lns.sendto(payload, (to, L2TP))

    def tunnel(self, mine=7, bng=100, sock=None):
        """From SCCRQ to SCCCN."""
        self.arrive(message(SCCRQ, my_tid=mine), sock)
        self.leave(message(SCCRP, mine, my_tid=bng),
                   STRANGER if sock else LAC)
        self.arrive(message(SCCCN, bng), sock)

    def call(self, mine, bng):
        """From ICRQ to ICCN, in the tunnel of both defaults."""
        passed = self.arrive(message(ICRQ, 100, my_sid=mine))
        self.leave(message(ICRP, 7, mine, my_sid=bng))
        return self.arrive(message(ICCN, 100, bng)) and passed

    def shown(self, name):
        return self.nl.do("enforce-get", target=ACC)[name]

    def count(self):
        return self.nl.count(ACC)

    def sessions(self):
        return sorted((one["key"].decode(), one["state"])
                      for one in self.nl.dump("session-get"))


def tunnels(net):
    net.begin(0)
    equal("SCCRQ: none passes at a full port",
          (net.arrive(message(SCCRQ, my_tid=7)), net.shown("dropped")),
          (False, 1))
    net.begin(1)
    equal("SCCRQ: it takes a place in flight, once",
          (net.arrive(message(SCCRQ, my_tid=7)),
           net.arrive(message(SCCRQ, my_tid=7)), net.shown("flights"),
           net.count()), (True, True, 1, 0))
    equal("SCCRQ: of which there is no other",
          net.arrive(message(SCCRQ, my_tid=8), net.stranger), False)
    net.leave(message(SCCRP, 7, my_tid=100))
    ok("ICRQ: it passes", net.arrive(message(ICRQ, 100, my_sid=20)))
    equal("ICRQ: it is charged, and the flight is over",
          (net.count(), net.shown("flights"), net.sessions()),
          (1, 0, [("100/0", "starting")]))
    net.arrive(message(ICRQ, 100, my_sid=20))
    equal("ICRQ: sent again it is the same call", net.count(), 1)
    net.leave(message(ICRP, 7, 20, my_sid=200))
    equal("ICRP: it gives the call its id", net.sessions(),
          [("100/200", "starting")])
    net.arrive(message(ICCN, 100, 200))
    equal("ICCN: the call is up", (net.count(), net.sessions()),
          (1, [("100/200", "active")]))


def over_cap(net):
    net.begin(1)
    net.tunnel()
    ok("within the cap a call comes up", net.call(20, 200))
    ok("an ICRQ over the cap passes, and all its control messages (H12)",
       net.call(21, 201))
    equal("its call is not counted, but denied",
          (net.count(), net.shown("dropped")), (1, 1))
    equal("the data of the first passes, that of the second does not",
          (net.arrive(data(100, 200)), net.arrive(data(100, 201))),
          (True, False))
    ok("a HELLO passes", net.arrive(message(HELLO, 100)))
    net.leave(message(CDN, 7, 21, result=1, my_sid=201))
    equal("the LNS clears it: nothing is left of it", net.sessions(),
          [("100/200", "active")])
    net.arrive(message(CDN, 100, 200, result=1, my_sid=20))
    equal("and the first by itself", (net.count(), net.sessions()), (0, []))
    ok("a call gets in again", net.call(22, 202) and net.count() == 1)

    net.begin(0)
    net.nl.do("timeout-set", starting=5)
    net.nl.limit(ACC, max_sessions=1)
    net.tunnel()
    net.nl.limit(ACC, max_sessions=0)
    net.call(20, 200)
    let_in = 0
    for _ in range(12):
        let_in += net.arrive(data(100, 200))
        time.sleep(1)
    equal("a denied call is denied for as long as it tries", let_in, 0)
    ok("and forgotten afterwards",
       wait_until(lambda: not net.sessions(), 30))
    net.nl.do("timeout-set", starting=60)


def forged(net):
    net.begin()
    net.tunnel()
    net.tunnel(8, 101, net.stranger)
    net.call(20, 200)
    up = [("100/200", "active")]
    for name, payload in (
            ("CDN", message(CDN, 100, 200, result=1, my_sid=20)),
            ("StopCCN", message(STOPCCN, 100, result=1, my_tid=7))):
        before = net.shown("forged")
        net.arrive(payload, net.stranger)
        equal("%s of a stranger ends nothing, and is counted" % name,
              (net.sessions(), net.shown("forged") - before), (up, 1))
    net.arrive(message(STOPCCN, 101, result=1, my_tid=8), net.stranger)
    equal("nor does the end of its own tunnel", net.sessions(), up)
    net.arrive(message(CDN, 100, 201, result=1, my_sid=21))
    equal("nor a CDN of another call", net.sessions(), up)


def ends(net):
    for name, end in (
            ("CDN of the LAC",
             lambda: net.arrive(message(CDN, 100, 200, result=1, my_sid=20))),
            ("CDN of the LNS",
             lambda: net.leave(message(CDN, 7, 20, result=1, my_sid=200)))):
        net.begin()
        net.tunnel()
        net.call(20, 200)
        net.call(21, 201)
        end()
        equal("%s: the call is over, the other is not" % name,
              net.sessions(), [("100/201", "active")])
    for name, end in (
            ("StopCCN of the LAC",
             lambda: net.arrive(message(STOPCCN, 100, result=1, my_tid=7))),
            ("StopCCN of the LNS",
             lambda: net.leave(message(STOPCCN, 7, result=1, my_tid=100)))):
        net.begin()
        net.tunnel()
        net.call(20, 200)
        net.call(21, 201)
        net.arrive(message(ICRQ, 100, my_sid=22))
        equal("%s: three calls" % name, net.count(), 3)
        end()
        equal("%s: all calls are over" % name, (net.count(), net.sessions()),
              (0, []))
    net.begin()
    net.tunnel()
    net.arrive(message(ICRQ, 100, my_sid=20))
    net.leave(message(CDN, 7, 20, result=1, my_sid=0))
    equal("a call that the LNS refuses is over", net.count(), 0)


def adoption(net):
    net.begin(0)
    net.arrive(message(ICCN, 300, 400))
    equal("an ICCN of an unknown call is a session above every limit (H3)",
          (net.sessions(), net.count(), net.shown("adopted")),
          ([("300/400", "active")], 1, 1))
    net.leave(message(STOPCCN, 9, result=1, my_tid=300))
    equal("which ends as others do", net.count(), 0)


def earlier(net):
    """A tunnel that was there before the port was enforced."""
    net.begin(1)
    ok("earlier: an ICRQ passes", net.arrive(message(ICRQ, 300, my_sid=20)))
    equal("earlier: its call is charged", net.sessions(),
          [("300/0", "starting")])
    net.leave(message(ICRP, 9, 20, my_sid=400))
    net.arrive(message(ICCN, 300, 400))
    equal("earlier: and comes up, adopted by nobody",
          (net.sessions(), net.shown("adopted")), ([("300/400", "active")], 0))
    net.arrive(message(ICRQ, 300, my_sid=21))
    net.leave(message(ICRP, 9, 21, my_sid=401))
    net.arrive(message(ICCN, 300, 401))
    equal("earlier: one over the cap is denied",
          (net.count(), net.shown("dropped"), net.arrive(data(300, 400)),
           net.arrive(data(300, 401))), (1, 1, True, False))
    net.leave(message(CDN, 9, 20, result=1, my_sid=400))
    net.leave(message(CDN, 9, 21, result=1, my_sid=401))
    equal("earlier: the LNS clears them", (net.count(), net.sessions()),
          (0, []))
    net.begin(0)
    net.arrive(message(ICCN, 300, 400))
    net.leave(message(CDN, 9, 20, result=1, my_sid=400))
    equal("earlier: it clears what was adopted, too",
          (net.count(), net.shown("adopted")), (0, 1))


def again(net):
    """An LNS that starts anew may give the same ids again."""
    net.begin()
    net.tunnel()
    net.call(20, 200)
    net.leave(message(SCCRP, 7, my_tid=100))
    equal("an SCCRP that is sent again ends nothing", net.count(), 1)
    net.arrive(message(SCCRQ, my_tid=8))
    net.leave(message(SCCRP, 8, my_tid=100))
    equal("one that gives the id to another tunnel ends the calls of the old",
          net.sessions(), [])
    net.arrive(message(ICRQ, 100, my_sid=20))
    net.leave(message(ICRP, 8, 20, my_sid=200))
    net.arrive(message(ICCN, 100, 200))
    net.arrive(message(STOPCCN, 100, result=1, my_tid=8))
    equal("and the new one is followed", net.sessions(), [])


def unanswered(net):
    """What only the other side says proves nothing."""
    net.begin()
    net.arrive(message(ICCN, 300, 400), net.stranger)
    net.arrive(message(ICRQ, 301, my_sid=20), net.stranger)
    net.arrive(message(ICCN, 302, 402))
    net.leave(struct.pack(">HHHHHH", 0xc802, 12, 9, 0, 0, 1))
    for payload in message(ICCN, 0, 400), message(ICRQ, 0, my_sid=20):
        net.arrive(payload, net.stranger)
    equal("nobody has tunnel 0", net.sessions(),
          [("300/400", "active"), ("301/0", "starting"),
           ("302/402", "active")])
    up = [("302/402", "active")]
    ok("calls of tunnels of which this host says nothing are over",
       wait_until(lambda: net.sessions() == up, 20))
    time.sleep(2)
    equal("but not those of which it does", net.sessions(), up)


def malformed(net):
    net.begin(0)
    good = message(SCCRQ, my_tid=7)
    for n, (name, payload) in enumerate((
            ("no tunnel id", message(SCCRQ)),
            ("cut short", good[:-1]),
            ("an AVP of no length", good[:12] + b"\x80\0" + good[14:]))):
        equal("malformed, %s: it passes and is counted" % name,
              (net.arrive(payload), net.shown("malformed"),
               net.shown("dropped")), (True, n + 1, 0))


def test():
    nl = tap.fresh()
    net = Network(nl)
    for case in tunnels, over_cap, forged, ends, adoption, earlier, again, \
            unanswered, malformed:
        try:
            case(net)
        except Exception:  # the others are of interest all the same
            ok("%s ran to its end" % case.__name__, False,
               traceback.format_exc())
    nl.do("port-del", ifname="acc0")
    tap.run("ip", "netns", "del", "subs")
    tap.finish(nl)


tap.main(test)
