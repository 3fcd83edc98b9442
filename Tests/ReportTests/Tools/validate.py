"""Validates a JSON file against a JSON Schema: validate.py SCHEMA FILE."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    document = json.load(file)
validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
validator.check_schema(schema)
errors = list(validator(schema).iter_errors(document))
for error in errors:
    print("/".join(map(str, error.absolute_path)), error.message[:300])
sys.exit(1 if errors else 0)
