#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""rmctl: JSON, tables, /proc and /sys say the same: T1, T6, T3."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import CHASSIS, device, lag, mic, port, text  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, wait_until  # noqa: E402

SHOWS = ("show", "chassis show", "device show", "mic show", "port show",
         "lag show", "limit show", "drain show", "watermark show",
         "region show", "rtt show", "echo show", "enforce show",
         "session show",
         "session count", "timeout show", "why", "stats show")
# The same objects, one or some of them: JSON alone.
SOME = ("show device 0", "device show 0", "port show cli1",
        "limit show device 0", "region show device 0", "rtt show device 0",
        "enforce show port cli2",
        "session show type pppoe state starting", "stats show port cli1")
DEVICES = ("cli1", "cli2", "clileg", "clibond")


def rmctl(words):
    """Status, standard output and error."""
    done = subprocess.run(["rmctl"] + words.split(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def shown(words):
    return json.loads(rmctl("-j " + words)[1])


def setup(nl):
    tap.ip("link add cli1 type dummy", "link add cli2 type dummy",
           "link add clileg type dummy",
           "link add clibond type bond mode balance-rr miimon 10",
           "link set clileg master clibond", "link set clibond up")
    nl.do("device-new", index=0, name="fpc0")
    nl.do("device-new", index=3)
    nl.do("mic-new", device=0, index=2)
    nl.do("port-new", ifname="cli1", device=0, mic=2)
    nl.do("port-new", ifname="cli2", device=3)
    nl.do("port-new", ifname="clileg", device=3)
    nl.limit(CHASSIS, max_sessions=200)
    nl.limit(device(0), max_sessions=6, warn=50)
    nl.limit(port("cli1"), "pppoe", max_sessions=4, max_starting=3)
    nl.limit(port("cli2"), max_sessions=0)
    nl.do("region-report", device=0, region="heap", used=81, total=100,
          lifetime=86400)
    for pfe, region, used in ((0, "nh", 56), (0, "fw", 88), (1, "nh", 82),
                              (1, "fw", 39), (1, "encap", 10)):
        nl.do("region-report", device=0, pfe=pfe, region=region, used=used,
              total=100, lifetime=86400)
    nl.do("chassis-set", high_threshold=95)
    nl.admit(port("cli1"), count=7)
    nl.admit(port("cli1"), type="dhcp", count=2, active=True)
    nl.admit(lag("clibond"), type="l2tp", count=5, key=b"lag key")
    nl.admit(port("cli2"), count=4)
    client = nl.admitted(lag("clibond"), type="dhcp", key=b"\x02\x00\xff")
    nl.admitted(None, type=None, kind="service", on_id=client, key=b"iptv")
    nl.do("drain-set", target=mic(0, 2), on=1)
    nl.do("enforce-set", target=port("cli2"), pppoe="count")


def is_json():
    wrong = []
    for words in SHOWS + SOME:
        # Pretty or not is a setting of the printer, not of what it prints.
        for option in ("-j", "-j -p") if words == "device show" else ("-j",):
            status, out, error = rmctl(option + " " + words)
            try:
                value = json.loads(out)
            except ValueError as said:
                wrong.append("%s %s: %s" % (option, words, said))
                continue
            if status or error or not value:
                wrong.append("%s %s: status %d %s" % (option, words, status,
                                                      error))
    for words in SHOWS:
        status, out, error = rmctl(words)
        if status or error or not out:
            wrong.append("%s: status %d %s" % (words, status, error))
    ok("T3: rmctl -j of all %d shows is JSON, -p too, the tables come" %
       len(SHOWS + SOME), not wrong, "\n".join(wrong))
    done = subprocess.run("rmctl -j show | python3 -m json.tool",
                          shell=True, stdout=subprocess.DEVNULL)
    equal("T3: rmctl -j show | python3 -m json.tool", done.returncode, 0)


def percent_free(regions, pfe, name, never):
    for one in regions:
        if one["region"] == name and one.get("pfe", 0) == pfe:
            if one["stale"]:
                return "--"
            return "%d%%%s" % (one["free-pct"], " *" if one["low"] else "")
    return never


def usage(one):
    return "%d/%s" % (one["sessions"], one.get("limit", "-"))


def overview(all_):
    """What T6 prints, from nothing but the JSON; blanks as one."""
    chassis, marks = all_["chassis"], all_["watermark"]
    switch = ("off", "on")
    lines = ["Chassis sessions %s (peak %d) denied %d throttle %s "
             "load-throttle %s high-threshold %d%%" % (
                 usage(chassis), chassis["peak"], chassis["denied"],
                 switch[chassis["throttle"]],
                 switch[chassis["load-throttle"]],
                 chassis["high-threshold"]),
             "* watermark reached watermarks: heap %d%% nh %d%% fw %d%% free"
             % (marks["heap"], marks["nh"], marks["fw"]), "",
             "Slot Heap free RTT ms Avg ms (n) Allowed Sessions PFE "
             "Encap free NH free FW free CoS used"]
    for card in all_["devices"]:
        head = "%d %s -- -- %d %% %s " % (
            card["index"], percent_free(card["regions"], 0, "heap", "--"),
            card["allowed"], usage(card))
        for pfe in range(card["pfes"]):
            lines.append((head if not pfe else "") + "%d %s %s %s --" % (
                pfe, *[percent_free(card["regions"], pfe, name, "NA")
                       for name in ("encap", "nh", "fw")]))
    return lines


def words(table):
    return [" ".join(line.split()) for line in table.splitlines()]


def the_same(nl):
    all_ = shown("show")
    table = rmctl("show")[1]
    equal("T6: every number of rmctl show is that of rmctl -j show",
          words(table), overview(all_))
    with open("/proc/net/resmon/summary", encoding="ascii") as proc:
        equal("T6: /proc/net/resmon/summary is the same text", proc.read(),
              table)
    ok("T6: * on every exceeded region, and on no other",
       re.findall(r"(\d+)% \*", table) == ["19", "12", "18"], table)
    equal("T6: the numbers are those of netlink",
          {name: value for name, value in all_["chassis"].items()},
          nl.do("chassis-get"))

    # Columns that are numbers, by their heads' order.
    rows = {}
    for line in rmctl("limit show")[1].splitlines()[1:]:
        cells = line.split()
        name = cells[:1] if cells[0] == "chassis" else cells[:2]
        cells = cells[len(name):]
        over = "over" in cells
        if over:
            cells.remove("over")
        rows[" ".join(name), cells[0]] = cells[1:6]
    wrong = []
    listed = 0
    for one in shown("limit show"):
        want = [str(one.get(name, "-")) for name in (
            "sessions", "max-sessions", "starting", "max-starting")] + [
                "%d%%" % one["warn"] if "warn" in one else "-"]
        got = rows.get((text(one["target"]), one["type"]))
        if got is None and want == ["0", "-", "0", "-", "-"] and \
                not one["peak"] and not one["refused"]:
            # Nothing to be told of.
            continue
        listed += 1
        if got != want:
            wrong.append("%s %s: %s, not %s" % (
                text(one["target"]), one["type"], got, want))
    ok("C3: every row of rmctl limit show is that of the JSON, - for none",
       listed > 5 and not wrong, "\n".join(wrong))
    with open("/proc/net/resmon/elements", encoding="ascii") as proc:
        lines = [line.split() for line in proc.readlines()[1:]]
    equal("T6: /proc/net/resmon/elements has the same usages",
          [(line[0], line[2], int(line[3])) for line in lines],
          [(one["target"]["kind"], one["type"], one["sessions"])
           for one in shown("limit show")])


def value_of(path):
    try:
        with open(path, encoding="ascii") as one:
            return one.read().strip()
    except OSError:
        return None


def sysfs():
    files = {"usage": "sessions", "limit": "limit", "peak": "peak",
             "starting": "starting", "services": "services",
             "denied": "denied", "refused": "refused",
             "admitted": "admitted", "drain": "drain",
             "allowed_pct": "allowed", "throttle": "throttle",
             "load_throttle": "load-throttle", "logging": "logging",
             "high_threshold": "high-threshold", "on_error": "on-error",
             "name": "name"}
    places = [("/sys/class/resmon/chassis", shown("chassis show")),
              ("/sys/class/resmon/device0", shown("device show 0")),
              ("/sys/class/net/cli1/resmon", shown("port show cli1")),
              ("/sys/class/net/clibond/resmon", shown("lag show clibond"))]
    wrong, seen = [], 0
    for folder, one in places:
        if not os.path.isdir(folder):
            wrong.append("there is no " + folder)
            continue
        for name, field in files.items():
            got = value_of(os.path.join(folder, name))
            if got is None or (field not in one and field != "limit"):
                continue
            seen += 1
            want = str(one.get(field, "-"))
            if got not in (want, {"on": "1", "off": "0"}.get(got) and
                           {"1": "on", "0": "off"}.get(want)):
                wrong.append("%s/%s: %s, not %s" % (folder, name, got, want))
    ok("T6: %d values in /sys are those of rmctl -j" % seen,
       seen >= 20 and not wrong, "\n".join(wrong))


def statuses():
    table = (
        (0, "device add 9", "", ""),
        (1, "device add 9", "", "the slot has a device already"),
        (1, "device add 9", "", "'9'"),
        (1, "limit set device 9 type any max 1000001", "", "max 1000001"),
        (1, "session release 2147483647", "", "no session with that id"),
        (1, "port add nobody device 9", "", "no such net device"),
        (1, "device show 77", "", "no such device"),
        (2, "device add", "", "usage"),
        (2, "device add x", "", "x"),
        (2, "no such thing", "", ""),
        (2, "limit set device 9 type tcp max 1", "", "tcp"),
        (2, "session admit", "", ""),
        (3, "session admit port cli2 type dhcp", "cap-port", ""),
        (3, "-j session admit port cli2 type dhcp", "cap-port", ""),
        (3, "session admit port cli2 type dhcp count 20", "denied 20", ""),
        (0, "session admit port clibond type dhcp key status", "admit id",
         ""),
        (0, "session release key status lag clibond", "released 1", ""),
        (0, "device del 9", "", ""))
    wrong = []
    for status, line, out, error in table:
        if "port clibond" in line:
            line = line.replace("port", "lag")
        got = rmctl(line)
        if got[0] != status or out not in got[1] or \
                error.lower() not in got[2].lower() or \
                (status in (1, 2) and not got[2]):
            wrong.append("%s: %s" % (line, got))
    ok("T1: exit statuses of %d commands" % len(table), not wrong,
       "\n".join(wrong))


def main():
    # /sys shows the namespace that it was mounted in.
    nl = tap.fresh(namespace=False)
    try:
        setup(nl)
        is_json()
        wait_until(lambda: nl.do("port-get", ifname="clileg").get(
            "leg-active"))
        the_same(nl)
        sysfs()
        statuses()
    finally:
        nl.release(all=True)
        left = tap.usage(nl)
        for name in DEVICES:
            subprocess.call(["ip", "link", "del", name],
                            stderr=subprocess.DEVNULL)
    ok("releasing everything leaves every usage at zero", not left, left)
    nl.close()
    tap.finish()


tap.main(main)
