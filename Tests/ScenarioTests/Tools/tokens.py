"""Prints the tokens of files that a TextMate grammar finds: tokens.py GRAMMAR FILE…

One token per line: the file's index, line and column (both from 0), the innermost scope, and the text.
"""
import json
import pathlib
import sys

from textmate_grammar.parsers.base import LanguageParser

parser = LanguageParser(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
for index, path in enumerate(sys.argv[2:]):
    root = parser.parse_string(pathlib.Path(path).read_text(encoding="utf-8"))
    for (line, column), text, scopes in root.flatten() if root else []:
        text = text.strip()
        if text:
            print(index, line, column, scopes[-1], text, sep="\t")
