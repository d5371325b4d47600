#!/usr/bin/env python3
"""Uses servers with httpx: one without faults, one with the faults of `run`, and one that refuses connections.

usage: check_httpx.py <base URL> <URL of the faulty server> <URL of the refusing server>
"""

import email.utils
import time

import httpx

from checks import Checks, account, child, equal, raised

checks = Checks("httpx")


def client(url: str, who: dict[str, str]) -> httpx.Client:
    fields = {"apikey": who["key"], "Authorization": f"Bearer {who['token']}"}
    return httpx.Client(base_url=url, headers=fields, timeout=10)


def local_address(response: httpx.Response):
    return response.extensions["network_stream"].get_extra_info("client_addr")


def healthy(url: str):
    who = account(url)
    with client(url, who) as http:
        with checks.check("one connection for many requests with different responses"):
            calls = [
                lambda: http.get("/rest/v1/children"),
                lambda: http.post("/rest/v1/children", json=child(who["user"], "Robin")),
                lambda: http.head("/rest/v1/children"),
                lambda: http.patch("/rest/v1/children?name=eq.Robin", json={"age": 9}),
                lambda: http.get("/nowhere"),
                lambda: http.post("/rest/v1/children", content=iter([b'{"na', b'me": "Ada"'])),
                lambda: http.delete("/rest/v1/children?age=gte.0"),
            ]
            answers = [call() for call in calls]
            equal([answer.status_code for answer in answers], [200, 201, 200, 204, 404, 400, 204])
            equal(len({local_address(answer) for answer in answers}), 1)
        with checks.check("heads of HTTP/1.1"):
            answer = http.get("/rest/v1/children")
            equal(answer.http_version, "HTTP/1.1")
            age = time.time() - email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()
            equal(-5 < age < 60, True)
            equal(int(answer.headers["Content-Length"]), len(answer.content))
            equal(http.head("/rest/v1/children").content, b"")
            empty = http.patch("/rest/v1/children?name=eq.Eve", json={"age": 9})
            equal(("Content-Length" in empty.headers, empty.content), (False, b""))
        with checks.check("a connection that the client wants closed is closed"):
            equal(http.get("/rest/v1/children", headers={"Connection": "close"}).headers["Connection"], "close")


def faulty(url: str):
    who = account(url)
    with client(url, who) as http:
        with checks.check("an event stream arrives chunk by chunk"):
            row = http.post(
                "/rest/v1/children", json=child(who["user"], "Robin"), headers={"Prefer": "return=representation"}
            ).json()[0]
            started = http.post(
                "/rest/v1/conversations", json={"user_id": who["user"], "child_id": row["id"]},
                headers={"Prefer": "return=representation"},
            ).json()[0]  # fmt: skip
            context = {"age": 8, "temperament": "spirited", "goals": [], "topics": []}
            body = {"conversationId": started["id"], "message": "Why?", "childContext": context}
            pieces = []
            with http.stream("POST", "/functions/v1/send-message", json=body) as answer:
                equal(answer.headers["Content-Type"], "text/event-stream")
                equal(answer.headers["Transfer-Encoding"], "chunked")
                for piece in answer.iter_raw():
                    pieces.append((time.monotonic(), piece))
            equal(b"".join(piece for _, piece in pieces).count(b"data: ") > 3, True)
            equal(len(pieces) > 8, True)
            # The pauses between the chunks are those of the server, so the stream was not buffered.
            equal(pieces[-1][0] - pieces[0][0] > 0.1, True)
        faults = {
            "reset": ("/rest/v1/reset", httpx.ReadError),
            "empty reply": ("/rest/v1/empty-reply", httpx.RemoteProtocolError),
            "garbage": ("/rest/v1/garbage", httpx.RemoteProtocolError),
            "body cut short": ("/rest/v1/children", httpx.RemoteProtocolError),
            "malformed chunk": ("/rest/v1/malformed-chunk", httpx.RemoteProtocolError),
            "broken gzip": ("/rest/v1/broken-gzip", httpx.DecodingError),
            "silence": ("/rest/v1/timeout", httpx.ReadTimeout),
        }
        for name, (path, kind) in faults.items():
            with checks.check(f"the fault {name} is a {kind.__name__}"):
                error = raised(httpx.HTTPError, lambda: http.get(path, timeout=0.5))
                equal(type(error), kind)
        with checks.check("the fault redirect loop is a TooManyRedirects"):
            raised(httpx.TooManyRedirects, lambda: http.get("/rest/v1/circle", follow_redirects=True))
        with checks.check("the fault rate limit has one Retry-After"):
            answer = http.get("/rest/v1/rate-limited")
            equal((answer.status_code, answer.headers["Retry-After"]), (429, "30"))
            equal(http.get("/rest/v1/rate-limited").status_code, 404)


def refusing(url: str):
    with checks.check("the fault connection refused is a ConnectError"):
        raised(httpx.ConnectError, lambda: httpx.get(url))


if __name__ == "__main__":
    checks.main(__doc__, healthy, faulty, refusing)
