#!/bin/sh
# aiosmtpd-haproxy.sh PORT [DIR]: runs aiosmtpd in the foreground on 127.0.0.1:PORT. Each connection must start with a header
# of the PROXY protocol, version 1 or 2; the answer to EHLO names the client's address in that header.
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: $0 PORT [DIR]" >&2; exit 64; }
python=$(cd -P "$(dirname "$0")/../.." && pwd)/.tools/python
[ -x "$python/bin/aiosmtpd" ] || { echo "$0: aiosmtpd not found; run scripts/setup.sh" >&2; exit 69; }
exec "$python/bin/python3" -c '
import asyncio, sys
from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import SMTP

class Handler(Sink):
    async def handle_PROXY(self, server, session, envelope, proxy_data):
        return True

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        data = session.proxy_data
        return responses[:-1] + [f"250-client {data.src_addr} {data.src_port}", responses[-1]]

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(Handler(), loop=loop, proxy_protocol_timeout=5),
        "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()

asyncio.run(main())
' "$1"
