#!/bin/bash
# Measures the resource usage of `linejudge load`; server and generator have one core each. About five minutes.
# Arguments select parts:
#
#   exchanges  CPU seconds for a million request/response pairs with 100, 1,000 and 10,000 connections, compared with a
#              minimal generator in C that takes turns with it on the same core; goal: at most 1.10 times as many
#   memory     memory per idle operator
#   fanout     deliveries tracked per CPU second of the generator with 1,000 operators in rooms of 100, compared with a
#              generator in C that also tracks them, in the same run; goal: at least 0.9 times as many. Lines are the
#              same for all members of a room, or also contain the server's time, or a number that differs for each
#   freeze     whether the reported p99 shows a server that was stopped for one second of six
#
# LINEJUDGE     use an existing binary
# SECONDS_EACH  duration of each run (5)
# ROUNDS        number of runs (3)
#
# Exits with 1 if a goal is missed.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- exchanges memory fanout freeze
for part in "$@"; do
    case $part in
        exchanges | memory | fanout | freeze) ;;
        *) echo "unknown part: $part" >&2; exit 64 ;;
    esac
done
status=0
seconds=${SECONDS_EACH:-5}
rounds=${ROUNDS:-3}
if [ -z "${LINEJUDGE:-}" ]; then
    (cd .. && swift build -c release --product linejudge >&2)
    LINEJUDGE=$(cd .. && swift build -c release --show-bin-path)/linejudge
fi
cc -O2 -o "$work/reference" Sources/LoadReference/LoadReference.c
cc -O2 -o "$work/rooms" Sources/LoadReference/RoomsReference.c
cc -O2 -o "$work/fanout" Sources/LoadReference/FanoutReference.c
# NAME: writes a dialect with the commands and behaviours on standard input.
dialect() {
    {
        printf 'name: %s\nframing: {terminator: LF}\n' "$1"
        cat
    } >"$work/$1.yaml"
}

dialect ping <<'END'
commands:
  ping: {wire: PING, from: client, arguments: [token: text]}
  pong: {wire: PONG, from: server, arguments: [token: text]}
behaviours:
  probe: |
    -> ping(token: {{token}})
    <~ pong(token: {{token}})
END

# NAME ARGUMENTS: writes a dialect whose received messages have these arguments.
rooms_dialect() {
    dialect "$1" <<END
commands:
  join: {wire: JOIN, from: client, arguments: [room: text]}
  joined: {wire: JOINED, from: server, arguments: [room: text]}
  say: {wire: MSG, from: client, arguments: [text: text]}
  heard: {wire: MSG, from: server, arguments: [$2]}
behaviours:
  enter: |
    -> join(room: {{room}})
    <~ joined(room: {{room}})
  say: |
    -> say(text: {{text}})
  heard: |
    <~ heard(text: {{text}})
END
}

rooms_dialect same "text: text"
rooms_dialect timed "time: int, text: text"
rooms_dialect numbered "number: int, text: text"

first=() second=()
if [ "$(nproc)" -gt 1 ]; then first=(taskset -c 0) second=(taskset -c 1); fi

# COMMAND...: starts a server with a free port as its last argument and waits until it listens.
start() {
    stop
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "${second[@]}" "$@" "$port" &
    server=$!
    until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        kill -0 "$server" 2>/dev/null || exit 1
    done
}

stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    server=
}

exchanges() {
    stop
    python3 exchanges.py "$LINEJUDGE" "$work" "$seconds" "$rounds" || status=1
}

# COUNT: prints the peak memory in KiB with this number of nearly idle operators.
resident() {
    "$LINEJUDGE" load --dialect "$work/ping.yaml" --server "tcp://127.0.0.1:$port" --operators "$1" --mix probe=1 \
        --rate 1/s --for 2s --reset >/dev/null 2>&1 &
    local load=$! most=0 now
    while kill -0 "$load" 2>/dev/null; do
        now=$(awk '/VmHWM/ { print $2 }' "/proc/$load/status" 2>/dev/null || true)
        [ "${now:-0}" -le "$most" ] || most=$now
        sleep 0.1
    done
    wait "$load" || true
    echo "$most"
}

memory() {
    start "$work/reference" serve
    local few many
    few=$(resident 100)
    many=$(resident 10000)
    echo "memory: $few KiB with 100 idle operators, $many KiB with 10,000:" \
        "$(((many - few) * 1024 / 9900)) bytes per additional operator"
}

# PROGRAM MODE RATE: with 1,000 operators in rooms of 100, prints millions of deliveries tracked per CPU second of the
# measured time, and the percentage of system time (for the whole run, because the kernel counts it in clock ticks).
# Messages are sent in batches ten times a second, so that each read returns many lines.
in_rooms() { "${1}_in_rooms" "$2" "$3"; }

c_in_rooms() {
    "${first[@]}" "$work/fanout" "$port" 1000 100 "$seconds" "$2" 100 "$1" |
        awk '{ printf "%.3f %.0f\n", $1 / ($2 + $3) / 1e6, 100 * $3 / ($2 + $3) }'
}

# Deliveries after the measured time must arrive, but do not count towards the figures.
linejudge_in_rooms() {
    rm -f "$work/results.json"
    local TIMEFORMAT='%U %S'
    { time "${first[@]}" "$LINEJUDGE" load --dialect "$work/$1.yaml" --server "tcp://127.0.0.1:$port" \
        --operators 1000 --room-size 100 --mix say=1 --rate "$2/s" --batch-interval 100ms --warmup 500ms \
        --for "${seconds}s" --drain 120s --reset --report json="$work/results.json" \
        >/dev/null 2>/dev/null || true; } 2>"$work/times"
    python3 - "$work/results.json" "$work/times" <<'END'
import json, sys
results = json.load(open(sys.argv[1]))
user, system = map(float, open(sys.argv[2]).read().split())
traffic, ledger = results["traffic"], results["ledger"]
wrong = {kind: count for kind, count in ledger["violations"].items() if count}
if wrong or traffic["delivered"] != traffic["owed"]:
    sys.exit("messages are missing: %s of %s arrived, %s" % (traffic["delivered"], traffic["owed"], wrong))
measured = results["asked"]["durationNanoseconds"] // 1_000_000_000
arrived = sum(second["arrived"] for second in results["seconds"] if second["second"] < measured)
print("%.3f %.0f" % (arrived / (results["generator"]["processorNanoseconds"] / 1e9) / 1e6,
                     100 * system / (user + system)))
END
}

fanout() {
    local goal=0.9 mode rate
    echo "millions of deliveries tracked per CPU second (share of system time) with 1,000 operators in rooms of 100: best of"
    echo "$rounds, and the median of the ratios in each round"
    echo "lines     texts/s             C     linejudge   ratio"
    for mode in same timed numbered; do
        start "$work/rooms" "$mode"
        for rate in 2000 6000 14000; do
            for _ in $(seq "$rounds"); do
                echo "$(in_rooms c "$mode" "$rate") $(in_rooms linejudge "$mode" "$rate")"
            done >"$work/rounds"
            python3 - "$work/rounds" "$mode" "$rate" "$goal" <<'END' || status=1
import statistics, sys
rounds = [tuple(map(float, line.split())) for line in open(sys.argv[1])]
ratio = statistics.median(ours / c for c, _, ours, _ in rounds)
c, ours = max(round[:2] for round in rounds), max(round[2:] for round in rounds)
print("%-8s %8s %7.2f (%2d %%) %6.2f (%2d %%) %7.2f" % (sys.argv[2], sys.argv[3], *c, *ours, ratio))
sys.exit(ratio < float(sys.argv[4]))
END
        done
    done
    echo "(goal at least $goal)"
}

# Stopping the server for one of six seconds delays one sixth of the scheduled requests, so a correct p99 is close to
# one second.
freeze() {
    start "$work/reference" serve
    rm -f "$work/results.json"
    "${first[@]}" "$LINEJUDGE" load --dialect "$work/ping.yaml" --server "tcp://127.0.0.1:$port" --operators 100 \
        --mix probe=1 --rate 20000/s --for 6s --metrics 127.0.0.1:0 --report json="$work/results.json" \
        >"$work/load.txt" 2>&1 &
    local load=$!
    # Wait until the load test is running, not just until the program has started.
    python3 - "$work/load.txt" <<'END'
import re, sys, time, urllib.request
def sent():
    address = re.search(r"metrics at (\S+)", open(sys.argv[1]).read())
    page = urllib.request.urlopen(address[1]).read().decode() if address else ""
    return int((re.search(r"^linejudge_load_sent_total (\d+)", page, re.M) or [0, 0])[1])
while sent() == 0:
    time.sleep(0.05)
time.sleep(1.5)
END
    kill -STOP "$server"
    sleep 1
    kill -CONT "$server"
    wait "$load" || true
    python3 - "$work/results.json" <<'END' || status=1
import json, sys
results = json.load(open(sys.argv[1]))
probe = next(one for one in results["latencies"] if one["measure"] == "probe")
response, service = probe["response"]["p99"] / 1e6, probe["service"]["p99"] / 1e6
print("server stopped for 1 s of 6 s at 20,000/s: p99 %.0f ms from the scheduled send (goal at least 900), "
      "%.0f ms from the actual send; %d of %d answered"
      % (response, service, results["traffic"]["answered"], results["traffic"]["sent"]))
sys.exit(0 if response >= 900 else 1)
END
}

for part in "$@"; do "$part"; done
exit $status
