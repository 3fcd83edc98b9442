#!/bin/bash
# Installs missing test dependencies; called by `make setup`.
#
# Debian packages come from apt-get. The IRC servers conflict as packages, so only ngircd is installed;
# InspIRCd, Anope (services for InspIRCd), ircd-hybrid, ircd-irc2 and ircd-ircu are unpacked into the
# project's own `.tools/` (git-ignored), and so are TinyMUX and INN, whose package sets up a news server on installation.
# If nothing is missing, it takes a fraction of a second and needs neither root nor network.
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
memcached    memcached
beanstalkd   beanstalkd
redis-server redis-server
xmllint      libxml2-utils
chromium     chromium
python3      python3
openssl      openssl
m4           m4
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
# dovecot-pop3d is a POP3 server. python3-jsonschema validates results files. The other packages are shared libraries that the unpacked
# servers link and that a minimal Debian may lack. Further dependencies of InspIRCd's package, such as
# database clients, belong to modules that the tests never load.
libraries='weechat-plugins dovecot-pop3d libpcap-dev libstdc++6 libltdl7 libgnutls30 python3-jsonschema python3-venv'
# From PyPI in a virtual environment: readers of HdrHistogram logs (which `load` writes) and of YAML 1.2, a
# JSON Schema validator, an interpreter of TextMate grammars, three IRC servers, a STOMP broker (coilmq)
# and an SMTP server (aiosmtpd).
wheels='hdrhistogram==0.10.8 jsonschema==4.26.0 ruamel.yaml==0.19.1 textmate-grammar-python==0.6.1 miniircd==2.3
irc==20.5.0 twisted==26.10.0 coilmq==1.1.0 aiosmtpd==1.4.6'
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

# SERVER -> checksum of the function that patches its binary, if there is one; a server whose patch has changed is
# unpacked again.
recipe() {
    if declare -f "patch_${1//-/_}" >/dev/null; then declare -f "patch_${1//-/_}" | cksum; fi
}

missing_servers() {
    for server in inspircd anope ircd-hybrid ircd-irc2 ircd-ircu inn2 tinymux; do
        [ "$(cat ".tools/$server/.complete" 2>/dev/null || echo missing)" = "$(recipe "$server")" ] || echo "$server"
    done
}

has_python() {
    [ "$(cat "$python/.complete" 2>/dev/null)" = "$wheels" ]
}

install_python() {
    rm -rf "$python"
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check $wheels ||
        die "cannot install $wheels from PyPI into $python"
    echo "$wheels" >"$python/.complete"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

need_root() {
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        die "neither root nor sudo available; ask an administrator to run: apt-get install --no-install-recommends $*"
}

# Debian starts and enables a server when its package is installed. The tests start servers themselves on
# free ports, so none may run now or after a reboot: a `policy-rc.d` that returns 101 prevents the start
# (an existing policy file is kept), and the services are disabled afterwards.
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
    for service in ngircd nats-server memcached beanstalkd redis-server slurmctld slurmd; do
        case " $* " in *" $service "*) disable_service "$service" ;; esac
    done
    # The service of dovecot-pop3d is called dovecot. munge is installed with Slurm.
    case " $* " in *" dovecot-pop3d "*) disable_service dovecot ;; esac
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

# apt-get verifies the signatures; `dpkg -x` runs no maintainer scripts.
unpack_server() {
    local server=$1 packages=$1 package work
    # INN's own libraries are in the package of its inews command.
    if [ "$server" = inn2 ]; then packages='inn2 inn2-inews'; fi
    work=$(mktemp -d)
    (cd "$work" && apt-get download -qq $packages 2>"$work/messages") ||
        die "cannot download the Debian package $server: $(cat "$work/messages")"
    rm -rf ".tools/$server"
    mkdir -p ".tools/$server"
    for package in $packages; do dpkg -x "$work/$package"_*.deb ".tools/$server"; done
    rm -rf "$work"
    if declare -f "patch_${server//-/_}" >/dev/null; then "patch_${server//-/_}"; fi
    if [ "$server" = inn2 ]; then install_packages $(library_packages inn2); fi
    chmod -R a+rX ".tools/$server"
    recipe "$server" >".tools/$server/.complete"
}

# Prints the packages of the shared libraries that a package needs; some, such as libperl5.36, have the
# release in their names.
library_packages() {
    apt-cache depends "$1" | awk '/^ +Depends: lib.*[0-9]$/ { print $2 }'
}

# ircd-hybrid has no options for its module directory, its resolver configuration and its DNS port, and
# looks up every client, but the tests may use only loopback. This patches the binary to take modules and
# resolver configuration from file descriptors 9 and 8, which scripts/servers/ircd-hybrid.sh opens, and to
# use port 10053. Shorter strings are padded with slashes (repeated slashes count as one) or with NULs
# after their end.
patch_ircd_hybrid() {
    patch_binary ircd-hybrid .tools/ircd-hybrid/usr/sbin/ircd-hybrid \
        '/usr/lib/ircd-hybrid/modules' '/proc/self/fd/9/////////////' \
        '\x00domain\x00/etc/resolv\.conf\x00' '\x0010053\x00\x00/proc//self/fd/8\x00'
}

# ircd-irc2 has no options for its configuration, either, and reads it through m4. This patches the binary to
# read `ircd.conf` in its working directory, without the macros in /etc. It also removes two jumps, which no
# option does: one that leaves a client's commands unread while its penalty exceeds ten seconds, and one that
# rejects an address that connects more than ten times in two seconds. The last patch starts it outside split
# mode, in which it would give no one operator status in new channels because it knows no other server. On other
# processors than x86-64, the server keeps its limits.
patch_ircd_irc2() {
    local binary=.tools/ircd-irc2/usr/sbin/ircd
    patch_binary ircd-irc2 "$binary" \
        '/etc/ircd/ircd\.conf' './////////ircd.conf' \
        '/etc/ircd/ircd\.m4' '/////////dev/null'
    [ "$(uname -m)" = x86_64 ] || return 0
    patch_binary ircd-irc2 "$binary" \
        '\x48\x83\xf8\x09\x0f\x8f\xfc\x0c\x00\x00' '\x48\x83\xf8\x09\x66\x0f\x1f\x44\x00\x00' \
        '\x0f\x8f\xc9\x00\x00\x00\x48\x8d\x74\x24\x10' '\x66\x0f\x1f\x44\x00\x00\x48\x8d\x74\x24\x10' \
        '\x83\xe0\xfe\x83\xc0\x03\x89\x05\x26\x4a\x03' '\x83\xe0\xfe\x31\xc0\x90\x89\x05\x26\x4a\x03'
}

# ircd-ircu is built for 1,048,572 connections and refuses to start with a lower limit on open files. This patches
# that number, and those derived from it for its tables, to 16,380. It also refuses to start if it does not find
# itself in /usr/sbin. The last two patches remove the jump that leaves a client's commands unread while its
# penalty exceeds ten seconds, and the one that refuses new targets of messages (439) for two minutes.
patch_ircd_ircu() {
    local binary=.tools/ircd-ircu/usr/sbin/ircd-ircu
    patch_binary ircd-ircu "$binary" \
        '/usr/sbin/ircd-ircu' '/proc/self/exe\x00\x00\x00\x00\x00'
    [ "$(uname -m)" = x86_64 ] || return 0
    patch_binary ircd-ircu "$binary" \
        '\xfc\xff\x0f\x00' '\xfc\x3f\x00\x00' \
        '\xe4\xff\x0f\x00' '\xe4\x3f\x00\x00' \
        '\xe3\xff\x0f\x00' '\xe3\x3f\x00\x00' \
        '\x48\x83\xf8\x09\x7f\x4b' '\x48\x83\xf8\x09\x90\x90' \
        '\x48\x39\xc2\x0f\x8f\xea\x00\x00\x00' '\x48\x39\xc2\x66\x0f\x1f\x44\x00\x00'
}

# SERVER FILE OLD NEW...: replaces bytes in a file everywhere; each NEW is as long as OLD, which must occur.
patch_binary() {
    local server=$1 binary=$2 size
    shift 2
    size=$(stat -c %s "$binary")
    while [ $# -gt 0 ]; do
        grep -aqP "$1" "$binary" || die "this build of $server differs; adapt its patch"
        sed -i -e "s,$1,$2,g" "$binary"
        shift 2
    done
    [ "$(stat -c %s "$binary")" = "$size" ] || die "the patch of $server changes the size of $binary"
}

check_swift() {
    local advice="install Swift $swift_needed or later from https://www.swift.org/install/linux/"
    command -v swift >/dev/null || die "no swift in PATH; $advice"
    local version
    version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9.]+' | grep -oE '[0-9.]+') ||
        die "cannot parse the output of swift --version; $advice"
    [ "$(printf '%s\n' "$swift_needed" "$version" | sort -V | head -n 1)" = "$swift_needed" ] ||
        die "Swift $version is too old; $advice"
}

check_swift
packages=$(missing_packages | sort -u | xargs)
servers=$(missing_servers | xargs)
if [ -n "$packages$servers" ]; then
    command -v apt-get >/dev/null || die "apt-get not found; install manually: $packages $servers"
    if [ -n "$packages" ]; then need_root $packages; fi
    if [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; then
        as_root apt-get update -qq || say "apt-get update failed; continuing with the existing package lists"
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
if ! has_python; then
    say "installing $wheels into $python"
    install_python
fi
still=$(missing_packages | xargs)
[ -z "$still" ] || die "still missing after installation: $still"
say "all dependencies are installed"
