"""One run of the program: from arguments to an exit code.

Every failure ends here as one line and a code; a broken pipe ends in silence.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.group import PROGRAM, muninn
from muninn_cli.errors import MuninnError
from muninn_cli.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NoReturn, TextIO

    from muninn_cli.store.scout import Scout

TERMINATED = 143
_COMPLETION = "_MUNINN_COMPLETE"


class Terminated(BaseException):
    """SIGTERM arrived: what is open is closed on the way out."""


class InterruptedByPersonError(MuninnError):
    """Ctrl-C."""

    exit_code = 130
    code = "interrupted"


def run(argv: Sequence[str], world: World | None, scout: Scout | None = None) -> int:
    """Run the command that `argv` names in a world, by default the real one."""
    if world is None:
        world = World.real()
        _end_on_sigterm()
    call = Call(world, scout)
    call.flags.json = _asks_json(argv)
    with _streams(world):
        code = _code(argv, call)
    return _flushed(call, code)


def _code(argv: Sequence[str], call: Call) -> int:
    try:
        return _invoke(argv, call)
    except BrokenPipeError:
        _silence(call.world.stdout)
        return 0
    except Terminated:
        return TERMINATED
    except (Exception, KeyboardInterrupt) as error:
        return _told(call, _failure(call, error))


def _invoke(argv: Sequence[str], call: Call) -> int:
    """Parse and run; click's own `main` would print and exit in its own ways."""
    instruction = call.world.env.get(_COMPLETION)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(muninn, {"obj": call}, PROGRAM, _COMPLETION, instruction)
    try:
        with muninn.make_context(
            PROGRAM, list(argv), obj=call, terminal_width=call.sheet.width
        ) as ctx:
            muninn.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as usage:
        call.console.write(usage.format_message() + "\n")
    return 0


def _failure(call: Call, error: BaseException) -> MuninnError:
    """A failure as people are to be told of it."""
    match error:
        case MuninnError():
            return error
        case click.UsageError():
            from muninn_cli.cli.misuse import misuse

            return misuse(error)
        case click.ClickException():
            return MuninnError(error.format_message())
        case KeyboardInterrupt() | click.Abort():
            return InterruptedByPersonError("interrupted")
    return _unforeseen(call, error)


def _unforeseen(call: Call, error: BaseException) -> MuninnError:
    """A failure nobody foresaw: one line, with the trace for those who ask for it."""
    if call.flags.verbose:
        import traceback

        call.world.stderr.write("".join(traceback.format_exception(error)))
    if isinstance(error, OSError) and error.strerror:
        place = error.filename or "cannot write the output"  # only a stream has no name
        return MuninnError(f"{place}: {error.strerror}")
    if type(error).__module__ == "apsw":  # not imported by every command
        return MuninnError(f"the index cannot be used: {error}", "`muninn reindex` makes it anew")
    message = f"unexpected {type(error).__name__}: {error}"
    return MuninnError(message, "this is a fault of muninn; -v shows where")


def _asks_json(argv: Sequence[str]) -> bool:
    """Whether the arguments ask for JSON: known before they parse, for the error if they do not."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options or "--ndjson" in options


def _told(call: Call, error: MuninnError) -> int:
    call.console.error(error)
    return error.exit_code


def _flushed(call: Call, code: int) -> int:
    """Flush what was printed; a full disk behind stdout is a failure, a closed pipe is not."""
    try:
        call.world.stdout.flush()
    except BrokenPipeError:
        _silence(call.world.stdout)
    except OSError as error:
        _silence(call.world.stdout)
        return _told(call, MuninnError(f"cannot write the output: {error.strerror}"))
    return code


def _silence(stream: TextIO) -> None:
    """Point a broken stream at the null device, or Python complains when it exits."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return


@contextmanager
def _streams(world: World) -> Iterator[None]:
    """Let click, which prints its help to sys.stdout, print into this world."""
    if world.stdout is sys.stdout and world.stderr is sys.stderr:
        yield
        return
    with redirect_stdout(world.stdout), redirect_stderr(world.stderr):
        yield


def _end_on_sigterm() -> None:
    import signal

    def end(_number: int, _frame: object) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise Terminated

    signal.signal(signal.SIGTERM, end)
