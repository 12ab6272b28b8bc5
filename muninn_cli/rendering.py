"""Templates: where they are found, and the one way they are rendered.

A person's own template in the home folder comes before the shipped one. A name that a template
needs and does not get is an error, never an empty place.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.core.journal import MOST_LINES, JournalEntry, UndoEntry
from muninn_cli.core.plain import inline, plain
from muninn_cli.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable

    import jinja2

_PACKAGE = Path(__file__).resolve().parent
_TITLE_LENGTH = 120


class Templates:
    """The templates of one home folder; `own` is the person's folder of overrides, or None."""

    def __init__(self, own: Path | None = None, package: Path = _PACKAGE) -> None:
        self._own = own
        self._package = package

    @cached_property
    def folders(self) -> tuple[Path, ...]:
        """Where templates are looked for, in this order."""
        shipped = _checkout(self._package.parent) or self._package / "templates"
        return (self._own, shipped) if self._own else (shipped,)

    def render(self, name: str, **values: object) -> str:
        """Render a template. Raises UnreadableError with path and line where it is broken."""
        import jinja2

        try:
            return self._environment.get_template(name).render(values)
        except jinja2.TemplateSyntaxError as error:
            raise _unparsed(error, name) from error
        except Exception as error:  # a person's own template can fail in any way
            raise UnreadableError(f"{self._path(name)}: {error}") from error

    def check(self, name: str) -> None:
        """Parse a template. Raises UnreadableError with path and line where that fails."""
        import jinja2

        try:
            self._environment.get_template(name)
        except jinja2.TemplateSyntaxError as error:
            raise _unparsed(error, name) from error
        except (jinja2.TemplateError, OSError, ValueError) as error:
            raise UnreadableError(f"{self._path(name)}: {error}") from error

    def journal(
        self,
        entry: JournalEntry | UndoEntry,
        language: str,
        notify: Callable[[str], None] | None = None,
    ) -> str:
        """A journal entry as Markdown, in one of the languages of `journal.language`.

        A person's own template that fails must not cost the record of what was done: where there
        is somebody to `notify`, the shipped one takes its place. Raises UnreadableError else.
        """
        kind = "journal" if isinstance(entry, JournalEntry) else "undo"
        try:
            return self.render(f"{kind}.{language}.md.j2", entry=entry, most=MOST_LINES)
        except UnreadableError as error:
            if notify is None or self._own is None:
                raise
            notify(f"{error.message}: the shipped template took its place")
            return Templates(package=self._package).journal(entry, language)

    def _path(self, name: str) -> Path:
        places = [folder / name for folder in self.folders]
        return next((place for place in places if place.is_file()), places[-1])

    @cached_property
    def _environment(self) -> jinja2.Environment:
        import jinja2

        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(self.folders),
            undefined=jinja2.StrictUndefined,
            autoescape=False,  # Markdown, not HTML: `inline` and `plain` are the escapes
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            extensions=["jinja2.ext.do"],
        )
        environment.filters["plain"] = plain
        environment.filters["inline"] = inline
        environment.filters["title"] = lambda text: inline(text, _TITLE_LENGTH)
        environment.filters["comma"] = lambda number: f"{number:.1f}".replace(".", ",")
        environment.filters["point"] = lambda number: f"{number:.1f}"
        return environment


def _unparsed(error: jinja2.TemplateSyntaxError, name: str) -> UnreadableError:
    return UnreadableError(f"{error.filename or name}, line {error.lineno}: {error.message}")


def _checkout(folder: Path) -> Path | None:
    """The templates beside muninn's own pyproject.toml, None for an installed package.

    An editable install leaves a stale copy in the package; the checkout's are the living ones.
    """
    import tomllib

    templates = folder / "templates"
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        name = project["project"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return templates if name == "muninn-memory" and templates.is_dir() else None
