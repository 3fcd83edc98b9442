"""Findings in nats-server and TinyMUX."""
import time

from .model import Finding
from .wire import Client


def wildcard(server):
    bob, alice = Client(server, "bob"), Client(server, "alice")
    bob.quiet = alice.quiet = True
    bob.send(b'CONNECT {"verbose":false}\r\nSUB > 1\r\nPING\r\n')
    bob.until(rb"PONG", 5)
    alice.send(b'CONNECT {"verbose":false,"pedantic":true}\r\n')
    bob.quiet = alice.quiet = False
    alice.send(b"PUB foo.* 2\r\nhi\r\n")
    refused = alice.until(rb"-ERR", 5)
    return refused is not None and bob.until(rb"MSG foo\.\*", 5) is not None


def tinymux(server, name):
    """Returns a client that has created a character."""
    client = Client(server, name, quiet=True)
    client.send(f"create {name} sesame\r\nthink logged-in\r\n".encode())
    if client.until(rb"logged-in\r\n", 10) is None:
        raise SystemExit(f"{name} could not log in")
    client.quiet = False
    return client


def leading_spaces(server):
    bob, alice = tinymux(server, "bob"), tinymux(server, "alice")
    alice.send(b"say/noeval   text\r\n")
    return (bob.until(rb"says", 5) or b"").endswith(b'"text"\r')


def utf8(server):
    bob, alice = tinymux(server, "bob"), tinymux(server, "alice")
    alice.send("say/noeval 5 \u20ac\r\n".encode())
    return "\u20ac".encode() not in (bob.until(rb"says", 5) or "\u20ac".encode())


def delay(server):
    """Tries many times, because Linux delays acknowledgements only after some exchanges."""
    bob, alice = tinymux(server, "bob"), tinymux(server, "alice")
    bob.quiet = alice.quiet = True
    longest = 0
    for _ in range(40):
        bob.send(b"think a\r\n")
        bob.until(rb"a\r\n", 5)
        bob.send(b"think b\r\n")
        time.sleep(0.002)
        begin = time.monotonic()
        alice.send(b"say c\r\n")
        bob.until(rb"says", 5)
        longest = max(longest, time.monotonic() - begin)
    server.note("of 40 lines, some arrive more than 20 ms late" if longest > 0.02 else "no line is late")
    return longest > 0.02


NATS = [
    Finding("", "A message to an invalid subject is refused, but delivered anyway", wildcard),
]
TINYMUX = [
    Finding("`frame.ws:text`, `esc.roundtrip:ends`", "Spaces at the start of a message are lost, even with "
            "`space_compress no`", leading_spaces),
    Finding("`frame.ctrl:mark`", "UTF-8 text is changed. Until a client negotiates UTF-8 over telnet, the server "
            "assumes Latin-1 and replaces the bytes 80 to 9F", utf8),
    Finding("", "The server does not set `TCP_NODELAY`. If a client has not acknowledged a line yet, the next line "
            "waits for the acknowledgement, for 40 to 50 ms on Linux", delay),
]
