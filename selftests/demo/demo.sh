#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A BNG with two line cards on a bad day, told in a minute. Runs in the virtual
# machine, see `make demo`; any step that does not do what it says ends it.
#
#   subscribers (namespace subs)          BNG
#   10 pppd -- macvlan -- home0 ---------- acc0         card 0, mic 0/0
#   10 pppd -- macvlan -- home1 = veth --- leg0 = bond0  card 0
#                               = veth --- leg1 =        card 1
#   40 pppd -- macvlan -- home3 ---------- acc2         card 0
#   300 logins of another program ---------- acc1        card 1, and bond0
#
# The daemon of acc0 and bond0 asks for admission; that of acc2 knows nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ -n "${RESMON_VM-}" ] || {
	echo "this is for the virtual machine: make demo" >&2
	exit 1
}
here=selftests/demo
run=/run/demo
started=$(date +%s)
mkdir -p "$run"
# Nothing ever comes out of it: waiting costs no process.
mkfifo "$run/never"
exec {never}<>"$run/never"

# --- telling

bold='' plain='' dim=''
case ${TERM:-dumb} in
dumb) ;;
*) bold=$'\e[1m' plain=$'\e[0m' dim=$'\e[2m' ;;
esac

step_n=0
step()
{
	step_n=$((step_n + 1))
	printf '\n%s=== %d. %s%s\n\n' "$bold" "$step_n" "$*" "$plain"
}

say() { printf '%s\n' "$*"; }

# Anything that is not as it was told.
fail()
{
	say ""
	say "FAILED: $*"
	tail -qn 1 "$run"/*.log 2>/dev/null
	rmctl why 2>/dev/null | tail -n 5
	exit 1
}

# do_it COMMAND...: shown, and must succeed.
do_it()
{
	printf '%s# %s%s\n' "$bold" "$*" "$plain"
	"$@" || fail "status $? of: $*"
}

# denied COMMAND...: shown, and must say that somebody was denied.
denied()
{
	local status=0
	printf '%s# %s%s\n' "$bold" "$*" "$plain"
	"$@" || status=$?
	[ "$status" = 3 ] || fail "status $status, not 3, of: $*"
}

show() { do_it rmctl show; }

# wait_for SECONDS WHAT COMMAND...: until it succeeds; nothing waits blindly.
wait_for()
{
	local seconds=$1 what=$2 end=$((SECONDS + $1))
	shift 2
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "not within $seconds s: $what"
		read -r -t 0.2 -u "$never"
	done
}

# number NAME RMCTL-ARGUMENT...: the first number of that name in its JSON.
number()
{
	local name=$1 text
	shift
	text=$(rmctl -j "$@")
	[[ $text =~ \"$name\":\ *([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# is ELEMENT/VALUE OPERATOR NUMBER: from a file in /sys, which costs no process.
is()
{
	local file=/sys/class/resmon/$1 value
	[ -e "$file" ] || file=/sys/class/net/${1/\//\/resmon\/}
	read -r value <"$file" && test "$value" "$2" "$3"
}

rtt_known()
{
	local value
	read -r value <"/sys/class/resmon/$1/rtt_ms" && [ "$value" != -- ]
}

# --- the network

# The neighbours' IPv6 has no part in this, and would keep 30 net devices busy.
no_ipv6="echo 1 | tee /proc/sys/net/ipv6/conf/all/disable_ipv6 \
	/proc/sys/net/ipv6/conf/default/disable_ipv6 >/dev/null"

build_network()
{
	local i n
	ip netns add subs || return 1
	sh -c "$no_ipv6"
	ip netns exec subs sh -c "$no_ipv6"
	{
		echo "link add acc0 type veth peer name home0 netns subs"
		echo "link add acc1 type veth peer name home2 netns subs"
		echo "link add acc2 type veth peer name home3 netns subs"
		echo "link add leg0 type veth peer name up0 netns subs"
		echo "link add leg1 type veth peer name up1 netns subs"
		echo "link add bond0 type bond mode balance-xor miimon 100"
		echo "link set leg0 master bond0"
		echo "link set leg1 master bond0"
		for i in acc0 acc1 acc2 leg0 leg1 bond0; do echo "link set $i up"; done
	} | ip -batch - || return 1
	{
		echo "link add home1 type bond mode balance-xor miimon 100"
		echo "link set up0 master home1"
		echo "link set up1 master home1"
		for i in home0 home1 home2 home3 up0 up1; do echo "link set $i up"; done
		for ((n = 1; n <= 60; n++)); do
			printf 'link add sub%d link home%d address 02:00:00:00:00:%02x type macvlan mode private\n' \
				"$n" $((n > 20 ? 3 : n > 10)) "$n"
			echo "link set sub$n up"
		done
	} | ip -netns subs -batch -
}

# What the pppd of the BNG runs, and nothing of it for those of subscribers.
prepare_pppd()
{
	modprobe -a pppoe ppp_async || return 1
	mkdir -p /etc/netns/subs/ppp /run/resmon
	cp /etc/ppp/*-secrets /etc/netns/subs/ppp/
	: >/etc/netns/subs/ppp/options
	mount -t tmpfs tmpfs /etc/ppp || return 1
	cp tools/examples/pppd/ip-pre-up tools/examples/pppd/ip-down /etc/ppp/
	chmod 755 /etc/ppp/ip-pre-up /etc/ppp/ip-down
	cp $here/options /etc/ppp/options
	: >/etc/ppp/chap-secrets
	: >/etc/ppp/pap-secrets
}

start_servers()
{
	local port n=0
	servers=()
	for port in acc0 bond0; do
		n=$((n + 1))
		pppoe-server -F -I "$port" -C resmon-demo -N 32 \
			-L 10.64.0.1 -R "10.64.$n.1" \
			-O /etc/ppp/options >"$run/server-$port.log" 2>&1 &
		servers+=($!)
	done
}

# The scripts that ask for admission are not there for this one.
start_unmodified_server()
{
	unshare -m sh -c 'mount -t tmpfs tmpfs /etc/ppp &&
		: >/etc/ppp/options && exec pppoe-server "$@"' pppoe-server \
		-F -I acc2 -C resmon-demo -N 64 -L 10.64.0.1 -R 10.64.3.1 \
		-O "$PWD/$here/options" >"$run/server-acc2.log" 2>&1 &
	servers+=($!)
}

# asked PORT OPERATOR NUMBER: how many have so far, let in or not.
asked()
{
	local in out
	read -r in </sys/class/resmon/chassis/usage
	read -r out <"/sys/class/net/$1/resmon/denied"
	test $((in + out)) "$2" "$3"
}

# dial FIRST LAST PORT BEFORE: households dial until they are in. So many at a
# time begin to, that an emulated machine has no use for the timers of PPP.
at_a_time=8
dial()
{
	local first=$1 last=$2 port=$3 before=$4 n to
	cat >"$run/clients" <<-END
	while read -r n; do
		pppd plugin rp-pppoe.so nic-sub\$n unit \$((100 + n)) \
			file $PWD/$here/subscriber nodetach \
			logfile $run/sub\$n.log >/dev/null 2>&1 &
	done
	wait
	END
	exec {to}> >(exec ip netns exec subs sh "$run/clients")
	for ((n = first; n <= last; n++)); do
		wait_for 120 "subscriber $((n - at_a_time)) has asked" \
			asked "$port" -ge $((before + n - first + 1 - at_a_time))
		echo "$n" >&"$to"
	done
	exec {to}>&-
}

# A subscriber is up when its own pppd has an address.
subscribers_up()
{
	local up
	up=$(cat "$run"/sub*.log 2>/dev/null | grep -c '^local  IP address')
	test "$up" "$1" "$2"
}

# --- the story

say "${bold}resmon: a BNG with two line cards, a bond across them, and too many subscribers$plain"
say "Linux $(uname -r), $(nproc) CPUs, emulated; everything below is as it happens."

step "The module, the chassis, its limits"
do_it modprobe resmon
build_network || fail "the network of the demo"
do_it rmctl device add 0 name fpc0
do_it rmctl device add 1 name fpc1
do_it rmctl mic add 0/0
do_it rmctl port add acc0 device 0 mic 0
do_it rmctl port add leg0 device 0
do_it rmctl port add acc1 device 1
do_it rmctl port add leg1 device 1
do_it rmctl limit set chassis type any max 400
do_it rmctl limit set device 1 type any max 330 warn 90
do_it rmctl limit set port acc0 type pppoe max 6
do_it rmctl lag show

sed -u "s/^[^ ]* /${dim}    event  /; s/\$/$plain/" \
	< <(exec rmctl monitor events 2>"$run/monitor") &
monitor=$!
wait_for 60 "the monitor" grep -qs monitoring "$run/monitor"

step "Two line cards answer the probes, 25 ms away"
echo 25 >"$run/delay0"
for card in 0 1; do
	do_it rmctl rtt set device $card max 60
	do_it rmctl echo set device $card engine agent interval 200
done
do_it rmctl rtt set lag bond0 max 60
agents=()
# Line cards have processors of their own: these do not wait for ours.
chrt -f 10 rmctl echo agent device 0 delay-file "$run/delay0" >/dev/null &
agents+=($!)
chrt -f 10 rmctl echo agent device 1 delay 25 >/dev/null &
agents+=($!)
wait_for 60 "the round trip time of card 0" rtt_known device0
wait_for 60 "the round trip time of card 1" rtt_known device1
show

step "20 pppd dial in over pppoe-server: port acc0 takes 6 of its 10"
prepare_pppd || fail "what pppd needs"
start_servers
dial 1 20 acc0 0
wait_for 120 "16 subscribers are up" is chassis/usage -eq 16
wait_for 60 "4 subscribers are refused" is acc0/denied -ge 4
show
say ""
do_it rmctl session show port acc0
do_it rmctl limit show port acc0
say ""
say "Why? The last denials:"
rmctl why | tail -n 4

step "Room for all: the limit of acc0 goes up, who was refused dials again"
do_it rmctl limit set port acc0 type pppoe max 10
wait_for 120 "20 subscribers are admitted" is chassis/usage -eq 20
wait_for 60 "20 subscribers are up" subscribers_up -ge 20
do_it rmctl session count

step "40 more behind a pppoe-server that knows nothing of resmon: acc2 takes 30"
do_it rmctl chassis set settle 0
do_it rmctl port add acc2 device 0
do_it rmctl limit set port acc2 type pppoe max 30
do_it rmctl enforce set port acc2 pppoe drop
start_unmodified_server
dial 21 60 acc2 20
wait_for 120 "30 of them are in" is acc2/usage -eq 30
wait_for 60 "10 of them are refused" is acc2/denied -ge 10
do_it rmctl enforce show port acc2
do_it rmctl limit show port acc2
say ""
say "Whoever was refused goes on dialing, and will be in soon:"
do_it rmctl limit set port acc2 type pppoe max 40

step "300 more logins through the API, in batches"
do_it rmctl session admit lag bond0 type dhcp key api active count 150
do_it rmctl session admit port acc1 type dhcp key api active count 150
wait_for 120 "the last of acc2 are in" is chassis/usage -eq 360
do_it rmctl limit show port acc2
show
say ""
say "A session on the bond counts on both cards, and once on the chassis."
say "Card 1 has 20 places left, and 24 more want in:"
denied rmctl session admit port acc1 type dhcp key late active count 24
do_it rmctl limit show device 1
do_it rmctl limit set chassis type any max 1000
do_it rmctl limit del device 1 type any

step "Card 0 becomes slow: 1158 ms instead of 25, above 1000 is too slow"
echo 1158 >"$run/delay0"
wait_for 60 "the throttle of card 0" is device0/allowed_pct -eq 40
wait_for 60 "the throttle of the bond" is bond0/allowed_pct -eq 40
show
say ""
say "Three of five are told to come again later, on card 0 and on the bond:"
denied rmctl session admit port acc0 type dhcp key slow active count 5
denied rmctl session admit lag bond0 type dhcp key slow active count 5
say "and ten households that dial anew on acc2 go the same way:"
read -r refused </sys/class/net/acc2/resmon/denied
do_it pkill -HUP -f 'rp-pppoe.so nic-sub(2[1-9]|30) '
wait_for 60 "some of them are refused" is acc2/denied -gt "$refused"
rmctl why | grep acc2 | tail -n 2
say ""
say "but nobody on card 1 alone:"
do_it rmctl session admit port acc1 type dhcp key fast active count 20

step "Card 0 is fast again"
echo 25 >"$run/delay0"
wait_for 60 "card 0 recovers" is device0/allowed_pct -eq 100
wait_for 60 "the bond recovers" is bond0/allowed_pct -eq 100
do_it rmctl session admit port acc0 type dhcp key again active count 20

step "Card 1 runs out of memory: first the watermark, then the high threshold"
report() { do_it rmctl region report device 1 "$@" total 1000000 lifetime 600; }
report heap used 550000
report pfe 0 nh used 850000
show
say ""
say "15% of the next hop memory is free: marked, but nobody is refused."
do_it rmctl session admit port acc1 type dhcp key mark active count 20
report pfe 0 nh used 930000
show
denied rmctl session admit port acc1 type dhcp key full active count 3
say "Card 0 has enough of it:"
do_it rmctl session admit port acc0 type dhcp key other active count 20

step "The memory comes back"
report pfe 0 nh used 400000
show
do_it rmctl session admit port acc1 type dhcp key full active count 3

say ""
say "The ten of acc2 are in again as well:"
wait_for 120 "all 40 are in again" is acc2/usage -eq 40
do_it rmctl limit show port acc2

step "Everybody leaves: pppd through ip-down, the others through the API"
# The shell that waits for them goes with them.
# shellcheck disable=SC2046  # a list of numbers
kill -TERM $(ip netns pids subs)
nobody_dialed() { [ "$(number count session count type pppoe)" = 0 ]; }
wait_for 120 "the sessions of pppd are released" nobody_dialed
do_it rmctl session count
do_it rmctl session release all
show
nothing_left()
{
	! rmctl -j limit show | grep -E '"(sessions|starting)": *[1-9]'
}
nothing_left || fail "somebody is still counted"
say ""
say "Every count of every element is zero. The module goes:"
kill "${agents[@]}" "${servers[@]}" "$monitor"
do_it rmmod resmon
[ ! -d /sys/module/resmon ] || fail "the module is still there"

printf '\n%sDone, %d s after the first command. To try it yourself: make shell%s\n' \
	"$bold" $(($(date +%s) - started)) "$plain"
