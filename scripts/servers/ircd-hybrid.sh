#!/bin/sh
# ircd-hybrid.sh PORT DIR: runs ircd-hybrid in the foreground on 127.0.0.1:PORT, without throttling, with its files
# in DIR. It has the operator `oper` with the password `operpass`.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$here/../.." && pwd)/.tools/ircd-hybrid
[ -e "$tools/.complete" ] || { echo "$0: ircd-hybrid is not in $tools; run scripts/setup.sh" >&2; exit 69; }

cat >"$dir/ircd.conf" <<END
serverinfo {
    name = "irc3.example.test";
    description = "ircd-hybrid for tests";
    network_name = "TestNet";
    sid = "3TT";
    max_nick_length = 30;
    max_topic_length = 300;
    default_max_clients = 2000;
};
class {
    name = "tests";
    ping_time = 3600 seconds;
    number_per_ip_local = 100000;
    number_per_ip_global = 100000;
    max_number = 100000;
    max_channels = 1000;
    sendq = 16 megabytes;
    recvq = 8000 bytes;  # the maximum; larger values fall back to 2560
};
listen {
    host = "127.0.0.1";
    port = $port;
};
auth {
    user = "*@127.0.0.0/8";
    class = "tests";
    flags = can_flood, no_tilde;
};
operator {
    name = "oper";
    user = "*@*";
    password = "operpass";
    encrypted = no;
    class = "tests";
    umodes = wallop;
    flags = kill, wallops, remote, admin, die, kline, rehash, globops, locops;
};
channel {
    max_channels = 1000;
    default_join_flood_count = 0;
    default_join_flood_time = 0;
};
general {
    disable_auth = yes;
    ping_cookie = no;
    invisible_on_connect = no;
    anti_nick_flood = no;
    anti_spam_exit_message_time = 0;
    default_floodcount = 0;
    default_floodtime = 0;
    max_targets = 20;
    pace_wait = 0;
    pace_wait_simple = 0;
    caller_id_wait = 0;
    throttle_count = 1000000;
    throttle_time = 1 second;
};
END

set -- "$tools/usr/sbin/ircd-hybrid" -foreground -configfile "$dir/ircd.conf" -pidfile "$dir/ircd.pid" \
    -logfile "$dir/ircd.log" -klinefile "$dir/kline.db" -dlinefile "$dir/dline.db" \
    -xlinefile "$dir/xline.db" -resvfile "$dir/resv.db"
# The binary, patched by scripts/setup.sh, reads its modules from file descriptor 9 and its resolver
# configuration from file descriptor 8: a name server on a loopback address derived from the port.
name_server=127.53.$((port / 256)).$((port % 256))
echo "nameserver $name_server" >"$dir/resolv.conf"
exec 9<"$tools/usr/lib/ircd-hybrid/modules" 8<"$dir/resolv.conf"
set -- python3 "$here/no-dns.py" "$name_server" 10053 "$@"

# ircd-hybrid refuses to run as root. Switch to nobody, but keep read access to all files, so that neither
# the project nor DIR has to be world-readable.
if [ "$(id -u)" = 0 ]; then
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups --pdeathsig=keep \
        --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
fi
exec "$@"
