#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vectors/rtt_step.csv, one row a probe, through an echo agent (E1 to E3).
#
# Everything takes four times as long as in the file, so that a machine that
# is emulated has room, and probes are sent more often, so that it takes less
# time altogether: they still are judged in their order.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

slower=4
slack=250
interval=700

# What is in time is so by a margin: the way back takes some time itself.
delays()
{
	awk -F, -v slower=$slower -v slack=$slack '!/^#/ {
		printf "%s%d", sep, $2 * slower - ($2 > 1000 ? 0 : slack)
		sep = ","
	}' selftests/vectors/rtt_step.csv
}

# The state after each measurement, as the file has it.
follow()
{
	local n=0 line state end=$((SECONDS + 60))
	while [ "$n" -lt "$1" ] && [ "$SECONDS" -lt "$end" ]; do
		line=$(rmctl -j rtt show device 0)
		state=$(sed 's/.*"exceeded": *\([0-9]*\).*"consecutive": *\([0-9]*\).*"measured": *\([0-9]*\).*/\3 \1 \2/' <<<"$line")
		[ "${state%% *}" -gt "$n" ] || continue
		n=${state%% *}
		echo "${state// /,},$(sed 's/.*"allowed": *\([0-9]*\).*/\1/' <<<"$line")"
	done
}

fresh
rmctl device add 0
rmctl rtt set device 0 threshold $((1000 * slower)) count 3 law step step 10
rmctl echo set device 0 engine agent interval $interval
rows=$(grep -vc '^#' selftests/vectors/rtt_step.csv)
rmctl echo agent device 0 delays "$(delays)" >/dev/null &
agent=$!
followed=$(follow "$rows")
kill $agent

while IFS=, read -r second rtt exceeded consecutive allowed; do
	is "second $second, RTT $rtt ms: exceeded, consecutive, allowed" \
		"$exceeded,$consecutive,$allowed" \
		"$(sed -n "s/^$second,//p" <<<"$followed")"
done < <(grep -v '^#' selftests/vectors/rtt_step.csv)
finish
