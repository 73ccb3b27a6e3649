#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Times, each beside its peers of the same run. Not a test: a loaded machine
# gives other numbers, but the ratios stay.
set -eu
cd "$(dirname "$0")/../.."

if [ "${1:-}" != inside ]; then
	mkdir -p build/bench
	# shellcheck disable=SC2046
	${CC:-cc} -O2 -Wall -Wextra -Iuapi -o build/bench/nlbench \
		selftests/bench/nlbench.c \
		$(pkg-config --cflags --libs libnl-genl-3.0)
	exec selftests/vm/run.sh -k uml61 -- selftests/bench/bench.sh inside
fi

parameters=/sys/module/resmon_bench/parameters

# ns MODE LOOPS: nanoseconds a loop, the best of 20.
ns()
{
	echo "$1 b0 $2" >$parameters/run
	awk '{ printf "%.0f", $1 / 1000 }' $parameters/result
}

row()
{
	printf '%-52s %10s %s\n' "$@"
}

modprobe resmon
modprobe resmon_bench
ip link add b0 type dummy
ip link set b0 up
rmctl device add 0
rmctl mic add 0/0
rmctl port add b0 device 0 mic 0

echo "Linux $(uname -r), $(nproc) CPU, best of 20"
row "one atomic increment" "$(ns atomic 1000000)" ns

# What stands at the ingress of b0, each set up and taken away again.
rule()
{
	nft -f - <<-NFT
	table netdev bench {
		chain in {
			type filter hook ingress device "b0" priority 0;
			ether type 0x8863 limit rate over 1/second drop
		}
	}
	NFT
}

unrule() { nft delete table netdev bench; }

enforce()
{
	rmctl limit set port b0 type any max 0
	rmctl enforce set port b0 pppoe "$1" dhcp4 "$1" dhcp6 "$1" l2tp "$1"
}

least()
{
	local key=$1 now=$2
	[ "${best[$key]:-$now}" -lt "$now" ] || best[$key]=$now
}

# Interleaved, so that all see the same machine.
declare -A best
rmctl chassis set settle 0
for _ in 1 2 3 4; do
	least skb "$(ns skb 20000)"
	for mode in padi ip4 ip6 ppp; do
		least "$mode none" "$(ns $mode 20000)"
		rule
		least "$mode rule" "$(ns $mode 20000)"
		unrule
		enforce drop
		least "$mode enforce" "$(ns $mode 20000)"
		enforce off
		rmctl limit del port b0 type any
	done
done
skb=${best[skb]}
limit=${best[padi rule]}
none=${best[padi none]}
cap=${best[padi enforce]}
row "a PADI through netif_receive_skb(), no rule" \
	$((none - skb)) ns
row "the same, dropped by one nft limit rate rule" $((limit - skb)) ns
row "the same, refused by a cap" $((cap - skb)) ns
row "refused by a cap against the nft rule" \
	"$(awk "BEGIN { printf \"%.2f\", ($cap - $skb) / ($limit - $skb) }")" \
	"x (at most 0.5)"
for mode in ip4 ip6 ppp; do
	by_rule=$((${best[$mode rule]} - ${best[$mode none]}))
	by_hook=$((${best[$mode enforce]} - ${best[$mode none]}))
	row "unrelated $mode: added by the nft rule, by the hook" \
		"$by_rule $by_hook" ns
	row "unrelated $mode: the hook against the nft rule" \
		"$(awk "BEGIN { printf \"%.2f\", $by_hook / $by_rule }")" \
		"x (at most 0.2)"
done

# fill SESSIONS: so many are there, those of the last fill are gone.
fill()
{
	rmmod resmon_bench
	modprobe resmon_bench
	echo "fill b0 $1" >$parameters/run
}

# used: kilobytes that are not free.
used()
{
	awk '$1 == "MemTotal:" { all = $2 } $1 == "MemFree:" { free = $2 }
		END { print all - free }' /proc/meminfo
}

fill 1000
pair=$(ns admit 20000)
row "admit + release at 1 000 sessions" "$pair" "ns (at most 400)"
rmctl limit set chassis type any max 0
row "a request that is refused, through the interface" "$(ns refuse 20000)" ns
rmctl limit del chassis type any
row "admit + release against the nft rule" \
	"$(awk "BEGIN { printf \"%.1f\", $pair / ($limit - $skb) }")" x

fill 100000
row "admit + release at 100 000 sessions" "$(ns admit 20000)" ns
fill 1
before=$(used)
fill 1000000
million=$(ns admit 20000)
row "admit + release at 1 000 000 sessions" "$million" "ns (at most 600)"
row "1 000 000 sessions against 1 000" \
	"$(awk "BEGIN { printf \"%.1f\", $million / $pair }")" "x (at most 1.3)"
# Without the list of ids that the benchmark itself keeps.
row "memory of 1 000 000 sessions, all included" \
	"$((($(used) - before) * 1024 / 1000000 - 4))" "MB (at most 160)"
fill 1000

one=$(build/bench/nlbench b0 1 20000)
many=$(build/bench/nlbench b0 64 2000)
row "ADMIT + RELEASE over netlink, one a message" "$one" pairs/s
row "the same, 64 a message" "$many" pairs/s
row "64 a message against one" \
	"$(awk "BEGIN { printf \"%.1f\", $many / $one }")" x

objects()
{
	awk -v name="$1" '$1 == name { print $4; found = 1 }
		END { if (!found) print "?" }' /proc/slabinfo 2>/dev/null ||
		echo "?"
}
row "memory of one session, without its hash bucket" \
	"$(objects resmon_session)" bytes
rmmod resmon_bench
rmctl session release all >/dev/null
rmmod resmon
