#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The KUnit suites of the pure files, with the results that the kernel kept.
set -u

results=/sys/kernel/debug/kunit

if ! modprobe resmon_kunit 2>/dev/null; then
	echo "1..0 # SKIP no KUnit in this kernel"
	exit 0
fi
n=0
failed=0
while read -r line; do
	case $line in
	"not ok "*) failed=1 verdict="not ok" ;;
	"ok "*) verdict="ok" ;;
	*)
		echo "# $line"
		continue
		;;
	esac
	n=$((n + 1))
	echo "$verdict $n - ${line#*ok * }"
done < <(cat "$results"/resmon_*/results)
[ $n -gt 0 ] || { echo "not ok 1 - KUnit kept results in $results"; failed=1; n=1; }
rmmod resmon_kunit
echo "1..$n"
exit $failed
