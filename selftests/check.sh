#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Everything that can be tested: builds for every kernel without a warning,
# style, tests on this host, and the whole suite in a machine of each kernel.
# Prints TAP as it comes, keeps all output in build/check, and ends with the
# one line "N passed, N failed, N skipped".
#
# usage: check.sh [KERNEL...]       default: 6.1 6.12 uml61 uml uml-debug
set -o pipefail
cd "$(dirname "$0")/.." || exit 1
here=$PWD
vm=selftests/vm/run.sh
logs=$here/build/check
results=$logs/results
rm -rf "$logs"
mkdir -p "$logs"
: >"$results"
[ $# -gt 0 ] || set -- 6.1 6.12 uml61 uml uml-debug
kernels=("$@")
unset MAKEFLAGS MFLAGS MAKELEVEL

# result ok|"not ok" NAME: one line, told and counted.
result()
{
	echo "$1 - $2" | tee -a "$results"
}

# step NAME COMMAND...: a result by exit status, output in a log of that name.
step()
{
	local name=$1 log
	log=$logs/${1//[ \/]/-}.log
	shift
	if "$@" </dev/null >"$log" 2>&1; then
		result ok "$name"
	else
		result "not ok" "$name"
		tail -n 30 "$log" | sed 's/^/# /'
		return 1
	fi
}

# suite NAME LOG: count the results of a run of run_suite.sh, which are those
# that are indented, each with the file it came from.
suite()
{
	awk -v prefix="$1" '
		/^# / { file = $2 }
		/^    (not )?ok/ {
			verdict = /^    not/ ? "not ok" : "ok"
			sub(/^ *(not )?ok *[0-9]* *-? */, "")
			print verdict " - " prefix ": " file ": " $0
		}' "$2" >>"$results"
}

# Live output: the files' results, and in full what failed.
brief()
{
	grep --line-buffered -E '^(not )?ok|^    not ok' |
		sed -u "s/^/$1: /"
}

# --- builds

quiet_build()
{
	make module "K=$1" W=1 || return 1
}

no_warning()
{
	! grep -nE '(warning|error):|WARNING:' "$1"
}

build_kernel()
{
	local kernel=$1
	step "prepare $kernel" "$vm" --prepare "$kernel" || return 1
	step "build $kernel" quiet_build "$kernel" || return 1
	step "no warning $kernel" no_warning "$logs/build-$kernel.log"
}

# --- style

sources() { git ls-files "$@" | grep -v 'tools/rmctl/schema.*\.[ch]$'; }

# checkpatch TYPES FILE...: all rules, but those that cannot hold there.
checkpatch()
{
	local ignore=$1
	shift
	[ $# -gt 0 ] || return 0
	"$newest/scripts/checkpatch.pl" --no-tree --strict --terse \
		--no-summary --show-types ${ignore:+--ignore "$ignore"} -f "$@"
}

# Apart are: the place that knows kernel versions and what they lack, the form
# of every trace header, what user space has instead of the kernel's macros,
# planted bugs, frames whose bytes are grouped by what they mean, and names that
# the fuzzer looks for.
style_checkpatch()
{
	local all compat trace user planted frames fuzz bad=0
	mapfile -t all < <(sources 'kmod/*.[ch]' 'uapi/*.h' 'tools/*.[ch]' \
		'selftests/*.[ch]' | grep -vE \
		'^kmod/(compat/|trace\.h)|user_shim|resmon_planted|vm/configs/|kmod/frames_|fuzz/driver\.c')
	mapfile -t compat < <(sources 'kmod/compat/*.h')
	mapfile -t trace < <(sources 'kmod/trace.h')
	mapfile -t user < <(sources '*user_shim.h' 'selftests/vm/configs/*.h')
	mapfile -t planted < <(sources '*resmon_planted.c')
	mapfile -t frames < <(sources 'selftests/kmod/frames_*.h')
	mapfile -t fuzz < <(sources 'selftests/fuzz/driver.c')
	checkpatch "" "${all[@]}" || bad=1
	checkpatch LINUX_VERSION_CODE,CONSTANT_COMPARISON,NEW_TYPEDEFS,SPACING,TRAILING_STATEMENTS,COMPLEX_MACRO,MULTISTATEMENT_MACRO_USE_DO_WHILE \
		"${compat[@]}" || bad=1
	checkpatch OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT "${trace[@]}" || bad=1
	checkpatch PREFER_KERNEL_TYPES,VOLATILE,MACRO_ARG_REUSE,UNSPECIFIED_INT \
		"${user[@]}" || bad=1
	checkpatch VOLATILE "${planted[@]}" || bad=1
	checkpatch STRING_FRAGMENTS,SPLIT_STRING "${frames[@]}" || bad=1
	checkpatch CAMELCASE "${fuzz[@]}" || bad=1
	return $bad
}

style_kernel_doc()
{
	local output
	output=$(sources 'kmod/*.[ch]' |
		xargs "$newest/scripts/kernel-doc" -none -Wall 2>&1)
	echo "$output"
	! grep -q 'warning:\|error:' <<<"$output"
}

style_sparse()
{
	local log
	log=$(make module K=6.1 "OUT=$here/build/sparse" C=2 \
		CF="-D__CHECK_ENDIAN__" 2>&1) || { echo "$log"; return 1; }
	echo "$log"
	# Planted bugs are none that sparse is to find.
	! grep -E "build/sparse/.*(warning|error):" <<<"$log" |
		grep -v resmon_planted
}

# SC2317 does not see that a trap calls a function.
style_shellcheck()
{
	{
		git ls-files '*.sh'
		git grep -lE '^#!(/bin/(ba)?sh|/run/bb/sh|/usr/bin/env bash)'
	} | sort -u | xargs shellcheck -x -e SC2317
}

style_spdx()
{
	local missing
	missing=$(git ls-files | grep -vE '^(COPYING|LICENSE.*)$|^Documentation/ABI/|^selftests/vm/splats$|\.(json|svg)$' |
		xargs grep -L 'SPDX-License-Identifier')
	[ -z "$missing" ] || { echo "$missing"; return 1; }
}

style_regen()
{
	[ -x tools/ynl/regen.sh ] || return 0
	tools/ynl/regen.sh "$newest" "$logs/resmon.h" &&
		diff -u uapi/linux/resmon.h "$logs/resmon.h"
}

style()
{
	local newest
	newest=$("$vm" --src uml) || return 1
	step "style checkpatch" style_checkpatch
	step "style kernel-doc" style_kernel_doc
	step "style shellcheck" style_shellcheck
	step "style spdx" style_spdx
	step "style generated header is current" style_regen
	step "style sparse" style_sparse
}

# --- tests

host_tests()
{
	local tests=()
	mapfile -t tests < <(find selftests/host tools/rmctl -maxdepth 1 \
		-name '*.sh' -perm -100 2>/dev/null | sort)
	[ ${#tests[@]} -gt 0 ] || return 0
	RMCTL=$here/build/rmctl selftests/run_suite.sh "${tests[@]}" 2>&1 |
		tee "$logs/host.log" | brief host
	suite host "$logs/host.log"
}

# Each parser of login traffic, by frames that nobody thought of.
fuzz()
{
	selftests/fuzz/fuzz.sh -l |
		while mapfile -t -n 2 names && [ ${#names[@]} -gt 0 ]; do
			for name in "${names[@]}"; do
				step "fuzz $name" \
					selftests/fuzz/fuzz.sh -s 60 "$name" &
			done
			wait
		done
}

# Those that wait for daemons, leases and silences as they are.
daemons="hook_dhcp.sh hook_l2tp.sh hook_pppoe.sh hook_silence.sh"
daemons+=" session_import_daemons.sh storm.sh"

machine()
{
	local kernel=$1 status=0 reduced='' except='' log=$logs/$1.log limit=300
	case $kernel in
	# Emulated: counts as they are bearable there. The crowds at daemons as
	# they are come where it is native, mode xdp where BTF is in the headers.
	6.*)
		reduced=1
		except=$daemons
		[ "$kernel" = 6.12 ] || except+=" xdp.sh"
		;;
	# Slow enough that daemons and their clients give up on each other.
	uml-debug) reduced=1 limit=900 except="$daemons xdp.sh" ;;
	esac
	RESMON_EXCEPT=$except \
		RESMON_REDUCED=$reduced RESMON_TEST_TIMEOUT=$limit "$vm" -n -k "$kernel" -t 2700 \
		-l "$logs/$kernel-console.log" -- selftests/run_suite.sh \
		2>"$logs/$kernel-verdict.log" | tee "$log" | brief "$kernel"
	status=${PIPESTATUS[0]}
	suite "$kernel" "$log"
	case $status in
	0 | 1) result ok "$kernel: the kernel has nothing to complain about" ;;
	*)
		result "not ok" "$kernel: the kernel has nothing to complain about"
		sed 's/^/# /' "$logs/$kernel-verdict.log"
		;;
	esac
}

planted()
{
	[ -e "build/$1/selftests/kmod/resmon_planted.ko" ] || return 0
	RESMON_TEST_TIMEOUT=900 selftests/vm/selftest.sh -n "$1" 2>&1 |
		tee "$logs/$1-planted.log" | grep --line-buffered '^not ok'
	sed -nE "s/^((not )?ok) [0-9]+ - /\1 - planted: /p" \
		"$logs/$1-planted.log" >>"$results"
}

# Everything about one kernel, from its package to its verdict.
kernel()
{
	# The place to measure times; its tests would be those of 6.1 again, and
	# to build its kernel takes more time than it is worth here.
	if [ "$1" = uml61 ] && ! "$vm" --ready uml61; then
		result ok "build uml61 # SKIP no kernel before the first make bench"
		return
	fi
	build_kernel "$1" || return
	case $1 in
	6.1 | uml | uml-debug) planted "$1" ;;
	uml61) return ;;
	esac
	machine "$1"
}

wanted()
{
	local kernel
	for kernel in "${kernels[@]}"; do
		[ "$kernel" = "$1" ] && return 0
	done
	return 1
}

lane()
{
	local kernel
	for kernel; do
		if wanted "$kernel"; then kernel "$kernel"; fi
	done
}

selftests/deps.sh || exit 1
"$vm" --src uml >/dev/null || exit 1
step "build rmctl" make tool
step "build tests" make tests

# Three lanes on two processors, since tests wait as much as they work.
lane 6.1 6.12 &
lane uml uml61 &
{
	style
	lane uml-debug
} &
# In place of the lane that ends first.
wait -n
host_tests
fuzz
wait

failed=$(grep -c '^not ok' "$results")
skipped=$(grep '^ok' "$results" | grep -ci '# SKIP')
passed=$(($(grep -c '^ok' "$results") - skipped))
if [ "$failed" != 0 ]; then
	echo "failed:"
	grep '^not ok' "$results"
fi
echo "all output: build/check"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
