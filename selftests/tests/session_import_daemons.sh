#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
# Sessions of daemons that were there before their port was enforced: rmctl reads
# what the daemons themselves wrote, and everybody is counted at once.
# shellcheck disable=SC2317  # functions are called by name
cd "$(dirname "$0")/../.." || exit 1
. selftests/tests/lib.sh
. selftests/tests/hook.sh

run=/run/session-import
servers=()
mkdir -p "$run"
[ -x "$storm" ] || { skip "import" "no $storm: make tests"; finish; }

network()
{
	ip netns add subs &&
	ip link add acc0 type veth peer name home0 netns subs &&
	ip link set acc0 up && ip -n subs link set home0 up &&
	ip link add link acc0 name vlan5 type vlan id 5 &&
	ip link set vlan5 up &&
	ip addr add 10.9.0.1/16 dev acc0 &&
	ip addr add 10.15.0.1/16 dev vlan5 &&
	ip addr add fd00:9::1/64 dev acc0 nodad &&
	ip route add fd00:a::/48 via fe80::2 dev acc0
}

# Nothing is watched yet, and nothing is known, not even who the servers are.
unwatched() { rmctl port del acc0 && rmctl port add acc0 device 0; }

# imports WANTED WORD...: what an import says, and that its status is right.
imports()
{
	local wanted=$1 said status=0
	shift
	said=$(rmctl session import "$@" 2>"$run/import.err") || status=$?
	[ "$said" = "$wanted" ] || { echo "# said: $said"; return 1; }
	case $wanted in
	*"refused 0") [ "$status" = 0 ] ;;
	*) [ "$status" = 1 ] ;;
	esac
}

# refuses SENTENCE: the last import was told why.
refuses() { grep -q "session import: $1" "$run/import.err"; }

# --- PPPoE

# Debian's pppoe-server has no kernel mode, but starts the pppd that it is told
# to: this one has pppd carry the session in the kernel, as kernel mode does.
kernel_mode()
{
	cat >"$run/pppd" <<-'END'
	#!/bin/bash
	args=()
	while [ $# -gt 0 ]; do
		case $1 in
		pty)
			[[ $2 =~ -I\ *([^ ]+) ]] && dev=${BASH_REMATCH[1]}
			[[ $2 =~ -e\ *([^ ]+) ]] && session=${BASH_REMATCH[1]}
			shift
			;;
		*) args+=("$1") ;;
		esac
		shift
	done
	exec /usr/sbin/pppd plugin rp-pppoe.so rp_pppoe_sess "$session" \
		"${args[@]}" "nic-${dev//\'/}"
	END
	chmod +x "$run/pppd"
	# Nothing is said in a session that is up, so that nothing adopts it.
	sed -i 's/^lcp-echo-interval.*/lcp-echo-interval 0/' /etc/ppp/server
}

pppoe_server()
{
	pppoe-server -F -q "$run/pppd" -I "$1" -C bng -N 64 -L "10.64.$2.1" \
		-R "10.$((64 + $2)).1.1" -O /etc/ppp/server \
		>"$run/server-$1.log" 2>&1 &
	servers+=($!)
}

in_kernel() { [ "$(grep -c : /proc/net/pppoe)" = "$1" ]; }

# Identities as the kernel's list has them: MAC/ID, the ID in host order.
of_kernel()
{
	local id mac dev
	while read -r id mac dev; do
		[ "$dev" = acc0 ] && dev=-
		[ "$id" = Id ] ||
			echo "$mac/$((16#${id:6:2}${id:4:2})) ${dev#vlan}"
	done </proc/net/pppoe | sort
}

of_resmon()
{
	rmctl session show port acc0 | awk 'NR > 1 { print $NF, $4 }' | sort
}

pppoe()
{
	local dev client
	modprobe -aq pppoe ppp_async
	prepare_pppd
	kernel_mode
	unwatched
	pppoe_server acc0 1
	pppoe_server vlan5 2
	ip netns exec subs "$storm" --pppoe 4 --pppoe-timer 1 --hold 600 home0 \
		>"$run/storm" 2>&1 &
	client=$!
	ip netns exec subs "$storm" --pppoe 2 --pppoe-timer 1 --hold 600 --vlan 5 \
		--mac-base 02:55:00:00:00:00 home0 >"$run/storm5" 2>&1 &
	client="$client $!"
	for dev in 1 2; do
		ip -n subs link add link home0 "sub$dev" type macvlan mode private
		ip -n subs link set "sub$dev" up
		ip netns exec subs pppd plugin rp-pppoe.so "nic-sub$dev" \
			file /etc/ppp/client nodetach unit $((100 + dev)) \
			>/dev/null 2>&1 &
		client="$client $!"
	done
	ok "PPPoE: 8 sessions in the kernel, of which nobody knows" \
		wait_for 30 in_kernel 8
	ok "PPPoE: where nothing is enforced nobody is imported" \
		imports "imported 0, known 0, refused 8" pppoe
	ok "PPPoE: and it is told why" refuses "its logins are not enforced"
	rmctl limit set port acc0 type any max 5
	enforced port acc0 pppoe drop
	is "PPPoE: enforcement alone finds none of them" 0 "$(counted)"
	ok "PPPoE: import brings all in" \
		imports "imported 8, known 0, refused 0" pppoe
	ok "PPPoE: above the limit, and active" up_ 8 port acc0
	is "PPPoE: under the names that the kernel has" "$(of_kernel)" \
		"$(of_resmon)"
	is "PPPoE: those of the VLAN are in it" 2 \
		"$(rmctl -j session show port acc0 | grep -c '"vlan-outer": *5')"
	ok "PPPoE: a second import finds all known" \
		imports "imported 0, known 8, refused 0" pppoe
	ok "PPPoE: a stranger is refused now" play --pppoe 1 \
		--mac-base 02:56:00:00:00:00 --time 3 --expect 0 home0
	# shellcheck disable=SC2086  # several
	kill $client
	# shellcheck disable=SC2086
	wait $client 2>/dev/null
	ok "PPPoE: all leave, and nobody is counted" wait_for 20 nothing_left
	stop_servers
	umount /etc/ppp
}

# --- DHCP

# get STORM-ARGUMENT...: leases that stay
get()
{
	play --dhcp4-timer 1 --dhcp6-timer 1 --time 10 --no-release "$@" home0 \
		>/dev/null
}

# back N STORM-ARGUMENT...: the same clients come, and are known; then they go.
back()
{
	local n=$1 adopted player
	shift
	adopted=$(seen adopted port acc0)
	play --dhcp4-timer 1 --dhcp6-timer 1 --time 10 --hold 1 "$@" home0 \
		>"$run/back" &
	player=$!
	wait "$player" || cat "$run/back"
	[ "$(seen adopted port acc0)" = "$adopted" ] &&
		wait_for 10 in_ "$n" port acc0
}

# leases NAME FILE N SUM WORD...: who is in a file is brought in, once
leases()
{
	local name=$1 file=$2 n=$3 sum=$4
	shift 4
	enforced port acc0 dhcp4 count dhcp6 count
	is "$name: nobody is counted" 0 "$(counted)"
	ok "$name: import brings all in" imports "$sum" leases "$file" "$@"
	ok "$name: $n sessions" up_ "$n" port acc0
	ok "$name: a second import finds all known" grep -q \
		'"imported": *0, *"known": *[1-9][0-9]*, *"refused"' \
		<(rmctl -j session import leases "$file" "$@" 2>/dev/null)
}

cat >"$run/script" <<'END'
#!/bin/sh
case $reason in
BOUND) ip addr replace "$new_ip_address/16" dev "$interface" ;;
BOUND6) ip addr replace "$new_ip6_address/64" dev "$interface" nodad ;;
esac
exit 0
END
chmod +x "$run/script"

# client 4|6 OPTION...: dhclient on home0
client()
{
	ip netns exec subs dhclient "-$1" -cf /dev/null -sf "$run/script" 		-lf "$run/client$1" -pf "$run/client$1.pid" "${@:2}" home0 		>"$run/client.log" 2>&1
}

# gives_back VERSION N NAME: the real client leaves, and N are there. Its server
# is one that no frame has told of.
gives_back()
{
	client "$1" -r
	ok "$3: dhclient gives its lease back, and its session ends" 		wait_for 10 in_ "$2" port acc0
	ip -n subs addr flush dev home0 scope global
}

server_ends()
{
	kill "$server"
	wait "$server" 2>/dev/null
}

dnsmasq_leases()
{
	unwatched
	: >"$run/leases"
	dnsmasq -k -p 0 -C /dev/null -u root --bind-dynamic \
		--except-interface=lo --no-ping --dhcp-authoritative \
		--dhcp-range=10.9.1.1,10.9.1.250,255.255.0.0,600 \
		--dhcp-range=10.15.1.1,10.15.1.250,255.255.0.0,infinite \
		--dhcp-range=fd00:9::1000,fd00:9::ffff,64,600 \
		--dhcp-leasefile="$run/leases" --pid-file="$run/dnsmasq.pid" \
		--log-facility="$run/dnsmasq.log" >/dev/null 2>&1 &
	server=$!
	wait_for 10 grep -qs 'DHCP, IP range' "$run/dnsmasq.log"
	get --dhcp4 3 --dhcp6 3 --dual-stack --no-pd
	get --dhcp4 2 --vlan 5 --mac-base 02:55:00:00:00:00
	leases dnsmasq "$run/leases" 5 "imported 5, known 3, refused 0"
	is "dnsmasq: the route tells who is in the VLAN" 2 \
		"$(rmctl -j session show port acc0 | grep -c '"vlan-outer": *5')"
	ok "dnsmasq: households come back, are known, and go" \
		back 2 --dhcp4 3 --dhcp6 3 --dual-stack --no-pd
	ok "dnsmasq: those of the VLAN, too" back 0 --dhcp4 2 --vlan 5 \
		--mac-base 02:55:00:00:00:00
	server_ends
}

# kea 4|6
kea()
{
	KEA_PIDFILE_DIR=$run KEA_LOCKFILE_DIR=$run \
		"kea-dhcp$1" -c "$run/kea$1.json" >"$run/kea.log" 2>&1 &
	server=$!
	wait_for 20 grep -q "DHCP${1}_STARTED" "$run/kea.log"
}

kea_leases()
{
	cat >"$run/kea4.json" <<-END
	{ "Dhcp4": {
		"interfaces-config": { "interfaces": [ "acc0" ] },
		"lease-database": { "type": "memfile", "name": "$run/kea4.csv" },
		"valid-lifetime": 600,
		"subnet4": [ { "subnet": "10.9.0.0/16",
			"pools": [ { "pool": "10.9.1.1-10.9.1.250" } ] } ] } }
	END
	cat >"$run/kea6.json" <<-END
	{ "Dhcp6": {
		"interfaces-config": { "interfaces": [ "acc0" ] },
		"server-id": { "type": "EN", "enterprise-id": 12170,
			"identifier": "0102030405", "persist": false },
		"lease-database": { "type": "memfile", "name": "$run/kea6.csv" },
		"preferred-lifetime": 500, "valid-lifetime": 600,
		"subnet6": [ { "subnet": "fd00:9::/64", "interface": "acc0",
			"pools": [ { "pool": "fd00:9::1000-fd00:9::ffff" } ],
			"pd-pools": [ { "prefix": "fd00:a::", "prefix-len": 48,
				"delegated-len": 56 } ] } ] } }
	END
	unwatched
	kea 4 || sed 's/^/# /' "$run/kea.log"
	get --dhcp4 3
	# Who has left is in the file, too.
	play --dhcp4 2 --mac-base 02:55:00:00:00:00 --dhcp4-timer 1 --time 10 \
		home0 >/dev/null
	leases "Kea, DHCPv4" "$run/kea4.csv" 3 "imported 3, known 0, refused 0"
	ok "Kea, DHCPv4: they come back, are known, and go" back 0 --dhcp4 3
	server_ends
	unwatched
	kea 6 || sed 's/^/# /' "$run/kea.log"
	get --dhcp6 3
	leases "Kea, DHCPv6" "$run/kea6.csv" 3 "imported 3, known 3, refused 0"
	ok "Kea, DHCPv6: they come back, are known, and go" back 0 --dhcp6 3
	server_ends
}

# dhcpd_ 4|6
dhcpd_()
{
	: >"$run/dhcpd.leases"
	: >"$run/client$1"
	dhcpd -f "-$1" -cf "$run/dhcpd$1.conf" -lf "$run/dhcpd.leases" \
		-pf "$run/dhcpd.pid" acc0 >"$run/dhcpd.log" 2>&1 &
	server=$!
	wait_for 20 grep -q 'Sending on' "$run/dhcpd.log"
}

dhcpd_leases()
{
	cat >"$run/dhcpd4.conf" <<-END
	authoritative;
	ping-check false;
	default-lease-time 600;
	subnet 10.9.0.0 netmask 255.255.0.0 { range 10.9.1.1 10.9.1.250; }
	END
	cat >"$run/dhcpd6.conf" <<-END
	authoritative;
	default-lease-time 600;
	subnet6 fd00:9::/64 {
		range6 fd00:9::1000 fd00:9::ffff;
		prefix6 fd00:a:: fd00:a:0:ff00:: /56;
	}
	END
	unwatched
	dhcpd_ 4 || sed 's/^/# /' "$run/dhcpd.log"
	get --dhcp4 3
	play --dhcp4 2 --mac-base 02:55:00:00:00:00 --dhcp4-timer 1 --time 10 \
		home0 >/dev/null
	ok "ISC dhcpd, DHCPv4: dhclient gets a lease" client 4 -1
	leases "ISC dhcpd, DHCPv4" "$run/dhcpd.leases" 4 \
		"imported 4, known 0, refused 0"
	gives_back 4 3 "ISC dhcpd, DHCPv4"
	ok "ISC dhcpd, DHCPv4: they come back, are known, and go" \
		back 0 --dhcp4 3
	server_ends
	unwatched
	dhcpd_ 6 || sed 's/^/# /' "$run/dhcpd.log"
	get --dhcp6 3
	ok "ISC dhcpd, DHCPv6: dhclient gets a lease" client 6 -1
	ip route del fd00:a::/48
	enforced port acc0 dhcp6 count
	ok "ISC dhcpd, DHCPv6: without a route nobody knows where a prefix is" \
		imports "imported 4, known 0, refused 3" leases \
		"$run/dhcpd.leases"
	ok "ISC dhcpd, DHCPv6: which is told" \
		refuses "there is no route to the address (3, first prefix fd00:a:"
	rmctl session release port acc0 >/dev/null
	leases "ISC dhcpd, DHCPv6" "$run/dhcpd.leases" 4 \
		"imported 4, known 3, refused 0" port acc0
	gives_back 6 3 "ISC dhcpd, DHCPv6"
	ok "ISC dhcpd, DHCPv6: they come back, are known, and go" \
		back 0 --dhcp6 3
	server_ends
}

# part FUNCTION COMMAND...: where all of these are installed
part()
{
	local command
	# shellcheck disable=SC2053  # a pattern
	[[ $1 == ${RESMON_CASES:-*} ]] || return
	for command in "${@:2}"; do
		command -v "$command" >/dev/null && continue
		skip "$1" "no $command"
		return
	done
	"$1"
}

fresh
rmctl device add 0
ok "a network of two sides" network
rmctl port add acc0 device 0
part pppoe pppoe-server pppd
part dnsmasq_leases dnsmasq
part kea_leases kea-dhcp4 kea-dhcp6
part dhcpd_leases dhcpd dhclient
ok "nobody is left" wait_for 10 nothing_left
ok "the module unloads" rmmod resmon
finish
