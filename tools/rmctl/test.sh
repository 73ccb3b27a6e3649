#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests of rmctl that need no module: words, help, completion, manual. TAP.
cd "$(dirname "$0")" || exit 1
rmctl=${RMCTL:-../../build/rmctl}
n=0 failed=0

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

skip()
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# usage WORD ARGS...: exit 2, WORD and a short usage on stderr, no output.
usage()
{
	local word=$1 out err status
	shift
	out=$("$rmctl" "$@" 2>/tmp/rmctl-test.$$)
	status=$?
	err=$(cat /tmp/rmctl-test.$$)
	if [ "$status" = 2 ] && [ -z "$out" ] && [[ $err == *"$word"* ]] &&
	   [[ $err == *usage:\ rmctl* ]]; then
		ok "usage: $*"
	else
		not_ok "usage: $*" "status $status, looked for '$word' in: $err"
	fi
}

# parses ARGS...: the words are right; without the module that is status 1.
parses()
{
	local err status
	err=$(timeout 10 unshare -n "$rmctl" "$@" 2>&1 </dev/null)
	status=$?
	if [ "$status" != 2 ] && [[ $err != *usage:* ]] &&
	   [[ $err != *Sanitizer* ]]; then
		ok "parses: $*"
	else
		not_ok "parses: $*" "status $status: $err"
	fi
}

# prints WORD ARGS...
prints()
{
	local word=$1 out
	shift
	if out=$("$rmctl" "$@" 2>&1) && [[ $out == *"$word"* ]]; then
		ok "prints '$word': $*"
	else
		not_ok "prints '$word': $*" "$out"
	fi
}

usage 'an object is missing'
usage "'fnord'" fnord
usage '-x' -x show
usage '-n' -n
usage 'a command is missing' limit
usage "'fnord'" limit fnord
usage "'fnord'" show fnord
usage 'N is missing' device add
usage "'x'" device add x
usage "'-1'" device add -1
usage "'0x10'" device add 0x10
usage "'4294967296'" device add 4294967296
usage "'name'" device add 1 name
usage "'name'" device add 1 name a name b
usage "'1'" mic add 1
usage "'1/'" mic add 1/
usage 'device N or anchor' port add eth1
usage 'not both' port add eth1 device 1 anchor 1,2
usage 'mic' port add eth1 anchor 1 mic 2
usage "'1,,2'" port add eth1 anchor 1,,2
usage 'TARGET' limit set
usage "'eth1'" limit set eth1 type any max 1
usage "'port'" limit set port
usage "'fnord'" limit set port eth1 type fnord
usage 'is missing' limit set port eth1 type any
usage 'type' limit set port eth1 max 1
usage 'type' limit del chassis
usage "'maybe'" chassis set throttle maybe
usage 'nothing to set' chassis set
usage "'5'" chassis set retry 5
usage "'chassis'" rtt set chassis threshold 1
usage "'1.2345'" rtt set device 0 threshold 1.2345
usage "'.5'" rtt set device 0 threshold .5
usage "'5.'" rtt set device 0 threshold 5.
usage "'4294968'" rtt set device 0 threshold 4294968
usage 'nothing to set' rtt set device 0
usage 'device' region report heap used 1 total 2
usage "'fnord'" region report device 0 fnord used 1 total 2
usage 'used' region report device 0 heap total 2
usage "'18446744073709551616'" region report device 0 heap used 1 \
	total 18446744073709551616
usage "'device'" session admit device 0 type pppoe
usage 'type' session admit port eth1
usage "'1.2.3'" session admit port eth1 type pppoe vlan 1.2.3
usage 'on ID' session admit port eth1 type pppoe kind service
usage 'count' session admit port eth1 type pppoe count 0
usage 'say which' session release
usage 'only one' session release 1 all
usage 'port DEV' session release key abc
usage "'active'" session activate active
usage 'stands alone' session show 1 type pppoe
usage 'delays' echo agent device 0 delays 1,x
usage 'only one' echo agent device 0 delay 1 delays 2
usage 'engine' echo set device 0
usage 'is missing' enforce set
usage "'device'" enforce set device 0 pppoe drop
usage 'nothing to set' enforce set port eth1
usage 'say which' session import
usage 'say which' session import pppoe leases x
usage 'say which' session import port eth1
usage 'needs FILE' session import leases
usage 'tell where' session import pppoe port eth1
usage 'unexpected' session import leases x device 0
usage "'fnord'" enforce set port eth1 pppoe fnord
usage 'given twice' enforce set port eth1 pppoe drop pppoe count
usage "'3'" enforce set port eth1 dual-stack 3
usage 'one|two' enforce set port eth1 dual-stack 1
usage "'never'" enforce set port eth1 silence never
usage 'needs' enforce set port eth1 priority
usage "'fnord'" enforce set port eth1 priority fnord 1
usage "'vlan' needs a value" enforce set port eth1 priority vlan
usage "'1.x' is no vlan" enforce set port eth1 priority vlan 1.x
usage "'65536' is no vlan" enforce set port eth1 priority vlan 65536
usage "'1.65536' is no vlan" enforce set port eth1 priority vlan 1.65536
usage "'2:0:0:0:0:1' is no mac" enforce set port eth1 priority mac 2:0:0:0:0:1
usage "'02:00:00:00:00:0g' is no mac" enforce set port eth1 priority mac \
	02:00:00:00:00:0g
usage "unexpected word '5'" enforce set port eth1 priority none 5
usage "'mic'" enforce show mic 0/1
usage "'fnord'" monitor fnord
usage "'fnord'" help fnord
usage "'fnord'" table fnord

parses show
parses show device 0
parses chassis set throttle on load-throttle off high-threshold 200 \
	logging on on-error admit settle 0 retry 1:2
parses device add 5000 name x host
parses mic add 0/9
parses port add eth1 device 0 mic 1
parses port add device device 0
parses port add ps0 anchor 0,1,511
parses limit set mic 0/1 type any max 4294967295 starting 0 warn 0
parses limit set port port type any max 1
parses drain set lag bond0 on
parses watermark set heap 0 nh 100 fw 1 dead-band 99
parses watermark reset
parses region report device 0 pfe 1 nh used 18446744073709551615 total 0
parses rtt set device 0 threshold 0.001 count 3 law pi step 1 max 2 \
	silent-max 3 lifetime 4 recovery step hold 5 back 6 select auto epoch 7
parses rtt set port ps0 threshold 4294967.295
parses enforce set port eth1 pppoe drop dhcp4 count dhcp6 reject l2tp off \
	mode hook key circuit dual-stack two silence off priority vlan 1.4094
parses enforce set lag pppoe mode xdp silence 10 priority mac 02:00:00:0A:00:ff
parses enforce set port eth1 priority none pppoe off
parses enforce set port eth1 priority circuit priority
parses enforce set port eth1 priority service-name ''
parses enforce show lag bond0
parses session admit lag bond0 type dhcp key a vlan 5.6 queues priority \
	active count 2
parses session admit port eth1.100 type any vlan 4095
parses session admit -
parses session release key "$(printf 'k%.0s' {1..65})" port eth1
parses session release mic 0/1
parses session show 7
parses session show port eth1 type pppoe state active
parses session count
parses session import pppoe
parses session import leases /dev/null
parses session import leases port port eth1.5
parses session import lag bond0 leases /dev/null
parses why 02:00:00:00:00:01
parses why key key
parses stats clear lag bond0
parses monitor config events count 1 timeout 0
parses echo agent device 0 delays 1,-,2.5 drop 2

if line=$(printf '\n# comment\nport eth1 type fnord\n' |
	  unshare -n "$rmctl" session admit - 2>&1); then
	not_ok 'a wrong line is named' "$line"
elif [[ $line == *'line 3: '*"'fnord'"* || $line == *'not loaded'* ]]; then
	ok 'a wrong line is named'
else
	not_ok 'a wrong line is named' "$line"
fi

# import WANTED FILE: what is wrong with a file, and that status is 1.
import()
{
	local err status
	err=$("$rmctl" session import leases "$2" 2>&1)
	status=$?
	if [ "$status" = 1 ] &&
	   [[ $err == "rmctl: session import: $2: "*"$1"* ]]; then
		ok "import: $1"
	else
		not_ok "import: $1" "status $status: $err"
	fi
}

import 'No such file' /nonexistent
import 'directory' /
import 'line 8 is not understood: O ?=' Makefile
import 'line 1 is not understood: ' /bin/sh

err=$("$rmctl" -n /nonexistent show 2>&1)
status=$?
if [ "$status" = 1 ] && [[ $err == *nonexistent* ]]; then
	ok 'a network namespace that is not there'
else
	not_ok 'a network namespace that is not there' "$err"
fi

prints 'usage: rmctl' limit help
prints ' rtt ' help
prints 'warn PCT' help limit
prints 'rmctl ' version
prints 'rmctl ' -V
prints 'OBJECT' -h

if "$rmctl" version >/dev/full 2>/dev/null; then
	not_ok 'a full disk is told'
else
	ok 'a full disk is told'
fi

# The table: five fields in every line, each command has help and is in the
# manual.
table=$("$rmctl" table)
if awk -F'\t' 'NF != 5 { exit 1 }' <<<"$table"; then
	ok 'the table has five fields a line'
else
	not_ok 'the table has five fields a line'
fi
missing=$(cut -f1,2 <<<"$table" | sort -u | while read -r object command; do
	[ "$command" != - ] || command=
	grep -Eq "(Ic|Xo Ic) $object ?$command" rmctl.8 ||
		echo "$object $command"
	"$rmctl" help "$object" | grep -q "rmctl $object *$command" ||
		echo "help of $object $command"
done)
if [ -z "$missing" ]; then
	ok 'help and manual have every command'
else
	not_ok 'help and manual have every command' "$missing"
fi
missing=$(awk -F'\t' '$3 == "word" || $3 == "flag" { print $4 }' \
	<<<"$table" | sort -u | while read -r word; do
	grep -Eq "Cm $word( |$)" rmctl.8 || echo "$word"
done)
if [ -z "$missing" ]; then
	ok 'the manual has every keyword'
else
	not_ok 'the manual has every keyword' "$missing"
fi

# completes WANTED WORDS...: what bash offers after WORDS.
completes()
{
	local wanted=$1 got
	shift
	got=$(
		# shellcheck disable=SC1091  # checked by itself
		. ./rmctl.bash-completion
		# shellcheck disable=SC2034  # read by the completion
		COMP_WORDS=("$rmctl" "$@") COMP_CWORD=$#
		_rmctl
		echo "${COMPREPLY[*]}"
	)
	if [ "$got" = "$wanted" ]; then
		ok "completes: $*"
	else
		not_ok "completes: $*" "'$got'"
	fi
}

completes 'limit' li
completes 'set del show' limit ''
completes 'any pppoe dhcp l2tp' limit set port eth1 type ''
completes 'type max starting warn' limit set port eth1 ''
completes 'on off' drain set chassis ''
completes 'immediate step' rtt set device 0 recovery ''
completes 'device port lag' rtt reset ''
completes 'off count drop reject' enforce set port eth1 pppoe drop dhcp4 ''
completes 'one two' enforce set port eth1 dual-stack ''
completes 'priority' enforce set port eth1 silence off pri
completes 'none vlan mac service-name circuit' enforce set lag lag0 priority ''
completes 'pppoe leases port lag' session import ''
completes 'rmctl.8 rmctl.bash-completion rmctl.h' session import leases rmctl.
completes 'limit' -j lim
completes '' limit set chassis type any max ''
completes 'lo' port add lo

if python3 -c 'import yaml' 2>/dev/null; then
	spec=../../Documentation/netlink/specs/resmon.yaml
	if python3 schema.py $spec source | cmp -s - schema.c &&
	   python3 schema.py $spec header | cmp -s - schema_tables.h; then
		ok 'schema.c is what the specification makes'
	else
		not_ok 'schema.c is what the specification makes' \
			'make -C tools/rmctl schema'
	fi
else
	skip 'schema.c is what the specification makes' 'no python3-yaml'
fi

if command -v mandoc >/dev/null; then
	lint=$(mandoc -Tlint rmctl.8 2>/dev/null)
	if [ -z "$lint" ]; then
		ok 'mandoc has nothing to say'
	else
		not_ok 'mandoc has nothing to say' "$lint"
	fi
else
	skip 'mandoc has nothing to say' 'no mandoc'
fi

scripts="test.sh rmctl.bash-completion ../examples/pppd/ip-pre-up
	../examples/pppd/ip-down"
if command -v shellcheck >/dev/null; then
	# shellcheck disable=SC2086  # a list
	if lint=$(shellcheck -x $scripts 2>&1); then
		ok 'shellcheck has nothing to say'
	else
		not_ok 'shellcheck has nothing to say' "$lint"
	fi
else
	skip 'shellcheck has nothing to say' 'no shellcheck'
fi

rm -f /tmp/rmctl-test.$$
echo "1..$n"
[ "$failed" = 0 ]
