#!/usr/bin/env python3
"""findings.py [--write] [SERVER]...: demonstrates the findings of docs/findings.md over plain sockets.

Starts each server with scripts/servers/SERVER.sh, prints what was sent and received for each finding, and
exits with 1 if a finding was not reproduced. Each finding has a server of its own, because some keep a core
busy or a name taken.

--write  replace the table of each server in docs/findings.md; findings that were not reproduced are left out
"""
import pathlib
import sys

from demonstrations import (coilmq, hybrid, inspircd, irc2, ircu, miniircd, ngircd, others,
                            python_irc, twisted)
from demonstrations.wire import Server

FINDINGS = {
    "ngircd": ngircd.FINDINGS,
    "inspircd": inspircd.FINDINGS,
    "ircd-hybrid": hybrid.FINDINGS,
    "ircd-irc2": irc2.FINDINGS,
    "ircd-ircu": ircu.FINDINGS,
    "miniircd": miniircd.FINDINGS,
    "irc": python_irc.FINDINGS,
    "twisted": twisted.FINDINGS,
    "nats-server": others.NATS,
    "tinymux": others.TINYMUX,
    "coilmq": coilmq.FINDINGS,
}
PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/findings.md"


def row(finding, evidence):
    """A row of the table: the checks, the finding, and what its clients sent and received."""
    cells = [finding.checks or "none", finding.text, "; ".join(evidence)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def replace_table(page, name, rows):
    """Replaces the table that follows the comment with the server's name."""
    mark = f"<!-- findings: {name} -->\n"
    before, after = page.split(mark)
    rest = after[after.index("\n\n"):]
    table = ["| check | finding | evidence |", "| --- | --- | --- |", *rows]
    return before + mark + "\n".join(table) + rest


def main(arguments):
    names = [argument for argument in arguments if argument != "--write"] or list(FINDINGS)
    missing, page = 0, PAGE.read_text()
    for name in names:
        rows = []
        for finding in FINDINGS[name]:
            print(f"{name}: {finding.text}")
            with Server(name) as server:
                seen = finding.demonstrate(server)
            print("      => reproduced" if seen else "      => NOT REPRODUCED")
            missing += not seen
            rows += [row(finding, server.evidence)] if seen else []
        page = replace_table(page, name, rows) if "--write" in arguments else page
    if "--write" in arguments:
        PAGE.write_text(page)
    return 1 if missing else 0


if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in [*FINDINGS, "--write"]]
    sys.exit(main(sys.argv[1:]) if not unknown else f"{__doc__}\nunknown server: {', '.join(unknown)}")
