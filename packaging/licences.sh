#!/bin/bash
# Prints the licences and notices of the packages that the binary contains.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

checkouts=.build/checkouts
[ ! -d .build/dist/checkouts ] || checkouts=.build/dist/checkouts
[ -d "$checkouts" ] || { echo "licences: no $checkouts; build first" >&2; exit 1; }

show() {
    local line
    line=$(printf '=%.0s' {1..80})
    printf '\n%s\n%s\n%s\n\n' "$line" "$1: $(basename "$2")" "$line"
    cat "$2"
}

echo "The linejudge program contains the following software. It also contains Swift's runtime and"
echo "libraries (https://www.swift.org/legal/license.html: Apache-2.0 with Runtime Library Exception)."
for package in "$checkouts"/*/; do
    for file in "$package"LICENSE* "$package"NOTICE*; do
        [ ! -f "$file" ] || show "$(basename "$package")" "$file"
    done
done
