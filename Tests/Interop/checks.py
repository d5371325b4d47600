"""The common parts of the checks of all clients: a line for each check, and the account."""

import contextlib
import sys
import traceback

from states import EMAIL, KEY, PASSWORD, Project


class Checks:
    """The checks of one client. Each prints a line. A failure does not stop the others."""

    def __init__(self, client: str):
        self.client = client
        self.failed = 0

    @contextlib.contextmanager
    def check(self, what: str):
        try:
            yield
            print(f"✓ {self.client}: {what}", flush=True)
        except Exception as error:  # noqa: BLE001 - any error of a client is a failure
            self.failed += 1
            print(f"✗ {self.client}: {what}: {type(error).__name__}: {error}", flush=True)
            traceback.print_exc()

    def main(self, usage: str, *parts):
        """Runs each part with its argument of the command line, and ends the process with the status of all checks."""
        arguments = sys.argv[1:]
        if len(arguments) != len(parts):
            print(usage.strip(), file=sys.stderr)
            sys.exit(2)
        for part, argument in zip(parts, arguments):
            part(argument)
        sys.exit(1 if self.failed else 0)


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"expected {expected!r}, found {found!r}")


def raised(kind, call, **attributes):
    """Returns the error of a call, which must have this type and these attributes."""
    try:
        call()
    except kind as error:
        for name, expected in attributes.items():
            equal(getattr(error, name), expected)
        return error
    raise AssertionError(f"expected {kind.__name__}, but nothing was raised")


def account(url: str) -> dict[str, str]:
    """Removes all rows, signs the account of the server in, and returns the key, its address, password and token."""
    project = Project(url, "")
    project.reset()
    session = project.sign_in()
    return {
        "key": KEY, "email": EMAIL, "password": PASSWORD, "user": session["user"]["id"],
        "token": session["access_token"],
    }  # fmt: skip


def child(user: str, name: str, age: int = 8, **others) -> dict:
    """Returns a row of the table children."""
    return {
        "user_id": user, "name": name, "age": age, "birthday": "2016-02-29", "goals": ["sleep"],
        "temperament": "spirited",
    } | others  # fmt: skip
