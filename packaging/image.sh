#!/bin/bash
# Makes an OCI image from an unpacked archive, without a container engine.
#
#   packaging/image.sh FOLDER VERSION IMAGE.tar
#
# The lower layer consists of Debian packages: the C and C++ libraries, the CA certificates, and busybox,
# because CI systems run their jobs in a shell of the image.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

source=$1 version=$2 image=$3
packages='libc6 libgcc-s1 libstdc++6 busybox-static ca-certificates'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v apt-get >/dev/null || { echo "image: apt-get not found" >&2; exit 1; }
mkdir "$work/debs" "$work/base" "$work/program"
# apt-get verifies the signatures; `dpkg -x` runs no maintainer scripts.
chmod 755 "$work" "$work/debs"
(cd "$work/debs" && apt-get download -qq $packages 2>"$work/messages") ||
    { echo "image: cannot download $packages: $(cat "$work/messages")" >&2; exit 1; }
base=$work/base
mkdir -p "$base"/{dev,proc,sys,root,run,usr/bin,usr/lib,usr/lib64,usr/sbin,var} "$base/etc/ssl/certs"
for name in bin lib lib64 sbin; do ln -s "usr/$name" "$base/$name"; done
for package in "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
        tar -x -C "$base" --keep-directory-symlink --exclude='./usr/share/man' \
            --exclude='./usr/share/lintian' --exclude='./usr/share/doc/*/changelog*' \
            --exclude='./usr/share/doc/*/NEWS*' --exclude='*/gconv' --exclude='./usr/share/gcc' \
            --exclude='./usr/share/gdb'
done
ln -s busybox "$base/usr/bin/sh"
for name in $("$base/usr/bin/busybox" --list); do
    [ -e "$base/usr/bin/$name" ] || ln -s busybox "$base/usr/bin/$name"
done
find "$base/usr/share/ca-certificates" -name '*.crt' -print0 | sort -z | xargs -0 cat \
    >"$base/etc/ssl/certs/ca-certificates.crt"
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/false\n' \
    >"$base/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$base/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$base/etc/nsswitch.conf"
mkdir -m 1777 "$base/tmp" "$base/work"

install -D "$source/linejudge" "$work/program/usr/local/bin/linejudge"
mkdir -p "$work/program/usr/local/share/linejudge"
cp -R "$source/Scenarios" "$source/Examples" "$source/LICENSE" "$source/THIRD-PARTY-LICENCES" \
    "$work/program/usr/local/share/linejudge/"

for layer in base program; do
    tar --create --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode='go-w' -C "$work/$layer" --transform='s,^\./,,' \
        --exclude=./tmp --exclude=./work . >"$work/$layer.tar"
done
# These folders are writable for all users, so `--mode` above must not apply to them.
tar --append --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    -C "$base" -f "$work/base.tar" tmp work

packaging/image.py --name "linejudge:$version" --version "$version" --machine "$(uname -m)" \
    --created "$SOURCE_DATE_EPOCH" --output "$image" "$work/base.tar" "$work/program.tar"
