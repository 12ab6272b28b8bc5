"""The tables of the index. Times are seconds since 1970 (REAL), vectors float32 or int8 blobs.

One file has one number: `file.num`, also `memory.num` where it can be read as a memory; a file
that moves keeps it. One chunk has one number: `chunk.num`, the rowid of `fulltext` and `vector`.
`memory.until` is the moment from which a live memory is hidden: its expiry, or later where an
unexpired memory links to it; NEVER_HIDDEN for what does not expire, ALWAYS_HIDDEN for what is
archived or superseded.
"""

from __future__ import annotations

APPLICATION_ID = 0x6D756E6E
SCHEMA_VERSION = 2
NEVER_HIDDEN = 9e15
ALWAYS_HIDDEN = -1.0

TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE vault(
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    managed INTEGER NOT NULL,
    ages INTEGER NOT NULL,
    usage_position INTEGER NOT NULL DEFAULT 0,
    usage_size INTEGER NOT NULL DEFAULT 0,
    newest_event REAL
);
CREATE TABLE folder(
    vault INTEGER NOT NULL,
    path TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY(vault, path)
) WITHOUT ROWID;
CREATE TABLE file(
    num INTEGER PRIMARY KEY,
    vault INTEGER NOT NULL,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    mtime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    hash BLOB NOT NULL,
    readable INTEGER NOT NULL,
    problems TEXT NOT NULL DEFAULT '[]',
    UNIQUE(vault, folder, name)
);
CREATE TABLE memory(
    num INTEGER PRIMARY KEY,
    vault INTEGER NOT NULL,
    id TEXT NOT NULL,
    stated_id TEXT NOT NULL,
    path TEXT NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL,
    type TEXT NOT NULL,
    tier TEXT NOT NULL,
    tags TEXT NOT NULL,
    source TEXT NOT NULL,
    session TEXT NOT NULL,
    importance INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    consolidate INTEGER NOT NULL,
    editable INTEGER NOT NULL,
    superseded_by TEXT NOT NULL,
    created REAL,
    created_shown TEXT NOT NULL DEFAULT '',
    valid_from REAL,
    floor REAL,
    tier_since REAL,
    first_seen REAL NOT NULL,
    text_key BLOB NOT NULL,
    tier_now TEXT NOT NULL,
    tier_now_since REAL,
    expires REAL,
    until REAL NOT NULL,
    UNIQUE(vault, id, archived, path)
);
CREATE INDEX memory_session ON memory(vault, session, created) WHERE session != '';
CREATE INDEX memory_until ON memory(until, vault);
CREATE INDEX memory_text ON memory(vault, text_key);
CREATE INDEX memory_doubled ON memory(vault, stated_id) WHERE stated_id != '' AND stated_id != id;
CREATE TABLE tag(
    tag TEXT NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY(tag, memory)
) WITHOUT ROWID;
CREATE INDEX tag_memory ON tag(memory);
CREATE TABLE name(
    key TEXT NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY(key, memory)
) WITHOUT ROWID;
CREATE INDEX name_memory ON name(memory);
CREATE TABLE link(
    memory INTEGER NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY(memory, key)
) WITHOUT ROWID;
CREATE INDEX link_key ON link(key);
CREATE TABLE chunk(
    num INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    hash BLOB NOT NULL,
    words BLOB NOT NULL,
    body_words BLOB NOT NULL,
    question INTEGER NOT NULL,
    stage INTEGER NOT NULL,
    UNIQUE(memory, position)
);
CREATE INDEX chunk_waiting ON chunk(stage) WHERE stage < 2;
CREATE TABLE spare(num INTEGER PRIMARY KEY);
CREATE TABLE embedding(chunk INTEGER PRIMARY KEY, own BLOB NOT NULL, window BLOB);
CREATE TABLE word(
    num INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE,
    stems TEXT NOT NULL,
    vector BLOB
);
CREATE TABLE word_use(word INTEGER PRIMARY KEY, chunks INTEGER NOT NULL);
CREATE TABLE usage(
    vault INTEGER NOT NULL,
    id TEXT NOT NULL,
    fold TEXT NOT NULL,
    PRIMARY KEY(vault, id)
) WITHOUT ROWID;
CREATE TABLE association(
    vault INTEGER NOT NULL,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    weight REAL NOT NULL,
    at REAL NOT NULL,
    inferred INTEGER NOT NULL,
    PRIMARY KEY(vault, a, b)
) WITHOUT ROWID;
CREATE TABLE pair(
    a INTEGER NOT NULL,
    b INTEGER NOT NULL,
    cosine REAL NOT NULL,
    relation TEXT NOT NULL DEFAULT '',
    PRIMARY KEY(a, b)
) WITHOUT ROWID;
CREATE INDEX pair_other ON pair(b);
CREATE INDEX pair_abroad ON pair(cosine) WHERE relation = 'abroad';
CREATE TABLE paired(memory INTEGER PRIMARY KEY);
CREATE TRIGGER pair_stale AFTER DELETE ON chunk BEGIN
    DELETE FROM paired WHERE memory = old.memory;
    DELETE FROM pair WHERE a = old.memory OR b = old.memory;
END;
CREATE VIRTUAL TABLE fulltext USING fts5(
    title, tags, body,
    content='', contentless_delete=1,
    tokenize='unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE fulltext_terms USING fts5vocab(fulltext, 'row');
"""
"""`own` is a chunk's vector, `window` the one searched (NULL where it equals `own`); a chunk
without a known word has no row. Both are of the embedder that `meta` names under `embedder`: no
vector of another may be compared with them. `chunk.stage` is WANTS_VECTOR, WANTS_WINDOW or DONE.

A *source*, in which neighbours lend to each other, is the chunks of one memory in their position,
or those of the live memories of one session of a vault, ordered by created, num, position.

`words` and `body_words` are uint32 numbers of `word` rows, each different word once: the whole
text with its title and tags, and the body alone. `word.word` is folded; `word.stems` are its
stems in the search languages, joined by spaces (more than one a language where words differ only
by accents); `word_use` counts the chunks whose `words` hold it. `fulltext` holds stems, not text.

Links meet names by `key` (folded: id, path without .md, its last part, title, aliases), within
one vault. `memory.tags` is a JSON list as written, `tag.tag` is folded. `memory.id` is unique
among the live memories of a vault; `stated_id` is what the file says, and differs where another
file holds that id. `text_key` is that of the body (core.text_key); where the body is empty, of the
title. `tier` is the file's, `tier_since` what is noted of it; `tier_now` and `tier_now_since`
are what usage makes of them; `expires` is NULL for what never does.

`file.problems` is a JSON list of [line, cause]; a file that is not `readable` has no memory.
`file.mtime_ns` is UNSETTLED where a later change could carry the same stamp. `vault.ages` is
whether time acts there. `usage.fold` is the JSON of a MemoryUsage, folded up to
`vault.usage_position` of its log, which was then `usage_size` bytes long. `spare` are numbers of
chunks that were removed, to be used again.

`pair` holds memories that are alike, a < b. A memory in `paired` has been compared with every other
one that is there; a change of its chunks takes it out, with its pairs. `relation` is `abroad` where
they are of two vaults, else what a reading of both texts found, empty until they are read.

`meta`: embedder and dimension (those of the vectors), model (the setting), languages, limits,
engine (`vec0`, or `scan` where the table `vector` is missing or out of date), pairs (embedder and
bound of the pairs), rules (those by which their relations were read).
"""

WANTS_VECTOR, WANTS_WINDOW, DONE = 0, 1, 2
UNSETTLED = -1

VECTOR_TABLE = """
CREATE VIRTUAL TABLE vector USING vec0(window float[{dimension}], vault integer, until float)
"""
"""Vectors have length 1, so L2 orders as cosine does: cosine = 1 - distance² / 2. Metadata are
typed: `until` must be bound as a float, `vault` as an integer. Rows of removed chunks stay, since
vec0 does not give their space back: they lie in the vault NO_VAULT, hidden, far from any query."""

NO_VAULT = -1
