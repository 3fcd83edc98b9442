"""Findings in ircd-irc2."""
import socket
import time

from .irc_common import repeats, runs_as_sender, silent
from .model import Finding
from .wire import irc


def churn(server):
    before = server.open_files()
    for _ in range(125):
        socket.create_connection(("127.0.0.1", server.port)).close()
    time.sleep(2)
    held = server.open_files() - before > 20
    server.note("125 times: connect, close; 2 s later, the server has more than 20 files open that it did not have "
                "before"
                if held else "few files are open")
    return held


def limit_from_member(server):
    alice, bob = irc(server, "alice", "#c", quiet=True), irc(server, "bob", "#c")
    bob.send(b"MODE #c +l 1\r\n")
    is_silent = bob.stays_silent(2)
    bob.send(b"MODE #c +k key\r\n")
    alice.close()
    return is_silent and bob.until(rb" 482 ", 15) is not None


FINDINGS = [
    Finding("`inj.source:ignored`", "A line that names another user as its source is executed as if it were the "
            "sender's own (RFC 1459 §2.3: *must ignore the message silently*)", runs_as_sender),
    Finding("`arity.few:SERVICE`", "`SERVICE` with too few arguments is not answered", silent(b"SERVICE")),
    Finding("`arity.few:WALLOPS`", "`WALLOPS` without a text is not answered", silent(b"WALLOPS")),
    Finding("`mode:l`", "An attempt by an ordinary member to limit a channel is not answered, unlike attempts to set "
            "other modes", limit_from_member),
    Finding("`leak.churn`", "The files of connections that end before they log in stay open for several seconds",
            churn),
    Finding("`reply.shape:separator`", "Replies repeat an argument with a space unchanged (RFC 2812 §2.3.1)",
            repeats(b"NICK :two words", rb" 432 alice two words :")),
    Finding("`reply.shape:marker`", "Replies repeat an argument that starts with a colon unchanged",
            repeats(b"WHO ::colon", rb" 315 alice :colon :")),
    Finding("`reply.shape:empty`", "Replies repeat an empty argument, so clients see one argument too few",
            repeats(b"TRACE :", rb" 402 alice  :")),
]
