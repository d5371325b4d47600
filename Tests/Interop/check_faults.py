#!/usr/bin/env python3
"""Checks what the Python client of Supabase raises for each fault that `understudy serve` can inject into a response.

usage: check_faults.py <understudy> <schema>

A fault with a status surfaces as the error that the client documents for the endpoint, with the code of a body as this
endpoint writes it; a fault of the transport as an error of httpx, or as a retryable one of the client for auth. Realtime
reports an error of its library for WebSockets.
"""

import asyncio
import contextlib
import subprocess

import httpx
from postgrest import APIError
from realtime import AsyncRealtimeClient
from storage3.exceptions import StorageApiError
from supabase import ClientOptions, create_client
from supabase_auth.errors import AuthApiError, AuthRetryableError
from supabase_functions.errors import FunctionsHttpError, FunctionsRelayError
from websockets.exceptions import InvalidHandshake, InvalidStatus

from checks import Checks, equal, raised
from states import EMAIL, KEY, PASSWORD

checks = Checks("faults")
arguments = []
# Seconds after which a client gives up on an answer that does not come, and on one that a busy machine delays.
TIMEOUT, PATIENCE = 0.5, 30

# The status of each fault, and the code in the body of PostgREST, GoTrue and Storage. The client for auth reports the
# statuses 502 to 504 as retryable, without a code.
STATUSES = {
    "unauthorized": (401, "PGRST303", "no_authorization", "Unauthorized"),
    "forbidden": (403, "42501", "not_admin", "Unauthorized"),
    "not-found": (404, "PGRST205", "user_not_found", "not_found"),
    "not-acceptable": (406, "PGRST116", "unexpected_failure", "InvalidRequest"),
    "conflict": (409, "23505", "conflict", "Duplicate"),
    "unprocessable": (422, "PT422", "validation_failed", "InvalidRequest"),
    "rate-limited": (429, "PT429", "over_request_rate_limit", "too_many_connections"),
    "rate-limited:30s": (429, "PT429", "over_request_rate_limit", "too_many_connections"),
    "server-error": (500, "57014", "unexpected_failure", "InternalError"),
    "unavailable": (503, "PGRST001", None, "DatabaseError"),
    "gateway-timeout": (504, "PGRST003", None, "DatabaseTimeout"),
    # Statuses without a fault of their own.
    "status:400": (400, "PT400", "unknown", "InvalidRequest"),
    "status:418": (418, "PT418", "unknown", "InvalidRequest"),
    "status:501": (501, "PT501", "unknown", "InternalError"),
}
# The relay in front of functions reports these itself, with a code in the text of the body.
RELAYED = {"server-error": "EDGE_FUNCTION_ERROR", "unavailable": "BOOT_ERROR", "gateway-timeout": "IDLE_TIMEOUT"}
TRANSPORT = {
    "timeout": httpx.ReadTimeout, "answer-lost": httpx.ReadTimeout, "timeout-in-body:1": httpx.ReadTimeout,
    "connection-refused": httpx.ConnectError,
    # A server cannot cause these two; a client that does not reach it is the nearest.
    "offline": httpx.ConnectError, "host-not-found": httpx.ConnectError, "connection-lost": httpx.ReadError,
    "reset-in-body:1": httpx.ReadError, "empty-reply": httpx.RemoteProtocolError,
    "truncated-body:1": httpx.RemoteProtocolError, "truncated-chunk:1": httpx.RemoteProtocolError,
    "malformed-chunk:1": httpx.RemoteProtocolError, "garbage": httpx.RemoteProtocolError,
    "broken-gzip": httpx.DecodingError, "redirect-loop": httpx.TooManyRedirects,
}  # fmt: skip


@contextlib.contextmanager
def served(fault: str):
    """The address of a server with a fault at every request."""
    understudy, schema = arguments
    command = [understudy, "serve", "--schema", schema, "--port", "0", "--fault", fault]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.communicate()


def calls(url: str, timeout: float = PATIENCE) -> dict:
    """A call of each endpoint over HTTP."""
    http = httpx.Client(timeout=timeout, follow_redirects=True)
    client = create_client(url, KEY, ClientOptions(httpx_client=http))
    return {
        "rest": lambda: client.table("children").insert({"name": "Robin"}).execute(),
        "auth": lambda: client.auth.sign_in_with_password({"email": EMAIL, "password": PASSWORD}),
        "storage": lambda: client.storage.from_("pictures").list(),
        "functions": lambda: client.functions.invoke("send-message"),
    }


def connected(url: str, timeout: float = PATIENCE):
    """Connects a client for Realtime once, without another attempt."""
    client = AsyncRealtimeClient(f"{url}/realtime/v1", KEY, max_retries=1, auto_reconnect=False, timeout=timeout)
    asyncio.run(client.connect())


def statuses():
    for fault, (status, rest, auth, storage) in STATUSES.items():
        with served(fault) as url:
            call = calls(url)
            with checks.check(f"{fault} of rest"):
                raised(APIError, call["rest"], code=rest)
            with checks.check(f"{fault} of auth"):
                kind = AuthApiError if auth else AuthRetryableError
                raised(kind, call["auth"], code=auth, status=status)
            with checks.check(f"{fault} of storage"):
                raised(StorageApiError, call["storage"], code=storage, status=str(status))
            with checks.check(f"{fault} of functions"):
                kind = FunctionsRelayError if fault in RELAYED else FunctionsHttpError
                error = raised(kind, call["functions"], status=status)
                equal(RELAYED.get(fault, "") in error.message, True)
            with checks.check(f"{fault} of realtime"):
                equal(raised(InvalidStatus, lambda: connected(url)).response.status_code, status)


def transport():
    for fault, kind in TRANSPORT.items():
        timeout = TIMEOUT if kind is httpx.ReadTimeout else PATIENCE
        with served(fault) as url:
            for name, call in calls(url, timeout).items():
                with checks.check(f"{fault} of {name}"):
                    raised(AuthRetryableError if name == "auth" else kind, call)
            with checks.check(f"{fault} of realtime"):
                raised((InvalidHandshake, OSError, TimeoutError, EOFError), lambda: connected(url, timeout))


def run(schema: str):
    arguments.append(schema)
    statuses()
    transport()


checks.main(__doc__.split("\n\n")[1], arguments.append, run)
