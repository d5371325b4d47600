#!/usr/bin/env python3
"""Uses servers with curl: one without faults, and one with the faults of `run`.

usage: check_curl.py <base URL> <URL of the faulty server>
"""

import json
import subprocess
import tempfile

from checks import Checks, account, child, equal

checks = Checks("curl")


class Curl:
    """curl with the fields of a user."""

    def __init__(self, url: str, who: dict[str, str]):
        self.url = url
        self.fields = ["-H", f"apikey: {who['key']}", "-H", f"Authorization: Bearer {who['token']}"]

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess:
        """Runs curl; an argument that begins with a slash is a target."""
        targets = [self.url + argument if argument.startswith("/") else argument for argument in arguments]
        command = ["curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", "20", *self.fields, *targets]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def healthy(url: str):
    who = account(url)
    curl = Curl(url, who)
    rows = "/rest/v1/children"
    with checks.check("the output of -v for a request and its response"):
        result = curl("-v", rows)
        equal((result.returncode, result.stdout), (0, "[]"))
        lines = result.stderr.replace("\r", "").splitlines()
        equal("< HTTP/1.1 200 OK" in lines, True)
        equal("< Content-Length: 2" in lines, True)
        equal(any("left intact" in line for line in lines), True)
    with checks.check("HEAD has the head of GET, and nothing else"):
        result = curl("--head", rows)
        equal(result.returncode, 0)
        head = result.stdout.replace("\r", "").lower()
        equal((head.startswith("http/1.1 200 ok\n"), head.endswith("\n\n")), (True, True))
        equal("content-type: application/json" in head, True)
    with checks.check("a body of a mebibyte, announced with Expect: 100-continue, and back"):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(child(who["user"], "R" * (1 << 20)), file)
            file.flush()
            result = curl(
                "-v", rows, "--data-binary", f"@{file.name}", "-H", "Content-Type: application/json", "-H",
                "Expect: 100-continue", "-H", "Prefer: return=representation")  # fmt: skip
        equal(result.returncode, 0)
        equal("< HTTP/1.1 100 Continue" in result.stderr.replace("\r", "").splitlines(), True)
        equal(len(json.loads(result.stdout)[0]["name"]), 1 << 20)
    with checks.check("a body in chunks"):
        result = curl(
            rows, "--data-binary", json.dumps(child(who["user"], "Ada")), "-H", "Transfer-Encoding: chunked", "-H",
            "Content-Type: application/json", "-w", "%{http_code}")  # fmt: skip
        equal((result.returncode, result.stdout), (0, "201"))
    with checks.check("status codes"):
        for arguments, status in [
            ((rows + "?name=eq.Ada",), "200"),
            (("-X", "DELETE", rows + "?name=eq.Ada"), "204"),
            ((rows + "?age=eq.many",), "400"),
            (("-H", "apikey: wrong", "/rest/v1/children?x"), "401"),
            (("/rest/v1/toys",), "404"),
            (("/nowhere",), "404"),
            (("-X", "PURGE", rows), "405"),
        ]:
            found = curl(*arguments, "-o", "/dev/null", "-w", "%{http_code}").stdout
            if found != status:
                raise AssertionError(f"{arguments}: expected {status}, found {found}")
    with checks.check("twenty requests on one connection"):
        result = curl(*[rows] * 20, "-w", "\n%{http_code} %{num_connects}\n")
        answers = [line for line in result.stdout.splitlines() if line[:3].isdigit()]
        equal(answers, ["200 1"] + ["200 0"] * 19)
    with checks.check("HTTP/1.0"):
        result = curl("--http1.0", "-i", rows + "?limit=0")
        equal((result.returncode, result.stdout.splitlines()[-1]), (0, "[]"))


def faulty(url: str):
    who = account(url)
    curl = Curl(url, who)
    json_fields = ("-H", "Content-Type: application/json", "-H", "Prefer: return=representation")
    with checks.check("-N shows an event stream while it arrives"):
        row = json.loads(curl("/rest/v1/children", "-d", json.dumps(child(who["user"], "Ada")), *json_fields).stdout)
        conversation = {"user_id": who["user"], "child_id": row[0]["id"]}
        started = json.loads(curl("/rest/v1/conversations", "-d", json.dumps(conversation), *json_fields).stdout)
        context = {"age": 8, "temperament": "spirited", "goals": [], "topics": []}
        question = {"conversationId": started[0]["id"], "message": "Why?", "childContext": context}
        result = curl(
            "-N", "/functions/v1/send-message", "-d", json.dumps(question), *json_fields, "-w",
            "\n%{time_starttransfer} %{time_total}")  # fmt: skip
        equal((result.returncode, result.stdout.count("data: ") > 3), (0, True))
        first, total = map(float, result.stdout.splitlines()[-1].split())
        equal(total - first > 0.1, True)
    # The numbers are those of the section "Exit codes" of curl's manual.
    faults = {
        "an empty reply": ("/rest/v1/empty-reply", 52),
        "a reset": ("/rest/v1/reset", 56),
        "a body cut short": ("/rest/v1/children", 18),
        "a malformed chunk": ("/rest/v1/malformed-chunk", 56),
        "no HTTP": ("/rest/v1/garbage", 1),
    }
    for name, (path, status) in faults.items():
        with checks.check(f"{name} is exit status {status}"):
            equal(curl(path).returncode, status)
    with checks.check("a redirect loop is exit status 47"):
        equal(curl("--location", "/rest/v1/circle").returncode, 47)
    with checks.check("silence is exit status 28"):
        equal(curl("--max-time", "0.5", "/rest/v1/timeout").returncode, 28)


if __name__ == "__main__":
    checks.main(__doc__, healthy, faulty)
