"""Findings in the server of the package irc."""
import time

from .irc_common import (closes_on, executes_after_quit, long_reply, loses, pong_without_token, refuses_source,
                         repeats, slow_on_megabyte)
from .model import Finding
from .wire import Client, irc


def spins(server):
    visitor = Client(server, "visitor")
    was_busy = server.is_busy()
    visitor.close()
    time.sleep(0.5)
    busy = was_busy and not server.is_busy()
    server.note("while a connection is open, a CPU core is busy; afterwards, none is"
                if busy else "no CPU core is busy")
    return busy


def early_ping(server):
    dora = Client(server, "dora")
    dora.send(b"NICK dora\r\nUSER u 0 * :u\r\nPING after-login\r\n")
    first = dora.until(rb"(PONG| 001 )", 5) or b""
    return b"PONG" in first


def empty_nick(server):
    bob, alice = irc(server, "bob", "#c"), irc(server, "alice", "#c")
    while bob.pull(0.3):
        bob.buffer = b""
    alice.send(b"NICK\r\n")
    alice.send(b"PRIVMSG #c :who am I?\r\n")
    return (bob.until(rb"who am I", 5) or b"").startswith(b":!")


def late_refusal(server):
    alice = irc(server, "alice")
    alice.send(b"PART\r\nPING x\r\n")
    first = alice.until(rb"(?m)^\S+ (PONG|403)", 5) or b""
    return b"PONG" in first and alice.until(rb" 403 ", 5) is not None


def topic_number(server):
    alice = irc(server, "alice", "#c")
    alice.send(b"TOPIC #c news\r\n")
    alice.until(rb"TOPIC", 5)
    alice.send(b"TOPIC #c\r\n")
    return b" TOPIC " in (alice.until(rb"( 332 |TOPIC)", 5) or b"")


def topic_colon(server):
    alice = irc(server, "alice", "#c")
    alice.send(b"TOPIC #c ::news\r\n")
    return (alice.until(rb"TOPIC", 5) or b"").rstrip().endswith(b"TOPIC #c :news")


FINDINGS = [
    Finding("`probe.token`", "`PONG` does not repeat the token of `PING`, so clients cannot distinguish the answers",
            pong_without_token),
    Finding("`frame.foreign`", "While a client is connected, even one that sends nothing, the server keeps a CPU "
            "core busy", spins),
    Finding("`phase.after:logout`", "The server executes commands that follow `QUIT` in the same write",
            executes_after_quit),
    Finding("`inj.source:ignored`", "A line with a source is refused, because the server parses the source as the "
            "command (RFC 1459 §2.3: *must ignore the message silently*)", refuses_source),
    Finding("`frame.empty`", "An empty line is refused (RFC 2812 §2.3.1: *silently ignored*)",
            repeats(b"", rb" 421 ")),
    Finding("`frame.ws:between`", "A message after two spaces is lost", loses(b"PRIVMSG  #c  text")),
    Finding("`frame.utf8`", "After a command that is not UTF-8, the server closes the connection without a message",
            closes_on(b"PRIVMSG \xe2")),
    Finding("`arity.few:PING`", "`PING` without a token is answered with `PONG` instead of `409`",
            repeats(b"PING", rb"PONG")),
    Finding("`arity.few:NICK`, `arity.few:state`",
            "`NICK` without a nickname changes the nickname to the empty string", empty_nick),
    Finding("`pipe.preauth`", "`PING` in the same write as the login is answered before the welcome", early_ping),
    Finding("`frame.max:huge`", "The server takes seconds to process a line of a megabyte", slow_on_megabyte),
    Finding("`reply.shape:long`", "Replies that repeat a long argument are longer than 512 bytes",
            long_reply(b"#" + b"x" * 490, rb" 40\d ")),
    Finding("`esc.roundtrip:recall`", "A colon at the start of a topic is lost", topic_colon),
    Finding("`arity.few:PART`", "The refusal of `PART` without a channel arrives after the answer to a later `PING`",
            late_refusal),
    Finding("", "A request for a topic is answered with `TOPIC` instead of `332`", topic_number),
]
