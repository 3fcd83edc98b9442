"""Validates YAML files as editors do: as YAML 1.2, against a JSON Schema.

validate_yaml.py SCHEMA FOLDER prints the name of each file with `valid`, `unreadable`, or `invalid` and the first
error.
"""
import json
import pathlib
import sys

import jsonschema
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def verdict(path):
    try:
        value = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        # JSON has no dates, and only text as keys.
        document = json.loads(json.dumps(value, default=str))
    except (YAMLError, UnicodeDecodeError, TypeError, ValueError):
        return "unreadable"
    error = next(iter(validator.iter_errors(document)), None)
    return f"invalid\t{error.json_path}: {error.message[:200]}" if error else "valid"


for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    print(f"{path.name}\t{verdict(path)}".replace("\n", " "))
