#!/bin/sh
# inspircd-websocket.sh PORT DIR: like inspircd.sh, but clients connect with WebSocket.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
mkdir -p "$2"
dir=$(cd "$2" && pwd)
cat >"$dir/websocket.conf" <<END
<module name="sha1">
<module name="websocket">
<websocket defaultmode="text">
<wsorigin allow="http://127.0.0.1:*">
<bind address="127.0.0.1" port="$1" type="clients" hook="websocket">
END
exec "$(cd "$(dirname "$0")" && pwd)/inspircd.sh" "$1" "$dir" "$dir/websocket.conf"
