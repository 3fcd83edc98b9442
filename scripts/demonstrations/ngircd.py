"""Findings in ngIRCd."""
import time

from .irc_common import changes, repeats_as_is, repeats_empty
from .model import Finding
from .wire import Client, irc


def spoofed(server):
    carol, alice = irc(server, "carol", quiet=True), irc(server, "alice")
    alice.send(b":carol PRIVMSG alice :forged\r\n")
    closed = alice.closes(5) is not None and b"Spoofed prefix" in alice.buffer
    carol.close()
    return closed


def nul(server):
    alice = irc(server, "alice")
    alice.send(b"PRIVMSG alice :a\0b\r\n")
    alice.send(b"PING still-there\r\n")
    return alice.until(rb"still-there", 5) is None and alice.end is None


def long_line(count):
    def demonstrate(server):
        alice = irc(server, "alice")
        alice.send(b"PRIVMSG alice :" + b"x" * count + b"\r\n")
        alice.send(b"PING still-there\r\n")
        blocked = alice.until(rb"still-there", 5) is None and alice.end is None
        spins = server.is_busy()
        server.note("a CPU core is busy" if spins else "no CPU core is busy")
        return blocked and spins
    return demonstrate


def pieces(server):
    """If the same line arrives in one write, the server sends an error and closes the connection."""
    alice = irc(server, "alice")
    alice.send(b"PRIVMSG alice :" + b"x" * 600)
    time.sleep(0.2)
    alice.send(b"\r\n")
    alice.send(b"PING still-there\r\n")
    return alice.until(rb"still-there", 5) is None and alice.end is None


def binary(server):
    visitor = Client(server, "visitor")
    was_busy = server.is_busy()
    visitor.send(b"AB\nCD\0EF\n" * 100)
    time.sleep(0.5)
    visitor.close()
    spins = not was_busy and server.is_busy()
    server.note("a CPU core is busy after the connection is closed" if spins else "no CPU core is busy")
    return spins


def half_close(server):
    """Tries several times, because the server loses answers only sometimes."""
    missing = 0
    for turn in range(20):
        alice = irc(server, f"half{turn}", quiet=True)
        alice.send(b"".join(b"PING %d\r\n" % number for number in range(200)), fin=True)
        while not alice.end and alice.pull(5):
            pass
        missing += alice.buffer.count(b" PONG ") < 200
        alice.close()
    server.note("20 times: 200 times `PING` and FIN; not every time there are 200 answers"
                if missing else "20 times: 200 times `PING` and FIN; always 200 answers")
    return missing > 0


FINDINGS = [
    Finding("`frame.nul`", "After a line that contains a NUL, the server neither answers the client nor closes the "
            "connection. RFC 2812 §2.3.1 forbids NUL but does not say how to handle it", nul),
    Finding("`frame.max:over`", "After a line of 2050 bytes or more, the server stops answering the client. The "
            "client's name stays taken, and one CPU core runs at 100%, until the ping timeout", long_line(2100)),
    Finding("`frame.max:huge`", "The same happens after a line of one megabyte", long_line(1 << 20)),
    Finding("`frame.max:over`", "If a line of 513 bytes or more arrives in several writes, the server stops answering "
            "the client. If it arrives in one write, the server sends an error and closes the connection. Only "
            "`run --segment all` finds this, because the check sends the line in one write", pieces),
    Finding("`esc.roundtrip:ends`, `frame.ws:text`", "A space at the end of a message is lost, although RFC 2812 "
            "§2.3.1 allows spaces in `trailing`", changes(b"PRIVMSG #c :text ", b":text")),
    Finding("`inj.source:ignored`", "The server closes the connection after a line that names another user as its "
            "source (RFC 1459 §2.3: *must ignore the message silently*)", spoofed),
    Finding("`half.close`", "If a client sends 50 or more commands before a half-close, the server occasionally "
            "fails to answer some of them. Only scenarios find this, because the check sends two requests", half_close),
    Finding("`reply.shape:separator`, `reply.shape:marker`", "Replies repeat an argument unchanged, even if it "
            "contains a space or starts with a colon. Only the last argument of a line may do so (RFC 2812 §2.3.1), "
            "so clients misread the arguments of such a reply", repeats_as_is),
    Finding("`reply.shape:empty`", "Replies also repeat an empty argument, so clients see one argument too few",
            repeats_empty(b"MOTD :")),
    Finding("`frame.foreign`", "After binary data that contains NULs, even before a login, the server keeps a CPU "
            "core busy, and continues to do so after the connection is closed", binary),
]
