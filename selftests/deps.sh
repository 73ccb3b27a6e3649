#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Installs what building and testing needs and is not there yet. Without the
# right to do so it prints the one line to run instead.
set -eu

packages="
	build-essential gcc-12 flex bison bc pkg-config rsync
	libelf-dev libssl-dev libdw-dev dwarves
	kmod dkms cpio xz-utils zstd busybox-static util-linux procps
	qemu-system-x86
	libnl-3-dev libnl-genl-3-dev libnl-route-3-dev libjson-c-dev
	libncurses-dev
	iproute2 iputils-ping nftables ppp pppoe dnsmasq-base tcpdump ethtool bpftool
	libbpf-dev kea-dhcp4-server kea-dhcp6-server isc-dhcp-server
	isc-dhcp-client dhcpcd-base xl2tpd
	python3 python3-yaml python3-jsonschema
	perl sparse shellcheck bash-completion clang libclang-rt-14-dev
"

missing=
for package in $packages; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$package" \
		2>/dev/null) || status=none
	[ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	sudo=
elif sudo -n true 2>/dev/null; then
	sudo=sudo
else
	echo "needed, run: sudo apt-get install --no-install-recommends$missing" >&2
	exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "installing$missing" >&2
$sudo apt-get -q update >&2

# The servers are for tests alone: none is to run because it is installed, nor
# after the next boot.
services=
for service in kea-dhcp4-server kea-dhcp6-server isc-dhcp-server xl2tpd; do
	case " $missing " in
	*" $service "*) services="$services $service.service" ;;
	esac
done
if [ -n "$services" ] && [ -d /run/systemd/system ]; then
	# shellcheck disable=SC2086  # a list
	$sudo systemctl mask $services >&2
fi
# RUNLEVEL: where no systemd runs, nothing is started in the runlevel of repair.
# shellcheck disable=SC2086  # a list
exec $sudo env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing >&2
