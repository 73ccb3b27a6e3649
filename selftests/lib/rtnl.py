# SPDX-License-Identifier: GPL-2.0-only
"""`ip link`, without a process for each change.

Knows the few words that the tests need, of the same grammar, and says so of
any other.
"""
import os
import socket
import struct

RTM_NEWLINK = 16
RTM_DELLINK = 17
NLM_F_REQUEST = 1
NLM_F_ACK = 4
NLM_F_EXCL_CREATE = 0x600

IFLA_IFNAME = 3
IFLA_LINK = 5
IFLA_MASTER = 10
IFLA_LINKINFO = 18
IFLA_NET_NS_FD = 28
IFLA_CARRIER = 33
IFLA_INFO_KIND = 1
IFLA_INFO_DATA = 2
IFF_UP = 1

BOND_MODES = {"balance-rr": 0, "active-backup": 1, "802.3ad": 4}


class Links:
    """A socket in the network namespace that it was made in."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        self.sock.bind((0, 0))
        self.seq = 0
        self.handles = []

    def close(self):
        self.sock.close()

    def request(self, kind, flags, index=0, up=None, attrs=b"", what=""):
        self.seq += 1
        body = struct.pack("=BxHiII", 0, 0, index, IFF_UP if up else 0,
                           0 if up is None else IFF_UP) + attrs
        self.sock.send(struct.pack("=IHHII", 16 + len(body), kind,
                                   NLM_F_REQUEST | NLM_F_ACK | flags,
                                   self.seq, 0) + body)
        while True:
            data = self.sock.recv(65536)
            _, got, _, seq, _ = struct.unpack_from("=IHHII", data)
            if got == 2 and seq == self.seq:
                break
        for handle in self.handles:
            os.close(handle)
        self.handles = []
        error = -struct.unpack_from("=i", data, 16)[0]
        if error:
            raise OSError(error, os.strerror(error), what)

    def namespace(self, name):
        handle = os.open("/run/netns/" + name, os.O_RDONLY)
        self.handles.append(handle)
        return u32(IFLA_NET_NS_FD, handle)

    def add(self, words, what):
        values = pairs(words)
        attrs = text(IFLA_IFNAME, values.pop("name"))
        if "link" in values:
            attrs += u32(IFLA_LINK, socket.if_nametoindex(values.pop("link")))
        kind = values.pop("type")
        data = b""
        if kind == "bond":
            if "mode" in values:
                data += u8(1, BOND_MODES[values.pop("mode")])
            if "miimon" in values:
                data += u32(3, int(values.pop("miimon")))
            if "lacp_rate" in values:
                data += u8(21, int(values.pop("lacp_rate") == "fast"))
        elif kind == "vlan":
            data += attr(1, struct.pack("=H", int(values.pop("id"))))
        elif kind == "veth":
            peer = struct.pack("=BxHiII", 0, 0, 0, 0, 0) + \
                text(IFLA_IFNAME, values.pop("peer"))
            if "netns" in values:
                peer += self.namespace(values.pop("netns"))
            data += attr(1, peer)
        if values:
            raise ValueError("ip link add: %s" % values)
        attrs += attr(IFLA_LINKINFO, text(IFLA_INFO_KIND, kind, False) +
                      (attr(IFLA_INFO_DATA, data) if data else b""))
        self.request(RTM_NEWLINK, NLM_F_EXCL_CREATE, attrs=attrs, what=what)

    def set(self, name, words, what):
        index = socket.if_nametoindex(name)
        up, attrs = None, b""
        while words:
            word = words.pop(0)
            if word in ("up", "down"):
                up = word == "up"
            elif word == "nomaster":
                attrs += u32(IFLA_MASTER, 0)
            elif word == "master":
                attrs += u32(IFLA_MASTER, socket.if_nametoindex(words.pop(0)))
            elif word == "carrier":
                attrs += u8(IFLA_CARRIER, int(words.pop(0) == "on"))
            elif word == "name":
                attrs += text(IFLA_IFNAME, words.pop(0))
            elif word == "netns":
                attrs += self.namespace(words.pop(0))
            else:
                raise ValueError("ip link set: %s" % word)
        self.request(RTM_NEWLINK, 0, index, up, attrs, what)

    def line(self, line):
        words = line.split()
        if words[:2] == ["link", "add"]:
            self.add(words[2:], line)
        elif words[:2] == ["link", "set"]:
            self.set(words[2], words[3:], line)
        elif words[:2] == ["link", "del"] and len(words) == 3:
            self.request(RTM_DELLINK, 0, socket.if_nametoindex(words[2]),
                         what=line)
        else:
            raise ValueError(line)


def attr(number, payload):
    return struct.pack("=HH", 4 + len(payload), number) + payload + \
        bytes(-len(payload) % 4)


def u8(number, value):
    return attr(number, struct.pack("=B", value))


def u32(number, value):
    return attr(number, struct.pack("=I", value))


def text(number, value, nul=True):
    return attr(number, value.encode() + (b"\0" if nul else b""))


def pairs(words):
    """name NAME, link NAME, type KIND and what belongs to the kind."""
    values = {}
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "peer":
            if words.pop(0) != "name":
                raise ValueError("peer name")
            values["peer"] = words.pop(0)
        elif word in ("name", "link", "type", "mode", "miimon", "lacp_rate",
                      "id", "netns"):
            values[word] = words.pop(0)
        else:
            values["name"] = word
    return values


def links(*lines):
    """Lines of `ip -batch`, in the network namespace of this thread."""
    one = Links()
    try:
        for line in lines:
            one.line(line)
    finally:
        one.close()
