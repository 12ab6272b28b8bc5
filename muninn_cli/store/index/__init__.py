"""The index: a disposable SQLite database beside the files, rebuilt from them whenever needed."""
