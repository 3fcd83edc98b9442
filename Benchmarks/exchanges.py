"""Compares what an exchange costs in linejudge and in C: exchanges.py PROGRAM FOLDER SECONDS ROUNDS.

The two generators take turns on one core, each with a server of its own: one runs for a fraction of
a second while the other one is stopped. A disturbance that lasts longer than that affects both. The
one that starts first often needs a little less, so each round starts them in a random order.
The folder contains the reference program and the dialect. Exits with 1 if the goal is missed.
"""
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import time

GOAL = 1.10
CONNECTIONS = (100, 1000, 10000)
TURN_SECONDS = 0.1
# The cost of starting and connecting is the same in a short and in a long run.
SHORT_SECONDS = 1


class Generator:
    """A generator and its server."""

    def __init__(self, folder):
        self.reference = pathlib.Path(folder, "reference")

    def start_server(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = subprocess.Popen(on_core(1) + [self.reference, "serve", str(self.port)])
        deadline = time.monotonic() + 5
        while not self.listens():
            if time.monotonic() > deadline:
                self.stop_server()
                sys.exit(f"no server on port {self.port}")
            time.sleep(0.05)

    def stop_server(self):
        self.server.kill()
        self.server.wait()

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def start(self, connections, seconds):
        """Starts the generator. It is stopped until its first turn."""
        self.process = subprocess.Popen(
            on_core(0) + self.command(connections, seconds),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.kill(self.process.pid, signal.SIGSTOP)

    def take_turn(self):
        """Runs the generator for one turn. Returns whether it has ended."""
        os.kill(self.process.pid, signal.SIGCONT)
        time.sleep(TURN_SECONDS)
        ended, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if not ended:
            os.kill(self.process.pid, signal.SIGSTOP)
            return False
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.processor_seconds = usage.ru_utime + usage.ru_stime
        return True


class Reference(Generator):
    def command(self, connections, seconds):
        return [self.reference, "load", str(self.port), str(connections), str(seconds)]

    def exchanges(self):
        return int(self.process.stdout.read().split()[0])


class Linejudge(Generator):
    def __init__(self, program, folder):
        super().__init__(folder)
        self.program = program
        self.dialect = pathlib.Path(folder, "ping.yaml")
        self.results = pathlib.Path(folder, "results.json")

    def command(self, connections, seconds):
        self.results.unlink(missing_ok=True)
        return [
            self.program, "load", "--dialect", self.dialect, "--server", f"tcp://127.0.0.1:{self.port}",
            "--operators", str(connections), "--mix", "probe=1", "--model", "closed", "--think", "0",
            "--for", f"{seconds}s", "--workers", "1", "--reset", "--report", f"json={self.results}"]

    def exchanges(self):
        return json.loads(self.results.read_bytes())["traffic"]["answered"]


def on_core(number):
    return ["taskset", "-c", str(number)] if os.cpu_count() > 1 else []


def run(generators, connections, seconds):
    """Returns the exchanges and CPU seconds of each generator, in the order of the list."""
    running = []
    try:
        for generator in generators:
            # Each generator runs only for its share of the time.
            generator.start(connections, seconds * len(generators))
            running.append(generator)
        while running:
            running = [generator for generator in running if not generator.take_turn()]
    finally:
        for generator in running:
            generator.process.kill()
    return [(generator.exchanges(), generator.processor_seconds) for generator in generators]


def microseconds(generators, connections, seconds):
    """Returns the CPU microseconds per exchange of each generator, in the order of the list."""
    shuffled = random.sample(generators, len(generators))
    started = []
    try:
        for generator in shuffled:
            generator.start_server()
            started.append(generator)
        short = run(shuffled, connections, SHORT_SECONDS)
        long = run(shuffled, connections, SHORT_SECONDS + seconds)
    finally:
        for generator in started:
            generator.stop_server()
    cost = {
        generator: (used - used_short) / (count - count_short) * 1e6
        for generator, (count_short, used_short), (count, used) in zip(shuffled, short, long)}
    return [cost[generator] for generator in generators]


def main():
    program, folder, seconds, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    generators = [Reference(folder), Linejudge(program, folder)]
    is_met = True
    print("CPU seconds for a million exchanges of the whole process, without start and end: the medians of")
    print(f"{rounds} rounds, and the median, lowest and highest ratio")
    print("connections      C   linejudge   ratio")
    for connections in CONNECTIONS:
        costs = [microseconds(generators, connections, seconds) for _ in range(rounds)]
        ratios = sorted(ours / theirs for theirs, ours in costs)
        theirs, ours = (statistics.median(column) for column in zip(*costs))
        ratio = statistics.median(ratios)
        print(f"{connections:11} {theirs:6.2f} {ours:11.2f} {ratio:7.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
              flush=True)
        is_met = is_met and ratio <= GOAL
    print(f"(goal at most {GOAL:.2f})")
    sys.exit(not is_met)


main()
