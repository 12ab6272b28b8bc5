"""Numbers as people write them: digits with separators, and words in English and Spanish.

A spelling that could be two numbers stays as it was written, so it equals neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_EN_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ES_UNITS = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres"
    " veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve"
)
_ES_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_ES_HUNDREDS = (
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos"
    " novecientos"
)
_EN_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    " thirteenth fourteenth fifteenth"
)
_ES_ORDINALS = "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo"


@dataclass(frozen=True, slots=True)
class Numerals:
    """The number words of a language. `joins` stands between parts: two hundred *and* five."""

    small: dict[str, int]
    scales: dict[str, int]
    ordinals: dict[str, int]
    joins: str


def _counted(words: str, first: int = 0, step: int = 1) -> dict[str, int]:
    return {word: first + step * place for place, word in enumerate(words.split())}


_ES_ORDINAL_VALUES = _counted(_ES_ORDINALS, 1)
ENGLISH = Numerals(
    small={**_counted(_EN_UNITS), **_counted(_EN_TENS, 20, 10)},
    scales={"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9},
    ordinals=_counted(_EN_ORDINALS, 1),
    joins="and",
)
SPANISH = Numerals(
    small={
        **_counted(_ES_UNITS),
        **_counted(_ES_TENS, 30, 10),
        **_counted(_ES_HUNDREDS, 200, 100),
        **{word[:-2] + "as": n for word, n in _counted(_ES_HUNDREDS, 200, 100).items()},
        "veintiun": 21,
        "cien": 100,
        "ciento": 100,
    },
    scales={"mil": 1000, "millon": 10**6, "millones": 10**6},
    ordinals={
        **_ES_ORDINAL_VALUES,
        **{word[:-1] + "a": n for word, n in _ES_ORDINAL_VALUES.items()},
        "primer": 1,
        "tercer": 3,
    },
    joins="y",
)

_ENGLISH_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$")
_SPANISH_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$")
_SURELY_SPANISH = re.compile(r".*\..*(?:,|\..*\.)")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+$")


def read_digits(digits: str, *, spanish: bool) -> str:
    """One spelling for a number in digits: thousands without separator, a point for decimals.

    Zeros stay: 3.10 is no 3.1 where it is a version.
    """
    if _ENGLISH_GROUPS.match(digits):
        ambiguous = spanish and digits.count(",") == 1 and "." not in digits
        return digits if ambiguous else digits.replace(",", "")
    if _SPANISH_GROUPS.match(digits) and (spanish or "," in digits):
        return digits.replace(".", "").replace(",", ".")
    if _DECIMAL_COMMA.match(digits):
        return digits.replace(",", ".")
    return digits


def read_words(words: list[str], start: int, numerals: Numerals) -> tuple[int, int]:
    """The number that begins at `words[start]`, and how many words it takes; (0, 0) for none.

    Words are folded. "twenty five", "two hundred and five", "treinta y cinco", "dos mil".
    """
    total = group = 0
    room = ceiling = 10**12
    end = start
    while end < len(words):
        at = end + 1 if words[end] == numerals.joins and start < end < len(words) - 1 else end
        value, scale = numerals.small.get(words[at], -1), numerals.scales.get(words[at], 0)
        if 0 <= value < room and (value or end == start) and (at == end or room <= 100):
            group, room = group + value, _room(value)
        elif at == end and scale and scale < ceiling and (group or numerals is SPANISH):
            group, room = max(group, 1) * scale, scale
            if scale >= 1000:
                total, group, ceiling = total + group, 0, scale
        else:
            break
        end = at + 1
    return total + group, end - start


def _room(value: int) -> int:
    """What may still be added: after twenty a unit, after a unit nothing, after 200 below 100."""
    if value >= 100:
        return 100
    return 10 if value >= 20 and value % 10 == 0 else 0
