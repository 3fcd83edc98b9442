#!/usr/bin/env python3
"""Prints the relative links in the Markdown files of a folder that lead nowhere; exits with 1 if there
are any.

Usage: links.py FOLDER
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")

folder = pathlib.Path(sys.argv[1])
dead = [
    f"{page.relative_to(folder)}: {target}"
    for page in sorted(folder.rglob("*.md"))
    for target in LINK.findall(page.read_text())
    if not re.match("[a-z]+:", target) and not (page.parent / target).exists()
]
print("\n".join(dead))
sys.exit(1 if dead else 0)
