"""What schemathesis needs to know of the server under test: who asks, and for what."""

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
    # OpenAPI cannot say that an answer depends on Accept: a client asks for what the document offers.
    types = [
        media_type
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for media_type in response.get("content", {})
    ]
    if types:
        case.headers["Accept"] = ", ".join(types)


def set_up(recordings: list[dict]):
    """Does what came before the first exchange that succeeds, so that requests like it can succeed."""
    for exchange in recordings:
        if exchange["status"] < 300 and set(exchange["conditions"]) <= set(Project.CONDITIONS):
            log_of = {"recording": exchange["recording"], "exchanges": exchange["exchange"] - 1}
            for name, fixtures in PROJECT.fixtures(exchange["recording"]).items():
                PROJECT.set_up(name, {"fixtures": fixtures})
            PROJECT.set_up("earlier exchanges of the recording", log_of)
            return


def filled(value):
    """The value with what the server has in place of recorded UUIDs and secrets."""
    if isinstance(value, dict):
        return {name: filled(member) for name, member in value.items()}
    if isinstance(value, list):
        return [filled(element) for element in value]
    return replaced(value, PROJECT.values) if isinstance(value, str) else value
