#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The pipeline as its callers see it: P3 to P8."""
import collections
import errno
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
from resmon_nl import CHASSIS, Netlink, device, lag, port, text  # noqa: E402
import tap  # noqa: E402
from tap import equal, ok, refused, wait_until  # noqa: E402

TYPES = ("pppoe", "dhcp", "l2tp")
ETH1, ETH2, OTHER, BOND = (port("eth1"), port("eth2"), port("other"),
                           lag("bond1"))


def setup(nl):
    tap.ip("link add eth1 type dummy", "link add eth2 type dummy",
           "link add other type dummy", "link add leg1 type dummy",
           "link add bond1 type bond mode balance-rr miimon 10",
           "link set leg1 master bond1", "link set bond1 up")
    for index in 0, 1, 2:
        nl.do("device-new", index=index)
    nl.do("port-new", ifname="eth1", device=0)
    nl.do("port-new", ifname="eth2", device=1)
    nl.do("port-new", ifname="leg1", device=2)


def ledger(nl):
    """Any requests; every counter must be what the callers saw."""
    seed = int(os.environ.get("RESMON_SEED", random.randrange(1 << 30)))
    dice = random.Random(seed)
    nl.limit(ETH1, "pppoe", max_sessions=6)
    nl.limit(device(0), max_starting=10)
    nl.limit(BOND, "any", max_sessions=8)
    nl.limit(CHASSIS, max_sessions=28)
    nl.do("drain-set", target=device(1), on=1)
    client = nl.admitted(BOND, key=b"client")
    nl.do("stats-clear")

    seen = collections.Counter()        # of places
    rules = collections.Counter()       # of elements that refused
    commits = collections.Counter()
    n = tap.scaled(2000, 500)
    # What brings up every cap, whatever the dice say of the rest.
    requests = [dict(target=BOND, type="dhcp", key=b"twice")] * 2 + [
        dict(target=target, type=kind, active=active)
        for target, kind, active, count in (
            (ETH1, "pppoe", True, 7), (BOND, "dhcp", True, 8),
            (ETH1, "dhcp", False, 11), (ETH1, "l2tp", True, 5))
        for _ in range(count)]
    for _ in range(n - len(requests)):
        target = dice.choice((ETH1, ETH1, ETH2, BOND, BOND, OTHER))
        one = dict(target=target, type=dice.choice(TYPES))
        if dice.random() < 0.5:
            one["key"] = b"key%d" % dice.randrange(40)
        if dice.random() < 0.2:
            one["active"] = True
        if dice.random() < 0.05:
            one = dict(kind="service", on_id=client)
        requests.append(one)
    answers = nl.batch("session-admit", requests)
    for one, answer in zip(requests, answers):
        service = one.get("kind") == "service"
        column = ("service", "any") if service else ("client", one["type"])
        target = BOND if service else one["target"]
        if answer["verdict"] != "admit":
            what = answer["cause"]
            if "target" in answer:
                rules[text(answer["target"]), column, what] += 1
        else:
            what = "duplicate" if answer["same"] else "admitted"
            commits["same" if answer["same"] else "charged"] += 1
        for place in {text(target), "chassis"}:
            # The unknown port has no counters, the chassis counts it.
            if place != "port other":
                seen[place, column, what] += 1

    got, refusals, sums = {}, {}, []
    for row in nl.dump("stats-get"):
        place = text(row["target"])
        for cells in row.get("row", ()):
            column = cells["kind"], cells["type"]
            parts = cells["admitted"] + cells["waiting"] + cells["duplicate"]
            for name in ("admitted", "duplicate"):
                if cells[name]:
                    got[place, column, name] = cells[name]
            for one in cells.get("denied", ()):
                got[place, column, one["cause"]] = one["count"]
                parts += one["count"]
            for one in cells.get("refused", ()):
                refusals[place, column, one["cause"]] = one["count"]
            sums.append(parts == cells["requests"])
    ok("P3: requests = admitted + waiting + denied + duplicate",
       sums and all(sums))
    equal("P3: they are what the callers saw, by place, type and cause",
          got, dict(seen))
    equal("P3: each denial is counted on the element whose rule refused",
          refusals, dict(rules))
    chassis = nl.dump("stats-get", target=CHASSIS)[0]
    equal("P3: commits have a ledger of their own",
          (chassis["charged"], chassis["same"]),
          (commits["charged"], commits["same"]))
    causes = {what for _, _, what in seen}
    ok("P3: every cause was among them", causes >= {
        "admitted", "duplicate", "cap-port", "cap-starting", "cap-lag",
        "cap-chassis", "drain", "error"}, causes)
    summary = nl.do("chassis-get")
    equal("P3: the totals of the chassis agree",
          (summary["admitted"], summary["denied"]),
          (sum(n for (place, _, what), n in seen.items()
               if place == "chassis" and what == "admitted"),
           sum(n for (place, _, what), n in seen.items()
               if place == "chassis" and what not in ("admitted",
                                                      "duplicate"))))
    why = nl.dump("why-get")
    times = [one["time"] for one in why]
    ok("P3: the last denials are there, oldest first",
       0 < len(why) <= n and times == sorted(times))
    nl.release(all=True)
    equal("P3: a release changes no counter",
          nl.dump("stats-get", target=CHASSIS)[0]["row"], chassis["row"])
    nl.do("drain-set", target=device(1), on=0)
    nl.do("limit-del", target=ETH1, type="pppoe")
    for target in (device(0), BOND, CHASSIS):
        nl.do("limit-del", target=target, type="any")


def p4(nl):
    nl.do("stats-clear")
    answer = nl.admit(OTHER)
    ok("P4: a port that is none: denied, cause error",
       answer["verdict"] == "deny" and answer["cause"] == "error" and
       answer["retry-ms"] > 0, answer)
    answer = nl.admit(port("nobody"))
    equal("P4: a net device that is not there too",
          (answer["verdict"], answer["cause"]), ("deny", "error"))
    equal("P4: a bond without ports too", nl.admit(lag("nobody"))["cause"],
          "error")
    equal("P4: counted as error",
          {(one["cause"], one["count"]) for row in
           nl.dump("stats-get", target=CHASSIS)[0]["row"]
           for one in row["denied"]}, {("error", 3)})
    nl.do("chassis-set", on_error="admit")
    answer = nl.admit(OTHER, key=b"x")
    equal("P4: on-error admit lets it in, without a session",
          (answer["verdict"], answer.get("id"), nl.count()),
          ("admit", None, 0))
    nl.limit(CHASSIS, max_sessions=0)
    equal("P4: but no denial by a rule",
          nl.admit(ETH1)["verdict"], "deny")
    nl.do("limit-del", target=CHASSIS, type="any")
    nl.do("chassis-set", on_error="deny")


def p5(nl):
    nl.limit(ETH1, max_sessions=0)
    for low, high in ((100, 200), (1000, 10000), (0, 3), (500, 500),
                      (0, 3600000)):
        nl.do("chassis-set", retry_min=low, retry_max=high)
        hints = [one["retry-ms"] for one in nl.admit(ETH1, count=300)]
        distinct = len(set(hints))
        middle = (low + high) / 2
        spread = sum(hint <= middle for hint in hints)
        ok("P5: retry hints between %d and %d, spread" % (low, high),
           all(low <= hint <= high for hint in hints) and
           distinct >= min(high - low + 1, 60) and
           (low == high or 90 < spread < 240),
           "%d distinct, %d..%d, %d in the lower half" %
           (distinct, min(hints), max(hints), spread))
    refused("P5: the shortest above the longest", errno.EINVAL,
            "the shortest retry hint is above the longest", nl.do,
            "chassis-set", retry_min=11, retry_max=10)
    equal("P5: that changed nothing",
          [nl.do("chassis-get")[name] for name in ("retry-min",
                                                   "retry-max")],
          [0, 3600000])
    nl.do("chassis-set", retry_min=1000, retry_max=10000)
    nl.do("limit-del", target=ETH1, type="any")


def verdict(nl, target=ETH1, **values):
    answer = nl.admit(target, **values)
    return answer["cause"] if answer["verdict"] != "admit" else "admit"


def p6_p7(nl):
    agent = Netlink()
    nl.do("region-report", device=0, region="heap", used=95, total=100,
          lifetime=86400)
    equal("P6: heap at its high threshold refuses, the device is named",
          [nl.admit(ETH1)[name] if name == "cause" else
           text(nl.admit(ETH1)[name]) for name in ("cause", "target")],
          ["memory", "device 0"])
    equal("P6: on that device only", verdict(nl, ETH2), "admit")
    equal("P7: priority does not skip gate 2", verdict(nl, priority=True),
          "memory")
    nl.do("chassis-set", load_throttle=0)
    equal("P6: load-throttle off leaves gate 2 on", verdict(nl), "memory")
    nl.do("chassis-set", load_throttle=1, throttle=0)
    equal("P6: throttle off switches gate 2 off", verdict(nl), "admit")
    nl.limit(ETH1, max_sessions=0)
    equal("P6: caps always count", verdict(nl), "cap-port")
    equal("P7: for priority too", verdict(nl, priority=True), "cap-port")
    nl.do("limit-del", target=ETH1, type="any")
    nl.do("chassis-set", throttle=1)
    nl.do("region-report", device=0, region="heap", used=1, total=100,
          lifetime=86400)

    # An agent that never answers.
    nl.do("rtt-set", target=device(0), threshold_us=1000, count=1, step=100,
          silent_max=100)
    nl.do("echo-set", device=0, engine="agent", interval_ms=100)
    agent.do("echo-register", device=0)
    ok("P6: a throttle of 100 %",
       wait_until(lambda: nl.do("rtt-get", target=device(0))["allowed"] == 0),
       nl.do("rtt-get", target=device(0)))
    equal("P6: refuses, on that device only", (verdict(nl),
                                               verdict(nl, ETH2)),
          ("rtt", "admit"))
    nl.do("region-report", device=0, region="heap", used=95, total=100)
    equal("P6: gate 2 comes before gate 3", verdict(nl), "memory")
    nl.limit(ETH1, max_sessions=0)
    equal("P6: gate 1 before gate 2", verdict(nl), "cap-port")
    nl.do("limit-del", target=ETH1, type="any")
    nl.do("region-report", device=0, region="heap", used=1, total=100)
    equal("P7: priority skips gate 3", verdict(nl, priority=True), "admit")
    equal("P6: one that asks again for its session is not refused",
          (verdict(nl, key=b"p", priority=True), verdict(nl, key=b"p")),
          ("admit", "admit"))
    nl.do("chassis-set", load_throttle=0)
    equal("P6: load-throttle off switches gate 3 off", verdict(nl), "admit")
    nl.do("chassis-set", load_throttle=1, throttle=0)
    equal("P6: so does throttle off", verdict(nl), "admit")
    nl.do("chassis-set", throttle=1)
    equal("P6: on again it refuses", verdict(nl), "rtt")
    client = nl.admitted(ETH1, priority=True)
    answer = nl.admit(None, type=None, kind="service", on_id=client)
    equal("P8: a service passes the same gates", answer["cause"], "rtt")
    nl.limit(ETH1, max_sessions=1)
    equal("P7: priority does not skip gate 6",
          verdict(nl, priority=True), "cap-port")
    nl.do("limit-del", target=ETH1, type="any")
    nl.do("drain-set", target=ETH1, on=1)
    equal("P7: nor draining", verdict(nl, priority=True), "drain")
    nl.do("drain-set", target=ETH1, on=0)
    nl.do("echo-set", device=0, engine="none")
    agent.close()


def main():
    nl = tap.fresh()
    setup(nl)
    for test in (ledger, p4, p5, p6_p7):
        test(nl)
    tap.finish(nl)


tap.main(main)
