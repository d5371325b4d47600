"""Records and replays through the forward proxy, with curl and Python, against a TLS server of another authority:

    check_proxy.py <understudy>
"""

import contextlib
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from checks import Checks, equal
from commands import served

checks = Checks("proxy")
SECRET = "sk-live-Zm9vYmFyYmF6cXV4"
LARGE = hashlib.shake_256(b"large").digest(8 << 20)


class Upstream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body: bytes, **fields: str):
        self.send_response(200)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/large":
            return self.answer(LARGE, Content_Type="application/octet-stream")
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", f"{self.server.origin}/a")
            self.send_header("Set-Cookie", "a=1; Domain=localhost; Secure")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        # A line that begins with Q ends an interactive openssl.
        body = json.dumps({"path": self.path, "agent": self.headers.get("User-Agent")})
        return self.answer(f"Q\nR\nq\n{body}\n".encode(), Content_Type="text/plain")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        digest = hashlib.sha256(body).hexdigest()
        self.answer(json.dumps({"sha256": digest, "length": len(body)}).encode(), Content_Type="application/json")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def upstream(certificate: pathlib.Path | None, key: pathlib.Path | None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.origin = f"http{'s' if certificate else ''}://localhost:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.origin
    server.shutdown()


def curl(proxy: str, authority: str, *arguments: str, **options) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    command = ["curl", "-sS", "--proxy", proxy, "--cacert", authority, "--max-time", "60", *arguments]
    return subprocess.run(command, capture_output=True, env=environment, timeout=90, **options)


def with_http_client(proxy: str, authority: str, url: str, body: bytes, count: int) -> list:
    """Sends a body several times on one connection through the proxy."""
    host = url.split("//")[1]
    connection = http.client.HTTPSConnection(
        "127.0.0.1", int(proxy.rsplit(":", 1)[1]), context=ssl.create_default_context(cafile=authority), timeout=60
    )
    connection.set_tunnel(host)
    answers = []
    for number in range(count):
        connection.request("POST", f"/upload?n={number}", body, {"Content-Type": "application/octet-stream"})
        answers.append(json.loads(connection.getresponse().read()))
    connection.close()
    return answers


def children(folder: str) -> list[str]:
    """Returns the openssl programs that use the authority of a folder."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().decode(errors="replace").split("\0")
            if "s_server" in words and any(word.startswith(folder) for word in words):
                found.append(path.parent.name)
    return found


def eventually(condition) -> bool:
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


def own_authority(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """Creates the certificate of the upstream, which is its own authority, and its key."""
    certificate, key = folder / "upstream.pem", folder / "upstream-key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def trusting(understudy: str, certificate: pathlib.Path, folder: pathlib.Path) -> str | None:
    """Returns a program that runs `understudy` with the certificate in place of the system's.

    Foundation on Linux has no other setting. It requires a mount namespace, which some containers do not allow.
    """
    script = folder / "understudy"
    script.write_text(
        f"#!/bin/sh\nexec unshare --map-root-user --mount sh -c "
        f"'mount --bind \"$0\" /etc/ssl/certs/ca-certificates.crt && exec \"$@\"' {certificate} {understudy} \"$@\"\n"
    )
    script.chmod(0o700)
    works = subprocess.run([script, "--help"], capture_output=True).returncode == 0
    return str(script) if works else None


def record(understudy: str, folder: pathlib.Path, origin: str, plain: str, authority: str):
    file = str(folder / "session.har")
    arguments = ["record", "--proxy", "--ca", str(folder / "ca"), "--output", file]
    with served(understudy, *arguments, "--passthrough", "127.0.0.1") as proxy:
        with checks.check("curl receives the responses of an https server, of which it trusts only the proxy"):
            answer = curl(proxy, authority, "-w", " %{http_version} %{ssl_verify_result}", f"{origin}/a?x=1")
            equal(answer.stderr, b"")
            equal(answer.stdout.startswith(b"Q\nR\nq\n") and answer.stdout.endswith(b" 1.1 0"), True)
        with checks.check("redirects and cookies are those of the server"):
            head = curl(proxy, authority, "-i", f"{origin}/redirect").stdout.decode()
            equal(f"Location: {origin}/a\r\n" in head and "Domain=localhost; Secure" in head, True)
        with checks.check("8 MiB arrive whole"):
            equal(curl(proxy, authority, f"{origin}/large").stdout == LARGE, True)
        with checks.check("Python uploads 2 MiB three times on one connection"):
            body = LARGE[: 2 << 20]
            expected = {"sha256": hashlib.sha256(body).hexdigest(), "length": len(body)}
            equal(with_http_client(proxy, authority, origin, body, 3), [expected] * 3)
        with checks.check("16 clients at once"):
            answers = []
            threads = [
                threading.Thread(target=lambda n=n: answers.append(curl(proxy, authority, f"{origin}/n/{n}").returncode))
                for n in range(16)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            equal(answers, [0] * 16)
        with checks.check("plain http is forwarded, directly and in a tunnel"):
            equal(curl(proxy, authority, f"{plain}/direct").stdout.startswith(b"Q\n"), True)
            equal(curl(proxy, authority, "--proxytunnel", f"{plain}/tunnel").stdout.startswith(b"Q\n"), True)
        with checks.check("a host that passes through has its own certificate"):
            excepted = origin.replace("localhost", "127.0.0.1")
            equal(curl(proxy, str(folder / "upstream.pem"), f"{excepted}/hidden").returncode, 0)
            equal(curl(proxy, authority, f"{excepted}/hidden").returncode, 60)
    urls = [entry["request"]["url"] for entry in json.loads(pathlib.Path(file).read_text())["log"]["entries"]]
    with checks.check("the file has each exchange with its URL, and none of a host that passes through"):
        expected = [f"{origin}{path}" for path in ["/a?x=1", "/redirect", "/large"]]
        expected += [f"{origin}/upload?n={n}" for n in range(3)] + [f"{origin}/n/{n}" for n in range(16)]
        expected += [f"{plain}/direct", f"{plain}/tunnel"]
        equal(sorted(urls), sorted(expected))
    with checks.check("the file has nothing of a private key"):
        keys = [(folder / "ca" / name).read_text().splitlines()[1] for name in ["ca-key.pem", "host-key.pem"]]
        equal([key for key in keys if key in pathlib.Path(file).read_text()], [])


def replay(understudy: str, folder: pathlib.Path, authority: str):
    """Replays a recording of services that do not exist."""
    file = folder / "written.har"
    fields = {"headers": [], "cookies": [], "headersSize": -1, "bodySize": -1, "httpVersion": "HTTP/1.1"}
    answers = {
        "https://api.example.com/a": "Q\nsecure", "https://other.example.com/a": "other", "http://api.example.com/a": "plain",
        "https://[::1]:8443/a": "address", "https://192.0.2.7/a": "address",
    }  # fmt: skip
    entries = [
        {
            "startedDateTime": "2026-01-01T00:00:00Z", "time": 0, "cache": {}, "timings": {"send": 0, "wait": 0, "receive": 0},
            "request": fields | {"method": "GET", "url": url, "queryString": []},
            "response": fields | {"status": 200, "statusText": "OK", "redirectURL": "", "content": {"size": len(text), "mimeType": "text/plain", "text": text}},
        }
        for url, text in answers.items()
    ]  # fmt: skip
    log = {"version": "1.2", "creator": {"name": "check", "version": "1"}, "entries": entries}
    file.write_text(json.dumps({"log": log}))
    with served(understudy, "replay", str(file), "--proxy", "--ca", str(folder / "ca")) as proxy:
        for url, text in answers.items():
            with checks.check(f"a recording answers for {url}"):
                equal(curl(proxy, authority, url).stdout.decode(), text)
        with checks.check("a request that is not in the recording is not forwarded"):
            answer = curl(proxy, authority, "-w", "%{http_code}", "https://third.example.com/a")
            equal(answer.stdout.endswith(b"501"), True)
        with checks.check("a client that requires HTTP/2 is refused"):
            command = ["openssl", "s_client", "-proxy", proxy.split("//")[1], "-connect", "api.example.com:443", "-alpn", "h2"]
            answer = subprocess.run(command, input=b"", capture_output=True, timeout=20)
            equal(b"no application protocol" in answer.stderr + answer.stdout, True)
        with checks.check("a client without the certificate authority is refused, and no program is left"):
            equal(curl(proxy, "/etc/ssl/certs/ca-certificates.crt", "https://api.example.com/a").returncode, 60)
            equal(eventually(lambda: not children(str(folder))), True)
        with checks.check("invalid targets are refused"):
            for target in ["a;b:443", "-x:443", "a/../b:443", "$(id):443", "a:99999", "a", "a%2f:443", "[::1%lo]:443"]:
                with socket.create_connection(("127.0.0.1", int(proxy.rsplit(":", 1)[1])), timeout=20) as client:
                    client.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    equal((target, client.recv(100).startswith(b"HTTP/1.1 400 ")), (target, True))
        with checks.check("httpx and requests with environment variables"):
            program = "import httpx; print(httpx.get('https://api.example.com/a').text)"
            environment = {"HTTPS_PROXY": proxy, "SSL_CERT_FILE": authority, "PATH": os.environ["PATH"]}
            answer = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
            equal(answer.stdout + answer.stderr, "Q\nsecure\n")


def endings(understudy: str, folder: pathlib.Path, authority: str):
    """Interrupts and kills a replay while clients have open connections."""
    context = ssl.create_default_context(cafile=authority)
    for number, name in [(signal.SIGINT, "interrupted"), (signal.SIGKILL, "killed")]:
        arguments = [understudy, "replay", str(folder / "written.har"), "--proxy", "--ca", str(folder / "ca")]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        port = int(process.stdout.readline().strip().rsplit(":", 1)[1])
        clients = []
        for _ in range(4):
            client = socket.create_connection(("127.0.0.1", port), timeout=20)
            client.sendall(b"CONNECT api.example.com:443 HTTP/1.1\r\n\r\n".replace(b"\r\n\r\n", b"\r\nHost: a\r\n\r\n"))
            assert client.recv(100).startswith(b"HTTP/1.1 200 ")
            clients.append(context.wrap_socket(client, server_hostname="api.example.com"))
        # Some have begun a request, others have not begun TLS.
        clients[0].sendall(b"GET /a HTTP/1.1\r\n")
        clients.append(socket.create_connection(("127.0.0.1", port), timeout=20))
        with checks.check(f"a proxy that is {name} with 4 open tunnels leaves no program"):
            equal(len(children(str(folder))), 4)
            process.send_signal(number)
            process.communicate(timeout=20)
            equal(process.returncode, 0 if number == signal.SIGINT else -signal.SIGKILL)
            equal(eventually(lambda: not children(str(folder))), True)
        for client in clients:
            client.close()


def without_openssl(understudy: str, folder: pathlib.Path):
    with checks.check("without openssl, one line and status 2"):
        arguments = [understudy, "record", "--proxy", "--output", str(folder / "x.har")]
        answer = subprocess.run(arguments, env={"PATH": "/nowhere"}, capture_output=True, text=True, timeout=20)
        equal((answer.returncode, answer.stdout, answer.stderr.count("\n")), (2, "", 1))
        equal("requires the program openssl" in answer.stderr, True)
    with checks.check("with LibreSSL, one line and status 2"):
        program = folder / "bin" / "openssl"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho LibreSSL 3.3.6\n")
        program.chmod(0o700)
        environment = {"PATH": f"{program.parent}:/usr/bin:/bin"}
        answer = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=20)
        equal((answer.returncode, "found LibreSSL 3.3.6" in answer.stderr), (2, True))


def main(understudy: str):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        certificate, key = own_authority(folder)
        authority = str(folder / "ca" / "ca.pem")
        program = trusting(understudy, certificate, folder)
        if program:
            with upstream(certificate, key) as origin, upstream(None, None) as plain:
                record(program, folder, origin, plain, authority)
        else:
            print("– proxy: recording of https is not checked, because mount namespaces are not allowed")
        replay(understudy, folder, authority)
        endings(understudy, folder, authority)
        without_openssl(understudy, folder)
        with checks.check("only the user may read the keys"):
            modes = {path.name: oct(path.stat().st_mode & 0o777) for path in (folder / "ca").glob("*-key.pem")}
            equal(modes, {"ca-key.pem": "0o600", "host-key.pem": "0o600"})
            equal(oct((folder / "ca").stat().st_mode & 0o777), "0o700")
            equal(sorted(path.name for path in (folder / "ca").iterdir()), ["ca-key.pem", "ca.pem", "host-key.pem", "hosts"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1])
    sys.exit(1 if checks.failed else 0)
