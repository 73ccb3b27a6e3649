#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The last denials: who, where, why and in which order; bounded.
# timeout: 600
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

cleanup()
{
	ip link del rmw0 2>/dev/null
	rmmod resmon
}
trap cleanup EXIT

count() { rmctl -j why "$@" | grep -o '"cause"' | wc -l; }
# words EXPRESSION RMCTL-ARGUMENT...: of each denial, d, on one line.
words()
{
	local expression=$1
	shift
	rmctl -j why "$@" | python3 -c '
import json, sys
print(*[eval(sys.argv[1]) for d in json.load(sys.stdin)])' "$expression"
}

fresh
ip link add rmw0 type veth peer name rmw1
rmctl device add 3
rmctl port add rmw0 device 3
is "nothing was denied yet" 0 "$(count)"
rmctl session admit port rmw0 type pppoe key welcome >/dev/null
is "an admission is no denial" 0 "$(count)"

rmctl limit set port rmw0 type pppoe max 0
rmctl session admit port rmw0 type pppoe key first vlan 100.7 >/dev/null
rmctl limit set device 3 type any max 0
rmctl session admit port rmw0 type dhcp key second >/dev/null
rmctl session admit port rmw0 type l2tp key 0x0001fe vlan 9 >/dev/null
rmctl session admit port rmw0 type dhcp >/dev/null
rmctl drain set chassis on
rmctl session admit port rmw0 type dhcp key first >/dev/null

is "oldest first" "first second 0x0001fe - first" \
	"$(words 'd.get("key", "-")')"
is "the times rise" True "$(words 'd["time"]' | python3 -c '
t = [int(x) for x in input().split()]
print(t == sorted(t))')"
now=$(date +%s)
is "and are of today" "" \
	"$(words "abs(d['time'] // 10**9 - $now) > 60 and d['time'] or ''" |
		tr -d ' ')"
is "where from" "rmw0 rmw0 rmw0 rmw0 rmw0" "$(words 'd["place"]["ifname"]')"
is "who refused" "port device device device" \
	"$(words 'd["refuser"]["kind"]' | cut -d ' ' -f -4)"
is "causes" "cap-port cap-device cap-device cap-device" \
	"$(words 'd["cause"]' | cut -d ' ' -f -4)"
is "client types" "pppoe dhcp l2tp dhcp dhcp" "$(words 'd["type"]')"
is "outer VLANs" "100 - 9 - -" "$(words 'd.get("vlan-outer", "-")')"
is "inner VLANs" "7 - - - -" "$(words 'd.get("vlan-inner", "-")')"

is "of one subscriber" "first first" "$(words 'd["key"]' key first)"
is "of a subscriber that is binary" 0x0001fe "$(words 'd["key"]' key 0x0001fe)"
is "of nobody that is known" 0 "$(count key firs)"

# More than there is room for: the oldest go, CPU by CPU.
cpus=$(getconf _NPROCESSORS_CONF)
for _ in 1 2 3 4 5; do
	rmctl session admit port rmw0 type pppoe count 500 >/dev/null
done
rmctl session admit port rmw0 type pppoe key newest >/dev/null
ok "bounded" [ "$(count)" -le $((64 * cpus)) ]
ok "but not empty" [ "$(count)" -ge 64 ]
is "the newest is the last" newest \
	"$(words 'd.get("key", "-")' | awk '{ print $NF }')"
is "still in order" True "$(words 'd["time"]' | python3 -c '
t = [int(x) for x in input().split()]
print(t == sorted(t))')"

# Readers and denials run into each other.
for _ in 1 2 3 4 5 6; do
	rmctl session admit port rmw0 type pppoe count 400 >/dev/null
done &
broken=0
while kill -0 $! 2>/dev/null; do
	rmctl -j why | python3 -c '
import json, sys
for d in json.load(sys.stdin):
    assert d["cause"] != "none" and d["place"]["ifname"] == "rmw0"' ||
		broken=$((broken + 1))
done
wait
is "a flood tears no denial" 0 "$broken"

# Who the subscribers are is not for everybody.
is "not without the capability" 1 \
	"$(setpriv --bounding-set -net_admin --inh-caps -net_admin \
		rmctl why >/dev/null 2>&1; echo $?)"

# What outlives the port is the name, not the port.
ip link del rmw0
ok "denials outlive their port" [ "$(count)" -ge 64 ]
finish
