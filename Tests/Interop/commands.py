"""Starts and stops servers of `understudy` for a check."""

import contextlib
import signal
import subprocess


@contextlib.contextmanager
def served(understudy: str, *arguments: str):
    """Yields the address of a server, and stops it like Ctrl-C. It must exit with status 0."""
    process = subprocess.Popen([understudy, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().strip()
        if not url.startswith("http"):
            raise AssertionError(f"{arguments[0]} printed no address, and ended with {process.wait(10)}")
        yield url
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        if process.returncode != 0:
            raise AssertionError(f"{arguments[0]} ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()
