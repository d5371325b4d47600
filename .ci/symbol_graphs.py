"""Reads the symbol graphs of the library products from the modules that are built, for the scripts in this folder."""

import functools
import json
import os
import re
import subprocess
import sys

# What the compiler derives for RawRepresentable, Codable, Hashable and CaseIterable; it has no place in a source.
DERIVED = {
    "init(rawValue:)", "rawValue", "init(from:)", "encode(to:)", "hash(into:)", "hashValue", "==(_:_:)", "allCases",
}


def run(*command):
    """Returns the output of a command."""
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise ValueError(f"{command[0]} not found on the PATH")
    if result.returncode != 0:
        reason = (result.stderr.strip() or result.stdout.strip()).splitlines()
        errors = [line for line in reason if "error:" in line] or reason[-1:] or ["no output"]
        raise ValueError(f"{' '.join(command[:3])} failed: {errors[0].strip()}")
    return result.stdout


class Package:
    """The package in the working directory, built."""

    def __init__(self, skip_build):
        self.description = json.loads(run("swift", "package", "dump-package"))
        if not skip_build:
            print("Building…", file=sys.stderr)
            run("swift", "build")
        self.bin_path = run("swift", "build", "--show-bin-path").strip()
        # For each library product, its modules.
        self.libraries = {
            product["name"]: [re.sub(r"\W", "_", target) for target in product["targets"]]
            for product in self.description["products"] if "library" in product["type"]
        }
        self._flags = extraction_flags(self.description)
        for module in sum(self.libraries.values(), []):
            if not os.path.exists(os.path.join(self.bin_path, "Modules", f"{module}.swiftmodule")):
                raise ValueError(f"{module} is not built. Run `swift build`, or leave out --skip-build")

    def extract(self, module, output, *options):
        """Writes the symbol graphs of a module: one for itself, and one for each other module that it extends."""
        extract(module, output, os.path.join(self.bin_path, "Modules"), *self._flags, *options)


def extract(module, output, modules, *options):
    """Writes the symbol graphs of a module that is built, in a fraction of a second.

    `swift package dump-symbol-graph` builds the package and its tests first.
    """
    run(
        "swift", "symbolgraph-extract", "-module-name", module, "-target", triple(), "-I", modules,
        "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", output, *options)
    for name in os.listdir(output):
        if name.endswith(".symbols.json"):
            leave_out_unavailable(os.path.join(output, name))


def leave_out_unavailable(path):
    """Removes what no code can use from a symbol graph: declarations that only hold a message of the compiler."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    unavailable = {
        symbol["identifier"]["precise"] for symbol in graph["symbols"]
        if any(each.get("isUnconditionallyUnavailable") for each in symbol.get("availability", []))
    }
    if not unavailable:
        return
    graph["symbols"] = [each for each in graph["symbols"] if each["identifier"]["precise"] not in unavailable]
    graph["relationships"] = [
        each for each in graph["relationships"] if not unavailable & {each["source"], each["target"]}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(graph, file)


def symbols(folder):
    """The symbols of the graphs in a folder, each with the name of its graph."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".symbols.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for symbol in json.load(file)["symbols"]:
                    yield name.removesuffix(".symbols.json"), symbol


def is_derived(symbol):
    """Whether the compiler made it."""
    return "::SYNTHESIZED::" in symbol["identifier"]["precise"] or (
        "location" not in symbol and symbol["pathComponents"][-1] in DERIVED)


@functools.cache
def triple():
    return json.loads(run("swift", "-print-target-info"))["target"]["triple"]


def extraction_flags(description):
    """Where the headers of system libraries are, as pkg-config reports them, and the modules of C in Sources."""
    flags = ["-sdk", run("xcrun", "--show-sdk-path").strip()] if sys.platform == "darwin" else []
    for target in description["targets"]:
        if target.get("pkgConfig") and sys.platform != "darwin":
            for flag in run("pkg-config", "--cflags-only-I", target["pkgConfig"]).split():
                flags += ["-Xcc", flag]
    for folder in sorted(os.listdir("Sources")):
        if os.path.exists(path := os.path.join("Sources", folder, "module.modulemap")):
            flags += ["-Xcc", f"-fmodule-map-file={os.path.abspath(path)}"]
    return flags
