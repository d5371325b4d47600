#!/usr/bin/env python3
"""Verifies exported Pact files against a server whose conditions can be brought about.

usage: verify_pact.py <base URL> <Pact file> ...
"""

import json
import os
import sys
from urllib.parse import urlsplit

# The verifier counts its users unless it is asked not to, and no run needs the internet.
os.environ["PACT_DO_NOT_TRACK"] = "true"
from pact import Verifier  # noqa: E402


def verify(url: str, path: str) -> int:
    """Verifies one file and returns how many of its interactions the server keeps."""
    with open(path, encoding="utf-8") as file:
        pact = json.load(file)
    (
        Verifier(pact["provider"]["name"], host=urlsplit(url).hostname)
        .add_transport(url=url)
        .add_source(path)
        # Each state is set up before a request, and everything is as in the beginning after it.
        .state_handler(f"{url}/understudy/conditions", teardown=True, body=True)
        .set_error_on_empty_pact()
        .verify()
    )
    return len(pact["interactions"])


def main(arguments: list[str]) -> int:
    if len(arguments) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    url, *paths = arguments
    failed = 0
    for path in paths:
        try:
            print(f"pact: {verify(url.rstrip('/'), path)} interactions of {path} verified")
        except RuntimeError as error:
            failed += 1
            print(f"pact: {path}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
