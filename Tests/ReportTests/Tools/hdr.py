"""Reads what a load wrote with HdrHistogram's own tools: hdr.py RESULTS.json LOG.hlog DISTRIBUTION.hgrm.

All that the results file counts by the second has to be in the log, tag by tag, and each row of the distribution
has to count what the histogram counts up to its value.
"""
import base64
import collections
import json
import struct
import sys
import zlib

from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

MILLION = 1_000_000


def decoded(text):
    """A histogram of the results file (encoding V2, not compressed), by way of the library's reader."""
    stream = zlib.compress(base64.b64decode(text))
    packed = struct.pack(">ii", 0x1C849304 + 0x10, len(stream)) + stream
    return HdrHistogram.decode(base64.b64encode(packed))


def logged(path):
    """All intervals of a log added up, by tag."""
    found = collections.defaultdict(lambda: HdrHistogram(1, 3_600_000_000_000, 3))
    reader = HistogramLogReader(path, HdrHistogram(1, 3_600_000_000_000, 3))
    count = 0
    while (interval := reader.get_next_interval_histogram()) is not None:
        found[interval.get_tag()].add(interval)
        count += 1
    reader.close()
    return found, count


def check_log(results, path, problems):
    wanted = collections.defaultdict(lambda: HdrHistogram(1, 3_600_000_000_000, 3))
    lines = 0
    for second in results["seconds"]:
        for measure, times in second["latencies"].items():
            wanted[measure].add(decoded(times["histogram"]))
            lines += 1
    found, count = logged(path)
    if count != lines or not lines:
        problems.append(f"{lines} intervals were written, {count} read")
    if set(found) != set(wanted):
        problems.append(f"tags {sorted(found)} instead of {sorted(wanted)}")
    for tag, histogram in wanted.items():
        for percent in (0, 50, 90, 99, 99.9, 100):
            ours, theirs = (h.get_value_at_percentile(percent) for h in (histogram, found[tag]))
            if ours != theirs:
                problems.append(f"{tag}: p{percent} is {theirs} in the log and {ours} in the results")
        if histogram.get_total_count() != found[tag].get_total_count():
            problems.append(f"{tag}: another count in the log")


def distributions(path):
    """For each measure its rows: value in milliseconds, percentile, count."""
    tables, rows = {}, None
    for line in open(path, encoding="utf-8"):
        if line.startswith("#[Measure = "):
            rows = tables.setdefault(line[12:].split(",")[0], [])
        elif line[:1] == " " and "Percentile" not in line and rows is not None:
            rows.append([float(word) for word in line.split()[:3]])
    return tables


def check_distribution(results, path, problems):
    tables = distributions(path)
    for latency in results["latencies"]:
        rows, histogram = tables.get(latency["measure"]), decoded(latency["response"]["histogram"])
        if not rows or rows[-1][1] != 1 or rows[-1][2] != latency["response"]["count"]:
            problems.append(f"{latency['measure']}: no whole table")
            continue
        reached = {}
        for item in histogram.get_recorded_iterator():
            reached[item.total_count_to_this_value] = item.value_iterated_to / MILLION
        for value, share, count in rows:
            wanted = reached.get(int(count))
            # Rows are written to a microsecond.
            if wanted is None or abs(value - wanted) > wanted * 0.002 + 0.0005:
                problems.append(f"{latency['measure']}: {int(count)} up to {value}, not {wanted}")
            if share > count / rows[-1][2] + 1e-9:
                problems.append(f"{latency['measure']}: {share} is more than {int(count)} are")


def main(results, log, distribution):
    problems = []
    with open(results, encoding="utf-8") as file:
        results = json.load(file)
    check_log(results, log, problems)
    check_distribution(results, distribution, problems)
    for problem in problems:
        print(problem)
    print(f"{len(results['seconds'])} seconds, {len(results['latencies'])} metrics")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
