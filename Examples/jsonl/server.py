"""A chat server that speaks JSON lines. Usage: python3 server.py PORT"""

import asyncio
import json
import sys

people = {}  # name: StreamWriter
rooms = {}  # room: set of names


def send(writer, kind, **message):
    line = json.dumps({"type": kind} | message, ensure_ascii=False)
    writer.write(line.encode() + b"\n")


def is_name(text):
    return 0 < len(text) < 64 and text.isprintable()


def handle(message, name, writer):
    """Carries out a command, and returns the name of the user."""
    match message:
        case {"type": "ping", "token": str(token)}:
            send(writer, "pong", token=token)
        case {"type": "login", "name": str(new)} if new not in people and not name and is_name(new):
            people[new] = writer
            send(writer, "welcome", name=new)
            return new
        case {"type": "send", "to": str(to), "text": str(text)} if name and to in people:
            send(people[to], "message", **{"from": name}, text=text)
        case {"type": "join", "room": str(room)} if name:
            members = rooms.setdefault(room, set())
            members.add(name)
            send(writer, "joined", room=room, members=sorted(members))
        case {"type": "leave", "room": str(room)} if name in rooms.get(room, ()):
            rooms[room].remove(name)
            send(writer, "left", room=room)
        case {"type": "say", "room": str(room), "text": str(text)} if name in rooms.get(room, ()):
            for member in rooms[room] - {name}:
                send(people[member], "message", **{"from": name}, room=room, text=text)
        case _:
            send(writer, "error", reason="this command is unknown or not possible now")
    return name


async def chat(reader, writer):
    name = None
    try:
        while True:
            line = await reader.readuntil(b"\n")
            try:
                message = json.loads(line) if line.strip() else None
                if message == {"type": "quit"}:
                    break
                if message is not None:
                    name = handle(message, name, writer)
            except (ValueError, RecursionError) as error:
                send(writer, "error", reason=str(error))
            await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        pass  # the client disconnected, or sent an overlong line
    finally:
        people.pop(name, None)
        for members in rooms.values():
            members.discard(name)
        writer.close()


async def main(port):
    server = await asyncio.start_server(chat, "127.0.0.1", port, limit=65535)
    await server.serve_forever()


asyncio.run(main(int(sys.argv[1])))
