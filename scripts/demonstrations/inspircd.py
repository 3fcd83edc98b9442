"""Findings in InspIRCd."""
import socket
import time

from .irc_common import name_stays_taken_after_megabyte, repeats_as_is, repeats_empty, runs_as_sender
from .model import Finding
from .wire import Client, irc, taken


def stale_session(data):
    """Tries several times, because the server has to read the FIN together with the data."""
    def demonstrate(server):
        for turn in range(8):
            nick = f"ghost{turn}"
            alice = irc(server, nick, "#c")
            server.evidence.clear()
            alice.send(data, fin=True)
            alice.close()
            if taken(server, nick, 8):
                return True
        return False
    return demonstrate


def churn(server):
    for _ in range(200):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"NO")
        client.close()
    time.sleep(15)
    held = server.close_waits()
    print(f"      {held} of 200")
    server.note("200 times: connect, send `NO`, close; 15 s later, "
                + ("some" if held else "none") + " of the server's sockets are in CLOSE_WAIT")
    return held > 0


def huge(server):
    held = name_stays_taken_after_megabyte(server)
    waits = server.close_waits() > 0
    server.note("a socket is in CLOSE_WAIT" if waits else "no socket is in CLOSE_WAIT")
    return held and waits


def half_close(server):
    for turn in range(5):
        server.evidence.clear()
        alice = irc(server, f"half{turn}")
        alice.send(b"PING request\r\n", fin=True)
        if alice.until(rb"PONG", 5) is not None and alice.closes(8) is None:
            return True
        alice.close()
    return False


def pipelined(server):
    dora = Client(server, "dora")
    dora.send(b"NICK dora\r\nUSER u 0 * :u\r\nJOIN #early\r\n")
    return dora.until(rb" 451 ", 5) is not None


def labelled_quit(server):
    alice = irc(server, "alice")
    alice.send(b"CAP REQ :labeled-response batch\r\n")
    alice.until(rb"CAP .* ACK", 5)
    alice.send(b"@label=bye QUIT\r\n")
    alice.closes(5)
    return alice.end is not None and b"label=bye" not in alice.buffer


FINDINGS = [
    Finding("`leak.churn`", "If a client closes its connection in the middle of a line, the server sometimes never "
            "closes its side: the sockets stay in CLOSE_WAIT, and the server has an open file for each of them", churn),
    Finding("`reconn.mid`, `frame.eof:whole`", "A line in the same segment as FIN leaves a stale session: the "
            "client is gone, but its name stays taken. This does not happen every time",
            stale_session(b"PRIVMSG #c :the last words\r\n")),
    Finding("`frame.eof:part`", "The same happens with part of a line", stale_session(b"PRIVMSG #c :the last wo")),
    Finding("`frame.max:huge`", "A megabyte without a terminator, followed by FIN, leaves a stale session every "
            "time, although the server has read all data within two seconds", huge),
    Finding("`half.close`", "The server answers a request in the same segment as FIN, but never closes the "
            "connection", half_close),
    Finding("`inj.source:ignored`", "A line that names another user as its source is executed as if it were the "
            "sender's own (RFC 1459 §2.3: *must ignore the message silently*)", runs_as_sender),
    Finding("`pipe.preauth`", "Commands sent in the same write as the login are lost, because the server completes "
            "registrations only once a second", pipelined),
    Finding("`reply.shape:separator`, `reply.shape:marker`", "Replies repeat an argument unchanged, even if it "
            "contains a space or starts with a colon (RFC 2812 §2.3.1)", repeats_as_is),
    Finding("`reply.shape:empty`", "Replies also repeat an empty argument, so clients see one argument too few",
            repeats_empty(b"VERSION :")),
    Finding("`label:QUIT`", "A labelled `QUIT` closes the connection without a labelled response (IRCv3 labeled "
            "responses)", labelled_quit),
]
