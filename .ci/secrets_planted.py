"""The secrets that `.ci/secrets` plants: their formats, values and places, and a recording of them."""

import base64
import binascii
import gzip
import json
import plistlib
import random
import re
import string
import struct
import urllib.parse
import uuid
from dataclasses import dataclass, field
from html import escape

from secrets_names import ENGLISH, HEADERS, LANGUAGES, NAMES

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
WORD = string.ascii_letters + string.digits
CAPITALS = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URL = WORD + "-_"

# The prefix of an issuer, the characters after it and their number.
FORMS = [
    ("glpat-", WORD, 20), ("sk_live_", WORD, 24), ("rk_live_", WORD, 24), ("xoxb-", string.digits, 40), ("xoxp-", WORD, 40),
    ("AKIA", string.ascii_uppercase + "234567", 16), ("ASIA", string.ascii_uppercase + "234567", 16), ("AIza", WORD, 35),
    ("GOCSPX-", WORD, 28), ("sk-ant-api03-", WORD, 95), ("sk-proj-", WORD, 48), ("hf_", string.ascii_letters, 34),
    ("SG.", WORD, 66), ("dop_v1_", HEX, 64), ("shpat_", HEX, 32), ("hvs.", WORD, 90), ("dapi", HEX, 32),
    ("lin_api_", WORD, 40), ("ntn_", WORD, 46), ("figd_", WORD, 40), ("PMAK-", HEX, 59), ("sq0atp-", WORD, 22),
    ("rubygems_", HEX, 48), ("pypi-AgEIcHlwaS5vcmc", WORD, 150), ("dckr_pat_", WORD, 27), ("sntryu_", HEX, 64),
    ("NRAK-", string.ascii_uppercase + string.digits, 27), ("glsa_", WORD, 41), ("tfp_", WORD, 44), ("r8_", WORD, 37),
    ("gsk_", WORD, 52), ("pplx-", WORD, 48), ("xai-", WORD, 80), ("sbp_", HEX, 40), ("sb_secret_", WORD, 31),
    ("ATATT3xFf", WORD, 180), ("CLOJARS_", WORD, 60), ("rzp_live_", WORD, 14), ("whsec_", WORD, 32), ("key-", HEX, 32),
    ("SK", HEX, 32), ("LTAI", WORD, 20), ("AVNS_", WORD, 18), ("pul-", HEX, 40), ("zpka_", WORD, 40),
]
# Formats with several parts, made by a function of random texts.
COMPOSED_FORMS = {
    "Airtable": lambda text: f"pat{text(WORD, 14)}.{text(HEX, 64)}",
    "1Password account": lambda text: "ops_" + encoded_json(signInAddress="a.1password.com", key=text(WORD, 160)),
    "1Password key": lambda text: "-".join(["A3", *(text(CAPITALS, count) for count in (6, 6, 5, 5, 5, 5))]),
    "Bedrock": lambda text: "ABSK" + encoded(f"BedrockAPIKey-{text(WORD, 4)}-at-123456789012:{text(WORD, 44)}"),
    "Bedrock short": lambda text: "bedrock-api-key-" + encoded(
        "bedrock.amazonaws.com/?Action=CallWithBearerToken&X-Amz-Signature=" + text(HEX, 64)),
    "Azure AD": lambda text: f"{text(WORD, 3)}8Q~{text(WORD + '-._~', 34)}",
    "fly.io": lambda text: f"fo1_{text(URL, 43)}",
    "fly.io macaroon": lambda text: f"fm2_{text(WORD, 160)}",
    "Grafana": lambda text: "glc_" + encoded_json(o="104273", n="reader", k=text(WORD, 24), m={"r": "eu"}),
    "Grafana account": lambda text: f"glsa_{text(WORD, 32)}_{text(HEX, 8)}",
    "Grafana old": lambda text: encoded_json(k=text(WORD, 32), n="reader", id=1),
    "Sentry": lambda text: "sntrys_" + encoded_json(
        iat=1767441600.5, url="https://sentry.io", region_url="https://us.sentry.io", org="shop") + "_" + text(WORD, 43),
    "Slack refresh": lambda text: f"xoxe-1-{text(CAPITALS, 146)}",
    "Slack rotated": lambda text: f"xoxe.xoxp-1-{text(CAPITALS, 163)}",
    "Slack app": lambda text: f"xapp-1-A{text(CAPITALS, 10)}-{text(string.digits, 13)}-{text(HEX, 64)}",
}
CHECKED_FORMS = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"]

SYLLABLES = "ka lo mi ne ru ta vo si pe du fa go ri ba zu we".split()
# Passwords that people choose, of a word, another word and a number. `{{` is a brace.
PASSWORDS = [
    "{A}-{n}!", "{a}{n}", "{A}{n}{B}", "{a}.{b}.{n}", "{A}_{n}#", "{a}-{b}-{a}{n}", "{n}{A}!{b}", "{A}@{n}",
]
UNUSUAL_PASSWORDS = [
    "{A} {b} {n}?", "{A}\"{n}\"{b}", "{a}'{n}'{B}", "{A}ä{b}ß-{n}", "Ü{a}{n}é", "{a}🌵{n}{b}", "{a}&{b}={n}", "{a}+{b}+{n}",
    "{n}%{A}%{b}", "{A}\\{b}\\{n}", "<{A}>{n}</{b}>", "{a};{b},{n}", "{{{a}:{n}}}", "{a}#{b}?{n}/", "пар{a}{n}", "{a}密{n}{b}",
]
PASSPHRASES = ["{a} {b} {c} {d}", "{a} {b} {n} {c}"]

ORIGIN = "https://api.example.com"
JSON, FORM, XML, HTML, TEXT = "application/json", "application/x-www-form-urlencoded", "application/xml", "text/html", "text/plain"


def encoded(text):
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def encoded_json(**members):
    return encoded(json.dumps(members, separators=(",", ":")))


def dumps(value):
    return json.dumps(value, ensure_ascii=False)


def literal(value):
    """A string literal of YAML, TOML, HCL, GraphQL and JavaScript."""
    return json.dumps(value, ensure_ascii=False)


def percent(text):
    return urllib.parse.quote(text, safe="")


def words(name):
    return [word for word in re.split(r"[^\w]|_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)) if word]


def screaming(name):
    return "_".join(words(name)).upper()


def header(name):
    return "-".join(word.capitalize() for word in words(name))


def kebab(name):
    return "-".join(words(name)).lower()


def utf16_escaped(text, every):
    """A text with each `every`th character, and all that are not ASCII, as escapes of JSON."""
    units = lambda c: re.sub("(....)", r"\\u\1", c.encode("utf-16-be").hex())
    return "".join(units(c) if i % every == 0 or not c.isascii() else c for i, c in enumerate(text))


def property_escaped(text):
    return "".join("\\" + c if c in "\\:=#!" else c if c.isascii() else utf16_escaped(c, 1) for c in text)


# How many secrets are planted under the names of ENGLISH and LANGUAGES, in addition to those of the other tables.
THOUSAND = 1000

# What can be written in a place. A name: any; one without brackets; one without blanks, too; one in ASCII without them; an
# identifier in ASCII.
ANY = r".+"
WHOLE = r"[^\[\]]+"
ELEMENT = r"[^\W\d][^\s\[\]\"'<>&=]*"
ASCII = r"[A-Za-z][A-Za-z0-9._-]*"
IDENTIFIER = r"[A-Za-z]\w*"
# A value: any; one line without quotes, blanks and what begins a comment; what needs no encoding in a URL or a cookie.
LINE = r"[^\s\"'\\#;&<>%{}=]+"
PLAIN = r"[A-Za-z0-9._~-]+"
PRINTABLE = r"[!-~]+"

# Bodies: the place, the media type, the names and the values that it can have, and the body.
BODIES = [
    ("JSON", JSON, ANY, ANY, lambda n, v: dumps({n: v, "a": 1})),
    ("JSON nested", JSON, ANY, ANY, lambda n, v: dumps({"data": {"user": {"id": 7, "profile": [{n: v}]}}})),
    ("JSON escaped name", JSON, ANY, ANY, lambda n, v: f'{{"{utf16_escaped(n, 3)}":{json.dumps(v)}}}'),
    ("JSON in JSON", JSON, ANY, ANY, lambda n, v: dumps({"data": dumps({n: v})})),
    ("JSON in JSON in JSON", JSON, ANY, ANY, lambda n, v: json.dumps({"Message": json.dumps({"detail": json.dumps({n: v})})})),
    ("JSON array of values", JSON, ANY, ANY, lambda n, v: dumps({n: [v]})),
    ("JSON object", JSON, ANY, PRINTABLE, lambda n, v: dumps({n: {"current": v}})),
    ("JSON name and value", JSON, ANY, ANY, lambda n, v: dumps({"fields": [{"name": "a", "value": "1"}, {"name": n, "value": v}]})),
    ("JSON key and value", JSON, ANY, ANY, lambda n, v: dumps([{"key": n, "value": v, "enabled": True}, {"key": "a", "value": "1"}])),
    ("JSON lines", "application/x-ndjson", ANY, ANY, lambda n, v: f'{{"a":1}}\n{dumps({n: v})}\n{{"b":2}}\n'),
    ("event stream", "text/event-stream", ANY, ANY, lambda n, v: f'event: user\nid: 1\ndata: {dumps({"a": 1, n: v})}\n\n: end\n\n'),
    ("JSON in UTF-16", JSON, ANY, ANY, lambda n, v: dumps({n: v}).encode("utf-16")),
    ("JSON in gzip", JSON, ANY, ANY, lambda n, v: gzip.compress(dumps({n: v, "b": "c" * 60}).encode(), mtime=0)),
    ("JSON in base64", TEXT, ANY, ANY, lambda n, v: "state=" + base64.urlsafe_b64encode(dumps({n: v}).encode()).decode().rstrip("=")),
    ("form", FORM, ANY, ANY, lambda n, v: f"a=1&{percent(n)}={urllib.parse.quote_plus(v)}&b=2"),
    ("form raw name", FORM, ANY, ANY, lambda n, v: f"{n.replace(' ', '+')}={percent(v)}&a=1"),
    ("multipart", "multipart/form-data; boundary=b", ANY, ANY, lambda n, v:
        f'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
        f'--b\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n--b--\r\n'),
    ("XML element", XML, ELEMENT, ANY, lambda n, v: f"<a><b>1</b><{n}>{escape(v, False)}</{n}></a>"),
    ("XML element with prefix", XML, ELEMENT, ANY, lambda n, v:
        f'<s:a xmlns:s="urn:s"><s:{n} s:type="x">{escape(v, False)}</s:{n}></s:a>'),
    ("XML character data", XML, ELEMENT, r"[^\]]+", lambda n, v: f"<a><{n}><![CDATA[{v}]]></{n}></a>"),
    ("XML attribute", XML, ELEMENT, ANY, lambda n, v: f'<a b="1" {n}="{escape(v)}"/>'),
    ("XML entry key", XML, WHOLE, ANY, lambda n, v: f'<properties><entry key="{escape(n)}">{escape(v, False)}</entry></properties>'),
    ("XML add key", XML, WHOLE, ANY, lambda n, v: f'<appSettings>\n  <add key="{escape(n)}" value="{escape(v)}"/>\n</appSettings>'),
    ("property list", "application/x-plist", WHOLE, ANY, lambda n, v: plistlib.dumps({"a": "1", n: v}).decode()),
    ("XML-RPC", "text/xml", WHOLE, ANY, lambda n, v:
        f"<methodCall><methodName>m</methodName><params><param><value><struct><member><name>{escape(n, False)}</name>"
        f"<value><string>{escape(v, False)}</string></value></member></struct></value></param></params></methodCall>"),
    ("HTML input", HTML, ANY, ANY, lambda n, v: f'<form><input type="hidden" name="{escape(n)}" value="{escape(v)}"></form>'),
    ("HTML input reversed", HTML, ANY, ANY, lambda n, v: f"<form><input value='{escape(v)}' class=x name='{escape(n)}'></form>"),
    ("HTML meta", HTML, ANY, ANY, lambda n, v: f'<head><meta name="{escape(n)}" content="{escape(v)}"></head>'),
    ("HTML data attribute", HTML, ASCII, ANY, lambda n, v: f'<div id="a" data-{kebab(n)}="{escape(v)}"></div>'),
    ("script in HTML", HTML, ELEMENT, r"[^<]+", lambda n, v:
        f"<script>window.config = {{a: 1, {literal(n)}: {literal(v)}}};</script>"),
    ("script", "text/javascript", IDENTIFIER, ANY, lambda n, v: f"const a = 1;\nconst {n} = {literal(v)};\n"),
    ("YAML", "application/yaml", WHOLE, ANY, lambda n, v: f"a: 1\n{n}: {literal(v)}\nb: 2\n"),
    ("YAML nested", "application/yaml", WHOLE, LINE, lambda n, v: f"services:\n  db:\n    {n}: {v}\n    port: 5432\n"),
    ("YAML name and value", "application/yaml", WHOLE, ANY, lambda n, v:
        f"env:\n  - name: {n}\n    value: {literal(v)}\n  - name: A\n    value: \"1\"\n"),
    ("environment", TEXT, ASCII, LINE, lambda n, v: f"A=1\n{screaming(n)}={v}\nB=2\n"),
    ("environment quoted", TEXT, ASCII, r"[^\"\\]+", lambda n, v: f'A=1\nexport {screaming(n)}="{v}"\nB=2\n'),
    ("TOML", "application/toml", ASCII, ANY, lambda n, v: f'[server]\nport = 1\n{n} = {literal(v)}\n'),
    ("TOML quoted name", "application/toml", WHOLE, ANY, lambda n, v: f'[server]\n{literal(n)} = {literal(v)}\n'),
    ("INI", TEXT, ELEMENT, LINE, lambda n, v: f"[client]\nuser = ada\n{n} = {v}\n"),
    ("HCL", TEXT, IDENTIFIER, r"[^$%]+", lambda n, v: f'resource "a" "b" {{\n  name     = "c"\n  {n}     = {literal(v)}\n}}\n'),
    ("properties", TEXT, ELEMENT, r"[^\\\"'{}<>]+", lambda n, v: f"app.name=a\napp.{property_escaped(n)}={property_escaped(v)}\n"),
    ("properties with colon", TEXT, ELEMENT, LINE, lambda n, v: f"app.name: a\n{property_escaped(n)}: {property_escaped(v)}\n"),
    ("GraphQL", JSON, IDENTIFIER, ANY, lambda n, v: dumps({"query": f"mutation {{ m(a: 1, {n}: {literal(v)}) {{ id }} }}"})),
    ("URL in text", TEXT, ANY, ANY, lambda n, v: f"See {ORIGIN}/a?b=1&{percent(n)}={percent(v)} for more."),
    ("log line", TEXT, ELEMENT, LINE, lambda n, v: f"level=info user=ada {n}={v} status=200"),
    ("JSON old and new value", JSON, ANY, ANY, lambda n, v: dumps({"field": n, "changes": {"old": v, "new": None}})),
    ("JSON in an attribute", HTML, ASCII, r"[^\"\\]+", lambda n, v: f'<div data-page="{escape(json.dumps({n: v}))}"></div>'),
    ("XML in XML", XML, ASCII, r"[^&<>\"]+", lambda n, v: f"<body>{escape(f'<a><{n}>{v}</{n}></a>')}</body>"),
    ("YAML block", "application/yaml", ASCII, LINE, lambda n, v: f"a: 1\n{n}: |\n  {v}\nb: 2\n"),
    ("CSV", "text/csv", ASCII, r"[^\",]+", lambda n, v: f"id,{n},role\r\n1,{v},admin\r\n2,,user\r\n"),
    ("PHP", TEXT, ASCII, r"[^\"\\]+", lambda n, v: f'array(1) {{ ["{n}"]=> string({len(v)}) "{v}" }}'),
    ("Ruby", TEXT, ASCII, r"[^\"\\#]+", lambda n, v: f'{{"id"=>1, "{n}"=>"{v}"}}'),
]
# Other parts of an entry: the place, the names and the values that it can have, and the entry.
PARTS = [
    ("query", ANY, ANY, lambda n, v: {"url": f"{ORIGIN}/?a=1&{percent(n)}={percent(v)}&b=2"}),
    ("query raw name", ELEMENT, ANY, lambda n, v: {"url": f"{ORIGIN}/?a=1&{n}={urllib.parse.quote_plus(v)}#x"}),
    ("query listed", ANY, ANY, lambda n, v: {"url": f"{ORIGIN}/?{percent(n)}={percent(v)}", "query": [(n, v)]}),
    ("fragment", ANY, ANY, lambda n, v: {"url": f"{ORIGIN}/cb#a=1&{percent(n)}={percent(v)}"}),
    ("query in fragment", ANY, ANY, lambda n, v: {"url": f"{ORIGIN}/app#/login?{percent(n)}={percent(v)}"}),
    ("request header", ASCII, PRINTABLE, lambda n, v: {"fields": [(f"X-{header(n)}", v)]}),
    ("response header", ASCII, PRINTABLE, lambda n, v: {"answered": [(header(n), v)]}),
    ("query in Referer", ANY, ANY, lambda n, v: {"fields": [("Referer", f"{ORIGIN}/a?{percent(n)}={percent(v)}")]}),
    ("query in Location", ANY, ANY, lambda n, v: {"answered": [("Location", f"/a?b=1&{percent(n)}={percent(v)}")]}),
    ("fragment in redirectURL", ANY, ANY, lambda n, v: {"redirect": f"{ORIGIN}/a#{percent(n)}={percent(v)}"}),
    ("cookie", ASCII, PLAIN, lambda n, v: {"fields": [("Cookie", f"a=1; {n}={v}; b=2")]}),
    ("cookie set", ASCII, PLAIN, lambda n, v: {"answered": [("Set-Cookie", f"{n}={v}; Path=/; HttpOnly")]}),
    ("parameters of a form", ANY, ANY, lambda n, v: {"parameters": [("a", "1"), (n, v)]}),
    ("frame", ANY, ANY, lambda n, v: frame(dumps({"type": "login", "payload": {n: v}}))),
    ("frame of Socket.IO", ANY, ANY, lambda n, v: frame(f"42{dumps(['login', {n: v}])}", "receive")),
    ("frame with a query", ANY, ANY, lambda n, v: frame(f"connect /chat?a=1&{percent(n)}={percent(v)}")),
    ("frame of STOMP", ELEMENT, LINE, lambda n, v: frame(f"CONNECT\naccept-version:1.2\nlogin:ada\n{n}:{v}\n\n\0")),
    ("close reason", ANY, ANY, lambda n, v: ended(f"closed: /?{percent(n)}={percent(v)}")),
    ("close reason in JSON", ANY, ANY, lambda n, v: ended(dumps({n: v}))),
    ("comment", ANY, ANY, lambda n, v: {"comment": f"sent with {percent(n)}={percent(v)}"}),
    ("initiator", ANY, ANY, lambda n, v: {"_initiator": {
        "type": "script", "stack": {"callFrames": [{"url": f"{ORIGIN}/a.js?{percent(n)}={percent(v)}"}]}}}),
    ("custom field", ANY, ANY, lambda n, v: {"_details": {"attempts": 1, n: v}}),
]

# Credentials in a field of a header: the place, the secret's characters and length, and the value of the field.
SCHEMES = [
    ("Basic", lambda s: f"Basic {encoded('ada:' + s)}"),
    ("Bearer", lambda s: f"Bearer {s}"),
    ("Digest", lambda s: f'Digest username="ada", realm="a", nonce="b7", uri="/", qop=auth, nc=00000001, cnonce="c", response="{s}"'),
    ("Token", lambda s: f"Token {s}"),
    ("Token token=", lambda s: f'Token token="{s}"'),
    ("ApiKey", lambda s: f"ApiKey {s}"),
]
# A message with a field that is repeated in a body: the place, the media type, and the body.
ECHOES = [
    ("echo in JSON", JSON, lambda n, v: dumps({"url": ORIGIN, "headers": {"Accept": "*/*", n: v}})),
    ("echo in JSON list", JSON, lambda n, v: dumps({"headers": [{"name": "Accept", "value": "*/*"}, {"name": n, "value": v}]})),
    ("echo in JSON pairs", JSON, lambda n, v: dumps({"rawHeaders": ["Accept", "*/*", n, v]})),
    ("TRACE", "message/http", lambda n, v: f"TRACE / HTTP/1.1\r\nHost: api.example.com\r\n{n}: {v}\r\nAccept: */*\r\n\r\n"),
    ("batch", JSON, lambda n, v: dumps({"requests": [{"id": "1", "method": "GET", "url": "/me", "headers": {n: v}}]})),
    ("multipart batch", "multipart/mixed; boundary=b", lambda n, v:
        f"--b\r\nContent-Type: application/http\r\n\r\nGET /me HTTP/1.1\r\n{n}: {v}\r\nAccept: */*\r\n\r\n--b--\r\n"),
    ("text", TEXT, lambda n, v: f"> GET /me HTTP/2\n> {n}: {v}\n> accept: */*\n"),
]
# The members of a JSON Web Key that are secret (RFC 7518 §6.2.2, §6.3.2 and §6.4.1).
KEYS = [("RSA", "d"), ("RSA", "p"), ("RSA", "q"), ("RSA", "dp"), ("RSA", "dq"), ("RSA", "qi"), ("EC", "d"), ("OKP", "d"), ("oct", "k")]

# The segment before a secret in a path.
SEGMENTS = """
    reset invite magic verify confirm unsubscribe activate password-reset reset-password invitation invitations magic-link
    verify-email confirm-email email-verification activation confirmation passwordreset accept-invite join-invite reset_password
    """.split()
LINKS = [
    ("path", lambda path: {"url": f"{ORIGIN}{path}"}),
    ("path with more", lambda path: {"url": f"{ORIGIN}/v1/users{path}/done?a=1"}),
    ("link in HTML", lambda path: {"response": f'<p><a href="{ORIGIN}{path}">Continue</a></p>', "kind": HTML}),
    ("link in JSON", lambda path: {"response": dumps({"email": {"body": f"Open {ORIGIN}{path} within a day."}}), "kind": JSON}),
    ("link in Location", lambda path: {"answered": [("Location", path)]}),
]

# Names of secrets that are repeated elsewhere without their name, and their sorts.
REPEATED = [("password", "password"), ("passwort", "password"), ("clientSecret", "token"), ("api_key", "token")]
# Errors that repeat what was sent, as frameworks write them.
ERRORS = [
    ("invalid input", lambda s: dumps({"detail": [
        {"type": "string_too_short", "loc": ["body"], "msg": "String should have more characters", "input": s}]})),
    ("rejected value", lambda s: dumps({"message": f"Field error in object 'user': rejected value [{s}]; codes [Size]"})),
    ("value in quotes", lambda s: dumps({"errors": {"$": [f"The value '{s}' is not valid."]}})),
    ("unexpected text", lambda s: f"Unexpected end of input near {s}"),
    ("duplicate entry", lambda s: f"ERROR 1062 (23000): Duplicate entry '{s}' for key 'users.uk_1'"),
    ("page", lambda s: f"<p>You searched for <b>{escape(s)}</b>.</p>"),
]


def counted(members, byte):
    """The names and values of members, each after a byte of its type and one of its length."""
    texts = [text.encode() for pair in members.items() for text in pair]
    return b"".join(bytes([byte, len(text)]) + text for text in texts)


def msgpack(members):
    return bytes([0x80 | len(members)]) + counted(members, 0xD9)


def cbor(members):
    return bytes([0xA0 | len(members)]) + counted(members, 0x78)


def bson(members):
    text = lambda t: struct.pack("<i", len(t.encode()) + 1) + t.encode() + b"\0"
    content = b"".join(b"\x02" + n.encode() + b"\0" + text(v) for n, v in members.items())
    return struct.pack("<i", len(content) + 5) + content + b"\0"


def protobuf(members):
    return b"".join(bytes([8 * i + 2, len(v.encode())]) + v.encode() for i, v in enumerate(members.values(), 1))


def mqtt(members):
    """A CONNECT packet with a user name and a password (MQTT 3.1.1 §3.1)."""
    text = lambda t: struct.pack(">H", len(t.encode())) + t.encode()
    content = text("MQTT") + b"\x04\xc2\x00\x3c" + b"".join(text(v) for v in ("client", *members.values()))
    return bytes([0x10, len(content)]) + content


# Bodies that have the bytes of a secret, which another entry has under a name.
BINARIES = [
    ("MessagePack", "application/msgpack", msgpack),
    ("CBOR", "application/cbor", cbor),
    ("BSON", "application/bson", bson),
    ("binary property list", "application/x-plist", lambda members: plistlib.dumps(members, fmt=plistlib.FMT_BINARY)),
    ("Protocol Buffers", "application/x-protobuf", protobuf),
    ("MQTT", "application/octet-stream", mqtt),
    ("gzip", "application/octet-stream", lambda members: gzip.compress(" ".join([*members.values()] * 3).encode(), mtime=0)),
]


def ended(reason):
    return {"_webSocketEnd": {"time": 1, "code": "closed", "reason": reason}}


def frame(data, direction="send", opcode=1):
    return {"_webSocketMessages": [{"type": direction, "time": 1, "opcode": opcode, "data": data}]}


@dataclass
class Plant:
    """A secret in a recording."""

    # "format" or "name" if that alone shows that it is a secret, otherwise "context".
    sort: str
    place: str
    name: str
    # The language of the name, if it has one.
    language: str
    secret: str
    entries: list = field(default_factory=list)

    def __str__(self):
        return f"{self.place}: {self.name}: {self.secret}"


class Plants:
    """Secrets, and a recording with them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.plants = []
        self.entries = []
        self.used = set()

    # Values.

    def text(self, alphabet, count):
        return "".join(self.random.choice(alphabet) for _ in range(count))

    def word(self):
        return "".join(self.random.choice(SYLLABLES) for _ in range(3))

    def password(self, pattern):
        a, b, c, d = (self.word() for _ in range(4))
        return pattern.format(a=a, b=b, c=c, d=d, A=a.capitalize(), B=b.capitalize(), n=self.random.randint(3000, 9999))

    def token(self):
        kinds = [
            lambda: self.text(string.ascii_letters, 6) + self.text(string.digits, 4) + self.text(WORD, 10),
            lambda: self.text(WORD, 40),
            lambda: self.text(HEX, 32),
            lambda: str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
            lambda: self.text(URL, 43),
            lambda: encoded(self.random.randbytes(32)),
        ]
        return self.random.choice(kinds)()

    def pin(self):
        return self.random.choice("3456789") + self.text(string.digits, self.random.randint(3, 7))

    def candidate(self, sort, is_sent):
        if sort == "PIN":
            return self.pin()
        if sort == "token" or self.random.random() < 0.2:
            return self.token()
        # A passphrase in an answer could be a sentence.
        pattern = self.random.choice(PASSWORDS + UNUSUAL_PASSWORDS + (PASSPHRASES if is_sent else []))
        return self.password(pattern)

    def value(self, sort, characters=ANY, is_sent=False):
        """A value that was not used before. PINs of few digits can repeat."""
        while True:
            value = self.candidate(sort, is_sent)
            if re.fullmatch(characters, value, re.DOTALL) and (sort == "PIN" or value not in self.used):
                self.used.add(value)
                return value

    # Entries.

    def entry(self, request=None, response=None, url=ORIGIN + "/", fields=(), answered=(), kind=TEXT, query=(),
              parameters=(), redirect="", cookies=(), **more):
        """Adds an entry, and returns its index."""
        pairs = lambda items: [{"name": n, "value": v} for n, v in items]

        def message(body, encoding):
            if isinstance(body, bytes):
                return {"text": base64.b64encode(body).decode(), encoding: "base64", "mimeType": kind}
            return {"text": body or "", "mimeType": kind}

        shared = {"httpVersion": "HTTP/1.1", "headersSize": -1, "bodySize": -1}
        sent = {"method": "POST", "url": url, "cookies": pairs(cookies), "queryString": pairs(query),
                "headers": pairs(fields), **shared}
        if request is not None:
            sent["postData"] = message(request, "_encoding")
        if parameters:
            sent["postData"] = {"mimeType": FORM, "params": pairs(parameters)}
        answer = {"status": 200, "statusText": "OK", "cookies": [], "headers": pairs(answered), "redirectURL": redirect,
                  "content": dict(message(response, "encoding"), size=0), **shared}
        self.entries.append({
            "startedDateTime": "2026-01-03T12:00:00.000Z", "time": 1, "cache": {},
            "timings": {"send": 0, "wait": 0, "receive": 0}, "request": sent, "response": answer, **more})
        return len(self.entries) - 1

    def add(self, sort, place, name, secret, *entries, language=""):
        """Adds a secret with the entries that have it."""
        self.plants.append(Plant(sort, place, name, language, secret, [self.entry(**each) for each in entries]))

    # Places.

    def in_body(self, row, side, name, sort="token", language=""):
        place, kind, _, characters, text = row
        secret = self.value(sort, characters, is_sent=side == "request" and kind.startswith((JSON, FORM, "multipart")))
        self.add("name", place, name, secret, {side: text(name, secret), "kind": kind}, language=language)

    def in_part(self, row, name, sort="token", language=""):
        place, _, characters, part = row
        secret = self.value(sort, characters)
        self.add("name", place, name, secret, part(name, secret), language=language)

    def usual_names(self):
        """Each name in each place."""
        for name in NAMES:
            for row in BODIES:
                if re.fullmatch(row[2], name):
                    self.in_body(row, "request", name)
                    self.in_body(row, "response", name)
            for row in PARTS:
                if re.fullmatch(row[1], name):
                    self.in_part(row, name)

    def thousand(self):
        """Each name in some places, and each place with some names."""
        names = [(language, sort, name.strip()) for language, sorts in dict(English=ENGLISH, **LANGUAGES).items()
                 for sort, list in sorts.items() for name in list.split(",")]
        places = []
        for index in range(THOUSAND):
            if index % len(names) == 0:
                self.random.shuffle(names)
            language, sort, name = names[index % len(names)]
            # The first of the places that wait which can have the name.
            fits = lambda row: re.fullmatch(row[-3], name) and (sort != "PIN" or row[0] != "JSON object")
            if not any(map(fits, places)):
                more = BODIES + PARTS
                self.random.shuffle(more)
                places += more
            row = places.pop(next(i for i, row in enumerate(places) if fits(row)))
            if len(row) == 5:
                self.in_body(row, self.random.choice(["request", "response"]), name, sort, language)
            else:
                self.in_part(row, name, sort, language)
        for name in ["pin", "pinCode", "user_pin", "otp"]:
            number = self.text("3456789", 6)
            self.add("name", "JSON number", name, number, {"request": f'{{"{name}":{number},"a":1}}', "kind": JSON})

    def headers(self):
        for name in HEADERS:
            secret = self.value("token", PRINTABLE)
            value = f"Bearer {secret}" if "Authorization" in name else f"sid={secret}" if name == "Cookie" else secret
            self.add("name", "request header", name, secret, {"fields": [(name, value)]})
            if "Authorization" not in name and name != "Cookie":
                secret = self.value("token", PRINTABLE)
                self.add("name", "response header", name, secret, {"answered": [(name, secret)]})
        for name in ["PHPSESSID", "JSESSIONID", "connect.sid", "session", "theme", "sid", "remember_user", "_shop_session"]:
            secret = self.value("token", PLAIN)
            self.add("name", "cookie set", name, secret, {"answered": [("Set-Cookie", f"{name}={secret}; Path=/; HttpOnly")]})
            secret = self.value("token", PLAIN)
            self.add("name", "cookie listed", name, secret, {"fields": [("Cookie", f"{name}={secret}")], "cookies": [(name, secret)]})

    def credential(self, scheme):
        if scheme == "Digest":
            return self.text(HEX, 32)
        return self.value("password", PRINTABLE) if scheme == "Basic" else self.value("token", PLAIN)

    def credentials(self):
        for scheme, field in SCHEMES:
            name, secret = f"Authorization: {scheme}", self.credential(scheme)
            self.add("name", "request header", name, secret, {"fields": [("Authorization", field(secret))]})
            for place, kind, text in ECHOES:
                secret = self.credential(scheme)
                self.add("name", place, name, secret, {"response": text("Authorization", field(secret)), "kind": kind})
        for place, kind, text in ECHOES:
            for name in ["Cookie", "Set-Cookie", "Proxy-Authorization", "X-Api-Key", "X-Amz-Security-Token", "cookie"]:
                secret = self.value("token", PLAIN)
                value = {"cookie": f"a=1; sid={secret}", "set-cookie": f"sid={secret}; Path=/; HttpOnly",
                         "proxy-authorization": f"Basic {encoded('ada:' + secret)}"}.get(name.lower(), secret)
                self.add("name", place, name, secret, {"response": text(name, value), "kind": kind})

    def keys(self):
        for kind, member in KEYS:
            for place, wrap in [("JSON Web Key", lambda key: key), ("JSON Web Key Set", lambda key: {"keys": [key]})]:
                secret = self.text(URL, 43)
                key = {"kty": kind, "kid": "2026-01", "use": "sig"}
                if kind == "RSA":
                    key.update(n="0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4", e="AQAB")
                key[member] = secret
                self.add("name", place, f"{kind} {member}", secret, {"response": dumps(wrap(key)), "kind": JSON})
        for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]:
            for side in ("request", "response"):
                secret = self.value("token")
                text = f"-----BEGIN {label}-----\n\n{secret}\n-----END {label}-----\n"
                self.add("format", "private key", label, secret, {side: dumps({"k": text}), "kind": JSON})

    def formats(self):
        makers = {prefix: lambda p=prefix, a=alphabet, c=count: p + self.text(a, c) for prefix, alphabet, count in FORMS}
        makers.update({name: lambda m=make: m(self.text) for name, make in COMPOSED_FORMS.items()})
        for name, make in makers.items():
            for side in ("request", "response"):
                secret = make()
                self.add("format", "token in JSON", name, secret, {side: dumps({"note": f"it is {secret}, yes"}), "kind": JSON})
            secret = make()
            self.add("format", "token in a path", name, secret, {"url": f"{ORIGIN}/{percent(secret)}/x"})
            secret = make()
            self.add("format", "token in a frame", name, secret, frame(secret, "receive"))
        for prefix in CHECKED_FORMS:
            for side in ("request", "response"):
                secret = self.checked(prefix)
                self.add("format", "token in text", prefix, secret, {side: f"token {secret}."})
        for host in ["hooks.slack.com/services/T00000001/B00000002", "discord.com/api/webhooks/1234567890"]:
            for side in ("request", "response"):
                secret = self.text(WORD, 24)
                self.add("format", "webhook", host, secret, {side: f'post to "https://{host}/{secret}"'})

    def checked(self, prefix):
        """A token with a checksum."""
        body = self.text(WORD, 30)
        value, end = binascii.crc32(body.encode()), ""
        for _ in range(6):
            value, digit = divmod(value, 62)
            end = DIGITS[digit] + end
        return prefix + body + end

    def protocols(self):
        """What a protocol makes a secret."""
        secret = lambda: self.value("token", PLAIN)
        text = lambda body: {"response": body}
        answer = lambda **members: {"response": dumps(members), "kind": JSON}
        form = lambda body: {"request": body, "kind": FORM}
        rows = [
            ("password in a URL", "user", lambda s: {"url": f"https://user:{s}@example.com/"}),
            ("password in a URL", "redis", lambda s: text(f"url: redis://:{s}@cache.example.com:6379/0")),
            ("password in a URL", "postgres", lambda s: answer(database=f"postgres://app:{s}@db.example.com/shop")),
            ("OAuth", "code in a query", lambda s: {"url": f"https://example.com/cb?code={s}&state=x"}),
            ("OAuth", "code in a form", lambda s: form(f"grant_type=authorization_code&code={s}")),
            ("OAuth", "code in JSON", lambda s: {
                "request": dumps({"grant_type": "authorization_code", "code": s}), "kind": JSON}),
            ("OAuth", "code_verifier", lambda s: form(f"grant_type=authorization_code&code_verifier={s}")),
            ("OAuth", "device_code", lambda s: answer(device_code=s, interval=5)),
            ("connection string", "Password", lambda s: text(f"Server=db;User Id=app;Password={s};Encrypt=1")),
            ("connection string", "AccountKey", lambda s: text(
                f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={s};EndpointSuffix=core.windows.net")),
            ("connection string", "SharedAccessKey", lambda s: text(
                f"Endpoint=sb://a.example.com/;SharedAccessKeyName=b;SharedAccessKey={s}")),
            ("signed URL", "X-Amz-Signature", lambda s: {
                "url": f"https://a.example.com/b?X-Amz-Expires=60&X-Amz-Signature={s}"}),
            ("signed URL", "sig", lambda s: answer(upload=f"https://a.example.com/b?sv=2024-11-04&sig={s}")),
            ("HTML input", "type=password", lambda s: {
                "response": f'<input type="password" name="p" value="{s}">', "kind": HTML}),
            ("matrix parameter", "jsessionid", lambda s: {"url": f"{ORIGIN}/a;jsessionid={s}?b=1"}),
        ]
        for place, name, part in rows:
            for _ in range(2):
                value = secret()
                self.add("name", place, name, value, part(value))

    def links(self):
        """Secrets after a segment of a path."""
        for segment in SEGMENTS:
            for place, part in LINKS:
                secret = self.value("token", PLAIN)
                self.add("context", place, f"/{segment}/", secret, part(f"/{segment}/{secret}"))

    def copies(self):
        """Secrets that have a name in one entry, and are repeated without it."""
        sent = lambda name, secret: {"request": dumps({name: secret}), "kind": JSON}
        for place, text in ERRORS:
            for name, sort in REPEATED:
                secret = self.value(sort, LINE)
                self.add("context", "error: " + place, name, secret, dict(sent(name, secret), response=text(secret)))
                secret = self.value(sort, LINE)
                form = {"request": f"a=1&{name}={percent(secret)}", "kind": FORM}
                self.add("context", "error: " + place, name, secret, form, {"response": text(secret)})
        for place, kind, make in BINARIES:
            for name, sort in REPEATED:
                body = lambda secret: make({"user": "ada", "field": secret})
                for side in ("request", "response"):
                    secret = self.value(sort, PRINTABLE)
                    self.add("context", place, name, secret, sent(name, secret), {side: body(secret), "kind": kind})
                secret = self.value(sort, PRINTABLE)
                self.add("context", f"frame of {place}", name, secret, sent(name, secret), frame(encoded(body(secret)), opcode=2))
        for name, sort in REPEATED:
            url = lambda secret: f"wss://api.example.com/?{name}={percent(secret)}"
            secret = self.value(sort, PRINTABLE)
            self.add("context", "frame after a query", name, secret, {"url": url(secret), **frame(f"hello {secret}", "receive")})
            secret = self.value(sort, PRINTABLE)
            self.add("context", "close reason after a query", name, secret, {"url": url(secret), **ended(f"refused {secret}")})

    def plant(self):
        for step in (self.usual_names, self.thousand, self.headers, self.credentials, self.keys, self.formats,
                     self.protocols, self.links, self.copies):
            step()
        return self


def archive(entries):
    return {"log": {"version": "1.2", "creator": {"name": "secrets", "version": "1"}, "entries": entries}}
