"""A chat server whose commands are one byte and whose messages have a length, as in RESP.

Usage: counted.py PORT [lines]. With `lines`, it reads messages as lines instead of by their length.
"""

import asyncio
import sys

people = {}


async def chat(reader, writer):
    name = None
    try:
        while True:
            line = (await reader.readuntil(b"\r\n"))[:-2]
            verb, rest = line[:1], line[1:]
            size = rest.split(b" ")[0]
            if verb == b"$" and size.isdigit() and int(size) <= 4096:
                if "lines" in sys.argv:
                    text = (await reader.readuntil(b"\r\n"))[:-2]
                else:
                    text = (await reader.readexactly(int(size) + 2))[:-2]
                if not name:
                    writer.write(b"-log in first\r\n")
                for other in people.values() if name else ():
                    if other is not writer:
                        other.write(b">%s %d\r\n%s\r\n" % (name, len(text), text))
            elif verb == b"$":
                writer.write(b"-invalid length\r\n")
                if size.isdigit():
                    break
            elif verb == b"?" and rest:
                writer.write(b"!" + rest + b"\r\n")
            elif verb == b"@" and rest and b" " not in rest and not name and rest not in people:
                name = rest
                people[name] = writer
                writer.write(b"+" + rest + b"\r\n")
            elif verb:
                writer.write(b"-unknown\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        pass
    finally:
        people.pop(name, None)
        writer.close()


async def main(port):
    server = await asyncio.start_server(chat, "127.0.0.1", port, limit=255)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1])))
