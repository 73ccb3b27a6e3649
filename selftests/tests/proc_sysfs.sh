#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# /proc/net/resmon and /sys against what rmctl shows, what may be written, and
# that each namespace has its own.
# timeout: 600
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

proc=/proc/net/resmon
class=/sys/class/resmon
work=$(mktemp -d)
monitor=
cleanup()
{
	[ -z "$monitor" ] || kill "$monitor" 2>/dev/null
	rm -rf "$work"
	ip netns del rms 2>/dev/null
	ip link del rms0 2>/dev/null
	ip link del rmsbond 2>/dev/null
	rmmod resmon
}
trap cleanup EXIT

# Numbers that age between two looks are looked at again.
same_text()
{
	for _ in 1 2 3 4 5; do
		"$1" >"$work/a" 2>&1
		"$2" >"$work/b" 2>&1
		cmp -s "$work/a" "$work/b" && return 0
	done
	diff "$work/a" "$work/b" | sed 's/^/# /'
	return 1
}

summary() { cat "$proc/summary"; }
show() { rmctl show; }

# Tables as words, one line each, from /proc and from rmctl -j.
elements() { tail -n +2 "$proc/elements" | tr -s ' '; }
elements_json()
{
	rmctl -j limit show | python3 -c '
import json, sys
for r in json.load(sys.stdin):
    t = r["target"]
    name = t.get("ifname") or ("%d/%d" % (t["device"], t["mic"])
        if t["kind"] == "mic" else t.get("device", "-"))
    drain = sys.argv[1] == "%s %s" % (t["kind"], name)
    print(t["kind"], name, r["type"], r["sessions"],
          r.get("max-sessions", "-"), r["starting"],
          r.get("max-starting", "-"), r["peak"],
          "%d%%" % r["warn"] if "warn" in r else "-", r["refused"],
          "yes" if r["over"] else "no", "on" if drain else "off")' "mic 0/1"
}
throttles() { tail -n +2 "$proc/throttle" | tr -s ' ' | cut -d ' ' -f 1,2,6- ; }
throttles_json()
{
	rmctl -j rtt show | python3 -c '
import json, sys
for r in json.load(sys.stdin):
    t = r["target"]
    print(t["kind"], t.get("ifname", t.get("device")),
          "%d%%" % r["throttle"], "%d%%" % r["allowed"],
          "yes" if r["exceeded"] else "no", r["consecutive"], r["measured"],
          r["over"], r["unanswered"], r["raised"])'
}
sessions() { tail -n +2 $proc/sessions | tr -s ' ' | cut -d ' ' -f -7,10-; }
sessions_json()
{
	rmctl -j session show | python3 -c '
import json, sys
for r in json.load(sys.stdin):
    t = r["target"]
    print(r["id"], t["kind"], t["ifname"], r["type"], r["kind"], r["state"],
          "%d.%d" % (r.get("vlan-outer", 0), r.get("vlan-inner", 0)),
          r.get("key", "-"))'
}
bytewise() { dd if="$proc/$1" bs=7 2>/dev/null; }
whole() { cat "$proc/$1"; }
file_is() { [ "$(cat "$1" 2>&1)" = "$2" ]; }
# refuses FILE VALUE: the write fails and changes nothing.
refuses()
{
	local before
	before=$(<"$1")
	! (echo "$2" >"$1") 2>/dev/null && [ "$(<"$1")" = "$before" ]
}
write() { echo "$2" >"$1"; }
listening() { grep -q monitoring "$work/config"; }
notified() { grep -q "\"$1\"" "$work/config"; }

fresh
ip link add rms0 type veth peer name rms1
ip link add rms2 type veth peer name rms3
# However slow the machine is: no session times out.
rmctl timeout set starting 3600
rmctl device add 0 name left
rmctl device add 5
rmctl mic add 0/1
rmctl port add rms0 device 0 mic 1
rmctl port add rms1 anchor 0,5
rmctl port add rms2 device 5
lag=
if ip link add rmsbond type bond mode 1 2>/dev/null; then
	ip link set rms2 master rmsbond
	lag=rmsbond
fi
rmctl limit set chassis type any max 200
rmctl limit set device 0 type any max 120 warn 80
rmctl limit set port rms0 type pppoe max 3 starting 2
rmctl session admit port rms0 type pppoe key a active vlan 12.7 >/dev/null
rmctl session admit port rms0 type pppoe count 4 >/dev/null
rmctl session admit port rms0 type dhcp key 0x00ff >/dev/null
rmctl session admit port rms1 type l2tp count 3 active >/dev/null
[ -z "$lag" ] || rmctl session admit lag rmsbond type dhcp count 2 >/dev/null
rmctl region report device 0 heap used 81 total 100 lifetime 600
rmctl region report device 0 pfe 1 nh used 1 total 3 lifetime 600
rmctl region report device 0 fw used 1 total 4 lifetime 1
rmctl drain set mic 0/1 on

ok "summary is what rmctl show prints" same_text summary show
ok "elements are the limits and usage" same_text elements elements_json
ok "throttle is rtt show" same_text throttles throttles_json
ok "sessions is session show" same_text sessions sessions_json
ok "sessions has all of them" [ "$(sessions | wc -l)" = \
	$(($(value sessions chassis show))) ]
# A slow machine takes longer for it than a session takes to become older.
ageless()
{
	if [ "$table" = sessions ]; then
		tr -s ' ' | cut -d ' ' -f -7,10-
	else
		cat
	fi
}
for table in summary elements throttle sessions; do
	table_whole() { whole "$table" | ageless; }
	table_bytes() { bytewise "$table" | ageless; }
	ok "$table is the same in small pieces" same_text table_whole table_bytes
done
is "sessions are for root" 400 "$(stat -c %a $proc/sessions)"
ok "... with the capability" [ -z "$(setpriv --bounding-set -net_admin \
	--inh-caps -net_admin cat $proc/sessions 2>/dev/null)" ]
ok "the others are for everybody" [ -n "$(setpriv --bounding-set -net_admin \
	--inh-caps -net_admin cat "$proc/summary")" ]

# sysfs: what is there.
shown=$(rmctl -j chassis show)
for name in throttle load-throttle high-threshold logging on-error sessions \
	starting services peak denied admitted drain; do
	file=${name//-/_}
	is "chassis: $file" "$(field "$name" "$shown")" \
		"$(<$class/chassis/"${file/sessions/usage}")"
done
is "chassis: limit" 200 "$(<$class/chassis/limit)"
shown=$(rmctl -j device show 0)
for name in sessions starting services peak refused drain; do
	is "device0: $name" "$(field "$name" "$shown")" \
		"$(<$class/device0/"${name/sessions/usage}")"
done
is "device0: name" left "$(<$class/device0/name)"
is "device0: allowed_pct" 100 "$(<$class/device0/allowed_pct)"
is "device0: rtt_ms" -- "$(<$class/device0/rtt_ms)"
is "device5: no limit" - "$(<$class/device5/limit)"
shown=$(rmctl -j port show rms0)
for name in sessions starting peak denied refused; do
	is "rms0: $name" "$(field "$name" "$shown")" \
		"$(</sys/class/net/rms0/resmon/"${name/sessions/usage}")"
done
if [ -n "$lag" ]; then
	is "the lag: usage" 2 "$(</sys/class/net/rmsbond/resmon/usage)"
else
	skip "the lag: usage" "no bonding"
fi

# sysfs: what may be written.
rmctl -j monitor config >"$work/config" &
monitor=$!
wait_for 10 listening
write $class/device5/limit 7
is "a limit" 7 "$(value max-sessions limit show device 5)"
ok "... is told to the config group" wait_for 5 notified limit-ntf
write $class/device5/limit none
is "none removes it" "- -" \
	"$(<$class/device5/limit) $(value max-sessions limit show device 5 |
		grep . || echo -)"
ok "a limit that is too high" refuses $class/device5/limit 1000001
ok "a limit that is a word" refuses $class/device5/limit many
ok "a negative limit" refuses $class/device5/limit -1
write /sys/class/net/rms1/resmon/limit 3
is "a limit of a port denies" cap-port \
	"$(value cause session admit port rms1 type l2tp)"
write $class/device0/limit -
is "... and takes its warning mark along" "" \
	"$(value warn limit show device 0)"
is "the starting limit stays" 2 "$(rmctl -j limit show port rms0 |
	grep -o '"max-starting": *[0-9]*' | grep -o '[0-9]*$')"

write $class/chassis/drain on
is "drain" drain "$(value cause session admit port rms0 type dhcp)"
ok "... is told" wait_for 5 notified drain-ntf
write $class/chassis/drain 0
ok "drain of a word" refuses $class/chassis/drain perhaps
for setting in throttle load_throttle logging; do
	write $class/chassis/$setting 0
	is "$setting off" 0 "$(value ${setting//_/-} chassis show)"
	write $class/chassis/$setting on
	is "$setting on" 1 "$(<$class/chassis/$setting)"
	ok "$setting of a number" refuses $class/chassis/$setting 2
done
ok "settings are told" wait_for 5 notified chassis-ntf
write $class/chassis/high_threshold 77
is "high_threshold" 77 "$(value high-threshold chassis show)"
ok "a threshold of 0" refuses $class/chassis/high_threshold 0
ok "a threshold of 100" refuses $class/chassis/high_threshold 100
write $class/chassis/on_error admit
is "on_error" admit "$(value on-error chassis show)"
ok "on_error of another word" refuses $class/chassis/on_error maybe
ok "usage is not written" refuses $class/chassis/usage 1
unprivileged()
{
	! setpriv --bounding-set -net_admin --inh-caps -net_admin \
		sh -c "echo 9 >$class/chassis/limit" 2>/dev/null &&
		file_is "$class/chassis/limit" 200
}
ok "not without the capability" unprivileged

# Files come and go with what they are about.
rmctl device add 9
ok "a new device has files" [ -e $class/device9/usage ]
rmctl device del 9
ok "... and takes them along" [ ! -e $class/device9 ]
rmctl port del rms1
ok "a net device that is no port any more" [ ! -e /sys/class/net/rms1/resmon ]
ok "... and is still there" [ -e /sys/class/net/rms1 ]
ip link set rms0 name rms0x
is "a renamed port" 120 "$(rmctl limit set port rms0x type any max 120
	cat /sys/class/net/rms0x/resmon/limit)"
ip link set rms0x name rms0

# Another namespace has a chassis of its own.
ip netns add rms
in_ns() { ip netns exec rms "$@"; }
is "a namespace has its own devices" chassis "$(in_ns ls $class)"
is "... its own settings" 90 "$(in_ns cat $class/chassis/high_threshold)"
in_ns sh -c "echo 5 >$class/chassis/limit"
is "... its own limit" "5 200" \
	"$(in_ns cat $class/chassis/limit) $(<$class/chassis/limit)"
is "... its own tables" 4 "$(in_ns tail -n +2 "$proc/elements" | wc -l)"
ip link set rms0 netns rms
ok "a port that moved is no port there" \
	in_ns test ! -e /sys/class/net/rms0/resmon
in_ns rmctl device add 0
in_ns rmctl port add rms0 device 0
ok "... until it is made one" in_ns test -e /sys/class/net/rms0/resmon/usage
ip netns del rms

# Writers, readers and whoever removes the files run into each other.
writer()
{
	while [ ! -e "$work/end" ]; do
		echo 1 >$class/device77/limit
		echo 0 >$class/device77/drain
		cat $class/device77/*
		echo 200 >$class/chassis/limit
		cat $proc/*
	done >/dev/null 2>&1
}
for _ in 1 2 3; do
	writer &
done
for _ in $(seq "$(scaled 50 10)"); do
	rmctl device add 77
	rmctl device del 77
done
touch "$work/end"
kill "$monitor"
wait
ok "nobody waits for anybody" true
ok "nothing is left" [ ! -e "$class/device77" ]
finish
