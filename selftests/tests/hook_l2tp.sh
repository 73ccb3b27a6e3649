#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
# In-kernel enforcement of L2TP under xl2tpd as it is, on both sides. Their pppd
# is told to be passive: it waits for ever where LCP fails, so a call without a
# place is cleared by who made it.
cd "$(dirname "$0")/../.." || exit 1
. selftests/tests/lib.sh
. selftests/tests/hook.sh

run=/run/hook-l2tp
mkdir -p "$run"
command -v xl2tpd >/dev/null || { skip "L2TP" "no xl2tpd"; finish; }
command -v pppd >/dev/null || { skip "L2TP" "no pppd"; finish; }

# Where nothing is said of it, data goes through the kernel.
userspace='force userspace = yes'

network()
{
	local n
	ip netns add subs && rmctl device add 0 || return 1
	for n in 0 1 2 3; do
		l2tp_link "acc$n" "home$n" "3$n" &&
		rmctl port add "acc$n" device 0 &&
		enforced port "acc$n" l2tp drop || return 1
	done
}

# cap N: of acc0.
cap() { rmctl limit set port acc0 type any max "$1"; }

# calls N: so many sessions are up, and so many PPP connections of the BNG.
calls() { up_ "$1" port acc0 && l2tp_calls "$1" 30; }

# Nobody is counted, and nothing is remembered.
all_over()
{
	wait_for 20 in_ 0 port acc0 && wait_for 20 l2tp_calls 0 30 &&
		wait_for 5 listed 0
}

# listed N: sessions of acc0 with those that have no place.
listed() { [ "$(rmctl -j session show port acc0 | grep -c '"id"')" = "$1" ]; }

dropped() { more "$(seen dropped port acc0)" "$1"; }
dial() { l2tp lac0 connect-lac "$1"; }
leave() { l2tp lac0 disconnect-lac "$1"; }

# dial_up CALL N: it is up, as one of N, and CALL of which tells its number.
declare -A number
dial_up()
{
	dial "$1" && wait_for 20 calls "$2" && remember "$1"
}

remember()
{
	number[$1]=$(sed -n 's/.*Call established.* Local: \([0-9]*\),.*/\1/p' \
		"$run/lac0.log" | tail -n 1)
}

# hang_up CALL: no more than that, its tunnel stays. The daemon takes what it
# reads at once for one order.
hang_up() { echo "h ${number[$1]}" >"$run/lac0.control"; }

# kill_pppd: that of the LNS for the call that came up last.
kill_pppd()
{
	kill "$(sed -n 's/.*Call established.* PID: \([0-9]*\),.*/\1/p' \
		"$run/lns0.log" | tail -n 1)"
}

# answered: calls that the LNS has accepted.
answered() { grep -c 'Call established' "$run/lns0.log"; }
tunnels() { grep -c 'Connection established' "$run/lns0.log"; }
accepted() { [ "$(answered)" -gt "$1" ]; }

both_daemons()
{
	start_lns lns0 10.30.0.1 /etc/ppp/l2tp-server-echo &&
	start_lac lac0 10.30.0.1 10.30.0.2
}

# --- who is killed says nothing, and who lives finds out by HELLO after 60 s

silent_begin()
{
	local n
	rmctl enforce set port acc2 l2tp count
	start_lns lns1 10.31.0.1 /etc/ppp/l2tp-server "$userspace" \
		'max retries = 2'
	start_lac lac1 10.31.0.1 10.31.0.2 "$userspace"
	start_lns lns2 10.32.0.1 /etc/ppp/l2tp-server "$userspace"
	start_lac lac2 10.32.0.1 10.32.0.2 "$userspace" 'max retries = 2'
	for n in 1 2; do
		l2tp lac1 connect-lac "call$n"
		l2tp lac2 connect-lac "call$n"
	done
	ok "two calls each on two more ports" wait_for 30 two_each
	end_xl2tpd KILL lac1
	end_xl2tpd KILL lns2
	killed=$SECONDS
}

two_each()
{
	up_ 2 port acc1 && up_ 2 port acc2 && l2tp_calls 2 31 &&
		l2tp_calls 2 32
}

silent_end()
{
	ok "a killed LAC: its calls end when the LNS has found out" \
		wait_for 90 in_ 0 port acc1
	ok "but no earlier" [ $((SECONDS - killed)) -ge 55 ]
	ok "a killed LNS, counting only: when the LAC has found out" \
		wait_for 20 in_ 0 port acc2
	end_xl2tpd INT lns1 lac2
}

# --- a cap

full()
{
	local before
	cap 2
	ok "two calls are up" dial_up call1 1
	ok "and counted" dial_up call2 2
	dial call3
	ok "a full port drops the SCCRQ of a third" wait_for 20 dropped 0
	sleep 3
	is "and the LNS does not hear of it" 2 "$(tunnels)"
	ok "the two are there" calls 2
	leave call1
	ok "the tunnel of one ends: who was denied gets in" \
		wait_for 20 third_is_in
	hang_up call2
	ok "another is hung up and not counted any more" wait_for 20 calls 1
	cap 1
	before=$(answered)
	dial call2
	ok "an ICRQ over the cap gets to the LNS" wait_for 20 accepted "$before"
	remember call2
	sleep 5
	ok "but PPP of that call fails" calls 1
	ok "and it is known as one without a place" listed 2
	is "which was counted as denied" 1 \
		$(($(seen dropped port acc0) - denied))
	hang_up call2
	ok "it gives up: nothing is left of it" wait_for 20 listed 1
	hang_up call3
	ok "the other is hung up: nobody is counted" all_over
	ok "the place is free for it" dial_up call2 1
	leave call2
	leave call3
	ok "nobody is counted when all tunnels are closed" all_over
}

third_is_in()
{
	calls 2 && denied=$(seen dropped port acc0) && remember call3
}

# --- the ways that calls end

ends()
{
	cap 4
	ok "a call" dial_up call1 1
	ok "and another" dial_up call2 2
	kill_pppd
	ok "pppd of the LNS ends: so does its call alone" wait_for 20 calls 1
	end_xl2tpd INT lac0
	ok "the LAC ends: so does the other" all_over
	start_lac lac0 10.30.0.1 10.30.0.2
	ok "a call again" dial_up call1 1
	ok "and another again" dial_up call2 2
	end_xl2tpd INT lns0
	ok "the LNS ends: so do both" all_over
	end_xl2tpd INT lac0
	both_daemons
	ok "a call to the new LNS" dial_up call1 1
	end_xl2tpd KILL lac0
	ok "a killed LAC: the echoes of LCP tell" all_over
	end_xl2tpd INT lns0
	both_daemons
}

# --- a call is starting until its ICCN, which needs the LNS

starting()
{
	local before
	cap 4
	ok "a tunnel" dial_up call1 1
	hang_up call1
	ok "without a call" all_over
	rmctl limit set port acc0 type any max 4 starting 1
	before=$(seen dropped port acc0)
	kill -STOP "${xl2tpds[lns0]}"
	dial call1
	ok "an LNS that does not answer: the call is starting" \
		wait_for 20 in_ 1 port acc0
	is "and not up" 0 "$(active port acc0)"
	dial call2
	ok "the place to start in is taken, the SCCRQ of another dropped" \
		wait_for 20 dropped "$before"
	kill -CONT "${xl2tpds[lns0]}"
	ok "the LNS answers: the first is up, and then the other" \
		wait_for 20 calls 2
	rmctl limit del port acc0 type any
	leave call1
	leave call2
	ok "nobody is counted when they have left" all_over
}

# --- what was there before

adoption()
{
	local before adopted
	cap 0
	rmctl enforce set port acc0 l2tp off
	dial call1
	ok "off: a call is up" wait_for 20 l2tp_calls 1 30
	remember call1
	dial call2
	ok "off: and another" wait_for 20 l2tp_calls 2 30
	remember call2
	is "off: they are not counted" 0 "$(counted port acc0)"
	hang_up call1
	ok "one ends" wait_for 20 l2tp_calls 1 30
	hang_up call2
	ok "and the other, and their tunnels stay" wait_for 20 l2tp_calls 0 30

	adopted=$(seen adopted port acc0)
	kill -STOP "${xl2tpds[lns0]}"
	dial call1
	sleep 1
	rmctl enforce set port acc0 l2tp drop
	kill -CONT "${xl2tpds[lns0]}"
	ok "an ICRQ from before: its ICCN is adopted above the cap" \
		wait_for 20 calls 1
	remember call1
	is "as one" 1 $(($(seen adopted port acc0) - adopted))
	kill_pppd
	ok "pppd of the LNS ends: so does it" all_over

	cap 1
	before=$(answered)
	ok "a tunnel from before: its next call counts" dial_up call2 1
	dial call1
	ok "and one more gets to the LNS" wait_for 20 accepted $((before + 1))
	remember call1
	sleep 3
	ok "but has no place" calls 1
	ok "as is known" listed 2
	is "nobody else was adopted" 1 $(($(seen adopted port acc0) - adopted))
	hang_up call1
	ok "it gives up" wait_for 20 listed 1
	leave call1
	leave call2
	ok "nobody is counted when they have left" all_over
}

# --- count

observe()
{
	local before
	cap 1
	rmctl enforce set port acc0 l2tp count
	before=$(seen dropped port acc0)
	ok "count: a call" dial_up call1 1
	ok "count: another is let in and counted above the cap" dial_up call2 2
	ok "count: which was observed" more "$(seen observed port acc0)" 0
	is "count: nobody was refused" "$before" "$(seen dropped port acc0)"
	leave call1
	leave call2
	ok "count: nobody is counted when they have left" all_over
	rmctl enforce set port acc0 l2tp drop
}

# --- VLANs

tagged()
{
	ip link add link acc3 name acc3.7 type vlan id 7 &&
	ip -n subs link add link home3 name home3.7 type vlan id 7 &&
	ip link set acc3.7 up && ip -n subs link set home3.7 up &&
	ip addr add 10.37.0.1/24 dev acc3.7 &&
	ip -n subs addr add 10.37.0.2/24 dev home3.7 &&
	rmctl limit set port acc3 type any max 1
}

vlans()
{
	ok "a VLAN child" tagged
	start_lns lns3 10.37.0.1 /etc/ppp/l2tp-server
	start_lac lac3 10.37.0.1 10.37.0.2
	l2tp lac3 connect-lac call1
	ok "VLAN: a call is up" wait_for 20 up_ 1 port acc3
	ok "VLAN: and its PPP" wait_for 20 l2tp_calls 1 37
	is "VLAN: it is known" 7 "$(value vlan-outer session show port acc3)"
	l2tp lac3 connect-lac call2
	ok "VLAN: a second finds the port full" wait_for 20 refused_tagged
	is "VLAN: and is not counted" 1 "$(counted port acc3)"
	end_xl2tpd INT lac3
	ok "VLAN: nobody is counted in the end" wait_for 20 in_ 0 port acc3
	end_xl2tpd INT lns3
}

refused_tagged() { more "$(seen dropped port acc3)" 0; }

# wanted PART: the one that is asked for, or all.
# shellcheck disable=SC2053  # a pattern
wanted() { [[ $1 == ${RESMON_CASES:-*} ]]; }

fresh
prepare_pppd
prepare_l2tp
ok "a network of four ports" network
! wanted silent || silent_begin
ok "both daemons" both_daemons
for part in full ends starting adoption observe vlans; do
	! wanted "$part" || "$part"
done
end_xl2tpd INT lac0 lns0
! wanted silent || silent_end
ok "nobody is counted in the end" wait_for 20 nothing_left
umount /etc/ppp
ok "the module unloads" rmmod resmon
finish
