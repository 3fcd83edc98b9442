#!/bin/sh
# miniircd.sh PORT DIR: runs miniircd from PyPI in the foreground on 127.0.0.1:PORT, with its files in DIR.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
python=$(cd "$(dirname "$0")/../.." && pwd)/.tools/python/bin
[ -e "$python/miniircd" ] || { echo "$0: no miniircd in $python; run scripts/setup.sh" >&2; exit 69; }

# It runs as root only on request.
if [ "$(id -u)" = 0 ]; then user='--setuid root'; else user=; fi
cd "$dir"
# It listens with a backlog of five, so Linux delays connections by a second when several clients connect at once.
# shellcheck disable=SC2086  # $user is two words or none
exec "$python/python" -c 'import socket, _socket, miniircd
socket.socket.listen = lambda self, backlog: _socket.socket.listen(self, 1024)
miniircd.main()' --listen 127.0.0.1 --ports "$port" $user
