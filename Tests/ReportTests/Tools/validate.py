"""Validates a JSON file, or each line of a file of JSON Lines, against a JSON Schema: validate.py SCHEMA FILE."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    documents = [json.loads(line) for line in file] if file.name.endswith("l") else [json.load(file)]
validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
validator.check_schema(schema)
wrong = 0
for number, document in enumerate(documents, 1):
    for error in validator(schema).iter_errors(document):
        wrong += 1
        print(number, "/".join(map(str, error.absolute_path)), error.message[:300])
sys.exit(1 if wrong or not documents else 0)
