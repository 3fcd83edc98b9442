#!/bin/bash
# Prints the section of a version in CHANGELOG.md.
#
#   packaging/release-notes.sh 0.1.0
set -euo pipefail
cd "$(dirname "$0")/.."

notes=$(awk -v heading="## $1" '
    /^## / { inside = ($0 == heading || index($0, heading " ") == 1) ; next }
    inside' CHANGELOG.md)
[ -n "$notes" ] || { echo "release-notes: CHANGELOG.md has no section \"## $1\"" >&2; exit 1; }
printf '%s\n' "$notes"
