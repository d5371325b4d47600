#!/usr/bin/env python3
"""Checks that an OpenAPI document is valid, and that a Supabase project conforms to it.

usage: verify_openapi.py <base URL> <folder of recordings> <OpenAPI document> [<seed>]
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from openapi_spec_validator import validate

# Responses to valid requests conform to the document. No request causes a server error.
RUNS = {
    "positive": [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ],
    "negative": ["not_a_server_error"],
}
MOST_EXAMPLES = 12
# A request that the real service would answer and the emulator cannot, such as PUT, is refused with 501.
SETTINGS = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501]
"""


def main(arguments: list[str]) -> int:
    if len(arguments) not in (3, 4):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    url, recordings, path = arguments[0].rstrip("/"), arguments[1], arguments[2]
    seed = arguments[3] if len(arguments) == 4 else "1"
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    validate(document)
    print(f"openapi: {path} is valid OpenAPI {document['openapi']}", flush=True)
    folder = Path(__file__).resolve().parent
    environment = os.environ | {
        "UNDERSTUDY_URL": url,
        "UNDERSTUDY_RECORDINGS": str(Path(recordings).resolve()),
        "SCHEMATHESIS_HOOKS": "openapi_hooks",
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for mode, checks in RUNS.items():
        print(f"openapi: {mode} requests, seed {seed}", flush=True)
        command = [
            Path(sys.executable).parent / "schemathesis", "run", Path(path).resolve(), "--url", url, "--mode", mode,
            "--checks", ",".join(checks), "--phases", "examples,coverage,fuzzing",
            "--max-examples", str(MOST_EXAMPLES), "--seed", seed, "--generation-database", "none",
            "--workers", "1", "--warnings", "off", "--no-color",
        ]  # fmt: skip
        # It stores results in the working directory, but runs must be independent.
        with tempfile.TemporaryDirectory() as run:
            Path(run, "schemathesis.toml").write_text(SETTINGS, encoding="utf-8")
            status = subprocess.run(command, env=environment, cwd=run, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
