#!/usr/bin/env python3
"""Abuses a running `linejudge serve` and reports what is left behind.

For each dialect, it sends random bytes, half-opens connections, and runs slow and abrupt clients while two
regular clients exchange messages. Exits with 1 if the server leaks files or sessions, stops serving the regular
clients, or crashes.
"""

import argparse
import select
import sys
import threading
import time

from abuse import Crowd
from people import DIALECTS
from server import Server

# Seconds in which the server must release all resources.
FORGETS_WITHIN = 60
# Number of consecutive equal measurements, 50 ms apart, that count as a steady state.
STEADY_LOOKS = 20
# Longest acceptable delay of a message, in seconds.
SERVES_WITHIN = 30


class Pair(threading.Thread):
    """Two regular clients that continuously exchange numbered messages."""

    def __init__(self, kind, port):
        super().__init__(daemon=True)
        self.one, self.two = kind(port, "alice"), kind(port, "bob")
        self.one.log_in()
        self.two.log_in()
        self.one.meet(self.two)
        self.stopped = threading.Event()
        self.delays, self.failure, self.number = [], None, 0

    def run(self):
        while not self.stopped.is_set():
            try:
                self.exchange()
                self.rest()
            except OSError as error:
                self.failure = f"after {self.number} texts: {error!r}"
                return

    def exchange(self):
        for speaker, hearer in [(self.one, self.two), (self.two, self.one)]:
            self.number += 1
            text = f"text-{self.number}-of-the-pair"
            started = time.monotonic()
            speaker.send(speaker.say(hearer, text))
            self.hear(hearer, text.encode())
            self.delays.append(time.monotonic() - started)

    def hear(self, hearer, text):
        """Reads on both connections until a text arrives; the server disconnects clients that do not read."""
        last = b""
        while text not in last:
            ready, _, _ = select.select([self.one.socket, self.two.socket], [], [], SERVES_WITHIN)
            if not ready:
                raise TimeoutError(f"{text.decode()} has not arrived within {SERVES_WITHIN} s")
            for person in self.one, self.two:
                if person.socket in ready:
                    read = person.read()
                    if person is hearer:
                        last = last[-len(text):] + read

    def rest(self):
        """Pauses while reading, because the server disconnects clients that do not read."""
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            select.select([self.one.socket, self.two.socket], [], [], 0.02)
            self.one.drain()
            self.two.drain()

    def take(self):
        """Returns the median and maximum delay in milliseconds since the last call."""
        delays, self.delays = sorted(self.delays), []
        if not delays:
            return "no text was exchanged"
        middle, last = delays[len(delays) // 2] * 1000, delays[-1] * 1000
        return f"{len(delays):5} texts, median {middle:6.2f} ms, longest {last:7.1f} ms"


class Trial:
    """The survival test of one dialect."""

    def __init__(self, program, dialect, options):
        self.dialect, self.seconds, self.options = dialect, options.seconds, options
        self.faults = []
        self.server = Server(program, dialect)
        self.pair = Pair(DIALECTS[dialect], self.server.port)

    def run(self):
        self.pair.start()
        time.sleep(min(2, self.seconds / 4))
        before = self.show("before")
        crowd = Crowd(
            DIALECTS[self.dialect], self.server.port, self.options.flood_bytes, self.options.abusers)
        time.sleep(self.seconds / 2)
        self.show("middle")
        time.sleep(self.seconds / 2)
        self.show("end")
        counts = crowd.end()
        self.settle(before)
        self.pair.delays = []
        time.sleep(min(2, self.seconds / 4))
        after = self.show("after")
        summary = ", ".join(f"{way} {count}" for way, count in sorted(counts.items()))
        print(f"           {summary}")
        self.judge(before, after)
        return self.faults

    def state(self):
        # Count files first: the metrics request opens one.
        files = self.server.files()
        return (files, self.server.metric("connections"), self.server.metric("sessions"))

    def show(self, when):
        files, connections, sessions = state = self.state()
        print(
            f"{self.dialect:10} {when:7} files {files:4}  RSS {self.server.megabytes():6.1f} MiB  "
            f"connections {connections:4}  sessions {sessions:4}  {self.pair.take()}", flush=True)
        return state

    def settle(self, wanted):
        """Waits until the state is steady: a busy server may still have connections to accept."""
        deadline = time.monotonic() + FORGETS_WITHIN
        steady = 0
        while steady < STEADY_LOOKS and time.monotonic() < deadline:
            time.sleep(0.05)
            steady = steady + 1 if self.state() == wanted else 0

    def judge(self, before, after):
        self.pair.stopped.set()
        self.pair.join(FORGETS_WITHIN)
        for name, start, now in zip(["files", "connections", "sessions"], before, after):
            if now != start:
                self.faults.append(f"{name}: {start} before, {now} after")
        if self.pair.failure:
            self.faults.append(f"the regular clients failed {self.pair.failure}")
        lines = self.server.metric("lines_total")
        turned_away = self.server.metric("connections_total")
        cut = self.server.metric("slow_readers_total")
        print(f"           {turned_away} connections, {lines} lines, {cut} slow readers disconnected")
        self.pair.one.close()
        self.pair.two.close()
        status, errors = self.server.end()
        if status != 0 or errors:
            self.faults.append(f"the server exited with {status}: {errors[-500:]}")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program", help="the linejudge executable")
    words.add_argument("--seconds", type=float, default=60, help="duration of the abuse per dialect")
    words.add_argument("--abusers", type=int, default=16, help="number of concurrent abusers")
    # Exceeds the kernel's buffers plus the server's queue.
    words.add_argument("--flood-bytes", type=int, default=12 << 20, help="maximum sent by one abuser")
    words.add_argument("--dialect", action="append", choices=list(DIALECTS))
    options = words.parse_args()
    failed = False
    for dialect in options.dialect or DIALECTS:
        for fault in Trial(options.program, dialect, options).run():
            print(f"{dialect:10} FAULT   {fault}")
            failed = True
    sys.exit(1 if failed else 0)


main()
