"""A scripted model: a loopback server in the place of Ollama that knows the truth about each note."""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from model_server import Asked, ModelServer, Scripted, ollama_says

_NOTE = re.compile(r"^Note (?P<id>\S+)\n(?P<fence>\S+)\n(?P<text>.*?)\n(?P=fence)$", re.M | re.S)
_CLUSTER = re.compile(r"^Cluster \d+: ", re.M)
Truth = dict[str, tuple[str, int]]
"""For each id the fact it states and the version of it."""


class Oracle(ModelServer):
    """Merges notes that state one version of a fact, and lets the newest version win."""

    def __init__(self, truth: Truth) -> None:
        super().__init__()
        self._truth = truth

    def reply_to(self, asked: Asked) -> Scripted:
        if asked.path != "/api/chat":
            return super().reply_to(asked)
        prompt = asked.json["messages"][-1]["content"]
        merges: list[dict] = []
        contradictions: list[dict] = []
        for cluster in _CLUSTER.split(prompt)[1:]:
            self._judge(cluster, merges, contradictions)
        answer = {"merges": merges, "contradictions": contradictions, "suggestions": []}
        return ollama_says(json.dumps({**answer, "stability": [], "journal": ""}))

    def _judge(self, cluster: str, merges: list[dict], contradictions: list[dict]) -> None:
        texts = {match["id"]: match["text"].split("\n", 2)[-1] for match in _NOTE.finditer(cluster)}
        versions: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for note in texts:
            if note in self._truth:
                fact, version = self._truth[note]
                versions[fact][version].append(note)
        for known in versions.values():
            newest = known[max(known)][0]
            older = [note for version in known if version < max(known) for note in known[version]]
            contradictions += [
                {"newer": newest, "older": note, "reason": "a later value"} for note in older
            ]
            same = known[max(known)]
            if len(same) > 1 and not older:
                content = "\n".join(dict.fromkeys(texts[note] for note in same))
                merges.append({"ids": same, "content": content, "reason": "one fact"})
