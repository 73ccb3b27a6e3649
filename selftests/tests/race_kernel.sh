#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C2: threads that race for the last places get exactly those, on every mix of
# levels, lags included; what they release counts nowhere any more.
# timeout: 900
set -u

run=/sys/module/resmon_race/parameters/run
result=/sys/module/resmon_race/parameters/result
release=/sys/module/resmon_race/parameters/release
# A hundred rounds take seconds at native speed, and too long when emulated.
if [ "${RESMON_REDUCED:-}" != 1 ] && grep -q "User Mode Linux" /proc/cpuinfo; then
	rounds=100
else
	rounds=3
fi
attempts=20000
n=0
failed=0

ok()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		failed=1
	fi
}

sessions()
{
	rmctl -j session count "$@" |
		python3 -c 'import json,sys; print(json.load(sys.stdin)["count"])'
}

if ! modprobe resmon_race 2>/dev/null; then
	echo "1..0 # SKIP module resmon_race is missing"
	exit 0
fi

ip link add rbond type bond mode balance-rr miimon 100
for i in 0 1 2; do
	ip link add "r$i" type veth peer name "p$i"
	ip link set "p$i" up
done
rmctl device add 0
rmctl device add 1
rmctl mic add 0/1
rmctl port add r0 device 0 mic 1
rmctl port add r1 device 1
rmctl port add r2 device 1
ip link set r0 master rbond
ip link set r1 master rbond
ip link set rbond up
ip link set r2 up
for _ in $(seq 100); do
	rmctl -j -p lag show | grep -c '"active": *1' | grep -q 2 && break
	sleep 0.1
done

# Read without a process: the rounds are many.
in_use()
{
	local used
	read -r used </sys/class/resmon/chassis/usage
	[ "$used" = "$1" ]
}

# One round: a limit of 1000 somewhere, all threads at once, exactly 1000 in.
race()
{
	local title=$1 devs=$2
	shift 2
	local bad=0 i admitted rest
	rmctl limit set "$@" max 1000
	for ((i = 1; i <= rounds; i++)); do
		echo 1 >"$release"
		echo "$devs 8 $attempts 0 0" >"$run"
		read -r admitted rest <"$result"
		[ "$admitted" = 1000 ] && [ "$rest" = "0 $((attempts - 1000)) 0" ] &&
			in_use 1000 || bad=1
		[ $bad = 0 ] || echo "# round $i: $admitted $rest"
		echo 1 >"$release"
		in_use 0 || bad=1
		[ $bad = 0 ] || break
	done
	rmctl limit del "${@:1:$#-2}" type "${@: -1}"
	ok $bad "C2 exactly 1000 of $attempts, $title ($rounds rounds)"
}

race "chassis" r2,rbond chassis type any
race "device under a lag and a port" r2,rbond device 1 type any
race "mic under a lag" rbond mic 0/1 type any
race "one leg of a lag" rbond port r0 type any
race "lag" rbond lag rbond type any
race "port" r2 port r2 type any

# Eight that ask at once for the same subscriber are one session.
bad=0
for ((i = 1; i <= rounds; i++)); do
	echo 1 >"$release"
	echo "r2,rbond 8 $attempts 0 8" >"$run"
	read -r admitted rest <"$result"
	[ "$admitted $rest" = "$attempts 0 0 0" ] && in_use $((attempts / 8)) ||
		bad=1
	[ $bad = 0 ] || echo "# round $i: $admitted $rest," \
		"$(cat /sys/class/resmon/chassis/usage) sessions"
	echo 1 >"$release"
	in_use 0 || bad=1
	[ $bad = 0 ] || break
done
ok $bad "L2 the same identity at once is charged once ($rounds rounds)"

# Everything at once, with releases under way: the books must balance.
rmctl limit set chassis type any max 1000
rmctl limit set device 0 type any max 700
rmctl limit set port r2 type any max 500
echo 1 >"$release"
echo "r2,rbond 8 $attempts 3 0" >"$run"
read -r admitted released denied errors <"$result"
in=$((admitted - released))
[ "$errors" = 0 ] && [ $((admitted + denied)) = "$attempts" ] &&
	[ "$(sessions chassis)" = "$in" ] && [ "$in" -le 1000 ] &&
	[ "$(sessions device 0)" -le 700 ] && [ "$(sessions port r2)" -le 500 ]
ok $? "C2 usage is admitted less released under churn ($admitted - $released)"
echo 1 >"$release"
for target in chassis "device 0" "device 1" "mic 0/1" "port r0" "port r2" \
	"lag rbond"; do
	# shellcheck disable=SC2086
	[ "$(sessions $target)" = 0 ]
	ok $? "L3 nobody is left on $target"
done

ip link del rbond
for i in 0 1 2; do
	ip link del "r$i"
done
rmmod resmon_race
rmmod resmon
ok $? "the module unloads"
echo "1..$n"
exit $failed
