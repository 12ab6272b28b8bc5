"""Asking a model about what only a judge can settle; its answer is untrusted input."""
