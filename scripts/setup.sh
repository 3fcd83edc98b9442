#!/bin/bash
# Installs what the tests need and this machine lacks; `make setup` calls it.
#
# Debian packages come from apt-get. The three IRC servers conflict as packages, so only ngircd is
# installed; InspIRCd and ircd-hybrid are unpacked into the project's own `.tools/` (git-ignored).
# With everything in place it takes a fraction of a second and neither asks for root nor uses the
# network.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C DEBIAN_FRONTEND=noninteractive PATH="$PATH:/usr/sbin:/sbin"

swift_needed=6.2
policy=/usr/sbin/policy-rc.d

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# COMMAND PACKAGE
commands='
ngircd       ngircd
tcpdump      tcpdump
nats-server  nats-server
xmllint      libxml2-utils
chromium     chromium
python3      python3
openssl      openssl
prove        perl
zstd         zstd
setpriv      util-linux
script       bsdutils
irssi        irssi
weechat-headless weechat-headless
mpirun       openmpi-bin
srun         slurm-client
slurmctld    slurmctld
slurmd       slurmd
'
# Python's reader of JSON Schema, which the tests hold results files against, and shared libraries that
# the unpacked servers link and that a minimal Debian may lack. InspIRCd's
# package also names database clients and the like: only for modules that we never load.
libraries='weechat-plugins libpcap-dev libstdc++6 libltdl7 libgnutls30 python3-jsonschema python3-venv'
# HdrHistogram's own reader of what a load writes, in an environment of its own: from PyPI, this version.
hdrhistogram=0.10.8
python=.tools/python

missing_packages() {
    local command package
    while read -r command package; do
        [ -z "$command" ] || command -v "$command" >/dev/null || echo "$package"
    done <<<"$commands"
    for package in $libraries; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            echo "$package"
    done
}

missing_servers() {
    for server in inspircd ircd-hybrid; do
        [ -e ".tools/$server/.complete" ] || echo "$server"
    done
}

missing_python() {
    [ -e "$python/.hdrhistogram-$hdrhistogram" ] || echo "hdrhistogram==$hdrhistogram"
}

install_python() {
    rm -rf "$python"
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check "$@" ||
        die "cannot install $* from PyPI into $python"
    touch "$python/.hdrhistogram-$hdrhistogram"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

need_root() {
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        die "not root and no sudo; have an administrator run: apt-get install --no-install-recommends $*"
}

# Debian starts and enables a server as its package is installed. The tests start their own on free
# ports, so nothing must run or come back at the next boot: `policy-rc.d` answering 101 forbids the
# start (an administrator's own policy file is left alone), and disabling undoes the rest.
install_packages() {
    local own_policy=
    need_root "$@"
    if [ ! -e "$policy" ]; then
        own_policy=1
        trap 'as_root rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
        as_root chmod 755 "$policy"
    fi
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    if [ -n "$own_policy" ]; then
        as_root rm -f "$policy"
        trap - EXIT
    fi
    for service in ngircd nats-server slurmctld slurmd; do
        case " $* " in *" $service "*) disable_service "$service" ;; esac
    done
    # It comes with Slurm.
    case " $* " in *" slurmctld "*) disable_service munge ;; esac
}

disable_service() {
    if [ -d /run/systemd/system ]; then
        as_root systemctl --quiet disable --now "$1" || true
    else
        as_root deb-systemd-helper disable "$1.service" >/dev/null 2>&1 || true
        if [ -x "/etc/init.d/$1" ]; then as_root update-rc.d "$1" disable >/dev/null || true; fi
    fi
}

# apt-get's own downloader checks the signatures; `dpkg -x` runs no maintainer script.
unpack_server() {
    local server=$1 work
    work=$(mktemp -d)
    (cd "$work" && apt-get download -qq "$server" 2>"$work/messages") ||
        die "cannot download the Debian package $server: $(cat "$work/messages")"
    rm -rf ".tools/$server"
    mkdir -p ".tools/$server"
    dpkg -x "$work/${server}"_*.deb ".tools/$server"
    rm -rf "$work"
    if [ "$server" = ircd-hybrid ]; then relocate_hybrid; fi
    chmod -R a+rX ".tools/$server"
    touch ".tools/$server/.complete"
}

# ircd-hybrid has three things compiled in and no option for them: the folder of its modules, and that
# it asks the machine's name server, on the port of the service "domain", about every client. The
# tests may talk to loopback only. This copy takes modules and resolver settings from files 9 and 8,
# which scripts/servers/ircd-hybrid.sh opens, and asks on port 10053. A shorter name is filled up with
# slashes, of which many count for one, or with zeros after its end.
relocate_hybrid() {
    local binary=.tools/ircd-hybrid/usr/sbin/ircd-hybrid size
    size=$(stat -c %s "$binary")
    sed -i -e 's,/usr/lib/ircd-hybrid/modules,/proc/self/fd/9/////////////,g' \
        -e 's,\x00domain\x00/etc/resolv\.conf\x00,\x0010053\x00\x00/proc//self/fd/8\x00,' "$binary"
    if [ "$(stat -c %s "$binary")" != "$size" ] || ! grep -aq '/proc/self/fd/9' "$binary" ||
        ! grep -aq '/proc//self/fd/8' "$binary"; then
        die "this ircd-hybrid is built another way; relocate_hybrid needs a new look"
    fi
}

check_swift() {
    local advice="install Swift $swift_needed or later from https://www.swift.org/install/linux/"
    command -v swift >/dev/null || die "no swift in PATH; $advice"
    local version
    version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9.]+' | grep -oE '[0-9.]+') ||
        die "swift --version tells no version; $advice"
    [ "$(printf '%s\n' "$swift_needed" "$version" | sort -V | head -n 1)" = "$swift_needed" ] ||
        die "Swift $version is too old; $advice"
}

check_swift
packages=$(missing_packages | sort -u | xargs)
servers=$(missing_servers | xargs)
if [ -n "$packages$servers" ]; then
    command -v apt-get >/dev/null || die "no apt-get here; install by hand: $packages $servers"
    if [ -n "$packages" ]; then need_root $packages; fi
    if [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; then
        as_root apt-get update -qq || say "apt-get update failed; going on with the lists at hand"
    fi
fi
if [ -n "$packages" ]; then
    say "installing $packages"
    install_packages $packages
fi
for server in $servers; do
    say "unpacking $server into .tools/"
    unpack_server "$server"
done
wheels=$(missing_python)
if [ -n "$wheels" ]; then
    say "installing $wheels into $python"
    install_python $wheels
fi
still=$(missing_packages | xargs)
[ -z "$still" ] || die "still missing after the installation: $still"
say "everything is in place"
