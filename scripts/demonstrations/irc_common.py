"""Demonstrations that apply to several IRC servers."""
import time

from .wire import irc, taken


def runs_as_sender(server):
    bob, alice = irc(server, "bob"), irc(server, "alice")
    alice.send(b":carol PRIVMSG bob :forged\r\n")
    return b":alice" in (bob.until(rb" PRIVMSG bob", 5) or b"")


def refuses_source(server):
    alice = irc(server, "alice")
    alice.send(b":carol PRIVMSG alice :forged\r\n")
    return alice.until(rb" 421 ", 5) is not None


def repeats_as_is(server):
    """Arguments with a space or a leading colon, which a numeric repeats before its last argument."""
    alice = irc(server, "alice")
    alice.send(b"WHO :two words\r\n")
    spaces = alice.until(rb"alice two words :", 15)
    alice.send(b"WHO ::colon\r\n")
    return spaces is not None and alice.until(rb"alice :colon :", 15) is not None


def repeats(line, answer):
    """Returns a demonstration that sends a line and expects an answer that matches."""
    def demonstrate(server):
        alice = irc(server, "alice")
        alice.send(line + b"\r\n")
        return alice.until(answer, 15) is not None
    return demonstrate


def repeats_empty(line):
    return repeats(line, rb" [45]\d\d alice  ?:")


def long_reply(target, answer):
    """Returns a demonstration of an answer that repeats a target of about 490 bytes."""
    def demonstrate(server):
        alice = irc(server, "alice")
        alice.send(b"PRIVMSG " + target + b" :text\r\n")
        line = alice.until(answer, 5) or b""
        server.note(f"the answer has {len(line) + 1} bytes")
        return len(line) + 1 > 512
    return demonstrate


def executes_after_quit(server):
    bob, alice = irc(server, "bob", "#c"), irc(server, "alice", "#c")
    while bob.pull(0.3):
        bob.buffer = b""
    alice.send(b"QUIT :bye\r\nPRIVMSG #c :after the end\r\n")
    return bob.until(rb"after the end", 5) is not None


def silent(line, seconds=2):
    """Returns a demonstration of a line that the server does not answer, although it answers the next one."""
    def demonstrate(server):
        alice = irc(server, "alice")
        alice.send(line + b"\r\n")
        is_silent = alice.stays_silent(seconds)
        alice.send(b"PING still-there\r\n")
        return is_silent and alice.until(rb"PONG", 15) is not None
    return demonstrate


def loses(line, heard=rb"PRIVMSG.*text"):
    """Returns a demonstration of a message to #c that bob does not receive, although he receives the next one."""
    def demonstrate(server):
        bob, alice = irc(server, "bob", "#c"), irc(server, "alice", "#c")
        while bob.pull(0.3):
            bob.buffer = b""
        alice.send(line + b"\r\n")
        is_lost = bob.until(heard, 2) is None
        alice.send(b"PRIVMSG #c :next\r\n")
        return is_lost and bob.until(rb"PRIVMSG #c :?next", 15) is not None
    return demonstrate


def changes(line, delivered):
    """Returns a demonstration of a message to #c that arrives as `delivered`."""
    def demonstrate(server):
        bob, alice = irc(server, "bob", "#c"), irc(server, "alice", "#c")
        alice.send(line + b"\r\n")
        return (bob.until(rb"PRIVMSG", 15) or b"").rstrip(b"\r").endswith(delivered)
    return demonstrate


def closes_on(line, end=b"\r\n", channel=None):
    def demonstrate(server):
        alice = irc(server, "alice", channel)
        alice.send(line + end)
        return alice.closes(10) is not None
    return demonstrate


def pong_without_token(server):
    alice = irc(server, "alice")
    alice.send(b"PING some-token\r\n")
    answer = alice.until(rb"PONG", 15)
    return answer is not None and b"some-token" not in answer


def slow_on_megabyte(server):
    """Sends a line of a megabyte, and a request after it."""
    alice = irc(server, "alice")
    begin = time.monotonic()
    alice.send(b"x" * (1 << 20) + b"\r\n")
    alice.send(b"PING still-there\r\n")
    alice.until(rb"PONG", 120)
    late = time.monotonic() - begin > 2
    server.note(f"{'more' if late else 'less'} than 2 s later")
    return late


def name_stays_taken_after_megabyte(server):
    alice = irc(server, "ghost")
    alice.send(b"x" * (1 << 20), fin=True)
    alice.close()
    return taken(server, "ghost", 10)
