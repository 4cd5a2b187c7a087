"""Every way a command can end, as an exit code."""

from __future__ import annotations

import sys
import warnings

import click

DONE, DATA, INTERRUPTED = 0, 1, 130


def exit_code(command: click.Command) -> int:
    """Run a command on the process's arguments; print what went wrong and return the exit code."""
    from treewright import TreewrightError

    try:
        with warnings.catch_warnings():
            _warn_in_one_line()
            result = command.main(prog_name="treewright", standalone_mode=False)
        if result == INTERRUPTED:
            return _failed("Stopped.", INTERRUPTED)
        return result if isinstance(result, int) else DONE
    except click.Abort:
        return _failed("Stopped.", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except TreewrightError as error:
        return _failed(f"Error: {error}", DATA)
    except OSError as error:
        named = "" if error.filename is None else f"{error.filename}: "
        return _failed(f"Error: {named}{error.strerror or error}", DATA)


def _failed(message: str, code: int) -> int:
    click.echo(message, err=True)
    return code


def _warn_in_one_line() -> None:
    """Show warnings as sentences, without the source line that raised them."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        print(f"Warning: {message}", file=sys.stderr)

    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = show
