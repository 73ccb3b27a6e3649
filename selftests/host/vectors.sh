#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The C tables of the acceptance vectors are those that the files give.
cd "$(dirname "$0")/../.." || exit 1
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
selftests/vectors/gen.sh "$fresh" || exit 1
n=0
for header in "$fresh"/*.h; do
	n=$((n + 1))
	if diff -u "selftests/kmod/${header##*/}" "$header"; then
		echo "ok $n - ${header##*/} is current"
	else
		echo "not ok $n - ${header##*/} is current"
	fi
done
echo "1..$n"
