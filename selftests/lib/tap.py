# SPDX-License-Identifier: GPL-2.0-only
"""What the tests in Python share: results, a module, namespaces, waiting."""
import ctypes
import os
import subprocess
import sys
import time
import traceback

import resmon_nl
import rtnl

REDUCED = os.environ.get("RESMON_REDUCED") == "1"
# How long everything took, as comments.
TIMES = os.environ.get("RESMON_TIMES") == "1"
CLONE_NEWNET = 0x40000000

_results = 0
_failed = 0
_last = time.monotonic()
_libc = ctypes.CDLL(None, use_errno=True)


def scaled(full, reduced):
    """A count: the second where machines are slow."""
    return reduced if REDUCED else full


def _print(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def comment(words):
    for line in str(words).splitlines():
        _print("# " + line)


def ok(name, condition, why=None):
    """A result."""
    global _results, _failed, _last
    if TIMES:
        comment("%.2f s" % (time.monotonic() - _last))
        _last = time.monotonic()
    _results += 1
    if condition:
        _print("ok %d - %s" % (_results, name))
    else:
        _failed += 1
        _print("not ok %d - %s" % (_results, name))
        if why is not None:
            comment(why)
    return bool(condition)


def equal(name, got, wanted):
    return ok(name, got == wanted, "wanted %s\ngot    %s" % (wanted, got))


def skip(name, why):
    global _results
    _results += 1
    _print("ok %d - %s # SKIP %s" % (_results, name, why))


def refused(name, number, message, function, *args, **values):
    """The kernel says no, in these words; returns what it said."""
    try:
        got = function(*args, **values)
    except resmon_nl.Refused as said:
        ok(name, said.errno == number and
           (message is None or said.message == message),
           "wanted %s: %s\ngot    %s" % (os.strerror(number), message, said))
        return said
    ok(name, False, "it was not refused: %s" % (got,))
    return None


def wait_until(condition, timeout=20):
    """Poll until the condition holds; what it returned last."""
    end = time.monotonic() + timeout
    over = False
    while True:
        value = condition()
        if value or over:
            return value
        time.sleep(0.01)
        # One more look then: the machine may have stood still.
        over = time.monotonic() > end


def run(*command, **options):
    """A command that must work."""
    options.setdefault("check", True)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("universal_newlines", True)
    return subprocess.run(command, **options).stdout


def ip(*lines):
    """Lines of `ip -batch`."""
    rtnl.links(*lines)


def loaded():
    return os.path.exists("/sys/module/resmon")


def unload():
    return subprocess.call(["rmmod", "resmon"],
                           stderr=subprocess.DEVNULL) == 0 or not loaded()


def unshare():
    """A network namespace of our own, gone with this process."""
    if _libc.unshare(CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "unshare")


def enter(name):
    """Go into a named network namespace."""
    handle = os.open("/run/netns/" + name, os.O_RDONLY)
    if _libc.setns(handle, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns " + name)
    os.close(handle)


def fresh(namespace=True):
    """The module as after a boot, in a namespace of our own."""
    if os.getuid() or subprocess.call(["modprobe", "-q", "-n", "resmon"]):
        _print("1..0 # SKIP no module resmon, or not root")
        sys.exit(4)
    if loaded() and not unload():
        _print("Bail out! resmon is in use")
        sys.exit(1)
    run("modprobe", "resmon")
    if namespace:
        unshare()
        ip("link set lo up")
    return resmon_nl.Netlink()


def usage(nl):
    """Everything that counts sessions and is not zero."""
    left = ["%s %s: %d sessions, %d starting" %
            (resmon_nl.text(one["target"]), one["type"], one["sessions"],
             one["starting"])
            for one in nl.dump("limit-get")
            if one["sessions"] or one["starting"]]
    for name, rows in (("chassis", [nl.do("chassis-get")]),
                       ("device", nl.dump("device-get"))):
        left += ["%s: %d services" % (name, one["services"])
                 for one in rows if one["services"]]
    left += ["%s: own %d" % (one["ifname"], one["own"])
             for one in nl.dump("port-get") if one["own"]]
    left += ["session %s" % one for one in nl.dump("session-get")]
    return left


def finish(nl=None):
    """The common end: everything is released, the module goes."""
    if nl:
        nl.release(all=True)
        left = usage(nl)
        ok("releasing everything leaves every usage at zero", not left,
           "\n".join(left))
        nl.close()
    gone = wait_until(unload, 30)
    ok("the module unloads", gone and not loaded())
    _print("1..%d" % _results)
    sys.exit(1 if _failed else 0)


def main(function):
    """Run a test; what it did not expect is a failed result."""
    try:
        function()
    except Exception:  # a test must always end with a plan
        ok("the test ran to its end", False, traceback.format_exc())
        unload()
        _print("1..%d" % _results)
        sys.exit(1)
