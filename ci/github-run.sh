#!/bin/bash
# Runs linejudge with the inputs of the GitHub action and exits with its exit code; a step of action.yml.
#
# COMMAND, FILES, DIALECT, EXEC, SERVER, ARGUMENTS, REPORTS, REPORT_FOLDER    the inputs
set -euo pipefail

fail() { echo "::error title=Linejudge::${*//[$'\r\n']/ }"; exit 64; }

words=()
# FILES may contain globs, which linejudge expands itself; xargs splits words like a shell, but runs nothing.
split() {
    words=()
    local text
    text=$(printf '%s' "$2" | xargs printf '%s\n') || fail "input $1: quotes do not match: $2"
    [ -z "$text" ] || mapfile -t words <<<"$text"
}

case $COMMAND in
run)
    split files "$FILES"
    [ ${#words[@]} -gt 0 ] || fail "input files is empty; name scenario files or folders"
    arguments=(run "${words[@]}")
    ;;
check) arguments=(check) ;;
*) fail "input command must be run or check, but is $COMMAND" ;;
esac
[ -z "$DIALECT" ] || arguments+=(--dialect "$DIALECT")
[ -z "$EXEC" ] || arguments+=(--exec "$EXEC")
[ -z "$SERVER" ] || arguments+=(--server "$SERVER")
split arguments "$ARGUMENTS"
arguments+=(${words[@]+"${words[@]}"})

mkdir -p "$REPORT_FOLDER"
split reports "$REPORTS"
for format in ${words[@]+"${words[@]}"}; do
    case $format in
    html | json | sarif | tap) arguments+=(--report "$format=$REPORT_FOLDER/linejudge.$format") ;;
    junit) arguments+=(--report "junit=$REPORT_FOLDER/linejudge.xml") ;;
    *) fail "input reports: unknown format $format; formats: html, json, junit, sarif, tap" ;;
    esac
done
echo "report-folder=$REPORT_FOLDER" >>"$GITHUB_OUTPUT"

status=0
linejudge "${arguments[@]}" || status=$?
echo "exit-code=$status" >>"$GITHUB_OUTPUT"
exit "$status"
