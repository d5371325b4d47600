#!/usr/bin/env python3
"""Kills `understudy record` at random moments: the file always loads, and at most one exchange is missing.

usage: check_kills.py <understudy> [<how often>] [<seed>]
"""

import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading

import httpx


class Upstream(http.server.BaseHTTPRequestHandler):
    """Responds in chunks, so that a kill can interrupt a response."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = json.dumps({"path": self.path, "padding": "x" * 2000}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for start in range(0, len(body), 500):
            self.wfile.write(body[start : start + 500])

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Ignores errors of killed clients."""

    def handle_error(self, *_):
        pass


def killed(understudy: str, upstream: str, file: str, delay: float) -> list[str]:
    """Returns the paths with a complete response before the recorder was killed."""
    command = [understudy, "record", "--upstream", upstream, "--output", file]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    url = process.stdout.readline().strip()
    timer = threading.Timer(delay, process.kill)
    answered = []
    try:
        with httpx.Client(base_url=url, timeout=10, trust_env=False) as client:
            timer.start()
            while True:
                path = f"/{len(answered)}"
                client.get(path).raise_for_status()
                answered.append(path)
    except httpx.TransportError:
        return answered
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


def loaded(understudy: str, file: str) -> list[str]:
    """Returns the paths in the file."""
    shown = subprocess.run([understudy, "inspect", file, "--format", "json"], capture_output=True, text=True)
    if shown.returncode != 0:
        raise AssertionError(f"inspect ended with {shown.returncode}: {shown.stderr}")
    return ["/" + entry["url"].rsplit("/", 1)[1] for entry in json.loads(shown.stdout)["exchanges"]]


def main(understudy: str, count: int = 100, seed: int = 1):
    server = Server(("127.0.0.1", 0), Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    generator = random.Random(seed)
    exchanges = missing = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            file = os.path.join(folder, f"{number}.har")
            delay = generator.uniform(0, 0.4)
            answered = killed(understudy, f"http://127.0.0.1:{server.server_port}", file, delay)
            if not answered and not os.path.exists(file) and not os.path.exists(file + ".journal"):
                continue
            held = loaded(understudy, file)
            lost = len([path for path in answered if path not in held])
            # The file may contain one more path, whose response was in transit.
            if lost > 1 or held != [f"/{index}" for index in range(len(held))] or len(held) > len(answered) + 1:
                print(f"✗ kill {number} (seed {seed}) after {delay:.3f} s: answered {len(answered)}, held {held}")
                sys.exit(1)
            exchanges += len(answered)
            missing += lost
    print(f"✓ kills: {count} recorders killed, {exchanges} exchanges, {missing} missing, at most one each time")
    if exchanges < count:
        print("✗ kills: fewer exchanges than kills, which is too few for a result")
        sys.exit(1)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1], *map(int, sys.argv[2:]))
