#!/bin/bash
# What the reference server withstands and costs, about ten minutes in all: `survival` abuses it for a minute in each
# dialect, `relay` holds its deliveries against a server in C, `idle` fills it with operators who say nothing.
# Arguments choose parts. LINEJUDGE names a binary that is built already; SECONDS_OF_ABUSE shortens the first part.
# Exits with 1 if a goal is missed.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- relay idle survival
if [ -z "${LINEJUDGE:-}" ]; then
    # A folder of its own: the flags differ from those of the debug build.
    flags=(-c release -Xswiftc -cross-module-optimization --scratch-path .build/server)
    (cd .. && swift build "${flags[@]}" --product linejudge >&2)
    LINEJUDGE=$(cd .. && swift build "${flags[@]}" --show-bin-path)/linejudge
fi
status=0
for part in "$@"; do
    case $part in
        relay)
            cc -O2 -o "$work/fanout" Server/fanout.c
            for rate in 500 2000; do
                python3 Server/relay.py "$LINEJUDGE" "$work/fanout" --rate "$rate" || status=1
            done
            ;;
        idle) python3 Server/idle.py "$LINEJUDGE" || status=1 ;;
        survival)
            python3 Server/survive.py "$LINEJUDGE" --seconds "${SECONDS_OF_ABUSE:-60}" || status=1
            ;;
        *) echo "no such part: $part" >&2; exit 64 ;;
    esac
done
exit $status
