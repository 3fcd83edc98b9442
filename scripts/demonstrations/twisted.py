"""Findings in the IRC server of Twisted."""
from .irc_common import (changes, closes_on, executes_after_quit, long_reply, pong_without_token, repeats,
                         runs_as_sender, silent)
from .model import Finding
from .wire import Client, irc


def early_message(server):
    dora = Client(server, "dora")
    dora.send(b"PRIVMSG alice :hello\r\n")
    return dora.closes(5) is not None


def tail(server):
    bob, alice = irc(server, "bob", "#c"), irc(server, "alice", "#c")
    start = b"PRIVMSG #c "
    alice.send(start + b"x" * (510 - len(start)) + b" #c the-tail\r\n")
    return (bob.until(rb"PRIVMSG", 5) or b"").endswith(b":the-tail\r")


FINDINGS = [
    Finding("`probe.token`", "`PONG` does not repeat the token of `PING`, so clients cannot distinguish the answers",
            pong_without_token),
    Finding("`inj.source:ignored`", "A line that names another user as its source is executed as if it were the "
            "sender's own (RFC 1459 §2.3: *must ignore the message silently*)", runs_as_sender),
    Finding("`phase.after:logout`", "The server executes commands that follow `QUIT` in the same write",
            executes_after_quit),
    Finding("`phase.before:PRIVMSG`", "If a client sends `PRIVMSG` before the login, the server closes the connection "
            "without a message", early_message),
    Finding("`frame.ws:line`", "After a line of spaces, the server closes the connection without a message",
            closes_on(b"   ")),
    Finding("`frame.utf8`", "After a message that is not UTF-8, the server closes the connection without a message",
            closes_on(b"PRIVMSG #c :\xff", channel="#c")),
    Finding("`frame.seg`", "The same happens if a valid message is split inside a character",
            closes_on(b"PRIVMSG #c :\xe2\x82", end=b"", channel="#c")),
    Finding("`frame.ctrl:mark`", "Characters that Unicode counts as line separators end a message: the rest arrives "
            "as a second message", changes("PRIVMSG #c :one\u2028two".encode(), b":one")),
    Finding("`frame.max:tail`", "If a message has extra arguments, only the last argument is delivered, so the end "
            "of an overlong line arrives as a message", tail),
    Finding("`reply.shape:separator`", "Replies repeat an argument with a space unchanged (RFC 2812 §2.3.1)",
            repeats(b"WHO :two words", rb" 315 alice two words :")),
    Finding("`reply.shape:marker`", "Replies repeat an argument that starts with a colon unchanged",
            repeats(b"WHO ::colon", rb" 315 alice :colon :")),
    Finding("`reply.shape:empty`", "Replies repeat an empty argument, so clients see one argument too few",
            repeats(b"WHO :", rb" 315 alice  :")),
    Finding("`reply.shape:long`", "Replies that repeat a long argument are longer than 512 bytes",
            long_reply(b"x" * 490, rb" 401 ")),
    Finding("", "An unknown command is not answered", silent(b"NONSENSE")),
]
