#!/bin/bash
# Runs the CI steps and prints OK or FAILED for each, with the end of the log if it failed.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
for target in setup lint build test test-allocations; do
    log=$(mktemp)
    started=$SECONDS
    if make --no-print-directory "$target" >"$log" 2>&1; then
        printf '%-16s OK      %4d s\n' "$target" $((SECONDS - started))
    else
        printf '%-16s FAILED  %4d s\n' "$target" $((SECONDS - started))
        tail -n 60 "$log"
        status=1
    fi
    rm -f "$log"
done
exit $status
