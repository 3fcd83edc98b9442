#!/bin/bash
# Measures the reference server; about ten minutes in all. Arguments select parts:
#
#   relay     delivery rate, compared with a server in C
#   idle      memory per idle operator
#   survival  a minute of abuse in each dialect
#
# LINEJUDGE         use an existing binary
# SECONDS_OF_ABUSE  duration of `survival` per dialect (60)
#
# Exits with 1 if a goal is missed.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- relay idle survival
for part in "$@"; do
    case $part in
        relay | idle | survival) ;;
        *) echo "unknown part: $part" >&2; exit 64 ;;
    esac
done
if [ -z "${LINEJUDGE:-}" ]; then
    # A separate build directory, because the flags differ from those of the debug build.
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
    esac
done
exit $status
