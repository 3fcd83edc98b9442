#!/bin/sh
# irc.sh PORT DIR: runs the server in the package `irc` from PyPI in the foreground on 127.0.0.1:PORT.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
python=$(cd "$(dirname "$0")/../.." && pwd)/.tools/python/bin
"$python/python" -c 'import irc.server' 2>/dev/null || {
    echo "$0: no package irc in $python; run scripts/setup.sh" >&2
    exit 69
}
exec "$python/python" -m irc.server --address 127.0.0.1 --port "$port"
