#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The load generator against daemons as they are: all clients get in, all are
# gone afterwards, and without a server nobody is.
cd "$(dirname "$0")/../.." || exit 1
. selftests/tests/lib.sh

run=/run/storm-test
storm=build/storm-asan
# An address space of 512 GB, as that of uml61, is too small for sanitizers.
[ ! -x "$storm" ] || "$storm" --help >/dev/null 2>&1 || storm=build/storm
[ -x "$storm" ] || { skip "storm" "no $storm: make tests"; finish; }
mkdir -p "$run"
mount -t tmpfs tmpfs /etc/ppp

# play STORM-ARGUMENT...: from the subscribers' side; tells its summary.
play()
{
	local status=0
	ip netns exec subs "$storm" "$@" home0 >"$run/summary" 2>&1 || status=$?
	sed 's/^/# /' "$run/summary"
	return "$status"
}

fails() { ! "$@"; }

network()
{
	ip netns add subs &&
	ip link add acc0 type veth peer name home0 netns subs &&
	ip link set acc0 up && ip -n subs link set home0 up &&
	ip addr add 10.9.0.1/16 dev acc0 &&
	ip addr add fd00:9::1/64 dev acc0 nodad
}

sessions() { [ "$(pgrep -c -x pppd)" = "$1" ]; }

# leases4 N, leases6 N: so many are in the server's file.
leases4() { [ "$(grep -c ' 10\.9\.' "$run/leases")" = "$1" ]; }
leases6() { [ "$(grep -c ' fd00:9::' "$run/leases")" = "$1" ]; }

start_pppoe()
{
	modprobe -aq pppoe ppp_async
	cat >/etc/ppp/server <<-END
	require-pap
	noccp
	novj
	lcp-echo-interval 1
	child-timeout 60
	END
	: >/etc/ppp/options
	echo 'storm * storm *' >/etc/ppp/pap-secrets
	pppoe-server -F -I acc0 -C storm-test -N 64 -L 10.64.0.1 -R 10.64.1.1 \
		-O /etc/ppp/server >"$run/pppoe.log" 2>&1 &
	server=$!
}

start_dhcp()
{
	: >"$run/leases"
	dnsmasq -k -p 0 -C /dev/null -u root --interface=acc0 --bind-interfaces \
		--dhcp-range=10.9.1.1,10.9.1.250,255.255.0.0,120 \
		--dhcp-range=fd00:9::1000,fd00:9::ffff,64,120 \
		--dhcp-rapid-commit --no-ping --dhcp-authoritative \
		--dhcp-leasefile="$run/leases" --pid-file="$run/dnsmasq.pid" \
		--log-facility="$run/dnsmasq.log" >/dev/null 2>&1 &
	server=$!
	wait_for 10 grep -qs 'DHCP, sockets bound' "$run/dnsmasq.log"
}

discovers() { grep -c DHCPDISCOVER "$run/dnsmasq.log"; }

# stop: the server, with whatever it started.
stop()
{
	kill "$server"
	wait "$server" 2>/dev/null
}

ok "a network of two sides" network

if command -v pppoe-server >/dev/null && command -v pppd >/dev/null; then
	start_pppoe
	ok "pppoe-server lets 20 PPPoE clients in" \
		play --pppoe 20 --hold 3 --time 90 --pppoe-timer 1
	ok "all have left pppoe-server" wait_for 30 sessions 0
	stop
	ok "without pppoe-server nobody gets in, and storm fails" \
		fails play --pppoe 5 --time 2 --pppoe-timer 1
	ok "which is what may be expected" \
		play --pppoe 5 --time 2 --pppoe-timer 1 --expect 0
else
	skip "PPPoE clients" "no pppoe-server and pppd"
fi

if command -v dnsmasq >/dev/null; then
	ok "dnsmasq starts" start_dhcp
	ok "dnsmasq gives 50 DHCPv4 clients a lease" \
		play --dhcp4 50 --time 60 --dhcp4-timer 2
	ok "all of DHCPv4 are released" wait_for 10 leases4 0
	ok "dnsmasq gives 20 DHCPv6 clients a lease" \
		play --dhcp6 20 --time 60
	ok "all of DHCPv6 are released" wait_for 10 leases6 0
	before=$(discovers)
	ok "after a power cut all come back to the address they had" \
		play --dhcp4 20 --no-release --restart-after 1 --init-reboot \
		--time 60
	ok "which they ask for at once" \
		[ "$(discovers)" -lt $((before + 40)) ]
	ok "whose leases are as many as there are clients" leases4 20
	stop
	ok "without dnsmasq nobody gets in, and storm fails" \
		fails play --dhcp4 5 --dhcp6 5 --time 2
else
	skip "DHCP clients" "no dnsmasq"
fi

umount /etc/ppp
finish
