#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
# Daemons that die without a word: their sessions are over after the silence,
# those of a daemon that lives are not. This takes what H4 and HELLO take.
cd "$(dirname "$0")/../.." || exit 1
. selftests/tests/lib.sh
. selftests/tests/hook.sh

run=/run/hook-silence
servers=()
mkdir -p "$run"
command -v pppoe-server >/dev/null || { skip "PPPoE" "no pppoe-server"; finish; }
command -v pppd >/dev/null || { skip "PPPoE" "no pppd"; finish; }
[ -x "$storm" ] || { skip "PPPoE" "no $storm: make tests"; finish; }

network()
{
	local n
	ip netns add subs && rmctl device add 0 || return 1
	for n in 0 1; do
		ip link add "acc$n" type veth peer name "home$n" netns subs &&
		ip link set "acc$n" up && ip -n subs link set "home$n" up &&
		rmctl port add "acc$n" device 0 &&
		enforced port "acc$n" pppoe drop silence 10 || return 1
		start_server "acc$n" $((n + 1))
	done
}

# kill_server DEV: the daemon, and all that it has started for that device.
kill_server()
{
	local pid
	kill -9 "${servers[0]}"
	for pid in $(pgrep -f -- "-I $1 "); do
		[ "$pid" = $$ ] || kill -9 "$pid" 2>/dev/null
	done
}

# A LAC that is patient, so that the module is the first to find out.
tunnels()
{
	local n
	command -v xl2tpd >/dev/null || return 1
	prepare_l2tp
	for n in 2 3; do
		l2tp_link "acc$n" "home$n" "3$n" &&
		rmctl port add "acc$n" device 0 &&
		enforced port "acc$n" l2tp drop &&
		start_lns "lns$n" "10.3$n.0.1" /etc/ppp/l2tp-server \
			'force userspace = yes' &&
		start_lac "lac$n" "10.3$n.0.1" "10.3$n.0.2" \
			'force userspace = yes' 'max retries = 9' || return 1
		l2tp "lac$n" connect-lac call1
		l2tp "lac$n" connect-lac call2
	done
}

suspects() { [ "$(seen suspects port "$1")" = "$2" ]; }

fresh
prepare_pppd
ok "two ports, each with a daemon" network
play --pppoe 10 --hold 110 --time 60 home0 >"$run/dead" 2>&1 &
dead=$!
play --pppoe 5 --hold 110 --time 60 home1 >"$run/live" 2>&1 &
live=$!
ok "10 sessions on one port" wait_for 60 up_ 10 port acc0
ok "and 5 on the other" wait_for 60 up_ 5 port acc1
ok "two LNS with a LAC each" tunnels
ok "2 calls on one port" wait_for 60 up_ 2 port acc2
ok "and 2 on another" wait_for 60 up_ 2 port acc3
end_xl2tpd KILL lns2
tunnels_killed=$SECONDS
kill_server acc0
killed=$SECONDS
ok "its daemon is killed: the 10 are suspects after 10 s" \
	wait_for 30 suspects acc0 10
ok "but no earlier" [ $((SECONDS - killed)) -ge 9 ]
is "and still counted" 10 "$(counted port acc0)"
ok "after 60 s more they are over" wait_for 90 in_ 0 port acc0
ok "but no earlier" [ $((SECONDS - killed)) -ge 69 ]
is "the 2 calls whose LNS was killed are counted" 2 "$(counted port acc2)"
ok "suspects are none any more" suspects acc0 0
ok "the 5 whose daemon lives are there" up_ 5 port acc1
is "and none is suspect" 0 "$(seen suspects port acc1)"
ok "none of them was disturbed" wait "$live"
ok "until no HELLO was answered for 60 s" wait_for 90 in_ 0 port acc2
ok "but no earlier" [ $((SECONDS - tunnels_killed)) -ge 115 ]
ok "the 2 calls whose LNS lives are there" up_ 2 port acc3
end_xl2tpd INT lns3 lac2 lac3
kill "$dead" 2>/dev/null
wait "$dead"
ok "nobody is counted in the end" wait_for 60 nothing_left
stop_servers
umount /etc/ppp
ok "the module unloads" rmmod resmon
finish
