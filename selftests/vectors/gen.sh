#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Turns acceptance vectors into C tables, one header each, for the tests that
# run in the kernel and cannot read files.
#
# usage: gen.sh FOLDER      writes FOLDER/vector_NAME.h for each NAME.csv
set -e
here=$(dirname "$0")
for csv in "$here"/*.csv; do
	name=$(basename "$csv" .csv)
	{
		echo "/* SPDX-License-Identifier: GPL-2.0-only */"
		echo "/* Made by selftests/vectors/gen.sh from $name.csv. */"
		echo "/* $(sed -n 's/^# \([a-z_]*,\)/\1/p' "$csv") */"
		columns=$(grep -v '^#' "$csv" | head -n 1 | tr , '\n' | wc -l)
		echo "static const int vector_${name}[][${columns}] = {"
		grep -v '^#' "$csv" | sed 's/,/, /g; s/.*/\t{ & },/'
		echo "};"
	} >"$1/vector_$name.h"
done
