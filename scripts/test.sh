#!/bin/bash
# Runs `swift test` with the given arguments. At the end, it repeats the failures, which are hard to find
# in tens of thousands of lines of output, and the closing line of the test runner.
set -uo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Minutes without output after which the tests are considered hung.
silence_max=15

# Ends tests that hang, after printing what each thread and each process is doing.
end_if_silent() {
    local size=-1 minutes=0 now process
    while sleep 60 >/dev/null 2>&1; do
        now=$(stat -c %s "$log")
        if [ "$now" -ne "$size" ]; then
            size=$now minutes=0
            continue
        fi
        minutes=$((minutes + 1))
        [ "$minutes" -lt "$silence_max" ] && continue
        printf '\nNo output for %s minutes. Processes:\n' "$silence_max"
        ps -e -o pid,ppid,stat,etime,args --forest | cut -c 1-200
        for process in $(pgrep -f "^$PWD/.*\.xctest"); do
            printf '\nThreads of process %s:\n' "$process"
            command -v gdb >/dev/null && gdb -p "$process" -batch -ex 'thread apply all bt 16' 2>&1
        done
        pkill -f "^$PWD/.*\.xctest"
        return
    done
}

end_if_silent &
watcher=$!
swift test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
kill "$watcher" 2>/dev/null
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
