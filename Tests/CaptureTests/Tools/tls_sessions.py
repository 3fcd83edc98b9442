#!/usr/bin/env python3
"""Runs TLS sessions with OpenSSL and prints their bytes and key logs as JSON.

Each argument is a session: its name, which also names its settings. The sessions of `DIRECT` run in
this process, without sockets. Those of `PROGRAMS` run `openssl s_client` and `openssl s_server`, for
features that Python's module lacks; a relay between them records the bytes.

The result is a list of objects: `pieces`, a list of [side, hexadecimal bytes] in the order in which
they were sent, `lines`, the [side, text] that were sent, and `log`, the key log.

`--write FOLDER` writes NAME.pcap and NAME.keys for each session instead.
"""
import json
import os
import select
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

TALK = [
    ("client", "NICK alice\r\nUSER alice 0 * :Alice\r\n"),
    ("server", ":irc.example.org 001 alice :Welcome\r\n"),
    ("client", "JOIN #tea\r\n"),
    ("server", ":alice!a@h JOIN #tea\r\n"),
    ("client", "PRIVMSG #tea :Earl Grey?\r\n"),
    ("server", ":bob!b@h PRIVMSG #tea :With milk, please.\r\n"),
    ("client", "PRIVMSG #tea :" + "long " * 90 + "\r\n"),
    ("server", ":bob!b@h PRIVMSG #tea :Grüße\r\n:bob!b@h PART #tea\r\n"),
    ("client", "PING 7\r\n"),
    ("server", ":irc.example.org PONG irc.example.org 7\r\n"),
]

# Cipher of TLS 1.2, or cipher suite of TLS 1.3.
CIPHERS = {
    "aes128": ("ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256"),
    "aes256": ("ECDHE-ECDSA-AES256-GCM-SHA384", "TLS_AES_256_GCM_SHA384"),
    "chacha": ("ECDHE-ECDSA-CHACHA20-POLY1305", "TLS_CHACHA20_POLY1305_SHA256"),
    "rsa128": ("AES128-GCM-SHA256", None),
    "rsa256": ("AES256-GCM-SHA384", None),
    "cbc": ("ECDHE-ECDSA-AES128-SHA", None),
    "ccm": ("ECDHE-ECDSA-AES128-CCM", "TLS_AES_128_CCM_SHA256"),
}

# Name: version, cipher and features.
DIRECT = {
    f"{version}-{cipher}{suffix}": (version, cipher, features)
    for version in ("1.2", "1.3")
    for cipher in CIPHERS
    for suffix, features in (
        ("", []), ("-starttls", ["starttls"]), ("-resumed", ["resumed"]), ("-retry", ["retry"]),
        ("-request", ["request"]), ("-many", ["many"]), ("-smtp", ["smtp"]), ("-web", ["web"]),
    )
}

# Name: options of the client, options of the server, and features.
PROGRAMS = {
    "key-update": (["-tls1_3"], [], ["update"]),
    # Without data between two updates.
    "key-updates": (["-tls1_3"], [], ["update", "twice"]),
    "padding": (["-tls1_3"], ["-record_padding", "512"], []),
    "renegotiation": (["-tls1_2"], ["-client_renegotiation"], ["renegotiate"]),
    "early-data": (["-tls1_3"], ["-early_data", "-no_anti_replay"], ["early"]),
    "early-data-refused": (["-tls1_3"], ["-early_data"], ["early", "refused"]),
    "fragments": (["-tls1_3", "-max_send_frag", "512"], ["-max_send_frag", "512"], []),
    "program-1.2": (["-tls1_2"], [], []),
}


def certificate(folder, kind):
    key = {"rsa": ["rsa:2048"], "ec": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]}[kind]
    path = os.path.join(folder, kind + ".pem")
    if not os.path.exists(path):
        subprocess.run(
            ["openssl", "req", "-x509", "-nodes", "-newkey"] + key + [
                "-keyout", path, "-out", path + ".crt", "-days", "30", "-subj",
                "/CN=irc.example.org", "-addext",
                "subjectAltName=DNS:irc.example.org,DNS:*.example.org"],
            check=True, capture_output=True)
        with open(path, "a") as file:
            file.write(open(path + ".crt").read())
    return path


class Recording:
    def __init__(self):
        self.pieces = []
        self.lines = []

    def add(self, side, data):
        if data:
            self.pieces.append([side, data.hex()])

    def result(self, log):
        return {"pieces": self.pieces, "lines": self.lines, "log": log}


def contexts(folder, version, cipher, features):
    kind = "rsa" if cipher in ("rsa128", "rsa256") else "ec"
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    path = certificate(folder, kind)
    server.load_cert_chain(path)
    client.check_hostname = False
    client.verify_mode = ssl.CERT_NONE
    for context in (client, server):
        if version == "1.2":
            context.set_ciphers(CIPHERS[cipher][0] + ":@SECLEVEL=0")
        context.minimum_version = context.maximum_version = (
            ssl.TLSVersion.TLSv1_2 if version == "1.2" else ssl.TLSVersion.TLSv1_3)
    client.set_alpn_protocols(["irc", "other"])
    server.set_alpn_protocols(["irc"])
    if "retry" in features:
        server.set_ecdh_curve("secp384r1")
    if "request" in features:
        server.verify_mode = ssl.CERT_OPTIONAL
        server.load_verify_locations(path + ".crt")
        client.load_cert_chain(path)
    client.keylog_filename = os.path.join(folder, "keys.log")
    return client, server


def run_direct(folder, contexts_, session, talk):
    """Runs a session. Returns the client, and what was recorded."""
    recording = Recording()
    client_context, server_context = contexts_
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    from_client, from_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(
        to_client, from_client, server_hostname="irc.example.org", session=session)
    server = server_context.wrap_bio(to_server, from_server, server_side=True)

    def transfer():
        for side, source, target in (
            ("client", from_client, to_server), ("server", from_server, to_client)):
            data = source.read()
            recording.add(side, data)
            target.write(data)

    def handshake():
        missing = [client, server]
        for _ in range(20):
            for end in list(missing):
                try:
                    end.do_handshake()
                    missing.remove(end)
                except ssl.SSLWantReadError:
                    pass
                transfer()
            if not missing:
                return
        raise RuntimeError("the handshake does not end")

    is_secure = False
    for side, text in talk:
        if side == "tls":
            handshake()
            is_secure = True
            continue
        data = text if isinstance(text, bytes) else text.encode()
        if data is not text:
            recording.lines.append([side, text])
        if not is_secure:
            recording.add(side, data)
            continue
        sender, receiver = (client, server) if side == "client" else (server, client)
        sender.write(data)
        transfer()
        assert receiver.read(len(data) + 1) == data
    return client, recording


def direct(folder, name):
    version, cipher, features = DIRECT[name]
    pair = contexts(folder, version, cipher, features)
    talk = [("tls", "")] + TALK
    if "starttls" in features:
        talk = [("client", "STARTTLS\r\n"), ("server", ":irc.example.org 670 * :go ahead\r\n")] + talk
    if "many" in features:
        talk += [
            ("client" if number % 2 else "server", f"PRIVMSG #tea :message {number}\r\n")
            for number in range(200)]
    if "smtp" in features:
        talk = [
            ("server", "220 mail.example.org ready\r\n"), ("client", "EHLO a.example\r\n"),
            ("server", "250-mail.example.org\r\n250 STARTTLS\r\n"), ("client", "STARTTLS\r\n"),
            ("server", "220 go ahead\r\n"), ("tls", ""), ("client", "EHLO a.example\r\n"),
            ("server", "250-mail.example.org\r\n250 SIZE 100\r\n"),
            ("client", "MAIL FROM:<a@a.example>\r\n"), ("server", "250 fine\r\n"),
            ("client", "RCPT TO:<b@b.example>\r\n"), ("server", "250 fine\r\n"),
            ("client", "DATA\r\n"), ("server", "354 go on\r\n"),
            ("client", "Subject: x\r\n\r\nNOOP\r\n.\r\n"), ("server", "250 taken\r\n"),
            ("client", "QUIT\r\n"), ("server", "221 bye\r\n")]
    if "web" in features:
        talk = [
            ("tls", ""),
            ("client", "GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\n\r\n"),
            ("server", "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
            # A message in a frame, without a line terminator.
            ("server", b"\x81\x06PING 2"),
        ]
    session = None
    if "resumed" in features:
        first, _ = run_direct(folder, pair, None, talk)
        session = first.session
        os.remove(pair[0].keylog_filename)
        pair[0].keylog_filename = pair[0].keylog_filename
    client, recording = run_direct(folder, pair, session, talk)
    assert session is None or client.session_reused
    log = open(os.path.join(folder, "keys.log")).read()
    return recording.result(log)


class Relay:
    """Relays one connection, and records its bytes."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target = port
        self.ends = []
        self.recording = Recording()

    def step(self, seconds):
        wanted = self.ends or [self.listener]
        for ready in select.select(wanted, [], [], seconds)[0]:
            if ready is self.listener:
                near = self.listener.accept()[0]
                self.ends = [near, socket.create_connection(("127.0.0.1", self.target))]
                continue
            data = ready.recv(65536)
            if not data:
                self.ends = []
                return
            side = 0 if ready is self.ends[0] else 1
            self.recording.add(("client", "server")[side], data)
            self.ends[1 - side].sendall(data)


class Program:
    def __init__(self, arguments):
        self.process = subprocess.Popen(
            ["openssl"] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.output = b""

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        self.output += self.process.stdout.read() or b""

    def wait(self, text, relay=None):
        """Waits until the program has printed the text, and forgets what it has printed."""
        end = time.monotonic() + 60
        while text not in self.output:
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"no {text}: {self.output}")
            if relay:
                relay.step(0.01)
            else:
                time.sleep(0.01)
            self.read()
        self.output = self.output[self.output.index(text) + len(text):]

    def end(self):
        self.process.kill()
        self.process.wait()


def serve(folder, options):
    """Starts a server on a free port."""
    for _ in range(20):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        server = Program(
            ["s_server", "-accept", f"127.0.0.1:{port}", "-cert", certificate(folder, "ec"),
             "-num_tickets", "1"] + options)
        try:
            server.wait(b"ACCEPT")
            return server, port
        except RuntimeError:
            server.end()
    raise RuntimeError("no free port")


def connect(relay, folder, options, server):
    client = Program(
        ["s_client", "-connect", f"127.0.0.1:{relay.port}", "-servername", "irc.example.org",
         "-brief", "-keylogfile", os.path.join(folder, "keys.log")] + options)
    return client


def programs(folder, name):
    client_options, server_options, features = PROGRAMS[name]
    log = os.path.join(folder, "keys.log")
    saved = os.path.join(folder, "session")
    server, port = serve(folder, server_options)
    started = [server]
    talk = [(side, text) for side, text in TALK if not text.startswith(("Q", "K", "P", "S", "R"))]
    try:
        extra = []
        if "early" in features:
            relay = Relay(port)
            first = connect(relay, folder, client_options + ["-sess_out", saved], server)
            started.append(first)
            server.wait(b"CIPHER", relay)
            first.write(b"hello\n")
            server.wait(b"hello\n", relay)
            server.write(b"answer\n")
            first.wait(b"answer\n", relay)
            first.end()
            relay.step(0.1)
            if "refused" in features:
                server.end()
                server, port = serve(folder, server_options)
                started.append(server)
            os.remove(log)
            early = os.path.join(folder, "early")
            with open(early, "wb") as file:
                file.write(b"NICK alice\r\nUSER alice 0 * :Alice\r\n")
            extra = ["-sess_in", saved, "-early_data", early]
        relay = Relay(port)
        client = connect(relay, folder, client_options + extra, server)
        started.append(client)
        if "early" in features and "refused" not in features:
            server.wait(b"USER alice 0 * :Alice\r\n", relay)
            relay.recording.lines.append(["client", "NICK alice\r\nUSER alice 0 * :Alice\r\n"])
            talk = talk[1:]
        server.wait(b"CIPHER", relay)
        for number, (side, text) in enumerate(talk):
            sender, receiver = (client, server) if side == "client" else (server, client)
            relay.recording.lines.append([side, text])
            sender.write(text.encode())
            receiver.wait(text.encode(), relay)
            if "update" in features and number % 2 == 0:
                for _ in range(2 if "twice" in features else 1):
                    before = len(relay.recording.pieces)
                    sender.write(b"K\n")
                    while len(relay.recording.pieces) < before + 1:
                        relay.step(0.01)
            if "renegotiate" in features and number == 1:
                client.write(b"R\n")
                before = len(relay.recording.pieces)
                while len(relay.recording.pieces) < before + 4:
                    relay.step(0.01)
        return relay.recording.result(open(log).read())
    finally:
        for program in started:
            program.end()


def capture(pieces):
    """Returns a pcap file of raw IPv4 packets with one connection."""
    result = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101)
    sequences = {"client": 1000, "server": 9000}
    ends = {"client": (b"\x0a\0\0\1", 50000), "server": (b"\x0a\0\0\2", 6697)}
    packets = [("client", 2, b""), ("server", 18, b""), ("client", 16, b"")]
    for side, data in pieces:
        data = bytes.fromhex(data)
        packets += [(side, 24, data[start:start + 1400]) for start in range(0, len(data), 1400)]
    packets += [("client", 17, b""), ("server", 17, b""), ("client", 16, b"")]
    for number, (side, flags, data) in enumerate(packets):
        other = "server" if side == "client" else "client"
        tcp = struct.pack(
            ">HHIIBBHHH", ends[side][1], ends[other][1], sequences[side], sequences[other], 0x50,
            flags, 65535, 0, 0) + data
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 40 + len(data), 1, 0, 64, 6, 0)
        packet = ip + ends[side][0] + ends[other][0] + tcp
        result += struct.pack("<IIII", 1700000000, number * 1000, len(packet), len(packet)) + packet
        sequences[side] += len(data) + (1 if flags & 3 else 0)
    return result


def main():
    names = sys.argv[1:]
    target = None
    if names[0] == "--write":
        target = names[1]
        names = names[2:]
    results = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            result = direct(folder, name) if name in DIRECT else programs(folder, name)
        results.append(result)
        if target:
            with open(os.path.join(target, name + ".pcap"), "wb") as file:
                file.write(capture(result["pieces"]))
            with open(os.path.join(target, name + ".keys"), "w") as file:
                file.write(result["log"])
    if not target:
        json.dump(results, sys.stdout)


def restart_with_suites():
    """Selects the cipher suite of TLS 1.3, which OpenSSL 3.0 reads from its configuration."""
    suites = {CIPHERS[DIRECT[name][1]][1] for name in sys.argv[1:] if DIRECT.get(name, " ")[0] == "1.3"}
    if len(suites) != 1 or "OPENSSL_CONF" in os.environ:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "openssl.cnf")
        with open(path, "w") as file:
            file.write(
                "openssl_conf = init\n[init]\nssl_conf = ssl\n[ssl]\nsystem_default = suites\n"
                f"[suites]\nCiphersuites = {suites.pop()}\n[req]\ndistinguished_name = names\n"
                "[names]\n")
        environment = dict(os.environ, OPENSSL_CONF=path)
        sys.exit(subprocess.run([sys.executable] + sys.argv, env=environment).returncode)


if __name__ == "__main__":
    restart_with_suites()
    main()
