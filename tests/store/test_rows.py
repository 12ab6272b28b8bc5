"""Memories by any of their names, and the names to choose from."""

import pytest
from library import Library

from muninn_cli.store.index.rows import names, tags


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


ID = "01JQXW9Z6N8F4T2M5R7K3C1B0A"


@pytest.mark.parametrize(
    "handle",
    [
        ID,
        ID.lower(),
        "01JQX",
        "7K3C1B0A",
        "7k3c1b0a",
        "red/dns.md",
        "RED/DNS",
        "dns",
        "DNS timeouts",
        "dns TIMEOUTS",
        "Resolución",
    ],
)
def test_a_memory_is_found_by_any_of_its_names(library, handle):
    library.indexed.put(
        "red/dns.md", "x", id=f'"{ID}"', title="DNS timeouts", aliases="[Resolución]"
    )
    library.indexed.put("other.md", "y", id='"01JZZZ"')
    library.open()
    assert library.named(handle) == ["red/dns.md"]


def test_an_exact_id_or_path_goes_before_a_likeness(library):
    library.indexed.put("a.md", "x", id='"abc"')
    library.indexed.put("b.md", "x", id='"abcd"')
    library.indexed.put("sub/a.md", "x", id='"other"')
    library.open()
    assert library.named("abc") == ["a.md"]
    assert library.named("a.md") == ["a.md"]
    assert library.named("a") == ["a.md", "sub/a.md"]


def test_what_is_archived_counts_where_nothing_else_is_called_so(library):
    library.indexed.put(".muninn/archive/dns~AAAAAAAA.md", "x", id='"AAAAAAAA"', title="DNS")
    library.open()
    assert library.named("AAAAAAAA") == [".muninn/archive/dns~AAAAAAAA.md"]
    library.connection.close()
    library.indexed.put("dns.md", "x", id='"BBBBBBBB"', title="DNS")
    library.open()
    assert library.named("DNS") == ["dns.md"]


@pytest.mark.parametrize("handle", ["\0", "\udcff", "%", "_", "'", "x" * 9999, "日本"])
def test_a_strange_handle_finds_nothing(library, handle):
    library.indexed.put("a.md", "x", id='"abc"')
    library.open()
    assert library.named(handle) == []


def test_names_and_tags_to_choose_from(library):
    library.indexed.put("a.md", "x", id='"abc"', title="DNS", tags="[Red, docker]")
    library.indexed.put("b.md", "x", id='"def"', tags="[red]")
    library.open()
    numbers = library.filters().vaults
    assert {"abc", "a", "dns"} <= set(names(library.connection, numbers))
    assert tags(library.connection, numbers) == {"docker": 1, "red": 2}
