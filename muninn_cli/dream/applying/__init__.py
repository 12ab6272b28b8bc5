"""Carrying a plan out as a run that can be undone, and telling of it. Nothing is decided here."""
