"""A server for the made-up protocol: relays what is said to everybody, escapes as they came."""
import asyncio
import sys

writers = {}


async def serve(reader, writer):
    name = ""
    try:
        while True:
            line = (await reader.readuntil(b"\r"))[:-1].decode()
            verb, _, rest = line.partition("~")
            if verb == "HI":
                name, writers[writer] = rest, rest
                writer.write(f"WELCOME~{rest}~{len(writers)}\r".encode())
            elif verb == "PING":
                writer.write(f"PONG~{rest}\r".encode())
            elif verb == "SAY":
                for other in writers:
                    other.write(f"SAID~{name}~{rest}\r".encode())
    except asyncio.IncompleteReadError:
        pass
    finally:
        writers.pop(writer, None)
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    async with server:
        await server.serve_forever()


asyncio.run(main())
