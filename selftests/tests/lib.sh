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

# value NAME RMCTL-ARGUMENT...: the first number or word of that name.
value()
{
	local name=$1
	shift
	rmctl -j "$@" |
		sed -n "s/.*\"$name\": *\"\{0,1\}\([^\",}]*\).*/\1/p;q"
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
