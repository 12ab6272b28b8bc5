"""The normal form of a text: what is left when only the way of writing it down is taken away.

Owns how a text falls into lexemes. Case, spacing and punctuation go; a mark that carries a value
stays (1.5, -5, 5%, C#, api.example.com, /etc, --force, `x != y`), so that two texts with one
normal form never state different things.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.likeness.lexicon import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING = "([\"'¿¡*|)]"
_CLOSING = ".,;:!?)]\"'*|(["
_SENTENCE_END = frozenset(".!?\n")

_PLAIN_MARKS = {
    **dict.fromkeys(map(ord, "‘’ʼ´′"), "'"),
    **dict.fromkeys(map(ord, "“”„«»″"), '"'),
    **dict.fromkeys(map(ord, "−‐‑•◦▪‣·"), "-"),
    **dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F), ""),
}
_ORDINAL_SIGN = re.compile(r"(?<=\d)\.?[ºª]")
_SUPERSCRIPT = re.compile("(?<=\\w)(?=[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])")
"""Read before NFKC, which makes 10² the number 102."""
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`(?:[^`\n]|\n(?!\s*\n))+`)", re.DOTALL)
_LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s]*)\)")
_TIGHT = (
    (re.compile(r"(?<=\d)[ \t]*–[ \t]*(?=\d)|(?<=\d)—(?=\d)|(?<=\d)[ \t]+-[ \t]+(?=\d)"), "-"),
    (re.compile(r"(?<=\S)[ \t]+[-–—]+[ \t]+(?=\S)|[–—]+"), ", "),
    (re.compile(r"(?<=[^\W\d_A-Z]{2})([.!?])(?=[A-ZÁÉÍÓÚÑ][^\W\d_A-Z])"), r"\1 "),
    (re.compile(r"(?<=\w)[ \t]+/[ \t]+(?=\w)"), "/"),
    (re.compile(r"(?<=\w)[ \t]+([,;:])(?=[^\W_])"), r"\1 "),
    (re.compile(r"(?<=[^\W\d])[,;](?=\w)|(?<=\w)[,;](?=[^\W\d])"), ", "),
    (re.compile(r"(?<=[^\W\d_]):(?=\w)"), ": "),
    (re.compile(r"([$€£¥])[ \t]+(?=\d)"), r"\1"),
    (re.compile(r"(?<![-=<>!])(=>|->|→|[<>!=]=|=)(?![=<>])"), r" \1 "),
)
"""Marks that stand between two words with or without a space get one spelling."""

_LAYOUT = re.compile(r"(?:[-+>*|.:]|#{1,6}|[-=~*_|`+:.]{2,})$")
_BLOCK = re.compile(r"[ \t]*(?:[-+*>][ \t]|\||#{1,6}[ \t]|\d+[.)][ \t])")
_FIELD = re.compile(r"[ \t]*[^\W\d_][\w -]{0,30}:(?:[ \t]|$)")
"""`name: value` on a line of its own."""
_TICKED = frozenset(("[x]", "[X]"))
_SIGNS = frozenset(("%", "&", "&&", "||", "*", "->", "=>", "!="))
_FLAG = re.compile(r"(?:-{1,2}|\$\{?)[^\W\d]")
"""An option or a variable: -d is not -D, $HOME is not $home."""
_PATH = re.compile(r"(?:\.{0,2}|~)/|.*[/\\].*(?:[/\\]|\.\w+$)|.*\\")
_BITS = re.compile(r"([\d.,]*[kmgtKMGT])b(ps)?$")
_MILLI_OR_MEGA = re.compile(r"[\d.,]*[mM](?:A|W|V|J|N|Hz|Pa|eV)?$")
"""Also minutes and millions: 5m and 5M."""
_GLOB = re.compile(r"\*{1,2}[./][^*]*$")
_ASKING = listed("""
    what which who whom whose where when why how do does did is are am was were can could should
    would will shall has have may que qué quien quién quienes quiénes cual cuál cuales cuáles
    donde dónde cuando cuándo como cómo cuanto cuánto cuantos cuántos cuanta cuánta
""")

_ACRONYMS = re.compile(r"\b(?:IT|US|WHO)\b")
"""Names that are other words in lower case."""

_MOST_MARKS = 8
_PAUSES = frozenset(",.;:!")


class Lexeme(NamedTuple):
    """A run of text without its outer punctuation; `after` is the punctuation behind it.

    `after` holds a newline where a paragraph or a line of a list ends. An `exact` lexeme (code,
    a flag, a path) keeps its case in the normal form.
    """

    core: str
    after: str = ""
    exact: bool = False

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence ends here."""
        return not _SENTENCE_END.isdisjoint(self.after)


def normal_form(text: str) -> str:
    """The text in NFKC and lower case, without punctuation that carries no value, one space."""
    return " ".join(map(fold_case, lex(text)))


def text_hash(text: str) -> bytes:
    """SHA-256 of the normal form, 32 bytes."""
    return hashlib.sha256(normal_form(text).encode("utf-8", "surrogatepass")).digest()


def fold_case(lexeme: Lexeme) -> str:
    """The core in lower case, but for what means something else there: code, paths, 5M, Mb."""
    core = lexeme.core
    if lexeme.exact:
        return core
    if not core.islower() and core[-1] in "bsmMAWVJNza":
        if _MILLI_OR_MEGA.match(core):
            return core
        bits = _BITS.match(core)
        if bits:
            return f"{bits[1].casefold()}bit{bits[2] or ''}"
    return core.casefold()


def is_structured(text: str) -> bool:
    """Whether the place of a line matters: headings, tables, quotes, numbered or nested lists.

    A text that is one flat list is not structured: its items are sentences.
    """
    blocks = [line for line in text.splitlines() if _BLOCK.match(line)]
    if not blocks:
        return False
    flat = {line[:2] for line in blocks} in ({"- "}, {"* "})
    return not flat or any(not _BLOCK.match(line) for line in text.splitlines() if line.strip())


def lex(text: str) -> list[Lexeme]:
    """The lexemes of a text in order; a mark that changes what is said is a lexeme too."""
    found: list[Lexeme] = []
    for part in _CODE.split(_prepare(text)):
        if len(part) > 2 and part.startswith(("`", "~~~")) and part[-1] == part[0]:
            words = part.strip("`~").split()
            found += (Lexeme(word, exact=True) for word in words)
        else:
            _lex_prose(part, found)
    kept = acronyms(text)
    return [
        lexeme._replace(exact=True) if lexeme.core in kept else lexeme
        for lexeme in _with_spoken_marks(found)
    ]


def acronyms(text: str) -> tuple[str, ...]:
    """The names in capitals that are other words in lower case, but for a text all in capitals."""
    found = tuple(_ACRONYMS.findall(text))
    return () if found and text.isupper() else found


def _with_spoken_marks(lexemes: list[Lexeme]) -> Iterator[Lexeme]:
    """Add the marks that are heard: a claim with a question mark, and «No, espere»."""
    start = 0
    for position, lexeme in enumerate(lexemes):
        yield lexeme
        if lexeme.core.lower() == "no" and _stands_alone(lexeme, position, lexemes):
            yield Lexeme(",")
        if "?" in lexeme.after and not _asks(lexemes[start : start + 2]):
            yield Lexeme("?", lexeme.after)
        if lexeme.ends_sentence:
            start = position + 1


def _stands_alone(lexeme: Lexeme, position: int, lexemes: list[Lexeme]) -> bool:
    return lexeme.after[:1] in _PAUSES and position + 1 < len(lexemes)


def _asks(opening: list[Lexeme]) -> bool:
    """Whether a sentence is a question by its first words, whatever mark it ends with."""
    return any(lexeme.core.casefold().partition("'")[0] in _ASKING for lexeme in opening)


def _prepare(text: str) -> str:
    if text.isascii():
        return text
    text = _SUPERSCRIPT.sub("^", _ORDINAL_SIGN.sub("th", text)).translate(_PLAIN_MARKS)
    return unicodedata.normalize("NFKC", text)


def _lex_prose(text: str, found: list[Lexeme]) -> None:
    if "](" in text:
        text = _LINK.sub(r"\1 \2 ", text)
    for pattern, spelling in _TIGHT:
        text = pattern.sub(spelling, text)
    lines = text.splitlines()
    for line, following in zip_longest(lines, lines[1:]):
        for position, chunk in enumerate(line.split()):
            _lex_chunk(chunk, found, starts_line=position == 0)
        if following is not None and (
            not following.strip() or _starts_block(line) or _starts_block(following)
        ):
            _append_after(found, "\n")


def _starts_block(line: str) -> bool:
    return bool(_BLOCK.match(line) or _FIELD.match(line))


def _lex_chunk(chunk: str, found: list[Lexeme], *, starts_line: bool) -> None:
    if chunk in _TICKED:
        found.append(Lexeme("☑"))
        return
    if any(map(str.isalnum, chunk)):
        found.append(_peel(chunk))
        return
    sign = "" if starts_line and _LAYOUT.match(chunk) else _sign(chunk)
    if sign:
        found.append(Lexeme(sign, chunk[len(chunk.rstrip(_CLOSING)) :]))
    elif not starts_line or chunk[0] in _SENTENCE_END:
        _append_after(found, chunk)


def _append_after(found: list[Lexeme], marks: str) -> None:
    if found and len(found[-1].after) < _MOST_MARKS:
        found[-1] = found[-1]._replace(after=found[-1].after + marks)


def _peel(chunk: str) -> Lexeme:
    inner = chunk if _GLOB.match(chunk) else chunk.lstrip(_OPENING)
    core = inner.rstrip(_CLOSING)
    after = inner[len(core) :]
    if core[0] in "_#":
        core = _without_markup(core)
    exact = bool(_FLAG.match(core)) or ("://" not in core and bool(_PATH.match(core)))
    return Lexeme(core, after, exact)


def _without_markup(core: str) -> str:
    if core[0] == "#":
        return core.lstrip("#") or core
    return core.strip("_") or core if core[-1] == "_" else core


def _sign(chunk: str) -> str:
    """What a chunk without letters or digits says: `=`, `%`, an emoji; empty for mere layout."""
    sign = chunk.strip(",.;:?()[]\"'")
    if sign in _SIGNS:
        return sign
    return "".join(
        char for char in chunk if char not in "|`" and unicodedata.category(char)[0] != "P"
    )
