"""What a memory states, as it is compared. Pure."""

from __future__ import annotations

from muninn_cli.core.likeness.normal import normal_form
from muninn_cli.core.likeness.vetoes import Text

_CUT = "…"
_HEADING = "#"


def stated(title: str, body: str) -> Text:
    """Title and body; a title that only repeats how the first sentence begins is none of its own.

    A first line that stands alone above others is a heading: it names what they are about.
    """
    first, _, rest = body.strip().partition("\n")
    is_heading = first.startswith(_HEADING) or (rest and normal_form(first) == normal_form(title))
    return Text("" if not is_heading and _begins(first, title) else title, body)


def _begins(line: str, title: str) -> bool:
    words = normal_form(line).split()
    beginning = normal_form(title.removesuffix(_CUT)).split()
    return words[: len(beginning)] == beginning
