import socketserver, sys
FAULTS, people = set(sys.argv[2:]), {}
class Chat(socketserver.StreamRequestHandler):
    def answer(self, text): self.wfile.write((text + "\n").encode(errors="surrogateescape"))
    def tell(self, text):
        for other in list(people.values()):
            if other is not self:
                try: other.answer(text)
                except OSError: pass
    def handle(self):
        self.name = None
        try:
            for raw in self.rfile:
                line = raw.decode(errors="surrogateescape")
                if not line.endswith("\n") and "partial" not in FAULTS: break
                line = line.rstrip("\r\n")
                if not line:
                    if "empty" in FAULTS and self.name: self.tell(f"SAID|{self.name}|")
                    continue
                verb, rest = (line.split("|") + [""])[:2]
                if verb == "NICK":
                    if not rest or rest in people: self.answer("ERR|name taken")
                    else:
                        self.name = rest; people[rest] = self; self.answer(f"HELLO|{rest}")
                elif verb == "SAY" and self.name:
                    self.tell(f"SAID|{self.name}|{rest}")
                    if "twice" in FAULTS: self.tell(f"SAID|{self.name}|{rest}")
                else: self.answer("ERR|unknown")
        except OSError: pass
        finally:
            if "ghost" not in FAULTS and people.get(self.name) is self: del people[self.name]
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True; request_queue_size = 100
server = Server(("127.0.0.1", int(sys.argv[1])), Chat)
print("ready", flush=True); server.serve_forever()
