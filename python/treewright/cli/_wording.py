"""Messages about parameters, in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

import click

_OTHER_NAMES = {
    "validation_set": "--validation-set",
    "random_state": "--seed",
    "cv": "--folds",
    "feature_groups": "--group",
    "feature_costs": "--cost",
    "cost_budget": "--budget",
    "kinds": "--nominal' / '--numeric",
}
"""Options whose parameter has another name in Python."""

QUOTE = "'"


def in_options(message: str, parameters: Sequence[click.Parameter]) -> str:
    """Say with the names of options what a message says with the names of parameters.

    ``min_samples_split=-1.0 must be a finite number`` becomes ``Invalid value for '--min-samples-split':
    -1.0 must be a finite number``, as a value that the command line itself refuses is told.
    """
    options = {str(p.name): p.opts[0] for p in parameters if isinstance(p, click.Option)} | _OTHER_NAMES
    opening = re.match(r"(\w+)(?:\[\d+\])*(?:=| is )", message)
    if opening is None or opening[1] not in options:
        return _renamed(message, options)
    rest = _renamed(message[opening.end() :], options).replace(" must be None or ", " must be ", 1)
    rest = rest.replace(", or None for no limit", ", or leave it out for no limit")
    return f"Invalid value for '{options[opening[1]]}': {rest}"


def _renamed(text: str, options: Mapping[str, str]) -> str:
    """Put options where parameters are named; a plain word is one only where it has a value."""
    for name, option in options.items():
        text = re.sub(rf"\b{name}=True\b", option, text)
        text = re.sub(rf"\b{name}=False\b", f"no {option}", text)
        text = _chosen(name, option, text)
        text = re.sub(rf"\b{name}=", f"{option} ", text)
        text = re.sub(rf"\b{name}\[(\d+)\]", partial(_counted, option), text)
        if "_" in name:
            text = re.sub(rf"(?<!')\b{name}\b(?!')", option, text)
    return re.sub(r"(?<!')\bX\b(?!')", "DATA", text)


def _chosen(name: str, option: str, text: str) -> str:
    """Write a word that a parameter has, and the other words it may have, without quotes."""
    words = rf"\b{name}=('[^']*'(?:,? (?:or|not with) (?:'[^']*'|None))*)"
    return re.sub(
        words, lambda found: f"{option} {found[1].replace(QUOTE, '').replace('None', 'none')}", text
    )


def about_data(message: str, parameters: Sequence[click.Parameter]) -> str:
    """Say with the names of options what a message about data proposes, such as ``missing='mean'``."""
    for parameter in parameters:
        if isinstance(parameter, click.Option):
            message = _chosen(str(parameter.name), parameter.opts[0], message)
    return message


def _counted(option: str, place: re.Match[str]) -> str:
    """Count from 1 the options that were given several times."""
    return f"{option} no. {int(place[1]) + 1}"
