"""What the scripts of this folder share: how they begin and end, run commands, and read and write files."""

import argparse
import difflib
import os
import subprocess
import sys

NAME = os.path.basename(sys.argv[0])
# Texts in place of those of files, while a script checks itself.
planted = {}


def stop(message):
    raise ValueError(message)


def parser(documentation):
    result = argparse.ArgumentParser(
        prog=f".ci/{NAME}", description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.error = stop
    return result


def start(main):
    """Runs a script in the folder of the package. Its status is what `main` returns, and 2 after an error."""
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        sys.exit(main())
    except FileNotFoundError as error:
        message = f"{error.filename} not found. .ci/setup-checks installs other programs, and swift build makes ours"
    except (ValueError, OSError) as error:
        message = error
    print(f"{NAME}: {message}", file=sys.stderr)
    sys.exit(2)


def report(found, otherwise):
    """Prints what is found, or that nothing is. Returns the status."""
    print("\n".join(found) if found else otherwise)
    return 1 if found else 0


def differences(expected, found):
    """The beginnings of lines that are expected and not found, and the lines that are found and not expected."""
    yield from (f"not found: {each}" for each in expected if not any(line.startswith(each) for line in found))
    yield from (f"unexpected: {line}" for line in found if not line.startswith(tuple(expected)))


def output(*command):
    """What a command prints."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        reason = (result.stderr.strip() or result.stdout.strip()).splitlines()
        errors = [line for line in reason if "error:" in line] or reason[-1:] or ["no output"]
        stop(f"{' '.join(command[:3])} failed: {errors[0].strip()}")
    return result.stdout


def text_of(path):
    if path in planted:
        return planted[path]
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def update(path, text, only_check):
    """Writes a file, or prints how it differs. Returns whether it differs."""
    old = text_of(path) if os.path.exists(path) else ""
    if old != text and only_check:
        sys.stdout.writelines(difflib.unified_diff(
            old.splitlines(keepends=True), text.splitlines(keepends=True), path, f"{path} (up to date)"))
    elif old != text:
        write(path, text)
    return old != text
