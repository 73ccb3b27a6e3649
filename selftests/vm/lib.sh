# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Names, places and small helpers shared by the files beside this one.

# shellcheck disable=SC2034  # used by the files that source this one
VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
PROJECT=$(cd "$VM_DIR/../.." && pwd -P)
CACHE=${RESMON_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/resmon}
# shellcheck disable=SC2034
ALL_KERNELS=(6.1 uml 6.12 uml61 uml-debug)

# Anything that stops a machine from being prepared; COMMAND never ran.
EXIT_PREPARE=125

say() { echo "vm: $*" >&2; }

die()
{
	say "$*"
	exit "$EXIT_PREPARE"
}

# with_lock NAME COMMAND...: one at a time for all who share the cache.
with_lock()
{
	local name=$1 rc=0
	shift
	mkdir -p "$CACHE/lock"
	exec {lock_fd}>"$CACHE/lock/$name"
	flock "$lock_fd"
	"$@" || rc=$?
	exec {lock_fd}>&-
	return "$rc"
}

# logged FILE COMMAND...: quiet while it works, the end of the log when not.
logged()
{
	local log=$1
	shift
	mkdir -p "${log%/*}"
	if ! "$@" </dev/null >"$log" 2>&1; then
		tail -n 25 "$log" >&2
		say "failed: $* (all of it: $log)"
		return 1
	fi
}

is_uml() { [[ $1 == uml* ]]; }

jobs_max() { echo "${RESMON_JOBS:-$(nproc)}"; }
