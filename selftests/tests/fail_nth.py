#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every allocation of a port and a lag that come up fails once.

A clear error or success, nothing half done, nothing leaked; and what a failed
one frees is freed after those who may be looking at it.
"""
# timeout: 600
import errno
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import Refused, port  # noqa: E402
import rtnl  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

FAIL_NTH = "/proc/self/fail-nth"
FAILSLAB = "/sys/kernel/debug/failslab/"
HOLD = "/sys/module/resmon_reader/parameters/hold_ms"
HOLD_MS = 2000
ETH1 = port("eth1")


class Failing:
    """A socket whose next message has its n-th allocation fail."""

    def __init__(self, sock):
        self.sock = sock
        self.file = os.open(FAIL_NTH, os.O_RDWR)
        self.n = 0
        self.reached = False

    def send(self, data):
        n, self.n = self.n, 0
        if not n:
            return self.sock.send(data)
        os.pwrite(self.file, b"%d" % n, 0)
        try:
            return self.sock.send(data)
        finally:
            left = os.pread(self.file, 20, 0)
            os.pwrite(self.file, b"0", 0)
            self.reached = int(left) == 0

    def __getattr__(self, name):
        return getattr(self.sock, name)


def missing():
    for name in FAIL_NTH, FAILSLAB:
        if not os.path.exists(name):
            return "no %s: a kernel without CONFIG_FAILSLAB" % name
    if subprocess.call(["modprobe", "-q", "-n", "resmon_reader"]):
        return "no module resmon_reader"
    return None


def has_files(name):
    return os.path.exists("/sys/class/net/%s/resmon" % name)


def halves(nl):
    """What does not fit together, and whether port and lag are there."""
    wrong = []
    ports = {one["ifname"]: one for one in nl.dump("port-get")}
    lags = [one["ifname"] for one in nl.dump("lag-get")]
    counts = [one["ports"] for one in nl.dump("device-get")]
    here = ports.get("eth1")
    if nl.do("chassis-get")["ports"] != len(ports):
        wrong.append("the chassis counts another number of ports")
    if here:
        on = here.get("anchor") or [here["device"]]
        if counts != [int(n in on) for n in (0, 1)]:
            wrong.append("devices count %s ports" % counts)
    elif any(counts):
        wrong.append("devices count %s ports, and there are none" % counts)
    if has_files("eth1") != bool(here):
        wrong.append("a port without files, or files without a port")
    if has_files("bond1") != bool(lags):
        wrong.append("a lag without files, or files without a lag")
    if bool(lags) != bool(here and here.get("lag-ifname")):
        wrong.append("a lag without a leg, or a leg without a lag")
    rows = len(nl.dump("rtt-get"))
    if rows != 2 + len(lags) + int(bool(here and here.get("anchor"))):
        wrong.append("%d throttles" % rows)
    return wrong, bool(here), bool(lags)


def usable(nl, where):
    try:
        nl.release(id=nl.admitted(where))
    except (Refused, OSError, KeyError) as error:
        return ["no session is admitted: %s" % error]
    return []


def new_port(nl, n, values):
    """What became of it: done, a Refused, or silence."""
    nl.sock.n = n
    nl.sock.reached = False
    try:
        nl.do("port-new", ifname="eth1", **values)
        return "done"
    except Refused as refused:
        return refused
    except OSError as error:
        # The message was not sent, or the answer could not be made.
        return "silence" if error.errno == errno.ENOBUFS else error


def port_fails(nl, name, leg=False, **values):
    """Each n in turn; those that failed late, the last one first."""
    wrong, late, n = [], [], 0
    while True:
        n += 1
        said = new_port(nl, n, values)
        reached = nl.sock.reached
        halved, here, lag = halves(nl)
        if isinstance(said, Refused):
            if said.errno not in (errno.ENOMEM, errno.ENOBUFS) or here:
                halved.append("%s: %s" % (here, said))
            elif said.message == "no memory for the port" and not leg:
                late.insert(0, n)
        elif said == "done" and not here:
            halved.append("no port, and nothing said so")
        elif said not in ("done", "silence"):
            halved.append(said)
        if here and leg and not lag:
            late.insert(0, n)
        if here and n % 4 == 0:
            halved += usable(nl, ETH1)
        if here:
            nl.do("port-del", ifname="eth1")
        if here and n % 4 == 0:
            halved += halves(nl)[0]
        wrong += ["%d: %s" % (n, one) for one in halved]
        if not reached or n > 500 or len(wrong) > 20:
            break
    ok("%s: %d allocations, each fails once: an error or success" %
       (name, n - 1), n > 20 and not wrong, "\n".join(wrong))
    equal("%s: then it comes up" % name, (said, here, lag),
          ("done", True, leg))
    return late


def leg_fails(nl, links):
    nl.do("port-new", ifname="eth1", device=0)
    wrong, n = [], 0
    while True:
        n += 1
        links.sock.n, links.sock.reached = n, False
        said = None
        try:
            links.line("link set eth1 master bond1")
        except OSError as error:
            said = error
        reached = links.sock.reached
        master = os.path.exists("/sys/class/net/eth1/master")
        halved, here, lag = halves(nl)
        if not here:
            halved.append("the port is gone")
        if lag and not master:
            halved.append("a lag of no net device")
        if said and said.errno not in (errno.ENOMEM, errno.ENOBUFS):
            halved.append(said)
        if n % 4 == 0:
            halved += usable(nl, ETH1)
        if master:
            links.line("link set eth1 nomaster")
        if n % 4 == 0:
            halved += halves(nl)[0]
        wrong += ["%d: %s" % (n, one) for one in halved]
        if not reached or n > 1000 or len(wrong) > 20:
            break
    ok("a leg: %d allocations, each fails once: nothing is half done" %
       (n - 1), n > 20 and not wrong, "\n".join(wrong))
    equal("a leg: then its lag is found", (said, lag), (None, True))
    nl.do("port-del", ifname="eth1")


def ticks(pid):
    """CPU time of a process in the kernel."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as stat:
        return int(stat.read().rsplit(")", 1)[1].split()[12])


def reader():
    """A process that stays in an RCU read section, and when it came out."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.sched_setaffinity(0, {1})
        with open(HOLD, "w", encoding="ascii") as hold:
            hold.write("%d" % HOLD_MS)
        os.write(writing, b"%f" % time.monotonic())
        os._exit(0)
    os.close(writing)
    wait_until(lambda: ticks(pid) > 5)
    return pid, reading


def waits(nl, name, late, **values):
    """A failing port or lag is not freed before who reads is out."""
    os.sched_setaffinity(0, {0})
    told = "nothing failed late in %s" % late
    for n in late[:5]:
        pid, reading = reader()
        begin = time.monotonic()
        new_port(nl, n, values)
        end = time.monotonic()
        out = float(os.read(reading, 100))
        os.close(reading)
        os.waitpid(pid, 0)
        _, here, lag = halves(nl)
        if here:
            nl.do("port-del", ifname="eth1")
        # It may have come up this time, or the reader was out already.
        if lag or here and "anchor" in values or begin > out - 0.5:
            told = "no failure while somebody read"
            continue
        told = "it was over %.3f s before the reader" % (out - end)
        if end > out - 0.1:
            told = None
        break
    ok(name, told is None, told)


def main():
    why = missing()
    if why:
        print("ok 1 - each allocation fails once # SKIP %s\n1..1" % why)
        sys.exit(0)
    for name, value in (("ignore-gfp-wait", "N"), ("verbose", "0")):
        with open(FAILSLAB + name, "w", encoding="ascii") as file:
            file.write(value)
    nl = tap.fresh(namespace=False)
    tap.run("modprobe", "resmon_reader")
    tap.ip("link add eth1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10")
    nl.do("device-new", index=0)
    nl.do("device-new", index=1)
    nl.sock = Failing(nl.sock)
    links = rtnl.Links()
    links.sock = Failing(links.sock)

    port_fails(nl, "a port", device=0)
    anchored = port_fails(nl, "an anchored port", anchor=[0, 1])
    leg_fails(nl, links)
    links.line("link set eth1 master bond1")
    found = port_fails(nl, "a port that is a leg", leg=True, device=0)
    waits(nl, "an anchored port that fails waits for who reads bundles",
          anchored, anchor=[0, 1])
    waits(nl, "a lag that fails waits for who reads bundles", found, device=0)

    tap.ip("link del bond1", "link del eth1")
    links.close()
    tap.run("rmmod", "resmon_reader")
    tap.finish(nl)


tap.main(main)
