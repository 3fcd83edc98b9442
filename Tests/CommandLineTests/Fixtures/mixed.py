"""A chat server that receives `VERB|argument` and sends JSON lines. Usage: mixed.py PORT"""

import asyncio
import json
import sys

people = {}


def send(writer, kind, **message):
    writer.write(json.dumps({"type": kind} | message).encode() + b"\n")


async def chat(reader, writer):
    name = None
    try:
        while True:
            line = (await reader.readuntil(b"\n"))[:-1].decode(errors="replace")
            verb, rest, *_ = line.split("|") + [""]
            if verb == "PING" and rest:
                send(writer, "pong", token=rest)
            elif verb == "LOGIN" and rest and not name and rest not in people:
                name = rest
                people[name] = writer
                send(writer, "welcome", name=name)
            elif verb == "SAY" and name:
                for other in people.values():
                    if other is not writer:
                        send(other, "said", **{"from": {"name": name}}, text=rest)
            elif verb:
                send(writer, "error", reason="not possible: " + verb)
            await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        pass
    finally:
        people.pop(name, None)
        writer.close()


async def main(port):
    server = await asyncio.start_server(chat, "127.0.0.1", port, limit=1023)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1])))
