"""Uses the ladder of a capture in headless Chromium like a person: ladder.py FILE [SCREENSHOT_FOLDER].

Prints the rows of the page as JSON, first without and then with the script, or a line for everything that
is not as expected. Searches for each word in the environment variable SEARCH and prints how many rows
remain.
"""
import base64
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "ReportTests" / "Tools"))
import probe  # noqa: E402

ROWS = """
JSON.stringify([...document.querySelectorAll('.ladder tbody tr')].filter(
  (row) => row.getClientRects().length > 0).map((row) => {
    const copy = row.cloneNode(true);
    const times = [...copy.querySelectorAll('em')].map((time) => time.textContent);
    for (const time of copy.querySelectorAll('em')) time.remove();
    const arrow = row.querySelector('i');
    const box = arrow ? arrow.getBoundingClientRect() : null;
    return {text: [...copy.cells].map((cell) => cell.textContent).join(' ').replace(/ +/g, ' ').trim(),
      classes: row.className, times, width: box ? Math.round(box.width) : 0};
  }))
"""
LANES = "JSON.stringify([...document.querySelectorAll('.lanes span')].map((lane) => lane.textContent))"
CLICK = """
[...document.querySelectorAll('.tools button')].find((button) => button.textContent === %s).click()
"""
WIDTHS = (("light", "light", 1280), ("dark", "dark", 1280), ("narrow", "light", 400),
          ("narrow-dark", "dark", 400))


def main(path, shots):
    problems, output = [], {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = probe.Browser(profile)

        def run(expression):
            return browser("Runtime.evaluate", expression=expression)["result"].get("value")

        def rows():
            return json.loads(run(ROWS))

        for domain in ("Page", "Log", "Runtime", "Network"):
            browser(domain + ".enable")
        url = pathlib.Path(path).resolve().as_uri()
        for script in (False, True):
            browser("Emulation.setScriptExecutionDisabled", value=not script)
            browser.events.clear()
            browser("Page.navigate", url=url)
            browser.wait("Page.loadEventFired")
            output["rows" if script else "plain"] = rows()
            output["tools" if script else "plainTools"] = run("document.querySelectorAll('.tools').length")
            problems += probe.console(browser.events)
        output["lanes"] = json.loads(run(LANES))
        output["scripts"] = run("document.scripts.length")
        output["elements"] = run(
            "document.querySelectorAll('.ladder td *:not(b, i, u, em, small, strong)').length")
        for name, scheme, width in WIDTHS:
            browser("Emulation.setEmulatedMedia", media="screen",
                    features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser("Emulation.setDeviceMetricsOverride", width=width, height=1000,
                    deviceScaleFactor=1, mobile=False)
            found = json.loads(run(probe.LAYOUT))
            problems += [f"{name}: {problem}" for problem in found["problems"]]
            if found["sources"]:
                problems.append(f"{name}: a script is loaded from elsewhere")
            if shots:
                shot = browser("Page.captureScreenshot", format="png")
                pathlib.Path(shots, f"{name}.png").write_bytes(base64.b64decode(shot["data"]))
        output["found"] = {}
        for word in json.loads(os.environ.get("SEARCH", "[]")):
            run("document.querySelector('input').value = ''; document.querySelector('input').focus()")
            browser("Input.insertText", text=word)
            output["found"][word] = len(rows())
            output["status"] = run("document.querySelector('[role=status]').textContent")
        run("document.querySelector('input').value = ''; document.querySelector('input').dispatchEvent("
            "new Event('input'))")
        output["hidden"] = {}
        for label in json.loads(run(
                "JSON.stringify([...document.querySelectorAll('.tools button')].map((b) => b.textContent))")):
            run(CLICK % json.dumps(label))
            output["hidden"][label] = len(rows())
            run(CLICK % json.dumps(label))
        problems += probe.console(browser.events)
        browser.close()
    for problem in problems:
        print(problem)
    print(json.dumps(output))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
