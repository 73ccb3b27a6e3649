# SPDX-License-Identifier: GPL-2.0-only
"""The netlink family resmon, spoken by hand.

All names and numbers come from uapi/linux/resmon.h, so that a test which uses
this file needs neither rmctl nor the specification, and can send what neither
of them would.
"""
import collections
import os
import re
import select
import socket
import struct
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
HEADER = os.path.join(ROOT, "uapi/linux/resmon.h")

SOL_NETLINK = 270
NETLINK_GENERIC = 16
NETLINK_ADD_MEMBERSHIP = 1
NETLINK_CAP_ACK = 10
NETLINK_EXT_ACK = 11
SO_SNDBUFFORCE = 32
SO_RCVBUFFORCE = 33

NLMSG_ERROR = 2
NLMSG_DONE = 3
NLM_F_REQUEST = 1
NLM_F_MULTI = 2
NLM_F_ACK = 4
NLM_F_ECHO = 8
NLM_F_DUMP_INTR = 0x10
NLM_F_CAPPED = 0x100
NLM_F_ACK_TLVS = 0x200
NLM_F_DUMP = 0x300
NLA_F_NESTED = 0x8000
NLA_TYPE_MASK = 0x3fff

GENL_ID_CTRL = 16
CTRL_CMD_GETFAMILY = 3
CTRL_ATTR_FAMILY_ID = 1
CTRL_ATTR_FAMILY_NAME = 2
CTRL_ATTR_MCAST_GROUPS = 7

NLMSGERR_ATTR_MSG = 1
NLMSGERR_ATTR_OFFS = 2
NLMSGERR_ATTR_MISS_TYPE = 5
NLMSGERR_ATTR_MISS_NEST = 6


def constants(path=HEADER):
    """Every #define and every enumerator of the header."""
    found = {}
    with open(path, encoding="ascii") as header:
        text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)
    for name, value in re.findall(r"^#define (RESMON_\w+)\s+(\S+)", text, re.M):
        found[name] = value.strip('"') if '"' in value else int(value, 0)
    for body in re.findall(r"enum[^{;]*{(.*?)}", text, re.S):
        number = -1
        for item in filter(None, map(str.strip, body.split(","))):
            name, _, value = map(str.strip, item.partition("="))
            if name.endswith("_MAX") and value:
                found[name] = number - 1
                continue
            number = int(value, 0) if value else number + 1
            found[name] = number
    return found


CONST = constants()


def const(name):
    return CONST["RESMON_" + name.upper().replace("-", "_")]


def _table(prefix, but=()):
    """Names of the enumerators below a prefix, by number."""
    prefix = "RESMON_" + prefix + "_"
    return {value: name[len(prefix):].lower().replace("_", "-")
            for name, value in CONST.items()
            if name.startswith(prefix) and name != prefix + "MAX" and
            not name[len(prefix):].startswith(but)}


COMMANDS = _table("CMD")
SETS = ("TARGET", "CHASSIS", "DEVICE", "MIC", "PORT", "LAG", "LEG", "LIMIT",
        "DRAIN", "WATERMARK", "REGION", "RTT", "ECHO", "SESSION", "BATCH",
        "REQUEST", "ANSWER", "TIMEOUT", "WHY", "STATS_ROW", "STATS_CAUSE",
        "STATS", "EVENT", "ENFORCE")
# RESMON_A_STATS_ROW is an attribute, RESMON_A_STATS_ROW_TYPE one of another
# set.
ATTRS = {name: _table("A_" + name, ("ROW_", "CAUSE_") if name == "STATS" else ())
         for name in SETS}

NESTS = {
    ("LIMIT", "target"): "TARGET", ("DRAIN", "target"): "TARGET",
    ("RTT", "target"): "TARGET", ("SESSION", "target"): "TARGET",
    ("ENFORCE", "target"): "TARGET",
    ("REQUEST", "target"): "TARGET", ("ANSWER", "target"): "TARGET",
    ("STATS", "target"): "TARGET", ("EVENT", "target"): "TARGET",
    ("WHY", "place"): "TARGET", ("WHY", "refuser"): "TARGET",
    ("EVENT", "refuser"): "TARGET", ("LAG", "leg"): "LEG",
    ("BATCH", "request"): "REQUEST", ("BATCH", "answer"): "ANSWER",
    ("STATS", "row"): "STATS_ROW",
    ("STATS_ROW", "denied"): "STATS_CAUSE",
    ("STATS_ROW", "refused"): "STATS_CAUSE",
}
MULTI = {("LAG", "leg"), ("BATCH", "request"), ("BATCH", "answer"),
         ("STATS", "row"), ("STATS_ROW", "denied"), ("STATS_ROW", "refused"),
         ("PORT", "anchor")}
STRINGS = {"ifname", "lag-ifname", "name", "message"}
ENUMS = {
    ("TARGET", "kind"): "ELEMENT_KIND", ("EVENT", "type"): "EVENT_TYPE",
    ("EVENT", "client-type"): "TYPE", ("REGION", "region"): "REGION_KIND",
    ("EVENT", "region"): "REGION_KIND", ("CHASSIS", "on-error"): "ON_ERROR",
    ("ENFORCE", "pppoe"): "ACTION", ("ENFORCE", "dhcp4"): "ACTION",
    ("ENFORCE", "dhcp6"): "ACTION", ("ENFORCE", "l2tp"): "ACTION",
    ("ENFORCE", "mode"): "ENFORCE_MODE", ("ENFORCE", "key"): "IDENTITY",
    ("ENFORCE", "priority"): "PRIORITY", ("REQUEST", "login"): "LOGIN",
}
BYTES = {("WHY", "key"), ("SESSION", "key"), ("REQUEST", "key"),
         ("ENFORCE", "value")}
for _name in ("type", "kind", "state", "verdict", "cause", "law", "recovery",
              "select", "engine"):
    ENUMS.setdefault((None, _name), _name.upper())
SIZE64 = {("REGION", "used"), ("REGION", "total"), ("ECHO", "time-ns")}


def enum_of(space, name):
    return ENUMS.get((space, name)) or ENUMS.get((None, name))


def attr(number, payload=b"", nested=False):
    """One attribute as bytes."""
    length = 4 + len(payload)
    return struct.pack("=HH", length, number | (NLA_F_NESTED if nested else 0)
                       ) + payload + bytes(-length % 4)


def number_of(space, name):
    return CONST["RESMON_A_%s_%s" % (space, name.upper().replace("-", "_"))]


def encode_one(space, name, value):
    number = number_of(space, name)
    if (space, name) in NESTS:
        if isinstance(value, dict):
            value = encode(NESTS[space, name], value)
        return attr(number, value, nested=True)
    if value is True:
        return attr(number)
    if isinstance(value, bytes):
        return attr(number, value)
    if isinstance(value, str):
        enum = enum_of(space, name)
        if enum:
            value = const(enum + "_" + value)
        elif name in STRINGS:
            return attr(number, value.encode() + b"\0")
        else:
            return attr(number, value.encode())
    return attr(number, struct.pack("=Q" if (space, name) in SIZE64 else "=I",
                                    value))


def encode(space, values):
    """A dictionary as attributes; None and False are left out.

    bytes go in as they are, a list is an attribute that comes many times.
    """
    out = []
    for name, value in values.items():
        name = name.replace("_", "-")
        if value is None or value is False:
            continue
        if name == "raw":
            out.append(value)
        elif isinstance(value, (list, tuple)):
            out.extend(encode_one(space, name, one) for one in value)
        else:
            out.append(encode_one(space, name, value))
    return b"".join(out)


def walk(data):
    """(offset, type, payload) of each attribute."""
    at = 0
    while at + 4 <= len(data):
        length, number = struct.unpack_from("=HH", data, at)
        if length < 4:
            break
        yield at, number & NLA_TYPE_MASK, data[at + 4:at + length]
        at += (length + 3) & ~3


def decode(space, data):
    """Attributes as a dictionary with the names of the specification."""
    out = {}
    for _, number, payload in walk(data):
        name = ATTRS[space].get(number, str(number))
        if name == "pad":
            continue
        if (space, name) in NESTS:
            value = decode(NESTS[space, name], payload)
        elif name in STRINGS:
            value = payload.rstrip(b"\0").decode()
        elif (space, name) in BYTES:
            value = payload
        elif len(payload) == 8:
            value = struct.unpack("=Q", payload)[0]
        elif len(payload) == 4:
            value = struct.unpack("=i" if name == "error" else "=I",
                                  payload)[0]
            enum = enum_of(space, name)
            if enum:
                value = _enum_names(enum).get(value, value)
        else:
            value = payload or True
        if (space, name) in MULTI:
            out.setdefault(name, []).append(value)
        else:
            out[name] = value
    return out


_names = {}


def _enum_names(enum):
    if enum not in _names:
        _names[enum] = _table(enum)
    return _names[enum]


def space_of(command):
    """The attribute set of a command."""
    if command in ("session-admit", "session-activate", "session-release",
                   "session-import"):
        return "BATCH"
    return command.split("-")[0].upper()


class Refused(Exception):
    """The kernel said no: error number, its sentence, the attribute."""

    def __init__(self, number, message="", path=None, missing=None,
                 offset=None):
        super().__init__(number, message)
        self.errno = number
        self.message = message
        self.path = path
        self.missing = missing
        self.offset = offset

    def __str__(self):
        return "%s: %s (at %s, missing %s)" % (
            os.strerror(self.errno), self.message, self.path, self.missing)


def path_at(space, message, offset):
    """Names of the attributes that lead to an offset: limit.target.kind."""
    at, data, names = 20, message[20:], []
    while True:
        for start, number, payload in walk(data):
            if start + at <= offset < start + at + 4 + len(payload):
                break
        else:
            return ".".join(names) or None
        name = ATTRS[space].get(number, "#%d" % number)
        names.append(name)
        if offset == start + at or (space, name) not in NESTS:
            return ".".join(names)
        space = NESTS[space, name]
        at += start + 4
        data = payload


Message = collections.namedtuple("Message", "command attrs seq portid flags")


class Netlink:
    """A socket; each request waits for its answers."""

    def __init__(self, groups=(), timeout=60, size=1 << 17):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW,
                                  NETLINK_GENERIC)
        self.sock.bind((0, 0))
        self.portid = self.sock.getsockname()[0]
        self.sock.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.sock.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        self.timeout = timeout
        self.size = size
        self.seq = 0
        self.heard = collections.deque()
        self.interrupted = False
        self.family = None
        self.groups = {}
        self._resolve()
        for group in groups:
            self.sock.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
                                 self.groups[group])

    def close(self):
        self.sock.close()

    def fileno(self):
        return self.sock.fileno()

    def room(self, size):
        """A send and receive buffer of a size, for large batches."""
        self.sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, size)
        self.sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, size)

    def _resolve(self):
        name = attr(CTRL_ATTR_FAMILY_NAME, b"resmon\0")
        reply = self._talk(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, name, 0,
                           None)[0]
        for _, number, payload in walk(reply):
            if number == CTRL_ATTR_FAMILY_ID:
                self.family = struct.unpack("=H", payload)[0]
            elif number == CTRL_ATTR_MCAST_GROUPS:
                for _, _, group in walk(payload):
                    one = {n: p for _, n, p in walk(group)}
                    self.groups[one[1].rstrip(b"\0").decode()] = \
                        struct.unpack("=I", one[2])[0]

    def pack(self, command, attrs, flags, number=None, version=1,
             family=None):
        self.seq += 1
        if number is None:
            number = const("CMD_" + command)
        return struct.pack("=IHHIIBBH", 20 + len(attrs),
                           family or self.family, NLM_F_REQUEST | flags,
                           self.seq, self.portid, number, version,
                           0) + attrs

    def _talk(self, family, command, version, attrs, flags, space):
        message = self.pack(None, attrs, flags | NLM_F_ACK, command, version,
                            family)
        self.sock.send(message)
        return self.answers(message, space, raw=True)

    def _message(self, kind, flags, seq, portid, data):
        command = COMMANDS.get(data[0], str(data[0]))
        return Message(command, decode(space_of(
            "event" if command == "event" else command), data[4:]),
            seq, portid, flags)

    def _receive(self, timeout):
        """Messages of one datagram, or none when there is nothing."""
        if not select.select([self.sock], [], [], timeout)[0]:
            return
        data = self.sock.recv(self.size)
        at = 0
        while at + 16 <= len(data):
            length, kind, flags, seq, portid = struct.unpack_from(
                "=IHHII", data, at)
            yield kind, flags, seq, portid, data[at + 16:at + length]
            at += (length + 3) & ~3

    def _error(self, message, space, flags, data):
        number = -struct.unpack_from("=i", data)[0]
        if not number:
            return None
        # A capped answer repeats the header of the request alone.
        skip = 4 + (16 if flags & NLM_F_CAPPED else
                    struct.unpack_from("=I", data, 4)[0])
        tlvs = {n: p for _, n, p in walk(data[skip:])
                } if flags & NLM_F_ACK_TLVS else {}
        return self._refused(number, tlvs, message, space)

    @staticmethod
    def _refused(number, tlvs, message, space):
        text = tlvs.get(NLMSGERR_ATTR_MSG, b"").rstrip(b"\0").decode()
        path = missing = offset = None
        if NLMSGERR_ATTR_OFFS in tlvs:
            offset = struct.unpack("=I", tlvs[NLMSGERR_ATTR_OFFS])[0]
            if space:
                path = path_at(space, message, offset)
        if NLMSGERR_ATTR_MISS_TYPE in tlvs and space:
            missing = ATTRS[space].get(struct.unpack(
                "=I", tlvs[NLMSGERR_ATTR_MISS_TYPE])[0])
        return Refused(number, text, path, missing, offset)

    def answers(self, message, space, raw=False):
        """Everything up to the acknowledgement of a request."""
        seq = struct.unpack_from("=I", message, 8)[0]
        echo = struct.unpack_from("=H", message, 6)[0] & (
            NLM_F_DUMP | NLM_F_ECHO) == NLM_F_ECHO
        out = []
        self.interrupted = False
        end = time.monotonic() + self.timeout
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError("no answer to request %d" % seq)
            for kind, flags, its_seq, portid, data in self._receive(left):
                told = kind == self.family and \
                    COMMANDS.get(data[0], "").endswith(("-ntf", "event"))
                if its_seq != seq or (portid and portid != self.portid) or \
                        (told and not echo):
                    if kind == self.family:
                        self.heard.append(self._message(kind, flags, its_seq,
                                                        portid, data))
                    continue
                self.interrupted |= bool(flags & NLM_F_DUMP_INTR)
                if kind == NLMSG_ERROR:
                    refused = self._error(message, space, flags, data)
                    if refused:
                        raise refused
                    return out
                if kind == NLMSG_DONE:
                    number = -struct.unpack_from("=i", data)[0]
                    if number > 0:
                        tlvs = {n: p for _, n, p in walk(data[4:])}
                        raise self._refused(number, tlvs, message, space)
                    return out
                if raw:
                    out.append(data[4:])
                elif told:
                    out.append(self._message(kind, flags, its_seq, portid,
                                             data))
                else:
                    out.append(decode(space, data[4:]))

    def raw(self, command, attrs, flags=0, space=None):
        """Attributes as bytes, also those that are wrong."""
        message = self.pack(command, attrs, flags | (
            0 if flags & NLM_F_DUMP == NLM_F_DUMP else NLM_F_ACK))
        self.sock.send(message)
        return self.answers(message, space or space_of(command))

    def do(self, command, flags=0, **values):
        """A request; its answer as a dictionary, or None."""
        command = command.replace("_", "-")
        out = self.raw(command, encode(space_of(command), values), flags)
        return out[0] if out else None

    def dump(self, command, **values):
        """A dump as a list; again when it was interrupted."""
        while True:
            out = self.dump_once(command, **values)
            if not self.interrupted:
                return out

    def dump_once(self, command, **values):
        command = command.replace("_", "-")
        return self.raw(command, encode(space_of(command), values),
                        NLM_F_DUMP)

    # --- sessions

    def batch(self, command, requests):
        """The answers to any number of requests, in their order."""
        out = []
        most = const("BATCH_MAX")
        for at in range(0, len(requests), most):
            attrs = b"".join(one if isinstance(one, bytes) else
                             encode_one("BATCH", "request", one)
                             for one in requests[at:at + most])
            for reply in self.raw(command, attrs):
                for answer in reply.get("answer", ()):
                    answer["index"] += at
                    out.append(answer)
        return out

    def admit(self, target, type="pppoe", count=None, **values):
        """One request (its answer) or `count` without a key (a list)."""
        request = dict(target=target, type=type, **values)
        if target is None:
            del request["target"]
        if type is None:
            del request["type"]
        if count is None:
            return self.batch("session-admit", [request])[0]
        return self.batch("session-admit",
                          [encode_one("BATCH", "request", request)] * count)

    def admitted(self, *args, **values):
        """Id of a session that must get in."""
        answer = self.admit(*args, **values)
        if answer["verdict"] != "admit":
            raise AssertionError("not admitted: %s" % answer)
        return answer["id"]

    def release(self, **values):
        """How many sessions ended."""
        return self.batch("session-release", [values])[0]["released"]

    def activate(self, **values):
        return self.batch("session-activate", [values])[0]

    def count(self, target=None, **values):
        return self.do("session-count", target=target, **values)["count"]

    def limit(self, target, type="any", **values):
        self.do("limit-set", target=target, type=type, **values)

    # --- what is multicast

    def next(self, timeout=0):
        """The next notification or event, None when none came."""
        end = time.monotonic() + timeout
        while not self.heard:
            left = max(end - time.monotonic(), 0)
            for kind, flags, seq, portid, data in self._receive(left):
                if kind == self.family:
                    self.heard.append(self._message(kind, flags, seq, portid,
                                                    data))
            if not left:
                break
        return self.heard.popleft() if self.heard else None


# --- targets

CHASSIS = {"kind": "chassis"}


def device(index):
    return {"kind": "device", "device": index}


def mic(index, number):
    return {"kind": "mic", "device": index, "mic": number}


def port(name):
    return {"kind": "port", "ifname": name}


def lag(name):
    return {"kind": "lag", "ifname": name}


def text(target):
    """A target in words, as rmctl takes it."""
    if not target:
        return "-"
    kind = target["kind"]
    if kind == "device":
        return "device %d" % target["device"]
    if kind == "mic":
        return "mic %d/%d" % (target["device"], target["mic"])
    if kind in ("port", "lag"):
        return "%s %s" % (kind, target["ifname"])
    return "chassis"
