"""Uses the report on a load in headless Chromium like a person: interact.py FILE.

Points at a chart, zooms, hides a series and filters, and prints a line for everything that does not
have the expected effect.
"""
import json
import pathlib
import sys
import tempfile

import probe

STATE = """
(() => {
  const visible = (element) => !!element && element.getClientRects().length > 0;
  const rate = document.querySelector('figure[data-values*=sent]');
  const svg = rate.querySelector('svg.time'), box = svg.getBoundingClientRect();
  return JSON.stringify({
    box: [box.left, box.top, box.width, box.height],
    tip: visible(document.querySelector('.tip')) ? document.querySelector('.tip').innerText : '',
    cursors: document.querySelectorAll('.cursor').length,
    charts: document.querySelectorAll('svg.time').length,
    ticks: [...svg.querySelectorAll('.ticks text')].map((text) => text.textContent),
    views: [...new Set([...document.querySelectorAll('svg.data')].map(
      (data) => data.getAttribute('viewBox').split(' ').filter((_, n) => n % 2 === 0).join()))],
    reset: visible(document.querySelector('.tools button')),
    sent: visible(rate.querySelector('.line.s1')), pressed: rate.querySelector('.key').ariaPressed,
    key: (({left, top}) => [left + 5, top + 5])(rate.querySelector('.key').getBoundingClientRect()),
    evidence: [...document.querySelectorAll('.evidence')].filter(visible).length,
    rows: [...document.querySelectorAll('#values tbody tr')].map(
      (row) => [...row.cells].map((cell) => cell.textContent)),
  });
})()
"""


class Person:
    def __init__(self, browser):
        self.browser = browser
        self.problems = []

    def state(self):
        return json.loads(
            self.browser("Runtime.evaluate", expression=STATE)["result"]["value"])

    def mouse(self, kind, x, y, **more):
        self.browser("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, x, y, button="left", clickCount=number)

    def expect(self, condition, what, state):
        if not condition:
            state = {key: value for key, value in state.items() if key != "rows"}
            self.problems.append(f"{what}: {state}")


def main(path):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = probe.Browser(profile)
        for domain in ("Page", "Log", "Runtime", "Network"):
            browser(domain + ".enable")
        browser("Emulation.setDeviceMetricsOverride", width=1100, height=6000,
                deviceScaleFactor=1, mobile=False)
        browser("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        browser.wait("Page.loadEventFired")
        person = Person(browser)
        start = person.state()
        left, top, width, height = start["box"]

        def at(share):
            """A position on the time axis of the chart, as a share of its length."""
            return left + (92 + share * 892) / 1000 * width

        middle = top + height / 2
        seconds = len(start["rows"])
        person.mouse("mouseMoved", at(0.5), middle)
        state = person.state()
        row = state["rows"][int(0.5 * seconds)]
        person.expect(row[0] in state["tip"] and all(
            value in state["tip"] for value in row[1:5]), "values under the pointer", state)
        person.expect(state["cursors"] == state["charts"] > 1, "a cursor in each chart", state)

        person.mouse("mousePressed", at(0.25), middle, button="left", clickCount=1)
        person.mouse("mouseMoved", at(0.5), middle, button="left")
        person.mouse("mouseReleased", at(0.5), middle, button="left", clickCount=1)
        state = person.state()
        person.expect(len(state["views"]) == 1 and state["views"] != start["views"],
                      "all charts are zoomed", state)
        person.expect(state["ticks"] != start["ticks"] and state["reset"], "a zoomed axis", state)
        person.mouse("mouseMoved", at(0.5), middle)
        state = person.state()
        person.expect(state["rows"][int(0.375 * seconds)][0] in state["tip"],
                      "values of the zoomed chart", state)
        person.click(at(0.5), middle, count=2)
        state = person.state()
        person.expect(state["views"] == start["views"] and state["ticks"] == start["ticks"]
                      and not state["reset"], "a double click shows everything", state)

        person.click(*start["key"])
        state = person.state()
        person.expect(not state["sent"] and state["pressed"] == "false", "a hidden series", state)
        person.click(*start["key"])
        state = person.state()
        person.expect(state["sent"] and state["pressed"] == "true", "a series shown again", state)

        browser("Runtime.evaluate", expression="document.querySelector('input').focus()")
        browser("Input.insertText", text="another room")
        state = person.state()
        person.expect(start["evidence"] > state["evidence"] == 1, "a filter", state)
        problems = person.problems + probe.console(browser.events)
        browser.close()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
