#!/bin/sh
# ngircd.sh PORT DIR: ngIRCd in the foreground on 127.0.0.1:PORT, its files in DIR. Nothing throttled.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
PATH=$PATH:/usr/sbin
command -v ngircd >/dev/null || { echo "$0: no ngircd; run scripts/setup.sh" >&2; exit 69; }

# Started by root it becomes the user that Debian's base system has for this.
drop=
if [ "$(id -u)" = 0 ]; then
    drop='ServerUID = irc
ServerGID = irc'
fi

cat >"$dir/ngircd.conf" <<END
[Global]
Name = irc.example.test
Info = ngIRCd for tests
Network = TestNet
AdminInfo1 = tests
AdminEMail = nobody@example.test
Listen = 127.0.0.1
Ports = $port
MotdPhrase = Hello from ngIRCd
$drop
[Limits]
MaxConnections = 0
MaxConnectionsIP = 0
MaxJoins = 0
MaxPenaltyTime = 0
MaxNickLength = 30
PingTimeout = 3600
PongTimeout = 3600
[Options]
DNS = no
Ident = no
PAM = no
SyslogFacility = local1
END
exec ngircd --nodaemon --config "$dir/ngircd.conf"
