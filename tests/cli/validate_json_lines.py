"""Checks each line of a file (or standard input, "-") against a JSON schema: validate_json_lines.py SCHEMA FILE"""

import json
import sys

import jsonschema


def main(schema_file, lines_file):
    with open(schema_file, encoding="utf-8") as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    count = 0
    faults = 0
    with sys.stdin if lines_file == "-" else open(lines_file, encoding="utf-8") as lines:
        for count, line in enumerate(lines, start=1):
            for error in validator.iter_errors(json.loads(line)):
                faults += 1
                print(f"line {count}: {error.message}")
    print(f"{count} objects, {faults} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
