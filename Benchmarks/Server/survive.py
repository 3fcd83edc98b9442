#!/usr/bin/env python3
"""Abuses a running `linejudge serve` and says what that left behind.

Random bytes, half-open connections, slow clients and abrupt ones, for each dialect. Meanwhile an
honest pair talks. Ends with 1 if the server lost files, sessions, the pair, or its life.
"""

import argparse
import select
import sys
import threading
import time

from abuse import Crowd
from people import DIALECTS
from server import Server

# How long the server may take to have forgotten everybody.
FORGETS_WITHIN = 60
# So many looks in a row, 50 ms apart, have to show the same.
STEADY_LOOKS = 20
# How long a text may take in the worst moment.
SERVES_WITHIN = 30


class Pair(threading.Thread):
    """Two who behave and exchange numbered texts, in turns, all the time."""

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
        """Reads what both are told until a text is there: whoever does not read is cut."""
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
        """Waits a little and reads meanwhile, for whoever does not read is cut."""
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            select.select([self.one.socket, self.two.socket], [], [], 0.02)
            self.one.drain()
            self.two.drain()

    def take(self):
        """Median and longest delay since the last time, in milliseconds."""
        delays, self.delays = sorted(self.delays), []
        if not delays:
            return "no text was exchanged"
        middle, last = delays[len(delays) // 2] * 1000, delays[-1] * 1000
        return f"{len(delays):5} texts, median {middle:6.2f} ms, longest {last:7.1f} ms"


class Trial:
    """One dialect's hour of need."""

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
        told = ", ".join(f"{way} {count}" for way, count in sorted(counts.items()))
        print(f"           {told}")
        self.judge(before, after)
        return self.faults

    def state(self):
        # The answer to a question about sessions has a file of its own.
        files = self.server.files()
        return (files, self.server.metric("connections"), self.server.metric("sessions"))

    def show(self, when):
        files, connections, sessions = state = self.state()
        print(
            f"{self.dialect:10} {when:7} files {files:4}  RSS {self.server.megabytes():6.1f} MiB  "
            f"connections {connections:4}  sessions {sessions:4}  {self.pair.take()}", flush=True)
        return state

    def settle(self, wanted):
        """Waits until the state is this and stays so: a server that was kept busy still has connections to accept."""
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
            self.faults.append(f"the honest pair fell silent {self.pair.failure}")
        lines = self.server.metric("lines_total")
        turned_away = self.server.metric("connections_total")
        cut = self.server.metric("slow_readers_total")
        print(f"           {turned_away} connections, {lines} lines, {cut} slow readers cut")
        self.pair.one.close()
        self.pair.two.close()
        status, errors = self.server.end()
        if status != 0 or errors:
            self.faults.append(f"the server ended with {status}: {errors[-500:]}")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program", help="the linejudge executable")
    words.add_argument("--seconds", type=float, default=60, help="of abuse, for each dialect")
    words.add_argument("--abusers", type=int, default=16, help="at once")
    # More than the system's buffers and the server's queue hold together.
    words.add_argument("--flood-bytes", type=int, default=12 << 20, help="that one sends at most")
    words.add_argument("--dialect", action="append", choices=list(DIALECTS))
    options = words.parse_args()
    failed = False
    for dialect in options.dialect or DIALECTS:
        for fault in Trial(options.program, dialect, options).run():
            print(f"{dialect:10} FAULT   {fault}")
            failed = True
    sys.exit(1 if failed else 0)


main()
