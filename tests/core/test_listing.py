"""Listings of folders: digests, differences, and where files went."""

from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.listing import diff, digest, pair_moves, too_many_gone

NAMES = st.text(min_size=1, max_size=4)
LISTINGS = st.dictionaries(
    NAMES, st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), max_size=8
).map(lambda files: [(name, *stamp) for name, stamp in files.items()])
PATHS = st.sampled_from(["a", "b", "c", "x/a", "x/b", "y/a", "y/c"])
CONTENTS = st.sampled_from([b"1", b"2", b"3", b"4"])
FOLDERS = st.dictionaries(PATHS, CONTENTS)


@given(LISTINGS, LISTINGS)
def test_what_a_difference_says_makes_the_one_listing_from_the_other(known, found):
    difference = diff(known, found)
    files = {stamp[0]: stamp for stamp in known}
    for name in difference.vanished:
        del files[name]
    for stamp in (*difference.appeared, *difference.restamped):
        files[stamp[0]] = stamp
    assert files == {stamp[0]: stamp for stamp in found}


@given(LISTINGS, LISTINGS)
def test_a_difference_names_nothing_that_is_the_same(known, found):
    difference = diff(known, found)
    same = set(known) & set(found)
    named = {stamp[0] for stamp in (*difference.appeared, *difference.restamped)}
    assert not named & {stamp[0] for stamp in same}
    assert not set(difference.vanished) & {stamp[0] for stamp in found}


@given(LISTINGS, LISTINGS)
def test_digests_are_equal_just_for_equal_listings(one, other):
    assert (digest(one) == digest(other)) == (one == other)


def test_a_digest_is_made_of_names_that_are_no_unicode_too():
    assert digest([("caf\udce9.md", 1, 2, 3)]) != digest([("caf\udcea.md", 1, 2, 3)])


def changed(before, after):
    lost = {path: content for path, content in before.items() if after.get(path) != content}
    gained = {path: content for path, content in after.items() if before.get(path) != content}
    return lost, gained


@given(FOLDERS, FOLDERS)
def test_a_move_joins_a_lost_path_and_a_gained_one_of_the_same_content(before, after):
    lost, gained = changed(before, after)
    moves = pair_moves(lost, gained)
    assert all(gained[new] == lost[old] for new, old in moves.items())
    assert len(set(moves.values())) == len(moves)


@given(FOLDERS, FOLDERS)
def test_a_file_leaves_a_path_that_still_stands_only_for_another_that_comes_there(before, after):
    lost, gained = changed(before, after)
    moves = pair_moves(lost, gained)
    assert all(old in moves for old in moves.values() if old in gained)


@given(FOLDERS, st.permutations(["a", "b", "c", "x/a", "x/b", "y/a", "y/c"]))
def test_a_shuffle_of_different_files_is_followed_whole(before, shuffled):
    before = {path: f"{path}{content}".encode() for path, content in before.items()}
    goes = dict(zip(["a", "b", "c", "x/a", "x/b", "y/a", "y/c"], shuffled, strict=True))
    after = {goes[path]: content for path, content in before.items()}
    moves = pair_moves(*changed(before, after))
    assert moves == {goes[path]: path for path in before if goes[path] != path}


def test_a_swap_is_two_moves():
    assert pair_moves({"a": b"1", "b": b"2"}, {"a": b"2", "b": b"1"}) == {"a": "b", "b": "a"}


def test_a_rotation_is_followed():
    lost, gained = {"new": b"2", "old": b"1"}, {"old": b"2", "older": b"1"}
    assert pair_moves(lost, gained) == {"old": "new", "older": "old"}


def test_a_copy_made_before_an_edit_is_no_move():
    assert pair_moves({"note": b"1"}, {"note": b"2", "note (copy)": b"1"}) == {}


def test_a_file_copied_over_another_and_then_edited_is_no_move():
    assert pair_moves({"a": b"1", "b": b"2"}, {"a": b"3", "b": b"1"}) == {}


def test_of_equal_files_each_keeps_its_name():
    lost = {"x/a": b"1", "x/b": b"1"}
    assert pair_moves(lost, {"y/b": b"1", "y/a": b"1"}) == {"y/a": "x/a", "y/b": "x/b"}


def test_only_more_than_half_and_more_than_a_handful_is_too_much():
    assert too_many_gone(known=10, gone=6)
    assert not too_many_gone(known=12, gone=6)
    assert not too_many_gone(known=5, gone=5)
