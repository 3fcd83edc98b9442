#!/bin/bash
# Measures how often `load --against` gives the right verdict, for pairs of the same server and for
# pairs in which the second server uses a fifth more CPU time per message.
#
# usage: Benchmarks/compare.sh [PAIRS]
#
# LINEJUDGE  use an existing binary
# REPEATS    number of load tests of each server in a pair (12)
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${1:-20}
program=${LINEJUDGE:-}
if [ -z "$program" ]; then
    swift build -c release --product linejudge >&2
    program=$(swift build -c release --show-bin-path)/linejudge
fi
repeats=${REPEATS:-12}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
plan=(--dialect irc --operators 50 --rate 400/s --for 1s --drain 1s)
server="$program serve --dialect irc --listen 127.0.0.1:{{port}}"

# Prints the median CPU time per message of the server in nanoseconds.
cost() {
    python3 - "$1" <<'PYTHON'
import json, statistics, sys
times = []
for load in json.load(open(sys.argv[1]))["sides"][0]["loads"]:
    server = next(p for p in load["processes"] if p["role"] == "server")
    used = total = 0
    end = load["traffic"]["measuredNanoseconds"]
    for last, sample in zip(server["samples"], server["samples"][1:]):
        begin = max(last["timeNanoseconds"], 0)
        length = min(sample["timeNanoseconds"], end) - begin
        if length > 0:
            used += sample["cores"] * length
            total += length
    times.append(used / total * 1e9 / (load["traffic"]["sent"] * 1e9 / end))
print(int(statistics.median(times)))
PYTHON
}

echo "$(date -u +%FT%RZ), $(nproc) cores, load average $(cut -d' ' -f1-3 /proc/loadavg)"
"$program" load "${plan[@]}" --repeat "$repeats" --exec "$server" --quiet \
    --report "json=$folder/base.json" >/dev/null || true
base=$(cost "$folder/base.json")
extra=$((base / 5 / 1000))
echo "server CPU per message: $((base / 1000)) us; a fifth of it: $extra us"
echo "each pair: $repeats load tests of each server, ${plan[*]}"

# Runs the pairs and prints how many had the expected verdict.
measure() {
    local name=$1 expected=$2 right=0 verdicts="" other=$3
    for number in $(seq "$pairs"); do
        rm -f "$folder"/pair.json "$folder"/verdict.json
        "$program" load "${plan[@]}" --repeat "$repeats" --exec "$server" --against-exec "$other" \
            --quiet --report "json=$folder/pair.json" >/dev/null 2>"$folder/errors" || true
        [ -f "$folder/pair.json" ] || { cat "$folder/errors" >&2; exit 1; }
        "$program" compare "$folder/pair.json" --report "json=$folder/verdict.json" >/dev/null || true
        verdict=$(python3 - "$folder/verdict.json" <<'PYTHON'
import json, sys
comparison = json.load(open(sys.argv[1]))["comparisons"][0]
worse = [f["group"] + " " + f["name"] for f in comparison["figures"] if f["finding"] == "worse"]
cost = next(f for f in comparison["figures"] if f["name"] == "CPU per message")
busy = next((f for f in comparison["figures"] if f["name"] == "CPU used by others"), {})
print(comparison["verdict"], f"CPU per message {cost['change']:+.1%};",
      f"others used {busy.get('before', 0):.0f}%;", ", ".join(worse) or "no metric is worse")
PYTHON
        )
        echo "  $name $number: $verdict"
        [ "${verdict%% *}" = "$expected" ] && right=$((right + 1))
    done
    echo "$name: $right of $pairs were $expected"
}

measure "same server" passed "$server"
measure "a fifth slower" failed "$server --line-cost ${extra}us"
echo "load average afterwards $(cut -d' ' -f1-3 /proc/loadavg)"
