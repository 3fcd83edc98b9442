"""Watches the live page of a load in headless Chromium: live.py URL RESULTS.json [SCREENSHOT].

Or, with a server that sends markup: live.py --hostile URL.

Clicks every button of the page, and compares the values that it shows at the end with the results
file. Prints a line for each difference.
"""
import base64
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "ReportTests" / "Tools"))
import probe  # noqa: E402

SECONDS_MAX = 90
TABLE = """
(() => JSON.stringify({
  connection: document.querySelector('#connection').textContent,
  scripts: document.scripts.length,
  headings: [...document.querySelectorAll('#values thead th')].map((cell) => cell.dataset.key || ''),
  rows: [...document.querySelectorAll('#values tbody tr')].map(
    (row) => [...row.cells].map((cell) => cell.textContent)),
  tiles: Object.fromEntries([...document.querySelectorAll('#tiles li')].map(
    (tile) => [...tile.children].slice(0, 2).map((part) => part.textContent))),
  progress: (document.querySelector('#progress .verdict') || {}).textContent || '',
}))()
"""


def words(nanoseconds):
    """Formats a duration like the report."""
    value = max(nanoseconds, 0)
    for end, unit, digits, name in (
        (999_500, 1_000, 0, "µs"), (9_950_000, 1_000_000, 1, "ms"), (999_500_000, 1_000_000, 0, "ms"),
        (9_995_000_000, 1_000_000_000, 2, "s"), (59_950_000_000, 1_000_000_000, 1, "s"),
    ):
        if value < end:
            step = unit // 10 ** digits
            return f"{(value + step // 2) // step / 10 ** digits:.{digits}f} {name}"
    return None


class Page:
    def __init__(self, browser):
        self.browser = browser

    def run(self, expression):
        return self.browser("Runtime.evaluate", expression=expression)["result"].get("value")

    def values(self):
        return json.loads(self.run(TABLE))

    def wait(self, what, condition):
        end = time.monotonic() + SECONDS_MAX
        while time.monotonic() < end:
            values = self.values()
            if condition(values):
                return values
            time.sleep(0.1)
        raise SystemExit(f"waited in vain until {what}: {values}")

    def click(self, command):
        self.run(f"document.querySelector('button[formaction^={command}]').click()")


def differences(shown, results):
    """Values on the page that differ from the results file."""
    seconds = {second["second"]: second for second in results["seconds"]}
    if not shown["rows"]:
        yield "there are no values"
    for row in shown["rows"]:
        second = seconds.get(int(row[0].split()[0]))
        if second is None:
            continue
        expected = {name: f"{second[name]:,}" for name in ("sent", "arrived", "violations")}
        for measure, times in second["latencies"].items():
            for key in ("p50", "p99", "max"):
                expected[f"{measure}.{key}"] = words(times[key])
        cells = dict(zip(shown["headings"], row))
        for key, value in expected.items():
            if cells.get(key) != value:
                yield f"second {second['second']}: {key} is {cells.get(key)}, not {value}"
    for latency in results["latencies"]:
        name = f"p99({latency['measure']})"
        value = words(latency["response"]["p99"])
        if name in shown["tiles"] and shown["tiles"][name] != value:
            yield f"{name} is {shown['tiles'][name]}, not {value}"
    for name, value in (
        ("operators ready", results["operators"]["ready"]),
        ("sent per second",
         results["traffic"]["sent"] * 1e9 / results["traffic"]["measuredNanoseconds"]),
    ):
        if abs(float(shown["tiles"][name].replace(",", "")) - value) > 0.06:
            yield f"{name} is {shown['tiles'][name]}, not {value}"
    yield from process_differences(shown, results)
    violations = sum(results["ledger"]["violations"].values())
    if shown["tiles"]["violations"] != f"{violations:,}":
        yield f"violations are {shown['tiles']['violations']}, not {violations:,}"


def process_differences(shown, results):
    """Values of processes on the page that differ from the results file."""
    compared = 0
    for row in shown["rows"]:
        second = int(row[0].split()[0])
        cells = dict(zip(shown["headings"], row))
        for index, process in enumerate(results["processes"]):
            samples = [
                sample for sample in process["samples"][1:]
                if second <= sample["timeNanoseconds"] / 1e9 - 0.5 < second + 1
            ]
            if not samples:
                continue
            cpu = 100 * sum(sample["cores"] for sample in samples) / len(samples)
            for key, value, unit in (
                ("cpu", cpu, "%"),
                ("memory", max(s["residentBytes"] for s in samples) / 1_048_576, " MiB"),
                ("threads", max(s["threads"] for s in samples), ""),
            ):
                compared += 1
                text = cells[f"process{index}.{key}"]
                shown_value = float(text.removesuffix(unit).replace(",", ""))
                if abs(shown_value - value) > 0.51:
                    yield f"second {second}: process {index}: {key} is {text}, not {value}"
    if not compared:
        yield "no values of processes are shown"


# For each chart over time: how far it is scrolled, how far the newest value is from the left and
# the right of the visible part.
PLOTS = """
(() => {
  const time = Number([...document.querySelectorAll('#values tbody tr')].at(-1).dataset.to);
  return JSON.stringify([...document.querySelectorAll('.plot')].flatMap((plot) => {
    const chart = plot.querySelector('svg.time');
    if (!chart) return [];
    const x = (92 + Math.min(time / Number(chart.dataset.end), 1) * 892) / 1000 * plot.scrollWidth;
    const left = x - plot.scrollLeft;
    return [[plot.scrollLeft, left, plot.clientWidth - left]];
  }));
})()
"""


def plots(page):
    return json.loads(page.run(PLOTS))


def newest_problems(page):
    """Charts that do not show the newest values, except for one that the reader has scrolled."""
    shown = plots(page)
    if [offset for offset, _, _ in shown].count(10) != 1:
        yield f"no chart is where it was scrolled to: {shown}"
    if any(left < 0 or right < 0 for offset, left, right in shown if offset != 10):
        yield f"charts do not show the newest values: {shown}"


def read(path):
    """The results file, which is written soon after the load has ended."""
    end = time.monotonic() + SECONDS_MAX
    while time.monotonic() < end:
        try:
            return json.loads(pathlib.Path(path).read_text())
        except (OSError, ValueError):
            time.sleep(0.1)
    raise SystemExit("there is no results file")


INJECTED = """
JSON.stringify({
  images: document.querySelectorAll('img, iframe, object, embed, link, svg script').length,
  handlers: [...document.querySelectorAll('*')].filter(
    (element) => [...element.attributes].some((one) => one.name.startsWith('on'))).length,
  scripts: document.scripts.length,
  title: document.title,
  pwned: typeof window.pwned,
  shown: document.body.textContent.includes('window.pwned'),
})
"""


def hostile(url):
    """Says what text from a hostile server did in the page: live.py --hostile URL."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = probe.Browser(profile)
        page = Page(browser)
        for domain in ("Page", "Log", "Runtime", "Network"):
            browser(domain + ".enable")
        browser("Page.navigate", url=url)
        browser.wait("Page.loadEventFired")
        end = time.monotonic() + SECONDS_MAX
        found = {}
        while time.monotonic() < end and not found.get("shown"):
            time.sleep(0.2)
            found = json.loads(page.run(INJECTED))
        origin = url.split("?")[0]
        problems = [p for p in probe.console(browser.events)
                    if not p.startswith(f"request: {origin}")]
        browser.close()
    if not found.get("shown"):
        problems.append(f"the server's text is not shown: {found}")
    if found.get("images") or found.get("handlers") or found.get("scripts") != 1:
        problems.append(f"the server's text became elements: {found}")
    if found.get("pwned") != "undefined" or "pwned" in found.get("title", ""):
        problems.append(f"the server's text ran as a script: {found}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def main(url, path, shot=None):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = probe.Browser(profile)
        page = Page(browser)
        for domain in ("Page", "Log", "Runtime", "Network"):
            browser(domain + ".enable")
        browser("Emulation.setDeviceMetricsOverride", width=400, height=1600, deviceScaleFactor=1,
                mobile=False)
        browser("Page.navigate", url=url)
        browser.wait("Page.loadEventFired")
        page.wait("two seconds are shown", lambda values: len(values["rows"]) >= 2)
        page.run("document.querySelector('.plot svg.time').closest('.plot').scrollLeft = 10")
        page.click("faster")
        page.wait("the rate is changed", lambda values: "rate x1.10" in values["progress"])
        page.click("pause")
        page.wait("the load is paused", lambda values: "paused" in values["progress"])
        page.click("resume")
        page.wait("the load is resumed", lambda values: "paused" not in values["progress"])
        if shot:
            picture = browser("Page.captureScreenshot", format="png", captureBeyondViewport=True)
            pathlib.Path(shot).write_bytes(base64.b64decode(picture["data"]))
        problems = list(newest_problems(page))
        page.click("stop")
        shown = page.wait("the load has ended", lambda values: "has ended" in values["connection"])
        problems += newest_problems(page)
        if not any(offset > 100 for offset, _, _ in plots(page)):
            problems.append(f"no chart is wider than the page: {plots(page)}")
        problems += differences(shown, read(path))
        if shown["scripts"] != 1:
            problems.append(f"there are {shown['scripts']} scripts")
        problems += [p for p in probe.console(browser.events) if not p.startswith(f"request: {url}")]
        browser.close()
    origin = url.split("?")[0]
    problems = [p for p in problems if not p.startswith(f"request: {origin}")]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1] == "--hostile":
        sys.exit(hostile(sys.argv[2]))
    sys.exit(main(*sys.argv[1:]))
