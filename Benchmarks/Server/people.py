"""Minimal clients for each dialect, for the survival test."""

import socket


class Person:
    """A well-behaved client: it reads what it receives and answers pings."""

    # Lines to cut in the middle.
    half_lines = [b"half a line"]

    def __init__(self, port, name, patience=30):
        self.name, self.patience = name, patience
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""

    def send(self, text):
        self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def read(self):
        bytes_read = self.socket.recv(262144)
        if not bytes_read:
            raise ConnectionError(f"the server closed {self.name}'s connection")
        self.answer(bytes_read)
        return bytes_read

    def until(self, wanted):
        """Reads up to the end of a text and keeps the rest for the next call."""
        wanted = wanted.encode() if isinstance(wanted, str) else wanted
        while wanted not in self.unread:
            # Keep the end, which may contain the beginning of the text.
            self.unread = self.unread[-65536:] + self.read()
        head, _, self.unread = self.unread.partition(wanted)
        return head

    def drain(self):
        """Reads and discards available data, because the server disconnects clients that do not read."""
        self.socket.setblocking(False)
        try:
            while self.read():
                pass
        except BlockingIOError:
            pass
        finally:
            self.socket.settimeout(self.patience)

    def answer(self, bytes_read):
        """Answers a ping contained in the data just read."""

    def log_in(self):
        """Logs in and waits for the confirmation."""

    def login_bytes(self):
        return b""

    def meet(self, peer):
        """Prepares two clients to exchange messages."""

    def say(self, peer, text):
        """Returns the bytes that send a text to the peer."""
        raise NotImplementedError

    def close(self):
        self.socket.close()


class Livechat(Person):
    half_lines = [b"S0004|0|7|half", b"S0001|na", b"S0013|7|image|image/png|x"]

    def login_bytes(self):
        return f"S0001|{self.name}\n".encode()

    def log_in(self):
        self.send(self.login_bytes())
        self.until(f"|{self.name}\n")

    def say(self, peer, text):
        # Only pings keep a session alive in this dialect.
        return f"S0003|here\nS0007|{peer.name}|{text}\n".encode()


class IRC(Person):
    half_lines = [b"PRIVMSG #abuse :half", b"NICK ab", b"JOIN #abuse,#ab"]

    def login_bytes(self):
        return f"NICK {self.name}\r\nUSER {self.name} 0 * :x\r\nJOIN #abuse\r\n".encode()

    def log_in(self):
        self.send(f"NICK {self.name}\r\nUSER {self.name} 0 * :x\r\n")
        self.until(" 376 ")

    def answer(self, bytes_read):
        if b"\r\nPING " in b"\r\n" + bytes_read:
            self.send("PONG x\r\n")

    def say(self, peer, text):
        return f"PRIVMSG {peer.name} :{text}\r\n".encode()


class MSNP(Person):
    half_lines = [b"MSG 9 N 5000\r\nhalf a payl", b"VER 1 MS", b"USR 3 TWN I"]

    def login_bytes(self):
        return (
            f"VER 1 MSNP8 CVR0\r\nCVR 2 0x0409 winnt 5.1 i386 MSNMSGR 6.2.0205 MSMSGS {self.name}\r\n"
            f"USR 3 TWN I {self.name}\r\nUSR 4 TWN S t\r\nCHG 5 NLN 0\r\n"
        ).encode()

    def log_in(self):
        self.send(self.login_bytes())
        self.until("CHG 5 NLN")

    def meet(self, peer):
        self.send(f"CAL 11 {peer.name}\r\n")
        peer.until("RNG ")
        peer.until("\n")
        ring = peer.last_ring
        peer.send(f"ANS 21 {peer.name} {ring[4].decode()} {ring[1].decode()}\r\n")
        peer.until("ANS 21 OK")
        self.until(f"JOI {peer.name}")

    def answer(self, bytes_read):
        for line in bytes_read.split(b"\r\n"):
            if line.startswith(b"RNG "):
                self.last_ring = line.split(b" ")

    def say(self, peer, text):
        payload = text.encode()
        return b"MSG 12 N %d\r\n" % len(payload) + payload


class NATS(Person):
    half_lines = [b"PUB inbox.x 5000\r\nhalf a payl", b'CONNECT {"verb', b"SUB ab"]

    def login_bytes(self):
        return (
            'CONNECT {"verbose":false,"echo":false,"name":"' + self.name + '"}\r\n'
            f"SUB inbox.{self.name} 1\r\nPING\r\n"
        ).encode()

    def log_in(self):
        self.send(self.login_bytes())
        self.until("PONG")

    def answer(self, bytes_read):
        if b"\r\nPING" in b"\r\n" + bytes_read:
            self.send("PONG\r\n")

    def say(self, peer, text):
        return f"PUB inbox.{peer.name} {len(text)}\r\n{text}\r\n".encode()


class Plain(Person):
    half_lines = [b"half a line", b"/na", b"/history"]

    def login_bytes(self):
        return f"/name {self.name}\n".encode()

    def log_in(self):
        self.send(self.login_bytes())
        self.send("/who\n")
        self.until(self.name)

    def say(self, peer, text):
        return f"{text}\n".encode()


class TeamSpeak(Person):
    half_lines = [b"sendtextmessage targetmode=2 target=1 msg=half", b"use si", b"clientmove cl"]

    def login_bytes(self):
        return (
            f"use sid=1\nclientupdate client_nickname={self.name}\n"
            "servernotifyregister event=textprivate\n"
        ).encode()

    def log_in(self):
        self.send(self.login_bytes())
        for _ in range(3):
            self.until("error id=0 msg=ok")
        self.send("whoami\n")
        self.until("client_id=")
        while b" " not in self.unread:
            self.unread += self.read()
        self.identifier = int(self.unread.split(b" ")[0])

    def say(self, peer, text):
        # A flooder only knows the name of its victim.
        target = getattr(peer, "identifier", 1)
        return f"sendtextmessage targetmode=1 target={target} msg={text}\n".encode()


DIALECTS = {
    "livechat": Livechat,
    "irc": IRC,
    "msnp": MSNP,
    "nats": NATS,
    "plain": Plain,
    "teamspeak": TeamSpeak,
}
