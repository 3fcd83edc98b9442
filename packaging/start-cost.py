#!/usr/bin/env python3
"""Runs a command twenty times, prints its shortest time and lowest peak of resident memory, and fails if
they exceed limits in ms and KiB. Values below this interpreter's own memory cannot be measured.

Usage: start-cost.py MILLISECONDS KIBIBYTES COMMAND...
"""

import os
import sys
import time


def start(command):
    """Returns seconds and KiB."""
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    if status:
        sys.exit(f"{' '.join(command)} exited with status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss


time_limit, memory_limit, command = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
starts = [start(command) for _ in range(20)]
seconds = min(seconds for seconds, _ in starts)
memory = min(memory for _, memory in starts)
print(f"{' '.join(command[1:])}: {seconds * 1000:.1f} ms, {memory / 1024:.1f} MiB")
sys.exit(seconds * 1000 > time_limit or memory > memory_limit)
