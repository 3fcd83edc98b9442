#!/usr/bin/env python3
"""Makes single calls of C library functions fail in run, check, load and decode, and examines what happens.

usage: inject.py [-n POSITIONS] [-s SEED] [-f FUNCTION]... [COMMAND]...

For each function that a command calls, the first calls and some random ones fail, one per run of the command:
POSITIONS in all (default: 6). The command must then end by itself, without a signal; with exit code 0 it must
have written complete reports, and with another one it must say why. No process and no temporary file may be
left. Prints a line per command and function. Exits with 1 if anything was found.

The library that makes calls fail is compiled from inject.c with cc. It leaves out the calls with which
SwiftNIO and libdispatch create event loops (epoll_create1, eventfd, timerfd_create), add sockets to them
(epoll_ctl) and wake them (reading and writing an eventfd or timerfd): if such a call fails, these libraries
end the process or hang.
"""

import argparse
import errno
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from interrupt import end_survivors, linejudge, root

SERVE = f"'{linejudge}' serve --dialect irc --listen 127.0.0.1:{{{{port}}}}"
REPORTS = ["--report", "json=out.json", "--report", "html=out.html"]
COMMANDS = {
    "run": ["run", str(root / "Scenarios/irc/channel"), "--exec", SERVE, *REPORTS],
    "check": ["check", "--dialect", "irc", "--exec", SERVE, "--only", "frame.seg", "--only", "arity.few:PING",
              "--repeat", "0", "--out", "found", *REPORTS],
    "load": ["load", "--dialect", "irc", "--exec", SERVE, "--operators", "4", "--rate", "50/s", "--for", "500ms",
             "--drain", "500ms", *REPORTS],
    "decode": ["decode", str(root / "Examples/captures/talk.pcap"), "--as", "ladder", "-o", "out.txt"],
}
ERRORS = {
    "read": "EIO", "write": "ENOSPC", "pread": "EIO", "pwrite": "ENOSPC", "readv": "EIO", "writev": "ENOSPC",
    "send": "ECONNRESET", "recv": "ECONNRESET", "sendmsg": "ECONNRESET", "recvmsg": "ECONNRESET",
    "sendto": "ECONNRESET", "recvfrom": "ECONNRESET", "socket": "EMFILE", "connect": "ECONNREFUSED",
    "bind": "EADDRINUSE", "listen": "EADDRINUSE", "accept4": "EMFILE", "setsockopt": "ENOBUFS",
    "getsockopt": "ENOBUFS", "getsockname": "ENOBUFS", "shutdown": "ENOTCONN", "open": "EMFILE",
    "openat": "EMFILE", "fsync": "EIO", "ftruncate": "ENOSPC", "rename": "ENOSPC", "unlink": "EACCES",
    "mkdir": "ENOSPC", "rmdir": "EACCES", "pipe2": "EMFILE", "fcntl": "EMFILE", "epoll_wait": "EINTR",
}
# Cleaning up may fail if exactly this call fails.
MAY_LEAVE_FILES = {"unlink", "rmdir"}
SECONDS_MAX = 120 if os.environ.get("SANITIZED") else 30


class Run:
    """One run of a command, with or without a failing call."""

    def __init__(self, name, library, call=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="inject-"))
        (self.folder / "tmp").mkdir()
        mark = os.urandom(8).hex()
        preloaded = ":".join(filter(None, [library, os.environ.get("LD_PRELOAD")]))
        environment = dict(
            os.environ, TMPDIR=str(self.folder / "tmp"), INJECTION=mark, LD_PRELOAD=preloaded,
            FAIL_COUNT=str(self.folder / "counts"), SWIFT_BACKTRACE="enable=no")
        if call:
            environment["FAIL_CALL"] = call
        try:
            ended = subprocess.run(
                [linejudge, *COMMANDS[name]], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=SECONDS_MAX)
            self.status, self.output = ended.returncode, (ended.stdout + ended.stderr).decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.status, self.output = None, ""
        self.survivors = end_survivors(f"INJECTION={mark}")

    def counts(self):
        lines = (self.folder / "counts").read_text().splitlines()
        return {name: int(count) for name, count in (line.split() for line in lines)}

    def results(self):
        """Returns the names of the results in the JSON report, or None without a report."""
        path = self.folder / "out.json"
        if not path.exists():
            return None
        report = json.loads(path.read_text())
        parts = report.get("scenarios") or report.get("checks") or [{"id": "load"}]
        return sorted(part.get("id") or part.get("path") or part.get("title", "?") for part in parts)

    def faults(self, name, expected, may_leave):
        """Returns descriptions of everything that is wrong."""
        if self.status is None:
            return [f"still running after {SECONDS_MAX} s"]
        if self.status < 0:
            return [f"ended by signal {-self.status}: {self.output[-300:]}"]
        faults = []
        try:
            results = self.results()
        except ValueError as error:
            return [f"out.json is damaged: {error}"]
        page = self.folder / "out.html"
        if page.exists() and not page.read_text().rstrip().endswith("</html>"):
            faults.append("out.html is cut off")
        if self.status == 0 and results != expected:
            faults.append("exit code 0, but results are missing")
        if self.status == 0 and name == "decode" and not (self.folder / "out.txt").exists():
            faults.append("exit code 0, but no output")
        words = ("error", "FAIL", "inconclusive", "INCONCLUSIVE", "flaky", "delayed", "violation", "not ")
        if self.status != 0 and not any(word in self.output for word in words):
            faults.append(f"exit code {self.status} without a reason: {self.output[-200:]!r}")
        faults += self.survivors
        left = sorted(path.name for path in (self.folder / "tmp").iterdir())
        if left and not may_leave:
            faults.append(f"temporary files: {left}")
        parts = [path.name for path in self.folder.iterdir() if path.name.startswith(".")]
        if parts and not may_leave:
            faults.append(f"unfinished files: {parts}")
        return faults

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def positions(count, most):
    """Returns the numbers of the calls that fail: the first ones, and random ones."""
    first = list(range(1, min(count, most // 2) + 1))
    rest = range(len(first) + 1, count + 1)
    return first + sorted(random.sample(rest, min(len(rest), most - len(first))))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    parser.add_argument("-n", type=int, default=6)
    parser.add_argument("-s", type=int, default=random.randrange(1 << 32))
    parser.add_argument("-f", action="append")
    parser.add_argument("commands", nargs="*")
    options = parser.parse_args()
    random.seed(options.s)
    print(f"seed {options.s}", flush=True)
    library = tempfile.mkdtemp(prefix="inject-") + "/inject.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", library, str(root / "scripts/inject.c"), "-ldl"], check=True)
    total = 0
    try:
        for name in options.commands or COMMANDS:
            base = Run(name, library)
            expected = base.results()
            faults = base.faults(name, expected, may_leave=False)
            # On a busy machine, a load test may be inconclusive.
            if base.status not in (0, 2) or faults:
                print(f"{name}: fails without an injected failure: exit code {base.status}, {faults}\n{base.output}")
                return 1
            counts = base.counts()
            base.remove()
            for function, count in counts.items():
                if not count or options.f and function not in options.f:
                    continue
                codes, found = {}, []
                for number in positions(count, options.n):
                    code = ERRORS[function]
                    run = Run(name, library, f"{function}:{number}:{getattr(errno, code)}")
                    codes[run.status] = codes.get(run.status, 0) + 1
                    found += [f"{function} {number}, {code}: {fault}"
                              for fault in run.faults(name, expected, function in MAY_LEAVE_FILES)]
                    run.remove()
                ends = ", ".join(f"{times}× {status}" for status, times in sorted(
                    codes.items(), key=lambda item: str(item[0])))
                print(f"{name}: {function}, {count} calls: exit codes {ends}; {len(found)} faults", flush=True)
                for fault in found:
                    print(f"    {fault}", flush=True)
                total += len(found)
    finally:
        shutil.rmtree(os.path.dirname(library))
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
