#!/bin/bash
# Adds linejudge to the PATH of the following steps of a GitHub job; a step of action.yml.
#
# PROGRAM            a program to use; empty: download the release VERSION
# VERSION            0.1.0
# SERVER_URL, ACTION_REPOSITORY    location of the releases: https://github.com and OWNER/NAME
set -euo pipefail

fail() { echo "::error title=Linejudge::${*//[$'\r\n']/ }"; exit 1; }

if [ -n "$PROGRAM" ]; then
    [ -f "$PROGRAM" ] && [ -x "$PROGRAM" ] || fail "input path: $PROGRAM is not a program"
    folder=$(mktemp -d -p "$RUNNER_TEMP" linejudge.XXXXXX)
    ln -s "$(realpath "$PROGRAM")" "$folder/linejudge"
else
    [ "$(uname -s)" = Linux ] || fail "releases are for Linux; this runner is $(uname -s)"
    name=linejudge-$VERSION-linux-$(uname -m)
    url=$SERVER_URL/$ACTION_REPOSITORY/releases/download/v$VERSION
    folder=$(mktemp -d -p "$RUNNER_TEMP" linejudge.XXXXXX)
    for file in SHA256SUMS "$name.tar.gz"; do
        curl --fail --silent --show-error --location --retry 3 --output "$folder/$file" \
            "$url/$file" || fail "cannot download $url/$file"
    done
    (cd "$folder" && grep -F " $name.tar.gz" SHA256SUMS | sha256sum --check --quiet -) ||
        fail "$name.tar.gz does not match its checksum in SHA256SUMS"
    tar -xzf "$folder/$name.tar.gz" -C "$folder" --strip-components=1 "$name"
fi
"$folder/linejudge" --version >/dev/null || fail "$folder/linejudge does not run on this machine"
echo "$folder" >>"$GITHUB_PATH"
echo "linejudge $("$folder/linejudge" --version)"
