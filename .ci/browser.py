"""Opens pages in a headless Chromium, over the pipe of the DevTools protocol, with the standard library alone."""

import base64
import contextlib
import functools
import http.server
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "Google Chrome")


def executable():
    """The path of the browser."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    path = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    if os.access(path, os.X_OK):
        return path
    raise ValueError("chromium not found on the PATH. Run .ci/setup-checks")


@contextlib.contextmanager
def serving(folder):
    """Serves a folder on 127.0.0.1 and returns its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        # A connection for each file would take most of the time.
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=os.path.abspath(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Browser:
    """A browser with one page.

    What goes wrong on the page, such as an error on the console or a failed request, is in `failures`.
    """

    def __init__(self, timeout=30):
        self.timeout = timeout
        self.failures = []
        self._waiting = {}
        self._answers = {}
        self._requests = set()
        self._is_loaded = False
        self._last_request = 0.0
        self._number = 0
        self._buffer = b""
        self._session = None

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (their_input, self._input), (self._output, their_output) = os.pipe(), os.pipe()
        command = [
            executable(), "--headless", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-dev-shm-usage",
            f"--user-data-dir={self._profile.name}", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank"]
        # The browser expects the pipe as file descriptors 3 and 4.
        self._process = subprocess.Popen(
            ["bash", "-c", 'i=$1 o=$2; shift 2; exec "$@" 3<&"$i" 4>&"$o"', "bash", str(their_input), str(their_output),
             *command],
            pass_fds=(their_input, their_output), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(their_input)
        os.close(their_output)
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._ask(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._input)
        os.close(self._output)
        self._profile.cleanup()

    def show(self, width, height, scheme):
        """Sets the size of the window in pixels, and the preferred scheme of colours: light or dark."""
        self._ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._ask(
            "Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, address):
        """Opens a page, and waits until it has loaded and requests nothing more."""
        self.failures = []
        self._requests.clear()
        self._is_loaded = False
        error = self._ask("Page.navigate", url=address).get("errorText")
        if error:
            raise ValueError(f"{address}: {error}")
        self.wait(lambda: self._is_loaded, f"{address} has not loaded")
        self.settle()

    def settle(self, quiet=0.05):
        """Waits until the page has requested nothing for some seconds and has drawn what it received."""
        self.wait(
            lambda: not self._requests and time.monotonic() - self._last_request >= quiet,
            "the page still waits for a response")
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def run(self, script):
        """The value of an expression in JavaScript, after its promise."""
        answer = self._ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ValueError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def screenshot(self, path):
        """Writes a picture of the complete page."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        picture = self._ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def wait(self, condition, failure):
        deadline = time.monotonic() + self.timeout
        while not condition():
            if time.monotonic() > deadline:
                raise ValueError(f"{failure} after {self.timeout} s")
            self._read(0.02)

    def _ask(self, method, **parameters):
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self._input, data):]
        self.wait(lambda: number in self._answers, f"{method} has no answer")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise ValueError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _read(self, seconds):
        if not select.select([self._output], [], [], seconds)[0]:
            return
        data = os.read(self._output, 1 << 20)
        if not data:
            raise ValueError(f"{executable()} has ended. It has no pipe of the DevTools protocol, or cannot start")
        *messages, self._buffer = (self._buffer + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._answers[message["id"]] = message
            elif message.get("sessionId") == self._session:
                self._receive(message["method"], message["params"])

    def _receive(self, method, event):
        if method == "Page.loadEventFired":
            self._is_loaded = True
        elif method == "Network.requestWillBeSent":
            self._requests.add(event["requestId"])
            self._last_request = time.monotonic()
        elif method == "Network.loadingFinished":
            self._requests.discard(event["requestId"])
            self._last_request = time.monotonic()
        elif method == "Network.loadingFailed":
            self._requests.discard(event["requestId"])
            if not event.get("canceled"):
                self.failures.append(f"a request failed: {event['errorText']}")
        elif method == "Network.responseReceived" and event["response"]["status"] >= 400:
            self.failures.append(f"{event['response']['url']} is answered with {event['response']['status']}")
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.failures.append(
                (details.get("exception", {}).get("description") or details["text"]).split("\n")[0])
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.failures.append("the console says: " + " ".join(
                str(each.get("value", each.get("description", ""))) for each in event["args"]))
        # The network's own entries are counted above, with the address.
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error" \
                and event["entry"]["source"] != "network":
            self.failures.append(event["entry"]["text"])
