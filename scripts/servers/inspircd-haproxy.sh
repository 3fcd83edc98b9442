#!/bin/sh
# inspircd-haproxy.sh PORT DIR: like inspircd.sh, but each connection must start with a header of the PROXY protocol,
# version 2.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
mkdir -p "$2"
dir=$(cd "$2" && pwd)
cat >"$dir/haproxy.conf" <<END
<module name="haproxy">
<bind address="127.0.0.1" port="$1" type="clients" hook="haproxy">
END
exec "$(cd "$(dirname "$0")" && pwd)/inspircd.sh" "$1" "$dir" "$dir/haproxy.conf"
