#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The one way into a virtual machine that has resmon and rmctl.
set -o pipefail
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=selftests/vm/lib.sh
. "$here/lib.sh"
# shellcheck source=selftests/vm/fetch.sh
. "$here/fetch.sh"
# shellcheck source=selftests/vm/kernel-debian.sh
. "$here/kernel-debian.sh"
# shellcheck source=selftests/vm/kernel-uml.sh
. "$here/kernel-uml.sh"
# shellcheck source=selftests/vm/hot.sh
. "$here/hot.sh"
# shellcheck source=selftests/vm/boot.sh
. "$here/boot.sh"

usage()
{
	cat <<-EOF
	usage: run.sh [-k KERNEL] [-t SECONDS] [-m MIB] [-n] [-l FILE] -- COMMAND...
	       run.sh [-k KERNEL] [-m MIB] [-n] -i
	       run.sh --prepare [KERNEL...]
	       run.sh --kdir KERNEL | --src KERNEL | --release KERNEL |
	              --ready KERNEL

	Boots KERNEL (6.1, 6.12, uml61, uml or uml-debug; default 6.1), runs
	COMMAND there as root in the project's folder and exits with its status,
	or with 99 when the kernel complained, leaked or hung, or with 125 when
	the machine could not be prepared.

	  -t SECONDS  how long the machine may live (default 600)
	  -m MIB      memory of the machine (default 2048)
	  -n          take the module and rmctl as they are, build nothing
	  -l FILE     keep the kernel's log in FILE, whatever happens
	  -i          a prompt instead of a command
	  --prepare   fetch and build the kernels (default: all), boot nothing
	  --kdir      print the folder to build modules against
	  --src       print the folder with the kernel's source
	  --release   print what \`uname -r\` says in the machine
	  --ready     is there nothing left to prepare?

	RESMON_CACHE names the folder for kernels, RESMON_JOBS how many compilers
	run at once. Variables named RESMON_* reach the command.
	EOF
}

known_kernel()
{
	local kernel
	for kernel in "${ALL_KERNELS[@]}"; do
		[ "$kernel" = "$1" ] && return 0
	done
	die "unknown kernel '$1', there are: ${ALL_KERNELS[*]}"
}

prepare()
{
	known_kernel "$1"
	mkdir -p "$CACHE/log" || die "cannot write to $CACHE"
	if is_uml "$1"; then
		uml_prepare "$1"
	else
		debian_prepare "$1"
	fi || die "cannot prepare kernel $1"
}

kernel_kdir()
{
	if is_uml "$1"; then uml_kdir "$1"; else debian_kdir "$1"; fi
}

kernel_series()
{
	if is_uml "$1"; then uml_series "$1"; else echo "$1"; fi
}

# The parts of the project that the machine needs, as far as they exist.
build_project()
{
	[ "$BUILD" = yes ] || return 0
	local make=(make -s --no-print-directory -C "$PROJECT")
	# The caller may be a make itself.
	unset MAKEFLAGS MFLAGS MAKELEVEL
	if [ -d "$PROJECT/kmod" ]; then
		logged "$WORK/module.log" "${make[@]}" module "K=$KERNEL" ||
			die "the module does not build for $KERNEL"
	fi
	if [ -d "$PROJECT/tools/rmctl" ]; then
		logged "$WORK/tool.log" "${make[@]}" tool ||
			die "rmctl does not build"
	fi
}

# shellcheck disable=SC2317  # called by a trap
clean_up()
{
	trap - EXIT
	if [ -n "$MACHINE_PID" ]; then
		kill "$MACHINE_PID" 2>/dev/null
		wait "$MACHINE_PID" 2>/dev/null
	fi
	[ -z "$WORK" ] || rm -rf "$WORK"
}

keep_log()
{
	local kept=${KEEP:-$PROJECT/build/vm/$KERNEL-$$.log}
	mkdir -p "$(dirname "$kept")"
	cp "$LOG" "$kept"
	say "kernel log: $kept"
}

verdict()
{
	local ended=$1 found status=
	found=$(splats "$LOG" | head -n 40)
	[ -z "$KEEP" ] || cp "$LOG" "$KEEP"
	[ -s "$SHARE/status" ] && status=$(cat "$SHARE/status")
	if [ -n "$found" ]; then
		say "the kernel complained:"
		echo "$found" >&2
		keep_log
		return 99
	fi
	if [ -n "$status" ]; then
		return "$status"
	fi
	if [ "$ended" = 0 ]; then
		say "the machine died without a verdict"
	else
		say "the machine hung: no end within $TIMEOUT s"
	fi
	tail -n 15 "$LOG" >&2
	keep_log
	return 99
}

machine()
{
	local ended=0
	prepare "$KERNEL"
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/resmon-vm.XXXXXX") ||
		die "no temporary folder"
	trap clean_up EXIT
	trap 'exit 130' INT TERM HUP
	SHARE=$WORK/share LOG=$WORK/console.log
	mkdir "$SHARE"
	build_project
	share_fill "$KERNEL" || die "cannot lay out the machine's modules"
	share_environment "$KERNEL"
	boot "$KERNEL" || ended=1
	verdict "$ended"
}

KERNEL=6.1 TIMEOUT=600 MEMORY='' BUILD=yes INTERACTIVE=no KEEP=''
WORK='' MACHINE_PID='' MACHINE=() COMMAND=()

case $1 in
--prepare)
	shift
	[ $# -gt 0 ] || set -- "${ALL_KERNELS[@]}"
	for kernel; do prepare "$kernel"; done
	exit 0
	;;
--ready)
	[ $# = 2 ] || { usage >&2; exit 2; }
	known_kernel "$2"
	if is_uml "$2"; then uml_ready "$2"; else debian_ready "$2"; fi
	exit
	;;
--kdir | --src | --release)
	[ $# = 2 ] || { usage >&2; exit 2; }
	known_kernel "$2"
	case $1 in
	--kdir) prepare "$2" >&2 && kernel_kdir "$2" ;;
	--src) mkdir -p "$CACHE/log" && source_tree "$(kernel_series "$2")" ;;
	--release) prepare "$2" >&2 && kernel_release "$2" ;;
	esac || exit "$EXIT_PREPARE"
	exit 0
	;;
-h | --help)
	usage
	exit 0
	;;
esac

while getopts k:t:m:nl:i option; do
	case $option in
	k) KERNEL=$OPTARG ;;
	t) TIMEOUT=$OPTARG ;;
	m) MEMORY=$OPTARG ;;
	n) BUILD=no ;;
	l) KEEP=$OPTARG ;;
	i) INTERACTIVE=yes ;;
	*) usage >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
if [ "$INTERACTIVE" = yes ]; then
	COMMAND=(bash -i)
	TIMEOUT=0
fi
COMMAND+=("$@")
[ ${#COMMAND[@]} -gt 0 ] || { usage >&2; exit 2; }
machine
exit
