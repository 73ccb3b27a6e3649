#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Installed, everything is where it is looked for, and DKMS builds the module
# from what it was given.
# timeout: 600
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
release=$(selftests/vm/run.sh --release 6.1) || exit 1
kdir=$(selftests/vm/run.sh --kdir 6.1) || exit 1
# Of another make nothing is inherited.
unset MAKEFLAGS MFLAGS MAKELEVEL

there() { [ -s "$root/$1" ] || { echo "# no $1"; return 1; }; }
# Two lines: it is found by its name, and the tool knows its own.
installs() { make install K=6.1 "DESTDIR=$root" PREFIX=/usr >"$work/log" 2>&1; }

ok "make install" installs || sed 's/^/# /' "$work/log"
ok "the module is where updates are" \
	there "lib/modules/$release/updates/resmon.ko"
is "and is found by its name" "lib/modules/$release/updates/resmon.ko" \
	"$(modinfo -b "$root" -k "$release" -n resmon | sed "s|^$root/||")"
ok "rmctl" there usr/sbin/rmctl
is "it runs" "$("$PWD/build/rmctl" -V)" "$("$root/usr/sbin/rmctl" -V)"
ok "its manual page" there usr/share/man/man8/rmctl.8
ok "its completion" there usr/share/bash-completion/completions/rmctl
is "and nothing is anywhere else" "" "$(find "$root" -type f |
	grep -vE "/(lib/modules/$release|usr/(sbin|share/(man/man8|bash-completion/completions)))/")"

# A key that it makes to sign with is to stay in here.
dkms_here()
{
	unshare -m sh -c 'mkdir -p /var/lib/dkms &&
		mount -t tmpfs dkms /var/lib/dkms && exec dkms "$@"' dkms "$@" \
		--dkmstree "$work/dkms" --sourcetree "$work/src" \
		--installtree "$work/tree" -k "$release" \
		--kernelsourcedir "$kdir" >>"$work/dkms.log" 2>&1
}

if ! command -v dkms >/dev/null; then
	skip "DKMS builds it" "no dkms"
elif [ "$(id -u)" != 0 ]; then
	skip "DKMS builds it" "not root"
else
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
	mkdir -p "$work"/{src,dkms,tree} "$work/src/resmon-$version"
	git ls-files | grep -vE '^(selftests|Documentation|tools)/' |
		xargs cp --parents -t "$work/src/resmon-$version"
	ok "DKMS takes it" dkms_here add "resmon/$version"
	ok "DKMS builds it" dkms_here build "resmon/$version"
	found=$(find "$work/dkms" -name 'resmon.ko*' | head -n 1)
	ok "for the kernel it was asked for" \
		grep -q "^$release " <(modinfo -F vermagic "$found")
	[ "$TEST_FAILED" = 0 ] || sed 's/^/# /' "$work/dkms.log"
fi
finish
