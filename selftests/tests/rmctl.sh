#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests of rmctl against the module, in a network namespace of their own. TAP.
#
#	selftests/vm/run.sh -- selftests/tests/rmctl.sh
cd "$(dirname "$0")/../../tools/rmctl" || exit 1
rmctl=${RMCTL:-../../build/rmctl}
ns=rmctl-$$
tmp=$(mktemp -d)
n=0 failed=0 pids=()

if [ "$(id -u)" != 0 ] || ! modprobe resmon 2>/dev/null; then
	echo "1..0 # SKIP no resmon module"
	exit 4
fi
ip netns add "$ns" || exit 1

finish()
{
	# A job of a function would be a shell, and its child would live on.
	[ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null
	wait
	ip netns del "$ns"
	rm -rf "$tmp"
}
trap finish EXIT

ok()
{
	n=$((n + 1))
	echo "ok $n - $1"
}

not_ok()
{
	n=$((n + 1))
	failed=$((failed + 1))
	echo "not ok $n - $1"
	[ -z "${2-}" ] || echo "# ${2//$'\n'/$'\n# '}"
}

r()
{
	"$rmctl" -n "$ns" "$@"
}

# run STATUS PATTERN ARGS...: exit status and a glob for all output.
run()
{
	local want=$1 pattern=$2 out status
	shift 2
	out=$(r "$@" 2>&1 </dev/null)
	status=$?
	# shellcheck disable=SC2053  # a pattern
	if [ "$status" = "$want" ] && [[ $out == $pattern ]]; then
		ok "$*"
	else
		not_ok "$*" "status $status, not $want; '$pattern' in: $out"
	fi
}

# One Python for all expressions: starting one takes longer than the rest.
coproc JUDGE { exec python3 -c '
import json, os, sys
def words():
    rest = b""
    while True:
        more = os.read(0, 65536)
        if not more:
            return
        rest += more
        while b"\0" in rest:
            word, rest = rest.split(b"\0", 1)
            yield word.decode()
each = words()
for expression in each:
    try:
        said = eval(expression, {"j": json.loads(next(each))})
    except Exception:
        said = False
    print("yes" if said else "no", flush=True)
'; }
pids+=("$JUDGE_PID")

# json EXPRESSION ARGS...: a Python expression over the answer, j.
json()
{
	local expression=$1 out verdict
	shift
	out=$(r -j "$@" 2>&1)
	printf '%s\0' "$expression" "$out" >&"${JUDGE[1]}"
	read -r verdict <&"${JUDGE[0]}"
	if [ "$verdict" = yes ]; then
		ok "-j $*: $expression"
	else
		not_ok "-j $*: $expression" "$out"
	fi
}

# until SECONDS COMMAND...: polls until the command succeeds.
until_true()
{
	local left=$(($1 * 20))
	shift
	until "$@"; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || return 1
		sleep 0.05
	done
}

check()
{
	local name=$1
	shift
	if "$@"; then ok "$name"; else not_ok "$name" "$*"; fi
}

ip -n "$ns" link add eth1 type dummy
ip -n "$ns" link add eth2 type dummy
ip -n "$ns" link add eth3 type dummy
ip -n "$ns" link add link eth1 name eth1.100 type vlan id 100 2>/dev/null
ip -n "$ns" link set eth1 up

# Configuration
run 0 '' device add 0 name fpc0
run 1 'rmctl: device add: *' device add 0
run 1 "*: '512' (index), allowed 0..511" device add 512
run 0 '' device add 3 host
run 0 '' mic add 0/1
run 0 '' port add eth1 device 0 mic 1
run 0 '' port add eth2 device 0
run 1 "rmctl: port add: *" port add eth9 device 0
run 1 "rmctl: port add: *: 'device 9'*" port add eth3 device 9
run 1 "rmctl: device del: *" device del 0
run 0 '' limit set port eth1 type any max 5 warn 80
run 1 "rmctl: limit set: *'max 2000000'*(max-sessions)*" \
	limit set port eth1 type any max 2000000
run 1 "rmctl: limit set: *'warn 0'*" limit set port eth1 type any warn 0
run 1 "rmctl: limit set: *'port eth9'*" limit set port eth9 type any max 1
run 0 '' watermark set heap 30 nh 25
json "j['heap'] == 30 and j['nh'] == 25" watermark show
run 0 '' watermark reset
json "j['heap'] == 20" watermark show
run 0 '' chassis set throttle on logging off retry 100:200
json "j['retry-min'] == 100 and j['logging'] == 0" chassis show
json "[d['index'] for d in j] == [0, 3]" device show
json "j['name'] == 'fpc0' and j['ports'] == 2" device show 0
json "j[0]['device'] == 0 and j[0]['index'] == 1" mic show
json "j['mic'] == 1 and j['limit'] == 5" port show eth1
json "j == []" lag show
run 0 'no lags' lag show

# Sessions
run 0 'admit id *' session admit port eth1 type pppoe key a
run 0 'admit id * same' session admit port eth1 type pppoe key a
run 0 '*' session admit port eth1 type pppoe key b active
run 3 'admit*deny cause cap-port element port eth1*retry*ms*' \
	session admit port eth1 type dhcp key c count 5
run 0 '*cap-port*' why
run 0 '*cap-port*' why key c-5
run 1 "rmctl: session admit: *'key *'*" session admit port eth1 type dhcp \
	key "$(printf 'k%.0s' {1..65})"
run 1 'rmctl: session admit: *' session admit port eth1 type any key d
run 3 'admitted 0, denied 600 (cap-port 600), same 0, errors 0' \
	session admit port eth1 type l2tp count 600
json "len(j) == 700 and j[699]['index'] == 699 and j[0]['verdict'] == 'admit'" \
	session admit port eth2 type l2tp key x count 700
run 0 '700 sessions, 700 starting' session count port eth2
run 0 'released 700' session release port eth2
json "[s['key'] for s in j] == ['b']" session show port eth1 state active
run 0 '*port eth1*' session show type pppoe
json "j['count'] == 5" session count
id=$(r -j session show port eth1 type pppoe |
	python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["id"])')
json "j['id'] == $id and j['key'] == 'a'" session show "$id"
run 0 '*' session activate "$id"
json "j['state'] == 'active'" session show "$id"
run 0 'released 1' session release "$id"
run 1 'rmctl: session release: *' session release "$id"
run 0 'released 1' session release key b port eth1
out=$(printf '%s\n' 'port eth1 type pppoe key m' '' \
	'port eth1 type any key n' 'port eth1 type pppoe key o' |
	r session admit - 2>&1)
status=$?
if [ $status = 1 ] && [[ $out == *admit*'line 3: '*"'type any'"*admit* ||
			 $out == *'line 3: '*"'type any'"* ]]; then
	ok 'a batch from standard input names the bad line'
else
	not_ok 'a batch from standard input names the bad line' \
		"status $status: $out"
fi
json "len(j) > 0 and j[-1]['place']['ifname'] == 'eth1'" why
run 0 '*port eth1*' stats show port eth1
json "j[0]['target']['kind'] == 'port'" stats show port eth1
run 0 '' stats clear
run 0 'released *' session release all
run 0 '0 sessions, 0 starting' session count

# An owner's sessions go with it.
"$rmctl" -n "$ns" session admit port eth2 type pppoe key own owner >"$tmp/owner" 2>&1 &
owner=$!
until_true 5 grep -q admit "$tmp/owner"
json "j['count'] == 1" session count port eth2
kill "$owner"
wait "$owner"
gone()
{
	[ "$(r session count port eth2)" = '0 sessions, 0 starting' ]
}
check 'the session of an owner ends with it' until_true 5 gone

# Drain
run 0 '' drain set port eth1 on
json "j[0]['target']['ifname'] == 'eth1' and j[0]['on'] == 1" drain show
run 3 'deny cause drain element port eth1*' session admit port eth1 type dhcp
run 0 '' drain set port eth1 off

# Regions and the overview
run 0 '' region report device 0 heap used 81 total 100
run 0 '' region report device 0 pfe 1 nh used 50 total 100
run 1 'rmctl: region report: *' region report device 0 nh used 2 total 1
run 0 '*heap*19% \**nh*50%*' region show device 0
run 0 $'Chassis     sessions 0/- (peak *\n* watermark reached  *watermarks: heap 20%  nh 20%  fw 20% free\n\nSlot  Heap free  RTT ms   Avg ms (n)  Allowed  Sessions   PFE  Encap free  NH free  FW free  CoS used\n   0  19% *          --    --           100 %   0/-         0  NA          NA       NA       --\n                                                            1  NA          50%      NA       --' \
	show device 0
json "j['devices'][0]['regions'][0]['free-pct'] == 19" show

# Monitor
"$rmctl" -n "$ns" -j monitor count 2 timeout 20 >"$tmp/monitor" 2>"$tmp/monitor.err" &
monitor=$!
pids+=("$monitor")
until_true 5 grep -q monitoring "$tmp/monitor.err"
r device add 7
r limit set device 7 type pppoe max 1
wait "$monitor"
check 'monitor ends by itself' test $? = 0
check 'monitor told both changes' grep -q '"name":"device-ntf".*"index":7' \
	"$tmp/monitor"
check 'as JSON, one a line' python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert [line["name"] for line in lines] == ["device-ntf", "limit-ntf"]
assert lines[1]["msg"]["target"] == {"kind": "device", "device": 7}
' "$tmp/monitor"

# The echo agent: a slow card throttles, and what it measures is the delay.
run 1 'rmctl: echo agent: *' echo agent device 0
run 0 '' echo set device 0 engine agent interval 100
run 0 '' rtt set device 0 threshold 49.5 step 20 max 20
echo 50 >"$tmp/delay"
"$rmctl" -n "$ns" monitor events >"$tmp/events" 2>/dev/null &
pids+=($!)
"$rmctl" -n "$ns" echo agent device 0 delay-file "$tmp/delay" \
	>"$tmp/agent" 2>&1 &
agent=$!
pids+=("$agent")
check 'the agent registers' until_true 5 grep -q '^registered' "$tmp/agent"
throttled()
{
	r -j rtt show device 0 | grep -q '"throttle":20'
}
check 'a slow card is throttled' until_true 10 throttled
# Later is what a busy machine adds, earlier would be wrong.
json "50000 <= j['rtt-us'] < 150000" rtt show device 0
check 'an event says so' until_true 5 \
	grep -q 'device 0: throttle 20%, was 0% (RTT ' "$tmp/events"
echo 1.5 >"$tmp/delay"
released()
{
	r -j rtt show device 0 | grep -q '"throttle":0'
}
check 'and released' until_true 10 released
json "1500 <= j['rtt-us'] < 49500" rtt show device 0
kill -USR1 "$agent"
check 'a hung agent says so' until_true 5 grep -q '^silent' "$tmp/agent"
check 'a hung agent is throttled' until_true 10 throttled
kill "$agent"
wait "$agent"
check 'the agent ends with 0' test $? = 0
json "j['sent'] > 3 and j['agent'] == 0" echo show device 0

# Completion knows the names.
check 'names of devices' test "$(r table device | tr '\n' ' ')" = '0 3 7 '
check 'names of ports' test "$(r table port | tr '\n' ' ')" = 'eth1 eth2 '

run 0 '' port del eth1
run 0 '' timeout set starting 30 idle 0
json "j['starting'] == 30 and j['idle'] == 0" timeout show

echo "1..$n"
[ "$failed" = 0 ]
