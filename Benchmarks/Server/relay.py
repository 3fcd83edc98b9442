#!/usr/bin/env python3
"""Measures the CPU time per delivery of `linejudge serve`, compared with a minimal server in C.

`linejudge load` drives both in turn, with operators in IRC rooms and messages at a fixed rate. Only the CPU
time of the server counts, including logins.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from server import Program, Server


def measure(server, options):
    """Returns the deliveries per second of the server's CPU time."""
    try:
        return deliveries(server.port, options) / server.processor_seconds()
    finally:
        server.end()


def deliveries(port, options):
    """Runs a load test against a server and returns the number of deliveries."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "load.json")
        outcome = subprocess.run(
            [
                options.program, "load", "--server", f"127.0.0.1:{port}",
                "--dialect", options.dialect, "--operators", str(options.operators),
                "--room-size", str(options.room_size), "--rate", f"{options.rate}/s",
                "--mix", "say=1", "--for", f"{options.seconds}s", "--drain", "60s", "--quiet",
                "--report", f"json={report}",
            ], capture_output=True, text=True)
        # Late sends make a load test inconclusive (exit code 2). That is fine, because no latency is measured.
        if outcome.returncode not in (0, 2):
            sys.exit(f"the load test failed: {outcome.stdout}{outcome.stderr}")
        with open(report) as results:
            return json.load(results)["traffic"]["delivered"]


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program", help="the linejudge executable")
    words.add_argument("reference", help="the server in C")
    words.add_argument("reference_arguments", nargs="*")
    words.add_argument("--dialect", default="irc")
    words.add_argument("--operators", type=int, default=500)
    words.add_argument("--room-size", type=int, default=100)
    words.add_argument("--rate", type=int, default=500)
    words.add_argument("--seconds", type=int, default=8)
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--ratio-min", type=float, default=0.5)
    options = words.parse_args()
    reference, ours = [], []
    for _ in range(options.rounds):
        program = Program([options.reference, *options.reference_arguments])
        reference.append(measure(program, options))
        ours.append(measure(Server(options.program, options.dialect), options))
    ratios = [one / two for one, two in zip(ours, reference)]
    print(
        f"{options.dialect}, rooms of {options.room_size}, {options.rate} texts/s: deliveries per CPU second: "
        f"C {statistics.median(reference):9.0f}, serve {statistics.median(ours):9.0f}, "
        f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}; "
        f"goal >= {options.ratio_min})")
    sys.exit(0 if statistics.median(ratios) >= options.ratio_min else 1)


main()
