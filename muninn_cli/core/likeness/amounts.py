"""Amounts: what a word with digits states, and dates written out; English and Spanish.

What could be read in two ways keeps its own spelling.
"""

from __future__ import annotations

import re

from muninn_cli.core.likeness import lexicon, numerals
from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.tokens import Kind, unaccented

_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?(?:t[\d:.]+z?)?$|\d{1,4}/\d{1,2}/\d{1,4}$", re.I)
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?([ap])\.?m$|(\d{1,2}):(\d\d)$")
HALF_DAYS = {"am": "am", "pm": "pm", "a.m": "am", "p.m": "pm"}
_VERSION = re.compile(r"v(\d[\w.+-]*)$")
_NUMBER = re.compile(r"([$€£¥])?([+-]?\d(?:[\d.,]*\d)?)-?(°?[^\W\d_]+|%|°|[$€£¥])?$")
_DOTTED = re.compile(r"\d+(?:\.\d+){2,}[\w.+-]*$")
_ORDINAL_ENDINGS = listed("st nd rd th ro ra do da er to ta vo va mo ma")
_ADDRESS = re.compile(
    r"\w+://|[^@\s]+@[^@\s]+\.\w|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$|(?:\d+\.){3}\d+", re.IGNORECASE
)

_MONTH = "|".join(sorted(lexicon.MONTHS, key=len, reverse=True))
_WRITTEN_DATE = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?[ ]+(?:of[ ]+|de[ ]+)?(?P<m1>{_MONTH})\b\.?"
    rf"|(?P<m2>{_MONTH})\b\.?[ ]+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%:]|[.,]\d))"
    r"(?:,?[ ]+(?:of[ ]+|del?[ ]+)?(?P<y>\d{4})\b)?",
    re.IGNORECASE,
)
_ALSO_WORDS = frozenset(("may", "march", "mar", "ago"))


def write_dates_alike(text: str) -> str:
    """`28 March 2026`, `March 28, 2026` and `28 de marzo de 2026` as 2026-03-28, in place."""
    return _WRITTEN_DATE.sub(_as_iso, text)


def _as_iso(match: re.Match[str]) -> str:
    month, day, year = match["m1"] or match["m2"], match["d1"] or match["d2"], match["y"]
    if month in _ALSO_WORDS and not year:
        return match[0]
    return f"{year or '0000'}-{lexicon.MONTHS[month.lower()]}-{day.zfill(2)}"


def read_clock(word: str) -> str:
    """A time of day as `15:00`, from 3pm, 3:00pm or 15:00; empty for anything else."""
    clock = _CLOCK.match(word)
    if clock is None:
        return ""
    hour, minute, half, hour24, minute24 = clock.groups()
    if half is None:
        return f"{int(hour24):02}:{minute24}"
    return f"{int(hour) % 12 + (12 if half == 'p' else 0):02}:{minute or '00'}"


def read_exact(core: str) -> Kind:
    """The kind of a path, a flag or a word of code."""
    if _DATE.match(core):
        return Kind.DATE
    return Kind.PATH if "/" in core or "\\" in core else Kind.CODE


def is_address(word: str) -> bool:
    """Whether a word is a URL, a host or an e-mail address."""
    return bool(_ADDRESS.match(word))


def read_digits(word: str, *, spanish: bool) -> list[tuple[Kind, str]]:
    """What a word with digits states: a date, a time, a version, or a number and its unit."""
    version, number = _VERSION.match(word), _NUMBER.match(word)
    if read_clock(word):
        return [(Kind.TIME, read_clock(word))]
    if version:
        return [(Kind.WORD, "version"), (Kind.VERSION, version[1])]
    if number:
        return _read_amount(word, number, spanish=spanish)
    if is_address(word):
        return [(Kind.ADDRESS, word.rstrip("/"))]
    return [(Kind.VERSION if _DOTTED.match(word) else read_exact(word), word)]


def _read_amount(word: str, number: re.Match[str], *, spanish: bool) -> list[tuple[Kind, str]]:
    sign, digits, ending = number.groups()
    value = numerals.read_digits(digits, spanish=spanish)
    if not sign and ending in _ORDINAL_ENDINGS:
        return [(Kind.NUMBER, f"#{value}")]
    unit = lexicon.UNITS.get(unaccented(ending), ending if ending == "M" else "") if ending else ""
    if ending and not unit:
        return [(Kind.CODE, word)]
    if value.count(".") > 1:
        kind = Kind.ADDRESS if value.count(".") == 3 else Kind.VERSION
        return [(kind, value)]
    stated = [(Kind.NUMBER, value)]
    if sign or unit:
        stated.append((Kind.UNIT, unit or lexicon.UNITS[sign]))
    return stated
