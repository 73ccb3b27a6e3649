#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sessions from their beginning to every end there is: L1 to L4, P8."""
import errno
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import CHASSIS, Netlink, device, lag, mic, port  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused, wait_until  # noqa: E402

ETH1, ETH2, BOND = port("eth1"), port("eth2"), lag("bond1")


def setup(nl):
    tap.ip("link add eth1 type dummy", "link add eth2 type dummy",
           "link add leg1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up")
    nl.do("device-new", index=0)
    nl.do("device-new", index=1)
    nl.do("mic-new", device=0, index=1)
    nl.do("port-new", ifname="eth1", device=0, mic=1)
    nl.do("port-new", ifname="eth2", device=1)
    nl.do("port-new", ifname="leg1", device=1)


def identity(nl):
    first = nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04")
    again = nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04")
    equal("L2: the same key is the same session, charged once",
          (again["id"], first["same"], again["same"], nl.count(ETH1)),
          (first["id"], 0, 1, 1))
    active = nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04", active=True)
    equal("L2: asked for as active, it is up",
          (active["id"], nl.do("session-get", id=first["id"])["state"]),
          (first["id"], "active"))
    equal("L2: the same key while active is still the same session",
          nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04")["id"], first["id"])
    nl.limit(ETH1, max_sessions=1)
    equal("L2: it passes where the limit is reached",
          nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04")["verdict"],
          "admit")
    nl.do("limit-del", target=ETH1, type="any")

    others = [nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x05"),
              nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04", type="dhcp"),
              nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04", vlan_outer=7),
              nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04", vlan_outer=7,
                       vlan_inner=8),
              nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03"),
              nl.admit(ETH1, key=b"\xaa\x00\x01\x02\x03\x04\x00"),
              nl.admit(ETH2, key=b"\xaa\x00\x01\x02\x03\x04"),
              nl.admit(BOND, key=b"\xaa\x00\x01\x02\x03\x04")]
    equal("L1: another key, type, VLAN, length, port or lag: another session",
          ([one["same"] for one in others],
           len({one["id"] for one in others} | {first["id"]})), ([0] * 8, 9))
    nl.admit(ETH1)
    nl.admit(ETH1)
    equal("L1: without a key each request is a session", nl.count(ETH1), 9)
    nl.release(all=True)

    # Both sides of the 16 bytes that are kept as they are.
    keys = [bytes(range(1, n + 1)) for n in (1, 15, 16, 17, 63, 64)]
    keys.append(keys[-1][:-1] + b"\xff")
    ids = [nl.admitted(ETH1, key=key) for key in keys]
    equal("L4: keys of 1 to 64 bytes are shown as they were given",
          [nl.do("session-get", id=one)["key"] for one in ids], keys)
    equal("L2: and all are found again",
          [nl.admit(ETH1, key=key)["id"] for key in keys], ids)
    said = refused("L1: a key of 65 bytes is refused", errno.ERANGE, None,
                   nl.admit, ETH1, key=b"k" * 65)
    ok("L1: the key is the attribute at fault",
       said and said.path == "request.key", said and said.path)
    refused("L1: an empty key is refused", errno.EINVAL, "the key is empty",
            nl.admit, ETH1, key=b"")
    for key in keys[:3]:
        equal("L3: released by a key of %d bytes" % len(key),
              nl.release(target=ETH1, key=key), 1)
    for key in keys[3:]:
        equal("L3: activated and released by a key of %d bytes" % len(key),
              ("id" in nl.activate(target=ETH1, key=key),
               nl.release(target=ETH1, key=key, type="pppoe")), (True, 1))
    equal("L3: nobody is left", nl.count(), 0)


def ids(nl):
    first = nl.admitted(ETH1, key=b"a")
    nl.release(id=first)
    others = [one["id"] for one in nl.admit(ETH1, count=50)]
    ok("L4: no id of a session that is gone comes to life for another",
       first not in others)
    for command in ("session-get", "session-release", "session-activate"):
        refused("L4: %s of that id" % command, errno.ENOENT,
                "no session with that id",
                *(nl.do, "session-get") if command == "session-get" else
                (nl.batch, command, [dict(id=first)]),
                **(dict(id=first) if command == "session-get" else {}))
    equal("L4: and touches nobody", nl.count(ETH1), 50)
    again = nl.admitted(ETH1, key=b"a")
    ok("L4: the same key later has another id", again != first)
    nl.release(all=True)


def states(nl):
    one = nl.admitted(ETH1, key=b"a")
    shown = nl.do("session-get", id=one)
    equal("L1: a session begins as starting",
          [shown.get(name) for name in ("state", "type", "kind", "key")],
          ["starting", "pppoe", "client", b"a"])
    nl.activate(id=one)
    nl.activate(id=one)
    equal("L1: activated, also twice, it is active",
          (nl.do("session-get", id=one)["state"],
           nl.do("session-count")["count-starting"]), ("active", 0))
    two = nl.admitted(ETH1, type="l2tp", key=b"b", active=True)
    nl.admitted(ETH2, type="dhcp", key=b"c")
    everything = {(row["key"], row["state"]) for row in nl.dump("session-get")}
    equal("L1: all are shown", everything,
          {(b"a", "active"), (b"b", "active"), (b"c", "starting")})
    equal("L1: or those of an element, a type, a state",
          [sorted(row["key"] for row in nl.dump("session-get", **which))
           for which in (dict(target=ETH1), dict(target=device(1)),
                         dict(type="l2tp"), dict(state="starting"),
                         dict(target=CHASSIS, type="pppoe", state="active"),
                         dict(target=mic(0, 1), state="starting"))],
          [[b"a", b"b"], [b"c"], [b"b"], [b"c"], [b"a"], []])
    equal("L3: released by id", nl.release(id=two), 1)
    nl.release(all=True)


def release(nl):
    def fill():
        nl.batch("session-admit", [
            dict(target=ETH1, type="pppoe"), dict(target=ETH1, type="dhcp"),
            dict(target=ETH2, type="pppoe"), dict(target=BOND, type="l2tp")])

    for name, which, released, left in (
            ("a port", dict(target=ETH1), 2, 2),
            ("a port, of one type", dict(target=ETH1, type="dhcp"), 1, 3),
            ("a mic", dict(target=mic(0, 1)), 2, 2),
            ("a device", dict(target=device(1)), 2, 2),
            ("a lag", dict(target=BOND), 1, 3),
            ("a leg, those of its lag", dict(target=port("leg1")), 1, 3),
            ("the chassis", dict(target=CHASSIS), 4, 0),
            ("the chassis, of one type", dict(target=CHASSIS, type="pppoe"),
             2, 2),
            ("all", dict(all=True), 4, 0),
            ("all of one type", dict(all=True, type="l2tp"), 1, 3)):
        fill()
        equal("L3: released by %s" % name, (nl.release(**which), nl.count()),
              (released, left))
        nl.release(all=True)
    many = tap.scaled(3000, 700)
    nl.admit(ETH1, count=many)
    equal("L3: %d at once" % many, (nl.release(all=True), nl.count()),
          (many, 0))


def services(nl):
    client = nl.admitted(ETH1, key=b"c", vlan_outer=7)
    other = nl.admitted(ETH1, key=b"o")
    service = nl.admitted(None, type=None, kind="service", on_id=client,
                          key=b"iptv")
    long = nl.admitted(None, type=None, kind="service", on_id=client,
                       key=b"a service whose name is longer", active=True)
    shown = nl.do("session-get", id=service)
    equal("P8: a service sits where its client sits, and is of its type",
          [shown.get(name) for name in ("kind", "type", "on-id",
                                        "vlan-outer")],
          ["service", "pppoe", client, 7])
    equal("P8: the same service again is the same session",
          nl.admit(None, type=None, kind="service", on_id=client,
                   key=b"iptv")["id"], service)
    equal("P8: services are counted apart from clients",
          (nl.count(ETH1), nl.do("chassis-get")["services"],
           nl.do("device-get", index=0)["services"]), (2, 2, 2))
    nl.limit(ETH1, max_sessions=2)
    equal("P8: the caps of clients do not hold for services",
          nl.admit(None, type=None, kind="service", on_id=client)["verdict"],
          "admit")
    nl.do("limit-del", target=ETH1, type="any")
    refused("P8: a service on an unknown session", errno.ENOENT,
            "no such client session", nl.admit, None, type=None,
            kind="service", on_id=0x7fffffff)
    refused("P8: a service on a service", errno.EINVAL,
            "a service sits on a client session", nl.admit, None, type=None,
            kind="service", on_id=service)
    refused("P8: a service of another type than its client", errno.EINVAL,
            "the client session is of another type", nl.admit, None,
            type="dhcp", kind="service", on_id=client)
    equal("L3: a service ends alone", nl.release(id=service), 1)
    equal("P8: and leaves with its client",
          (nl.release(id=client), nl.do("chassis-get")["services"],
           nl.count(ETH1)), (3, 0, 1))
    refused("P8: it is gone", errno.ENOENT, "no session with that id",
            nl.do, "session-get", id=long)
    ok("P8: the other client is not",
       nl.do("session-get", id=other)["id"] == other)
    nl.admitted(None, type=None, kind="service", on_id=other)
    nl.do("port-del", ifname="eth1")
    equal("P8: clients and services leave with their port",
          (nl.count(), nl.do("chassis-get")["services"]), (0, 0))
    nl.do("port-new", ifname="eth1", device=0, mic=1)


def timeouts(nl):
    nl.do("timeout-set", starting=1, idle=2)
    equal("L3: timeouts are settings",
          [nl.do("timeout-get")[name] for name in ("starting", "idle")],
          [1, 2])
    nl.limit(ETH1, max_sessions=1)
    half = nl.admitted(ETH1, key=b"half")
    service = nl.admitted(None, type=None, kind="service", on_id=half)
    shown = nl.do("session-get", id=half)
    ok("L3: a session that starts shows when it expires",
       0 <= shown.get("expires", -1) <= 1, shown)
    refused("L3: another one has to wait", errno.EPERM, None, admit_or_raise,
            nl, ETH1)
    begun = time.monotonic()
    ok("L3: a begin without commit times out, and makes room",
       wait_until(lambda: nl.admit(ETH1, key=b"next")["verdict"] == "admit",
                  10))
    took = time.monotonic() - begun
    ok("L3: not before its time", took > 0.2, took)
    refused("L3: its service went with it", errno.ENOENT, None, nl.do,
            "session-get", id=service)
    nl.do("limit-del", target=ETH1, type="any")
    nl.release(all=True)

    nl.do("timeout-set", starting=60)
    quiet = nl.admitted(ETH1, key=b"quiet", active=True)
    busy = nl.admitted(ETH1, key=b"busy", active=True)
    said = nl.admitted(ETH1, key=b"asks again", active=True)

    def gone(one):
        # Both ways to say that a session is alive.
        nl.activate(id=busy)
        nl.admit(ETH1, key=b"asks again")
        try:
            nl.do("session-get", id=one)
        except tap.resmon_nl.Refused:
            return True
        return False

    ok("L3: an active session that nobody refreshed ends",
       wait_until(lambda: gone(quiet), 30))
    ok("L3: those that were refreshed do not",
       nl.do("session-get", id=busy)["id"] == busy and
       nl.do("session-get", id=said)["id"] == said)
    ok("L3: once nobody does, they end too",
       wait_until(lambda: not nl.count(), 30))
    nl.do("timeout-set", starting=60, idle=0)
    forever = nl.admitted(ETH1, active=True)
    ok("L3: without an idle time a session does not expire",
       "expires" not in nl.do("session-get", id=forever))
    nl.release(all=True)


def admit_or_raise(nl, target):
    answer = nl.admit(target)
    if answer["verdict"] != "admit":
        raise tap.resmon_nl.Refused(errno.EPERM, answer["cause"])


def owner(requests):
    """A process with sessions of its own; its pid when it has them."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        said = os.read(reading, 1)
        os.close(reading)
        return pid, said == b"1"
    done = b"0"
    try:
        nl = Netlink()
        answers = nl.batch("session-admit", requests)
        done = b"1" if all(one["verdict"] == "admit" for one in answers) \
            else b"0"
        os.write(writing, done)
        os.close(writing)
        signal.pause()
    finally:
        os._exit(0)


def owners(nl):
    keep = nl.admitted(ETH1, key=b"keep")
    nl.limit(ETH1, max_sessions=5)
    pid, good = owner([dict(target=ETH1, type="pppoe", owner=True)] * 3 +
                      [dict(target=ETH1, type="pppoe")] +
                      [dict(target=ETH2, type="dhcp", owner=True,
                            key=b"o" * 20)])
    ok("L3: a process that owns its sessions", good and nl.count() == 6)
    owned = [row for row in nl.dump("session-get") if "owner-id" in row]
    equal("L3: they show their owner", len(owned), 4)
    client = owned[0]["id"]
    nl.admitted(None, type=None, kind="service", on_id=client)
    pid2, good = owner([dict(target=ETH2, type="pppoe", owner=True)] * 2)
    ok("L3: a second one", good and nl.count() == 8)
    nl.release(id=owned[1]["id"])
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    ok("L3: the owner is killed, its sessions end, with their services",
       wait_until(lambda: nl.count() == 4 and
                  not nl.do("chassis-get")["services"]), nl.count())
    ok("L3: what it did not own stays",
       nl.do("session-get", id=keep)["id"] == keep and
       nl.count(ETH1) == 2)
    nl.limit(ETH1, max_sessions=3)
    ok("L3: with a limit, one logs in again",
       nl.admit(ETH1)["verdict"] == "admit")
    nl.do("limit-del", target=ETH1, type="any")
    os.kill(pid2, signal.SIGTERM)
    os.waitpid(pid2, 0)
    ok("L3: so does the second", wait_until(lambda: nl.count(ETH2) == 0))

    # Who closes with many, while others come.
    many = tap.scaled(2000, 600)
    pid, good = owner([dict(target=BOND, type="pppoe", owner=True)] * many)
    ok("L3: an owner of %d" % many, good and nl.count(BOND) == many)
    os.kill(pid, signal.SIGKILL)
    nl.admit(BOND, count=20)
    os.waitpid(pid, 0)
    ok("L3: all end, and no other",
       wait_until(lambda: nl.count(BOND) == 20), nl.count(BOND))
    nl.release(all=True)


def command_line(nl):
    """The ways in and out that rmctl has."""
    out = tap.run("rmctl", "session", "admit", "port", "eth1", "type",
                  "pppoe", "key", "cli")
    ok("L1: rmctl admits", out.startswith("admit id "), out)
    equal("L3: rmctl releases by key",
          tap.run("rmctl", "session", "release", "key", "cli", "port",
                  "eth1").strip(), "released 1")
    equal("L3: nobody is left", nl.count(), 0)


def main():
    nl = tap.fresh()
    setup(nl)
    for test in (identity, ids, states, release, services, timeouts, owners,
                 command_line):
        test(nl)
    tap.finish(nl)


tap.main(main)
