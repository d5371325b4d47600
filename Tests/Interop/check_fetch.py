#!/usr/bin/env python3
"""Checks what `fetch` of Node reports for each fault that `understudy replay` can inject into a response.

usage: check_fetch.py <understudy>

A fault that ends a body is an error of the client, and never the end of the body: undici, on which `fetch` is built,
takes the end of a connection that the server has announced for the end of the body.
"""

import json
import pathlib
import shutil
import subprocess
import tempfile

from checks import Checks, equal

checks = Checks("fetch")
EVENTS = ["data: one\n\n", "data: zwölf\n\n", "data: three\n\n"]
# Prints what a client of each path receives: its status and body, or its error and the cause.
CLIENT = """
const url = process.argv[1];
for (const path of ["/json", "/events"]) {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(1000) });
    console.log(JSON.stringify([response.status, await response.text()]));
  } catch (error) {
    console.log(JSON.stringify([error.name, error.cause?.code ?? ""]));
  }
}
"""
JSON, STREAM = [200, '{"name":"Zoë"}'], [200, "".join(EVENTS)]
UNFINISHED, SOCKET, LENGTH, CHUNK = (
    [200, '{"unfinished": ['], ["TypeError", "UND_ERR_SOCKET"],
    ["TypeError", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"], ["TypeError", "HPE_INVALID_CHUNK_SIZE"],
)  # fmt: skip
REFUSED, SILENCE = ["TypeError", "ECONNREFUSED"], ["TimeoutError", ""]
# Whether a client reads the bytes before a reset is a matter of time, so that only the error is certain.
RESET = ["TypeError", None]
# What the client receives of the JSON document, and of the events.
FAULTS = {
    "timeout": (SILENCE, SILENCE), "answer-lost": (SILENCE, SILENCE), "timeout-in-body:1": (SILENCE, SILENCE),
    "connection-refused": (REFUSED, REFUSED), "offline": (REFUSED, REFUSED), "host-not-found": (REFUSED, REFUSED),
    "connection-lost": (["TypeError", "ECONNRESET"],) * 2, "empty-reply": (SOCKET, SOCKET),
    "truncated-body:1": (LENGTH, LENGTH), "truncated-chunk:1": (SOCKET, SOCKET),
    "reset-in-body:1": (RESET, RESET), "malformed-chunk:1": (CHUNK, CHUNK),
    "garbage": (["TypeError", "HPE_INVALID_CONSTANT"],) * 2, "broken-gzip": (["TypeError", "Z_DATA_ERROR"],) * 2,
    "redirect-loop": (["TypeError", ""],) * 2, "unreadable-answer": (UNFINISHED, UNFINISHED),
    "latency:10ms": (JSON, STREAM), "dribble:4,1ms": (JSON, STREAM), "split-characters": (JSON, STREAM),
    "drop-stream:1": (SOCKET, SOCKET), "stall-stream:1": (SILENCE, SILENCE),
    # The end of the stream itself is complete; an app notices that an event is missing.
    "end-stream:1": (SOCKET, [200, EVENTS[0]]), "unterminated-event": (SOCKET, [200, STREAM[1][:-1]]),
    "corrupt-event:1": (UNFINISHED, [200, 'data: {"unfinished": [\n\n' + EVENTS[1] + EVENTS[2]]),
    "duplicate-event:1": (JSON, [200, EVENTS[0] + STREAM[1]]),
    "reorder-event:1": (JSON, [200, EVENTS[1] + EVENTS[0] + EVENTS[2]]),
    "close-websocket:1001,1": (SOCKET, SOCKET), "abort-websocket:1": (SOCKET, SOCKET), "bad-frame:1": (UNFINISHED, CHUNK),
    "status:418": ([418, '{"title":"I\'m a teapot","status":418}'],) * 2,
}  # fmt: skip


def entry(path: str, mime_type: str, chunks: list[str]) -> dict:
    text = "".join(chunks)
    sizes = [{"time": 0, "size": len(chunk.encode())} for chunk in chunks]
    return {
        "startedDateTime": "2026-01-01T00:00:00Z", "time": 0, "cache": {}, "timings": {"send": 0, "wait": 0, "receive": 0},
        "request": {
            "method": "GET", "url": f"http://service.example{path}", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0,
        },
        "response": {
            "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "",
            "headers": [{"name": "Content-Type", "value": mime_type}], "headersSize": -1, "bodySize": -1,
            "content": {
                "size": len(text.encode()), "mimeType": mime_type, "text": text,
                "_stream": {"chunks": sizes, "end": {"time": 0, "code": "complete"}},
            },
        },
    }  # fmt: skip


def outcomes(understudy: str, recording: pathlib.Path, fault: str) -> list:
    """What the client receives of both paths from a server with a fault at every request."""
    command = [understudy, "replay", str(recording), "--port", "0", "--fault", fault]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        client = ["node", "--input-type=module", "--eval", CLIENT, url]
        result = subprocess.run(client, capture_output=True, text=True, check=True, timeout=60)
        return [json.loads(line) for line in result.stdout.splitlines()]
    finally:
        server.terminate()
        server.communicate()


def run(understudy: str):
    if shutil.which("node") is None:
        print("- fetch: skipped, because Node.js (node) is not installed")
        return
    entries = [entry("/json", "application/json", [JSON[1]]), entry("/events", "text/event-stream", EVENTS)]
    log = {"version": "1.2", "creator": {"name": "check_fetch", "version": "1"}, "entries": entries}
    with tempfile.TemporaryDirectory() as folder:
        recording = pathlib.Path(folder) / "recording.har"
        recording.write_text(json.dumps({"log": log}), encoding="utf-8")
        for fault, expected in FAULTS.items():
            with checks.check(fault):
                found = outcomes(understudy, recording, fault)
                equal([[one, RESET[1]] if RESET in expected else [one, other] for one, other in found], list(expected))


checks.main(__doc__.split("\n\n")[1], run)
