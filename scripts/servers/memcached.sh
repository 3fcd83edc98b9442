#!/bin/sh
# memcached.sh PORT: runs memcached in the foreground on 127.0.0.1:PORT.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 PORT" >&2; exit 64; }
command -v memcached >/dev/null || { echo "$0: memcached not found; run scripts/setup.sh" >&2; exit 69; }

# memcached refuses to run as root.
exec memcached -l 127.0.0.1 -p "$1" -U 0 -m 64 -c 4096 -u nobody
