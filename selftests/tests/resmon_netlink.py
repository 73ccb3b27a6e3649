# SPDX-License-Identifier: GPL-2.0-only
"""A bare generic netlink socket, for tests of what no tool of ours sends.

It knows nothing but the contract's header, is quick where a process a request
is too slow, and keeps TAP.
"""

import os
import socket
import struct
import subprocess
import sys
import time

NETLINK_GENERIC, SOL_NETLINK = 16, 270
NETLINK_CAP_ACK, NETLINK_EXT_ACK = 10, 11
NLM_F_REQUEST, NLM_F_ACK = 1, 4
NLMSG_ERROR, GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 2, 16, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 1, 2
NLMSGERR_ATTR_MSG = 1

HEADER = os.path.join(os.path.dirname(__file__), "../../uapi/linux/resmon.h")


def enum_of(first):
    """The enum that begins with FIRST = 1, as a dict."""
    names, value = {}, 0
    with open(HEADER, encoding="utf-8") as header:
        for line in header:
            word = line.strip().rstrip(",")
            if word == first + " = 1":
                value = 1
                word = first
            elif value and not word:
                break
            if value:
                names[word] = value
                value += 1
    return names


CMD = enum_of("RESMON_CMD_CHASSIS_GET")


def attr(kind, data):
    """One attribute; a number is taken as u32."""
    if isinstance(data, int):
        data = struct.pack("=I", data)
    return struct.pack("=HH", 4 + len(data), kind) + data + \
        bytes(-len(data) % 4)


def attrs_of(data):
    """Attributes by their number."""
    found = {}
    while len(data) >= 4:
        size, kind = struct.unpack_from("=HH", data)
        found[kind & 0x3fff] = data[4:size]
        data = data[(size + 3) & ~3:]
    return found


def number(data):
    """The value of an attribute of 4 or 8 bytes; None stays None."""
    return data and int.from_bytes(data, sys.byteorder)


class Refused(Exception):
    """The kernel refused: error number and sentence."""


class Socket:
    """A socket of the family; `events` keeps what nobody asked for."""

    def __init__(self):
        self.sk = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW,
                                NETLINK_GENERIC)
        self.sk.bind((0, 0))
        self.sk.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.sk.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        self.sk.settimeout(30)
        self.seq, self.events, self.family = 0, [], GENL_ID_CTRL
        reply = self.ask(CTRL_CMD_GETFAMILY,
                         attr(CTRL_ATTR_FAMILY_NAME, b"resmon\0"))
        self.family = number(reply[CTRL_ATTR_FAMILY_ID])

    def read(self):
        """One message: its type, sequence number and payload."""
        data = self.sk.recv(65536)
        size, kind, _, seq, _ = struct.unpack_from("=IHHII", data)
        return kind, seq, data[16:size]

    def ask(self, cmd, data=b""):
        """Attributes of the reply; what is refused is raised."""
        self.seq += 1
        payload = struct.pack("=BBH", cmd, 1, 0) + data
        self.sk.send(struct.pack("=IHHII", 16 + len(payload), self.family,
                                 NLM_F_REQUEST | NLM_F_ACK, self.seq, 0) +
                     payload)
        reply = {}
        while True:
            kind, seq, payload = self.read()
            if seq != self.seq:
                self.events.append(payload)
            elif kind != NLMSG_ERROR:
                reply = attrs_of(payload[4:])
            else:
                error, = struct.unpack_from("=i", payload)
                text = attrs_of(payload[20:]).get(NLMSGERR_ATTR_MSG, b"")
                if error:
                    raise Refused(-error, text.rstrip(b"\0").decode())
                return reply

    def event(self, cmd):
        """Attributes of the next event CMD."""
        while True:
            for i, payload in enumerate(self.events):
                if payload[0] == CMD[cmd]:
                    del self.events[i]
                    return attrs_of(payload[4:])
            self.events.append(self.read()[2])


class Test:
    """Results as TAP."""

    def __init__(self):
        self.n = self.failed = 0

    def check(self, name, wanted, got):
        """Both are the same."""
        self.n += 1
        good = wanted == got
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.n} - {name}", flush=True)
        if not good:
            print(f"# wanted {wanted}, got {got}")

    def refused(self, name, wanted, function, *args):
        """The call raises Refused with that error number and sentence."""
        try:
            function(*args)
            self.check(name, wanted, None)
        except Refused as refusal:
            self.check(name, wanted, refusal.args)

    def finish(self):
        """The plan, and the status."""
        print(f"1..{self.n}")
        sys.exit(self.failed > 0)


def rmctl(*words):
    """Runs rmctl, which must succeed; what it prints."""
    return subprocess.run(("rmctl",) + words, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def fresh():
    """The module as after a boot."""
    subprocess.run(("rmmod", "resmon"), stderr=subprocess.DEVNULL,
                   check=False)
    subprocess.run(("modprobe", "resmon"), check=True)


def until(function, wanted, seconds=20):
    """Waits until FUNCTION returns WANTED; what it returned last."""
    end = time.monotonic() + seconds
    while True:
        got = function()
        if got == wanted or time.monotonic() > end:
            return got
        time.sleep(0.02)
