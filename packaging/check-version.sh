#!/bin/bash
# Checks that a tag, the packed version, action.yml and CHANGELOG.md agree.
#
#   packaging/check-version.sh v0.1.0
#
# OUT    the folder with the results of dist.sh (.build/dist-out)
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1#v}
die() { printf 'check-version: %s\n' "$*" >&2; exit 1; }

[ "v$version" = "$1" ] || die "the tag $1 does not start with v"
ls "${OUT:-.build/dist-out}/linejudge-$version-linux-"*.tar.gz >/dev/null 2>&1 ||
    die "the tag is $1, but make dist built a different version; the version is set in Sources/Results/ToolVersion.swift"
grep -qx "    default: $version" action.yml || die "action.yml downloads a different version by default"
packaging/release-notes.sh "$version" >/dev/null
