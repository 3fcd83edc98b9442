"""A chat server with one room for the tilde.yaml protocol. Usage: python3 server.py PORT"""

import asyncio
import re
import sys

ESCAPED = {"^": "^^", "~": "^t", "\r": "^r"}
LETTERS = {"^": "^", "t": "~", "r": "\r"}
people = {}  # name: StreamWriter


def encode(*fields):
    escaped = ("".join(ESCAPED.get(c, c) for c in field) for field in fields)
    return "~".join(escaped).encode("latin-1") + b"\r"


def decode(line):
    fields = line.decode("latin-1").removesuffix("\r").split("~")
    return [re.sub(r"\^(.?)", lambda m: LETTERS.get(m[1], m[1]), f) for f in fields]


async def chat(reader, writer):
    name = None
    try:
        while True:
            verb, argument, *_ = decode(await reader.readuntil(b"\r")) + [""]
            if verb == "HI" and argument and not name and argument not in people:
                name = argument
                people[name] = writer
                writer.write(encode("OK", name))
            elif verb == "SAY" and name:
                for other in people.values():
                    if other is not writer:
                        other.write(encode("SAID", name, argument))
            elif verb == "PING":
                writer.write(encode("PONG", argument))
            elif verb:
                writer.write(encode("ERR", "cannot " + verb))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        pass  # the client disconnected, or sent an overlong line
    finally:
        people.pop(name, None)
        writer.close()


async def main(port):
    server = await asyncio.start_server(chat, "127.0.0.1", port, limit=1023)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1])))
