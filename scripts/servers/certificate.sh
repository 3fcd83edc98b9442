#!/bin/sh
# certificate.sh DIR: writes a self-signed certificate for 127.0.0.1 to DIR/cert.pem and its key to
# DIR/key.pem. Server scripts call it.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 64; }
command -v openssl >/dev/null || { echo "$0: openssl not found; run scripts/setup.sh" >&2; exit 69; }
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout "$1/key.pem" -out "$1/cert.pem" 2>/dev/null
