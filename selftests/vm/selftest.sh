#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Does a machine notice what it must notice? Prints TAP. Uses the planted bugs
# of selftests/kmod/resmon_planted.c.
#
# usage: selftest.sh [-n] [KERNEL...]       default: 6.1 uml uml-debug
here=$(dirname "$0")
build=()
if [ "$1" = -n ]; then
	build=(-n)
	shift
fi
[ $# -gt 0 ] || set -- 6.1 uml uml-debug

number=0 failed=0
output=$(mktemp)
log=$(mktemp)
trap 'rm -f "$output" "$log"' EXIT

result()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		failed=$((failed + 1))
		echo "not ok $number - $2"
		sed 's/^/# /' "$output"
	fi
}

# expect STATUS NAME RUN-OPTIONS... -- COMMAND...
expect()
{
	local want=$1 name=$2 got=0
	shift 2
	"$here/run.sh" "${build[@]}" -l "$log" "$@" >"$output" 2>&1 || got=$?
	[ "$got" = "$want" ] || echo "status $got, not $want" >>"$output"
	[ "$got" = "$want" ]
	result $? "$name"
	build=(-n)
}

planted() { echo "modprobe resmon_planted bug=$1"; }

logged()
{
	sed '1,/resmon-vm: command/d' "$log" | grep -E "$2" >/dev/null
	result $? "$1"
}

for kernel; do
	k=(-k "$kernel")
	expect 7 "$kernel: the command's exit status" "${k[@]}" -- sh -c 'exit 7'
	expect 0 "$kernel: a quiet module" "${k[@]}" -- \
		sh -c "$(planted none); rmmod resmon_planted"
	expect 99 "$kernel: a warning" "${k[@]}" -- sh -c "$(planted warn); true"
	expect 99 "$kernel: an oops" "${k[@]}" -- sh -c "$(planted oops); true"
	case $kernel in
	6.1 | 6.12) ;;
	uml | uml61)
		expect 99 "$kernel: a panic" "${k[@]}" -- \
			sh -c "$(planted panic); true"
		expect 99 "$kernel: a hang" -t 15 "${k[@]}" -- \
			sh -c "$(planted hang)"
		;;
	uml-debug)
		# One boot for those that let the machine live; those of
		# lockdep first, since it stops after any other report.
		bugs=
		for bug in rcu lockdep object refcount shift uaf overrun leak; do
			bugs="$bugs $(planted $bug); rmmod resmon_planted;"
		done
		expect 99 "$kernel: planted bugs" "${k[@]}" -- sh -c "$bugs true"
		logged "$kernel: KASAN sees a use after free" \
			'KASAN: slab-use-after-free'
		logged "$kernel: KASAN sees an overrun" 'KASAN: slab-out-of-bounds'
		logged "$kernel: UBSAN sees a shift" 'UBSAN: shift-out-of-bounds'
		logged "$kernel: RCU usage" 'suspicious RCU usage'
		logged "$kernel: a timer freed while it runs" 'ODEBUG: free active'
		logged "$kernel: a reference from zero" 'refcount_t: addition on 0'
		logged "$kernel: lock order" 'possible circular locking'
		logged "$kernel: kmemleak sees a leak" 'unreferenced object'
		expect 99 "$kernel: sleeping under a spin lock" "${k[@]}" -- \
			sh -c "$(planted atomic); true"
		;;
	esac
done
echo "1..$number"
[ "$failed" = 0 ]
