#!/bin/bash
# Runs the tests with a sanitizer in a build of its own; the first build takes 15 minutes.
#
# usage: scripts/sanitize.sh address|thread [ARGUMENTS OF swift test]...
set -euo pipefail
cd "$(dirname "$0")/.."

sanitizer=$1
shift
# A finding ends a program under test with a status of its own, and the test that started it fails.
export TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/scripts/tsan.txt"
export ASAN_OPTIONS=detect_leaks=0
scripts/test.sh --sanitize="$sanitizer" --scratch-path ".build/$sanitizer" \
    --experimental-maximum-parallelization-width 4 "$@"
