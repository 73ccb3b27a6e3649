#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Echo agents: who may be one, what a silent one and a lost one do (E1, E2,
# E8), and what the settings do at once.
# shellcheck disable=SC2317  # functions are called by name
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/tests/lib.sh
. selftests/tests/lib.sh

events=$(mktemp)
monitor=
agent=
trap 'kill $agent $monitor 2>/dev/null; rm -f "$events"' EXIT

agent_start()
{
	rmctl echo agent device 0 "$@" >/dev/null &
	agent=$!
	wait_for 5 agent_is_there
}

agent_end()
{
	kill "$agent"
	wait "$agent" 2>/dev/null
	agent=
}

agent_is_there() { [ "$(value agent echo show device 0)" != 0 ]; }
agent_is_gone() { ! agent_is_there; }
allowed_is() { [ "$(value allowed rtt show device 0)" = "$1" ]; }
sent_more() { at_least sent $((sent + 3)) echo; }
at_least() { [ "$(value "$1" "$3" show device 0)" -ge "$2" ]; }
agent_ended() { ! kill -0 "$agent" 2>/dev/null; }
no_rtt() { [ -z "$(value rtt-us rtt show device 0)" ]; }
told() { grep -q "\"type\": *\"$1\"" "$events"; }
times_told() { grep -c "\"type\": *\"$1\"" "$events"; }

fresh
rmctl device add 0
rmctl device add 1
rmctl -j monitor events >"$events" &
monitor=$!

ok "no agent without the engine" refused "engine of this device is not agent" \
	echo agent device 0
ok "engine cfm says that it is not there" refused "engine cfm is not built" \
	echo set device 0 engine cfm
ok "law pi says that it is not there" refused "law pi is not built" \
	rtt set device 0 law pi
ok "a device that is not there" refused "no such device" \
	echo set device 9 engine agent
ok "a throttle that is not there" refused "no such device" \
	rtt set device 9 step 5
is "a refused request changes nothing" step "$(value law rtt show device 0)"

rmctl echo set device 0 engine agent interval 100
rmctl rtt set device 0 threshold 200 lifetime 1
ok "without an agent there is no round trip time" no_rtt

# --- one that answers
agent_start delay 0
ok "an agent registers" agent_is_there
ok "an event tells it" wait_for 5 told echo-up
ok "a second agent is refused" refused "has an agent already" \
	echo agent device 0
ok "probes are answered" wait_for 10 at_least answered 3 echo
ok "nobody is refused" allowed_is 100
is "none was late" 0 "$(value late echo show device 0)"

# --- one that is slow
agent_end
ok "an event tells that it closed" wait_for 5 told echo-down
agent_start delay 250
ok "the throttle rises" wait_for 10 at_least throttle 60 rtt
is "slow is not silent" 0 "$(times_told echo-silent)"
ok "late answers are counted" at_least late 3 echo
ok "a highest percentage holds at once" \
	rmctl rtt set device 0 max 30
ok "it is 30 % now" allowed_is 70
ok "reset lets everybody in" rmctl rtt reset device 0
is "with the defaults" 100 "$(value max-pct rtt show device 0)"
ok "a reset throttle was released" allowed_is 100
rmctl rtt set device 0 threshold 200 lifetime 1

# --- one that is restarted within its lifetime, and one that is gone
ok "the throttle rises again" wait_for 10 at_least throttle 10 rtt
rmctl rtt set device 0 lifetime 3600
before=$(value throttle rtt show device 0)
agent_end
ok "its socket is gone" wait_for 5 agent_is_gone
ok "its throttle stays" at_least throttle "$before" rtt
agent_start delay 250
ok "for one that comes back" at_least throttle "$before" rtt
rmctl rtt set device 0 lifetime 1
agent_end
ok "after its lifetime everybody gets in" wait_for 10 allowed_is 100
ok "an event tells that it is gone" wait_for 5 told echo-gone
ok "and there is no round trip time" no_rtt

# --- one that hangs
agent_start delays -
kill -STOP "$agent"
ok "a hung agent is throttled" wait_for 20 allowed_is 50
ok "an event tells of it" wait_for 10 told echo-silent
more=$(($(value measured rtt show device 0) + 10))
ok "it is still probed" wait_for 10 at_least measured $more rtt
ok "but not throttled above silent-max" allowed_is 50
is "and told once" 1 "$(times_told echo-silent)"

# --- engine none
ok "engine none" rmctl echo set device 0 engine none
ok "nobody is refused then" allowed_is 100
ok "and there is no round trip time then" no_rtt
ok "nor an agent" agent_is_gone
kill -CONT "$agent"
agent_end

# --- one that does not know that it is none any more
rmctl echo set device 0 engine agent
sent=$(value sent echo show device 0)
agent_start delay 300
ok "probes are on their way" wait_for 10 sent_more
rmctl echo set device 0 engine none
ok "answers of who is no agent are counted" wait_for 10 at_least foreign 1 echo
ok "and measure nothing" no_rtt
ok "who is told so ends" wait_for 5 agent_ended

is "the other device saw nothing" 0 "$(value measured rtt show device 1)"
ok "a device goes while it is probed" rmctl device del 0
finish
