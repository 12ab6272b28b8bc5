"""Names of files: portable ones for new files, and which existing ones are not memories.

Nothing here looks at a folder; whether a name is taken is the caller's to find out.
"""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 120
"""Bytes of a stem: with suffixes and `.md` it stays far below the 255 that file systems allow."""
_UNTITLED = "untitled"
_STRIPPED = "(?<=[A-Za-z])[\u0300-\u036f]+|[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""Accents on Latin letters, and the variation selectors that emoji carry."""
_DEVICES = r"con|prn|aux|nul|conin|conout|(?:com|lpt)\d"
_LEFTOVER = r"""(?isx)
    \.                              # hidden: .git, .note.md.swp, .#note.md
    | ~\$                           # an office's lock
    | .*~(?:\.\w+)?$                # note~.md, note.md~
    | \#.*\#$                       # an Emacs autosave
    | node_modules$
    | .*\.(?:tmp|swp|swo|bak|orig|rej|part|crdownload)$
    """
_CONFLICT_COPY = (
    r"(?i)\.sync-conflict-\d{8}-\d{6}"  # Syncthing
    r"|\((?:[^()]*\s)?(?:conflicted copy|case conflict|copia en conflicto)\b[^()]*\)"
)


def slug(title: str) -> str:
    """A stem for a file name, at most 120 bytes, in lower case: letters, digits, and `-` between.

    Accents on Latin letters go, other scripts stay as they are. Never empty, hidden, a name that
    Windows keeps for a device, nor one that muninn would skip.
    """
    text = unicodedata.normalize("NFKD", title).casefold()
    text = unicodedata.normalize("NFC", re.sub(_STRIPPED, "", text))
    chars: list[str] = []
    for char in text:
        kind = unicodedata.category(char)
        follows = bool(chars) and chars[-1] != "-"
        if kind[0] in "LN" or (kind in ("Mn", "Mc") and follows):
            chars.append(char)
        elif follows:
            chars.append("-")
    stem = _shortened("".join(chars).strip("-")) or _UNTITLED
    return f"{stem}-memory" if re.fullmatch(_DEVICES, stem) else stem


def _shortened(stem: str) -> str:
    """At most _LONGEST bytes, cut between words where there is one to cut."""
    data = stem.encode()
    if len(data) <= _LONGEST:
        return stem
    cut = data[:_LONGEST].decode(errors="ignore")
    words = cut.rpartition("-")[0]
    return words if len(words) > len(cut) // 2 else cut.strip("-")


def collision_key(name: str) -> str:
    """Equal for names that are one file on some system: case and Unicode form do not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def is_skipped_name(name: str) -> bool:
    """Whether a file or folder of this name is hidden, or left by an editor or a download."""
    return bool(re.match(_LEFTOVER, name))


def is_conflict_copy(name: str) -> bool:
    """Whether a sync program named this file: a copy of another one, never the original."""
    return bool(re.search(_CONFLICT_COPY, name))
