"""Distinguishes code, comments and string literals of Swift sources, for the scripts in this folder."""

import re

# The text of an interpolation, with literals and one level of parentheses in it, is a part of its literal.
TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r'|(?P<string>(#+)"""[ \t]*\n.*?"""\3|(#+)"[^\n]*?"\4|"""[ \t]*\n(?:\\.|[^\\])*?"""'
    r'|"(?:\\\((?:[^()"\n]|"(?:\\.|[^"\\\n])*"|\((?:[^()"\n]|"[^"\n]*")*\))*\)|\\.|[^"\\\n])*")'
    r"|(?P<regex>(#+)/.*?/\6)", re.DOTALL)


def masked(text, kinds):
    """The source at its full length, with blanks in place of all but these kinds: "code", "comment", "string".

    Lines stay, so that places are those of the source.
    """
    result, at = [], 0
    blank = lambda part: re.sub(r"\S", "\0", part)
    for token in TOKEN.finditer(text):
        code = text[at : token.start()]
        result.append(code if "code" in kinds else blank(code))
        result.append(token[0] if token.lastgroup in kinds else blank(token[0]))
        at = token.end()
    result.append(text[at:] if "code" in kinds else blank(text[at:]))
    return "".join(result)
