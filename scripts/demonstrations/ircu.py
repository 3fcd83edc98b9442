"""Findings in ircd-ircu."""
from .irc_common import repeats, runs_as_sender
from .model import Finding
from .wire import Client


def pipelined(server):
    dora = Client(server, "dora")
    dora.send(b"NICK dora\r\nUSER tests 0 * :d\r\nPING too-early\r\n")
    return dora.until(rb" 451 ", 5) is not None


def cut_name(server):
    dora = Client(server, "dora")
    dora.send(b"NICK do\x01ra\r\nUSER tests 0 * :d\r\n")
    cookie = dora.until(rb"(?m)^PING", 5) or b"PING :none"
    dora.send(b"PONG" + cookie[4:].rstrip() + b"\r\n")
    return b" 001 do " in (dora.until(rb" 001 ", 5) or b"")


FINDINGS = [
    Finding("`inj.source:ignored`", "A line that names another user as its source is executed as if it were the "
            "sender's own (RFC 1459 §2.3: *must ignore the message silently*)", runs_as_sender),
    Finding("`pipe.preauth`", "Commands in the same write as the login are refused, because a client must first "
            "answer a `PING` from the server", pipelined),
    Finding("`id.chars`", "A nickname with a control character is cut off at that character instead of being refused", cut_name),
    Finding("`reply.shape:separator`", "Replies repeat an argument with a space unchanged (RFC 2812 §2.3.1)",
            repeats(b"JOIN :two words", rb" 403 alice two words :")),
    Finding("`reply.shape:marker`", "Replies repeat an argument that starts with a colon unchanged",
            repeats(b"WHO ::colon", rb" 315 alice :colon :")),
    Finding("`reply.shape:empty`", "Replies repeat an empty argument, so clients see one argument too few",
            repeats(b"NICK :", rb" 432 alice  :")),
]
