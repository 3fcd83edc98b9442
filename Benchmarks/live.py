"""Measures what the live page costs the generator: live.py PROGRAM [OPERATORS] [ROUNDS].

In each round, the same load test runs without the page, with the page but no client, and with a
client that reads every update. The CPU time of the generator's process is read from the results.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request

MODES = ("no page", "page, no client", "page, one client")


def read_updates(url, sizes):
    """Reads the page's updates until the load test has ended."""
    try:
        with urllib.request.urlopen(url.rstrip("/") + "/events", timeout=60) as stream:
            while piece := stream.read1(1 << 16):
                sizes.append(len(piece))
    except OSError:
        pass


def cores(results):
    """Average number of cores that the generator used in the measurement period."""
    end = results["traffic"]["measuredNanoseconds"]
    process = next(p for p in results["processes"] if p["role"] == "generator")
    used = total = 0
    for last, sample in zip(process["samples"], process["samples"][1:]):
        begin = max(last["timeNanoseconds"], 0)
        length = min(sample["timeNanoseconds"], end) - begin
        if length > 0:
            used += sample["cores"] * length
            total += length
    return used / total


def load(program, server, operators, mode, folder):
    path = pathlib.Path(folder, "load.json")
    command = [
        program, "load", "--server", server, "--dialect", "irc", "--operators", str(operators),
        "--rate", "500/s", "--ramp", "2s", "--for", "8s", "--drain", "2s", "--color", "never",
        "--report", f"json={path}",
    ]
    sizes = []
    if mode != MODES[0]:
        command.append("--live")
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    reader = None
    for line in running.stdout:
        if mode == MODES[2] and line.startswith("live page at "):
            url = line.split()[-1]
            reader = threading.Thread(target=read_updates, args=(url, sizes))
            reader.start()
    running.wait()
    if reader:
        reader.join(timeout=60)
    return cores(json.loads(path.read_text())), sum(sizes)


def main(program, operators=2000, rounds=3):
    server = subprocess.Popen(
        [program, "serve", "--dialect", "irc"], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().split()[-1]
    found = {mode: [] for mode in MODES}
    received = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(int(rounds)):
                order = MODES if number % 2 == 0 else MODES[::-1]
                for mode in order:
                    used, size = load(program, address, operators, mode, folder)
                    found[mode].append(used)
                    received = max(received, size)
                    print(f"  round {number + 1}, {mode}: {used * 100:.2f}% of a core", flush=True)
    finally:
        server.terminate()
        server.wait()
    base = statistics.median(found[MODES[0]])
    for mode in MODES:
        middle = statistics.median(found[mode])
        print(f"{mode}: {middle * 100:.2f}% of a core ({(middle - base) * 100:+.2f} points, "
              f"{middle / base:.3f} times)")
    print(f"{operators} operators, 500 messages/s, updates of {received >> 10} KiB in 8 s")


if __name__ == "__main__":
    main(*sys.argv[1:])
