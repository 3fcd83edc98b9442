#!/bin/bash
# Prints the licences and notices of the packages that the binary contains.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

checkouts=.build/checkouts
[ ! -d .build/dist/checkouts ] || checkouts=.build/dist/checkouts
[ -d "$checkouts" ] || { echo "licences: no $checkouts; build first" >&2; exit 1; }

echo "The linejudge program contains the following software. It also contains Swift's runtime and"
echo "libraries (https://www.swift.org/legal/license.html: Apache-2.0 with Runtime Library Exception),"
echo "which include ICU data (https://www.unicode.org/license.txt)."
for package in "$checkouts"/*/; do
    for file in "$package"LICENSE* "$package"NOTICE*; do
        [ -f "$file" ] || continue
        printf '\n%s\n%s\n%s\n\n' "$(printf '=%.0s' {1..80})" \
            "$(basename "$package"): $(basename "$file")" "$(printf '=%.0s' {1..80})"
        cat "$file"
    done
done
