#!/bin/bash
# Megabytes of a capture per second of CPU: `linejudge decode` as log and as JSON Lines, and the C reader that only
# prints lines, in the same run. LINEJUDGE names a binary that is built already; MEGABYTES the size (100).
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
megabytes=${MEGABYTES:-100}
if [ -z "${LINEJUDGE:-}" ]; then
    (cd .. && swift build -c release -Xswiftc -cross-module-optimization --product linejudge >&2)
    LINEJUDGE=$(cd .. && swift build -c release --show-bin-path)/linejudge
fi
cc -O2 -o "$work/reference" Sources/CaptureReference/CaptureReference.c
"$work/reference" generate "$work/chat.pcap" "$megabytes"

# NAME COMMAND...: the best of three runs.
measure() {
    local name=$1 best=
    shift
    for _ in 1 2 3; do
        local TIMEFORMAT='%U %S' seconds
        seconds=$({ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }')
        best=$(printf '%s\n' "$seconds" "${best:-$seconds}" | sort -n | head -n 1)
    done
    awk -v name="$name" -v size="$megabytes" -v seconds="$best" \
        'BEGIN { printf "%-12s %6.0f MB per CPU second\n", name, size / (seconds > 0 ? seconds : 0.001) }'
}

measure 'C, lines' "$work/reference" print "$work/chat.pcap"
measure log "$LINEJUDGE" decode "$work/chat.pcap" --dialect irc
measure json "$LINEJUDGE" decode "$work/chat.pcap" --dialect irc --as json
