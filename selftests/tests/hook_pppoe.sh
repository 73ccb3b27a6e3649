#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
# In-kernel enforcement of PPPoE under pppoe-server as it is, which knows
# nothing of it: storm's clients and real pppd.
cd "$(dirname "$0")/../.." || exit 1
. selftests/tests/lib.sh
. selftests/tests/hook.sh

run=/run/hook-pppoe
servers=()
mkdir -p "$run"
command -v pppoe-server >/dev/null || { skip "PPPoE" "no pppoe-server"; finish; }
command -v pppd >/dev/null || { skip "PPPoE" "no pppd"; finish; }
[ -x "$storm" ] || { skip "PPPoE" "no $storm: make tests"; finish; }

network()
{
	ip netns add subs &&
	ip link add acc0 type veth peer name home0 netns subs &&
	ip link set acc0 up && ip -n subs link set home0 up
}

port()
{
	rmctl device add 0 && rmctl port add acc0 device 0 &&
	rmctl limit set port acc0 type any max "$1" &&
	enforced port acc0 pppoe "${2:-drop}"
}

# Everybody has left, the daemon's processes too.
all_gone() { wait_for 60 nothing_left && wait_for 60 no_pppd; }
no_pppd() { [ "$(pppds)" = 0 ]; }

# --- a cap

cap()
{
	play --pppoe 10 --hold 6 --time 60 home0 >"$run/first" &
	local first=$!
	ok "10 clients are up" wait_for 60 up_ 10 port acc0
	play --pppoe 10 --mac-base 02:54:00:00:00:00 --time 60 --hold 1 home0 \
		>"$run/second" &
	local second=$!
	ok "clients of a full port are refused" wait_for 20 refusing acc0 10
	is "and are none of its sessions" 10 "$(counted port acc0)"
	ok "nobody of the first was disturbed" wait "$first"
	ok "who was refused gets in when places are free" wait "$second"
	cat "$run/first" "$run/second"
	ok "nobody is counted when all have left" all_gone
	ok "20 clients and 10 places: 10 get in" \
		play --pppoe 20 --hold 2 --time 12 --expect 10 home0
	ok "and leave nothing" all_gone
}

# refusing PORT N: so many first signs were dropped.
refusing() { more "$(seen dropped port "$1")" "$2"; }

# --- real clients

start_clients()
{
	local n
	clients=()
	for n in 1 2 3; do
		ip -n subs link add link home0 "sub$n" address "02:00:00:00:00:0$n" \
			type macvlan mode private &&
			ip -n subs link set "sub$n" up || return 1
		ip netns exec subs pppd plugin rp-pppoe.so "nic-sub$n" \
			unit $((100 + n)) file /etc/ppp/client nodetach \
			pppoe-padi-timeout 1 pppoe-padi-attempts 3 \
			logfile "$run/sub$n.log" >/dev/null 2>&1 &
		clients+=($!)
	done
}

# Clients of subs that have an address.
addresses() { ip -n subs -o -4 addr show | grep -c ' ppp1'; }
have_addresses() { [ "$(addresses)" = "$1" ]; }

real_clients()
{
	local n up
	rmctl limit set port acc0 type any max 2
	ok "three pppd dial" start_clients
	ok "two of them are up" wait_for 60 have_addresses 2
	ok "and counted" wait_for 10 up_ 2 port acc0
	sleep 3
	is "the third waits" 2 "$(addresses)"
	for n in 1 2 3; do
		ip -n subs addr show "ppp10$n" >/dev/null 2>&1 && up=$n
	done
	kill "${clients[$((up - 1))]}"
	wait "${clients[$((up - 1))]}"
	unset "clients[$((up - 1))]"
	ok "one hangs up and the third gets in" wait_for 60 third_is_in "$up"
	is "two are counted" 2 "$(counted port acc0)"
	kill "${clients[@]}"
	wait "${clients[@]}"
	ok "nobody is counted when all have hung up" all_gone
	for n in 1 2 3; do ip -n subs link del "sub$n"; done
	rmctl limit set port acc0 type any max 10
}

third_is_in()
{
	have_addresses 2 && ! ip -n subs addr show "ppp10$1" >/dev/null 2>&1
}

# --- count

observe()
{
	local before
	rmctl enforce set port acc0 pppoe count
	before=$(seen dropped port acc0)
	ok "count: all 20 get in" play --pppoe 20 --hold 2 --time 60 home0
	ok "count: who would have been refused is observed" \
		more "$(seen observed port acc0)" 9
	is "count: nobody was refused" "$before" "$(seen dropped port acc0)"
	ok "count: and nobody is left" all_gone
}

# --- the module is loaded anew under live sessions

reload()
{
	local live
	rmctl enforce set port acc0 pppoe drop
	rmctl limit set port acc0 type any max 30
	play --pppoe 20 --hold 15 --time 60 home0 >"$run/live" &
	live=$!
	ok "20 sessions are up" wait_for 60 up_ 20 port acc0
	rmmod resmon && modprobe resmon
	port 30
	rmctl chassis set settle 8
	ok "a new module adopts all 20 within an echo interval" \
		wait_for 3 up_ 20 port acc0
	is "adopted" 20 "$(seen adopted port acc0)"
	ok "while it settles a stranger is kept out" \
		play --pppoe 1 --mac-base 02:55:00:00:00:00 --time 2 --expect 0 \
		home0
	ok "and gets in afterwards" \
		play --pppoe 1 --mac-base 02:55:00:00:00:00 --time 30 home0
	ok "nobody of the 20 was disturbed" wait "$live"
	cat "$run/live"
	ok "the adopted end as others do" all_gone
}

# --- VLANs

tagged()
{
	ip link add link acc0 name acc0.7 type vlan id 7 &&
	ip link add link acc0 name acc0.100 type vlan proto 802.1ad id 100 &&
	ip link add link acc0.100 name acc0.q type vlan id 200 &&
	ip link set acc0.7 up && ip link set acc0.100 up &&
	ip link set acc0.q up
}

# in_vlans OUTER[:INNER]: the sessions in them, a line each.
in_vlans()
{
	rmctl -j session show port acc0 | tr -d ' \n' | tr '}' '\n' |
		grep "\"vlan-outer\":${1%:*}\\b" |
		if [[ $1 == *:* ]]; then
			grep "\"vlan-inner\":${1#*:}\\b"
		else
			grep -v vlan-inner
		fi
}

vlans()
{
	local tags
	rmctl limit set port acc0 type any max 5
	ok "a VLAN child and QinQ" tagged
	start_server acc0.7 2
	start_server acc0.q 3
	for tags in "--vlan 7" "--qinq 100:200"; do
		# shellcheck disable=SC2086  # two words
		play --pppoe 8 $tags --hold 4 --time 12 --expect 5 home0 \
			>"$run/vlan" &
		ok "$tags: 5 are up" wait_for 30 up_ 5 port acc0
		is "$tags: their VLANs are known" 5 \
			"$(in_vlans "${tags##* }" | wc -l)"
		ok "$tags: 5 of 8 get in" wait $!
		cat "$run/vlan"
		ok "$tags: and leave nothing" all_gone
	done
	stop_servers
}

# --- a bond: its legs have no hook of their own

bond()
{
	ip link add leg0 type veth peer name up0 netns subs &&
	ip link add leg1 type veth peer name up1 netns subs &&
	ip link add lag0 type bond mode active-backup miimon 100 &&
	ip link set leg0 master lag0 && ip link set leg1 master lag0 &&
	ip link set leg0 up && ip link set leg1 up && ip link set lag0 up &&
	ip -n subs link add switch0 type bridge &&
	ip -n subs link set up0 master switch0 &&
	ip -n subs link set up1 master switch0 &&
	ip -n subs link set up0 up && ip -n subs link set up1 up &&
	ip -n subs link set switch0 up &&
	rmctl device add 1 && rmctl port add leg0 device 0 &&
	rmctl port add leg1 device 1 &&
	rmctl limit set lag lag0 type any max 10 &&
	enforced lag lag0 pppoe drop
}

usage() { cat "/sys/class/net/$1/resmon/usage"; }

bonds()
{
	ok "a bond of two legs that both hear each PADI" bond
	start_server lag0 4
	sleep 1
	play --pppoe 20 --hold 4 --time 14 --expect 10 switch0 >"$run/bond" &
	ok "bond: 10 are up" wait_for 60 up_ 10 lag lag0
	is "bond: each session is on both legs once, and on both devices" \
		"10 10 10" "$(usage leg0) $(usage leg1) $(usage lag0)"
	is "bond: and once on the chassis" 10 "$(counted)"
	ok "bond: 10 of 20 get in" wait $!
	cat "$run/bond"
	ok "bond: and leave nothing" all_gone
	stop_servers
}

# --- two BNGs hear each PADI

broadcast_domain()
{
	local n
	ip -n subs link add domain type bridge || return 1
	for n in 1 2; do
		ip netns add "bng$n" &&
		ip link add "acc$n" netns "bng$n" type veth peer name "to$n" \
			netns subs &&
		ip -n subs link set "to$n" master domain &&
		ip -n subs link set "to$n" up &&
		ip -n "bng$n" link set "acc$n" up && ip -n "bng$n" link set lo up &&
		bng=bng$n &&
		bng_do rmctl device add 0 &&
		bng_do rmctl port add "acc$n" device 0 &&
		bng_do rmctl limit set port "acc$n" type any max 15 &&
		enforced port "acc$n" pppoe drop || return 1
		start_server "acc$n" $((4 + n))
	done
	ip -n subs link set domain up
}

# both WHAT...: the sum of what both BNGs say.
both()
{
	local sum=0 n
	for n in 1 2; do
		bng=bng$n
		sum=$((sum + $("$@")))
	done
	echo "$sum"
}

both_are() { [ "$(both "${@:2}")" = "$1" ]; }

two_bngs()
{
	local n
	ok "two BNGs in one broadcast domain" broadcast_domain
	play --pppoe 20 --hold 5 --time 60 domain >"$run/domain" &
	ok "all 20 are up, each on one BNG" wait_for 60 both_are 20 active
	is "and charged there alone" "20 20" "$(both counted) $(both pppds)"
	for n in 1 2; do
		bng=bng$n
		is "BNG $n counts who chose it" "$(pppds)" "$(counted)"
	done
	ok "none was disturbed" wait $!
	cat "$run/domain"
	for n in 1 2; do
		bng=bng$n
		ok "BNG $n has nobody left" all_gone
	done
	stop_servers
	bng=''
	ip netns del bng1
	ip netns del bng2
}

fresh
ok "a network of two sides" network
prepare_pppd
ok "a port with 10 places" port 10
start_server acc0 1
for part in cap real_clients observe reload vlans bonds two_bngs; do
	[ "$part" != vlans ] || stop_servers
	# shellcheck disable=SC2053  # a pattern
	[[ $part == ${RESMON_CASES:-*} ]] && "$part"
done
umount /etc/ppp
ok "the module unloads" rmmod resmon
finish
