#!/usr/bin/env python3
"""Logs a million operators in to a small C server, has them send 1,000 texts/s for a minute, and verifies every
delivery. Prints the memory per operator.

usage: Benchmarks/million.py [LINEJUDGE]

Without an argument, builds a release first. No process may open a million files, so the load test runs in shards, and
each shard has a server process of its own.

OPERATORS  number of operators (1000000)
SECONDS    how long they send (60)
RATE       texts per second (1000)
RAMP       seconds in which they connect (450)

Exits with 1 if an operator did not enter its room, or if a delivery was not exactly as expected.
"""

import glob
import json
import os
import resource
import subprocess
import sys
import tempfile
import time


def setting(name, default):
    value = os.environ.get(name, str(default))
    if not value.isdecimal() or int(value) == 0:
        sys.exit(f"{name}: expected a positive whole number, not '{value}'")
    return int(value)


OPERATORS = setting("OPERATORS", 1_000_000)
SECONDS = setting("SECONDS", 60)
RATE = setting("RATE", 1_000)
RAMP = setting("RAMP", 450)
ROOM = 10
# A process needs one file per operator and a few others.
OPERATORS_MAX = 19_500
LOGIN_TIMEOUT = 120
# To connect, the kernel searches for a port that no other connection between the two addresses uses. If most ports
# are in use, the search takes longer than the rest of a login.
SOURCES = 4


def release():
    build = ["swift", "build", "-c", "release", "--product", "linejudge"]
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    subprocess.run(build, cwd=folder, check=True, stdout=sys.stderr)
    return subprocess.check_output(build + ["--show-bin-path"], cwd=folder, text=True).strip() + "/linejudge"


def kernel_bytes():
    """Memory that the kernel uses for its own objects and for socket buffers, in bytes."""
    lines = dict(line.split(":") for line in open("/proc/meminfo"))
    kernel = sum(int(lines[name].split()[0]) for name in ("Slab", "KernelStack", "PageTables", "Percpu"))
    return kernel * 1024 + tcp_sockets().get("mem", 0) * resource.getpagesize()


def tcp_sockets():
    """The kernel's counters of TCP sockets: the number in use (`inuse`), the pages of their buffers (`mem`), and so on."""
    for line in open("/proc/net/sockstat"):
        if line.startswith("TCP:"):
            words = line.split()[1:]
            return dict(zip(words[::2], map(int, words[1::2])))
    return {}


def own_bytes(processes):
    """Memory of the processes, with shared pages divided among them, in bytes."""
    total = 0
    for process in processes:
        try:
            for line in open(f"/proc/{process.pid}/smaps_rollup"):
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            pass
    return total


def processor_seconds(processes):
    ticks = 0
    for process in processes:
        try:
            fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def main():
    program = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else release()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    rooms = -(-OPERATORS // ROOM)
    shards = -(-rooms // (OPERATORS_MAX // ROOM))
    here = os.path.dirname(os.path.abspath(__file__))
    servers, generators = [], []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run(["cc", "-O2", "-o", "fanout", f"{here}/Server/fanout.c"], check=True)
        before = kernel_bytes()
        print(f"{OPERATORS} operators in {rooms} rooms, {shards} shards, {RATE} texts/s for {SECONDS} s", flush=True)
        try:
            ports = []
            for _ in range(shards):
                servers.append(subprocess.Popen(["./fanout"], stdout=subprocess.PIPE, text=True))
                ports.append(servers[-1].stdout.readline().split()[-1])
            idle = own_bytes(servers)
            start = time.time() + RAMP + LOGIN_TIMEOUT + 10
            for index, port in enumerate(ports):
                command = [
                    program, "load", "--dialect", "irc", "--server", f"tcp://127.0.0.1:{port}",
                    "--operators", str(OPERATORS), "--room-size", str(ROOM), "--rate", f"{RATE}/s",
                    "--for", f"{SECONDS}s", "--ramp", f"{RAMP}s", "--login-timeout", f"{LOGIN_TIMEOUT}s",
                    "--drain", "20s", "--reset", "--shard", f"{index}/{shards}", "--start-at", f"@{start:.0f}",
                    "--seed", "1", "--quiet", "--report", f"json=load-{index}.json",
                    *(f"--source=127.0.0.{number + 1}" for number in range(SOURCES)),
                ]
                with open(f"load-{index}.txt", "w") as output:
                    generators.append(subprocess.Popen(command, stdout=output, stderr=output))
            while time.time() < start + SECONDS / 2:
                time.sleep(1)
                dead = [index for index, process in enumerate(generators) if process.poll() is not None]
                if dead:
                    sys.exit(f"shard {dead[0]} ended early: " + open(f"load-{dead[0]}.txt").read())
            kernel, connected = kernel_bytes() - before, max(tcp_sockets().get("inuse", 0) // 2, 1)
            memory = {"generator": own_bytes(generators), "server": own_bytes(servers) - idle, "kernel": kernel}
            used = processor_seconds(generators), processor_seconds(servers)
            for process in generators:
                process.wait(timeout=SECONDS + 600)
        finally:
            for process in generators + servers:
                process.kill()
                process.wait()
        subprocess.run([program, "report", *glob.glob("load-*.json"), "--report", "json=all.json"],
                       stdout=subprocess.DEVNULL)
        sys.exit(show(json.load(open("all.json")), memory, used, connected))


def show(results, memory, used, connected):
    operators, traffic, violations = results["operators"], results["traffic"], results["ledger"]["violations"]
    print(f"ready {operators['ready']}, failed {operators['failed']}, not connected {operators['unconnected']}")
    print(f"at the middle of the load test, {connected} were connected:")
    for name, count in memory.items():
        print(f"memory of the {name}: {count / 2**30:.2f} GiB, {count / connected:.0f} bytes per operator")
    files = int(open("/proc/sys/fs/file-nr").read().split()[2])
    print(f"CPU until the middle of the load test: generator {used[0]:.0f} s, server {used[1]:.0f} s")
    print(f"sent {traffic['sentEver']} texts, {traffic['owed']} deliveries expected, {traffic['delivered']} "
          f"delivered; violations: {sum(violations.values())}")
    for one in results["latencies"]:
        if one["measure"] in ("say", "login"):
            times = ", ".join(f"{name} {one['response'][name] / 1e6:.1f} ms" for name in ("p50", "p99", "max"))
            print(f"{one['measure']}: {times}")
    each = sum(memory.values()) / connected
    with open("/proc/meminfo") as lines:
        total = int(next(lines).split()[1]) * 1024
    print(f"limits of this machine: memory for {total / each / 1e6:.1f} million operators, "
          f"open files for {files / 2 / 1e6:.1f} million (fs.file-max {files}, client and server)")
    print("verdict:", results["verdict"])
    for reason in sorted(set(results["reasons"] + results["generator"]["limits"])):
        print(" ", reason)
    return 0 if results["verdict"] == "passed" and operators["ready"] == OPERATORS else 1


main()
