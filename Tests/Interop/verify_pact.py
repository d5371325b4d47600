#!/usr/bin/env python3
"""Verifies exported Pact files: against a Supabase project, or each recording against its own replay.

usage: verify_pact.py project <base URL> <folder of recordings> <Pact file> ...
       verify_pact.py replay <understudy> <folder of recordings> <service> ...
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

# Disables the telemetry of the verifier, because runs do not use the internet.
os.environ["PACT_DO_NOT_TRACK"] = "true"
from pact import Verifier  # noqa: E402

from commands import served  # noqa: E402
from states import Playback, Project, state_server  # noqa: E402


# Exchanges whose state was set up between or during other exchanges.
UNREPEATABLE = {
    "children.concurrency.hundred-102": "a hundred children are stored at the same time, in any order",
    "children.update.taken-name-3": "the name is taken between the exchanges before it",
    "children.update.taken-name-4": "the name is taken between the exchanges before it",
    "conversations.effect.two-messages-5": "two messages of one conversation are answered at the same time",
    "conversations.effect.two-messages-6": "two messages of one conversation are answered at the same time",
    "conversations.send.stored-4": "the history is read while an answer is being stored",
    "history.cursor.unknown-3": "the verifier writes a space in a query as +, which is not what was recorded",
}


def verify(url: str, pact: dict, subject):
    """Verifies the interactions of a file; a mismatch is an error."""
    with tempfile.TemporaryDirectory() as folder, state_server(subject) as states:
        file = pathlib.Path(folder) / "pact.json"
        file.write_text(json.dumps(pact), encoding="utf-8")
        (
            Verifier(pact["provider"]["name"], host=urlsplit(url).hostname)
            .add_transport(url=url)
            .add_source(str(file))
            .state_handler(states, teardown=True, body=True)
            .set_error_on_empty_pact()
            .verify()
        )


def reason_to_skip(interaction: dict) -> str | None:
    """Returns the reason why a client cannot set up the state of an interaction; `None` if it can."""
    known = {*Project.CONDITIONS, "earlier exchanges of the recording"}
    for state in interaction["providerStates"]:
        if state["name"] not in known:
            return f"a client cannot set up \"{state['name']}\""
    return UNREPEATABLE.get(interaction["key"])


def against_project(url: str, recordings: str, *paths: str) -> int:
    failed = 0
    for path in paths:
        pact = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        skipped = collections.Counter(filter(None, map(reason_to_skip, pact["interactions"])))
        pact["interactions"] = [one for one in pact["interactions"] if reason_to_skip(one) is None]
        for reason, count in sorted(skipped.items()):
            print(f"pact: {pathlib.Path(path).name}: {count} skipped: {reason}")
        project = Project(url, recordings)
        try:
            verify(url, pact, project)
            print(f"✓ pact: {len(pact['interactions'])} interactions of {path}", flush=True)
        except RuntimeError as error:
            failed += 1
            print(f"✗ pact: {path}: {error}", flush=True)
        finally:
            # The next pact makes accounts with the same names.
            project.reset()
    return failed


def against_replays(understudy: str, recordings: str, *services: str) -> int:
    failed = 0
    for service in services:
        count, mark = 0, "✓"
        for file in sorted((pathlib.Path(recordings) / service).glob("*.har")):
            command = [understudy, "export", "pact", str(file)]
            pact = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            for interaction in pact["interactions"]:
                if reason := UNREPEATABLE.get(interaction["key"]):
                    print(f"pact: {interaction['key']} skipped: {reason}")
            pact["interactions"] = [one for one in pact["interactions"] if one["key"] not in UNREPEATABLE]
            if not pact["interactions"]:
                continue
            try:
                with served(understudy, "replay", str(file)) as url:
                    verify(url, pact, Playback(url, recordings, f"{service}/{file.stem}"))
                count += len(pact["interactions"])
            except RuntimeError as error:
                failed, mark = failed + 1, "✗"
                print(f"✗ pact: {file}: {error}", flush=True)
        print(f"{mark} pact: {count} interactions of {service}, against its replays", flush=True)
    return failed


def main(arguments: list[str]) -> int:
    modes = {"project": against_project, "replay": against_replays}
    if len(arguments) < 4 or arguments[0] not in modes:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 1 if modes[arguments[0]](*arguments[1:]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
