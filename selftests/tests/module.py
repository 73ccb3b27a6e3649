#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The module is removed while everybody uses it, and comes back: L3, D4."""
import ctypes
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import (CHASSIS, CTRL_ATTR_FAMILY_ID,  # noqa: E402
                       CTRL_CMD_GETFAMILY, GENL_ID_CTRL,
                       NETLINK_ADD_MEMBERSHIP, NETLINK_GENERIC, NLM_F_DUMP,
                       NLM_F_REQUEST, SOL_NETLINK, Netlink, Refused, device,
                       encode_one, lag, port)
import tap  # noqa: E402
from tap import ok, wait_until  # noqa: E402

ETH1, BOND = port("eth1"), lag("bond1")
CLONE_NEWNS = 0x20000
MS_REC, MS_PRIVATE = 0x4000, 0x40000


def again(function):
    """For ever, whatever becomes of the module meanwhile."""
    # Who removes it must have a turn as well.
    os.nice(10)
    while True:
        nl = None
        try:
            nl = Netlink(timeout=1)
            while True:
                function(nl)
        except (Refused, OSError, KeyError):
            time.sleep(0.05)
        if nl:
            nl.close()


def admits(nl):
    for target in ETH1, BOND:
        nl.raw("session-admit", encode_one("BATCH", "request", dict(
            target=target, type="pppoe", owner=True)) * 100)
    nl.raw("session-release", encode_one("BATCH", "request", dict(
        all=True)))


def dumps(nl):
    for command in ("session-get", "limit-get", "stats-get", "why-get",
                    "device-get"):
        nl.dump_once(command)


def reads(_):
    for root, names in (("/proc/self/net/resmon",
                         ("summary", "elements", "sessions")),
                        ("/sys/class/resmon/chassis", ("uevent",))):
        for name in names:
            with open(os.path.join(root, name), encoding="ascii") as one:
                one.read()


def listens(nl):
    """An events listener that is an agent as well, and answers nothing."""
    events = Netlink(groups=["events", "config"])
    try:
        nl.do("echo-register", device=0)
        for _ in range(10):
            events.next(0.05)
    finally:
        events.close()


def configures(nl):
    nl.do("device-new", index=9)
    nl.limit(CHASSIS, max_sessions=50, warn=50)
    nl.do("drain-set", target=device(9), on=1)
    nl.do("device-del", index=9)


def abandons(nl):
    """A dump that nobody reads to its end."""
    nl.sock.send(nl.pack("limit-get", b"", NLM_F_DUMP))
    raise OSError("abandoned")


def fork(function):
    pid = os.fork()
    if not pid:
        try:
            again(function)
        finally:
            os._exit(1)
    return pid


def configure():
    nl = Netlink()
    nl.do("device-new", index=0)
    nl.do("device-new", index=1)
    nl.do("port-new", ifname="eth1", device=0)
    nl.do("port-new", ifname="leg1", device=1)
    nl.limit(ETH1, max_sessions=1000)
    nl.do("echo-set", device=0, engine="agent", interval_ms=100)
    nl.do("echo-set", device=1, engine="softnet", interval_ms=100)
    return nl


def writes():
    """A process that makes changes by way of files, as long as it lives."""
    pid = os.fork()
    while not pid:
        for value in b"100", b"200":
            try:
                with open("/sys/class/resmon/chassis/limit", "wb") as limit:
                    limit.write(value)
            except OSError:
                pass
    return pid


def is_family(sock, family):
    """Is it registered? Asked by number, which loads no module."""
    sock.send(struct.pack("=IHHIIBBHHHHxx", 28, GENL_ID_CTRL, NLM_F_REQUEST, 0,
                          0, CTRL_CMD_GETFAMILY, 2, 0, 6,
                          CTRL_ATTR_FAMILY_ID, family))
    return struct.unpack_from("=H", sock.recv(65536), 4)[0] == GENL_ID_CTRL


def after_the_family():
    """What is sent to the groups of a family that is not there any more.

    In the last of many namespaces, which is the last to be cleared. Says what
    it heard, how often it asked, and what it was told of while there was one.
    """
    kept = []
    for _ in range(tap.scaled(60, 20)):
        tap.unshare()
        kept.append(os.open("/proc/self/ns/net", os.O_RDONLY))
    libc = ctypes.CDLL(None)
    if libc.unshare(CLONE_NEWNS) or \
            libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) or \
            libc.mount(b"sysfs", b"/sys", b"sysfs", 0, None):
        return "no /sys of its own"
    nl = Netlink(groups=["config"])
    ctrl = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
    ctrl.bind((0, 0))
    for n in range(10):
        nl.do("device-new", index=n)
    writer = writes()
    told = nl.next(20)
    # Nothing that was sent before it was gone is to be taken for something
    # that was sent later.
    ears = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
    ears.bind((0, 0))
    remover = subprocess.Popen(["rmmod", "resmon"])
    while is_family(ctrl, nl.family):
        pass
    heard = asked = 0
    while remover.poll() is None:
        for group in nl.groups.values():
            ears.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group)
        asked += 1
        try:
            ears.recv(65536, socket.MSG_DONTWAIT)
            heard += 1
        except BlockingIOError:
            pass
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    return "heard %d" % heard if heard or not told or not asked or \
        remover.returncode else "nothing"


def silent_at_the_end():
    """In a process of its own, whose namespaces end with it."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            said = after_the_family()
        except Exception:  # whatever it was, it is told
            said = traceback.format_exc()
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    ok("while the family is not registered nothing is sent to its groups",
       said == "nothing", said)


def main():
    tap.fresh().close()
    silent_at_the_end()
    tap.ip("link add eth1 type dummy", "link add leg1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up")
    tap.unload()
    pids = [fork(function) for function in (admits, admits, dumps, reads,
                                            listens, configures, abandons)]
    for n in range(tap.scaled(3, 1)):
        tap.run("modprobe", "resmon")
        nl = configure()
        busy = wait_until(lambda: nl.do("chassis-get")["admitted"] > 300 and
                          nl.do("echo-get", device=0)["agent"], 30)
        ok("load %d: everybody is at work" % (n + 1), busy,
           nl.do("chassis-get"))
        nl.close()
        ok("load %d: it is removed under load" % (n + 1),
           wait_until(tap.unload, 30))
    ok("the processes are all there",
       all(os.waitpid(pid, os.WNOHANG)[0] == 0 for pid in pids))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)

    tap.run("modprobe", "resmon")
    nl = configure()
    nl.admit(ETH1, count=500)
    nl.admit(BOND, count=500)
    nl.close()
    ok("it is removed with ports, a lag and 1000 sessions",
       wait_until(tap.unload, 30))
    tap.run("modprobe", "resmon")
    nl = Netlink()
    ok("loaded anew it knows nothing",
       not nl.dump("device-get") and not nl.dump("port-get") and
       not nl.dump("lag-get") and not nl.count())
    tap.finish(nl)


tap.main(main)
