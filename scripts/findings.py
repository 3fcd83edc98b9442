#!/usr/bin/env python3
"""Reproduces the findings of docs/findings.md over plain sockets, without Linejudge.

usage: scripts/findings.py [ngircd|inspircd|ircd-hybrid|nats-server|tinymux|miniircd|irc|twisted]...

Starts each server with scripts/servers/NAME.sh, prints what was sent and received for each finding, and
exits with 1 if a finding was not reproduced.
"""
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent / "servers"


class Server:
    """A server that runs for the duration of a `with` block."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        os.chmod(self.folder.name, 0o777)
        self.process = subprocess.Popen(
            [str(SCRIPTS / f"{self.name}.sh"), str(self.port), self.folder.name],
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"{self.name} did not start")

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()


class Client:
    """One connection that prints what it sends and receives, unless `quiet`."""

    def __init__(self, server, nick=None, quiet=False):
        self.socket = socket.create_connection(("127.0.0.1", server.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.nick, self.quiet = nick, quiet
        self.buffer, self.end = b"", None

    def log(self, *words):
        if not self.quiet:
            print("     ", self.nick or "client", *words)

    def send(self, data, fin=False):
        """Sends data; with `fin`, followed by FIN in the same segment."""
        shown = repr(data)[2:-1]
        self.log(">", shown if len(shown) < 120 else f"{shown[:60]}… ({len(data)} bytes)",
                 "and FIN in the same segment" if fin else "")
        if fin:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
        self.socket.sendall(data)
        if fin:
            self.socket.shutdown(socket.SHUT_WR)

    def pull(self, seconds):
        """Reads what arrives within that time. Returns False if nothing did."""
        if self.end or not select.select([self.socket], [], [], max(0, seconds))[0]:
            return False
        try:
            data = self.socket.recv(65536)
            self.end = self.end if data else "FIN"
        except ConnectionResetError:
            data, self.end = b"", "RST"
        self.buffer += data
        return True

    def until(self, pattern, seconds):
        """Returns the first line that matches the pattern, or None after a timeout."""
        limit = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.buffer)
            if match:
                end = self.buffer.find(b"\n", match.start())
                line = self.buffer[self.buffer.rfind(b"\n", 0, match.start()) + 1:end]
                self.log("<", repr(line)[2:-1])
                self.buffer = self.buffer[end + 1:]
                return line
            if not self.pull(limit - time.monotonic()):
                self.log(f"< {self.end}" if self.end else f"< no such line within {seconds} s")
                return None

    def closes(self, seconds):
        """Returns "FIN" or "RST" if the server closes within that time, otherwise None."""
        limit = time.monotonic() + seconds
        while not self.end and time.monotonic() < limit:
            self.pull(limit - time.monotonic())
        tail = self.buffer.strip().split(b"\n")[-1]
        self.log("<", f"{self.end}, after {repr(tail)[2:-1]}" if self.end else f"still open after {seconds} s")
        return self.end

    def close(self):
        self.socket.close()


def irc(server, nick, channel=None, quiet=True):
    """Returns a client that is logged in and has joined the channel, if any."""
    client = Client(server, nick, quiet=True)
    client.send(f"NICK {nick}\r\nUSER u 0 * :u\r\n".encode())
    if client.until(rb" (376|422) ", 10) is None:
        raise SystemExit(f"{nick} could not log in")
    if channel:
        client.send(f"JOIN {channel}\r\n".encode())
        client.until(rb" 366 ", 10)
    client.quiet = quiet
    return client


def taken(server, nick, seconds):
    """Returns the seconds until a new user can take the name; None if it stays taken."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        client = Client(server, nick, quiet=True)
        client.send(f"NICK {nick}\r\nUSER u 0 * :u\r\n".encode())
        line = client.until(rb" (001|433) ", 5)
        client.close()
        if line and b" 001 " in line:
            return time.monotonic() - begin
        time.sleep(0.5)
    print("     ", line)
    return None


# ngIRCd

def ngircd_trailing_space(server):
    bob, alice = irc(server, "bob", "#c"), irc(server, "alice", "#c")
    alice.quiet = bob.quiet = False
    alice.send(b"PRIVMSG #c :text \r\n")
    return (bob.until(rb"PRIVMSG", 5) or b"").endswith(b":text\r")


def ngircd_spoofed(server):
    carol, alice = irc(server, "carol"), irc(server, "alice", quiet=False)
    alice.send(b":carol PRIVMSG alice :forged\r\n")
    closed = alice.closes(5) is not None and b"Spoofed prefix" in alice.buffer
    carol.close()
    return closed


def ngircd_nul(server):
    alice = irc(server, "alice", quiet=False)
    alice.send(b"PRIVMSG alice :a\0b\r\n")
    alice.send(b"PING still-there\r\n")
    return alice.until(rb"still-there", 5) is None and alice.end is None


def ngircd_long(server):
    alice = irc(server, "alice", quiet=False)
    alice.send(b"PRIVMSG alice :" + b"x" * 2100 + b"\r\n")
    alice.send(b"PING still-there\r\n")
    blocked = alice.until(rb"still-there", 5) is None and alice.end is None
    before = cpu(server)
    time.sleep(1)
    share = cpu(server) - before
    print(f"      the server used {share:.2f} s of CPU in the next second")
    return blocked and share > 0.5


def cpu(server):
    """Returns the CPU seconds used by the server's processes."""
    total = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == server.process.pid:
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


# InspIRCd

def inspircd_stale_session(server):
    """Succeeds sometimes: the server has to read the FIN together with the line."""
    seen = 0
    for turn in range(5):
        nick = f"ghost{turn}"
        alice = irc(server, nick, "#c", quiet=turn > 0)
        alice.send(b"PRIVMSG #c :the last words\r\n", fin=True)
        alice.close()
        seen += taken(server, nick, 8) is None
    print(f"      {seen} of 5 names were still taken 8 s later")
    return seen > 0


def inspircd_huge(server):
    """The server reads the data that precedes the FIN, but does not notice the FIN."""
    alice = irc(server, "ghost", quiet=False)
    alice.send(b"x" * (1 << 20))
    alice.close()
    held = taken(server, "ghost", 10) is None
    waiting = close_waits(server)
    print(f"      {waiting} of its sockets in CLOSE_WAIT")
    return held and waiting > 0


def inspircd_churn(server):
    for _ in range(200):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"NO")
        client.close()
    time.sleep(5)
    held = close_waits(server)
    print(f"      {held} of 200 connections closed after `NO` are in CLOSE_WAIT 5 s later")
    return held > 0


def close_waits(server):
    """Counts the server's sockets in CLOSE_WAIT."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return sum(int(row[1].split(":")[1], 16) == server.port and row[3] == "08" for row in rows)


def inspircd_half_close(server):
    seen = 0
    for turn in range(5):
        alice = irc(server, f"half{turn}", quiet=turn > 0)
        alice.send(b"PING request\r\n", fin=True)
        answered = alice.until(rb"PONG", 5)
        seen += answered is not None and alice.closes(8) is None
        alice.close()
    print(f"      {seen} of 5 connections were answered and never closed")
    return seen > 0


def runs_as_sender(server):
    carol = irc(server, "carol")
    bob, alice = irc(server, "bob", quiet=False), irc(server, "alice", quiet=False)
    alice.send(b":carol PRIVMSG bob :forged\r\n")
    line = bob.until(rb"forged", 5) or b""
    carol.close()
    return b":alice!" in line


def ngircd_binary(server):
    visitor = Client(server, "visitor")
    before = cpu(server)
    time.sleep(1)
    idle = cpu(server) - before
    visitor.send(b"AB\nCD\0EF\n" * 100)
    time.sleep(0.5)
    shares = []
    for _ in range(2):
        before = cpu(server)
        time.sleep(1)
        shares.append(cpu(server) - before)
        visitor.close()
    print(f"      the server used {idle:.2f} s of CPU per second before, {shares[0]:.2f} s after, "
          f"and {shares[1]:.2f} s once the connection was closed")
    return idle < 0.1 and min(shares) > 0.3


def repeats_as_is(server):
    alice = irc(server, "alice", quiet=False)
    alice.send(b"WHO :two words\r\nWHO ::colon\r\n")
    return (alice.until(rb"two words :", 5) is not None
            and alice.until(rb"alice :colon :", 5) is not None)


def repeats_empty(server):
    alice = irc(server, "alice", quiet=False)
    alice.send(b"JOIN :\r\nMOTD :\r\n")
    return alice.until(rb" (402|476) alice  :", 5) is not None


def inspircd_pipelined(server):
    dora = Client(server, "dora")
    dora.send(b"NICK dora\r\nUSER u 0 * :u\r\nJOIN #early\r\n")
    return dora.until(rb" 451 ", 5) is not None


# ircd-hybrid

def hybrid_empty_line(server):
    alice = irc(server, "alice", quiet=False)
    begin = time.monotonic()
    alice.send(b"PING first\r\n\r\nPING second\r\n")
    alice.until(rb"PONG .*first", 5)
    first = time.monotonic() - begin
    alice.until(rb"PONG .*second", 10)
    second = time.monotonic() - begin
    print(f"      answered after {first:.2f} s and {second:.2f} s")
    return second - first > 1


# miniircd, irc and Twisted

def small(server, nick, channel=None, quiet=False):
    """Returns a client that is logged in, with a password, and has joined the channel, if any."""
    client = Client(server, nick, quiet=True)
    client.send(f"PASS x\r\nNICK {nick}\r\nUSER u 0 * :u\r\n".encode())
    if client.until(rb" 001 ", 10) is None:
        raise SystemExit(f"{nick} could not log in")
    if channel:
        client.send(f"JOIN {channel}\r\n".encode())
        client.until(rb" 366 ", 10)
    client.pull(0.3)
    client.buffer = b""
    client.quiet = quiet
    return client


def pong_without_token(server):
    alice = small(server, "alice")
    alice.send(b"PING some-token\r\n")
    answer = alice.until(rb"PONG", 5)
    return answer is not None and b"some-token" not in answer


def refuses_source(server):
    alice = small(server, "alice")
    alice.send(b":carol PRIVMSG alice :forged\r\n")
    return alice.until(rb" 421 ", 5) is not None


def executes_source(server):
    bob, alice = small(server, "bob"), small(server, "alice")
    alice.send(b":carol PRIVMSG bob :forged\r\n")
    return bob.until(rb":alice.* PRIVMSG bob", 5) is not None


def executes_after_quit(server):
    bob, alice = small(server, "bob", "#c"), small(server, "alice", "#c")
    bob.pull(0.3)
    alice.send(b"QUIT :bye\r\nPRIVMSG #c :after the end\r\n")
    return bob.until(rb"after the end", 5) is not None


def silent(line):
    def reproduce(server):
        alice = small(server, "alice")
        alice.send(line + b"\r\n")
        alice.pull(1)
        alice.log(f"< {alice.buffer!r} within a second")
        return not alice.buffer and alice.end is None
    return reproduce


def refuses_empty_line(server):
    alice = small(server, "alice")
    alice.send(b"\r\n")
    return alice.until(rb" 421 ", 5) is not None


def loses(line):
    def reproduce(server):
        bob, alice = small(server, "bob", "#c"), small(server, "alice", "#c")
        bob.until(rb"JOIN", 5)
        alice.send(line + b"\r\n")
        return bob.until(rb"PRIVMSG.*text", 2) is None
    return reproduce


def loses_tab(server):
    alice = small(server, "alice")
    alice.send(b"PRIVMSG alice \ttext\r\n")
    return (alice.until(rb"PRIVMSG", 5) or b"").endswith(b":text\r")


def closes_on(line):
    def reproduce(server):
        alice = small(server, "alice")
        alice.send(line + b"\r\n")
        return alice.closes(5) is not None
    return reproduce


# nats-server

def nats_wildcard(server):
    """Not covered by `check`: a refused message is delivered all the same."""
    alice, bob = Client(server, "alice"), Client(server, "bob")
    bob.send(b'CONNECT {"verbose":false}\r\nSUB > 1\r\nPING\r\n')
    bob.until(rb"PONG", 5)
    alice.send(b'CONNECT {"verbose":false,"pedantic":true}\r\nPUB foo.* 2\r\nhi\r\n')
    refused = alice.until(rb"-ERR", 5)
    return refused is not None and bob.until(rb"MSG foo\.\*", 5) is not None


# TinyMUX

def tinymux(server, name):
    """Returns a client that has created a character."""
    client = Client(server, name, quiet=True)
    client.send(f"create {name} sesame\r\nthink logged-in\r\n".encode())
    if client.until(rb"logged-in\r\n", 10) is None:
        raise SystemExit(f"{name} could not log in")
    client.quiet = False
    return client


def tinymux_leading_spaces(server):
    bob, alice = tinymux(server, "bob"), tinymux(server, "alice")
    alice.send(b"say/noeval   text\r\n")
    return (bob.until(rb"says", 5) or b"").endswith(b'"text"\r')


def tinymux_utf8(server):
    bob, alice = tinymux(server, "bob"), tinymux(server, "alice")
    alice.send("say/noeval 5 \u20ac\r\n".encode())
    return "\u20ac".encode() not in (bob.until(rb"says", 5) or "\u20ac".encode())


def tinymux_delay(server):
    """Linux delays acknowledgements only after some exchanges, so this takes several turns."""
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
    print(f"      the longest delay was {longest * 1000:.0f} ms")
    return longest > 0.02


FINDINGS = {
    "ngircd": [
        ("a trailing space in a message is lost", ngircd_trailing_space),
        ("a line with another user's source closes the connection", ngircd_spoofed),
        ("after a NUL, the connection is no longer answered", ngircd_nul),
        ("a line of 2050 bytes or more blocks the connection and keeps a core busy", ngircd_long),
        ("an empty argument is sent back as an empty middle parameter", repeats_empty),
        ("an argument with a space or colon is repeated as it is", repeats_as_is),
        ("after NULs in binary data, one core stays busy", ngircd_binary),
    ],
    "inspircd": [
        ("a line and FIN in one segment leave a stale session", inspircd_stale_session),
        ("connections that end inside a line are never closed", inspircd_churn),
        ("a megabyte without a terminator, then FIN, leaves a stale session", inspircd_huge),
        ("after a request and FIN in one segment, the connection is never closed", inspircd_half_close),
        ("a line with another user's source is executed", runs_as_sender),
        ("commands sent in the same write as the login are lost", inspircd_pipelined),
        ("an empty argument is sent back as an empty middle parameter", repeats_empty),
        ("an argument with a space or colon is repeated as it is", repeats_as_is),
    ],
    "ircd-hybrid": [
        ("an empty line delays the next command", hybrid_empty_line),
        ("a line with another user's source is executed", runs_as_sender),
        ("an argument with a space or colon is repeated as it is", repeats_as_is),
    ],
    "miniircd": [
        ("a line with another user's source is refused as unknown", refuses_source),
        ("commands after QUIT in the same write are executed", executes_after_quit),
        ("WHOIS without a nickname is not answered", silent(b"WHOIS")),
        ("a leading tab in a message is lost", loses_tab),
    ],
    "irc": [
        ("PONG does not repeat the token", pong_without_token),
        ("a line with another user's source is refused as unknown", refuses_source),
        ("commands after QUIT in the same write are executed", executes_after_quit),
        ("an empty line is refused as unknown", refuses_empty_line),
        ("a text after two spaces is lost", loses(b"PRIVMSG  #c  text")),
        ("a command that is not UTF-8 closes the connection", closes_on(b"PRIVMSG \xe2")),
    ],
    "twisted": [
        ("PONG does not repeat the token", pong_without_token),
        ("a line with another user's source is executed", executes_source),
        ("commands after QUIT in the same write are executed", executes_after_quit),
        ("an unknown command is not answered", silent(b"NONSENSE")),
        ("a line of spaces closes the connection", closes_on(b"   ")),
        ("a text that is not UTF-8 closes the connection", closes_on(b"PRIVMSG #c :\xff")),
    ],
    "nats-server": [("a message to a refused subject is delivered", nats_wildcard)],
    "tinymux": [
        ("spaces at the start of a message are lost", tinymux_leading_spaces),
        ("UTF-8 text is changed", tinymux_utf8),
        ("a second line waits for the acknowledgement of the first", tinymux_delay),
    ],
}


def main(names):
    missing = 0
    for name in names or FINDINGS:
        for title, reproduce in FINDINGS[name]:
            print(f"{name}: {title}")
            # One server per finding: some keep a core busy or a name taken.
            with Server(name) as server:
                seen = reproduce(server)
            print("      => reproduced" if seen else "      => NOT REPRODUCED")
            missing += not seen
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
