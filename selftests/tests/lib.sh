# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests of this folder share: TAP, a fresh module, values, waiting.

TEST_N=0
TEST_FAILED=0

# ok NAME COMMAND...: a result by the exit status of COMMAND.
ok()
{
	local name=$1
	shift
	TEST_N=$((TEST_N + 1))
	if "$@"; then
		echo "ok $TEST_N - $name"
	else
		echo "not ok $TEST_N - $name"
		TEST_FAILED=$((TEST_FAILED + 1))
	fi
}

# is NAME WANTED GOT: both are the same text.
is()
{
	ok "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || echo "# wanted '$2', got '$3'"
}

skip()
{
	TEST_N=$((TEST_N + 1))
	echo "ok $TEST_N - $1 # SKIP $2"
}

finish()
{
	echo "1..$TEST_N"
	[ "$TEST_FAILED" = 0 ]
	exit
}

# fresh: the module as after a boot.
fresh()
{
	rmmod resmon 2>/dev/null
	modprobe resmon || { echo "Bail out! no module"; exit 1; }
}

# scaled FULL REDUCED: a count, the second where machines are slow.
scaled()
{
	if [ "${RESMON_REDUCED:-}" = 1 ]; then echo "$2"; else echo "$1"; fi
}

# field NAME JSON: the last number or word of that name in the first line.
# Without a process: where each of them takes long, they are what takes long.
field()
{
	local line=${2%%$'\n'*}
	[[ $line == *"\"$1\":"* ]] || return 0
	line=${line##*"\"$1\":"}
	line=${line#"${line%%[! ]*}"}
	line=${line#\"}
	echo "${line%%[\",\}]*}"
}

# value NAME RMCTL-ARGUMENT...: the same of what rmctl says.
value()
{
	local name=$1
	shift
	field "$name" "$(rmctl -j "$@")"
}

# wait_for SECONDS COMMAND...: until COMMAND succeeds.
wait_for()
{
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# refused SENTENCE RMCTL-ARGUMENT...: the kernel says no, and says that.
refused()
{
	local sentence=$1 said status=0
	shift
	said=$(rmctl "$@" 2>&1) || status=$?
	[ "$status" = 1 ] && [[ $said == *"$sentence"* ]] && return 0
	echo "# status $status: $said"
	return 1
}
