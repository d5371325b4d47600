#!/usr/bin/env python3
"""Uses the auth server of a project that confirms addresses, with the official Python client of Supabase.

usage: check_auth.py <base URL>
"""

from urllib.parse import parse_qs, urlsplit

import httpx
from supabase import ClientOptions, create_client
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from checks import Checks, equal, raised

checks = Checks("supabase_auth")
PASSWORD = "correct horse"


class Mailbox:
    """The mail catcher of the project."""

    def __init__(self, url: str):
        self.api = url + "/api/v1"

    def last(self, address: str) -> tuple[str, str]:
        """Returns the link and the code of the last mail to an address."""
        found = httpx.get(f"{self.api}/search", params={"query": f"to:{address}"}).json()["messages"]
        text = httpx.get(f"{self.api}/message/{found[0]['ID']}").json()["Text"]
        link = next((word for word in text.split() if word.startswith("http")), "")
        return link, text.split("The code is ")[1][:6]

    def follow(self, address: str) -> tuple[str, dict[str, str], dict[str, str]]:
        """Follows the link of the last mail, and returns the address, the query and the fragment of the redirection."""
        response = httpx.get(self.last(address)[0])
        equal(response.status_code, 303)
        parts = urlsplit(response.headers["location"])
        query, fragment = (
            {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
            for text in (parts.query, parts.fragment))  # fmt: skip
        return f"{parts.scheme}://{parts.netloc}{parts.path}", query, fragment


def client(url: str, flow: str = "implicit", key: str = "anon-key"):
    options = ClientOptions(flow_type=flow, auto_refresh_token=False, persist_session=False)
    return create_client(url, key, options=options).auth


def sign_up(url: str, mailbox: Mailbox):
    auth = client(url)
    robin = {"email": "robin@example.com", "password": PASSWORD, "options": {"data": {"name": "Robin"}}}
    with checks.check("sign up, and confirm the address with the code"):
        answer = auth.sign_up(robin)
        equal((answer.session, answer.user.email, answer.user.email_confirmed_at), (None, robin["email"], None))
        raised(AuthApiError, lambda: auth.sign_in_with_password(robin), code="email_not_confirmed", status=400)
        code = mailbox.last(robin["email"])[1]
        verified = auth.verify_otp({"type": "signup", "email": robin["email"], "token": code})
        equal((verified.user.id, verified.user.user_metadata["name"]), (answer.user.id, "Robin"))
        equal(auth.get_user().user.identities[0].provider, "email")
        again = lambda: auth.verify_otp({"type": "signup", "email": robin["email"], "token": code})  # noqa: E731
        raised(AuthApiError, again, code="otp_expired", status=403)
    with checks.check("an existing address is hidden"):
        hidden = client(url).sign_up(robin)
        equal((hidden.session, hidden.user.identities, hidden.user.id != verified.user.id), (None, [], True))
    with checks.check("a weak password has its reasons"):
        weak = {"email": "weak@example.com", "password": "short"}
        equal(raised(AuthWeakPasswordError, lambda: auth.sign_up(weak), code="weak_password").reasons, ["length"])
    with checks.check("sign in anonymously"):
        anonymous = client(url).sign_in_anonymously({"options": {"data": {"theme": "dark"}}})
        equal((anonymous.user.is_anonymous, anonymous.user.user_metadata), (True, {"theme": "dark"}))
        equal(anonymous.session is not None, True)
    with checks.check("a provider and a second factor that are not enabled are refused"):
        token = {"provider": "google", "token": "x"}
        raised(AuthApiError, lambda: auth.sign_in_with_id_token(token), code="provider_disabled", status=400)
        factor = {"factor_type": "totp", "friendly_name": "phone", "issuer": "x"}
        raised(AuthApiError, lambda: auth.mfa.enroll(factor), code="mfa_totp_enroll_not_enabled", status=422)
        oauth = auth.sign_in_with_oauth({"provider": "github"})
        refused = httpx.get(oauth.url)
        equal((refused.status_code, refused.json()["error_code"]), (400, "validation_failed"))


def links(url: str, mailbox: Mailbox):
    with checks.check("a link whose session is in the fragment"):
        auth = client(url)
        options = {"email_redirect_to": "app://login", "data": {"team": "red"}}
        auth.sign_in_with_otp({"email": "ada@example.com", "options": options})
        where, query, session = mailbox.follow("ada@example.com")
        equal((where, query, session["type"]), ("app://login", {}, "signup"))
        user = auth.set_session(session["access_token"], session["refresh_token"]).user
        equal((user.email, user.user_metadata["team"]), ("ada@example.com", "red"))
        used = mailbox.follow("ada@example.com")[2]
        equal((used["error"], used["error_code"]), ("access_denied", "otp_expired"))
    with checks.check("a redirection that is not allowed leads to the site"):
        auth = client(url)
        options = {"email_redirect_to": "https://elsewhere.example"}
        auth.sign_in_with_otp({"email": "eve@example.com", "options": options})
        equal(mailbox.follow("eve@example.com")[0], "http://127.0.0.1:3000")
    with checks.check("an unknown address that may not sign up"):
        options = {"should_create_user": False}
        unknown = {"email": "unknown@example.com", "options": options}
        raised(AuthApiError, lambda: client(url).sign_in_with_otp(unknown), code="otp_disabled", status=422)
    with checks.check("a link whose code is exchanged (PKCE), and a forgotten password"):
        auth = client(url, "pkce")
        auth.sign_up({"email": "kim@example.com", "password": PASSWORD})
        code = mailbox.follow("kim@example.com")[1]["code"]
        equal(auth.exchange_code_for_session({"auth_code": code}).user.email, "kim@example.com")
        auth.sign_out()
        auth.reset_password_for_email("kim@example.com", {"redirect_to": "app://reset"})
        where, query, _ = mailbox.follow("kim@example.com")
        equal(where, "app://reset")
        auth.exchange_code_for_session({"auth_code": query["code"]})
        auth.update_user({"password": "another horse"})
        new = {"email": "kim@example.com", "password": "another horse"}
        equal(client(url).sign_in_with_password(new).user.email, "kim@example.com")
        raised(
            AuthApiError, lambda: client(url).sign_in_with_password(new | {"password": PASSWORD}),
            code="invalid_credentials")  # fmt: skip
    with checks.check("mail is sent again, but not at once"):
        auth = client(url)
        auth.sign_up({"email": "sam@example.com", "password": PASSWORD})
        again = {"type": "signup", "email": "sam@example.com"}
        raised(AuthApiError, lambda: auth.resend(again), code="over_email_send_rate_limit", status=429)
        auth.resend({"type": "signup", "email": "unknown@example.com"})


def account(url: str, mailbox: Mailbox):
    service = client(url, key="service-key").admin
    attributes = {"email": "max@example.com", "password": PASSWORD, "email_confirm": True, "user_metadata": {"a": 1}}
    with checks.check("an account of the backend"):
        user = service.create_user(attributes).user
        equal((user.user_metadata, user.email_confirmed_at is not None), ({"a": 1, "email_verified": True}, True))
        equal(service.get_user_by_id(user.id).user.email, "max@example.com")
        equal(len(service.list_users(page=1, per_page=2)), 2)
        raised(AuthApiError, lambda: service.create_user(attributes), code="email_exists", status=422)
    auth = client(url)
    credentials = {"email": "max@example.com", "password": PASSWORD}
    with checks.check("metadata, and another address that both mails confirm"):
        auth.sign_in_with_password(credentials)
        equal(auth.update_user({"data": {"b": 2}}).user.user_metadata["b"], 2)
        equal(auth.update_user({"email": "new@example.com"}).user.new_email, "new@example.com")
        equal("message" in mailbox.follow("max@example.com")[2], True)
        code = mailbox.last("new@example.com")[1]
        changed = auth.verify_otp({"type": "email_change", "email": "new@example.com", "token": code})
        equal(changed.user.email, "new@example.com")
    with checks.check("reauthentication and identities"):
        auth.reauthenticate()
        equal(mailbox.last("new@example.com")[0], "")
        identity = auth.get_user_identities().identities[0]
        raised(AuthApiError, lambda: auth.unlink_identity(identity), code="manual_linking_disabled", status=404)
    with checks.check("sign out elsewhere"):
        other = client(url)
        other.sign_in_with_password(credentials | {"email": "new@example.com"})
        auth.sign_out({"scope": "others"})
        equal(auth.get_user().user.email, "new@example.com")
        raised(AuthApiError, other.refresh_session, code="refresh_token_not_found", status=400)
    with checks.check("ban, invite and make links"):
        service.update_user_by_id(user.id, {"ban_duration": "1h"})
        banned = credentials | {"email": "new@example.com"}
        raised(AuthApiError, lambda: client(url).sign_in_with_password(banned), code="user_banned")
        invited = service.invite_user_by_email("ivy@example.com", {"data": {"team": "red"}}).user
        equal((invited.invited_at is not None, invited.user_metadata), (True, {"team": "red"}))
        equal(mailbox.follow("ivy@example.com")[2]["type"], "invite")
        link = service.generate_link({"type": "magiclink", "email": "ivy@example.com"})
        hashed = {"type": "magiclink", "token_hash": link.properties.hashed_token}
        equal(client(url).verify_otp(hashed).user.id, invited.id)
    with checks.check("two deletions, one of which keeps the row"):
        service.delete_user(user.id, should_soft_delete=True)
        equal(service.get_user_by_id(user.id).user.email == "new@example.com", False)
        service.delete_user(user.id)
        raised(AuthApiError, lambda: service.get_user_by_id(user.id), code="user_not_found", status=404)
    with checks.check("another key does not administer"):
        raised(AuthApiError, lambda: client(url).admin.list_users(), code="not_admin", status=403)


def confirming(url: str):
    url = url.rstrip("/")
    mailbox = Mailbox(url)
    sign_up(url, mailbox)
    links(url, mailbox)
    account(url, mailbox)


checks.main(__doc__, confirming)
