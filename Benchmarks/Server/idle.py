#!/usr/bin/env python3
"""Measures the memory that `linejudge serve` needs for idle operators."""

import argparse
import resource
import sys

from people import DIALECTS
from server import Server


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program", help="the linejudge executable")
    words.add_argument("--operators", type=int, default=10_000)
    words.add_argument("--dialect", choices=list(DIALECTS), default="irc")
    words.add_argument("--megabytes-max", type=float, default=200)
    options = words.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    server = Server(options.program, options.dialect)
    empty = server.megabytes()
    people = []
    for number in range(options.operators):
        person = DIALECTS[options.dialect](server.port, f"idle{number}")
        person.log_in()
        # Discard what was read.
        person.unread = b""
        people.append(person)
    sessions, full = server.metric("sessions"), server.megabytes()
    print(
        f"{options.dialect}: {sessions} idle operators, RSS {full:.1f} MiB (goal < "
        f"{options.megabytes_max:.0f} MiB), {empty:.1f} MiB without operators, "
        f"{(full - empty) * 1024 / options.operators:.1f} KiB each")
    for person in people:
        person.close()
    server.end()
    sys.exit(0 if full < options.megabytes_max and sessions == options.operators else 1)


main()
