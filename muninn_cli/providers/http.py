"""HTTP as providers need it: JSON in, JSON out, before a deadline, and nowhere else.

No redirect is followed. A host that counts as loopback is connected to at the address that was
judged, without any proxy. No message holds a key.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from muninn_cli.core.endpoints import host_of, is_loopback
from muninn_cli.core.plain import one_line
from muninn_cli.errors import ProviderError
from muninn_cli.providers.base import AnswerError, Deadline, text_at

if TYPE_CHECKING:
    import httpx

MAX_BODY = 4 * 1024 * 1024
ATTEMPTS = 3
CONNECT_SECONDS = 5.0
_BUSY = frozenset({429, 503, 529})
_KEY_REFUSED = frozenset({401, 403})
_REQUEST_REFUSED = frozenset({400, 413, 422})
_PORTS = {"http": 80, "https": 443}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Server:
    """A base URL taken apart, and the addresses its host had when it was looked up."""

    scheme: str
    host: str
    port: int
    path: str
    addresses: tuple[str, ...]

    @property
    def loopback(self) -> bool:
        """Whether every address is on this machine."""
        return bool(self.addresses) and all(map(is_loopback, self.addresses))

    @property
    def authority(self) -> str:
        """`host:port` as a Host header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class _Call:
    server: Server
    path: str
    content: bytes | None
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    headers: Mapping[str, str]
    body: bytes


def look_up(url: str, deadline: Deadline) -> Server:
    """Take a base URL apart and resolve its host. Raises ProviderError."""
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        scheme, host, port = "", None, None
    if scheme not in _PORTS or not host:
        raise ProviderError(f"{host_of(url)}: not an http or https URL", "see `muninn config list`")
    if parts.username or parts.password:
        raise ProviderError(f"{host}: a URL must not hold a password", "use key_env or key_command")
    port = port or _PORTS[scheme]
    resolve = partial(socket.getaddrinfo, host, port, proto=socket.IPPROTO_TCP)
    try:
        found = _before(deadline, host, resolve)
    except (OSError, UnicodeError):
        raise ProviderError(f"{host}: no such host") from None
    addresses = dict.fromkeys(str(entry[4][0]) for entry in sorted(found))
    return Server(scheme, host, port, parts.path.rstrip("/"), tuple(addresses))


def exchange(
    server: Server,
    path: str,
    payload: Mapping[str, object] | None,
    deadline: Deadline,
    *,
    headers: Mapping[str, str],
    secret: str = "",
) -> dict[str, object]:
    """Post JSON (None: get), and return the JSON object of a 200 answer.

    `secret` is taken out of every message. A busy server (429, 503, 529) is asked again when it
    says, if the deadline allows. Raises AnswerError where the server turns this one request
    down (400, 413, 422), else ProviderError.
    """
    if secret and server.scheme == "http" and not server.loopback:
        raise ProviderError(f"{server.host}: a key is not sent without TLS", "use an https URL")
    content = None if payload is None else json.dumps(payload).encode()
    call = _Call(server, path, content, headers)
    for attempt in range(ATTEMPTS):
        response = _send(call, deadline)
        if response.status not in _BUSY:
            break
        _wait(server, response, attempt, deadline)
    if response.status != 200:
        raise _failure(server, response, secret)
    return _object(server, response.body)


def _wait(server: Server, response: _Response, attempt: int, deadline: Deadline) -> None:
    pause = _retry_after(response.headers, default=float(2**attempt))
    if attempt == ATTEMPTS - 1:
        raise ProviderError(f"{server.host} is busy ({response.status})")
    if pause >= deadline.left:
        raise ProviderError(f"{server.host} is busy ({response.status}) for {pause:.0f} s more")
    time.sleep(pause)


def _retry_after(headers: Mapping[str, str], default: float) -> float:
    """Seconds to wait: a number, or a date against the server's own clock (RFC 9110, 10.2.3)."""
    value = headers.get("retry-after", "")
    try:
        if value.strip().isdigit():
            return float(value)
        now = parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (ValueError, TypeError):
        return default


def _failure(server: Server, response: _Response, secret: str) -> ProviderError:
    status = response.status
    if status in _KEY_REFUSED:
        return ProviderError(f"{server.host} refused the key ({status})")
    if 300 <= status < 400:
        return ProviderError(f"{server.host} answered with a redirect ({status}); none is followed")
    said = _excerpt(response.body, secret)
    message = f"{server.host} answered {status}" + (f": {said}" if said else "")
    return AnswerError(message) if status in _REQUEST_REFUSED else ProviderError(message)


def _excerpt(body: bytes, secret: str) -> str:
    """What an error answer says, in one line without the key."""
    text = body[:4096].decode("utf-8", "replace")
    try:
        parsed = json.loads(text)
        text = text_at(parsed, "error", "message") or text_at(parsed, "error") or text
    except (ValueError, RecursionError):
        pass
    return one_line(text.replace(secret, "[key]") if secret else text, 200)


def _object(server: Server, body: bytes) -> dict[str, object]:
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        raise ProviderError(f"{server.host} answered something that is not JSON") from None
    if not isinstance(parsed, dict):
        raise ProviderError(f"{server.host} answered JSON that is no object")
    return parsed


def _send(call: _Call, deadline: Deadline) -> _Response:
    import httpx

    server = call.server
    # A loopback host is connected to at its judged addresses: a second look-up could lead away.
    targets = server.addresses if server.loopback else (server.host,)
    for target in targets:
        try:
            return _before(deadline, server.host, partial(_once, call, target, deadline))
        except httpx.ConnectError:
            continue
        except httpx.TimeoutException:
            raise ProviderError(f"{server.host} did not answer in time") from None
        except httpx.HTTPError as error:
            raise ProviderError(f"{server.host}: {type(error).__name__}") from None
    hint = "see whether it runs; --no-llm dreams without a model"
    raise ProviderError(f"{server.authority} cannot be reached", hint)


def _once(call: _Call, target: str, deadline: Deadline) -> _Response:
    import httpx

    server = call.server
    path = server.path + call.path
    url = httpx.URL(scheme=server.scheme, host=target, port=server.port, path=path)
    timeout = httpx.Timeout(deadline.left, connect=min(deadline.left, CONNECT_SECONDS))
    headers = {
        "host": server.authority,
        "content-type": "application/json",
        "accept-encoding": "identity",
        **call.headers,
    }
    with (
        httpx.Client(trust_env=not server.loopback, timeout=timeout) as client,
        client.stream(
            "GET" if call.content is None else "POST",
            url,
            content=call.content,
            headers=headers,
            follow_redirects=False,
            extensions={"sni_hostname": server.host},
        ) as response,
    ):
        body = _body(server, response)
        return _Response(response.status_code, response.headers, body)


def _body(server: Server, response: httpx.Response) -> bytes:
    """The body as sent, bounded; compressed ones were not asked for and are not unpacked."""
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > MAX_BODY:
            raise ProviderError(f"{server.host} answered more than {MAX_BODY >> 20} MB")
    return bytes(body)


def _before(deadline: Deadline, host: str, call: Callable[[], T]) -> T:
    """The call's result, or ProviderError at the deadline.

    Looking up a name has no time limit, and a server that sends a byte now and then renews that
    of a read: so the call runs in a thread that is left behind when the time is over.
    """
    if deadline.left <= 0:
        raise ProviderError(f"{host} was not asked: no time was left")
    done: list[T] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            done.append(call())
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(deadline.left)
    if failed:
        raise failed[0]
    if not done:
        raise ProviderError(f"{host} did not answer in time")
    return done[0]
