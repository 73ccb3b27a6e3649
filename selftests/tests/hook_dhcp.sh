#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 600
# In-kernel enforcement in front of DHCP servers that know nothing of it: who
# gets in, who does not, and that every count is back at zero afterwards.
# shellcheck disable=SC2317  # functions are called by name
# shellcheck disable=SC2086  # targets and commands are of many words
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

run=/run/hook-dhcp
storm=build/storm
[ -x "$storm" ] || { skip "DHCP" "no $storm: make tests"; finish; }
command -v dnsmasq >/dev/null || { skip "DHCP" "no dnsmasq"; finish; }
mkdir -p "$run"
at="port acc0"
server=
trap 'kill $server $players 2>/dev/null' EXIT
players=

# --- what is counted

count() { value count session count "${@:-port acc0}"; }
sessions() { [ "$(value count session count $at)" = "$1" ]; }
seen() { value "$1" enforce show port acc0; }
# more NAME THAN: a counter of the port
more() { [ "$(seen "$1")" -gt "$2" ]; }
idle()
{
	sessions 0 && [ "$(value starting chassis show)" = 0 ] &&
		[ "$(value sessions chassis show)" = 0 ] &&
		[ "$(seen flights)" = 0 ]
}
all_idle() { ok "$1: every count is back at zero" wait_for 20 idle; }
cap() { rmctl limit set $at type any max "$1"; }

# --- the players

# play NAME STORM-ARGUMENT...: in the background, its summary in a file
play()
{
	local name=$1
	shift
	ip netns exec subs "$storm" --dhcp4-timer 1 --dhcp6-timer 1 "$@" \
		>"$run/$name" 2>&1 &
	players="$players $!"
	last=$!
}

# played NAME PID: whether it was as expected
played()
{
	wait "$2" && return 0
	sed 's/^/# /' "$run/$1"
	return 1
}

# crowd NAME SESSIONS STORM-ARGUMENT...: so many sessions while they are in
crowd()
{
	local name=$1 n=$2 pid
	shift 2
	play crowd --hold 2 --time 5 "$@"
	pid=$last
	ok "$name: $n sessions" wait_for 10 sessions "$n"
	ok "$name: so many get in" played crowd "$pid"
	all_idle "$name"
}

# --- the network and its server

network()
{
	ip netns add subs &&
	ip link add acc0 type veth peer name home0 netns subs &&
	ip link set acc0 up && ip -n subs link set home0 up &&
	ip link add link acc0 name vlan5 type vlan id 5 &&
	ip link add link acc0 name svlan6 type vlan proto 802.1ad id 6 &&
	ip link add link svlan6 name qinq6 type vlan id 7 &&
	ip link set vlan5 up && ip link set svlan6 up &&
	ip link set qinq6 up &&
	ip addr add 10.9.0.1/16 dev acc0 &&
	ip addr add fd00:9::1/64 dev acc0 nodad &&
	ip addr add 10.15.0.1/16 dev vlan5 &&
	ip addr add fd00:15::1/64 dev vlan5 nodad &&
	ip addr add 10.16.0.1/16 dev qinq6
}

dnsmasq_starts()
{
	: >"$run/leases"
	: >"$run/dnsmasq.log"
	dnsmasq -k -p 0 -C /dev/null -u root --bind-dynamic \
		--except-interface=lo \
		--dhcp-range=10.9.1.1,10.9.1.250,255.255.0.0,120 \
		--dhcp-range=10.15.1.1,10.15.1.250,255.255.0.0,120 \
		--dhcp-range=10.16.1.1,10.16.1.250,255.255.0.0,120 \
		--dhcp-range=10.17.1.1,10.17.1.250,255.255.0.0,120 \
		--dhcp-range=fd00:9::1000,fd00:9::ffff,64,120 \
		--dhcp-range=fd00:15::1000,fd00:15::ffff,64,120 \
		--dhcp-rapid-commit --no-ping --dhcp-authoritative \
		--dhcp-leasefile="$run/leases" --pid-file="$run/dnsmasq.pid" \
		--log-facility="$run/dnsmasq.log" >/dev/null 2>&1 &
	server=$!
	wait_for 10 grep -qs 'DHCP, IP range' "$run/dnsmasq.log"
}

server_ends()
{
	kill "$server" && wait "$server" 2>/dev/null
	server=
}

fresh
rmctl chassis set settle 0
rmctl device add 0
rmctl device add 1
ok "a network of two sides" network
rmctl port add acc0 device 0
ok "dnsmasq starts" dnsmasq_starts
cap 10
ok "enforcement begins" rmctl enforce set port acc0 dhcp4 drop dhcp6 drop

# --- everybody comes at once

crowd "20 of DHCPv4" 10 --dhcp4 20 --expect 10 home0
crowd "20 of DHCPv6" 10 --dhcp6 20 --expect 10 home0
crowd "20 of DHCPv6 with rapid commit" 10 --dhcp6 20 --rapid --expect 10 home0
crowd "20 households" 10 --dhcp4 20 --dhcp6 20 --dual-stack --expect 20 home0
rmctl enforce set port acc0 dual-stack two
crowd "households of two sessions" 10 --dhcp4 10 --dhcp6 10 --dual-stack \
	--expect 10 home0
rmctl enforce set port acc0 dual-stack one
crowd "20 that want the address they had" 10 --dhcp4 20 \
	--init-reboot=10.9.1.7 --expect 10 home0
ok "those who may use it unanswered are told apart" more unenforced 0
crowd "20 in a VLAN" 10 --dhcp4 10 --dhcp6 10 --vlan 5 --expect 10 home0
crowd "20 in QinQ" 10 --dhcp4 20 --qinq 6:7 --expect 10 home0

play power --dhcp4 10 --hold 2 --no-release --restart-after 1 --time 10 home0
ok "10 come back after a power cut, at the cap" played power "$last"
ok "each to the place it had" sessions 10
ok "releasing them" rmctl session release port acc0
all_idle "a power cut"

# --- a place becomes free

cap 5
play first --dhcp4 5 --hold 4 --time 5 home0
first=$last
ok "5 are in" wait_for 5 sessions 5
before=$(seen dropped)
play later --dhcp4 5 --mac-base 02:54:00:00:00:00 --time 25 home0
later=$last
ok "5 others are refused" wait_for 5 more dropped "$before"
ok "the first have left" played first "$first"
ok "the others get in then" played later "$later"
all_idle "others"

# --- H2: what becomes of who is refused

rmctl enforce set port acc0 dhcp4 count dhcp6 count
before=$(seen observed)
crowd "action count, 10 at a cap of 5" 10 --dhcp4 10 --expect 10 home0
ok "those above it were observed" more observed "$before"
crowd "action count, DHCPv6" 10 --dhcp6 10 --expect 10 home0

# late VERSION WORD: the cap falls between first sign and commit
late()
{
	local before pid
	before=$(seen rejected)
	cap 10
	kill -STOP "$server"
	play late "--dhcp$1" 5 --time 4 --hold 0 --expect 0 home0
	pid=$last
	wait_for 5 more flights 4
	cap 0
	kill -CONT "$server"
	ok "action reject, DHCPv$1: who was offered a lease is refused" \
		wait_for 5 more rejected $((before + 4))
	ok "and nobody gets in" played late "$pid"
	ok "the clients were told: $2" grep -q "$2" "$run/late"
	all_idle "action reject, DHCPv$1"
}
rmctl enforce set port acc0 dhcp4 reject dhcp6 reject
late 4 nak
late 6 no-address
rmctl enforce set port acc0 dhcp4 drop dhcp6 drop
cap 10

# --- a lag with its legs on two devices

lag_up()
{
	ip link add bond1 type bond mode balance-rr miimon 10 &&
	ip -n subs link add homes type bond mode balance-rr miimon 10 &&
	for n in 0 1; do
		ip link add leg$n type veth peer name far$n netns subs &&
		ip link set leg$n master bond1 &&
		ip -n subs link set far$n master homes &&
		rmctl port add leg$n device $n || return 1
	done
	ip link set bond1 up && ip -n subs link set homes up &&
	ip addr add 10.17.0.1/16 dev bond1 &&
	rmctl limit set lag bond1 type any max 10 &&
	rmctl enforce set lag bond1 dhcp4 drop
}

lag_legs()
{
	for one in "device 0" "device 1" "port leg0" "port leg1"; do
		[ "$(value sessions limit show $one)" = 10 ] || return 1
	done
	[ "$(value sessions chassis show)" = 10 ]
}

ok "a lag of two legs" lag_up
at="lag bond1"
play lag --dhcp4 20 --hold 3 --time 5 --expect 10 homes
pid=$last
ok "20 on a lag: 10 sessions" wait_for 10 sessions 10
ok "C5: each counts once on both legs" lag_legs
ok "20 on a lag: 10 get in" played lag "$pid"
all_idle "20 on a lag"
at="port acc0"

# --- clients as they are

cat >"$run/udhcpc" <<-'END'
#!/bin/sh
case $1 in
bound|renew) ip addr replace "$ip/16" dev "$interface" ;;
deconfig) ip -4 addr flush dev "$interface"; ip link set "$interface" up ;;
esac
END
cat >"$run/dhclient" <<-'END'
#!/bin/sh
case $reason in
BOUND|RENEW|REBOOT) ip addr replace "$new_ip_address/16" dev "$interface" ;;
BOUND6|RENEW6) ip addr replace "$new_ip6_address/64" dev "$interface" nodad ;;
esac
exit 0
END
chmod +x "$run/udhcpc" "$run/dhclient"
mac=$(ip netns exec subs cat /sys/class/net/home0/address)
of_home() { rmctl -j session show port acc0 | grep -q "$mac"; }
in_subs() { ip netns exec subs "$@"; }

# lives NAME END COMMAND...: a client gets in, and END ends its session
lives()
{
	local name=$1 end=$2 pid before
	shift 2
	before=$(seen dropped)
	cap 0
	# Not in a function, whose shell would get the signals.
	ip netns exec subs "$@" >"$run/$name.log" 2>&1 &
	pid=$!
	players="$players $pid"
	ok "$name is refused where there is no room" \
		wait_for 20 more dropped "$before"
	cap 1
	ok "$name gets in when there is" wait_for 40 sessions 1
	ok "by its address" of_home
	$end "$pid" >>"$run/$name.log" 2>&1
	ok "$name releases its lease" wait_for 20 idle
	idle || sed 's/^/# /' "$run/$name.log"
	rmctl session release port acc0 >/dev/null
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	in_subs ip addr flush dev home0 scope global
}

end_term() { kill -TERM "$1"; }
end_alarm() { kill -ALRM "$1"; }
dhclient4="dhclient -d -4 -cf /dev/null -sf $run/dhclient -lf $run/lease4
	-pf $run/dhclient4.pid"
dhclient6="dhclient -d -6 -cf /dev/null -sf $run/dhclient -lf $run/lease6
	-pf $run/dhclient6.pid"
end_dhclient4() { in_subs ${dhclient4/-d/-r} home0; }
end_dhclient6() { in_subs ${dhclient6/-d/-r} home0; }

if busybox udhcpc --help 2>&1 | grep -q Usage; then
	lives udhcpc end_term busybox udhcpc -f -R -i home0 -s "$run/udhcpc" \
		-t 20 -T 1
else
	skip "udhcpc" "busybox has none"
fi
if command -v dhclient >/dev/null; then
	: >"$run/lease4"
	: >"$run/lease6"
		lives dhclient end_dhclient4 $dhclient4 home0
		lives dhclient-6 end_dhclient6 $dhclient6 home0
else
	skip "dhclient" "isc-dhcp-client is not installed"
fi
if command -v dhcpcd >/dev/null; then
	printf 'ipv4only\nnoarp\nnohook resolv.conf\n' >"$run/dhcpcd.conf"
	mkdir -p /run/dhcpcd
	lives dhcpcd end_alarm dhcpcd -B -4 -f "$run/dhcpcd.conf" home0
else
	skip "dhcpcd" "dhcpcd-base is not installed"
fi
server_ends
cap 10

# --- leases that end by themselves

kea4_config()
{
	cat >"$run/kea4.json" <<-END
	{ "Dhcp4": {
		"interfaces-config": { "interfaces": [ "$1" ] },
		"lease-database": { "type": "memfile", "persist": false },
		"valid-lifetime": 6,
		"subnet4": [ { "subnet": "$2.0.0/16",
			"pools": [ { "pool": "$2.1.1-$2.1.250" } ] } ] } }
	END
}
cat >"$run/kea6.json" <<END
{ "Dhcp6": {
	"interfaces-config": { "interfaces": [ "acc0" ] },
	"server-id": { "type": "EN", "enterprise-id": 12170,
		"identifier": "0102030405", "persist": false },
	"lease-database": { "type": "memfile", "persist": false },
	"preferred-lifetime": 5, "valid-lifetime": 6,
	"subnet6": [ { "subnet": "fd00:9::/64", "interface": "acc0",
		"pools": [ { "pool": "fd00:9::1000-fd00:9::ffff" } ],
		"pd-pools": [ { "prefix": "fd00:a::", "prefix-len": 48,
			"delegated-len": 56 } ] } ] } }
END

# kea 4|6: with folders of its own
kea()
{
	KEA_PIDFILE_DIR=$run KEA_LOCKFILE_DIR=$run \
		"kea-dhcp$1" -c "$run/kea$1.json" >"$run/kea.log" 2>&1 &
	server=$!
	wait_for 20 grep -q "DHCP${1}_STARTED" "$run/kea.log" && return 0
	sed 's/^/# /' "$run/kea.log"
	return 1
}

# leases 4|6 STORM-ARGUMENT...: with a server whose leases are of 6 seconds
leases()
{
	local v=$1
	shift
	crowd "20 of Kea's DHCPv$v" 10 "--dhcp$v" 20 --expect 10 "$@" home0
	play gone "--dhcp$v" 5 --no-release --time 5 "$@" home0
	ok "5 get leases of 6 seconds, and are gone" played gone "$last"
	ok "they still count" sessions 5
	ok "until their leases end" wait_for 12 idle
	play gone "--dhcp$v" 5 --no-release --hold 30 --time 5 "$@" home0
	ok "5 others are in" wait_for 5 sessions 5
	sleep 8
	ok "who renews stays" sessions 5
	kill -KILL "$server"
	wait "$server" 2>/dev/null
	server=
	ok "when the server is gone they end, too" wait_for 15 idle
	kill "$last"
	wait "$last" 2>/dev/null
}

# H7: a socket on a VLAN net device comes after the hook of its port.
unseen() { ! rmctl enforce show | grep "reads frames before"; }

if command -v kea-dhcp4 >/dev/null; then
	kea4_config vlan5 10.15
	ok "Kea starts, for DHCPv4 in a VLAN" kea 4
	ok "H7: its raw sockets there do no harm" unseen
	leases 4 --vlan 5
else
	skip "Kea for DHCPv4" "kea-dhcp4-server is not installed"
fi
if command -v kea-dhcp6 >/dev/null; then
	ok "Kea starts, for DHCPv6" kea 6
	leases 6
else
	skip "Kea for DHCPv6" "kea-dhcp6-server is not installed"
fi

# --- H7: servers that are asked before the hook is

# blind NAME: it is warned of, and who gets in is counted all the same
blind()
{
	local adopted
	adopted=$(seen adopted)
	ok "H7: it is told that $1 is asked before the hook" \
		grep -q "acc0: .*$1.* reads frames before the hook" \
		<(rmctl enforce show)
	cap 2
	play blind --dhcp4 5 --hold 2 --time 8 home0
	ok "H3: 5 get in, at a cap of 2, and count" wait_for 8 sessions 5
	ok "those above it were adopted" more adopted "$adopted"
	ok "5 got in" played blind "$last"
	all_idle "$1"
	kill "$server"
	wait "$server" 2>/dev/null
	server=
	cap 10
}

if command -v kea-dhcp4 >/dev/null; then
	kea4_config acc0 10.9
	ok "Kea starts, with raw sockets on the port" kea 4
	blind kea-dhcp4
fi
if command -v dhcpd >/dev/null; then
	cat >"$run/dhcpd.conf" <<-END
	authoritative;
	default-lease-time 60;
	subnet 10.9.0.0 netmask 255.255.0.0 { range 10.9.1.1 10.9.1.250; }
	END
	: >"$run/dhcpd.leases"
	dhcpd -f -4 -cf "$run/dhcpd.conf" -lf "$run/dhcpd.leases" \
		-pf "$run/dhcpd.pid" acc0 >"$run/dhcpd.log" 2>&1 &
	server=$!
	ok "ISC dhcpd starts" \
		wait_for 20 grep -q 'Sending on *LPF' "$run/dhcpd.log"
	blind dhcpd
else
	skip "ISC dhcpd" "isc-dhcp-server is not installed"
fi

ip link del acc0
ip link del bond1
finish
