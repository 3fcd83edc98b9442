#!/bin/sh
# beanstalkd.sh PORT: runs beanstalkd in the foreground on 127.0.0.1:PORT.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 PORT" >&2; exit 64; }
command -v beanstalkd >/dev/null || { echo "$0: beanstalkd not found; run scripts/setup.sh" >&2; exit 69; }

exec beanstalkd -l 127.0.0.1 -p "$1"
