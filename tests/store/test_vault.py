"""The list of vaults: kinds, a vault's own file, which vault a command means, wrong lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from muninn_cli.config import load_settings, read_config
from muninn_cli.core.terms import Kind
from muninn_cli.errors import ConflictError, NotFoundError, UnreadableError
from muninn_cli.paths import Home
from muninn_cli.store.config_file import editing, ensure_home
from muninn_cli.store.registration import Registrar
from muninn_cli.store.registry import default_vault, find, registered
from muninn_cli.store.vault import kind_of, own_rules

EVERYONE = {"ollama", "anthropic", "openai"}


@pytest.fixture
def registrar(muninn, home):
    world = muninn.world()
    ensure_home(Home(home), world, git=False)
    return Registrar(Home(home), world)


@pytest.fixture
def vaults(registrar):
    def read():
        home = registrar.home
        return registered(read_config(home.config), home, registrar.world.user_home)

    return read


def written(tmp_path, text):
    """The vaults of a config.toml that a person wrote."""
    (tmp_path / "config.toml").write_text(text)
    home = Home(tmp_path)
    return registered(read_config(home.config), home, tmp_path / "user")


@pytest.mark.parametrize(
    ("name", "place", "kind", "expected"),
    [
        ("notes", "/a/b", "", Kind.PERSONAL),
        ("notes", "/a/b", "work", Kind.WORK),
        ("notes", "/a/b", "Global", Kind.GLOBAL),
        ("notes", "/a/b", "secret", Kind.PERSONAL),
        ("LEGAL", "/a/b", "", Kind.LEGAL),
        ("notes", "/a/Legal/b", "", Kind.LEGAL),
        ("paralegal", "/a/legal-2/b", "", Kind.PERSONAL),
        ("legal", "/a/b", "project", Kind.PROJECT),
    ],
)
def test_the_kind_of_a_vault(name, place, kind, expected):
    assert kind_of(name, Path(place), kind) is expected


class TestOwnFile:
    """`.muninn/vault.toml`."""

    @pytest.fixture
    def vault(self, registrar, vaults, tmp_path):
        def with_rules(text, kind=Kind.PROJECT):
            root = tmp_path / "notes"
            (root / ".muninn").mkdir(parents=True)
            (root / ".muninn" / "vault.toml").write_bytes(text)
            registrar.register(str(root), kind=kind)
            return vaults()[-1]

        return with_rules

    def test_makes_trust_stricter(self, vault):
        assert vault(b'kind = "legal"').kind is Kind.LEGAL

    def test_never_looser(self, vault):
        assert vault(b'kind = "global"', Kind.WORK).kind is Kind.WORK

    def test_takes_providers_away(self, vault):
        read = vault(b'deny = ["openai"]')
        assert (read.denied, read.kind, read.problem) == ({"openai"}, Kind.PROJECT, "")

    @pytest.mark.parametrize(
        "text",
        [
            b"deny = [",
            b"\xff\xfe",
            b'deni = ["openai"]',
            b'deny = "openai"',
            b'deny = ["clod"]',
            b"deny = [1]",
            b"kind = 3",
        ],
    )
    def test_that_cannot_be_understood_takes_all_away(self, vault, text):
        read = vault(text)
        assert read.denied == EVERYONE
        assert "vault.toml" in read.problem

    def test_that_is_wrong_elsewhere_still_makes_the_kind_stricter(self, vault):
        assert vault(b'kind = "legal"\nx = 1\n').kind is Kind.LEGAL

    def test_that_is_a_folder_takes_all_away(self, tmp_path):
        (tmp_path / ".muninn" / "vault.toml").mkdir(parents=True)
        assert own_rules(tmp_path).denied == EVERYONE

    def test_that_is_missing_takes_nothing_away(self, tmp_path):
        assert own_rules(tmp_path).denied == frozenset()


@pytest.mark.parametrize(
    ("kind", "managed", "ages"),
    [(Kind.WORK, True, True), (Kind.WORK, False, False), (Kind.LEGAL, True, False)],
)
def test_time_acts_in_managed_vaults_that_are_not_legal(registrar, kind, managed, ages):
    registrar.create("v", kind, git=False)
    assert registrar.manage("v", on=managed).vault.ages is ages


def test_a_renamed_vault_keeps_the_name_its_derived_ids_come_from(registrar):
    registrar.create("first", git=False)
    registrar.rename("first", "second")
    assert registrar.rename("second", "third").vault.id_name == "first"
    registrar.remove("third")
    assert registrar.create("first", git=False).vault.id_name == "first"


class TestWhichVault:
    """The vault a command means."""

    @pytest.fixture
    def chosen(self, registrar, vaults, tmp_path):
        for name in ("a", "b", "c"):
            registrar.create(name, git=False)

        def choose(explicit=None, env=None, cwd=tmp_path):
            settings = load_settings(registrar.home, {"MUNINN_VAULT_DEFAULT": "a"})
            return default_vault(vaults(), explicit, env or {}, cwd, settings).name

        return choose

    @pytest.fixture
    def project(self, tmp_path):
        below = tmp_path / "project" / "src" / "deep"
        below.mkdir(parents=True)
        (tmp_path / "project" / ".muninn.toml").write_text('vault = "b"\n')
        return below

    def test_is_the_default(self, chosen):
        assert chosen() == "a"

    def test_is_what_the_project_names(self, chosen, project):
        assert chosen(cwd=project) == "b"

    def test_is_what_the_environment_names_before_the_project(self, chosen, project):
        assert chosen(env={"MUNINN_VAULT": "c"}, cwd=project) == "c"

    def test_is_what_is_asked_for_before_all(self, chosen, project):
        assert chosen("personal", {"MUNINN_VAULT": "c"}, project) == "personal"

    def test_is_found_by_path_id_and_any_case(self, chosen, vaults):
        last = vaults()[-1]
        assert chosen(str(last.root)) == chosen(last.id) == chosen("C") == "c"

    def test_is_never_put_on_the_list_by_a_project(self, chosen, project, vaults):
        before = vaults()
        (project.parents[1] / ".muninn.toml").write_text('vault = "elsewhere"\n')
        with pytest.raises(NotFoundError, match="elsewhere"):
            chosen(cwd=project)
        assert vaults() == before

    @pytest.mark.parametrize("text", ["vault = 'b'\n[trust]\nlegal = []\n", "vault = 3", "x = 'b'"])
    def test_is_all_a_project_may_say(self, chosen, project, text):
        (project.parents[1] / ".muninn.toml").write_text(text)
        with pytest.raises(UnreadableError, match=r"\.muninn\.toml"):
            chosen(cwd=project)

    def test_that_is_missing_says_who_named_it(self, chosen):
        with pytest.raises(NotFoundError, match="MUNINN_VAULT names a vault"):
            chosen(env={"MUNINN_VAULT": "nope"})


def test_an_exact_name_goes_before_a_path(registrar, vaults, tmp_path):
    (tmp_path / "notes").mkdir()
    registrar.register(str(tmp_path / "notes"), "other")
    assert find(vaults(), "notes", tmp_path).name == "other"
    registrar.create("notes", git=False)
    assert find(vaults(), "notes", tmp_path).name == "notes"


def test_a_path_written_by_hand_may_begin_with_a_tilde(tmp_path):
    (vault,) = written(tmp_path, '[vaults.n]\nid = "x"\npath = "~/notes"\n')
    assert vault.root == tmp_path / "user" / "notes"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[vaults.n]\nid = "x"\n', "has no path"),
        ('[vaults.n]\npath = "/x"\n', "has no id"),
        ('[vaults.n]\nid = "x"\npath = "/x"\nmanged = true\n', ":4: a vault has no key manged"),
        ('[vaults.n]\nid = "x"\npath = "/x"\nmanaged = "yes"\n', ":4: vaults.n.managed must be"),
        ("vaults = 3\n", "no such setting: vaults"),
        ("[vaults]\nn = 3\n", "vaults.n is not a table"),
        ('[vaults.n]\nid="x"\npath="/x"\n[vaults.m]\nid="x"\npath="/y"\n', "share an id"),
        ('[vaults.n]\nid="x"\npath="/x"\n[vaults.m]\nid="y"\npath="/x/y"\n', "share an id"),
    ],
)
def test_a_list_that_is_wrong_is_named(muninn, home, text, words):
    home.mkdir()
    (home / "config.toml").write_text(text)
    answer = muninn("vault", "list", "--json")
    assert answer.code == 5
    assert words in answer.error["message"]


def test_an_edit_by_hand_during_a_change_is_not_overwritten(registrar):
    with editing(registrar.home, registrar.world) as config:
        registrar.home.config.write_text("# by hand\n")
        with pytest.raises(ConflictError):
            config.save("# by muninn\n")
    assert registrar.home.config.read_text() == "# by hand\n"


def test_a_list_of_identities_that_is_torn_costs_nothing_else(registrar, tmp_path):
    (tmp_path / "notes").mkdir()
    registrar.home.removed_vaults.write_text('{"v": 1, "vaul')
    assert registrar.register(str(tmp_path / "notes")).changed
