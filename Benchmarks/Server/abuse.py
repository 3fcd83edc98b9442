"""Misbehaving clients. Each kind of abuse is a method that returns after about a second."""

import multiprocessing
import random
import socket
import struct
import threading
import time

# Maximum duration of each wait of an abuser, in seconds.
ENDS_WITHIN = 120


class Abuser(threading.Thread):
    """Abuses the server in one way after another, in an order determined by its seed."""

    def __init__(self, kind, port, flood_bytes, seed):
        super().__init__(daemon=True)
        self.kind, self.port, self.flood_bytes = kind, port, flood_bytes
        self.random = random.Random(seed)
        self.seed = seed
        self.stopped = threading.Event()
        self.counts = {}
        self.names = 0

    def run(self):
        ways = [
            self.noise, self.noisy_lines, self.silent, self.fin_without_reading,
            self.byte_a_second, self.never_reads, self.deaf, self.reset_in_a_line,
            self.reset_after_login, self.flood,
        ]
        while not self.stopped.is_set():
            way = self.random.choice(ways)
            try:
                way()
            except OSError:
                pass  # The server may close the connection.
            self.counts[way.__name__] = self.counts.get(way.__name__, 0) + 1

    def name(self):
        self.names += 1
        return f"x{self.seed}n{self.names}"

    def connect(self):
        client = socket.socket()
        client.settimeout(1)
        client.connect(("127.0.0.1", self.port))
        return client

    def someone(self):
        """Returns a client that has sent its login, without waiting for the answer."""
        client = self.connect()
        person = self.kind.__new__(self.kind)
        person.name = self.name()
        client.sendall(person.login_bytes())
        return client, person

    def end(self, client):
        if self.random.random() < 0.5:
            reset(client)
        else:
            client.close()

    def pause(self, seconds):
        self.stopped.wait(seconds)

    # Invalid bytes

    def noise(self):
        client = self.connect()
        try:
            for _ in range(self.random.randrange(1, 12)):
                client.sendall(self.random.randbytes(self.random.randrange(1, 8192)))
        finally:
            self.end(client)

    def noisy_lines(self):
        """Sends lines that start like the dialect's and continue with random bytes."""
        client, _ = self.someone()
        try:
            for _ in range(self.random.randrange(1, 40)):
                start = self.random.choice(self.kind.half_lines)
                start = start[: self.random.randrange(len(start) + 1)]
                client.sendall(start + self.random.randbytes(self.random.randrange(80)) + b"\r\n")
        finally:
            self.end(client)

    # Incomplete connections

    def silent(self):
        client = self.connect()
        self.pause(self.random.random())
        self.end(client)

    def fin_without_reading(self):
        client, person = self.someone()
        client.sendall(b"".join(person.say(person, "to-myself") for _ in range(50)))
        client.shutdown(socket.SHUT_WR)
        self.pause(self.random.random() / 2)
        client.close()

    # Slow clients

    def byte_a_second(self):
        client = self.connect()
        try:
            for byte in self.random.choice(self.kind.half_lines)[:4]:
                client.sendall(bytes([byte]))
                self.pause(1)
        finally:
            self.end(client)

    def never_reads(self):
        """Sends requests and never reads an answer."""
        client, person = self.someone()
        try:
            asked = person.say(person, "to-myself") * 100
            for _ in range(self.flood_bytes // len(asked)):
                client.sendall(asked)
        finally:
            self.end(client)

    def deaf(self):
        """Receives more than the server may queue for it, and reads none of it."""
        victim = self.kind(self.port, self.name(), patience=2)
        friend = None
        try:
            victim.log_in()
            victim.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            friend = self.kind(self.port, self.name(), patience=2)
            friend.log_in()
            friend.meet(victim)
            text = friend.say(victim, "z" * 400)
            for _ in range(self.flood_bytes // len(text) // 100):
                friend.send(text * 100)
                friend.drain()
        finally:
            if friend:
                self.end(friend.socket)
            self.end(victim.socket)

    # Abrupt clients

    def reset_in_a_line(self):
        client = self.connect()
        client.sendall(self.random.choice(self.kind.half_lines))
        reset(client)

    def reset_after_login(self):
        client, person = self.someone()
        client.sendall(self.random.choice(self.kind.half_lines))
        reset(client)

    def flood(self):
        """Connects as fast as it can."""
        clients = []
        try:
            for _ in range(50):
                clients.append(self.connect())
        finally:
            for client in clients:
                self.end(client)


def reset(client):
    """Closes with RST instead of FIN."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


class Crowd:
    """Abusers in a separate process, so that they do not delay the regular clients in this one."""

    def __init__(self, kind, port, flood_bytes, count):
        self.ended, self.counts = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=self.crowd, args=(kind, port, flood_bytes, count))
        self.process.start()

    def crowd(self, kind, port, flood_bytes, count):
        abusers = [Abuser(kind, port, flood_bytes, seed) for seed in range(count)]
        for abuser in abusers:
            abuser.start()
        self.ended.wait()
        for abuser in abusers:
            abuser.stopped.set()
        counts = {}
        for abuser in abusers:
            abuser.join()
            for way, done in abuser.counts.items():
                counts[way] = counts.get(way, 0) + done
        self.counts.put(counts)

    def end(self):
        """Stops all abusers and returns the number of times each abuse was committed."""
        self.ended.set()
        counts = self.counts.get(timeout=ENDS_WITHIN)
        self.process.join(ENDS_WITHIN)
        return counts
