#!/usr/bin/env python3
"""Uses Realtime with the package websockets: on a server without faults, and on one with faults.

usage: check_websockets.py <base URL> <URL of the faulty server>
"""

import json
import urllib.request

from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from checks import Checks, account, child, equal, raised

checks = Checks("websockets")
TIMEOUT = 10


def open_socket(url: str, key: str, version: str = "1.0.0"):
    base = url.replace("http", "ws", 1)
    # A proxy of the environment is not used for this machine itself.
    return connect(
        f"{base}/realtime/v1/websocket?apikey={key}&vsn={version}", open_timeout=TIMEOUT, close_timeout=TIMEOUT,
        proxy=None)  # fmt: skip


def heartbeat(number: int, pad: str = "") -> str:
    return json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {"pad": pad}, "ref": str(number)})


def answer(socket) -> dict:
    return json.loads(socket.recv(TIMEOUT))


def healthy(url: str):
    who = account(url)
    with checks.check("a handshake, a heartbeat and a goodbye"), open_socket(url, who["key"]) as socket:
        equal(socket.protocol.extensions, [])
        socket.send(heartbeat(1))
        reply = answer(socket)
        equal((reply["event"], reply["ref"], reply["payload"]["status"]), ("phx_reply", "1", "ok"))
        socket.close()
        equal(socket.close_code, 1000)
    with checks.check("pings are answered with their contents"), open_socket(url, who["key"]) as socket:
        equal(socket.ping("are you there?").wait(TIMEOUT), True)
        equal(socket.ping(b"\x00" * 125).wait(TIMEOUT), True)
    with checks.check("a text in fragments, and one in characters of several bytes"):
        with open_socket(url, who["key"]) as socket:
            text = heartbeat(2, "ü🦊" * 1000)
            socket.send(text[index : index + 700] for index in range(0, len(text), 700))
            equal(answer(socket)["ref"], "2")
    with checks.check("a text of a mebibyte"), open_socket(url, who["key"]) as socket:
        socket.send(heartbeat(3, "x" * (1 << 20)))
        equal(answer(socket)["ref"], "3")
    with checks.check("version 2.0.0, a subscription and a change"), open_socket(url, who["key"], "2.0.0") as socket:
        filters = [{"event": "INSERT", "schema": "public", "table": "children"}]
        config = {"config": {"postgres_changes": filters}, "access_token": who["token"]}
        socket.send(json.dumps(["1", "1", "realtime:c", "phx_join", config]))
        events = [answer(socket)]
        while events[-1][3] != "system":
            events.append(answer(socket))
        equal(events[0][3:], ["phx_reply", events[0][4]])
        equal(events[0][4]["status"], "ok")
        fields = {
            "apikey": who["key"], "Authorization": f"Bearer {who['token']}", "Content-Type": "application/json",
        }  # fmt: skip
        row = json.dumps(child(who["user"], "Kim")).encode()
        urllib.request.urlopen(urllib.request.Request(f"{url}/rest/v1/children", row, fields), timeout=TIMEOUT).close()
        change = answer(socket)
        equal((change[3], change[4]["data"]["record"]["name"]), ("postgres_changes", "Kim"))
    with checks.check("a hundred connections at once"):
        sockets = [open_socket(url, who["key"]) for _ in range(100)]
        for number, socket in enumerate(sockets):
            socket.send(heartbeat(number))
        equal([answer(socket)["ref"] for socket in sockets], [str(number) for number in range(100)])
        for socket in sockets:
            socket.close()
    with checks.check("a wrong key is refused before the handshake"):
        error = raised(InvalidStatus, lambda: open_socket(url, "wrong"))
        equal(error.response.status_code, 401)


def faulty(url: str):
    who = account(url)
    with checks.check("the fault that closes after two messages closes with its code"):
        socket = open_socket(url, who["key"])
        for number in range(3):
            socket.send(heartbeat(number))
        equal([answer(socket)["ref"] for _ in range(2)], ["0", "1"])
        error = raised(ConnectionClosedError, lambda: socket.recv(TIMEOUT))
        equal(error.rcvd.code, 1011)
    with checks.check("the fault that aborts leaves no close frame"):
        socket = open_socket(url, who["key"])
        socket.send(heartbeat(0))
        error = raised(ConnectionClosedError, lambda: socket.recv(TIMEOUT))
        equal(error.rcvd, None)
    with checks.check("the fault of a bad frame is a protocol error"):
        socket = open_socket(url, who["key"])
        socket.send(heartbeat(0))
        error = raised(ConnectionClosedError, lambda: socket.recv(TIMEOUT))
        equal((error.rcvd, error.sent.code), (None, 1002))


if __name__ == "__main__":
    checks.main(__doc__, healthy, faulty)
