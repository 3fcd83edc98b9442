#!/bin/bash
# Measures the megabytes of a capture that `linejudge decode` processes per CPU second, as log and as JSON Lines,
# compared with a C program that only prints lines, and with tcpflow if installed. There are three captures: one of a
# load test, in which the members of a room receive the same lines, and two generated ones in which no two lines are
# equal, one of them with so many connections that their state does not fit in the CPU's cache. The programs take turns
# in one run, so that other activity affects all of them equally; results are medians. Also measures startup time and
# peak memory, and checks that decode finds the lines that the clients counted.
#
# The load test has 4,000 connections to the reference server and is captured with tcpdump on loopback (about two
# minutes). If capturing is not permitted, a similar capture is generated instead.
#
# LINEJUDGE     use an existing binary
# CAPTURE       use this capture (pcap, Ethernet, IRC) as the first one
# SECONDS_LOAD  duration of the load test (60)
# ROUNDS        number of rounds (9)
set -euo pipefail
[ -z "${LINEJUDGE:-}" ] || LINEJUDGE=$(realpath "$LINEJUDGE")
[ -z "${CAPTURE:-}" ] || CAPTURE=$(realpath "$CAPTURE")
cd "$(dirname "$0")"
work=$(mktemp -d)
started=()
trap 'for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done; rm -rf "$work"' EXIT
operators=4000
if [ -z "${LINEJUDGE:-}" ]; then
    (cd .. && swift build -c release --product linejudge >&2)
    LINEJUDGE=$(cd .. && swift build -c release --show-bin-path)/linejudge
fi
cc -O2 -o "$work/reference" Sources/CaptureReference/CaptureReference.c
capture=${CAPTURE:-$work/load.pcap}

# Runs a load test and captures it with tcpdump; fails if capturing is not permitted.
record() {
    command -v tcpdump >/dev/null || return 1
    ulimit -n "$(ulimit -Hn)"
    [ "$(ulimit -n)" -gt $((operators * 2 + 500)) ] || return 1
    local port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    tcpdump -i lo -s 0 -B 262144 ${USER_OF_DUMP:+-Z "$USER_OF_DUMP"} -w "$capture" "tcp port $port" 2>"$work/dump.log" &
    local dump=$!
    started+=("$dump")
    until grep -q listening "$work/dump.log"; do
        kill -0 "$dump" 2>/dev/null || return 1
        read -rt 0.1 <> <(:) || true
    done
    "$LINEJUDGE" serve --dialect irc --listen "127.0.0.1:$port" >"$work/serve.log" 2>&1 &
    local server=$!
    started+=("$server")
    until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do kill -0 "$server" 2>/dev/null || return 1; done
    "$LINEJUDGE" load --dialect irc --server "irc://127.0.0.1:$port" --operators "$operators" --room-size 10 \
        --model closed --think 1s --mix say=9,probe=1 --ramp 15s --warmup 1s --for "${SECONDS_LOAD:-60}s" \
        --report json="$work/load.json" -q >/dev/null 2>&1 || true
    [ -s "$work/load.json" ] || return 1
    read -rt 2 <> <(:) || true
    kill -INT "$dump"
    wait "$dump" || true
    kill "$server"
    wait "$server" 2>/dev/null || true
}

if [ -z "${CAPTURE:-}" ]; then
    if [ "$(id -u)" = 0 ]; then USER_OF_DUMP=root; fi
    if record; then
        echo "a load test with $operators connections, captured by tcpdump on loopback:" \
            "$(grep -oE '[0-9]+ packets dropped by kernel' "$work/dump.log")"
    else
        rm -f "$work/load.json"
        "$work/reference" generate "$capture" 200 "$operators"
        echo "a generated capture of $operators connections: tcpdump is missing or not permitted"
    fi
fi
rounds=${ROUNDS:-9}

declare -A times
# NAME COMMAND...: records the CPU time of one run.
measure() {
    local name=$1
    shift
    local TIMEFORMAT='%U %S' seconds
    seconds=$({ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }')
    times[$name]+="$seconds "
}

# Prints the median of the numbers on standard input, one per line.
median() {
    sort -n | awk '{ all[NR] = $1 } END { print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'
}

# NAME: prints its CPU times, one per line.
turns() { tr ' ' '\n' <<<"${times[$1]% }"; }

decode() { "$LINEJUDGE" decode "$capture" --dialect irc "$@"; }

names=('C, lines' 'decode, log' 'decode, json')
if command -v tcpflow >/dev/null; then names+=('tcpflow, text'); fi
printf '\xd4\xc3\xb2\xa1\x02\x00\x04\x00\0\0\0\0\0\0\0\0\0\0\x04\x00\x01\0\0\0' >"$work/empty.pcap"

# Compares the programs on the capture.
compare() {
    local megabytes
    megabytes=$(awk -v bytes="$(stat -c %s "$capture")" 'BEGIN { printf "%.1f", bytes / 1e6 }')
    echo "$megabytes MB; medians of $rounds rounds"
    times=()
    for _ in $(seq "$rounds"); do
        measure 'C, lines' "$work/reference" print "$capture"
        measure 'decode, log' decode
        measure 'decode, json' decode --as json
        measure 'start' "$LINEJUDGE" decode "$work/empty.pcap" --dialect irc || true
        # tcpflow writes a report.xml to its working directory.
        if command -v tcpflow >/dev/null; then
            measure 'tcpflow, text' env -C "$work" tcpflow -c -r "$capture"
        fi
    done
    for name in "${names[@]}"; do
        awk -v name="$name" -v size="$megabytes" -v seconds="$(turns "$name" | median)" \
            'BEGIN { printf "%-14s %6.0f MB per CPU second\n", name, size / (seconds > 0 ? seconds : 0.001) }'
    done
    for name in log json; do
        paste <(turns 'C, lines') <(turns "decode, $name") | awk '{ print $1 / $2 }' | median |
            awk -v name="$name vs. C" '{ printf "%-14s %6.2f times as fast\n", name, $1 }'
    done
    turns 'start' | median | awk '{ printf "start          %6.0f ms\n", $1 * 1000 }'
}

compare
shared=$capture
capture=$work/unique.pcap
for generated in "200 $operators" '256 20000'; do
    read -r size connections <<<"$generated"
    "$work/reference" unique "$capture" "$size" "$connections"
    echo "a generated capture of $connections connections in which no two lines are equal"
    compare
    rm "$capture"
done
capture=$shared
echo "the first capture again:"

python3 - "$LINEJUDGE" "$capture" <<'END_OF_PYTHON'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "decode", sys.argv[2], "--dialect", "irc", "-q"], stdout=subprocess.DEVNULL)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"peak memory    {most / 1024:6.1f} MiB")
END_OF_PYTHON

printed=$("$work/reference" print "$capture" | wc -l)
# Counts all lines, delivered texts, and lines that clients received before their QUIT.
read -r lines texts heard < <(decode -q | awk '
    / (→|←) [a-zA-Z]+\(/ || / (→|←) "/ { lines++ }
    / ← / { heard++ }
    / ← privmsg\(/ { texts++ }
    / ← (hasQuit|error)\(/ { heard-- }
    END { print lines + 0, texts + 0, heard + 0 }')
echo "lines          $lines decoded, $printed by the C program"
status=0
[ "$lines" = "$printed" ] || status=1
if [ -s "$work/load.json" ]; then
    read -r counted arrived < <(python3 -c '
import json, sys
traffic = json.load(open(sys.argv[1]))["traffic"]
print(traffic["lines"], traffic["delivered"])' "$work/load.json")
    echo "received       $heard decoded before a QUIT, $counted counted by the clients"
    echo "delivered      $texts decoded, $arrived counted by the clients"
    [ "$heard" = "$counted" ] || status=1
fi
exit $status
