#!/bin/sh
# ircd-ircu.sh PORT DIR: runs ircd-ircu, the server of Undernet, in the foreground on 127.0.0.1:PORT with its files in
# DIR. scripts/setup.sh has removed its limit on the rate of commands, which cannot be configured. It has the
# operator `oper` with the password `operpass`.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools/ircd-ircu
[ -e "$tools/.complete" ] || { echo "$0: ircd-ircu is not in $tools; run scripts/setup.sh" >&2; exit 69; }

cat >"$dir/ircd.conf" <<END
General { name = "irc7.example.test"; description = "ircd-ircu for tests"; vhost = "127.0.0.1"; numeric = 1; };
Admin { Location = "tests"; Location = "tests"; Contact = "nobody@example.test"; };
Class { name = "tests"; pingfreq = 1 hours; sendq = 16000000; maxlinks = 10000; };
Client { ip = "127.*"; class = "tests"; maxlinks = 65535; };
Operator { host = "*@*"; name = "oper"; password = "\$PLAIN\$operpass"; class = "tests"; local = no; };
Port { vhost = "127.0.0.1"; port = $port; };
Features {
    "PPATH" = "ircd.pid";
    "MPATH" = "ircd.motd";
    "NETWORK" = "TestNet";
    "NODNS" = "TRUE";
    "NOIDENT" = "TRUE";
    "IPCHECK_CLONE_LIMIT" = "100000";
    "CLIENT_FLOOD" = "1000000";
    "MAXCHANNELSPERUSER" = "1000";
    "NICKLEN" = "15";
};
END
echo "Hello from ircd-ircu" >"$dir/ircd.motd"
# The binary is patched by scripts/setup.sh to run with at most 16,384 open files.
ulimit -n 16384 2>/dev/null || true
set -- "$tools/usr/sbin/ircd-ircu" -n -f "$dir/ircd.conf" -d "$dir"
# It refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 "$dir" "$dir/ircd.conf" "$dir/ircd.motd"
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups --pdeathsig=keep \
        --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
fi
exec "$@"
