#!/bin/bash
# Tests the packages from `make dist` in fresh Debian systems without Swift or a network; called by
# `make test-dist`.
#
#   OUT    the folder with the results of dist.sh (.build/dist-out)
#
# Needs root, for chroot. The first run downloads three small Debian systems into .tools/debian.
set -uo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

out=$(realpath "${OUT:-.build/dist-out}")
megabytes_max=25
start_kibibytes_max=16384
start_milliseconds_max=10
status=0
roots=$(mktemp -d)
trap 'rm -rf "$roots"' EXIT

die() { printf 'test-dist: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || die "needs root, for debootstrap and chroot"
archive=$(ls "$out"/linejudge-*-linux-*.tar.gz 2>/dev/null) || die "no archive in $out; run make dist"
deb=$(ls "$out"/linejudge_*.deb) image=$(ls "$out"/linejudge-*-image.tar)
base=$(basename "$archive" .tar.gz)
version=${base#linejudge-} version=${version%%-linux-*}

# check NAME COMMAND...: runs the command and prints OK or FAILED with its output.
check() {
    local name=$1 log="$roots/log"
    shift
    if "$@" >"$log" 2>&1; then
        printf 'OK      %s\n' "$name"
    else
        printf 'FAILED  %s\n' "$name"
        sed 's/^/        /' "$log" | tail -n 40
        status=1
    fi
}

# within ROOT COMMAND: runs a shell command in a root, with its own network and nothing from this system's
# environment.
within() {
    local up='import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14s", b"lo", 1, b""))'
    unshare --net --mount --pid --fork --kill-child bash -c '
        python3 -c "$1" && mount -t proc proc "$2/proc" &&
        exec env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root TERM=dumb \
            chroot "$2" /bin/sh -c "$3"' - "$up" "$1" "$2"
}

prints() { [ "$(within "$1" "$2" | tee /dev/stderr)" = "$3" ]; }

files_of() { (cd "$1" && find . -xdev -not -path './proc/*' -not -path './var/*' | sort); }

# new_root NAME FOLDER: unpacks a fresh system, with a script that runs the scenarios of the current folder.
# Without a server, scenarios run against the reference server, which speaks one dialect at a time. The
# scenarios of the other dialects need a real server.
new_root() {
    packaging/debian-root.sh "$1" "$roots/$2" || exit 1
    add_scenario_script "$roots/$2"
}

add_scenario_script() {
    cat >"$1/tmp/run-scenarios" <<'END'
for dialect in irc jsonl livechat msnp nats plain teamspeak; do
    linejudge run "Scenarios/$dialect" --tag '!slow' --quiet || exit
done
END
}
scenarios='sh /tmp/run-scenarios'

test_archive() {
    local suite=$1 root=$roots/archive-$1
    new_root "$suite" "archive-$suite"
    tar -x -C "$root/opt" -f "$archive"
    local go="cd /opt/$base && PATH=\"\$PWD:\$PATH\""
    check "$suite: Swift is not installed" within "$root" '! command -v swift && ! ls /usr/lib/swift'
    check "$suite: archive: links" packaging/links.py "$root/opt/$base"
    check "$suite: archive: version" prints "$root" "$go && linejudge --version" "$version"
    check "$suite: archive: scenarios" within "$root" "$go && $scenarios"
    check "$suite: archive: run with --exec" within "$root" \
        "$go && linejudge run Scenarios/plain --quiet --report junit=/tmp/r.xml \
            --exec 'linejudge serve --dialect plain --listen 127.0.0.1:{{port}}' &&
         grep -q '<testsuite ' /tmp/r.xml"
    check "$suite: archive: check" within "$root" \
        "$go && linejudge check --dialect irc --only esc --quiet \
            --exec 'linejudge serve --dialect irc --listen 127.0.0.1:{{port}}'"
    check "$suite: archive: load" within "$root" \
        "$go && { linejudge serve --dialect irc --listen 127.0.0.1:6667 & sleep 1; } &&
         linejudge load --server irc://127.0.0.1:6667 --operators 20 --rate 50/s --for 2s --quiet"
    check "$suite: archive: scenarios as an ordinary user" within "$root" \
        "$go && export HOME=/nonexistent &&
         setpriv --reuid 65534 --regid 65534 --clear-groups $scenarios"
}

test_limits() {
    local program=$roots/archive-bookworm/opt/$base/linejudge
    check "binary of at most $megabytes_max MB" \
        test "$(stat -c %s "$program")" -le $((megabytes_max * 1000000))
    check "start in $start_milliseconds_max ms with $((start_kibibytes_max / 1024)) MiB resident" \
        packaging/start-cost.py "$start_milliseconds_max" "$start_kibibytes_max" "$program" --version
    sed 's/^/        /' "$roots/log"
    check 'the binary contains no path of the build folder' lacks "$program" "$PWD/.build/"
}

lacks() { ! grep -aqF "$2" "$1"; }

test_deb() {
    local root=$roots/deb before after
    new_root bookworm deb
    before=$(files_of "$root")
    cp "$deb" "$root/tmp/linejudge.deb"
    check "deb: installs without other packages" within "$root" 'dpkg --install /tmp/linejudge.deb'
    rm "$root/tmp/linejudge.deb"
    check "deb: installed files are intact" prints "$root" 'dpkg --verify linejudge' ''
    check "deb: version" prints "$root" 'linejudge --version' "$version"
    check "deb: scenarios" within "$root" "cd /usr/share/linejudge && $scenarios"
    check "deb: links no Swift libraries" within "$root" '! ldd /usr/bin/linejudge | grep -i swift'
    check "deb: can be purged" within "$root" 'dpkg --purge linejudge'
    after=$(files_of "$root")
    check "deb: leaves no files behind" diff <(echo "$before") <(echo "$after")
}

test_shells() {
    local root=$roots/shells
    new_root bookworm+man-db+bash-completion+zsh+fish shells
    cp "$deb" "$root/tmp/linejudge.deb"
    check "shells: installs" within "$root" 'dpkg --install /tmp/linejudge.deb'
    check "man linejudge" within "$root" 'man linejudge | grep -q "Conformance and load testing"'
    check "man linejudge-run" within "$root" 'man linejudge run | grep -q -- --exec'
    check "man pages without warnings" prints "$root" \
        'for page in /usr/share/man/man1/linejudge*; do
             LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >/dev/null; done' ''
    check "completion in bash" within "$root" "bash -c '
        source /usr/share/bash-completion/bash_completion
        _completion_loader linejudge
        COMP_WORDS=(linejudge seve) COMP_CWORD=1 COMP_LINE=\"linejudge ser\" COMP_POINT=13
        COMP_WORDS[1]=ser
        _linejudge linejudge ser linejudge
        echo \"\${COMPREPLY[*]}\"; [ \"\${COMPREPLY[*]}\" = serve ]'"
    check "completion in zsh" prints "$root" \
        "zsh -fc 'autoload -Uz compinit; compinit -u; echo \$_comps[linejudge]'" _linejudge
    check "completion in fish" within "$root" \
        "fish -c 'complete --do-complete \"linejudge ser\"' | tee /dev/stderr | grep -q ^serve"
}

test_image() {
    local root=$roots/image layout=$roots/layout
    mkdir -p "$root" "$layout"
    tar -x -C "$layout" -f "$image"
    check "image: digests and sizes" packaging/verify-image.py "$layout"
    if command -v skopeo >/dev/null; then
        check "image: as an OCI archive for skopeo" \
            skopeo copy --quiet "oci-archive:$image" "dir:$roots/copy-oci"
        check "image: as a Docker archive for skopeo" \
            skopeo copy --quiet "docker-archive:$image" "dir:$roots/copy-docker"
    else
        printf 'skipped image: skopeo is not installed\n'
    fi
    for layer in $(packaging/verify-image.py --layers "$layout"); do
        tar -xz -C "$root" -f "$layout/$layer"
    done
    add_scenario_script "$root"
    check "image: version" prints "$root" 'linejudge --version' "$version"
    check "image: scenarios" within "$root" "cd /usr/local/share/linejudge && $scenarios"
    check "image: CA certificates" within "$root" \
        'grep -q "BEGIN CERTIFICATE" /etc/ssl/certs/ca-certificates.crt'
}

check "checksums" sh -c "cd '$out' && sha256sum --check SHA256SUMS"
test_archive bookworm
test_archive trixie
test_limits
test_deb
test_shells
test_image
exit $status
