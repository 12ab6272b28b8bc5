"""A dream over the turns of real conversations: does it cost recall?

    python tests/benchmarks/dream_locomo.py FOLDER [--conversations 3]

The turns of LoCoMo (see locomo.py) as memories of a managed vault, an offline dream, and recall@10 of
hybrid search before and after it. A turn that was merged is found where its survivor is.
"""

from __future__ import annotations

import argparse
import tempfile
from datetime import timedelta
from pathlib import Path

from homes import Home
from locomo import ASKED_AT, Conversation, read
from table import machine, print_table, progress


def plant(home: Home, conversation: Conversation) -> dict[str, str]:
    """Write every turn as a memory; gives the turn of each memory's id."""
    turns = {}
    for turn in conversation.turns:
        memory_id = home.write(
            turn.id, turn.text, at=turn.at, title=turn.speaker, session=turn.session
        )
        turns[memory_id] = turn.id
    return turns


def recall(
    home: Home, conversation: Conversation, turns: dict[str, str], heads: dict[str, str], at
) -> float:
    """Recall@10: the mean share of a question's turns among the first ten hits."""
    ids = {turn: memory_id for memory_id, turn in turns.items()}
    total = 0.0
    for question in conversation.questions:
        arguments = ("search", question.text, "--limit", "10", "--no-recall")
        hits = {hit["id"] for hit in home(*arguments, at=at)["hits"]}
        wanted = [heads.get(ids[turn], ids[turn]) for turn in sorted(question.answers)]
        total += sum(memory_id in hits for memory_id in wanted) / len(wanted)
    return total / len(conversation.questions)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--conversations", type=int, default=3)
    chosen = options.parse_args()
    rows = []
    for number, conversation in enumerate(read(chosen.folder / "locomo10.json.zip")):
        if number == chosen.conversations:
            break
        with tempfile.TemporaryDirectory() as folder:
            home = Home(Path(folder) / "home")
            home("init", at=ASKED_AT)
            turns = plant(home, conversation)
            home("sync", at=ASKED_AT)
            progress(f"{len(turns)} turns, {len(conversation.questions)} questions")
            later = ASKED_AT + timedelta(days=1)
            before = recall(home, conversation, turns, {}, later)
            dreamt = home("dream", "--force", "--no-llm", at=later)
            merges = [change for change in dreamt["changes"] if change["change"] == "merge"]
            heads = {loser: one["survivor"] for one in merges for loser in one["losers"]}
            after = recall(home, conversation, turns, heads, later)
        answers = dreamt["answers"] or {"asked": 0, "before": 0, "after": 0}
        rows.append(
            [
                str(number + 1),
                str(len(turns)),
                str(len(merges)),
                str(len(heads)),
                f"{before:.3f} → {after:.3f}",
                f"{answers['before']} → {answers['after']} of {answers['asked']}",
            ]
        )
    print(machine())
    head = (
        "conversation",
        "turns",
        "merges",
        "turns merged away",
        "recall@10",
        "its own questions",
    )
    print_table("A dream over conversations", head, rows)


if __name__ == "__main__":
    main()
