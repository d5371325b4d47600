"""Hooks of schemathesis for the server under test: the account, and the values of requests."""

import os

import schemathesis

from states import KEY, Project, replaced

PROJECT = Project(os.environ["UNDERSTUDY_URL"], os.environ["UNDERSTUDY_RECORDINGS"])


@schemathesis.hook
def before_call(context, case, kwargs):
    """Resets the server, so that no request depends on those before it, and signs the user in."""
    operation = case.operation.definition.raw
    PROJECT.reset()
    set_up(operation["x-recordings"])
    case.headers["apikey"] = KEY
    case.headers["Authorization"] = f"Bearer {PROJECT.sign_in()['access_token']}"
    if isinstance(case.body, dict):
        case.body = filled(case.body)
    if case.query:
        case.query = filled(dict(case.query))
    # OpenAPI cannot express that a body depends on the query: without a refresh token, GoTrue answers with an error of OAuth (RFC 6749, 5.2).
    has_token = isinstance(case.body, dict) and "refresh_token" in case.body
    if case.query and case.query.get("grant_type") == "refresh_token" and not has_token:
        case.query["grant_type"] = "password"
    # Nor that a response depends on Accept: a client requests the media types of the document.
    types = [
        media_type
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for media_type in response.get("content", {})
    ]
    if types:
        case.headers["Accept"] = ", ".join(types)


def set_up(recordings: list[dict]):
    """Sends the requests before the first successful exchange, so that similar requests can succeed."""
    for exchange in recordings:
        if exchange["status"] < 300 and set(exchange["conditions"]) <= set(Project.CONDITIONS):
            log_of = {"recording": exchange["recording"], "exchanges": exchange["exchange"] - 1}
            for name, fixtures in PROJECT.fixtures(exchange["recording"]).items():
                PROJECT.set_up(name, {"fixtures": fixtures})
            PROJECT.set_up("earlier exchanges of the recording", log_of)
            return


def filled(value):
    """Returns the value with the UUIDs and secrets of the server in place of recorded ones."""
    if isinstance(value, dict):
        return {name: filled(member) for name, member in value.items()}
    if isinstance(value, list):
        return [filled(element) for element in value]
    return replaced(value, PROJECT.values) if isinstance(value, str) else value
