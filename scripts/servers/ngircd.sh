#!/bin/sh
# ngircd.sh PORT DIR [PASSWORD]: runs ngIRCd in the foreground on 127.0.0.1:PORT, without throttling, with its files
# in DIR. It has the operator `oper` with the password `operpass`. Clients must send PASSWORD if it is given.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: $0 PORT DIR [PASSWORD]" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
PATH=$PATH:/usr/sbin
command -v ngircd >/dev/null || { echo "$0: ngircd not found; run scripts/setup.sh" >&2; exit 69; }

# If started by root, it switches to the user `irc` of Debian's base system.
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
${3:+Password = $3}
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
[Operator]
Name = oper
Password = operpass
END
command -v python3 >/dev/null || exec ngircd --nodaemon --config "$dir/ngircd.conf"
# ngIRCd listens with a backlog of ten, so when thousands of clients connect within seconds, Linux resets some of them
# after a minute. Like systemd's socket activation, this passes it a socket with a longer backlog.
exec python3 - "$port" ngircd --nodaemon --config "$dir/ngircd.conf" <<'END'
import os, socket, sys
port, command = int(sys.argv[1]), sys.argv[2:]
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", port))
listener.listen(4096)
listener.setblocking(False)
if listener.fileno() != 3:
    os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.execvpe(command[0], command, dict(os.environ, LISTEN_FDS="1", LISTEN_PID=str(os.getpid())))
END
