"""Opens a page in headless Chromium and says what is wrong with it: probe.py FILE [SCREENSHOT_FOLDER].

Speaks the browser's debugging protocol over a pipe, so nothing but Python is needed. Checked, in light,
dark and print, wide and narrow: no message in the console, no request but for the page itself, the page
is not wider than the window, no shape leaves its figure and no text its box.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LAYOUT = """
(() => {
  const problems = [];
  const say = (element, what) => problems.push(
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') || ''} ${what}: ` +
    (element.textContent || '').trim().slice(0, 40));
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) say(page, `is ${page.scrollWidth} wide in ${innerWidth}`);
  for (const svg of document.querySelectorAll('svg')) {
    const box = svg.getBoundingClientRect();
    if (!box.width) continue;
    for (const shape of svg.querySelectorAll('rect, path, text')) {
      const own = shape.getBoundingClientRect();
      if (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 ||
          own.bottom > box.bottom + 1) say(shape, 'is outside of its figure');
    }
  }
  for (const element of document.querySelectorAll('h1, h2, p, span, th, td, summary, li, pre, table')) {
    const style = getComputedStyle(element);
    if (style.overflowX !== 'visible' || !element.clientWidth) continue;
    if (element.scrollWidth > element.clientWidth + 1) say(element, 'has text outside');
  }
  const figures = document.querySelectorAll('figure svg[role=img][aria-label]').length;
  const tables = document.querySelectorAll('table').length;
  return JSON.stringify({problems, figures, tables, scripts: document.scripts.length,
    sources: document.querySelectorAll('script[src]').length,
    scenarios: document.querySelectorAll('details.scenario').length,
    open: document.querySelectorAll('details.scenario[open]').length});
})()
"""


class Browser:
    """One browser with one page, spoken to over a pipe."""

    def __init__(self, profile):
        from_us, self.writer = os.pipe()
        self.reader, to_us = os.pipe()
        command = [
            shutil.which("chromium") or "chromium-browser", "--headless=new", "--no-sandbox",
            "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
            f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank",
        ]
        # The browser reads from descriptor 3 and writes to 4.
        script = f'exec 3<&{from_us} 4>&{to_us}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", *command], pass_fds=(from_us, to_us),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        target = next(t for t in self("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def __call__(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.reader, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read())

    def close(self):
        self.session = None
        try:
            self("Browser.close")
        except RuntimeError:
            pass
        self.process.wait(timeout=20)


def console(events):
    """What the page said in the console, and what it asked for beside itself."""
    problems, requests = [], []
    for event in events:
        method, params = event.get("method"), event.get("params", {})
        if method == "Log.entryAdded":
            problems.append("console: " + params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            problems.append("console: " + str(params["args"]))
        elif method == "Runtime.exceptionThrown":
            problems.append("exception: " + str(params["exceptionDetails"]))
        elif method == "Network.requestWillBeSent":
            requests.append(params["request"]["url"])
    return problems + [f"request: {url}" for url in requests[1:]]


def main(path, shots):
    problems = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            for domain in ("Page", "Log", "Runtime", "Network"):
                browser(domain + ".enable")
            browser("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
            browser.wait("Page.loadEventFired")
            for name, media, scheme, width in (
                ("light", "screen", "light", 1100), ("dark", "screen", "dark", 1100),
                ("narrow", "screen", "light", 380), ("narrow-dark", "screen", "dark", 400),
                ("print", "print", "light", 760),
            ):
                browser("Emulation.setEmulatedMedia", media=media,
                        features=[{"name": "prefers-color-scheme", "value": scheme}])
                browser("Emulation.setDeviceMetricsOverride", width=width, height=1600,
                        deviceScaleFactor=1, mobile=False)
                answer = browser("Runtime.evaluate", expression=LAYOUT)["result"]
                found = json.loads(answer["value"])
                problems += [f"{name}: {problem}" for problem in found.pop("problems")]
                if found["figures"] < 1 or found["tables"] < 1:
                    problems.append(f"{name}: a figure or its table is missing")
                if found["sources"]:
                    problems.append(f"{name}: a script is loaded from elsewhere")
                if shots:
                    size = browser("Page.getLayoutMetrics")["cssContentSize"]
                    picture = browser(
                        "Page.captureScreenshot", format="png", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": width, "height": size["height"],
                              "scale": 1})["data"]
                    pathlib.Path(shots, name + ".png").write_bytes(base64.b64decode(picture))
            problems += console(browser.events)
        finally:
            browser.close()
    print(json.dumps(found))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
