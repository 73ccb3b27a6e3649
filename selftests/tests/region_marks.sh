#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Memory regions: what is refused, who is denied, one event and one line in
# the log for each crossing, reports that become too old, the host's own.
# timeout: 600
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

events=$(mktemp)
monitor=
cleanup()
{
	[ -z "$monitor" ] || kill "$monitor" 2>/dev/null
	rm -f "$events"
	ip link del rmp0 2>/dev/null
	ip link del rmq0 2>/dev/null
	rmmod resmon
}
trap cleanup EXIT

listening() { grep -q monitoring "$events"; }
# How many events of a type there were.
told() { grep -c "\"type\": *\"$1\"" "$events"; }
told_is() { [ "$(told "$1")" = "$2" ]; }
logged() { dmesg | grep -c "resmon: .*$1"; }
report() { rmctl region report device 0 "$@"; }

# Denied for memory, or not: client and service on the port of device 0.
verdicts()
{
	local client service
	client=$(rmctl -j session admit port rmp0 type dhcp)
	service=$(rmctl -j session admit port rmp0 type dhcp kind service on "$id")
	# shellcheck disable=SC2001  # two lines
	sed 's/.*"cause": *"\([^"]*\)".*/\1/' <<<"$client
$service" | paste -sd ' '
}

region_is_stale() { [ "$(value stale region show device 0)" = 1 ]; }
verdicts_are() { [ "$(verdicts)" = "$1" ]; }

fresh
ip link add rmp0 type veth peer name rmp1
ip link add rmq0 type veth peer name rmq1
# However slow the machine is: no session times out.
rmctl timeout set starting 3600
rmctl device add 0
rmctl device add 1
rmctl port add rmp0 device 0
rmctl port add rmq0 device 1
id=$(value id session admit port rmp0 type dhcp key client)
rmctl -j monitor events >"$events" &
monitor=$!
wait_for 10 listening

ok "more used than there is" refused "more in use than the region has" \
	region report device 0 heap used 11 total 10
ok "a size of 0" refused "a region cannot have a size of 0" \
	region report device 0 heap used 0 total 0
ok "heap of a PFE" refused "heap belongs to the device" \
	region report device 0 pfe 0 heap used 0 total 10
ok "no such device" refused "no such device" \
	region report device 7 heap used 0 total 10
is "refused reports change nothing" "[]" "$(rmctl -j region show | tr -d '\n ')"

# R4: 79, 80, 79, 80 around the mark.
rmctl chassis set high-threshold 80
rmctl watermark set heap 1
before=$(logged "heap .*high threshold")
for used in 79 80 79 80 79 80; do
	report heap used $used total 100
done
report heap used 60 total 100
wait_for 5 told_is region-normal 1
is "one event up for samples around the mark" 1 "$(told region-high)"
is "one event down" 1 "$(told region-normal)"
is "one line in the log each" 2 \
	$(($(logged "heap .*high threshold") - before))

report heap used 99 total 100
wait_for 5 told_is region-low 1
report heap used 96 total 100
report heap used 99 total 100
report heap used 94 total 100
wait_for 5 told_is region-clear 1
is "one event at the watermark" "1 1" "$(told region-low) $(told region-clear)"
is "the high threshold was crossed once more" 2 "$(told region-high)"
report heap used 0 total 100

rmctl chassis set logging off
before=$(logged "")
report heap used 100 total 100
ok "logging off: the event comes" wait_for 5 told_is region-high 3
is "logging off: no line in the log" "$before" "$(logged "")"
rmctl chassis set logging on
report heap used 0 total 100
rmctl watermark reset
rmctl chassis set high-threshold 90

# R2: the star follows the percentage exactly.
report heap used 80 total 100
is "20% free is at the watermark" 1 "$(value low region show device 0)"
ok "... and has a star" grep -q '20% \*' <(rmctl show)
report heap used 79 total 100
is "21% free is not" 0 "$(value low region show device 0)"
rmctl watermark set heap 30
is "another watermark counts at once" 1 "$(value low region show device 0)"
rmctl watermark reset
report heap used 0 total 100

# R3: who is denied.
is "nothing is denied" "none none" "$(verdicts)"
report heap used 90 total 100
is "heap denies clients and services" "memory memory" "$(verdicts)"
is "another device does not mind" none \
	"$(value cause session admit port rmq0 type dhcp)"
report heap used 89 total 100
is "one point less denies nobody" "none none" "$(verdicts)"
report pfe 3 nh used 9 total 10
is "next hops deny clients" "memory none" "$(verdicts)"
report pfe 3 nh used 0 total 10
report encap used 10 total 10
is "encapsulations deny clients" "memory none" "$(verdicts)"
report encap used 0 total 10
report pfe 7 fw used 10 total 10
is "filters deny services" "none memory" "$(verdicts)"
rmctl chassis set throttle off
is "throttle off denies nobody" "none none" "$(verdicts)"
rmctl chassis set throttle on load-throttle off
is "load-throttle off leaves the regions on" "none memory" "$(verdicts)"
rmctl chassis set load-throttle on high-threshold 99
report pfe 7 fw used 98 total 100
is "under another threshold" "none none" "$(verdicts)"
rmctl chassis set high-threshold 98
is "another threshold counts at once" "none memory" "$(verdicts)"
rmctl chassis set high-threshold 90
report pfe 7 fw used 0 total 10
is "eight PFEs were seen" 8 "$(value pfes device show 0)"
is "the device is what refused" "0 of some" \
	"$(rmctl -j why | tr '{' '\n' | awk '
		/"kind":"device"/ { device = /"device":0/ }
		/"cause":"memory"/ { n++; bad += !device }
		END { print bad + 0, n ? "of some" : "of none" }')"

# R5: a report that nobody repeats.
before=$(told region-normal)
report heap used 95 total 100 lifetime 3
is "denied while the report is valid" "memory memory" "$(verdicts)"
ok "stale after its lifetime" wait_for 20 region_is_stale
ok "then it denies nobody" wait_for 10 verdicts_are "none none"
is "it shows no percentage" "" "$(value free-pct region show device 0)"
ok "... but --" grep -q '^ *0  -- ' <(rmctl show)
ok "an event says so, once" wait_for 5 told_is region-normal $((before + 1))
report heap used 95 total 100
is "a new report counts again" "memory memory" "$(verdicts)"

# A huge region: 100 times its size does not fit into 64 bits.
report heap used 18446744073709551615 total 18446744073709551615
is "all of 2^64 - 1 bytes" 100 "$(value used-pct region show device 0)"
report heap used 0 total 18446744073709551615
is "none of them" 100 "$(value free-pct region show device 0)"

# R6: the card that is the host.
host_is_read() { [ "$(rmctl -j region show device 2 | grep -c '"region"')" = 2 ]; }
rmctl device add 2 host
ok "heap and next hops of the host are read" wait_for 10 host_is_read
ok "... and not reported" refused "reads this region of its host itself" \
	region report device 2 heap used 1 total 10
ok "... next hops neither" refused "reads this region of its host itself" \
	region report device 2 nh used 1 total 10
ok "others are" rmctl region report device 2 fw used 1 total 10
total=$(awk '/^MemTotal/ { printf "%d", $2 * 1024 }' /proc/meminfo)
is "the size of its heap" "$total" "$(value total region show device 2)"
finish
