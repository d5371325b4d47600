"""A pytest plugin that runs the integration suite of supabase_auth, the Python client, against `understudy serve`.

In `src/auth` of a checkout of supabase-py, with the folder of this file in PYTHONPATH:

    UNDERSTUDY=<program> python -m pytest -p understudy_auth tests

It starts a server for each of those of `infra/docker-compose.yml` that share a secret, and replaces the addresses in
`clients.py` of the suite. The gateway of a project requires a key, which clients in the suite do not send, because they
call GoTrue itself: the plugin adds it to their fields. The tests are unchanged; `client_suites` names those that
are expected to fail.

The suite requires: faker pyjwt[crypto] pyotp pytest pytest-asyncio pytest-depends pytest-mock respx supabase_auth
"""

import functools
import importlib
import os
import pathlib
import subprocess
import tempfile

SECRET = "37c304f8-51aa-419a-a1af-06154e63707a"

# The settings of the services in the file of the suite, by the constant with their address.
SERVERS = {
    "GOTRUE_URL_SIGNUP_ENABLED_AUTO_CONFIRM_OFF": """
[auth]
additional_redirect_urls = ["https://supabase.io/docs"]
enable_anonymous_sign_ins = true
[auth.email]
enable_confirmations = true
[auth.sms]
enable_signup = true
enable_confirmations = true
# A test sends a text message and another one at once: at the server of the suite, the first one fails, because it
# has no account at its provider.
max_frequency = "0s"
[auth.external.google]
enabled = true
client_id = "google-client"
secret = "google-secret"
""",
    "GOTRUE_URL_SIGNUP_ENABLED_AUTO_CONFIRM_ON": """
[auth]
enable_anonymous_sign_ins = true
[auth.email]
enable_confirmations = false
[auth.sms]
enable_signup = true
enable_confirmations = false
[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true
[auth.oauth_server]
enabled = true
allow_dynamic_registration = true
""",
    "GOTRUE_URL_SIGNUP_DISABLED_AUTO_CONFIRM_OFF": """
[auth]
enable_signup = false
enable_anonymous_sign_ins = true
[auth.email]
enable_signup = false
enable_confirmations = true
[auth.sms]
enable_signup = false
""",
}

running = []


def start(settings):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "config.toml").write_text(settings)
    server = subprocess.Popen(
        [os.environ["UNDERSTUDY"], "serve", "--schema", str(folder), "--jwt-secret", SECRET, "--port", "0"],
        stdout=open(folder / "log", "w"),
    )
    running.append((server, folder))
    while not (lines := (folder / "log").read_text().splitlines()):
        try:
            code = server.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        raise SystemExit(f"understudy serve ended with status {code}")
    return lines[0]


def with_key(make):
    @functools.wraps(make)
    def made(*arguments, headers=None, **named):
        return make(*arguments, headers={"apikey": "anon-key", **(headers or {})}, **named)

    return made


def pytest_sessionstart(session):
    addresses = {name: start(settings) for name, settings in SERVERS.items()}
    for package, prefix in [("tests._sync", "Sync"), ("tests._async", "Async")]:
        clients = importlib.import_module(f"{package}.clients")
        for name, address in addresses.items():
            assert hasattr(clients, name), name
            setattr(clients, name, f"{address}/auth/v1")
        for name in ["GoTrueClient", "GoTrueAdminAPI"]:
            setattr(clients, prefix + name, with_key(getattr(clients, prefix + name)))



def pytest_sessionfinish(session):
    for server, folder in running:
        server.terminate()
        server.wait()
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
