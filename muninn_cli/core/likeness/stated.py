"""What a memory states, as it is compared. Pure."""

from __future__ import annotations

import re

from muninn_cli.core.likeness.normal import normal_form
from muninn_cli.core.likeness.vetoes import Text
from muninn_cli.core.markdown import without_code
from muninn_cli.core.words import words

FEWEST_WORDS = 3
"""Title and text with fewer words between them, and no number in the text, state nothing."""
_UNFILLED = frozenset(
    [
        "borrador",
        "draft",
        "pending",
        "pendiente",
        "placeholder",
        "tbc",
        "tbd",
        "todo",
        "vacio",
        "wip",
    ]
)
"""What stands where something is still to be written, with accents folded."""
_CUT = "…"
_HEADING = "#"
_SCAFFOLD = re.compile(
    r"^[ ]{0,3}\#{1,6}(?:[ \t][^\n]*)?$"  # headings
    r"|^[^\n]+\n[ ]{0,3}=+[ \t]*$"
    r"|<!--.*?-->|%%.*?%%"  # comments
    r"|\{\{.*?\}\}|\{%.*?%\}|<%.*?%>"  # templates
    r"|</?[^\W\d][^<>]*>"  # tags
    r"|!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\]\([^()\n]*\)"  # pictures and embedded notes
    r"|^\^[\w-]+[ \t]*$",  # names of blocks
    re.MULTILINE | re.DOTALL,
)


def stated(title: str, body: str) -> Text:
    """Title and body; a title that only repeats how the first sentence begins is none of its own.

    A first line that stands alone above others is a heading: it names what they are about.
    """
    first, _, rest = body.strip().partition("\n")
    is_heading = first.startswith(_HEADING) or (rest and normal_form(first) == normal_form(title))
    return Text("" if not is_heading and _begins(first, title) else title, body)


def _begins(line: str, title: str) -> bool:
    words_of_line = normal_form(line).split()
    beginning = normal_form(title.removesuffix(_CUT)).split()
    return words_of_line[: len(beginning)] == beginning


def says_something(title: str, body: str) -> bool:
    """Whether a memory says anything of its own: beside headings, code, templates and pictures.

    A page of headings that nobody has filled in is alike to every other one, and says the same as
    none of them; nor does a title alone say anything.
    """
    text = _SCAFFOLD.sub(" ", without_code(body.replace("\r\n", "\n")))
    own = [word for word in words(text) if word not in _UNFILLED]
    return any(map(str.isdecimal, own)) or 0 < len(own) >= FEWEST_WORDS - len(words(title))
