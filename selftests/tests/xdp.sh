#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 420
# Mode xdp: as mode hook for those whose frames pass the hook, and also for
# those who read them before it.
cd "$(dirname "$0")/../.." || exit 1
. selftests/tests/lib.sh

run=/run/xdp-test
mkdir -p "$run"

# play STORM-ARGUMENT...: from the subscribers' side; tells its summary.
play()
{
	local status=0
	ip netns exec subs build/storm "$@" home0 >"$run/summary" 2>&1 ||
		status=$?
	sed 's/^/# /' "$run/summary"
	return "$status"
}

fails() { ! "$@"; }

offloads() { ethtool -K acc0 rxvlan "$1" rx-vlan-stag-hw-parse "$1"; }

network()
{
	ip netns add subs &&
	ip link add acc0 type veth peer name home0 netns subs &&
	ip netns exec subs ethtool -K home0 txvlan off \
		tx-vlan-stag-hw-insert off &&
	ip link set acc0 up && ip -n subs link set home0 up &&
	ip link add link acc0 name acc0.7 type vlan id 7 &&
	ip link set acc0.7 up && ip addr add 10.9.0.1/16 dev acc0
}

chassis()
{
	rmctl chassis set settle 0 && rmctl device add 0 &&
	rmctl port add acc0 device 0 &&
	rmctl limit set port acc0 type any max 10
}

set_mode() { rmctl enforce set port acc0 mode "$1"; }

program() { ip -d link show acc0 | grep -q 'prog/xdp\|xdp.* id '; }

# causes: of the denials of the port, with those of another type or none.
causes()
{
	rmctl -j why | grep -o '"cause": *"[^"]*"' | sort -u
}

in_use()
{
	[ "$(rmctl -j session show | grep -c '"id"')" = "$1" ]
}

start_pppoe()
{
	pppoe-server -F -I "$1" -C xdp-test -N 64 -L 10.64.0.1 -R 10.64.1.1 \
		-O /etc/ppp/server >"$run/pppoe.log" 2>&1 &
	server=$!
}

start_kea()
{
	cat >"$run/kea.conf" <<-END
	{ "Dhcp4": {
	  "interfaces-config": { "interfaces": [ "acc0" ],
	                         "dhcp-socket-type": "raw" },
	  "lease-database": { "type": "memfile", "persist": false },
	  "valid-lifetime": 600,
	  "subnet4": [ { "id": 1, "subnet": "10.9.0.0/16",
	                 "pools": [ { "pool": "10.9.1.1 - 10.9.1.250" } ] } ],
	  "loggers": [ { "name": "kea-dhcp4", "severity": "INFO",
	    "output_options": [ { "output": "$run/kea.log" } ] } ] } }
	END
	KEA_PIDFILE_DIR=$run KEA_LOCKFILE_DIR=$run \
		kea-dhcp4 -c "$run/kea.conf" >"$run/kea.out" 2>&1 &
	server=$!
	wait_for 30 grep -qs DHCP4_STARTED "$run/kea.log" && return 0
	sed 's/^/# /' "$run/kea.out" "$run/kea.log"
	return 1
}

stop()
{
	kill "$server"
	wait "$server" 2>/dev/null
}

# Another XDP program than ours.
other()
{
	echo '__attribute__((section("xdp"))) int other(void *c) { return 2; }' |
		clang -target bpf -O2 -x c -c -o "$run/other.o" - &&
	ip link set dev acc0 xdpgeneric obj "$run/other.o" sec xdp
}

# capped MODE STORM-ARGUMENT...: 20 come, 10 get in, for the cause of a cap.
capped()
{
	local mode=$1
	shift
	ok "mode $mode: 10 of 20 get in" play "$@" --expect 10
	ok "mode $mode: all have left" wait_for 40 in_use 0
	is "mode $mode: the others were denied by the cap" \
		'"cause":"cap-port"' "$(causes | tr -d ' ')"
}

fresh
ok "a network of two sides" network
ok "a port for 10 subscribers" chassis

if [ ! -e /sys/kernel/btf/resmon ]; then
	ok "without BTF mode xdp is refused, and that is said" \
		refused "mode hook works" enforce set port acc0 mode xdp
	ok "mode hook is as before" set_mode hook
	skip "mode xdp" "the kernel or the module has no BTF"
	rmmod resmon
	finish
fi
if ldd build/rmctl | grep -q 'libbpf.*not found' ||
   rmctl enforce set port acc0 mode xdp 2>&1 | grep -q 'built without clang'; then
	skip "mode xdp" "no libbpf, or rmctl was built without it"
	rmmod resmon
	finish
fi

ok "refused while rxvlan is on" refused \
	"switch rxvlan and rx-vlan-stag-hw-parse off" \
	enforce set port acc0 mode xdp
ok "and no program is left" fails program
ok "offloads of tags can be off" offloads off

if other; then
	ok "refused where there is another program" refused \
		"has another XDP program" enforce set port acc0 mode xdp
	ok "which mode hook leaves alone" set_mode hook
	ok "it is still there" program
	ip link set dev acc0 xdpgeneric off
else
	skip "another program" "clang or ip cannot make one"
fi

ok "mode xdp is set" set_mode xdp
ok "its program is there" program
is "enforce show says so" xdp "$(value mode enforce show port acc0)"
ok "it can be set again" set_mode xdp
ok "the module is held" fails rmmod resmon 2>/dev/null
ok "mode hook takes the program off" set_mode hook
ok "it is gone" fails program
ok "and the module is held no more" wait_for 10 rmmod resmon

fresh
chassis
if command -v pppoe-server >/dev/null && command -v pppd >/dev/null; then
	mount -t tmpfs tmpfs /etc/ppp
	modprobe -aq pppoe ppp_async
	printf '%s\n' require-pap noccp novj 'lcp-echo-interval 1' \
		'child-timeout 60' >/etc/ppp/server
	: >/etc/ppp/options
	echo 'storm * storm *' >/etc/ppp/pap-secrets
	pppoe=(--pppoe 20 --hold 1 --time 25 --pppoe-timer 1)
	rmctl enforce set port acc0 pppoe drop
	start_pppoe acc0
	capped hook "${pppoe[@]}"
	stop
	ok "mode xdp is set with enforcement on" set_mode xdp
	start_pppoe acc0
	capped xdp "${pppoe[@]}"
	stop
	start_pppoe acc0.7
	capped xdp "${pppoe[@]}" --vlan 7
	rmctl why | grep -m 1 '7' | sed 's/^/# /'
	stop
	rmctl enforce set port acc0 pppoe off mode hook
	umount /etc/ppp
else
	skip "PPPoE in mode xdp" "no pppoe-server and pppd"
fi

if command -v kea-dhcp4 >/dev/null; then
	dhcp=(--dhcp4 20 --time 12 --dhcp4-timer 2)
	rmctl enforce set port acc0 dhcp4 drop mode hook
	ok "Kea starts with raw sockets" start_kea
	rmctl enforce show >"$run/show"
	ok "enforce show names it" \
		grep -q '^port acc0: kea-dhcp4 (pid .*mode xdp holds it back' \
		"$run/show"
	ok "mode hook does not hold it back: 20 of 20 get in" play "${dhcp[@]}"
	ok "all have left" wait_for 20 in_use 0
	set_mode xdp
	rmctl enforce show >"$run/show"
	ok "enforce show names it no more" fails grep -q kea-dhcp4 "$run/show"
	ok "mode xdp holds it back: 10 of 20 get in" \
		play "${dhcp[@]}" --expect 10
	ok "all have left again" wait_for 20 in_use 0
	stop
	set_mode hook
else
	skip "Kea with raw sockets" "no kea-dhcp4"
fi

# The program of a bond runs on its legs, and only one of them is used.
bond()
{
	ip link add bond0 type bond mode active-backup miimon 100 &&
	ip link add leg0 type veth peer name far0 netns subs &&
	ip link add leg1 type veth peer name far1 netns subs &&
	ip netns exec subs ethtool -K far0 txvlan off \
		tx-vlan-stag-hw-insert off &&
	ip link set leg0 master bond0 && ip link set leg1 master bond0 &&
	ip link set bond0 up && ip -n subs link set far0 up &&
	ip -n subs link set far1 up &&
	echo leg0 >/sys/class/net/bond0/bonding/active_slave &&
	rmctl port add leg0 device 0 && rmctl port add leg1 device 0 &&
	rmctl limit set lag bond0 type any max 0
}

# denials DEV: after a client has tried there.
denials()
{
	ip netns exec subs build/storm --pppoe 1 --time 1 --expect 0 \
		--vlan 9 "$1" >/dev/null 2>&1
	rmctl -j why | grep -o '"ifname": *"bond0"' | wc -l
}

active() { [ "$(cat /sys/class/net/bond0/bonding/active_slave)" = leg0 ]; }

if modprobe -q bonding max_bonds=0 && bond; then
	wait_for 10 active
	ok "refused while rxvlan is on at a leg" refused \
		"switch rxvlan and rx-vlan-stag-hw-parse off" \
		enforce set lag bond0 pppoe drop mode xdp
	for leg in leg0 leg1; do
		ethtool -K "$leg" rxvlan off rx-vlan-stag-hw-parse off
	done
	ok "mode xdp is set on a lag" \
		rmctl enforce set lag bond0 pppoe drop mode xdp
	before=$(denials far1)
	is "what comes in at the leg that is not used is not looked at" 0 \
		"$before"
	ok "what comes in at the other one is" [ "$(denials far0)" -gt 0 ]
	rmctl why | grep -m 1 bond0 | sed 's/^/# /'
	ok "mode hook on a lag" rmctl enforce set lag bond0 mode hook
	ip link del bond0
else
	skip "mode xdp on a lag" "no bonding"
fi

set_mode xdp
ip link set dev acc0 xdp off
rmctl enforce set port acc0 pppoe drop
rmctl enforce show >"$run/show"
ok "a program that others took off is missed" \
	grep -q 'program of mode xdp is gone' "$run/show"
set_mode hook
ok "the module can go" wait_for 10 rmmod resmon
ip netns del subs
finish
