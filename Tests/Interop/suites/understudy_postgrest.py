"""A pytest plugin that runs the suite of postgrest against `understudy serve`, at the address in UNDERSTUDY_URL.

The suite expects PostgREST itself at port 3000. A project serves it below `/rest/v1` and requires a key.
"""

import functools
import os

import postgrest

DIRECT = "http://127.0.0.1:3000"


def of_a_project(make):
    @functools.wraps(make)
    def made(self, base_url, *, headers=None, **named):
        if base_url == DIRECT:
            base_url = os.environ["UNDERSTUDY_URL"] + "/rest/v1"
            headers = {"apikey": "anon-key", **(headers or {})}
        if headers is not None:
            named["headers"] = headers
        make(self, base_url, **named)

    return made


for client in (postgrest.SyncPostgrestClient, postgrest.AsyncPostgrestClient):
    client.__init__ = of_a_project(client.__init__)
