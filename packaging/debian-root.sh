#!/bin/bash
# Unpacks a fresh Debian into a folder; needs root. The first call downloads it with debootstrap.
#
#   packaging/debian-root.sh SUITE[+PACKAGE...] FOLDER
#
# Without packages, this is debootstrap's smallest variant. The systems are kept in .tools/debian.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

name=$1 folder=$2
suite=${name%%+*} packages=${name#"$suite"}
cache=.tools/debian/$name.tar

die() { printf 'debian-root: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || die "needs root, for debootstrap and chroot"
if [ ! -e "$cache" ]; then
    command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap \
        >/dev/null || die "cannot install debootstrap"
    mkdir -p .tools/debian
    work=$(mktemp -d -p .tools/debian)
    trap 'rm -rf "$work"' EXIT
    if [ -z "$packages" ]; then
        debootstrap --variant=minbase "$suite" "$work/root" >"$work/log" 2>&1 ||
            { tail "$work/log" >&2; die "debootstrap $suite failed"; }
    else
        "$0" "$suite" "$work/root"
        cp /etc/resolv.conf "$work/root/etc/resolv.conf"
        { chroot "$work/root" apt-get update &&
            chroot "$work/root" apt-get install -y --no-install-recommends ${packages//+/ }; } \
            >"$work/log" 2>&1 || { tail "$work/log" >&2; die "cannot install ${packages//+/ }"; }
    fi
    rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
    tar -c -C "$work/root" -f "$work/tar" .
    mv "$work/tar" "$cache"
fi
mkdir -p "$folder"
tar -x -C "$folder" -f "$cache"
