#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Counters: what the callers saw is what was counted (P3), and a clear begins
# anew without losing or changing anything else (C8).
# timeout: 600
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

work=$(mktemp -d)
seen=()
cleanup()
{
	rm -rf "$work"
	ip link del rml0 2>/dev/null
	ip link del rmm0 2>/dev/null
	rmmod resmon
}
trap cleanup EXIT

# look: take all counters once, a line each: element, name, number. Of causes
# their sum.
look()
{
	mapfile -t seen < <(rmctl -j stats show | python3 -c '
import json, sys
for element in json.load(sys.stdin):
    target = element["target"]
    name = target.get("ifname", target["kind"])
    counters = {n: element[n] for n in ("charged", "same", "refused-commits")}
    for row in element.get("row", []):
        for n, value in row.items():
            if n in ("type", "kind"):
                continue
            if isinstance(value, list):
                value = sum(cause["count"] for cause in value)
            counters[n] = counters.get(n, 0) + value
    for n, value in counters.items():
        print(name, n, value)')
}

# sum NAME [ELEMENT]: of the look before; without an element of all. Without a
# process, since there are so many.
sum()
{
	local line element=${2:-*} total=0
	for line in "${seen[@]}"; do
		# shellcheck disable=SC2053  # a pattern
		[[ $line == $element" $1 "* ]] && total=$((total + ${line##* }))
	done
	echo "$total"
}

# all NAME: the same of all elements but the chassis.
all()
{
	echo $(($(sum "$1") - $(sum "$1" chassis)))
}

answers() { cat "$work"/* | grep -o "\"$1\": *\"\{0,1\}$2\b" | wc -l; }

# The ledger of an element: requests, and what became of them.
agrees()
{
	[ "$(sum requests "$@")" = $(($(sum admitted "$@") +
		$(sum duplicate "$@") + $(sum denied "$@") +
		$(sum waiting "$@"))) ]
}

fresh
ip link add rml0 type veth peer name rml1
ip link add rmm0 type veth peer name rmm1
# However slow the machine is: no session times out.
rmctl timeout set starting 3600
rmctl device add 0
rmctl mic add 0/1
rmctl port add rml0 device 0 mic 1
rmctl port add rmm0 device 0
rmctl limit set port rml0 type pppoe max 30
rmctl limit set mic 0/1 type any max 50
rmctl limit set device 0 type dhcp max 40
rmctl limit set chassis type any max 90

rmctl -j session admit port rmm0 type l2tp key client >"$work/client"
client=$(sed 's/.*"id": *\([0-9]*\).*/\1/' "$work/client")

# Callers that run into each other, with sessions and without identity.
caller()
{
	local n=$1 i
	for i in 1 2 3; do
		rmctl -j session admit port rml0 type pppoe count 10
		rmctl -j session admit port rmm0 type dhcp count 8
		rmctl -j session admit port rml0 type l2tp count 6
		rmctl -j session admit port rml0 type pppoe key "same$i"
		rmctl -j session admit port rmm0 type l2tp key "own$n.$i"
	done >"$work/$n" 2>&1
}
for n in 1 2 3 4; do
	caller $n &
done
wait
rmctl -j session admit port rmm0 type l2tp kind service on "$client" \
	key service >"$work/service"
rmctl -j session admit port rmm0 type l2tp key client >"$work/again"

requests=$((4 * 3 * 26 + 3))
same=$(answers same 1)
admitted=$(($(answers verdict admit) - same))
denied=$(answers verdict deny)

look
is "every request is counted" "$requests" "$(sum requests chassis)"
is "admitted as the callers saw it" "$admitted" "$(sum admitted chassis)"
is "duplicate as the callers saw it" "$same" "$(sum duplicate chassis)"
is "denied as the callers saw it" "$denied" "$(sum denied chassis)"
ok "there were some of each" [ $((admitted * same * denied)) -gt 0 ]
for element in chassis rml0 rmm0; do
	ok "$element: requests are the sum of the rest" agrees $element
done
for name in requests admitted duplicate denied charged same refused-commits; do
	is "$name of the ports make that of the chassis" \
		"$(sum $name chassis)" "$(all $name)"
done
is "each denial has one element that refused" "$denied" "$(sum refused)"
is "what was charged is what is there" \
	"$(($(rmctl -j session show | grep -c '"id"')))" "$(sum charged chassis)"
is "usage of the chassis is what was charged, less the services" \
	"$(($(sum charged chassis) - $(value services chassis show)))" \
	"$(value sessions chassis show)"
is "limits say what each refused" "$denied" \
	"$(rmctl -j limit show | grep -o '"refused": *[0-9]*' |
		awk -F: '{ n += $2 } END { print n }')"

# One element alone.
usage=$(value sessions chassis show)
chassis=$(rmctl -j stats show chassis)
rmctl stats clear port rml0
look
is "one element cleared" "0 0 0" \
	"$(sum requests rml0) $(sum refused rml0) $(sum charged rml0)"
is "the chassis is not" "$chassis" "$(rmctl -j stats show chassis)"
ok "another port is not" [ "$(sum requests rmm0)" -gt 0 ]
rmctl session admit port rml0 type pppoe >/dev/null
look
is "what comes after is counted" 1 "$(sum requests rml0)"
ok "no such element" refused "not a port" stats clear port lo

# Everything.
rmctl session release port rml0 >/dev/null
left=$(value sessions chassis show)
ok "sessions left the first port" [ "$left" -lt "$usage" ]
is "the peak is from before" "$usage" "$(value peak chassis show)"
rmctl stats clear
look
is "nothing is counted any more" "0 0" "$(sum requests) $(sum refused)"
is "no commits either" "0 0 0" \
	"$(sum charged) $(sum same) $(sum refused-commits)"
is "usage stays" "$left" "$(value sessions chassis show)"
is "the peak is what is there" "$left" "$(value peak chassis show)"

# Clears and requests run into each other: nothing becomes negative, and what
# is counted after the last clear is right.
for n in 1 2; do
	caller $n &
done
for n in 1 2 3 4 5 6 7 8; do
	rmctl stats clear
	look
	for name in requests admitted denied; do
		[ "$(sum $name)" -lt 100000 ] || echo $name
	done
done >"$work/negative"
wait
is "a clear among requests is never negative" "" "$(cat "$work/negative")"
rmctl stats clear
rmctl session admit port rmm0 type pppoe key last >/dev/null
look
is "the last clear left nothing behind" "1 1" \
	"$(sum requests chassis) $(sum requests rmm0)"
finish
