"""Distinguishes code, comments and string literals of Swift sources, for the scripts in this folder."""

import re


def split(text):
    """Splits a Swift source into parts that cover it.

    Returns a list of (kind, start, end). The kinds are "code", "comment", "string" (the text of a literal without
    its interpolations, which are code) and "regex".
    """
    parts = []
    _scan_code(text, 0, parts)
    return parts


def masked(text, kinds, filler="\0"):
    """The source at its full length, with every visible character of other kinds replaced by a filler.

    White space stays, so that places and lines are those of the source.
    """
    result = []
    for kind, start, end in split(text):
        part = text[start:end]
        result.append(part if kind in kinds else "".join(c if c.isspace() else filler for c in part))
    return "".join(result)


def _scan_code(text, at, parts, interpolated=False):
    """Reads code to the end of the source, or to the parenthesis that closes an interpolation. Returns its end."""
    begin, depth = at, 0

    def add(kind, start, end):
        nonlocal begin
        if start > begin:
            parts.append(("code", begin, start))
        if end > start:
            parts.append((kind, start, end))
        begin = end

    while at < len(text):
        c = text[at]
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            add("comment", at, end)
            at = end
        elif text.startswith("/*", at):
            end = _end_of_block_comment(text, at)
            add("comment", at, end)
            at = end
        elif c == '"' or c == "#":
            hashes = 0
            while text.startswith("#", at + hashes):
                hashes += 1
            after = text[at + hashes : at + hashes + 1]
            if after == '"':
                if at > begin:
                    parts.append(("code", begin, at))
                at = begin = _scan_string(text, at, hashes, parts)
            elif after == "/" and hashes:
                end = text.find("/" + "#" * hashes, at + hashes + 1)
                end = len(text) if end < 0 else end + 1 + hashes
                add("regex", at, end)
                at = end
            else:
                at += max(hashes, 1)
        elif c == "/":
            end = _end_of_bare_regex(text, at)
            if end:
                add("regex", at, end)
            at = end or at + 1
        elif interpolated and c == "(":
            depth += 1
            at += 1
        elif interpolated and c == ")":
            at += 1
            if depth == 0:
                break
            depth -= 1
        else:
            at += 1
    if at > begin:
        parts.append(("code", begin, at))
    return at


def _scan_string(text, at, hashes, parts):
    """Reads a string literal with its quotes. Returns its end."""
    # A text of several lines begins on the next one, other than #""""#, which is two quotes.
    quote = '"""' if re.compile(r'"""[ \t]*\r?\n').match(text, at + hashes) else '"'
    end_mark = quote + "#" * hashes
    escape = "\\" + "#" * hashes
    begin = at
    at += hashes + len(quote)
    while at < len(text):
        if text.startswith(escape + "(", at):
            at += len(escape)
            parts.append(("string", begin, at))
            parts.append(("code", at, at + 1))
            begin = at = _scan_code(text, at + 1, parts, interpolated=True)
        elif text.startswith(escape, at):
            at += len(escape) + 1
        elif text.startswith(end_mark, at):
            at += len(end_mark)
            break
        elif quote == '"' and text[at] == "\n":
            break
        else:
            at += 1
    at = min(at, len(text))
    if at > begin:
        parts.append(("string", begin, at))
    return at


def _end_of_block_comment(text, at):
    depth = 0
    while at < len(text):
        if text.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*/", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at
        else:
            at += 1
    return len(text)


def _end_of_bare_regex(text, at):
    """Where a literal such as /a+/ ends; None where the slash is an operator."""
    before = text[:at][-200:].rstrip(" ")
    if before and before[-1] not in "(,=:[{?!&|;\n" and not before.endswith(("return", " in", "case")):
        return None
    if text[at + 1 : at + 2] in ("", " ", "\n", "\t", "=", ")"):
        return None
    in_class, at = False, at + 1
    while at < len(text) and text[at] != "\n":
        c = text[at]
        if c == "\\":
            at += 1
        elif c == "[":
            in_class = True
        elif c == "]":
            in_class = False
        elif c == "/" and not in_class:
            return at + 1
        at += 1
    return None
