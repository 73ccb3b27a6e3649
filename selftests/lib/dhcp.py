# SPDX-License-Identifier: GPL-2.0-only
"""DHCPv4 and DHCPv6 frames made by hand.

Nothing is checked here, so that a test can make what no client would send.
"""
import socket
import struct

# DHCPv4 messages
DISCOVER, OFFER, REQUEST, DECLINE, ACK, NAK, RELEASE, INFORM = range(1, 9)
FORCERENEW, LEASEQUERY, LEASEACTIVE = 9, 10, 13
# DHCPv6 messages
SOLICIT6, ADVERTISE6, REQUEST6, CONFIRM6, RENEW6, REBIND6, REPLY6, RELEASE6, \
    DECLINE6, RECONFIGURE6, INFORMATION6, FORW6, REPL6 = range(1, 14)

BROADCAST = b"\xff" * 6
SERVERS6 = b"\x33\x33\0\1\0\2"
FOREVER = 0xffffffff
NO_ADDRS, NO_PREFIX = 2, 6
IA_NA, IA_TA, IA_PD = 3, 4, 25


def mac(n):
    """Address of a client."""
    return b"\2\x77" + struct.pack(">I", n)


def spelled(address):
    return ":".join("%02x" % one for one in address)


def ether(dst, src, kind, payload, tags=(), tpid=0x8100):
    """A frame; of two tags the outer one is of type 88a8."""
    out = dst + src
    if len(tags) == 2:
        tpid = 0x88a8
    for vid in tags:
        out += struct.pack(">HH", tpid, vid)
        tpid = 0x8100
    out += struct.pack(">H", kind) + payload
    return out + bytes(max(0, 60 - len(out)))


def udp(sport, dport, payload, length=None):
    return struct.pack(">HHHH", sport, dport,
                       8 + len(payload) if length is None else length,
                       0) + payload


def ip4(payload, src="0.0.0.0", dst="255.255.255.255", fragment=0,
        length=None):
    head = struct.pack(">BBHHHBBH", 0x45, 0,
                       20 + len(payload) if length is None else length, 7,
                       fragment, 64, 17, 0) + \
        socket.inet_aton(src) + socket.inet_aton(dst)
    total = sum(struct.unpack(">10H", head))
    total = (total & 0xffff) + (total >> 16)
    total = ~(total + (total >> 16)) & 0xffff
    return head[:10] + struct.pack(">H", total) + head[12:] + payload


def ip6(payload, src="fe80::1", dst="ff02::1:2", kind=17):
    return struct.pack(">IHBB", 0x60000000, len(payload), kind, 64) + \
        socket.inet_pton(socket.AF_INET6, src) + \
        socket.inet_pton(socket.AF_INET6, dst) + payload


def option(code, value):
    return struct.pack(">BB", code, len(value)) + value


def address(text):
    return socket.inet_aton(text)


def message4(kind, client, server=None, lease=None, requested=None,
             ciaddr="0.0.0.0", yiaddr="0.0.0.0", giaddr="0.0.0.0",
             circuit=None, remote=None, xid=0x1234, extra=b"", op=None,
             end=b"\xff", hlen=6):
    """A message from op to its last option."""
    if op is None:
        op = 2 if kind in (OFFER, ACK, NAK, FORCERENEW, LEASEACTIVE) else 1
    out = struct.pack(">BBBBIHH", op, 1, hlen, 0, xid, 0, 0x8000)
    for one in (ciaddr, yiaddr, "0.0.0.0", giaddr):
        out += address(one)
    out += client + bytes(10) + bytes(64 + 128) + b"\x63\x82\x53\x63"
    if kind is not None:
        out += option(53, bytes([kind]))
    if server:
        out += option(54, address(server))
    if lease is not None:
        out += option(51, struct.pack(">I", lease))
    if requested:
        out += option(50, address(requested))
    out += extra
    agent = b""
    if circuit is not None:
        agent += option(1, circuit)
    if remote is not None:
        agent += option(2, remote)
    if agent:
        out += option(82, agent)
    return out + end


def read4(payload):
    """What a message says: its type and options."""
    out = {"op": payload[0], "xid": struct.unpack(">I", payload[4:8])[0],
           "client": payload[28:34],
           "giaddr": socket.inet_ntoa(payload[24:28])}
    at = 240
    while at < len(payload) and payload[at] != 255:
        if payload[at]:
            out[payload[at]] = payload[at + 2:at + 2 + payload[at + 1]]
            at += 1 + payload[at + 1]
        at += 1
    return out


def option6(code, value=b""):
    return struct.pack(">HH", code, len(value)) + value


def duid(client):
    """DUID-LL, which has the client's address."""
    return b"\0\3\0\1" + client


def vendor_duid(n):
    """DUID-EN, which has none."""
    return b"\0\2\0\0\x2f\x8a" + struct.pack(">Q", n)


def ia(kind, iaid, valid=None, status=None):
    """An IA; with an address or prefix when it has a valid lifetime."""
    body = struct.pack(">I", iaid) + (b"" if kind == IA_TA else bytes(8))
    if valid is not None and kind == IA_PD:
        body += option6(26, struct.pack(">IIB", valid, valid, 56) + bytes(16))
    elif valid is not None:
        body += option6(5, b"\xfd" + bytes(15) +
                        struct.pack(">II", valid, valid))
    if status is not None:
        body += option6(13, struct.pack(">H", status))
    return option6(kind, body)


def message6(kind, client=None, server=None, *options, rapid=False,
             xid=0x654321):
    out = struct.pack(">I", kind << 24 | xid)
    if client:
        out += option6(1, client)
    if server:
        out += option6(2, server)
    if rapid:
        out += option6(14)
    return out + b"".join(options)


def relayed6(message, kind=FORW6, link_mac=None, interface=None):
    out = bytes([kind, 0]) + bytes(32)
    if interface is not None:
        out += option6(18, interface)
    if link_mac:
        out += option6(79, b"\0\1" + link_mac)
    return out + option6(9, message)


def read6(payload):
    """Type, transaction and options, those that come often in a list."""
    out = {"type": payload[0], "xid": struct.unpack(">I", payload[:4])[0] &
           0xffffff}
    at = 4
    while at + 4 <= len(payload):
        code, length = struct.unpack_from(">HH", payload, at)
        out.setdefault(code, []).append(payload[at + 4:at + 4 + length])
        at += 4 + length
    return out


class Wire:
    """One end of a cable: sends frames, and hears those of one ethertype.

    By ethertype a socket gets what the hook of the net device let through;
    one that hears everything would be asked before it.
    """

    def __init__(self, ifname):
        self.ifname = ifname
        self.out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.out.bind((ifname, 0))
        self.ears = []
        for kind in (0x0800, 0x86dd):
            one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                                socket.htons(kind))
            one.bind((ifname, kind))
            one.setblocking(False)
            one.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)
            self.ears.append(one)

    def send(self, frame):
        self.out.send(frame)

    def heard(self):
        """Frames that arrived since the last call."""
        found = []
        for one in self.ears:
            while True:
                try:
                    data, address_ = one.recvfrom(4096)
                except BlockingIOError:
                    break
                if address_[2] != socket.PACKET_OUTGOING:
                    found.append(data)
        return found

    def close(self):
        for one in self.ears + [self.out]:
            one.close()
