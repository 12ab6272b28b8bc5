"""Generated notes for the scale benchmarks: many, small, with a vocabulary that grows as a real one."""

from __future__ import annotations

import random
from pathlib import Path

_SUBJECTS = (
    "server network database release backup customer invoice deadline meeting garden recipe travel"
    " family doctor school contract budget printer password certificate servidor copia reunión viaje"
    " factura jardín receta contrato clave impresora colegio médica plazo cliente red"
).split()
_VERBS = "needs uses keeps moved lost found changed broke explains costs usa necesita guarda cambió".split()
_SYLLABLES = "ka lo mi ren tas vo qui ber non dal fex zu pri ost nel ga".split()


def write_notes(folder: Path, count: int, seed: int = 1) -> None:
    """Write `count` Markdown files of 40 to 120 words with front matter, 1,000 to a sub-folder."""
    chance = random.Random(seed)
    rare = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(max(count // 5, 200))]
    for number in range(count):
        place = folder / f"{number // 1000:03d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note-{number:06d}.md").write_text(note(chance, rare, number), encoding="utf-8")


def note(chance: random.Random, rare: list[str], number: int) -> str:
    """One note: title, tags, and sentences of common and rare words."""
    subject = chance.choice(_SUBJECTS)
    sentences = []
    for _ in range(chance.randint(4, 10)):
        words = [chance.choice(_SUBJECTS), chance.choice(_VERBS), *chance.sample(_SUBJECTS, 4)]
        sentences.append(" ".join([*words, *chance.sample(rare, 2)]) + ".")
    day = 1 + number % 28
    return (
        f"---\nid: {chance.getrandbits(80):020X}\ntitle: {subject} {chance.choice(rare)} {number}\n"
        f"tags: [{subject}]\ncreated: 2026-{1 + number % 9:02d}-{day:02d}T06:00:00Z\n---\n"
        + "\n\n".join(sentences)
        + "\n"
    )
