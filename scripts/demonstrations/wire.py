"""Servers and clients on plain sockets, with a log of what was sent and received."""
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "servers"


class Server:
    """A server that runs for the duration of a `with` block. `evidence` is what its clients logged."""

    def __init__(self, name):
        self.name, self.evidence = name, []

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

    def note(self, text):
        """Adds a measurement to the evidence."""
        print("     ", text)
        self.evidence.append(text)

    def is_busy(self):
        """Returns True if one of the server's threads runs, or waits for a CPU, for almost all of a second. Unlike
        CPU time, this does not depend on the other load on the machine."""
        running = 0
        for _ in range(20):
            time.sleep(0.05)
            running += self.has_runnable_thread()
        return running >= 16

    def has_runnable_thread(self):
        for path in pathlib.Path("/proc").glob("[0-9]*/task/[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[2]) == self.process.pid and fields[0] == "R":
                return True
        return False

    def open_files(self):
        """Counts the server's open files."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def close_waits(self):
        """Counts the server's sockets in CLOSE_WAIT."""
        rows = [line.split() for name in ("tcp", "tcp6")
                for line in pathlib.Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
        return sum(int(row[1].rsplit(":", 1)[1], 16) == self.port and row[3] == "08" for row in rows)


class Client:
    """One connection, which logs what it sends and receives unless `quiet`."""

    def __init__(self, server, nick="client", quiet=False):
        self.socket = socket.create_connection(("127.0.0.1", server.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server, self.nick, self.quiet = server, nick, quiet
        self.buffer, self.end = b"", None

    def log(self, direction, text):
        if not self.quiet:
            print("     ", self.nick, direction, text)
            self.server.evidence.append(f"`{self.nick} {direction} {text}`")

    def send(self, data, fin=False):
        """Sends data; with `fin`, followed by FIN in the same segment."""
        if fin:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
        self.log("->", shown(data) + (" and FIN" if fin else ""))
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
            end = self.buffer.find(b"\n", match.start()) if match else -1
            if end >= 0:
                line = self.buffer[self.buffer.rfind(b"\n", 0, match.start()) + 1:end]
                self.log("<-", shown(line))
                self.buffer = self.buffer[end + 1:]
                return line
            if not self.pull(limit - time.monotonic()) and (self.end or time.monotonic() >= limit):
                self.log("<-", self.end or f"nothing in {seconds} s")
                return None

    def stays_silent(self, seconds):
        """Returns True if neither data nor FIN arrives within that time."""
        is_silent = not self.buffer and not self.pull(seconds)
        self.log("<-", f"nothing in {seconds} s" if is_silent else self.end or shown(self.buffer))
        return is_silent

    def closes(self, seconds):
        """Returns "FIN" or "RST" if the server closes within that time, otherwise None."""
        limit = time.monotonic() + seconds
        while not self.end and time.monotonic() < limit:
            self.pull(limit - time.monotonic())
        last = self.buffer.strip().split(b"\n")[-1]
        if last and not last.endswith(b"\n"):
            self.log("<-", shown(last))
        self.log("<-", self.end or f"still open after {seconds} s")
        return self.end

    def close(self):
        self.socket.close()


def shown(data):
    """Returns bytes as text. A single line loses its terminator, and long data is cut off."""
    if data.count(b"\n") == 1:
        data = data.rstrip(b"\r\n") or data
    text = repr(data.rstrip(b"\r"))[2:-1].replace("\\'", "'") or "an empty line"
    return text if len(text) < 120 else f"{text[:40]}… ({len(data)} bytes)"


def irc(server, nick, channel=None, quiet=False):
    """Returns a client that is logged in and has joined the channel, if any."""
    client = Client(server, nick, quiet=True)
    password = "PASS any\r\n" if server.name == "twisted" else ""  # only Twisted's server requires one
    client.send(f"{password}NICK {nick}\r\nUSER u 0 * :u\r\n".encode())
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        line = client.until(rb"(?m)^(PING |\S+ (001|433|432) )", 1)
        if line and line.startswith(b"PING"):
            client.send(b"PONG" + line[4:].rstrip() + b"\r\n")
        elif line:
            break
    if not line or b" 001 " not in line:
        raise SystemExit(f"{server.name}: {nick} could not log in: {line}")
    if channel:
        client.send(f"JOIN {channel}\r\n".encode())
        client.until(rb" 366 ", 10)
    while client.pull(0.3):
        pass
    client.buffer = b""
    client.quiet = quiet
    return client


def taken(server, nick, seconds):
    """Returns True if no new user can take the name within that time."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        client = Client(server, nick, quiet=True)
        client.send(f"NICK {nick}\r\nUSER u 0 * :u\r\n".encode())
        line = client.until(rb" (001|433) ", 5)
        client.close()
        if line and b" 001 " in line:
            server.note(f"`NICK {nick}` on another connection is accepted")
            return False
        time.sleep(0.5)
    server.note(f"`NICK {nick}` on another connection: still `433` after {seconds} s")
    return True
