#!/bin/bash
# Connects 10,000 operators to the reference server, ngircd and InspIRCd in turn, within 10 s each, and has them send
# messages. All must enter their rooms, and no disconnect may go unreported. Takes about two minutes. Arguments select
# servers: serve, ngircd, inspircd.
#
# OPERATORS  number of operators (10000)
# RAMP       time in which they connect (10s)
# LINEJUDGE  use an existing binary
#
# Exits with 1 if an operator did not enter its room or was lost.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
server=
end() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        # ngIRCd takes minutes to disconnect 10,000 clients.
        for _ in $(seq 50); do
            kill -0 "$server" 2>/dev/null || break
            sleep 0.1
        done
        kill -9 "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    server=
}
trap 'end; rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- serve ngircd inspircd
operators=${OPERATORS:-10000}
ramp=${RAMP:-10s}
if [ -z "${LINEJUDGE:-}" ]; then
    (cd .. && swift build -c release --product linejudge >&2)
    LINEJUDGE=$(cd .. && swift build -c release --show-bin-path)/linejudge
fi
# Server and generator each need one file descriptor per operator.
ulimit -n "$(ulimit -Hn)"

first=() second=()
if [ "$(nproc)" -gt 1 ]; then first=(taskset -c 0) second=(taskset -c 1); fi

start() {
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    case $1 in
        serve)
            dialect=irc
            "${second[@]}" "$LINEJUDGE" serve --dialect irc --listen "127.0.0.1:$port" >"$work/server.txt" 2>&1 &
            ;;
        ngircd | inspircd)
            dialect=irc+$1
            "${second[@]}" ../scripts/servers/"$1".sh "$port" "$work/$1" >"$work/server.txt" 2>&1 &
            ;;
        *) echo "unknown server: $1" >&2; exit 64 ;;
    esac
    server=$!
    until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        kill -0 "$server" 2>/dev/null || { cat "$work/server.txt" >&2; exit 69; }
        sleep 0.1
    done
}

echo "server     asked  connected  ready  failed  gone  lost   connect p50, p99     login p50, p99     all ready after"
status=0
for name in "$@"; do
    start "$name"
    rm -f "$work/results.json"
    "${first[@]}" "$LINEJUDGE" load --dialect "$dialect" --server "tcp://127.0.0.1:$port" --operators "$operators" \
        --room-size 10 --rate 500/s --for 5s --ramp "$ramp" --login-timeout 120s --drain 30s --reset --quiet \
        --report json="$work/results.json" >"$work/load.txt" 2>&1 || true
    python3 - "$work/results.json" "$name" <<'END' || status=1
import json, sys
results = json.load(open(sys.argv[1]))
asked, there = results["asked"]["operators"], results["operators"]
wrong = results["ledger"]["violations"]
times = {one["measure"]: one["response"] for one in results["latencies"]}
def milliseconds(measure):
    found = times.get(measure, {"p50": 0, "p99": 0})
    return "%.1f ms, %.1f ms" % (found["p50"] / 1e6, found["p99"] / 1e6)
after = next((p["timeNanoseconds"] / 1e9 for p in results.get("ramp", [])
              if p["ready"] + p["failed"] >= asked), float("nan"))
print("%-9s %6d %10d %6d %7d %5d %5d   %18s %18s %15.1f s" % (
    sys.argv[2], asked, asked - there["unconnected"], there["ready"], there["failed"], wrong["disconnected"],
    wrong["lost"], milliseconds("connect"), milliseconds("login"), after), flush=True)
for failure in there["failures"][:3]:
    print("          ", failure["story"])
told = there["ready"] + there["failed"] == asked and times["login"]["count"] == there["ready"]
sys.exit(0 if told and there["failed"] == 0 and not any(wrong.values()) else 1)
END
    end
done
exit $status
