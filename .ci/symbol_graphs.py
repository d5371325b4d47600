"""Reads the symbol graphs of the library products from the modules that are built, for the scripts in this folder."""

import glob
import json
import os
import re
import sys

import shared

# What the compiler derives for RawRepresentable, Codable, Hashable and CaseIterable; it has no place in a source.
DERIVED = {
    "init(rawValue:)", "rawValue", "init(from:)", "encode(to:)", "hash(into:)", "hashValue", "==(_:_:)", "allCases",
}


class Package:
    """The package in the working directory, built."""

    def __init__(self, skip_build):
        description = json.loads(shared.output("swift", "package", "dump-package"))
        self.targets = description["targets"]
        if not skip_build:
            print("Building…", file=sys.stderr)
            shared.output("swift", "build")
        self.bin_path = shared.output("swift", "build", "--show-bin-path").strip()
        # For each library product, its modules.
        self.libraries = {
            product["name"]: [re.sub(r"\W", "_", target) for target in product["targets"]]
            for product in description["products"] if "library" in product["type"]
        }
        for module in sum(self.libraries.values(), []):
            if not os.path.exists(os.path.join(self.bin_path, "Modules", f"{module}.swiftmodule")):
                raise ValueError(f"{module} is not built. Run `swift build`, or leave out --skip-build")
        # Where the headers of system libraries are, as pkg-config reports them, and the modules of C in Sources.
        is_mac = sys.platform == "darwin"
        self._flags = ["-sdk", shared.output("xcrun", "--show-sdk-path").strip()] if is_mac else []
        for library in [] if is_mac else [each["pkgConfig"] for each in self.targets if each.get("pkgConfig")]:
            for flag in shared.output("pkg-config", "--cflags-only-I", library).split():
                self._flags += ["-Xcc", flag]
        for path in sorted(glob.glob("Sources/*/*/module.modulemap")):
            self._flags += ["-Xcc", f"-fmodule-map-file={os.path.abspath(path)}"]

    def extract(self, module, output, *options):
        """Writes the symbol graphs of a module: one for itself, and one for each other module that it extends."""
        extract(module, output, os.path.join(self.bin_path, "Modules"), *self._flags, *options)


def extract(module, output, modules, *options):
    """Writes the symbol graphs of a module that is built, in a fraction of a second.

    `swift package dump-symbol-graph` builds the package and its tests first.
    """
    triple = json.loads(shared.output("swift", "-print-target-info"))["target"]["triple"]
    shared.output(
        "swift", "symbolgraph-extract", "-module-name", module, "-target", triple, "-I", modules,
        "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", output, *options)
    for path in graphs(output):
        leave_out_unavailable(path)


def leave_out_unavailable(path):
    """Removes what no code can use from a symbol graph: declarations that only hold a message of the compiler."""
    graph = json.loads(shared.text_of(path))
    unavailable = {
        symbol["identifier"]["precise"] for symbol in graph["symbols"]
        if any(each.get("isUnconditionallyUnavailable") for each in symbol.get("availability", []))
    }
    graph["symbols"] = [each for each in graph["symbols"] if each["identifier"]["precise"] not in unavailable]
    graph["relationships"] = [
        each for each in graph["relationships"] if not unavailable & {each["source"], each["target"]}]
    shared.write(path, json.dumps(graph))


def graphs(folder):
    return sorted(glob.glob(os.path.join(glob.escape(folder), "*.symbols.json")))


def symbols(folder):
    """The symbols of the graphs in a folder."""
    for path in graphs(folder):
        yield from json.loads(shared.text_of(path))["symbols"]


def is_derived(symbol):
    """Whether the compiler made it."""
    return "::SYNTHESIZED::" in symbol["identifier"]["precise"] or (
        "location" not in symbol and symbol["pathComponents"][-1] in DERIVED)
