#!/usr/bin/env python3
"""Sends a burst of requests to a server with wrk: one after another on each connection, and several at once.

usage: check_wrk.py <base URL>
"""

import json
import subprocess
from pathlib import Path

from checks import Checks, account, equal

checks = Checks("wrk")


def burst(url: str, who: dict[str, str], depth: int) -> dict[str, int]:
    """Returns the counts of `wrk.lua`."""
    command = [
        "wrk", "--threads", "1", "--connections", "32", "--duration", "1s", "--timeout", "10s", "--script",
        Path(__file__).with_name("wrk.lua"), "-H", f"apikey: {who['key']}", "-H",
        f"Authorization: Bearer {who['token']}", f"{url}/rest/v1/children?select=*", "--", str(depth),
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(result.stdout.splitlines()[-1])


def healthy(url: str):
    url = url.rstrip("/")
    who = account(url)
    for depth, name in [(1, "one after another"), (16, "sixteen at once")]:
        with checks.check(f"32 connections, {name}: no error, all 200"):
            counts = burst(url, who, depth)
            requests = counts.pop("requests")
            print(f"  wrk: {requests} requests in a second", flush=True)
            equal(counts, dict.fromkeys(["connect", "read", "write", "timeout", "not 200"], 0))
            equal(requests > 100, True)


if __name__ == "__main__":
    checks.main(__doc__, healthy)
