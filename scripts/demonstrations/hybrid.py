"""Findings in ircd-hybrid."""
import time

from .irc_common import repeats, runs_as_sender
from .model import Finding
from .wire import irc


def empty_line(server):
    alice = irc(server, "alice")
    begin = time.monotonic()
    alice.send(b"PING first\r\n\r\nPING second\r\n")
    alice.until(rb"PONG .*first", 5)
    alice.until(rb"PONG .*second", 10)
    late = time.monotonic() - begin > 1
    server.note("more than a second later" if late else "at once")
    return late


FINDINGS = [
    Finding("`frame.empty`", "An empty line between commands delays the next one by up to two seconds (RFC 2812 "
            "§2.3.1: *silently ignored*)", empty_line),
    Finding("`inj.source:ignored`", "A line that names another user as its source is executed as if it were the "
            "sender's own (RFC 1459 §2.3: *must ignore the message silently*)", runs_as_sender),
    Finding("`reply.shape:separator`", "Replies repeat an argument with a space unchanged (RFC 2812 §2.3.1)",
            repeats(b"WHO :two words", rb"alice two words :")),
    Finding("`reply.shape:marker`", "Replies repeat an argument that starts with a colon unchanged. An empty "
            "argument counts as missing", repeats(b"WHO ::colon", rb"alice :colon :")),
]
