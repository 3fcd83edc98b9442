#!/bin/bash
# Megabytes of a capture per second of CPU: `linejudge decode` as log and as JSON Lines, the C reader that only prints
# lines, and tcpflow where it is installed, in the same run; then the most memory that decode takes, and whether it finds
# as many lines as the C reader, with 4000 clients. LINEJUDGE names a binary that is built already; MEGABYTES the size
# (400: reading the dialect, 40 ms, should not count for much).
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
megabytes=${MEGABYTES:-400}
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
        'BEGIN { printf "%-14s %6.0f MB per CPU second\n", name, size / (seconds > 0 ? seconds : 0.001) }'
}

decode() { "$LINEJUDGE" decode "$work/chat.pcap" --dialect irc "$@"; }

measure 'C, lines' "$work/reference" print "$work/chat.pcap"
measure 'decode, log' decode
if command -v tcpflow >/dev/null; then
    # It leaves a report.xml where it runs.
    measure 'tcpflow, text' env -C "$work" tcpflow -c -r "$work/chat.pcap"
fi
measure 'decode, json' decode --as json

"$work/reference" generate "$work/chat.pcap" "$megabytes" 4000
python3 - "$LINEJUDGE" "$work/chat.pcap" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "decode", sys.argv[2], "--dialect", "irc", "-q"], stdout=subprocess.DEVNULL)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"most memory    {most / 1024:6.1f} MiB")
END
printed=$("$work/reference" print "$work/chat.pcap" | wc -l)
decoded=$(decode 2>&1 >/dev/null | grep -oE '[0-9]+ lines?' | grep -oE '[0-9]+')
printf '4000 clients   %s lines, and %s of the C reader\n' "$decoded" "$printed"
[ "$decoded" = "$printed" ]
