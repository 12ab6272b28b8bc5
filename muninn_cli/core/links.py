"""Links of a body to other memories: [[wikilinks]] and relative links to Markdown files.

Nothing is resolved here: a target is the text of the link, without #heading and |alias.
"""

from __future__ import annotations

import re

from muninn_cli.core.markdown import without_code

_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n]+)\]\]|\]\((?:<(?P<angled>[^<>\n]+)>|(?P<path>[^\s()]+))"
)
_WIKI_END = re.compile(r"\\?[|#]")
_OUTSIDE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/")
_MARKDOWN = (".md", ".markdown")


def links(body: str) -> tuple[str, ...]:
    """Targets in order, each once. `%20` in a path is a space; links in code are none."""
    if "[[" not in body and "](" not in body:
        return ()
    found = (_target(match) for match in _LINK.finditer(without_code(body)))
    return tuple(dict.fromkeys(filter(None, found)))


def _target(link: re.Match[str]) -> str:
    if link["wiki"]:
        return _WIKI_END.split(link["wiki"], maxsplit=1)[0].strip()
    path = str(link["angled"] or link["path"]).split("#", 1)[0]
    if not path.lower().endswith(_MARKDOWN) or _OUTSIDE.match(path):
        return ""
    return _unquoted(path)


def _unquoted(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)
