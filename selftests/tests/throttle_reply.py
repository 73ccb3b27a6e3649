#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Answers to probes as no proper agent gives them, and none (E1, E2)."""

import socket

from resmon_netlink import CMD, Socket, Test, attr, enum_of, fresh, number, \
    rmctl, until

EPERM, ENOENT, EBUSY, EINVAL = 1, 2, 16, 22
ECHO = enum_of("RESMON_A_ECHO_DEVICE")
RTT = enum_of("RESMON_A_RTT_TARGET")
TARGET = enum_of("RESMON_A_TARGET_KIND")
ELEMENT_DEVICE = 1


class Agent(Socket):
    """A socket that may be registered as the agent of device 0."""

    def register(self):
        """Answer the probes from now on."""
        self.ask(CMD["RESMON_CMD_ECHO_REGISTER"],
                 attr(ECHO["RESMON_A_ECHO_DEVICE"], 0))

    def probe(self):
        """The number of the next probe."""
        event = self.event("RESMON_CMD_ECHO_PROBE")
        return number(event[ECHO["RESMON_A_ECHO_SEQ"]])

    def reply(self, seq, device=0):
        """Answer a probe."""
        data = b""
        if device is not None:
            data += attr(ECHO["RESMON_A_ECHO_DEVICE"], device)
        if seq is not None:
            data += attr(ECHO["RESMON_A_ECHO_SEQ"], seq % 2**32)
        self.ask(CMD["RESMON_CMD_ECHO_REPLY"], data)

    def echo(self, name):
        """A value of what echo show shows."""
        reply = self.ask(CMD["RESMON_CMD_ECHO_GET"],
                         attr(ECHO["RESMON_A_ECHO_DEVICE"], 0))
        return number(reply[ECHO["RESMON_A_ECHO_" + name]])

    def rtt(self, name):
        """A value of what rtt show shows, None when it is absent."""
        target = attr(TARGET["RESMON_A_TARGET_KIND"], ELEMENT_DEVICE) + \
            attr(TARGET["RESMON_A_TARGET_DEVICE"], 0)
        reply = self.ask(CMD["RESMON_CMD_RTT_GET"],
                         attr(RTT["RESMON_A_RTT_TARGET"] | 0x8000, target))
        return number(reply.get(RTT["RESMON_A_RTT_" + name]))


def strangers(test, agent, other):
    """Who may answer."""
    foreign = (EPERM, "this socket is not the agent of the device")
    test.refused("an answer while there is no agent", foreign, other.reply, 1)
    agent.register()
    agent.register()
    test.check("a socket registers, twice if it likes", True,
               agent.echo("AGENT") != 0)
    test.refused("another one beside it",
                 (EBUSY, "this device has an agent already"), other.register)
    test.refused("an answer from another socket", foreign, other.reply,
                 agent.probe())
    test.check("both are counted as foreign", 2, agent.echo("FOREIGN"))
    test.check("and measure nothing", None, agent.rtt("RTT_US"))


def numbers(test, agent):
    """What may be answered."""
    answered = agent.echo("ANSWERED")
    seq = agent.probe()
    agent.reply(seq)
    test.check("the answer to a probe", answered + 1, agent.echo("ANSWERED"))
    agent.reply(seq)
    test.check("the same answer again is unknown", 1, agent.echo("UNKNOWN"))
    agent.reply(seq + 100000)
    agent.reply(seq + 2**31)
    agent.reply(seq - 100000)
    test.check("the number of no probe is unknown", 4, agent.echo("UNKNOWN"))
    test.check("and answers nothing", answered + 1, agent.echo("ANSWERED"))

    test.refused("an answer without its number",
                 (EINVAL, "an answer needs the number of its probe"),
                 agent.reply, None)
    test.refused("an answer without its device",
                 (EINVAL, "which device? a slot number is needed"),
                 agent.reply, seq, None)
    test.refused("an answer for no device", (ENOENT, "no such device"),
                 agent.reply, seq, 5)

    first, second = agent.probe(), agent.probe()
    agent.reply(second)
    agent.reply(first)
    test.check("answers out of their order are answers", answered + 3,
               agent.echo("ANSWERED"))
    test.check("and in time", 0, agent.echo("LATE"))
    return first


def late(test, agent):
    """An answer after the threshold."""
    seq = agent.probe()
    rmctl("rtt", "set", "device", "0", "threshold", "1")
    rmctl("echo", "set", "device", "0", "engine", "agent", "interval",
          "60000")
    test.check("what has no answer for the threshold is a measurement",
               agent.echo("SENT"),
               until(lambda: agent.rtt("MEASURED"), agent.echo("SENT")))
    unanswered = agent.rtt("UNANSWERED")
    test.check("and not answered", True, unanswered > 0)
    agent.reply(seq)
    test.check("an answer to it is late", 1, agent.echo("LATE"))
    test.check("and no second measurement",
               (agent.echo("SENT"), unanswered),
               (agent.rtt("MEASURED"), agent.rtt("UNANSWERED")))
    test.check("but shown", True, agent.rtt("RTT_US") > 1000)
    agent.reply(seq)
    test.check("a second one is unknown", 5, agent.echo("UNKNOWN"))


def hung(test, agent):
    """An agent that reads nothing: its socket fills up."""
    agent.sk.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    rmctl("echo", "set", "device", "0", "engine", "agent", "interval", "100")
    other = Agent()
    test.check("its probes are lost", True,
               until(lambda: other.echo("LOST") >= 5, True, 60))
    rmctl("echo", "set", "device", "0", "engine", "agent", "interval",
          "60000")
    total = other.echo("LOST") + other.echo("SENT")
    test.check("and measured as not answered", total,
               until(lambda: other.rtt("MEASURED"), total))
    agent.sk.close()
    test.check("until its socket closes", 0,
               until(lambda: other.echo("AGENT"), 0))


def main():
    test = Test()
    fresh()
    rmctl("device", "add", "0")
    rmctl("echo", "set", "device", "0", "engine", "agent", "interval", "200")
    rmctl("rtt", "set", "device", "0", "threshold", "60000")
    agent, other = Agent(), Agent()
    strangers(test, agent, other)
    seq = numbers(test, agent)
    late(test, agent)
    hung(test, agent)

    rmctl("echo", "set", "device", "0", "engine", "agent", "interval", "100")
    other.register()
    test.check("the numbers run on with the next agent", True,
               (other.probe() - seq) % 2**32 < 2**31)
    test.finish()


main()
