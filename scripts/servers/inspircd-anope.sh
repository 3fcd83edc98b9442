#!/bin/sh
# inspircd-anope.sh PORT DIR: like inspircd.sh, with Anope as services, so that users can log in by SASL. There are
# accounts, among them `tester` with the password `sesame`. The server accepts clients when the services are connected.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$here/../.." && pwd)/.tools/anope
[ -e "$tools/.complete" ] || { echo "$0: Anope is not in $tools; run scripts/setup.sh" >&2; exit 69; }

# The services connect to the same port on a separate loopback address.
link=127.54.$((port / 256)).$((port % 256))
services="$dir/anope"
mkdir -p "$services"
cat >"$dir/more.conf" <<END
<module name="sasl">
<module name="hidechans">
<module name="servprotect">
<module name="svshold">
<uline server="services.example.test" silent="yes">
<sasl target="services.example.test">
<bind address="$link" port="$port" type="servers">
<link name="services.example.test" ipaddr="$link" port="$port" allowmask="127.0.0.0/8"
    sendpass="linkpass" recvpass="linkpass">
END
cat >"$services/services.conf" <<END
uplink { host = "$link"; port = $port; password = "linkpass" }
serverinfo {
    name = "services.example.test"; description = "Anope for tests"
    pid = "$services/anope.pid"; motd = "$dir/motd.txt"
}
networkinfo {
    networkname = "TestNet"; nicklen = 30; userlen = 10; hostlen = 64; chanlen = 64; modelistsize = 100
    vhost_chars = "abc"
}
options {
    casemap = "rfc1459"; seed = 1; readtimeout = 5s; warningtimeout = 4h; retrywait = 1s; timeoutcheck = 3s
    updatetimeout = 5m; expiretimeout = 30m
}
module { name = "inspircd3" }
module { name = "m_sasl" }
module { name = "enc_none" }
module { name = "db_flatfile"; database = "anope.db"; keepbackups = 0 }
service { nick = "NickServ"; user = "services"; host = "services.example.test"; gecos = "Nickname service" }
module { name = "nickserv"; client = "NickServ" }
module { name = "ns_identify" }
command { service = "NickServ"; name = "IDENTIFY"; command = "nickserv/identify" }
END
# ACCOUNT PASSWORD: prints an entry of the database of accounts.
account() {
    cat <<DB
OBJECT NickCore
DATA display $1
DATA pass plain:$(printf %s "$2" | base64 -w 0)
DATA email $1@example.test
DATA memomax 0
END
OBJECT NickAlias
DATA nick $1
DATA nc $1
DATA time_registered 1600000000
DATA last_seen 4000000000
END
DB
}

# TEXT COUNT: prints the text COUNT times.
repeated() { printf "$1%.0s" $(seq "$2"); }

{
    account tester sesame
    account other opensesame
    account accented "$(repeated é 99)"
    account large "$(repeated x 288)"
    account enormous "$(repeated x 450)"
    account giant "$(repeated x 588)"
} >"$services/anope.db"

"$here/inspircd.sh" "$port" "$dir" "$dir/more.conf" &
server=$!
"$tools/usr/sbin/anope" --confdir="$services" --dbdir="$services" --logdir="$services" \
    --localedir="$tools/usr/share/locale" --modulesdir="$tools/usr/lib/anope" --nofork >"$services/output" 2>&1 &
until grep -q 'Services) is done syncing\|for tests) is done syncing' "$services/output"; do
    kill -0 "$server" 2>/dev/null || { echo "$0: InspIRCd ended" >&2; exit 69; }
    sleep 0.1
done
echo "<bind address=\"127.0.0.1\" port=\"$port\" type=\"clients\">" >>"$dir/more.conf"
kill -HUP "$server"
wait "$server"
