#!/bin/sh
# ircd-irc2.sh PORT DIR: runs ircd-irc2, the original server in its current version, in the foreground on
# 127.0.0.1:PORT with its files in DIR. scripts/setup.sh has removed its limits on the rate of commands and of
# connections, which cannot be configured. It has the operator `oper` with the password `operpass`.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools/ircd-irc2
[ -e "$tools/.complete" ] || { echo "$0: ircd-irc2 is not in $tools; run scripts/setup.sh" >&2; exit 69; }

# The operator's password is that of `openssl passwd -1 -salt linejudg operpass`.
# M: name, P: port, Y: class (ping time, links, queue, clients per address), I: clients, O: operator.
cat >"$dir/ircd.conf" <<END
M%irc5.example.test%%ircd-irc2 for tests%$port%000A
A%tests%tests <nobody@example.test>%tests%%TestNet%
Y%10%3600%%100000%16000000%100000.100000%100000.100000%
I%*@127.0.0.0/8%%%%10%%
O%*@*%\$1\$linejudg\$fDvtKGGjHAVTdieJ7ClFC/%oper%%10%%
P%127.0.0.1%%%$port%%
END
set -- "$tools/usr/sbin/ircd" -t -s -p off -p standalone -T "$dir/ircd.tune"
# The binary, patched by scripts/setup.sh, reads ircd.conf from its working directory.
cd "$dir"
# It refuses more open files than it was built for.
ulimit -n 16384 2>/dev/null || true
# It refuses to run as root, and so does the m4 it reads its configuration with.
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 "$dir" "$dir/ircd.conf"
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups --pdeathsig=keep \
        --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
fi
exec "$@"
