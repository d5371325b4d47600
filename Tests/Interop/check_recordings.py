#!/usr/bin/env python3
"""Records curl and httpx through the proxy, has other tools read the file, and replays it to both clients.

usage: check_recordings.py <understudy> <URL of a server that is well> <python with mitmproxy>
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import haralyzer
import httpx
import jsonschema
import referencing

from checks import Checks, account, child, equal
from commands import served

checks = Checks("recordings")


def with_httpx(url: str, who: dict[str, str], row_id: str) -> list:
    """Returns the responses to a client that lists, inserts, is refused and reads a stream."""
    fields = {"apikey": who["key"], "Authorization": f"Bearer {who['token']}"}
    with httpx.Client(base_url=url, headers=fields, timeout=10) as http:
        row = child(who["user"], "Robin") | {"id": row_id}
        answers = [
            http.get("/rest/v1/children?name=eq.Missing"),
            http.post("/rest/v1/children", json=row, headers={"Prefer": "return=representation"}),
            http.post("/rest/v1/children", json=row),
            http.get("/rest/v1/children?select=name,age&order=name"),
            http.head("/rest/v1/children"),
            http.delete("/rest/v1/children?name=eq.Missing"),
        ]
        return [(answer.status_code, answer.headers.get("Content-Type"), answer.text) for answer in answers]


def with_curl(url: str, who: dict[str, str]) -> str:
    command = ["curl", "--noproxy", "*", "-s", "--compressed", "-w", " %{http_code}", "-H", f"apikey: {who['key']}"]
    command += ["-H", f"Authorization: Bearer {who['token']}", url + "/rest/v1/children?select=age"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout


def schema() -> jsonschema.protocols.Validator | None:
    """Returns the published schema of HAR 1.2, if it is available."""
    corpus = os.environ.get("UNDERSTUDY_CORPUS")
    folder = pathlib.Path(corpus or "/nowhere") / "har-schema"
    if not folder.is_dir():
        return None
    schemas = {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}
    for name, document in schemas.items():
        document["$id"] = name
    registry = referencing.Registry().with_resources(
        (name, referencing.Resource(document, referencing.jsonschema.DRAFT6)) for name, document in schemas.items()
    )
    return jsonschema.Draft6Validator(
        schemas["har.json"], registry=registry, format_checker=jsonschema.FormatChecker()
    )


def mitmproxy_count(python: str, file: str) -> int:
    program = "import sys; from mitmproxy.io import FlowReader; "
    program += "print(len(list(FlowReader(open(sys.argv[1], 'rb')).stream())))"
    return int(subprocess.run([python, "-c", program, file], capture_output=True, text=True, check=True).stdout)


def main(understudy: str, upstream: str, mitmproxy: str):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "session.har")
        who = account(upstream)
        row_id = "a0000000-0000-4000-8000-00000000c0de"
        with served(understudy, "record", "--upstream", upstream, "--output", file) as url:
            recorded = with_httpx(url, who, row_id), with_curl(url, who)
        with checks.check("the proxy returns the responses of the server"):
            equal([answer[0] for answer in recorded[0]], [200, 201, 409, 200, 200, 204])
            equal(json.loads(recorded[1].rsplit(" ", 1)[0]), [{"age": 8}])
        document = json.loads(pathlib.Path(file).read_text())
        entries = document["log"]["entries"]
        with checks.check("each exchange is in the file, with the server's address and no encoding"):
            equal(len(entries), 7)
            equal({entry["request"]["url"].startswith(upstream) for entry in entries}, {True})
            names = {field["name"].lower() for entry in entries for field in entry["response"]["headers"]}
            equal("content-encoding" in names, False)
        with checks.check("each body is complete"):
            ends = [entry["response"]["content"]["_stream"]["end"]["code"] for entry in entries]
            equal(ends, ["complete"] * 7)
        with checks.check("the file has no secrets, and redact --check agrees"):
            text = pathlib.Path(file).read_text()
            equal([name for name in ("token", "key") if who[name] in text], [])
            equal(subprocess.run([understudy, "redact", file, "--check"], capture_output=True).returncode, 0)
        validator = schema()
        if validator:
            with checks.check("the published schema of HAR 1.2 accepts it"):
                equal([error.message for error in validator.iter_errors(document)], [])
            with checks.check("the schema refuses an invalid file"):
                del entries[0]["request"]["method"]
                equal(len(list(validator.iter_errors(document))), 1)
        with checks.check("haralyzer reads it"):
            parser = haralyzer.HarParser.from_file(file)
            equal([entry["response"]["status"] for entry in parser.har_data["entries"]], [200, 201, 409, 200, 200, 204, 200])
        with checks.check("mitmproxy reads it"):
            equal(mitmproxy_count(mitmproxy, file), 7)
        with served(understudy, "replay", file) as url:
            with checks.check("httpx receives the same responses from the recording as from the server"):
                equal(with_httpx(url, who, row_id), recorded[0])
            with checks.check("curl receives the same responses from the recording as from the server"):
                equal(with_curl(url, who), recorded[1])
        with checks.check("validate and inspect read it"):
            equal(subprocess.run([understudy, "validate", file], capture_output=True).returncode, 0)
            shown = subprocess.run([understudy, "inspect", file, "--format", "json"], capture_output=True, text=True)
            equal(len(json.loads(shown.stdout)["exchanges"]), 7)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
    sys.exit(1 if checks.failed else 0)
