"""What a sentence is about: its subject, the labels of its values, whether it claims anything.

Pure grammar of single sentences; what two of them are to each other is judged elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.reading import content, is_function_word, texts
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented

if TYPE_CHECKING:
    from muninn_cli.core.likeness.reading import Clause

_GREETINGS = listed("""
    thanks thank hey hi hello bye congrats congratulations cheers welcome sorry gracias hola adios
    felicidades enhorabuena saludos
""")
"""A sentence that begins with one of these is said to somebody, and claims nothing."""
_TIME_UNITS = listed("ns ms s min h day week month year")


def is_claim(sentence: Clause) -> bool:
    """Whether a sentence says something of something: "dogs playing in a park" does not."""
    return any(
        (token.verb and not token.text.endswith("ing")) or ":" in token.after or token.text == "="
        for token in sentence
    )


def is_talk(sentence: Clause) -> bool:
    """Whether a sentence asks or greets."""
    asks = any("?" in token.after or token.text == "?" for token in sentence)
    return asks or (bool(sentence) and unaccented(sentence[0].text) in _GREETINGS)


def differs_in_subject(sentence: Clause, differing: list[Token]) -> list[Token]:
    """The differing words that stand before the verb, the colon or the first value."""
    subject: list[Token] = []
    for token in sentence:
        if token.verb and subject:
            break
        subject.append(token)
        if ":" in token.after:
            break
    else:
        subject = content(sentence)[:1]
    named = texts(subject)
    return [token for token in content(differing) if token.text in named]


def place(sentence: Clause, value: Token) -> tuple[frozenset[str], frozenset[str]]:
    """What may label a value: the word before it and the one after it, where they are content.

    Before a colon, every word of the key: "Port of the proxy: 80".
    """
    at = sentence.index(value)
    before = sentence[max(at - 1, 0) : at]
    after = sentence[at + 1 : at + 2] if not value.after else ()
    if before and ":" in before[0].after:
        before = sentence[:at]
    return _labels(before), _labels(after)


def _labels(stated: Clause) -> frozenset[str]:
    return frozenset(filter(None, map(_label, stated)))


def _label(token: Token) -> str:
    if token.verb or is_function_word(token):
        return ""
    if token.kind is Kind.UNIT:
        return "time" if token.text in _TIME_UNITS else token.text
    return token.text if token.kind is Kind.WORD else ""
