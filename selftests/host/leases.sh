#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What rmctl reads of the files of daemons, built under sanitizers.
set -eu

cd "$(dirname "$0")/../.."
mkdir -p build/host
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra \
	-Wno-missing-field-initializers \
	-fsanitize=address,undefined -fno-sanitize-recover=all \
	-Itools/rmctl -Iuapi -o build/host/leases selftests/host/leases.c \
	tools/rmctl/leases*.c tools/rmctl/lines.c tools/rmctl/parse.c \
	tools/rmctl/names.c
exec build/host/leases
