#!/bin/sh
# aiosmtpd.sh PORT [DIR]: runs aiosmtpd, an SMTP server in Python that drops all mail, in the foreground on
# 127.0.0.1:PORT. With DIR, it offers STARTTLS, and writes its self-signed certificate to DIR/cert.pem.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 PORT [DIR]" >&2; exit 64; }
python=$(dirname "$0")/../../.tools/python
[ -x "$python/bin/aiosmtpd" ] || { echo "$0: aiosmtpd not found; run scripts/setup.sh" >&2; exit 69; }

if [ $# -ge 2 ]; then
    mkdir -p "$2"
    "$(dirname "$0")/certificate.sh" "$2"
    set -- "$1" "$2" --tlscert "$2/cert.pem" --tlskey "$2/key.pem" --no-requiretls
else
    set -- "$1" ''
fi
port=$1
shift 2
exec "$python/bin/aiosmtpd" -n -l "127.0.0.1:$port" "$@" -c aiosmtpd.handlers.Sink
