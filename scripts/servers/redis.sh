#!/bin/sh
# redis.sh PORT DIR: runs redis-server in the foreground on 127.0.0.1:PORT, without saving anything, with DIR as its
# working directory.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
command -v redis-server >/dev/null || { echo "$0: redis-server not found; run scripts/setup.sh" >&2; exit 69; }

mkdir -p "$2"
exec redis-server --bind 127.0.0.1 --port "$1" --dir "$2" --save '' --appendonly no --maxclients 4096
