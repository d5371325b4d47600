"""Opens the report of a run in a browser without a network, and parses its JUnit XML.

usage: check_report.py <shared-services> <folder for pages and screenshots>
"""

import json
import pathlib
import subprocess
import sys

from junitparser import JUnitXml

from checks import Checks, equal

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / ".ci"))
from browser import Browser  # noqa: E402

checks = Checks("report")
HOSTILE = "</td><script>document.title='obeyed'</script>\x1b[2J]]>"
GROUNDS = {"light": "rgb(247, 247, 245)", "dark": "rgb(18, 21, 24)"}


def services(*words: str, status: int = 0) -> None:
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")


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
    clauses = [clause for contract in report["contracts"] for clause in contract["clauses"]]
    rows = [row for agreement in report["agreements"] for row in agreement["rows"]]
    # The browser resolves no names, so nothing outside this machine is loaded.
    with Browser() as browser:
        browser.open((folder / "report.html").as_uri())
        for scheme, ground in GROUNDS.items():
            for width in [1280, 390]:
                with checks.check(f"a screenshot, {scheme}, {width} pixels wide"):
                    browser.show(width, 1600, scheme)
                    browser.settle()
                    picture = folder / f"report-{scheme}-{width}.png"
                    browser.screenshot(picture)
                    equal(browser.run("getComputedStyle(document.body).backgroundColor"), ground)
                    # An empty page of this size has less than 12,000.
                    if picture.stat().st_size < 40_000:
                        raise AssertionError(f"the picture has {picture.stat().st_size} bytes, as if nothing were on it")
                    found = browser.run("document.documentElement.scrollWidth")
                    if found > width:
                        raise AssertionError(f"the page is {found} pixels wide")
        with checks.check("every clause, fault and state is on the page, and texts are not interpreted as HTML"):
            equal(browser.failures, [])
            dom = browser.run("document.documentElement.outerHTML")
            equal(dom.count("<tr class="), len(clauses) + len(rows))
            equal(dom.count('class="failed"><a href='), 1)
            for text in [clause["id"] for clause in clauses] + [row["fault"] for row in rows]:
                if text not in dom:
                    raise AssertionError(f"{text} is missing")
            screens = [screen for sweep in report["sweeps"] for screen in sweep["screens"]]
            maps = [dom.count(f'<svg class="map {width}"') for width in ("narrow", "medium", "wide")]
            equal(len(set(maps)), 1)
            # The map of a large screen is drawn as a whole, too.
            equal(len(screens) <= maps[0] <= 2 * len(screens), True)
            for card in (card for screen in screens for card in screen["story"]["cards"]):
                if f">{card['kind'] or 'content'}" not in dom and not card["hasMessage"]:
                    raise AssertionError(f"{card['kind']} is missing")
            equal(dom.count("<script>"), 1)
            equal("&lt;script&gt;document.title='obeyed'" in dom, True)
            # The field only exists if the page's own script runs.
            equal('<label class="find"><span>' in dom, True)
        with checks.check("an error on a page would have been seen"):
            broken = folder / "broken.html"
            broken.write_text("<script>nobody.knows()</script>")
            browser.open(broken.as_uri())
            equal(len(browser.failures), 1)
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
