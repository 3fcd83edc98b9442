#!/bin/bash
# Builds a release and packs it; called by `make dist`. Writes to .build/dist-out:
#
#   linejudge-VERSION-linux-ARCH.tar.gz        binary, manual pages, completions, scenarios, documentation
#   linejudge_VERSION_ARCH.deb                 the same for Debian and Ubuntu
#   linejudge-VERSION-linux-ARCH-image.tar     OCI image, for docker load, podman load and skopeo
#   SHA256SUMS
#
# PROGRAM            a linejudge binary to pack instead of building one
# OUT                the output directory (.build/dist-out)
# SOURCE_DATE_EPOCH  timestamp of all packed files (default: that of the last commit)
#
# Needs dpkg-dev, binutils and python3. The image also needs apt-get and network access, because its C
# library, CA certificates and shell are Debian packages.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

die() { printf 'dist: %s\n' "$*" >&2; exit 1; }
say() { printf 'dist: %s\n' "$*"; }

for tool in strip dpkg-deb dpkg-shlibdeps python3; do
    command -v "$tool" >/dev/null || die "$tool not found; install binutils, dpkg-dev and python3"
done

out=${OUT:-.build/dist-out}
work=.build/dist-work
machine=$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# The binary is small and starts quickly: it is optimised for size, repeated code is moved into functions
# (the machine outliner), and there are no relocations, unused functions, exported symbols or the tables of
# discarded.ld.
build() {
    local objects=.build/dist/release/linejudge.product/Objects.LinkFileList
    local unused='/(NIO|NIOEmbedded|NIOWebSocket)\.build/'
    # Our modules are always compiled from scratch: an incremental build can miss that the layout of a type in a
    # module that is not imported directly has changed, and the program then crashes.
    local folder target
    folder=$(swift build -c release --scratch-path .build/dist --show-bin-path)
    for target in Sources/*; do
        rm -rf "$folder/${target#Sources/}.build" "$folder/Modules/${target#Sources/}".*
    done
    # The plan must be made again, because it includes files in these folders.
    rm -f .build/dist/release.yaml
    swift build -c release --product linejudge --static-swift-stdlib --scratch-path .build/dist \
        -debug-info-format none --explicit-target-dependency-import-check error \
        -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections \
        -Xswiftc -Xllvm -Xswiftc -enable-machine-outliner=always \
        -Xswiftc -file-prefix-map -Xswiftc "$PWD=linejudge" \
        -Xcc -Oz -Xcc -ffunction-sections -Xcc -fdata-sections \
        -Xcc "-ffile-prefix-map=$PWD=linejudge" \
        -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -no-pie
    # Link again, without the Swift part of Yams, which imports Foundation. Unused modules go into an
    # archive, because the linker takes only what it needs from archives. The objects and libraries are
    # copies from which the linker can drop unused functions. FoundationEssentials comes first, so that
    # functions that it shares with the parser of regular expressions are not taken from there.
    local linked=.build/dist/linked resources
    resources=$(swiftc -print-target-info -static-stdlib |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')
    rm -rf "$linked"
    mkdir -p "$linked/swift"
    cp -Rs "$resources/." "$linked/swift/"
    rm "$linked"/swift/linux/*.a
    printf '%s\n' "$resources"/linux/*.a | packaging/collectable.py "$linked/swift/linux" >/dev/null
    tr -d "'" <"$objects" | grep -E "$unused" | packaging/collectable.py "$linked/unused" |
        tr '\n' '\0' | xargs -0 ar rcs "$linked/unused.a"
    tr -d "'" <"$objects" | grep -vE "$unused|/Yams\.build/" |
        packaging/collectable.py "$linked/used" >"$linked/used.txt"
    swiftc -emit-executable -static-stdlib -resource-dir "$linked/swift" -gnone \
        -o .build/dist/linejudge "$linked/swift/linux/libFoundationEssentials.a" \
        "@$linked/used.txt" "$linked/unused.a" \
        -Xlinker --defsym -Xlinker main=linejudge_main -lstdc++ -ldl -lm \
        -use-ld=lld -Xclang-linker -no-pie \
        -Xlinker -O2 -Xlinker --gc-sections -Xlinker --icf=all -Xlinker --no-export-dynamic \
        -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker packaging/discarded.ld
}

# Packs the current folder into a tar on standard output; the same files always give the same bytes.
sorted_tar() {
    tar --create --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode='u+rwX,go+rX,go-w' "$@"
}

if [ -z "${PROGRAM:-}" ]; then
    build
    PROGRAM=.build/dist/linejudge
fi
[ -x "$PROGRAM" ] || die "$PROGRAM is not a program"
version=$("$PROGRAM" --version)
base=linejudge-$version-linux-$machine
say "packing linejudge $version for $machine"
rm -rf "$out" "$work"
mkdir -p "$out" "$work"

# The archive.
root=$work/$base
mkdir -p "$root/completions"
cp "$PROGRAM" "$root/linejudge"
strip --strip-all "$root/linejudge"
"$root/linejudge" generate-docs --man "$root/man"
"$root/linejudge" --generate-completion-script bash >"$root/completions/linejudge.bash"
"$root/linejudge" --generate-completion-script zsh >"$root/completions/_linejudge"
"$root/linejudge" --generate-completion-script fish >"$root/completions/linejudge.fish"
cp -R README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE Scenarios Examples docs \
    action.yml ci deploy editors Reports "$root/"
mkdir "$root/scripts"
cp -R scripts/servers "$root/scripts/"
find "$root" -name __pycache__ -prune -exec rm -rf {} +
packaging/licences.sh >"$root/THIRD-PARTY-LICENCES"
sorted_tar -C "$work" "$base" | gzip -n -9 >"$out/$base.tar.gz"

packaging/deb.sh "$root" "$version" "$out"
packaging/image.sh "$root" "$version" "$out/$base-image.tar"
(cd "$out" && sha256sum -- *.tar.gz *.deb *.tar >SHA256SUMS)
(cd "$out" && ls -l --block-size=1 | awk 'NR > 1 { printf "%12d  %s\n", $5, $9 }')
