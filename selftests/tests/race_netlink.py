#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Eight processes race for the last places over netlink: C2, exactly."""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import (CHASSIS, NLM_F_ACK, Netlink, attr, const,  # noqa: E402
                       device, encode_one, lag, mic, number_of, port)
import tap  # noqa: E402
from tap import equal, ok  # noqa: E402

PROCESSES = 8
CAP = tap.scaled(1000, 200)
ATTEMPTS = tap.scaled(20000, 4000)
FEW = 4000

# An answer is an admission when it has this attribute: no need to parse all.
ADMITTED, DENIED = (attr(number_of("ANSWER", "verdict"),
                         struct.pack("=I", const("VERDICT_" + verdict)))
                    for verdict in ("ADMIT", "DENY"))


def compete(gate, result, requests, attempts):
    nl = Netlink()
    nl.room(1 << 20)
    batch = b"".join(requests)
    most = const("BATCH_MAX") // len(requests)
    admitted = answered = 0
    os.read(gate, 1)
    while attempts:
        n = min(most, -(-attempts // len(requests)))
        attempts -= min(attempts, n * len(requests))
        message = nl.pack("session-admit", batch * n, NLM_F_ACK)
        nl.sock.send(message)
        for data in nl.answers(message, None, raw=True):
            admitted += data.count(ADMITTED)
            answered += data.count(ADMITTED) + data.count(DENIED)
    os.write(result, struct.pack("=II", admitted, answered))


def race(targets, attempts, type="pppoe"):
    """Admissions and answers of all processes together."""
    requests = [encode_one("BATCH", "request", dict(target=one, type=type))
                for one in targets]
    gate, results, pids = os.pipe(), os.pipe(), []
    for _ in range(PROCESSES):
        pid = os.fork()
        if not pid:
            try:
                os.close(gate[1])
                compete(gate[0], results[1], requests,
                        attempts // PROCESSES)
            finally:
                os._exit(0)
        pids.append(pid)
    os.close(gate[0])
    os.close(gate[1])
    os.close(results[1])
    for pid in pids:
        os.waitpid(pid, 0)
    data = b""
    while True:
        more = os.read(results[0], 4096)
        if not more:
            break
        data += more
    os.close(results[0])
    numbers = [one for one in struct.iter_unpack("=II", data)]
    return (sum(one[0] for one in numbers), sum(one[1] for one in numbers),
            len(numbers))


def main():
    nl = tap.fresh()
    tap.ip(*["link add eth%d type dummy" % n for n in range(4)] +
           ["link add leg%d type dummy" % n for n in range(4)] +
           ["link add bond1 type bond mode balance-rr miimon 10"] +
           ["link set leg%d master bond1" % n for n in range(4)] +
           ["link set bond1 up"])
    nl.do("device-new", index=0)
    nl.do("device-new", index=1)
    nl.do("mic-new", device=0, index=1)
    for n in range(4):
        nl.do("port-new", ifname="eth%d" % n, device=n % 2,
              mic=None if n % 2 else 1)
        nl.do("port-new", ifname="leg%d" % n, device=n % 2)
    ports = [port("eth%d" % n) for n in range(4)]
    bond = lag("bond1")
    for name, target, places, type, attempts in (
            ("a port", ports[0], ports[:1], "any", ATTEMPTS),
            ("a device of two ports and two legs", device(0),
             [ports[0], bond, ports[2]], "pppoe", ATTEMPTS),
            ("a lag", bond, [bond], "pppoe", ATTEMPTS),
            ("a leg of a lag", port("leg2"), [bond], "any", FEW),
            ("a mic", mic(0, 1), [ports[0], ports[2]], "any", FEW),
            ("the chassis, lags included", CHASSIS, ports + [bond], "any",
             FEW)):
        nl.limit(target, type, max_sessions=CAP)
        admitted, answered, finished = race(places, attempts)
        # Rounded up to whole rounds over the places.
        good = 0 <= answered - attempts < PROCESSES * len(places)
        equal("C2: %d processes, %d attempts, a cap of %d on %s" %
              (PROCESSES, attempts, CAP, name),
              (admitted, nl.count(target), good, finished),
              (CAP, CAP, True, PROCESSES))
        row = [one for one in nl.dump("limit-get", target=target)
               if one["type"] == type][0]
        equal("C2: the peak is the cap, refused are all others",
              (row["peak"], row["refused"]), (CAP, answered - CAP))
        nl.release(all=True)
        nl.do("limit-del", target=target, type=type)
        nl.do("stats-clear")

    # Places that come free while they are raced for.
    nl.limit(ports[0], max_sessions=5)
    pid = os.fork()
    if not pid:
        try:
            one = Netlink()
            while True:
                one.release(target=ports[0])
        finally:
            os._exit(0)
    admitted, answered, _ = race(ports[:1], FEW)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    row = nl.dump("limit-get", target=ports[0])[0]
    ok("C2: while others leave, never more than the cap at once",
       admitted >= 5 and row["peak"] <= 5 and row["sessions"] <= 5 and
       answered == FEW, (admitted, row))
    tap.finish(nl)


tap.main(main)
