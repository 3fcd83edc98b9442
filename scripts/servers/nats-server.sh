#!/bin/sh
# nats-server.sh PORT DIR [websocket]: runs nats-server in the foreground on 127.0.0.1:PORT, without throttling, with
# its files in DIR. With `websocket`, clients connect with WebSocket.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: $0 PORT DIR [websocket]" >&2; exit 64; }
port=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
PATH=$PATH:/usr/sbin
command -v nats-server >/dev/null || { echo "$0: nats-server not found; run scripts/setup.sh" >&2; exit 69; }

listener="port: $port"
if [ "${3:-}" = websocket ]; then
    # A port for clients without WebSocket cannot be left out; -1 is any free one.
    listener="port: -1
websocket { host: \"127.0.0.1\", port: $port, no_tls: true }"
fi
cat >"$dir/nats.conf" <<END
server_name: nats.example.test
host: "127.0.0.1"
$listener
max_connections: 100000
max_subscriptions: 0
ping_interval: "1h"
END
exec nats-server -c "$dir/nats.conf"
