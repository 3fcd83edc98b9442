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

# COMMAND PACKAGE PURPOSE
commands='
ngircd           ngircd         IRC server to test against
nats-server      nats-server    NATS server to test against
memcached        memcached      memcached server to test against
beanstalkd       beanstalkd     beanstalkd server to test against
redis-server     redis-server   Redis server to test against
irssi            irssi          IRC client, tests the reference server
weechat-headless weechat-headless  IRC client, tests the reference server
tcpdump          tcpdump        captures traffic, and reads captures that Linejudge writes
openssl          openssl        certificates for TLS tests
zstd             zstd           compressed captures
xmllint          libxml2-utils  validates JUnit reports
chromium         chromium       opens HTML reports
prove            perl           reads TAP reports
python3          python3        small test servers and validators
m4               m4             reads the configuration of ircd-irc2
setpriv          util-linux     ends servers together with their tests
script           bsdutils       gives commands a terminal
mpirun           openmpi-bin    starts load shards with MPI
srun             slurm-client   starts load shards with Slurm
slurmctld        slurmctld      Slurm controller for the same test
slurmd           slurmd         Slurm node for the same test
'
# PACKAGE PURPOSE. The shared libraries are linked by the unpacked servers, and a minimal Debian may lack
# them. Further dependencies of InspIRCd's package, such as database clients, belong to modules that the
# tests never load.
libraries='
weechat-plugins    IRC support for WeeChat
dovecot-pop3d      POP3 server to test against
libpcap-dev        live capture
libstdc++6         shared library of InspIRCd
libltdl7           shared library of ircd-hybrid
libgnutls30        shared library of InspIRCd and ircd-hybrid
python3-jsonschema validates results files
python3-venv       virtual environment for the packages from PyPI
'
# SERVER PURPOSE
unpacked='
inspircd    IRC server to test against
anope       accounts for InspIRCd
ircd-hybrid IRC server to test against
ircd-irc2   IRC server to test against
ircd-ircu   IRC server to test against
inn2        NNTP server to test against
tinymux     MUD server to test against
'
# PACKAGE==VERSION PURPOSE
wheels='
hdrhistogram==0.10.8           reads the histogram logs of load tests
jsonschema==4.26.0             validates schemas
ruamel.yaml==0.19.1            YAML 1.2 reader to compare with
textmate-grammar-python==0.6.1 interprets the grammar for editors
miniircd==2.3                  IRC server to test against
irc==20.5.0                    IRC server to test against
twisted==26.10.0               IRC server to test against
coilmq==1.1.0                  STOMP broker to test against
aiosmtpd==1.4.6                SMTP server to test against
prometheus-client==0.26.0      metrics endpoint to test against
'
python=.tools/python

# These print an item and its purpose per line.
missing_packages() {
    local command package purpose
    while read -r command package purpose; do
        [ -z "$command" ] || command -v "$command" >/dev/null || echo "$package $purpose"
    done <<<"$commands"
    while read -r package purpose; do
        [ -z "$package" ] ||
            dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            echo "$package $purpose"
    done <<<"$libraries"
}

# SERVER -> checksum of the function that patches its binary, if there is one; a server whose patch has changed is
# unpacked again.
recipe() {
    if declare -f "patch_${1//-/_}" >/dev/null; then declare -f "patch_${1//-/_}" | cksum; fi
}

missing_servers() {
    local server purpose
    while read -r server purpose; do
        [ -z "$server" ] ||
            [ "$(cat ".tools/$server/.complete" 2>/dev/null || echo missing)" = "$(recipe "$server")" ] ||
            echo "$server $purpose"
    done <<<"$unpacked"
}

names() { cut -d ' ' -f 1 | xargs; }

# Prints items and their purposes in columns.
list() {
    local item purpose
    while read -r item purpose; do printf '    %-30s  %s\n' "$item" "$purpose"; done
}

wheel_names=$(sed '/^$/d' <<<"$wheels" | names)

has_python() {
    [ -f "$python/.complete" ] && [ "$(xargs <"$python/.complete")" = "$wheel_names" ]
}

install_python() {
    rm -rf "$python"
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check $wheel_names ||
        die "cannot install $wheel_names from PyPI into $python"
    echo "$wheel_names" >"$python/.complete"
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
# read `ircd.conf` in its working directory, without the macros in /etc. It also removes limits for which there are no
# options: a jump that leaves a client's commands unread while its penalty exceeds ten seconds, one that rejects an
# address that connects more than ten times in two seconds, and two that accept ten clients a second, and none while it
# waits for others. It shortens the pause after each round of reading from 200 to 5 ms. Another patch starts it outside
# split mode, in which it would give no one operator status in new channels because it knows no other server. On other
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
        '\x83\xe0\xfe\x83\xc0\x03\x89\x05\x26\x4a\x03' '\x83\xe0\xfe\x31\xc0\x90\x89\x05\x26\x4a\x03' \
        '\x25\x40\x0d\x03\x00\x48\xc1\xe8\x03' '\x25\x88\x13\x00\x00\x48\xc1\xe8\x03' \
        '\x7d\x0c\x8b\x44\x24\x20\x85\xc0\x0f\x84\xfe\x01' '\x90\x90\x8b\x44\x24\x20\x85\xc0\x90\xe9\xfe\x01'
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

# SERVER FILE OLD NEW...: replaces all occurrences of OLD in a file. OLD must occur, and NEW must be as long.
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
package_list=$(missing_packages | sort -u)
server_list=$(missing_servers)
packages=$(names <<<"$package_list")
servers=$(names <<<"$server_list")
if [ -n "$packages$servers" ]; then
    command -v apt-get >/dev/null || die "apt-get not found; install manually: $packages $servers"
    if [ -n "$packages" ]; then need_root $packages; fi
    if [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; then
        as_root apt-get update -qq || say "apt-get update failed; continuing with the existing package lists"
    fi
fi
if [ -n "$packages" ]; then
    say "installing Debian packages:"
    list <<<"$package_list"
    install_packages $packages
fi
if [ -n "$servers" ]; then
    say "unpacking servers from Debian packages into .tools/:"
    list <<<"$server_list"
fi
for server in $servers; do unpack_server "$server"; done
if ! has_python; then
    say "installing Python packages from PyPI into $python:"
    sed '/^$/d' <<<"$wheels" | list
    install_python
fi
still=$(missing_packages | names)
[ -z "$still" ] || die "still missing after installation: $still"
say "all dependencies are installed"
