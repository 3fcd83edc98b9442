"""Findings in miniircd."""
from .irc_common import (changes, executes_after_quit, long_reply, refuses_source, repeats, silent, slow_on_megabyte)
from .model import Finding

FINDINGS = [
    Finding("`phase.after:logout`", "The server executes commands that follow `QUIT` in the same write",
            executes_after_quit),
    Finding("`inj.source:ignored`", "A line with a source is refused, because the server parses the source as the "
            "command (RFC 1459 §2.3: *must ignore the message silently*)", refuses_source),
    Finding("`arity.few:WHOIS`", "`WHOIS` without a nickname is not answered", silent(b"WHOIS")),
    Finding("`arity.few:NICK`", "`431` does not name the client (RFC 2812 §2.4)",
            repeats(b"NICK", rb" 431 :No nickname")),
    Finding("`frame.ws:text`", "A tab at the start of a message without a colon is lost", changes(b"PRIVMSG #c \ttext", b":text")),
    Finding("`frame.max:huge`", "The server takes seconds to process a line of a megabyte", slow_on_megabyte),
    Finding("`reply.shape:separator`", "Replies repeat an argument with a space unchanged (RFC 2812 §2.3.1)",
            repeats(b"NICK :two words", rb" 432 alice two words :")),
    Finding("`reply.shape:marker`", "Replies repeat an argument that starts with a colon unchanged",
            repeats(b"NICK ::colon", rb" 432 alice :colon :")),
    Finding("`reply.shape:empty`", "Replies repeat an empty argument, so clients see one argument too few",
            repeats(b"JOIN :", rb" 403 alice  :")),
    Finding("`reply.shape:long`", "Replies that repeat a long argument are longer than 512 bytes",
            long_reply(b"x" * 490, rb" 401 ")),
]
