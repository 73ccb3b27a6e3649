#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is made from other files in Documentation/ is what these files give.
cd "$(dirname "$0")/../.." || exit 1
n=0

# same NAME COMMITTED GENERATED
same()
{
	n=$((n + 1))
	if diff -u "$2" "$3"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
	fi
}

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 Documentation/throttle/plot.py selftests/vectors/rtt_step.csv \
	>"$fresh/plot.svg"
same "the plot of the throttle is that of its vector" \
	Documentation/throttle/rtt_step.svg "$fresh/plot.svg"

# The table in the text has the same rows.
awk -F, '!/^#/ {
	print $1, $2, $3 ? "yes" : "no", $4, $5
}' selftests/vectors/rtt_step.csv >"$fresh/vector"
sed -n 's/^\([0-9][0-9]*\) *\([0-9]*\) *\(yes\|no\) *\([0-9]*\) *\([0-9]*\) %$/\1 \2 \3 \4 \5/p' \
	Documentation/throttle.rst >"$fresh/table"
same "the table of the throttle is that of its vector" \
	"$fresh/vector" "$fresh/table"

tools/ynl/rst.sh "$(selftests/vm/run.sh --src uml)" "$fresh/resmon.rst"
same "the netlink reference is that of the specification" \
	Documentation/netlink/resmon.rst "$fresh/resmon.rst"

# Everything that a page links to is there.
missing=
for page in README.md Documentation/*.rst; do
	while read -r link; do
		[ -e "$(dirname "$page")/$link" ] ||
			missing="$missing $page:$link"
	done < <(grep -oE '<[a-zA-Z0-9_./-]+>`_|\]\([a-zA-Z0-9_./-]+\)|^\.\. image:: .*' \
		"$page" | sed -E 's/^<|>`_$|^\]\(|\)$|^\.\. image:: //g')
done
n=$((n + 1))
if [ -z "$missing" ]; then
	echo "ok $n - links lead somewhere"
else
	echo "# $missing"
	echo "not ok $n - links lead somewhere"
fi
echo "1..$n"
