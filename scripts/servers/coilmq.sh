#!/bin/sh
# coilmq.sh PORT: runs CoilMQ, a STOMP broker in Python, in the foreground on 127.0.0.1:PORT.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 PORT" >&2; exit 64; }
python=$(dirname "$0")/../../.tools/python
[ -x "$python/bin/coilmq" ] || { echo "$0: coilmq not found; run scripts/setup.sh" >&2; exit 69; }

exec "$python/bin/coilmq" -b 127.0.0.1 -p "$1"
