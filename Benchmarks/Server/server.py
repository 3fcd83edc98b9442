"""A running server, observed from outside."""

import os
import re
import signal
import subprocess
import urllib.request

ENDS_WITHIN = 60


class Program:
    """A server that prints its port in the first line of its output."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        self.port = int(re.search(r"(\d+)$", line.strip())[1])

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        errors = self.process.communicate(timeout=ENDS_WITHIN)[1].decode()
        return self.process.returncode, errors


class Server(Program):
    """A `linejudge serve` process."""

    def __init__(self, program, dialect):
        words = [program, "serve", "--dialect", dialect, "--listen", "127.0.0.1:0"]
        super().__init__(words + ["--metrics", "127.0.0.1:0"])
        self.metrics_at = self.process.stdout.readline().decode().split("metrics at ")[1].strip()

    def metric(self, name):
        with urllib.request.urlopen(self.metrics_at, timeout=30) as answer:
            page = answer.read().decode()
        return int(re.search(rf"^linejudge_server_{name} (\d+)", page, re.M)[1])
