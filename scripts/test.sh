#!/bin/bash
# Runs `swift test` with the given arguments. At the end, it repeats the failures, which are hard to find
# in tens of thousands of lines of output, and the closing line of the test runner.
set -uo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT

swift test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
closing=$(grep 'Test run with .* failed after' "$log" | tail -n 1)
if [ "$status" -ne 0 ] && [ -n "$closing" ]; then
    printf '\nFailed:\n'
    # An issue is followed by its details, up to the next event of any test.
    awk 'index($0, " recorded an issue ") { shown = 1 }
         !index($0, " recorded an issue ") && (index($0, "◇ ") == 1 || index($0, "✔ ") == 1 || index($0, "✘ ") == 1) { shown = 0 }
         shown { print substr($0, 1, 1000) }' "$log" | head -n 200
    printf '%s\n' "$closing"
fi
exit "$status"
