"""A chat with the commands NICK|name, SAY|text and WHO. Usage: python3 server.py PORT"""
import contextlib
import socketserver
import sys

people = {}


class Chat(socketserver.StreamRequestHandler):
    def answer(self, *fields):
        with contextlib.suppress(OSError):  # the client has disconnected
            self.wfile.write("|".join(fields).encode("latin-1") + b"\n")

    def handle(self):
        self.name = None
        with contextlib.suppress(OSError):
            while (line := self.rfile.readline(512)).endswith(b"\n"):
                self.obey(*(line.decode("latin-1").rstrip("\r\n").split("|") + ["", ""])[:2])
        people.pop(self.name, None)

    def obey(self, verb, rest):
        if verb == "NICK" and rest and not self.name and rest not in people:
            self.name = rest
            people[rest] = self
            self.answer("HELLO", rest)
        elif verb == "SAY" and self.name:
            for other in set(people.values()) - {self}:
                other.answer("SAID", self.name, rest)
        elif verb == "WHO":
            self.answer("PEOPLE", ",".join(people))
        elif verb:
            self.answer("ERR", "cannot " + verb)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 100


Server(("127.0.0.1", int(sys.argv[1])), Chat).serve_forever()
