#!/usr/bin/env python3
"""Ends run, check, load and record at random moments, and examines what they leave behind.

usage: interrupt.py [COUNT] [SEED]

After SIGKILL: no report is damaged, no process survives, and no temporary folder is left after the
next start. After SIGINT, in addition: the command ends within two seconds, with its reports.
Prints a line per command and signal. Exits with 1 if anything was found.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
linejudge = os.path.abspath(os.environ.get("LINEJUDGE", root / ".build/debug/linejudge"))
# The server also starts a process in a separate session, as daemons do.
SERVE = ("sh -c '(setsid sleep 1000 &) ; exec \"$0\" serve --dialect irc --listen 127.0.0.1:$1' "
         f"'{linejudge}' {{{{port}}}}")
SCENARIOS = str(root / "Scenarios/irc/channel")
END_SECONDS = 2.0

COMMANDS = {
    "run": ["run", SCENARIOS, "--exec", SERVE, "--report", "json=out.json", "--report", "html=out.html"],
    "check": ["check", "--dialect", "irc", "--exec", SERVE, "--only", "frame", "--only", "arity.few",
              "--repeat", "1", "--out", "found", "--report", "json=out.json", "--report", "html=out.html"],
    "load": ["load", "--dialect", "irc", "--exec", SERVE, "--operators", "20", "--rate", "200/s",
             "--for", "2s", "--report", "json=out.json", "--report", "html=out.html"],
    "load --processes": ["load", "--dialect", "irc", "--exec", SERVE, "--operators", "20",
                         "--processes", "2", "--rate", "200/s", "--for", "2s",
                         "--report", "json=out.json", "--report", "html=out.html"],
    "record": ["record", "--server", "irc://SERVER", "--listen", "127.0.0.1:0", "-o", "out.chat"],
}


class Trial:
    def __init__(self, name, folder, server):
        self.name = name
        self.folder = pathlib.Path(folder)
        self.mark = f"INTERRUPT_TRIAL={random.getrandbits(64):016x}"
        self.tmp = self.folder / "tmp"
        self.tmp.mkdir()
        key, value = self.mark.split("=")
        self.environment = dict(os.environ, TMPDIR=str(self.tmp), **{key: value})
        words = [word.replace("SERVER", server) for word in COMMANDS[name]]
        self.process = subprocess.Popen(
            [linejudge] + words, cwd=folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.client = None
        if name == "record":
            self.converse()

    def converse(self):
        """Connects a client to the recorder, and sends some lines."""
        output = b""
        deadline = time.monotonic() + 5
        address = None
        os.set_blocking(self.process.stdout.fileno(), False)
        while address is None and time.monotonic() < deadline and self.process.poll() is None:
            output += self.process.stdout.read() or b""
            for word in output.decode(errors="replace").replace("/", " ").split():
                host, _, port = word.rstrip(",.").rpartition(":")
                if host == "127.0.0.1" and port.isdigit():
                    if f":{port}" != SERVER_PORT:
                        address = (host, int(port))
            time.sleep(0.01)
        os.set_blocking(self.process.stdout.fileno(), True)
        if address is None:
            return
        self.client = socket.create_connection(address, timeout=2)
        self.client.sendall(b"NICK amy\r\nUSER amy 0 * :Amy\r\nJOIN #room\r\nPRIVMSG #room :hello\r\n")

    def wait(self, seconds):
        """Waits for that time. Returns False if the command ends first."""
        try:
            self.process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            return True

    def wait_for_handler(self):
        """Waits until the command handles SIGINT. Before that, the signal would simply end it."""
        bit = 1 << (signal.SIGINT - 1)
        while self.process.poll() is None:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
            masks = [line.split()[1] for line in status.splitlines() if line[:6] in ("SigIgn", "SigCgt")]
            if any(int(mask, 16) & bit for mask in masks):
                time.sleep(0.02)
                return
            time.sleep(0.001)

    def end(self, number):
        """Sends the signal, and returns descriptions of everything that is wrong afterwards."""
        faults = []
        begin = time.monotonic()
        self.process.send_signal(number)
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            faults.append("did not end")
        took = time.monotonic() - begin
        if number == signal.SIGINT and took > END_SECONDS:
            faults.append(f"took {took:.1f} s to end")
        if self.client:
            self.client.close()
        faults += self.survivors()
        faults += self.reports(must_exist=number == signal.SIGINT)
        faults += self.leftovers()
        return faults

    def survivors(self):
        return end_survivors(self.mark)

    def reports(self, must_exist):
        if self.name == "record":
            return self.scenario(must_exist)
        faults = []
        results, page = self.folder / "out.json", self.folder / "out.html"
        if results.exists() and results.stat().st_size:
            try:
                json.loads(results.read_text())
            except ValueError as error:
                faults.append(f"out.json is damaged: {error}")
            again = self.run(["report", "out.json", "--format", "json"])
            if again.returncode:
                faults.append(f"report cannot read out.json: {again.stderr.decode()[:200]}")
        elif must_exist:
            faults.append("no out.json")
        if page.exists() and page.stat().st_size and not page.read_text().rstrip().endswith("</html>"):
            faults.append("out.html is cut off")
        found = self.folder / "found"
        for file in sorted(found.glob("*.chat")) if found.exists() else []:
            if self.run(["lint", str(file)]).returncode not in (0, 1):
                faults.append(f"{file.name} is damaged")
        return faults

    def scenario(self, must_exist):
        file = self.folder / "out.chat"
        if file.exists() and file.stat().st_size:
            lint = self.run(["lint", "out.chat"])
            return [] if lint.returncode in (0, 1) else [f"out.chat is damaged: {lint.stderr.decode()[:200]}"]
        return ["no out.chat"] if must_exist and self.client else []

    def leftovers(self):
        """Describes the temporary files that remain after the next start."""
        hello = self.folder / "hello.chat"
        hello.write_text("dialect irc\noperators a\n\na connect\na close\n")
        self.run(["run", "hello.chat", "--exec", SERVE])
        left = sorted(path.name for path in self.tmp.iterdir())
        return [f"temporary files: {left}"] if left else []

    def run(self, words):
        return subprocess.run(
            [linejudge] + words, cwd=self.folder, env=self.environment, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=60)


def marked(mark):
    """Yields the IDs of the processes that have this variable in their environment."""
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark.encode() in environment.split(b"\0") and state != "Z":
            yield int(entry.name)


def end_survivors(mark):
    """Kills the marked processes that are still running after two seconds, and returns a description of them."""
    deadline = time.monotonic() + 2
    while found := list(marked(mark)):
        if time.monotonic() > deadline:
            names = [command_line(pid)[:100] for pid in found]
            for pid in found:
                os.kill(pid, signal.SIGKILL)
            return [f"still running: {names}"]
        time.sleep(0.02)
    return []


def command_line(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return str(pid)


def duration(name, server):
    """Returns the seconds that the command takes if it is not interrupted, at most 6."""
    if name == "record":
        return 1.0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(name, folder, server)
        begin = time.monotonic()
        trial.wait(6)
        trial.process.kill()
        trial.process.communicate()
        trial.survivors()
        return time.monotonic() - begin


def series(name, number, count, server):
    length = duration(name, server)
    faults = []
    ended = 0
    for _ in range(count):
        folder = tempfile.mkdtemp(prefix="interrupt-")
        try:
            trial = Trial(name, folder, server)
            moment = random.uniform(0, length)
            if not trial.wait(moment):
                ended += 1
            if number == signal.SIGINT:
                trial.wait_for_handler()
            faults += [f"after {moment:.3f} s: {fault}" for fault in trial.end(number)]
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    word = signal.Signals(number).name
    print(f"{name}, {word}: {count} times within {length:.1f} s, {ended} had already ended, "
          f"{len(faults)} faults", flush=True)
    for fault in faults[:20]:
        print(f"    {fault}", flush=True)
    return len(faults)


SERVER_PORT = ""


def main():
    global SERVER_PORT
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    random.seed(seed)
    print(f"seed {seed}", flush=True)
    server = subprocess.Popen(
        [linejudge, "serve", "--dialect", "irc", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = server.stdout.readline().split()[-1].rpartition("/")[2]
        SERVER_PORT = ":" + address.rpartition(":")[2]
        names = [name for name in COMMANDS]
        faults = sum(
            series(name, number, count, address)
            for name in names for number in (signal.SIGKILL, signal.SIGINT))
    finally:
        server.terminate()
        server.wait()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
