"""Dates named in a question, in English or Spanish, and how well a memory's date fits them.

Relative dates ("last week") are not read, and nothing here knows today's date.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

SAME_DAY = 1.0
SAME_MONTH = 0.5
SAME_YEAR = 0.25
CONTRADICTED = 0.0

_ENGLISH = "january february march april may june july august september october november december"
_SPANISH = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
_MONTHS = {
    **{name: number for number, name in enumerate(_ENGLISH.split(), start=1)},
    **{name: number for number, name in enumerate(_SPANISH.split(), start=1)},
    "setiembre": 9,
}
_ALSO_A_VERB = frozenset(("may", "march"))
"""Months only when written with a capital."""

_NAME = "|".join(_MONTHS)
_DAY = r"(?<!\d)(?P<{}>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|º)?"
_MONTH = (
    rf"(?i)(?:\b{_DAY.format('before')}\s+(?:of\s+|de\s+)?)?"
    rf"\b(?P<month>{_NAME})\b"
    rf"(?:\s+(?:the\s+)?{_DAY.format('after')}(?![\d:]))?"
)
_YEAR = r"(?<!\d)(?:19|20)\d\d(?!\d)"
_ISO = r"(?<!\d)(?:19|20)\d\d-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?(?!\d)"
# Not compiled on import: most questions name no date, and compiling takes longer than a look.


class NamedDates(NamedTuple):
    """What a question says about time; a `day` is (month, day of the month)."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    days: frozenset[tuple[int, int]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.years or self.months)


def named_dates(question: str) -> NamedDates:
    """The years, months and days that a question names; falsy where it names none."""
    found = list(_written_out(question))
    years: list[str] = []
    if any(map(str.isdigit, question)):
        found += _iso(question)
        years = re.findall(_YEAR, question)
    return NamedDates(
        years=frozenset(map(int, years)),
        months=frozenset(month for month, _ in found),
        days=frozenset((month, day) for month, day in found if day),
    )


def date_score(named: NamedDates, moment: datetime | None) -> float:
    """How well a moment fits the named dates, 0 to 1: the T of the rerank.

    0 where it contradicts a named year or month, or where one of the two is not there; else 1
    where a named day fits too, 0.5 where a month was named, 0.25 where only a year was.
    """
    if not named or moment is None:
        return CONTRADICTED
    if named.years and moment.year not in named.years:
        return CONTRADICTED
    if not named.months:
        return SAME_YEAR
    if moment.month not in named.months:
        return CONTRADICTED
    return SAME_DAY if (moment.month, moment.day) in named.days else SAME_MONTH


def _written_out(question: str) -> Iterator[tuple[int, int]]:
    """Months by name, each with its day or 0."""
    folded = question.casefold()
    if not any(name in folded for name in _MONTHS):
        return
    for match in re.finditer(_MONTH, question):
        name = match["month"].casefold()
        number = _MONTHS.get(name)  # None for "aprıl", which `re` takes for "april"
        if number and (name not in _ALSO_A_VERB or match["month"][0].isupper()):
            yield number, int(match["before"] or match["after"] or 0)


def _iso(question: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(_ISO, question):
        yield int(match["month"]), int(match["day"] or 0)
