"""The verbs of the command line: listed by what one wants, each imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

import click
from click.shell_completion import CompletionItem


@dataclass(frozen=True)
class Verb:
    """A command: its name, the module that holds it, and what the list of commands says of it."""

    name: str
    home: str
    summary: str
    function: str = ""
    """Empty where the command is called as its module."""

    def load(self) -> click.Command:
        """Import the command."""
        found = getattr(import_module(f"treewright.cli.{self.home}"), self.function or self.home)
        assert isinstance(found, click.Command), f"{self.home} holds a command"
        return found


class Verbs(click.Group):
    """A group whose help lists its commands by what one wants, without importing them."""

    verbs: Mapping[str, Sequence[Verb]] = {}
    """The commands by what one wants."""

    @property
    def _by_name(self) -> dict[str, Verb]:
        return {verb.name: verb for listed in self.verbs.values() for verb in listed}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(self._by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        verb = self._by_name.get(cmd_name)
        return None if verb is None else verb.load()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list for every wish, the texts below one another."""
        width = max(map(len, self._by_name))
        for wish, listed in self.verbs.items():
            with formatter.section(wish):
                formatter.write_dl([(verb.name.ljust(width), verb.summary) for verb in listed])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands, and options."""
        names = [
            CompletionItem(verb.name, help=verb.summary)
            for verb in self._by_name.values()
            if verb.name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]
