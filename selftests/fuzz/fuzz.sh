#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fuzzes the parsers of login traffic, one after the other, beginning with the
# frames of their tests. Each fuzz_NAME.c here is one, of kmod/proto_NAME.c.
# What was found once stays in build/fuzz/NAME; a frame that ends the parser is
# kept there as crash-*, and fails.
#
# usage: fuzz.sh [-s SECONDS] [NAME...]    default: 60 seconds each, all
#        fuzz.sh -l                        their names
set -eu
cd "$(dirname "$0")/../.."

names()
{
	local file
	for file in selftests/fuzz/fuzz_*.c; do
		file=${file##*/fuzz_}
		echo "${file%.c}"
	done
}

# compile NAME OUTPUT OPTION...
compile()
{
	local name=$1 output=$2
	shift 2
	clang -std=gnu11 -O1 -g -Wall -Wextra -Wno-sign-compare \
		-Wno-unused-parameter -Wno-missing-field-initializers \
		-fno-sanitize-recover=all -Iselftests/host -Iselftests/kmod \
		-Iselftests/fuzz -Ikmod -Iuapi "$@" -o "$output" \
		selftests/fuzz/driver.c "selftests/fuzz/fuzz_$name.c" \
		kmod/frame.c "kmod/proto_$name.c"
}

fuzz()
{
	local name=$1 out=build/fuzz/$1
	rm -rf "$out/seeds"
	mkdir -p "$out/seeds" "$out/found" &&
		compile "$name" "$out/seeds.bin" -DSEEDS \
			-fsanitize=address,undefined &&
		compile "$name" "$out/fuzz.bin" \
			-fsanitize=fuzzer,address,undefined &&
		"$out/seeds.bin" "$out/seeds" &&
		"$out/fuzz.bin" -max_total_time="$seconds" -max_len=9100 \
			-timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
			-artifact_prefix="$out/" "$out/found" "$out/seeds"
}

seconds=60
while getopts ls: option; do
	case $option in
	l)
		names
		exit
		;;
	s) seconds=$OPTARG ;;
	*)
		sed -n 's/^# usage: /usage: /p; s/^#        fuzz/       fuzz/p' \
			"$0" >&2
		exit 2
		;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || mapfile -t all < <(names)
bad=0
for name in "${@:-${all[@]}}"; do
	echo "fuzz $name: $seconds s"
	fuzz "$name" || bad=1
done
exit $bad
