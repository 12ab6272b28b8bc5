"""Every failure a person can meet: what happened, what to type next, and the exit code.

Nothing here prints. The command line shows `message`, then `hint`, and ends with `exit_code`.
"""

from __future__ import annotations


class MuninnError(Exception):
    """A failure to be shown as one line, never as a trace.

    `message` says what happened and where; `hint` is what to type next, or empty.
    `code` is the stable name of the failure in JSON output.
    """

    exit_code = 1
    code = "failed"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MuninnError):
    """The command was called in a way that has no meaning."""

    exit_code = 2
    code = "usage"


class NotFoundError(MuninnError):
    """No such memory, vault or setting."""

    exit_code = 3
    code = "not_found"


class ConflictError(MuninnError):
    """Changed under us, already there, or ambiguous."""

    exit_code = 4
    code = "conflict"


class UnreadableError(MuninnError):
    """Front matter or settings that cannot be read; the message names path and line."""

    exit_code = 5
    code = "unreadable"


class ProviderError(MuninnError):
    """The provider asked for is not reachable, or trust forbids it."""

    exit_code = 6
    code = "provider"


class BusyError(MuninnError):
    """Another muninn holds the lock."""

    exit_code = 7
    code = "busy"


class TimedOutError(MuninnError):
    """The time limit ran out; nothing was changed."""

    exit_code = 8
    code = "timed_out"
