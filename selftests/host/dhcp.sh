#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The parsers of DHCP, built in user space under sanitizers.
set -eu

cd "$(dirname "$0")/../.."
mkdir -p build/host
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Wno-sign-compare \
	-Wno-unused-parameter -Wno-missing-field-initializers \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-Iselftests/host -Iselftests/kmod -Ikmod -Iuapi -o build/host/dhcp \
	selftests/host/dhcp.c kmod/frame.c kmod/proto_dhcp4.c kmod/proto_dhcp6.c
exec build/host/dhcp
