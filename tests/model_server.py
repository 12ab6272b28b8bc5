"""A real HTTP server on loopback that records what it is asked and answers from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Scripted:
    """One answer. `hang` waits for the test's end, `drip` sends a byte now and then for ever."""

    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    drip: bool = False


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)


class ModelServer:
    """`script` answers the chat paths in order, its last entry for ever; `shows` /api/show."""

    def __init__(self) -> None:
        self.script: list[Scripted] = [Scripted()]
        self.shows = Scripted(b'{"model_info": {}, "details": {}}')
        self.tags = Scripted(b'{"models": [{"name": "local:1b"}]}')
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def port(self) -> int:
        return self._http.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def chats(self) -> list[Asked]:
        """The requests that could carry a memory."""
        return [each for each in self.asked if each.path not in ("/api/show", "/api/tags")]

    def reply_to(self, asked: Asked) -> Scripted:
        if asked.path == "/api/show":
            return self.shows
        if asked.path == "/api/tags":
            return self.tags
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    @contextmanager
    def running(self) -> Iterator[ModelServer]:
        thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.closing.set()
            self._http.shutdown()
            self._http.server_close()


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, self.rfile.read(length))
            server.asked.append(asked)
            scripted = server.reply_to(asked)
            if scripted.hang:
                server.closing.wait(30)
                return
            self.send_response(scripted.status)
            for name, value in scripted.headers.items():
                self.send_header(name, value)
            if scripted.drip:
                self.end_headers()
                self.drip()
                return
            self.send_header("content-length", str(len(scripted.body)))
            self.end_headers()
            self.wfile.write(scripted.body)

        def drip(self) -> None:
            try:
                while not server.closing.wait(0.05):
                    self.wfile.write(b" ")
                    self.wfile.flush()
            except OSError:
                pass

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def ollama_says(text: str, **more: object) -> Scripted:
    """What Ollama answers for a chat in which the model said `text`."""
    answer = {"message": {"role": "assistant", "content": text}, "done_reason": "stop"}
    return Scripted(
        json.dumps({**answer, "prompt_eval_count": 120, "eval_count": 30, **more}).encode()
    )
