"""Forgetting: archive and restore, purge, the sweep, and what a person may change about a memory.

Nothing here destroys a text but `purge`. What touches more than one memory is a run, and can be
undone.
"""
