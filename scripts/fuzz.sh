#!/bin/bash
# Fuzzes each parser of untrusted input for some minutes, and prints a table of the totals.
# New inputs are kept in .build/fuzz/TARGET; a crashing input is printed and kept there, too.
#
# usage: scripts/fuzz.sh [MINUTES] [TARGET]...
set -uo pipefail
cd "$(dirname "$0")/.."

minutes=${1:-1}
shift
scratch=.build/fuzzing
flags=(--package-path Tests/Fuzzing --scratch-path "$scratch" -c release
    -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld -Xlinker -u -Xlinker LLVMFuzzerRunDriver)
swift build "${flags[@]}" >"$scratch.log" 2>&1 || { tail -n 50 "$scratch.log"; exit 1; }
fuzz=$(swift build "${flags[@]}" --show-bin-path)/Fuzz

targets=("$@")
[ ${#targets[@]} -gt 0 ] || read -ra targets < <("$fuzz" | sed -n 's/^targets: //p' | tr -d ,)
# The backtrace of a crash would run a second process that libFuzzer does not expect.
export SWIFT_BACKTRACE=enable=no
failed=0
printf '%-12s %12s %10s %8s %8s %10s\n' target executions per-second coverage corpus memory
for target in "${targets[@]}"; do
    found=$PWD/.build/fuzz/$target
    mkdir -p "$found"
    log=.build/fuzz/$target.log
    "$fuzz" "$target" -max_total_time=$((minutes * 60)) -timeout=1 -rss_limit_mb=512 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$found/" "$found" "$PWD/Tests/Fuzzing/Corpus/$target" \
        >"$log" 2>&1
    status=$?
    stat() { sed -n "s/^stat::$1: *//p" "$log"; }
    coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
    printf '%-12s %12s %10s %8s %8s %7s MB\n' "$target" "$(stat number_of_executed_units)" \
        "$(stat average_exec_per_sec)" "$coverage" "$(ls "$found" | grep -cv '^\(crash\|timeout\|oom\|slow\)')" \
        "$(stat peak_rss_mb)"
    if [ $status -ne 0 ]; then
        failed=1
        grep -E 'ERROR|Fatal|SUMMARY|Test unit written' "$log"
    fi
done
exit $failed
