"""What schemathesis needs to know of the server under test: who asks, and for what."""

import os

import requests
import schemathesis

CONDITIONS = os.environ["UNDERSTUDY_URL"] + "/understudy/conditions"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Begins anew, so that no request depends on those before it, and asks as the user who is signed in."""
    operation = case.operation.definition.raw
    requests.delete(CONDITIONS, timeout=10).raise_for_status()
    # What the first exchange that succeeds is given, so that requests like it can succeed; where all are refused,
    # nothing has to be there.
    given = next((exchange["given"] for exchange in operation["x-exchanges"] if exchange["status"] < 300), [])
    for condition in ["signed in", *given]:
        answer = requests.post(CONDITIONS, json={"condition": condition}, timeout=10)
        answer.raise_for_status()
        values = answer.json()
    case.headers["apikey"] = values["key"]
    case.headers["Authorization"] = f"Bearer {values['token']}"
    if isinstance(case.body, dict):
        case.body = {name: filled(value, values) for name, value in case.body.items()}
    # OpenAPI cannot say that an answer depends on Accept: a client asks for what the document offers.
    types = [
        media_type
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for media_type in response.get("content", {})
    ]
    if types:
        case.headers["Accept"] = ", ".join(types)


def filled(value, values):
    """The value, or what stands for it if it is a name in braces."""
    if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
        return values.get(value[1:-1], value)
    return value
