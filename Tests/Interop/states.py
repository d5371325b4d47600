"""Sets up the conditions of a recorded exchange, so that a verifier can repeat its request."""

import contextlib
import functools
import http.client
import http.server
import json
import pathlib
import re
import threading
from urllib.parse import urlsplit

# The values that `understudy serve` prints.
KEY, SERVICE_KEY = "anon-key", "service-key"
EMAIL, PASSWORD = "pat@example.com", "correct horse"

VALUE = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|redacted-\d+")


class Failed(Exception):
    """The error for a state that cannot be set up."""


@functools.cache
def recorded(folder: str, recording: str) -> dict:
    return json.loads((pathlib.Path(folder) / f"{recording}.har").read_text(encoding="utf-8"))["log"]


def send(
    url: str, method: str, target: str, headers: dict, body: bytes | None, timeout: float = 10
) -> tuple[int, bytes]:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=timeout)
    with contextlib.closing(connection):
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def target_of(entry: dict) -> str:
    url = urlsplit(entry["request"]["url"])
    return url.path + (f"?{url.query}" if url.query else "")


def send_recorded(url: str, entry: dict, values: dict[str, str], timeout: float = 10) -> tuple[int, bytes]:
    """Sends a recorded request with new values in place of the recorded ones."""
    request = entry["request"]
    headers = {field["name"]: replaced(field["value"], values) for field in request["headers"]}
    body = request.get("postData", {}).get("text")
    return send(
        url, request["method"], replaced(target_of(entry), values), headers,
        None if body is None else replaced(body, values).encode(), timeout)  # fmt: skip


def replaced(text: str, values: dict[str, str]) -> str:
    return VALUE.sub(lambda match: values.get(match[0].lower(), match[0]), text)


def learn(recorded_value, found, values: dict[str, str]):
    """Maps the UUIDs and secrets of a recording to those of a server."""
    if isinstance(recorded_value, dict) and isinstance(found, dict):
        for name in recorded_value.keys() & found.keys():
            learn(recorded_value[name], found[name], values)
    elif isinstance(recorded_value, list) and isinstance(found, list):
        for pair in zip(recorded_value, found):
            learn(*pair, values)
    elif isinstance(recorded_value, str) and isinstance(found, str) and VALUE.fullmatch(recorded_value):
        values[recorded_value.lower()] = found


class Project:
    """A Supabase project whose states are set up with its service key, as for a project in the cloud."""

    def __init__(self, url: str, recordings: str):
        self.url = url.rstrip("/")
        self.recordings = recordings
        self.accounts: list[str] = []
        self.values: dict[str, str] = {}

    # Conditions of failures and of time are not supported.
    CONDITIONS = {
        "before the clause": lambda self, _: None,
        "there is an account": lambda self, account: self.know(account["userID"], self.user),
        "a user is signed in": lambda self, user: self.know(user, self.user),
        "there is another user": lambda self, user: self.add_account("kim", "battery staple", user),
        "there is a second account": lambda self, account: self.add_account(
            "kim", account["password"], account["userID"]
        ),
        "an account is banned": lambda self, account: self.ban(
            self.add_account("robin", account["password"], account["userID"])
        ),
        "the user has a child": lambda self, child: self.add_child(child),
        "the name is taken": lambda self, name: self.administer(
            "POST", "/rest/v1/children",
            {
                "user_id": self.user, "name": name, "age": 8, "birthday": "2016-02-29", "goals": ["sleep", "listen"],
                "topics": ["school"], "temperament": "spirited", "temperament_talkative": 7,
                "temperament_sensitivity": 3, "temperament_accountability": 10,
            },
        ),
        "there is a child of another user": lambda self, child: self.add_child(child["before"], of_another=True),
        "there is a conversation of another user": lambda self, conversation: self.add_conversation(conversation),
    }  # fmt: skip

    def reset(self):
        """Removes every row, and every account except the first."""
        for account in self.accounts:
            self.administer("DELETE", f"/auth/v1/admin/users/{account}")
        self.accounts = []
        self.administer("DELETE", "/rest/v1/children?id=not.is.null")
        self.values = {"request header apikey": KEY}

    def set_up(self, state: str, parameters: dict):
        if state == "earlier exchanges of the recording":
            self.say(parameters["recording"], parameters["exchanges"])
        elif state:
            for fixture in parameters["fixtures"]:
                self.CONDITIONS[state](self, fixture)

    def fixtures(self, recording: str) -> dict:
        return recorded(self.recordings, recording).get("_fixtures", {})

    def say(self, recording: str, count: int):
        """Sends the first requests of a recording, whose responses must equal the recorded ones."""
        log = recorded(self.recordings, recording)
        for placeholder, origin in log.get("_placeholders", {}).items():
            if origin in self.values:
                self.values[placeholder] = self.values[origin]
        for number, entry in enumerate(log["entries"][:count], 1):
            status, body = send_recorded(self.url, entry, self.values)
            expected = entry["response"]["status"]
            if status != expected:
                raise Failed(
                    f"{recording}, exchange {number}: expected the status {expected}, found {status}: {body[:200]}"
                )
            with contextlib.suppress(ValueError):
                learn(json.loads(entry["response"]["content"].get("text", "")), json.loads(body), self.values)

    # Accounts and rows

    @functools.cached_property
    def user(self) -> str:
        return self.sign_in()["user"]["id"]

    def sign_in(self) -> dict:
        body = json.dumps({"email": EMAIL, "password": PASSWORD}).encode()
        headers = {"apikey": KEY, "Content-Type": "application/json"}
        status, answer = send(self.url, "POST", "/auth/v1/token?grant_type=password", headers, body)
        if status != 200:
            raise Failed(f"{EMAIL} cannot sign in: {status} {answer[:200]}")
        return json.loads(answer)

    def administer(self, method: str, target: str, body=None):
        headers = {"apikey": SERVICE_KEY, "Authorization": f"Bearer {SERVICE_KEY}", "Content-Type": "application/json"}
        status, answer = send(self.url, method, target, headers, None if body is None else json.dumps(body).encode())
        if not 200 <= status < 300:
            raise Failed(f"{method} {target}: {status} {answer[:200]}")

    def know(self, recorded_id: str, found: str) -> str:
        self.values[recorded_id.lower()] = found
        return found

    def add_account(self, name: str, password: str, recorded_id: str) -> str:
        recorded_id = recorded_id.lower()
        if recorded_id not in self.accounts:
            body = {"id": recorded_id, "email": f"{name}@example.com", "password": password, "email_confirm": True}
            self.administer("POST", "/auth/v1/admin/users", body)
            self.accounts.append(recorded_id)
        return self.know(recorded_id, recorded_id)

    def ban(self, account: str):
        self.administer("PUT", f"/auth/v1/admin/users/{account}", {"ban_duration": "24h"})

    def add_child(self, child: dict, of_another: bool = False):
        owner = self.add_account("kim", "battery staple", child["userID"]) if of_another else self.user
        row = {
            "id": child["id"], "user_id": owner, "name": child["name"], "age": child["age"],
            "birthday": child["birthday"], "goals": child["goals"], "topics": child["topics"],
            "temperament": child["temperament"], "temperament_talkative": child["talkativeness"],
            "temperament_sensitivity": child["sensitivity"], "temperament_accountability": child["accountability"],
        }  # fmt: skip
        self.administer("POST", "/rest/v1/children", row)
        self.know(child["id"], child["id"].lower())

    def add_conversation(self, fixture: dict):
        conversation = fixture["conversation"]
        owner = self.add_account("kim", "battery staple", conversation["userID"])
        child = {"id": conversation["childID"], "user_id": owner, "name": "Alex", "age": 8, "birthday": "2016-02-29"}
        self.administer("POST", "/rest/v1/children", child)
        row = {"id": conversation["id"], "user_id": owner, "child_id": conversation["childID"]}
        self.administer("POST", "/rest/v1/conversations", row)
        for message in fixture["history"]:
            said = {"id": message["id"], "conversation_id": conversation["id"], "role": message["role"]}
            self.administer("POST", "/rest/v1/messages", said | {"content": message["content"]})
        self.know(conversation["id"], conversation["id"].lower())
        self.know(conversation["childID"], conversation["childID"].lower())


class Playback:
    """A served recording, whose exchanges must be requested in order."""

    def __init__(self, url: str, folder: str, recording: str):
        self.url = url
        self.log = recorded(folder, recording)
        self.position = 0
        self.values: dict[str, str] = {}

    def reset(self):
        # The recorded values are the requested ones.
        text = json.dumps(self.log)
        self.values = {value.lower(): value for value in VALUE.findall(text)}
        for placeholder, origin in self.log.get("_placeholders", {}).items():
            self.values[origin] = placeholder

    def set_up(self, state: str, parameters: dict):
        if state != "earlier exchanges of the recording":
            return
        for entry in self.log["entries"][self.position : parameters["exchanges"]]:
            if entry.get("_resourceType") != "websocket":
                # An exchange without a response has no response in the replay either.
                with contextlib.suppress(OSError, http.client.HTTPException):
                    send_recorded(self.url, entry, {}, timeout=10 if entry["response"]["status"] else 0.2)
        self.position = parameters["exchanges"]

    def finish(self):
        """Notes that the verifier has sent the request of the next exchange."""
        self.position += 1


@contextlib.contextmanager
def state_server(subject):
    """Yields the URL at which Pact's verifier sets up states, one interaction after the other."""

    class Handler(http.server.BaseHTTPRequestHandler):
        is_over = True

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                status, answer = 200, self.change(body)
            except Exception as error:  # noqa: BLE001 - the verifier reports it
                Handler.is_over = True
                print(f"pact: state \"{body['state']}\": {type(error).__name__}: {error}", flush=True)
                status, answer = 500, {}
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def change(self, body: dict) -> dict:
            if body["action"] == "setup":
                if Handler.is_over:
                    subject.reset()
                Handler.is_over = False
                subject.set_up(body["state"] or "", body.get("params") or {})
                return subject.values
            # Each state is torn down; the first of them ends the interaction.
            if not Handler.is_over and hasattr(subject, "finish"):
                subject.finish()
            Handler.is_over = True
            return {}

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
