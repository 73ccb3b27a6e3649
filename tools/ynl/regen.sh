#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the uapi header from the netlink specification with the generator of
# the kernel's source.
#
# Usage: regen.sh KERNEL_SOURCE OUTPUT
set -eu

src=$1
out=$(realpath -m "$2")
top=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The generator looks for the root of a kernel tree by its MAINTAINERS file and
# for the schemas beside the specification; without either it never ends.
mkdir -p "$scratch/Documentation/netlink/specs" "$scratch/tools/net"
: >"$scratch/MAINTAINERS"
cp "$src"/Documentation/netlink/*.yaml "$scratch/Documentation/netlink/"
cp -r "$src/tools/net/ynl" "$scratch/tools/net/"
cp "$top/Documentation/netlink/specs/resmon.yaml" \
	"$scratch/Documentation/netlink/specs/"

cd "$scratch"
timeout 120 "${PYTHON:-/usr/bin/python3}" tools/net/ynl/pyynl/ynl_gen_c.py --mode uapi --header \
	--spec Documentation/netlink/specs/resmon.yaml -o header.h
mkdir -p "$(dirname "$out")"
cp header.h "$out"
