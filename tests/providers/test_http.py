"""The HTTP client against a server that misbehaves: in time, bounded, and telling no key."""

import socket
import threading

import pytest
from model_server import ModelServer, Scripted

from muninn_cli.errors import ProviderError
from muninn_cli.providers import http
from muninn_cli.providers.base import AnswerError, Deadline

KEY = "sk-test-0123456789"


@pytest.fixture
def server():
    with ModelServer().running() as running:
        yield running


def ask(server: ModelServer, seconds: float = 5.0, path: str = "/chat", **more):
    deadline = Deadline.after(seconds)
    found = http.look_up(server.url, deadline)
    headers = {"authorization": f"Bearer {KEY}"}
    return http.exchange(found, path, {"a": "ñ"}, deadline, headers=headers, secret=KEY, **more)


def failure(server: ModelServer, seconds: float = 5.0) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(server, seconds)
    assert KEY not in str(caught.value)
    assert KEY not in repr(caught.value)
    return caught.value


def test_json_goes_out_and_comes_back(server):
    server.script = [Scripted(b'{"ok": "\xc3\xb1"}')]
    assert ask(server) == {"ok": "ñ"}
    (asked,) = server.asked
    assert asked.json == {"a": "ñ"}
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["host"] == f"127.0.0.1:{server.port}"


@pytest.mark.parametrize("script", [Scripted(hang=True), Scripted(drip=True)])
def test_a_server_that_never_ends_is_left_at_the_deadline(server, script):
    server.script = [script]
    assert "did not answer in time" in failure(server, 0.4).message


def test_nothing_is_sent_after_the_deadline(server):
    found = http.look_up(server.url, Deadline.after(5))
    with pytest.raises(ProviderError, match="no time was left"):
        http.exchange(found, "/chat", {}, Deadline.after(0), headers={})
    assert server.asked == []


def test_a_refused_connection_says_where():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    deadline = Deadline.after(5)
    found = http.look_up(f"http://127.0.0.1:{port}", deadline)
    with pytest.raises(ProviderError, match=rf"127\.0\.0\.1:{port} cannot be reached"):
        http.exchange(found, "/", {}, deadline, headers={})


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    """How long was waited, without waiting."""
    found: list[float] = []
    monkeypatch.setattr(http.time, "sleep", found.append)
    return found


def test_a_busy_server_is_asked_again_when_it_says(server, pauses):
    server.script = [Scripted(status=429, headers={"retry-after": "2"}), Scripted(b'{"ok": 1}')]
    assert ask(server) == {"ok": 1}
    assert pauses == [2.0]
    assert len(server.asked) == 2


def test_a_wait_beyond_the_deadline_is_not_waited_for(server, pauses):
    server.script = [Scripted(status=429, headers={"retry-after": "3600"})]
    assert "busy (429) for 3600 s more" in failure(server).message
    assert pauses == []
    assert len(server.asked) == 1


def test_a_server_that_stays_busy_is_given_up(server):
    server.script = [Scripted(status=503, headers={"retry-after": "0"})]
    assert "busy (503)" in failure(server).message
    assert len(server.asked) == http.ATTEMPTS


def test_retry_after_as_a_date_counts_from_the_servers_clock():
    headers = {
        "date": "Fri, 27 Mar 2026 10:00:00 GMT",
        "retry-after": "Fri, 27 Mar 2026 10:00:07 GMT",
    }
    assert http._retry_after(headers, default=1.0) == 7.0
    assert http._retry_after({"retry-after": "soon"}, default=2.0) == 2.0
    assert http._retry_after({"retry-after": "²"}, default=2.0) == 2.0


def test_no_redirect_is_followed(server):
    with ModelServer().running() as elsewhere:
        server.script = [Scripted(status=307, headers={"location": f"{elsewhere.url}/chat"})]
        assert "redirect (307)" in failure(server).message
        assert elsewhere.asked == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [(500, ProviderError), (404, ProviderError), (401, ProviderError), (400, AnswerError)],
)
def test_a_failing_status_is_told_apart(server, status, kind):
    server.script = [Scripted(b'{"error": {"message": "no\\u001b[2J good"}}', status)]
    error = failure(server)
    assert type(error) is kind
    assert str(status) in error.message
    assert "\x1b" not in error.message


def test_an_error_that_repeats_the_key_is_told_without_it(server):
    server.script = [Scripted(f'{{"error": "bad key {KEY} given"}}'.encode(), 400)]
    assert "bad key [key] given" in failure(server).message


@pytest.mark.parametrize(
    "body",
    [b'{"a": "\xff\xfe"}', b"\xff\xfe\x00", b"<html>", b"", b"[" * 100_000, b'{"a": 1} trailing'],
)
def test_a_body_that_is_no_json_is_an_error(server, body):
    server.script = [Scripted(body)]
    assert "not JSON" in failure(server).message


@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"'])
def test_json_that_is_no_object_is_an_error(server, body):
    server.script = [Scripted(body)]
    assert "no object" in failure(server).message


def test_a_huge_body_is_not_read_to_its_end(server):
    server.script = [Scripted(b'{"a": "' + b"x" * (http.MAX_BODY + 1) + b'"}')]
    assert "more than 4 MB" in failure(server).message


def test_a_packed_body_is_not_unpacked(server):
    import gzip

    server.script = [Scripted(gzip.compress(b"{}"), headers={"content-encoding": "gzip"})]
    assert "not JSON" in failure(server).message
    assert server.asked[0].headers["accept-encoding"] == "identity"


def test_no_proxy_stands_between_us_and_loopback(server, monkeypatch):
    with ModelServer().running() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert ask(server) == {}
        assert proxy.asked == []


def addresses(*found: str):
    """What getaddrinfo gives for a name with these addresses."""

    def resolve(host, port, **_):
        return [
            (
                10 if ":" in each else 2,
                1,
                6,
                "",
                (each, port, 0, 0) if ":" in each else (each, port),
            )
            for each in found
        ]

    return resolve


def test_a_name_is_loopback_only_if_all_its_addresses_are(monkeypatch):
    deadline = Deadline.after(5)
    for found, loopback in [
        (("127.0.0.1",), True),
        (("::1", "127.0.0.1"), True),
        (("127.0.0.1", "10.1.2.3"), False),
        (("192.0.2.7",), False),
    ]:
        monkeypatch.setattr(socket, "getaddrinfo", addresses(*found))
        assert http.look_up("http://localhost:11434", deadline).loopback is loopback


def test_a_name_that_leads_elsewhere_later_is_not_followed(server, monkeypatch):
    deadline = Deadline.after(5)
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", addresses("127.0.0.1"))
    found = http.look_up(f"http://model.test:{server.port}", deadline)

    def rebound(host, *args, **kwargs):
        assert host != "model.test", "the name was looked up again"
        return real(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    assert http.exchange(found, "/chat", {}, deadline, headers={}) == {}
    assert server.asked[0].headers["host"] == f"model.test:{server.port}"


def test_the_next_loopback_address_is_tried_where_one_refuses(server, monkeypatch):
    deadline = Deadline.after(5)
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", addresses("127.9.9.9", "127.0.0.1"))
    found = http.look_up(f"http://localhost:{server.port}", deadline)
    monkeypatch.setattr(socket, "getaddrinfo", real)
    assert http.exchange(found, "/chat", {}, deadline, headers={}) == {}


@pytest.mark.parametrize(
    "url", ["ftp://x", "localhost:1", "http://", "http://[", "http://x:99999", ""]
)
def test_what_is_no_url_is_said(url):
    with pytest.raises(ProviderError, match="not an http or https URL"):
        http.look_up(url, Deadline.after(5))


def test_a_password_in_a_url_is_refused_and_not_told():
    with pytest.raises(ProviderError) as caught:
        http.look_up("https://me:hunter2@api.example.org", Deadline.after(5))
    assert "hunter2" not in caught.value.message


def test_a_name_without_a_host_is_said(monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ProviderError, match=r"gone\.test: no such host"):
        http.look_up("http://gone.test", Deadline.after(5))


def test_a_slow_look_up_ends_at_the_deadline(monkeypatch):
    never = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: never.wait())
    with pytest.raises(ProviderError, match="in time"):
        http.look_up("http://slow.test", Deadline.after(0.2))
    never.set()


def test_a_key_never_leaves_this_machine_without_tls(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", addresses("192.0.2.7"))
    deadline = Deadline.after(5)
    found = http.look_up("http://api.test", deadline)
    with pytest.raises(ProviderError, match="not sent without TLS"):
        http.exchange(found, "/chat", {}, deadline, headers={}, secret=KEY)
