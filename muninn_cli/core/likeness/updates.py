"""Updates: the plain words with which a text says that it holds instead of what held before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.reading import is_function_word
from muninn_cli.core.likeness.tokens import Kind, unaccented

if TYPE_CHECKING:
    from muninn_cli.core.likeness.reading import Clause

_REPLACES = re.compile(
    r"\b(?:instead of|rather than|no longer|not anymore|any ?more|supersede[sd]?"
    r"|replac(?:es|ed|ing)"
    r"|(?:switch|mov|migrat|chang|renam|convert)(?:ed|ing) (?:\S+ ){0,3}?(?:to|from)|switched|moved"
    r"|from now on|as of|used to|previously|formerly|deprecated|correction"
    r"|updated (?:to|from)|update(?=:)"
    r"|(?<!right )(?<!until )(?<!for )(?<!by )(?<!just )(?<!up to )now(?! and then)"
    r"|ya no|en lugar de|en vez de|sustituy[eóe]\w*|sustituid[oa]s?|reemplaz\w+"
    r"|a partir de(?:l)?|desde ahora|de ahora en adelante|dej(?:ó|amos|aron|é) de"
    r"|ha(?:n|mos)? (?:pasado|cambiado|migrado)|(?:pas|cambi|migr)(?:a|amos|ó|aron|é) (?:de|a|al)"
    r"|antes era|obsolet[oa]|correcci[oó]n|actualizaci[oó]n(?=:)"
    r"|(?<!por )(?<!hasta )(?<!justo )ahora)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|no|nunca)\s+$|n't\s+$", re.IGNORECASE)
_NOT_NEGATING = re.compile(r"no longer|ya no|not any", re.IGNORECASE)

_UPDATING = listed("""
    now currently anymore more longer instead rather from switched moved changed migrated
    replaced replaces again already since today been have used previously formerly ahora ya
    actualmente lugar vez cambio cambió pasó hoy desde era antes partir adelante
""")
_INSTEAD = listed("instead rather lugar vez")
"""Two words later comes the old value: instead of X, en lugar de X, instead of version X."""
_LONGEST_OLD_VALUE = 6
_MOVING = listed("""
    switched moved migrated changed pasamos cambiamos migramos hemos
""")
_AWAY, _TOWARDS = listed("from de del"), listed("to a al")
_ANNOUNCING = listed("update correction edit actualizacion correccion")
"""Before a colon: the sentence after it is the update."""


def says_it_replaces(text: str) -> bool:
    """Whether a text says in plain words that it holds instead of what held before."""
    for match in _REPLACES.finditer(text):
        if _NOT_NEGATING.match(match[0]) or not _NEGATED.search(text[: match.start()]):
            return True
    return False


def without_announcement(sentence: Clause) -> Clause:
    """The sentence without "Update:" at its head."""
    head = sentence[0] if sentence else None
    announced = head and ":" in head.after and unaccented(head.text) in _ANNOUNCING
    return sentence[1:] if announced else sentence


def left_behind(sentence: Clause) -> Clause:
    """What we leave: X in "we switched from X to Y"; () where it is somebody else who does."""
    words = [unaccented(token.text) for token in sentence]
    moved = next((at for at, word in enumerate(words) if word in _MOVING), len(words))
    if moved > 1 or not all(map(is_function_word, sentence[:moved])):
        return ()
    start = next((at + 1 for at in range(moved, len(words)) if words[at] in _AWAY), len(words))
    end = next((at for at in range(start, len(words)) if words[at] in _TOWARDS), start)
    return sentence[start:end] if end - start <= _LONGEST_OLD_VALUE else ()


def without_update(sentence: Clause) -> Clause:
    """The sentence as if nothing had been before: "now", "instead of X" and "from X to" go."""
    words = [unaccented(token.text) for token in sentence]
    gone: set[int] = set()
    for at, word in enumerate(words):
        if word in _INSTEAD:
            gone.update(range(at, _old_value_ends(sentence, at)))
        elif word == "from" and "to" in words[at + 1 : at + 4]:
            gone.update(range(at, words.index("to", at) + 1))
        elif word in _UPDATING:
            gone.add(at)
    return tuple(token for at, token in enumerate(sentence) if at not in gone)


def _old_value_ends(sentence: Clause, at: int) -> int:
    """The place after the value that "instead of" at `at` names: number, name, or a word."""
    reach = sentence[at : at + _LONGEST_OLD_VALUE]
    for distance, token in enumerate(reach):
        if token.kind is not Kind.WORD and distance:
            return at + distance + 1
        if token.after:
            break
    return at + 3
