#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Events: a flood of denials is told in few, none is forgotten; each namespace
# hears its own, and the log says whose they are.
# timeout: 600
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

work=$(mktemp -d)
pids=()
cleanup()
{
	[ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null
	wait
	ip netns del rme 2>/dev/null
	ip link del rme0 2>/dev/null
	rm -rf "$work"
	rmmod resmon
}
trap cleanup EXIT

# listen FILE RMCTL-ARGUMENT...: events into the file.
listen()
{
	local file=$work/$1
	shift
	rmctl -j "$@" monitor events >"$file" &
	pids+=($!)
	wait_for 20 grep -q monitoring "$file"
}

# Verdicts in a file: events, and those that events say were left out.
verdicts()
{
	python3 -c '
import json, sys
events = left_out = 0
for line in open(sys.argv[1]):
    if not line.startswith("{"):
        continue
    msg = json.loads(line)["msg"]
    if msg["type"] == "verdict":
        events += 1
        left_out += msg.get("suppressed", 0)
print(events, left_out)' "$work/$1"
}
# told N: N verdicts were told of or left out.
told()
{
	local events left_out
	read -r events left_out <<<"$(verdicts here)"
	[ $((events + left_out)) = "$1" ]
}
heard() { grep -q "\"type\": *\"$2\"" "$work/$1"; }

fresh
ip link add rme0 type veth peer name rme1
rmctl device add 0
rmctl port add rme0 device 0
rmctl limit set port rme0 type pppoe max 0

# Nobody listens: nothing is kept for later.
rmctl session admit port rme0 type pppoe count 100 >/dev/null
listen here
ok "denials before are not told" told 0

rmctl session admit port rme0 type pppoe key one >/dev/null
ok "a denial is told" wait_for 10 told 1
ok "... with its cause and who refused" \
	grep -q '"refuser":{"kind":"port".*"ifname":"rme0"}' "$work/here"
for n in 1 2 3 4; do
	rmctl session admit port rme0 type pppoe count 500 >/dev/null
done
read -r events left_out <<<"$(verdicts here)"
ok "a flood of denials is told in few" [ "$events" -lt 1500 ]

# Each CPU says what it left out with its next one, a second later.
cpus=$(getconf _NPROCESSORS_ONLN)
one_each()
{
	local cpu
	for cpu in $(seq 0 $((cpus - 1))); do
		taskset -c "$cpu" rmctl session admit port rme0 type pppoe \
			>/dev/null
		more=$((more + 1))
	done
	told $((2001 + more))
}
more=0
ok "none is forgotten" wait_for 30 one_each

# Another namespace.
ip netns add rme
listen there -n rme
rmctl -n rme device add 0
rmctl -n rme region report device 0 heap used 99 total 100
ok "a namespace hears its own" wait_for 10 heard there region-high
ok "... the others do not" eval ! heard here region-high
inum=$(ip netns exec rme stat -L -c %i /proc/self/ns/net)
ok "the log says whose it is" \
	eval "dmesg | grep -q 'resmon: net $inum: device 0: heap 99% used'"
rmctl region report device 0 heap used 99 total 100
ok "... and nothing of the first" \
	eval "dmesg | grep -q 'resmon: device 0: heap 99% used'"

# Draining and warning marks.
rmctl limit set device 0 type any max 10 warn 80
rmctl chassis set throttle off
rmctl session admit port rme0 type dhcp count 7 >/dev/null
ok "under the mark" eval ! heard here limit-warn
rmctl session admit port rme0 type dhcp key mark >/dev/null
ok "at the mark" wait_for 10 heard here limit-warn
rmctl drain set port rme0 on
rmctl session release port rme0 >/dev/null
ok "clear of the mark" wait_for 10 heard here limit-clear
ok "the last one of a drained port" wait_for 10 heard here drained
is "one event each" "1 1 1" "$(for type in limit-warn limit-clear drained; do
	grep -c "\"type\": *\"$type\"" "$work/here"
done | paste -sd ' ')"
is "no event was lost" 0 "$(value events-lost chassis show)"

# A namespace goes with events on their way.
for n in 1 2 3 4 5 6 7 8; do
	rmctl -n rme region report device 0 heap used $((n % 2 * 99)) total 100
done
ip netns del rme
ok "a namespace takes its events along" true
finish
