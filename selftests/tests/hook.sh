# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests of in-kernel enforcement with real daemons share.
# shellcheck disable=SC2154  # run, a folder, is the test's

storm=build/storm

# Namespace of the BNG for what follows: "" is the one of the test.
bng=''

# bng_do COMMAND...: on the BNG.
bng_do()
{
	if [ -n "$bng" ]; then
		ip netns exec "$bng" "$@"
	else
		"$@"
	fi
}

# What a pppd behind pppoe-server or xl2tpd wants, and nothing of this host's.
prepare_pppd()
{
	modprobe -aq pppoe ppp_async
	mount -t tmpfs tmpfs /etc/ppp || return 1
	cat >/etc/ppp/server <<-END
	require-pap
	noccp
	novj
	lcp-echo-interval 1
	child-timeout 60
	END
	cat >/etc/ppp/client <<-END
	noauth
	noccp
	novj
	noipv6
	nodefaultroute
	noipdefault
	user storm
	persist
	maxfail 0
	holdoff 1
	lcp-echo-interval 0
	END
	: >/etc/ppp/options
	echo 'storm * storm *' >/etc/ppp/pap-secrets
}

# start_server DEV NUMBER: pppoe-server on a net device of the BNG.
start_server()
{
	bng_do pppoe-server -F -I "$1" -C "bng-$1" -N 64 -L "10.64.$2.1" \
		-R "10.$((64 + $2)).1.1" -O /etc/ppp/server \
		>"$run/server-$1.log" 2>&1 &
	servers+=($!)
}

# pppds: how many of them run on the BNG.
pppds()
{
	local pid name n=0
	while read -r pid; do
		read -r name 2>/dev/null <"/proc/$pid/comm"
		[ "$name" != pppd ] || n=$((n + 1))
	done < <(if [ -n "$bng" ]; then
			ip netns pids "$bng"
		else
			pgrep -x pppd
		fi)
	echo "$n"
}

# stop_servers: with whatever they started.
stop_servers()
{
	[ ${#servers[@]} = 0 ] || kill "${servers[@]}" 2>/dev/null
	wait "${servers[@]}" 2>/dev/null
	servers=()
}

# play STORM-ARGUMENT...: from the subscribers' side; tells its summary.
play()
{
	local status=0 out=$run/summary.$BASHPID
	ip netns exec subs "$storm" --pppoe-timer 1 "$@" >"$out" 2>&1 ||
		status=$?
	sed 's/^/# /' "$out"
	return "$status"
}

# counted [ARGUMENT...]: sessions, by the arguments of rmctl session count.
counted() { bng_do rmctl -j session count "$@" | sed -n 's/.*"count": *\([0-9]*\).*/\1/p;q'; }

# in N [ARGUMENT...]: so many of them.
in_()
{
	local n=$1
	shift
	[ "$(counted "$@")" = "$n" ]
}

# up_ N [ARGUMENT...]: so many of them, and all are up.
up_()
{
	local n=$1
	shift
	in_ "$n" "$@" && [ "$(active "$@")" = "$n" ]
}

active()
{
	bng_do rmctl -j session show "$@" | grep -o '"state": *"active"' | wc -l
}

# seen NAME ELEMENT...: a counter of enforcement.
seen()
{
	local name=$1
	shift
	bng_do rmctl -j enforce show "$@" |
		sed -n "s/.*\"$name\": *\([0-9]*\).*/\1/p" | head -n 1
}

more() { [ "${1:-0}" -gt "$2" ]; }

# nothing_left: no element counts anybody, and nobody is undecided.
nothing_left()
{
	! bng_do rmctl -j limit show |
		grep -qE '"(sessions|starting)": *[1-9]' &&
		! bng_do rmctl -j enforce show | grep -qE '"flights": *[1-9]'
}

# enforced ELEMENT... WORD...: the settings, with no waiting for old sessions.
enforced()
{
	bng_do rmctl chassis set settle 0 && bng_do rmctl enforce set "$@"
}
