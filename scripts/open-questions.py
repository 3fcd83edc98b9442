#!/usr/bin/env python3
"""open-questions.py [FOLDER]: writes docs/irc-open-questions.md.

Checks eight IRC servers without their profiles and compares how they behave where the specifications
leave it open. FOLDER contains the results of an earlier run, SERVER.json for each server; without it, the checks
run first, which takes about 20 minutes.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVERS = {  # script: name in the page
    "ngircd": "ngIRCd 26.1", "inspircd": "InspIRCd 3.15", "ircd-hybrid": "ircd-hybrid 8.2", "ircd-irc2": "ircd-irc2 2.11",
    "ircd-ircu": "ircu 2.10.12", "miniircd": "miniircd 2.3", "irc": "irc 20.5", "twisted": "Twisted 26.10",
}
WORDS = {
    "refuse": "refused", "ignore": "ignored", "serve": "executed", "deliver": "delivered", "close": "closed",
    "refuseAndClose": "refused, closed", "pass": "delivered", "cut": "cut", "take whole": "accepted whole",
    "drop": "dropped", "strip": "stripped", "split": "split", "replace": "replaced", "accept": "accepted",
    "reject": "refused", "take": "accepted", "other": "handled in another way", "same": "the same name", "distinct": "different names", "joinLast": "joined to the last one",
    "inconclusive": "–", "not applicable": "–",
}

# What two servers need in addition to the dialect: ircu refuses user names that mix letters and digits, so its
# clients have a fixed one; miniircd sends WALLOPS from any client to all of them.
DIALECTS = {
    "ircd-ircu": """\
name: irc-ircu
based-on: irc
behaviours:
  login: |
    on <- PING {{token}}  reply -> PONG {{token}}
    -> nick(nickname: {{name}})
    -> user(username: tests, mode: "0", unused: "*", realname: {{name}})
    <~ welcome(client: {{name}})
    -> PING {{token}}
    <~ PONG {{_}} {{token}}
""",
    "miniircd": """\
name: irc-miniircd
based-on: irc
ignores:
  - NOTICE * {{...}}
  - 'modeChanged(target: {{name}})'
  - ponged()
  - 'NOTICE {{name}} :Global notice: {{...}}'
""",
}

# Heading, what the specifications say, and questions: (check, question).
SECTIONS = [
    ("Bytes that do not belong in a line", """
     RFC 2812 (section 2.3.1) excludes NUL, CR and LF from messages, but does not say what a server does if a client
     sends them anyway. It does not specify a character encoding either. Lines end with CR LF and have at most 512
     bytes, but the RFC does not say what happens to longer lines; Modern IRC recommends the reply `417`.
     """, [
        ("frame.nul", "a NUL in a message"),
        ("inj.cr", "a CR in a message, not followed by LF"),
        ("frame.utf8", "a message that is not UTF-8"),
        ("frame.ctrl", "control characters in a message"),
        ("frame.max:over", "a line of more than 512 bytes"),
        ("frame.max:tail", "the part of a line after its first 512 bytes"),
        ("frame.ws:line", "a line of spaces"),
        ("frame.empty", "an empty line"),
    ]),
    ("More arguments than a command has", """
     A message may have up to 15 parameters (RFC 1459, section 2.3), and no specification says what happens to those
     that a command does not use.
     """, [("arity.extra:*", "an extra argument")]),
    ("Empty arguments", """
     The last parameter of a message may be empty (RFC 2812, section 2.3.1). Whether an empty parameter counts as
     missing depends on the command. For this table, each command was sent several times, each time with a different
     argument empty. The answers are listed in the order of the arguments.
     """, [("arity.empty:text", "a message without text"), ("arity.empty:*", "")]),
    ("Too few arguments", """
     `461` (`ERR_NEEDMOREPARAMS`) is the reply to commands with too few parameters, but a `NOTICE` must not be
     answered (RFC 2812, section 3.3.2), and the specifications do not say which commands use `461`. Modern IRC
     defines different replies for `PING` and `NICK`.
     """, [("arity.few:*", "")]),
    ("Commands before login", """
     "The client MUST be registered before the server will allow it to be parsed in detail" (RFC 2812, section 5.2,
     on `451`): the specifications do not say which commands a server may execute before the login, or whether it may
     ignore a command without answering.
     """, [("phase.before:*", "")]),
    ("Names", """
     RFC 1459 (section 2.2) defines `{}|^` as the lower case of `[]\\~` and limits nicknames to nine characters.
     Today's servers announce their own rules with `CASEMAPPING` and `NICKLEN`.
     """, [
        ("id.case", "names that differ only in case"),
        ("id.long", "a name that is too long"),
        ("id.chars", "a name with a control character"),
        ("id.dup", "a name in use"),
    ]),
    ("Connections", """
     The specifications mention neither TCP's half-close, in which a client stops sending but still waits for
     answers, nor commands in the same packet as the login. RFC 1459 (section 2.3) requires servers to ignore a
     message whose source is not the sender.
     """, [
        ("half.close", "requests, followed by a half-close"),
        ("pipe.preauth", "a command in the same write as the login"),
        ("phase.after:logout", "a command in the same write as `QUIT`, after it"),
        ("inj.source:ignored", "a message with another user's source"),
        ("live.pong:unsolicited", "an unsolicited `PONG`"),
        ("cmd.direction", "a command that only servers send"),
        ("cmd.unknown", "an unknown command"),
    ]),
]
FAILURES = """
A cell in *italics* means that the server violates a requirement that Linejudge applies to every server. *wedged*: it
no longer answers on the connection. *silent*: it does not answer the command. *lost*: a message does not arrive.
*executed*: it executes a command that it must not execute. *closed*: it closes the connection without a message.
"""
KINDS = {"extra-command": "executed", "served": "executed", "desync": "out of step", "not-closed": "not closed"}


def cell(check):
    """What a server does, in words."""
    if check is None or check["verdict"] in ("inconclusive", "skipped"):
        return "–"
    if kind := (check.get("finding") or {}).get("kind"):
        return f"*{KINDS.get(kind, kind)}*"
    seen = check.get("class") or "as required"
    return "; ".join(
        ", ".join(WORDS.get(word, word) for word in part.split(", ")) for part in seen.split("; ")
    ).replace("holds", "as required")


def rows(results, pattern, question):
    """The rows of a question. A pattern with `*` has a row for each group of commands with the same answers."""
    ids = [check["id"] for check in next(iter(results.values()))["checks"]]
    by_server = [{check["id"]: check for check in result["checks"]} for result in results.values()]
    if not pattern.endswith("*"):
        return [(question, [cell(checks.get(pattern)) for checks in by_server])]
    groups = {}
    for name in ids:
        subject = name.removeprefix(pattern[:-1])
        if name.startswith(pattern[:-1]) and subject.isupper():
            answers = tuple(cell(checks.get(name)) for checks in by_server)
            groups.setdefault(answers, []).append(f"`{subject}`")
    unlike = [(", ".join(names), answers) for answers, names in groups.items() if len(set(answers)) > 1]
    return [(question + names if not question else f"{question}: {names}", answers)
            for names, answers in sorted(unlike, key=lambda group: -len(group[0]))]


def agreement(results, pattern):
    """A sentence about the commands that all servers treat alike; empty if there are none."""
    by_server = [{check["id"]: check for check in result["checks"]} for result in results.values()]
    alike = {}
    for name in by_server[0]:
        answers = {cell(checks.get(name)) for checks in by_server}
        if name.startswith(pattern[:-1]) and name.removeprefix(pattern[:-1]).isupper() and len(answers) == 1:
            alike.setdefault(answers.pop(), []).append(f"`{name.removeprefix(pattern[:-1])}`")
    parts = [f"{answer}: {', '.join(names)}" for answer, names in alike.items() if answer != "–"]
    return f"All servers agree: {'; '.join(parts)}." if parts else ""


def page(results):
    names = [SERVERS[server] for server in results]
    text = [(ROOT / "scripts/open-questions.md").read_text().rstrip("\n")]
    for heading, documents, questions in SECTIONS:
        text += ["", f"## {heading}", "", wrapped(documents), ""]
        text += ["| | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
        for pattern, question in questions:
            text += [f"| {title} | " + " | ".join(answers) + " |" for title, answers in rows(results, pattern, question)]
        for pattern, _ in questions:
            if pattern.endswith("*") and (sentence := agreement(results, pattern)):
                text += ["", wrapped(sentence)]
    return "\n".join(text + ["", "## Reading the tables", "", wrapped(FAILURES), ""])


def wrapped(text):
    return textwrap.fill(" ".join(text.split()), 100, break_long_words=False, break_on_hyphens=False)


def run(folder):
    """Checks each server with the dialect `irc` and seed 1."""
    for server in SERVERS:
        dialect = "irc"
        if server in DIALECTS:
            dialect = folder / f"{server}.yaml"
            dialect.write_text(DIALECTS[server])
        more = {"twisted": ["--var", "password=any"], "irc": ["--jobs", "2"]}.get(server, [])
        subprocess.run(
            [ROOT / ".build/debug/linejudge", "check", "--dialect", dialect, "--seed", "1", "--quiet", "--repeat", "0",
             "--exec", f"scripts/servers/{server}.sh {{{{port}}}} {{{{dir}}}}", "--report",
             f"json={folder / server}.json", *more],
            cwd=ROOT, stdout=subprocess.DEVNULL, check=False)


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(arguments[0] if arguments else folder)
        if not arguments:
            run(source)
        results = {server: json.loads((source / f"{server}.json").read_text()) for server in SERVERS}
    (ROOT / "docs/irc-open-questions.md").write_text(page(results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) <= 2 else __doc__)
