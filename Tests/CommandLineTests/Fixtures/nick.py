import socketserver, sys
FAULTS, people = set(sys.argv[2:]), {}
class Chat(socketserver.StreamRequestHandler):
    def answer(self, text): self.wfile.write((text + "\n").encode("latin-1"))
    def handle(self):
        self.name = None
        try:
            for raw in self.rfile:
                if not raw.endswith(b"\n"): break
                line = raw.decode("latin-1").removesuffix("\n")
                if not line and "empty" not in FAULTS: continue
                verb, _, rest = line.partition("|")
                if "cuts" in FAULTS: rest = rest.split("|")[0]
                if verb == "NICK" and rest and not self.name and rest not in people:
                    self.name = rest; people[rest] = self; self.answer(f"WELCOME|{rest}")
                elif not self.name and verb == "SAY" and "silent" in FAULTS: pass
                elif not self.name: self.answer("ERROR|log in first")
                elif verb == "SAY":
                    for other in list(people.values()):
                        if other is not self: other.answer(f"SAID|{self.name}|{rest}")
                elif verb == "PING": self.answer(f"PONG|{rest}")
                else: self.answer("ERROR|what?")
        except OSError: pass
        finally:
            if people.get(self.name) is self: del people[self.name]
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True; request_queue_size = 100
Server(("127.0.0.1", int(sys.argv[1])), Chat).serve_forever()
