#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Answers to probes as no proper agent gives them, and none (E1, E2)."""
import errno
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import Netlink, device  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused, wait_until  # noqa: E402


def probe(agent):
    """The number of the next probe."""
    while True:
        message = agent.next(30)
        if not message:
            raise TimeoutError("no probe")
        if message.command == "echo-probe":
            return message.attrs["seq"]


def reply(agent, seq, index=0):
    agent.do("echo-reply", device=index,
             seq=None if seq is None else seq % 2**32)


def register(agent):
    agent.do("echo-register", device=0)


def echo(nl, name):
    return nl.do("echo-get", device=0)[name]


def rtt(nl, name):
    return nl.do("rtt-get", target=device(0)).get(name)


def setup(nl, interval_ms):
    nl.do("echo-set", device=0, engine="agent", interval_ms=interval_ms)


def strangers(agent, other):
    foreign = "this socket is not the agent of the device"
    refused("an answer while there is no agent", errno.EPERM, foreign, reply,
            other, 1)
    register(agent)
    register(agent)
    equal("a socket registers, twice if it likes", echo(agent, "agent"),
          agent.portid)
    refused("another one beside it", errno.EBUSY,
            "this device has an agent already", register, other)
    refused("an answer from another socket", errno.EPERM, foreign, reply,
            other, probe(agent))
    equal("both are counted as foreign", echo(agent, "foreign"), 2)
    equal("and measure nothing", rtt(agent, "rtt-us"), None)


def numbers(agent):
    answered = echo(agent, "answered")
    seq = probe(agent)
    reply(agent, seq)
    equal("the answer to a probe", echo(agent, "answered"), answered + 1)
    reply(agent, seq)
    equal("the same answer again is unknown", echo(agent, "unknown"), 1)
    for far in 100000, 2**31, -100000:
        reply(agent, seq + far)
    equal("the number of no probe is unknown", echo(agent, "unknown"), 4)
    equal("and answers nothing", echo(agent, "answered"), answered + 1)

    refused("an answer without its number", errno.EINVAL,
            "an answer needs the number of its probe", reply, agent, None)
    refused("an answer without its device", errno.EINVAL,
            "which device? a slot number is needed", reply, agent, seq, None)
    refused("an answer for no device", errno.ENOENT, "no such device", reply,
            agent, seq, 5)

    first, second = probe(agent), probe(agent)
    reply(agent, second)
    reply(agent, first)
    equal("answers out of their order are answers", echo(agent, "answered"),
          answered + 3)
    equal("and in time", echo(agent, "late"), 0)
    return first


def late(agent):
    seq = probe(agent)
    agent.do("rtt-set", target=device(0), threshold_us=1000)
    setup(agent, 60000)
    ok("what has no answer for the threshold is a measurement",
       wait_until(lambda: rtt(agent, "measured") == echo(agent, "sent")))
    measured, unanswered = rtt(agent, "measured"), rtt(agent, "unanswered")
    ok("and not answered", unanswered > 0)
    reply(agent, seq)
    equal("an answer to it is late", echo(agent, "late"), 1)
    equal("and no second measurement",
          (rtt(agent, "measured"), rtt(agent, "unanswered")),
          (measured, unanswered))
    ok("but shown", rtt(agent, "rtt-us") > 1000)
    reply(agent, seq)
    equal("a second one is unknown", echo(agent, "unknown"), 5)


def hung(agent, nl):
    agent.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    setup(nl, 100)
    ok("probes to a socket that nobody reads are lost",
       wait_until(lambda: echo(nl, "lost") >= 5, 60))
    setup(nl, 60000)
    ok("and measured as not answered", wait_until(
        lambda: rtt(nl, "measured") == echo(nl, "lost") + echo(nl, "sent")))
    agent.close()
    ok("until it closes", wait_until(lambda: echo(nl, "agent") == 0))


def main():
    nl = tap.fresh()
    agent, other = Netlink(), Netlink()
    nl.do("device-new", index=0)
    nl.do("rtt-set", target=device(0), threshold_us=60000000)
    setup(nl, 200)
    strangers(agent, other)
    seq = numbers(agent)
    late(agent)
    hung(agent, nl)

    setup(nl, 100)
    register(other)
    ok("the numbers run on with the next agent",
       (probe(other) - seq) % 2**32 < 2**31)
    nl.do("device-del", index=0)
    refused("a device goes while it is probed", errno.ENOENT,
            "no such device", reply, other, seq)
    other.close()
    tap.finish(nl)


tap.main(main)
