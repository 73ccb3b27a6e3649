#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The parsers of login traffic, built in user space under sanitizers.
set -eu

cd "$(dirname "$0")/../.."
mkdir -p build/host
${CC:-cc} -std=gnu11 -O1 -g -Wall -Wextra -Wno-sign-compare \
	-Wno-unused-parameter -Wno-missing-field-initializers \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-Iselftests/host -Iselftests/kmod -Ikmod -Iuapi -o build/host/frames \
	selftests/host/frames.c kmod/frame.c kmod/proto_pppoe.c \
	kmod/proto_l2tp.c
exec build/host/frames
