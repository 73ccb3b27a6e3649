#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the reference of the netlink interface from its specification with the
# generator of the kernel's source.
#
# Usage: rst.sh KERNEL_SOURCE OUTPUT
set -eu

src=$1
out=$2
spec=$(cd "$(dirname "$0")/../.." && pwd)/Documentation/netlink/specs/resmon.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-/usr/bin/python3}" \
	"$src/tools/net/ynl/pyynl/ynl_gen_rst.py" -i "$spec" -o "$scratch/rst"
{
	echo ".. SPDX-License-Identifier: GPL-2.0-only"
	echo ".. Made from specs/resmon.yaml by \`make regen\`."
	echo
	# Line numbers of the specification are for the kernel's own sphinx.
	sed -e '/^ *\.\. LINENO /d' -e '/^\.\. SPDX/d' -e '/^\.\. NOTE:/d' \
		"$scratch/rst" | cat -s | sed -e '1{/^$/d}' -e 's/ *$//'
} >"$scratch/out"
mkdir -p "$(dirname "$out")"
cp "$scratch/out" "$out"
