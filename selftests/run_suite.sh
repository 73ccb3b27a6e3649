#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs test files one after another and prints nested TAP: one result a file,
# and indented before it the results that the file printed. A file that ends
# with another status than its results explain, prints none, or takes too long
# gets a failed result of its own. Each file's result tells its seconds.
#
# usage: run_suite.sh [TEST...]     default: all of selftests/tests, build/tests
#
# RESMON_ONLY=PATTERN     only the tests whose name matches the glob
# RESMON_EXCEPT=NAMES     all but these, separated by spaces
# RESMON_TEST_TIMEOUT=N   seconds a test may take, default 180; a line
#                         "# timeout: N" (or "// timeout: N") in a test's source
#                         says otherwise for that test
cd "$(dirname "$0")/.." || exit 1

results=0 failed=0 files=0 bad_files=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

all_tests()
{
	local file
	for file in selftests/tests/*.sh selftests/tests/*.py build/tests/*; do
		[ -f "$file" ] && [ -x "$file" ] && echo "$file"
	done
}

time_limit()
{
	local source=$1 limit
	[[ $1 == build/tests/* ]] && source=selftests/tests/${1##*/}.c
	limit=$(sed -n 's,^\(#\|//\| \*\) timeout: \([0-9]*\).*,\2,p;20q' "$source")
	echo "${limit:-${RESMON_TEST_TIMEOUT:-180}}"
}

# leaf ok|"not ok" NAME: a result that the file did not print itself.
leaf()
{
	results=$((results + 1))
	[ "$1" = ok ] || failed=$((failed + 1))
	echo "    $1 $results - $2"
}

# Results indented, everything else a comment.
indent()
{
	sed -E '/^(not )?ok\b/!s/^(# ?)?/# /; s/^/    /' "$1"
}

finish()
{
	files=$((files + 1))
	if [ "$failed" = 0 ]; then
		echo "ok $files - $1 # $2 s"
	else
		bad_files=$((bad_files + 1))
		echo "not ok $files - $1 # $2 s"
	fi
}

# A test begins with a machine where no other has left anything. Daemons die with
# KILL, since some wait for what is gone by then.
tidy()
{
	local ns type link
	[ -n "${RESMON_VM-}" ] || return 0
	pkill -KILL -x 'pppoe-server|pppd|xl2tpd|dnsmasq|dhcpd|dhclient|dhcpcd|udhcpc|kea-dhcp[46]'
	for ns in $(ip netns list | cut -d' ' -f1); do
		ip netns pids "$ns" | xargs -r kill -KILL
		ip netns del "$ns"
	done
	for type in vlan macvlan bond team bridge veth dummy; do
		for link in $(ip -o link show type "$type" |
			sed -E 's/^[0-9]+: ([^:@]+).*/\1/'); do
			ip link del "$link"
		done
	done
	! mountpoint -q /etc/ppp || umount -l /etc/ppp
}

run_one()
{
	local test=$1 name=${1##*/} status=0 limit plan start=$SECONDS
	limit=$(time_limit "$test")
	echo "# $name"
	timeout -k 5 "$limit" "./$test" </dev/null >"$output" 2>&1 || status=$?
	indent "$output"
	results=$(grep -cE '^(not )?ok\b' "$output")
	failed=$(grep -cE '^not ok\b' "$output")
	plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$output" | tail -n 1)
	case $status in
	0) ;;
	124 | 137) leaf "not ok" "ended within $limit s" ;;
	4)
		# kselftest: skipped
		[ "$results" -gt 0 ] || leaf ok "$name # SKIP said by its status"
		;;
	*) [ "$failed" -gt 0 ] || leaf "not ok" "exit status is 0, not $status" ;;
	esac
	if [ "$status" = 0 ]; then
		if [ -n "$plan" ] && [ "$plan" != "$results" ]; then
			leaf "not ok" "$plan results planned, $results came"
		elif [ "$results" = 0 ] && [ "$plan" != 0 ]; then
			leaf "not ok" "printed a result"
		fi
	fi
	finish "$name" $((SECONDS - start))
	tidy >/dev/null 2>&1
}

echo "TAP version 13"
if [ $# -gt 0 ]; then
	for test; do run_one "$test"; done
else
	while read -r test; do
		[[ " ${RESMON_EXCEPT-} " == *" ${test##*/} "* ]] && continue
		# shellcheck disable=SC2053  # a pattern
		[[ ${test##*/} == ${RESMON_ONLY:-*} ]] && run_one "$test"
	done < <(all_tests)
fi
echo "1..$files"
[ "$bad_files" = 0 ]
