"""The two gates before a dream: time since the last one, and enough that is new.

Pure. A clock that went back never gives negative hours, and closes the gate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Gates:
    """Whether a dream is due. `hours` is None where there was no dream yet."""

    hours: float | None
    min_hours: float
    new: int
    min_new: int
    clock_went_back: bool

    @property
    def rested(self) -> bool:
        """Whether the last dream is long enough ago."""
        if self.hours is None:
            return True
        return not self.clock_went_back and self.hours >= self.min_hours

    @property
    def fed(self) -> bool:
        """Whether enough memories are new or have a changed text."""
        return self.new >= self.min_new

    @property
    def open(self) -> bool:
        return self.rested and self.fed

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the gates are shut, a sentence each; empty where they are open."""
        found = []
        if self.clock_went_back:
            found.append("the clock stands before the last dream")
        elif not self.rested and self.hours is not None:
            ago = f"{self.hours:.1f} hours" if self.hours >= 1 else "less than an hour"
            found.append(f"the last dream was {ago} ago, it takes {self.min_hours:g} hours")
        if not self.fed:
            count = "1 memory is" if self.new == 1 else f"{self.new} memories are"
            found.append(f"{count} new or changed, it takes {self.min_new}")
        return tuple(found)


def gates(
    last: datetime | None, now: datetime, *, new: int, min_hours: float, min_new: int
) -> Gates:
    """The gates at `now`; `last` is the last dream of what would dream, `new` its news."""
    if last is None:
        return Gates(None, min_hours, new, min_new, clock_went_back=False)
    hours = (now - last).total_seconds() / 3600
    return Gates(max(hours, 0.0), min_hours, new, min_new, clock_went_back=hours < 0)
