"""The tables of the index. All times are seconds since 1970 (REAL), all vectors float32 or int8 blobs.

One chunk has one number: it is `chunk.num`, the rowid of `fulltext` and of `vector`.
`memory.until` is the moment from which a live memory is hidden: its expiry, or later where an
unexpired memory links to it; NEVER_HIDDEN for what does not expire, ALWAYS_HIDDEN for what is
archived or superseded.
"""

from __future__ import annotations

SCHEMA_VERSION = 1
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
    usage_offset INTEGER NOT NULL DEFAULT 0
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
    text_hash BLOB NOT NULL,
    tier_now TEXT NOT NULL,
    tier_now_since REAL,
    expires REAL,
    until REAL NOT NULL,
    UNIQUE(vault, id, archived, path)
);
CREATE INDEX memory_session ON memory(vault, session, created) WHERE session != '';
CREATE INDEX memory_until ON memory(until);
CREATE INDEX memory_text ON memory(vault, text_hash);
CREATE TABLE tag(tag TEXT NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY(tag, memory)) WITHOUT ROWID;
CREATE INDEX tag_memory ON tag(memory);
CREATE TABLE name(key TEXT NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY(key, memory)) WITHOUT ROWID;
CREATE INDEX name_memory ON name(memory);
CREATE TABLE link(memory INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY(memory, key)) WITHOUT ROWID;
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
    UNIQUE(memory, position)
);
CREATE TABLE embedding(chunk INTEGER PRIMARY KEY, own BLOB NOT NULL, window BLOB);
CREATE TABLE word(
    num INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE,
    stems TEXT NOT NULL,
    vector BLOB
);
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
CREATE VIRTUAL TABLE fulltext USING fts5(
    title, tags, body,
    content='', contentless_delete=1,
    tokenize='unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE fulltext_terms USING fts5vocab(fulltext, 'row');
"""
"""`own` is a chunk's vector, `window` the one searched (NULL where it equals `own`).

`words` and `body_words` are uint32 numbers of `word` rows, each different word once: the whole
text with its title, and the body alone. `word.stems` is one stem per search language, joined by
spaces. `fulltext` holds stems, not the text. Links meet names by `key` (folded id, path, stem
of the file name, title, alias). `usage.fold` is the JSON of a MemoryUsage.
"""

VECTOR_TABLE = """
CREATE VIRTUAL TABLE vector USING vec0(window float[{dimension}], vault integer, until float)
"""
"""Vectors have length 1, so L2 orders as cosine does: cosine = 1 - distance² / 2."""
