#!/bin/sh
# aiosmtpd.sh PORT: runs aiosmtpd, an SMTP server in Python that drops all mail, in the foreground on 127.0.0.1:PORT.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 PORT" >&2; exit 64; }
python=$(dirname "$0")/../../.tools/python
[ -x "$python/bin/aiosmtpd" ] || { echo "$0: aiosmtpd not found; run scripts/setup.sh" >&2; exit 69; }

exec "$python/bin/aiosmtpd" -n -l "127.0.0.1:$1" -c aiosmtpd.handlers.Sink
