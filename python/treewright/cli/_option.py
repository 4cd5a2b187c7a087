"""An option that knows what help tells of it, and what Python calls it."""

from __future__ import annotations

from typing import Any

import click


class Words(click.Choice[str]):
    """One of some words; dashes and underscores between their parts are alike."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word."""
        alike = {_plain(word): word for word in self.choices}
        return super().convert(alike.get(_plain(str(value)), value), param, ctx)


def _plain(word: str) -> str:
    return word.replace("-", "_")


class Option(click.Option):
    """An option that knows its heading, what it is if it is not given, and the parameter it stands for."""

    def __init__(
        self, *args: Any, section: str, otherwise: object = None, parameter: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.section, self.parameter = section, parameter
        self.otherwise = self.default if otherwise is None and not self.is_flag else otherwise

    @property
    def word(self) -> str:
        """What Python calls it; a file of options too."""
        own = self.opts[0].lstrip("-").replace("-", "_")
        return own if self.parameter is None or self.parameter != self.name else self.parameter

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return what stands on the left and on the right of the help screen."""
        names = "/".join([*self.opts, *self.secondary_opts])
        left = " ".join([names, *([self.metavar] if self.metavar else [])])
        is_told = isinstance(self.otherwise, str | int | float) and not isinstance(self.otherwise, bool)
        return left, f"{self.help}  [default: {self.otherwise}]" if is_told else f"{self.help}"

    def in_short(self, ctx: click.Context, room: int) -> tuple[str, str]:
        """Return the same with as much of the text as one line or two have room for."""
        left, right = self.get_help_record(ctx)
        text, bracket, default = right.partition("  [default: ")
        sentence = text.partition(". ")[0].rstrip(".")
        if len(sentence) > room:
            sentence = _without_rules(sentence)
        for mark in ("; ", ": "):
            if len(sentence) > room:
                sentence = sentence.partition(mark)[0]
        told = f"{sentence}{self._choices(sentence)}."
        ways = (f"{told}{bracket}{default}", f"{sentence}.{bracket}{default}", told)
        return left, next((way for way in ways if len(way) <= room), f"{sentence}.")

    def _choices(self, sentence: str) -> str:
        """Return the words that can be chosen, if the sentence names none."""
        words = list(self.type.choices) if isinstance(self.type, click.Choice) else []
        if not words or any(word in sentence for word in words):
            return ""
        return f": {', '.join(words[:-1])} or {words[-1]}"


def _without_rules(sentence: str) -> str:
    """Leave out the rules of pruning that a parameter belongs to, which stand before its meaning."""
    rules, colon, meaning = sentence.partition(": ")
    return meaning if colon and rules.islower() and meaning[:1].isupper() else sentence
