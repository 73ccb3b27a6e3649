#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The pure files of the module, built in user space under sanitizers.
set -eu

cd "$(dirname "$0")/../.."
mkdir -p build/host
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Wno-sign-compare \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-Iselftests/host -Ikmod -Iuapi -o build/host/pure \
	selftests/host/pure.c kmod/charge.c kmod/throttle.c kmod/region.c
exec build/host/pure selftests/vectors
