#!/bin/bash
# Generates the sample load reports in Reports/load (see Reports/README.md). Takes about a minute.
# Set LINEJUDGE to use an existing binary.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${LINEJUDGE:-}" ]; then
    swift build -c release --product linejudge >&2
    LINEJUDGE=$(swift build -c release --show-bin-path)/linejudge
fi
out=Reports/load
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p "$out"

"$LINEJUDGE" serve --dialect irc >"$work/server" &
server=$!
until grep -q listening "$work/server"; do kill -0 "$server"; sleep 0.1; done
url=irc://$(sed -n 's/.*tcp:\/\///p' "$work/server")
metrics=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

# Exit codes 0, 1 (a threshold was missed) and 2 (this machine was too busy) all produce samples.
load() { "$LINEJUDGE" load "$@" || [ $? -le 2 ]; }
load Examples/plans/crowd.yaml --server "$url" --for 18s --color never --metrics "127.0.0.1:$metrics" \
    --report json="$out/load.json" --report csv="$out/load.csv" --report hgrm="$out/load.hgrm" \
    --report hlog="$out/load.hlog" --report junit="$out/load.xml" --report html="$out/load.html" \
    --report pretty="$out/load.txt" >"$work/first" &
running=$!
# Scrape the metrics during the load test, as Prometheus would.
sleep 12
curl -s "http://127.0.0.1:$metrics/metrics" >"$out/load.prom"
wait "$running"
load Examples/plans/crowd.yaml --server "$url" --for 18s --quiet --report json="$work/after.json" >/dev/null
"$LINEJUDGE" compare "$out/load.json" "$work/after.json" --format markdown >"$out/compare.md" || [ $? -le 2 ]

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -n "$browser" ]; then
    "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,1400 \
        --user-data-dir="$work/browser" --screenshot="$PWD/$out/load.png" "file://$PWD/$out/load.html" >/dev/null 2>&1
fi
ls -l "$out"
