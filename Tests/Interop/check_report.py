"""Opens the report of a run in a browser without a network, and parses its JUnit XML.

usage: check_report.py <shared-services> <folder for pages and screenshots>
"""

import html
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

from junitparser import JUnitXml

from checks import Checks, equal

checks = Checks("report")
HOSTILE = "</td><script>document.title='obeyed'</script>\x1b[2J]]>"
GROUNDS = {"light": (0xF7, 0xF7, 0xF5), "dark": (0x12, 0x15, 0x18)}


def services(*words: str, status: int = 0) -> None:
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")


def browse(page: pathlib.Path, *options: str) -> subprocess.CompletedProcess:
    """Opens a page without a network."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise AssertionError("chromium not found on the PATH. Run .ci/setup-checks")
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [
                chromium, "--headless", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
                "--virtual-time-budget=2000", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
                *(["--no-sandbox"] if os.geteuid() == 0 else []), *options, page.as_uri(),
            ],
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip


def said(run: subprocess.CompletedProcess) -> list[str]:
    """Returns the console output of the page."""
    return [line for line in run.stderr.splitlines() if "CONSOLE" in line]


def first_pixel(png: bytes) -> tuple[int, ...]:
    """Returns the colour at the top left, which no filter of PNG changes (ISO/IEC 15948, 9.2)."""
    data, place = b"", 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        if kind == b"IDAT":
            data += png[place + 8 : place + 8 + length]
        place += 12 + length
    return tuple(zlib.decompressobj().decompress(data, 4)[1:4])


def make(folder: pathlib.Path) -> dict:
    """Creates a report of contracts, faults and a sweep, with one clause that fails with a hostile text."""
    parts = {
        "contracts": ["verify", "--service", "children", "--clause", "children.create"],
        "agreements": ["faults", "--call", "children.fetchChildren"],
        "sweeps": ["sweep", "--scenario", "onboarding", "--pairs", "none"],
    }
    report = {}
    for member, words in parts.items():
        file = folder / f"{member}.json"
        services(*words, "--format", "json", "--output", str(file))
        read = json.loads(file.read_text())
        report = (report or read) | {member: read[member]}
    clause = report["contracts"][0]["clauses"][0]
    violation = {"message": HOSTILE, "fileID": clause["fileID"], "line": clause["line"], "isAccident": False}
    clause["outcomes"][0]["outcome"] = {"kind": "failed", "violations": [violation]}
    (folder / "report.json").write_text(json.dumps(report))
    return report


def page(name: str) -> None:
    folder = pathlib.Path(name).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with checks.check("verify, faults and sweep are merged into one report"):
        report = make(folder)
        for kind, file in [("html", "report.html"), ("junit", "report.xml")]:
            merge = ["report", "merge", str(folder / "report.json"), "--format", kind]
            services(*merge, "--output", str(folder / file), status=1)
    for scheme, preference in [("light", 1), ("dark", 0)]:
        for width in [1280, 390]:
            with checks.check(f"a screenshot, {scheme}, {width} pixels wide"):
                picture = folder / f"report-{scheme}-{width}.png"
                run = browse(
                    folder / "report.html", f"--screenshot={picture}", f"--window-size={width},1600",
                    f"--blink-settings=preferredColorScheme={preference}",
                )  # fmt: skip
                equal(said(run), [])
                png = picture.read_bytes()
                equal(first_pixel(png), GROUNDS[scheme])
                # An empty page of this size has less than 12,000.
                if len(png) < 40_000:
                    raise AssertionError(f"the picture has {len(png)} bytes, as if there were nothing on it")
    with checks.check("every clause, fault and state is on the page, and texts are not interpreted as HTML"):
        run = browse(folder / "report.html", "--dump-dom")
        equal(said(run), [])
        dom = run.stdout
        clauses = [clause for contract in report["contracts"] for clause in contract["clauses"]]
        rows = [row for agreement in report["agreements"] for row in agreement["rows"]]
        equal(dom.count("<tr class="), len(clauses) + len(rows))
        equal(dom.count('class="failed"><a href='), 1)
        for text in [clause["id"] for clause in clauses] + [row["fault"] for row in rows]:
            if text not in dom:
                raise AssertionError(f"{text} is missing")
        timelines = {tuple(run["timeline"]) for sweep in report["sweeps"] for run in sweep["runs"]}
        equal(dom.count("<svg "), len(timelines))
        equal(dom.count("<script>"), 1)
        equal("&lt;script&gt;document.title='obeyed'" in dom, True)
        # The field only exists if the page's own script runs.
        equal('<label class="find"><span>' in dom, True)
    with checks.check("nothing is wider than a small screen"):
        # A window cannot be as small as a telephone, but a frame can.
        script = "<script>parent.document.title=document.documentElement.scrollWidth+' of '+innerWidth</script>"
        inner = (folder / "report.html").read_text().replace("</body>", script + "</body>")
        measured = folder / "measured.html"
        measured.write_text(f'<title></title><iframe width="390" srcdoc="{html.escape(inner)}" frameborder="0">')
        title = browse(measured, "--dump-dom").stdout.split("<title>")[1].split("<")[0]
        width, available = map(int, title.split(" of "))
        if width > available or available > 390:
            raise AssertionError(f"the page is {title} pixels wide")
        measured.unlink()
    with checks.check("an error on a page would have been seen"):
        broken = folder / "broken.html"
        broken.write_text("<script>nobody.knows()</script>")
        equal(len(said(browse(broken, "--dump-dom"))), 1)
        broken.unlink()
    with checks.check("a parser of JUnit XML counts the same"):
        suites = list(JUnitXml.fromfile(str(folder / "report.xml")))
        cells = sum(len(clause["outcomes"]) for clause in clauses)
        equal(suites[0].tests, cells)
        equal([suites[0].failures, len(list(suites[0]))], [1, cells])
        failure = next(case.result[0] for case in suites[0] if case.result)
        equal(HOSTILE.replace("\x1b", "\\u{1b}") in failure.text, True)
        equal([suite.failures for suite in suites[1:]], [0, 0])


checks.main(__doc__, lambda _: None, page)
