#!/bin/bash
# CPU seconds for a million exchanges of a line, with 100, 1,000 and 10,000 connections: `linejudge load`, and a generator
# in C that does nothing but measure, against the same server in the same run; server and generator each have a core.
# Then the memory of an idle operator. About 90 s.
# LINEJUDGE names a binary that is built already; SECONDS_EACH how long each run takes (5); ROUNDS how many there are (3).
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
seconds=${SECONDS_EACH:-5}
rounds=${ROUNDS:-3}
if [ -z "${LINEJUDGE:-}" ]; then
    (cd .. && swift build -c release -Xswiftc -cross-module-optimization --product linejudge >&2)
    LINEJUDGE=$(cd .. && swift build -c release --show-bin-path)/linejudge
fi
cc -O2 -o "$work/reference" Sources/LoadReference/LoadReference.c
cat >"$work/ping.yaml" <<'END'
name: ping
framing: {terminator: LF}
commands:
  ping: {wire: PING, from: client, arguments: [token: text]}
  pong: {wire: PONG, from: server, arguments: [token: text]}
behaviours:
  probe: |
    -> ping(token: {{token}})
    <~ pong(token: {{token}})
END

first=() second=()
if [ "$(nproc)" -gt 1 ]; then first=(taskset -c 0) second=(taskset -c 1); fi

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"${second[@]}" "$work/reference" serve "$port" &
server=$!
until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$server" 2>/dev/null || exit 1
done

in_c() { "${first[@]}" "$work/reference" load "$port" "$1" "$seconds" | awk '{ printf "%.3f\n", $2 / $1 * 1e6 }'; }

# What the generator used in its measured time, on the exchanges of that time.
with_linejudge() {
    rm -f "$work/results.json"
    "${first[@]}" "$LINEJUDGE" load --dialect "$work/ping.yaml" --server "tcp://127.0.0.1:$port" \
        --operators "$1" --mix probe=1 --model closed --think 0 --warmup 500ms --for "${seconds}s" --reset \
        --report json="$work/results.json" >/dev/null 2>&1 || true
    python3 - "$work/results.json" <<'END'
import json, sys
results = json.load(open(sys.argv[1]))
print("%.3f" % (results["generator"]["processorNanoseconds"] / 1e3 / results["traffic"]["answered"]))
END
}

best() { sort -n | head -n 1; }

echo "CPU seconds for a million exchanges, the best of $rounds"
echo "connections      C   linejudge   ratio"
for connections in 100 1000 10000; do
    : >"$work/c" >"$work/ours"
    for _ in $(seq "$rounds"); do
        in_c "$connections" >>"$work/c"
        with_linejudge "$connections" >>"$work/ours"
    done
    awk -v n="$connections" -v c="$(best <"$work/c")" -v ours="$(best <"$work/ours")" \
        'BEGIN { printf "%11d %6.2f %11.2f %7.2f\n", n, c, ours, ours / c }'
done

# The most memory that so many operators took who say next to nothing.
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
few=$(resident 100)
many=$(resident 10000)
echo "memory: $few KiB with 100 idle operators, $many KiB with 10,000:" \
    "$(((many - few) * 1024 / 9900)) bytes for each more"
