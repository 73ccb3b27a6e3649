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

# --- L2TP

# What both sides' pppd want; LCP that fails is to be found out soon, but not
# where a second is short.
prepare_l2tp()
{
	mkdir -p /run/xl2tpd
	cat >/etc/ppp/l2tp <<-END
	noccp
	novj
	noipv6
	nodefaultroute
	lcp-echo-interval 0
	lcp-restart 1
	lcp-max-configure $(scaled 3 10)
	END
	{ echo require-pap; cat /etc/ppp/l2tp; } >/etc/ppp/l2tp-server
	{ cat /etc/ppp/l2tp-server; echo lcp-echo-interval 1;
		echo "lcp-echo-failure $(scaled 3 10)"; } >/etc/ppp/l2tp-server-echo
	{ echo noauth; echo noipdefault; echo 'user storm'; cat /etc/ppp/l2tp; } \
		>/etc/ppp/l2tp-client
	declare -gA xl2tpds=()
}

# l2tp_link DEV HOME NET: 10.NET.0.1 is on the BNG, 10.NET.0.2 with subscribers.
l2tp_link()
{
	ip link add "$1" type veth peer name "$2" netns subs &&
	ip link set "$1" up && ip -n subs link set "$2" up &&
	ip addr add "10.$3.0.1/24" dev "$1" &&
	ip -n subs addr add "10.$3.0.2/24" dev "$2"
}

# start_lns NAME ADDRESS OPTIONS [GLOBAL-LINE...]: a daemon of the BNG, with a
# file of options for pppd.
start_lns()
{
	local name=$1 net=${2#10.}
	{
		printf '%s\n' '[global]' "listen-addr = $2" "${@:4}"
		cat <<-END
		access control = no
		[lns default]
		ip range = 10.200.${net%%.*}.10-10.200.${net%%.*}.99
		local ip = 10.200.0.1
		require pap = yes
		refuse chap = yes
		length bit = yes
		pppoptfile = $3
		END
	} >"$run/$name.conf"
	xl2tpd -D -c "$run/$name.conf" -p "$run/$name.pid" \
		-C "$run/$name.control" >"$run/$name.log" 2>&1 &
	xl2tpds[$name]=$!
	wait_for 20 [ -p "$run/$name.control" ]
}

# start_lac NAME LNS ADDRESS [GLOBAL-LINE...]: one of the other side, which calls
# nobody yet. Each of its calls has a tunnel.
start_lac()
{
	local name=$1 n
	{
		printf '%s\n' '[global]' "listen-addr = $3" "${@:4}"
		echo "access control = no"
		for n in 1 2 3 4; do
			cat <<-END
			[lac call$n]
			lns = $2
			length bit = yes
			require authentication = no
			pppoptfile = /etc/ppp/l2tp-client
			END
		done
	} >"$run/$name.conf"
	ip netns exec subs xl2tpd -D -c "$run/$name.conf" -p "$run/$name.pid" \
		-C "$run/$name.control" >"$run/$name.log" 2>&1 &
	xl2tpds[$name]=$!
	wait_for 20 [ -p "$run/$name.control" ]
}

# l2tp NAME COMMAND ARGUMENT...: of xl2tpd-control, to that daemon.
l2tp() { xl2tpd-control -c "$run/$1.control" "${@:2}" >/dev/null; }

# end_xl2tpd SIGNAL NAME...: after TERM it may say as little as after KILL, and
# after INT it closes its tunnels.
end_xl2tpd()
{
	local name
	for name in "${@:2}"; do
		kill "-$1" "${xl2tpds[$name]}"
		wait "${xl2tpds[$name]}" 2>/dev/null
		unset "xl2tpds[$name]"
		rm -f "$run/$name.control"
	done
}

# l2tp_calls N NET: so many PPP connections of that daemon are up on the BNG.
l2tp_calls()
{
	[ "$(ip -o -4 addr show | grep -c " peer 10\.200\.$2\.")" = "$1" ]
}
