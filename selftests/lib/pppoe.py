# SPDX-License-Identifier: GPL-2.0-only
"""PPPoE frames made by hand, and the wire that they go over.

A wire has two ends: what is sent at the subscribers' end has been judged when
sending returns, and what is sent at the other leaves through the egress hook.
"""
import socket
import struct

ETH_P_ALL = 0x0003
ETH_P_VLAN = 0x8100
ETH_P_DISC = 0x8863
ETH_P_SES = 0x8864
# For local experiments: follows a frame to tell that it has arrived.
ETH_P_MARK = 0x88b5
BROADCAST = b"\xff" * 6

SOL_PACKET = 263
PACKET_AUXDATA = 8
PACKET_OUTGOING = 4
TP_STATUS_VLAN_VALID = 1 << 4

PADI, PADO, PADR, PADS, PADT = 0x09, 0x07, 0x19, 0x65, 0xa7
SERVICE, AC_NAME, HOST_UNIQ, COOKIE, VENDOR, RELAY, AC_ERROR = (
    0x0101, 0x0102, 0x0103, 0x0104, 0x0105, 0x0110, 0x0202)
LCP, PAP, CHAP, IPCP, IPV6CP, IPV4 = (0xc021, 0xc023, 0xc223, 0x8021, 0x8057,
                                      0x0021)
CONF_REQ, CONF_ACK, TERM_REQ, TERM_ACK, ECHO_REQ, ECHO_REP = 1, 2, 5, 6, 9, 10


def subscriber(n):
    """The MAC address of a subscriber."""
    return b"\x02\0\0\0" + struct.pack(">H", n)


def text(mac):
    return ":".join("%02x" % byte for byte in mac)


def tag(kind, value=b""):
    return struct.pack(">HH", kind, len(value)) + value


def agent(circuit, remote=b""):
    """What an intermediate agent adds."""
    value = struct.pack(">I", 3561) + bytes([1, len(circuit)]) + circuit
    if remote:
        value += bytes([2, len(remote)]) + remote
    return tag(VENDOR, value)


def ethernet(dst, src, proto, payload, vlans=()):
    """A frame; vlans are ids, or pairs of ethertype and id, outer first."""
    tags = b""
    for vlan in vlans:
        kind, vid = vlan if isinstance(vlan, tuple) else (ETH_P_VLAN, vlan)
        tags += struct.pack(">HH", kind, vid)
    return dst + src + tags + struct.pack(">H", proto) + payload


def discovery(code, tags, sid=0):
    return struct.pack(">BBHH", 0x11, code, sid, len(tags)) + tags


def session(sid, proto, payload):
    return struct.pack(">BBHHH", 0x11, 0, sid, len(payload) + 2,
                       proto) + payload


def control(code, number, data=b""):
    """A message of LCP, of an authentication or of an NCP."""
    return struct.pack(">BBH", code, number, len(data) + 4) + data


def _listen(name, proto):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                         socket.htons(proto))
    sock.bind((name, proto))
    sock.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    sock.settimeout(5)
    return sock


def _take(sock):
    """One frame with its tag where it was on the wire, None of our own."""
    data, extra, _, address = sock.recvmsg(65536, 256)
    if address[2] == PACKET_OUTGOING:
        return None
    for level, kind, value in extra:
        if (level, kind) != (SOL_PACKET, PACKET_AUXDATA):
            continue
        status, _, _, _, _, tci, tpid = struct.unpack("=IIIHHHH", value[:20])
        if status & TP_STATUS_VLAN_VALID:
            data = data[:12] + struct.pack(">HH", tpid, tci) + data[12:]
    return data


class End:
    """One end of a veth pair."""

    def __init__(self, name):
        self.name = name
        self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.sock.bind((name, 0))
        self.discovery = _listen(name, ETH_P_DISC)
        self.tagged = _listen(name, ETH_P_ALL)
        self.mark = _listen(name, ETH_P_MARK)
        self.mac = self.sock.getsockname()[4]

    def send(self, frame):
        self.sock.send(frame)

    def heard(self, sock=None):
        """The frames of discovery that came through since the last call."""
        sock = sock or self.discovery
        sock.setblocking(False)
        out = []
        try:
            while True:
                out.append(_take(sock))
        except BlockingIOError:
            pass
        finally:
            sock.settimeout(5)
        return [frame for frame in out if frame is not None]

    def heard_all(self):
        """Whatever came, tagged or not, that has to do with PPPoE."""
        wanted = (struct.pack(">H", ETH_P_DISC), struct.pack(">H", ETH_P_SES))
        return [frame for frame in self.heard(self.tagged)
                if any(frame[at:at + 2] in wanted for at in (12, 16, 20))]


class Wire:
    """The end of the BNG and that of the subscribers."""

    def __init__(self, bng, home):
        self.bng = End(bng)
        self.home = End(home)

    def _follow(self, sender, receiver):
        """The frames before it have arrived when this one has."""
        sender.send(ethernet(receiver.mac, sender.mac, ETH_P_MARK, bytes(46)))
        while receiver.mark.recvmsg(2048)[3][2] == PACKET_OUTGOING:
            pass

    def arrive(self, frame):
        """From a subscriber."""
        self.home.send(frame)
        self._follow(self.home, self.bng)

    def leave(self, frame):
        """To a subscriber."""
        self.bng.send(frame)
        self._follow(self.bng, self.home)


class Subscriber:
    """One subscriber of a wire, and the BNG as far as it talks to it."""

    def __init__(self, wire, number, vlans=(), tags=b"", bng=None):
        self.wire = wire
        self.mac = subscriber(number)
        self.vlans = vlans
        self.tags = tags
        self.uniq = struct.pack(">I", number)
        self.bng = bng or wire.bng.mac
        self.sid = 0

    def arrive(self, proto, payload, dst=None):
        self.wire.arrive(ethernet(dst or self.bng, self.mac, proto, payload,
                                  self.vlans))

    def leave(self, proto, payload):
        self.wire.leave(ethernet(self.mac, self.bng, proto, payload,
                                 self.vlans))

    def ask_tags(self, service=b""):
        return tag(SERVICE, service) + tag(HOST_UNIQ, self.uniq) + self.tags

    def padi(self, service=b""):
        self.arrive(ETH_P_DISC, discovery(PADI, self.ask_tags(service)),
                    BROADCAST)

    def pado(self):
        self.leave(ETH_P_DISC, discovery(PADO, tag(AC_NAME, b"bng") +
                                         self.ask_tags() +
                                         tag(COOKIE, b"cookie")))

    def padr(self, dst=None, service=b"", tags=b""):
        self.arrive(ETH_P_DISC, discovery(PADR, self.ask_tags(service) +
                                          tag(COOKIE, b"cookie") + tags), dst)

    def pads(self, sid):
        self.sid = sid or self.sid
        self.leave(ETH_P_DISC, discovery(PADS, self.ask_tags(), sid))

    def padt(self, leaving=False, dst=None):
        payload = discovery(PADT, b"", self.sid)
        if leaving:
            self.leave(ETH_P_DISC, payload)
        else:
            self.arrive(ETH_P_DISC, payload, dst)

    def ppp(self, leaving, proto, code, number, data=b"", sid=None):
        payload = session(self.sid if sid is None else sid, proto,
                          control(code, number, data))
        if leaving:
            self.leave(ETH_P_SES, payload)
        else:
            self.arrive(ETH_P_SES, payload)

    def data(self, leaving):
        payload = session(self.sid, IPV4, b"\x45" + bytes(40))
        if leaving:
            self.leave(ETH_P_SES, payload)
        else:
            self.arrive(ETH_P_SES, payload)

    def dial(self, sid):
        """From PADI to PADS."""
        self.padi()
        self.pado()
        self.padr()
        self.pads(sid)

    def come_up(self, sid, proto=IPCP):
        """All the way."""
        self.dial(sid)
        self.ppp(True, proto, CONF_REQ, 1)
        self.ppp(False, proto, CONF_REQ, 2)
        self.ppp(False, proto, CONF_ACK, 1)
        self.ppp(True, proto, CONF_ACK, 2)
