"""How a greedy tree grows and is pruned: a rule by its name or from a file, and its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._growing import TREE
from treewright.cli._option import Option
from treewright.cli._options import (
    CommandFunction,
    Decorator,
    options,
    parameter_option,
    spelling,
)
from treewright.cli._signature import Given, given, names_in, parameters_of
from treewright.cli._source import is_file

if TYPE_CHECKING:
    from treewright import Dataset, GreedyTreeClassifier
    from treewright.evolution import LearnedPruning
    from treewright.pruning import PruningRule


def growth_option(usual: str, *, prunes: bool) -> Decorator:
    """Return the option of the manner of growing; `prunes`: whether C4.5's growth brings its pruning, too."""
    pruned = " and pruned" if prunes else ""
    return parameter_option(TREE, "growth", section="Growing", default=usual, pruned=pruned)


def refuse_numbers(growth: str, name: str, dataset: Dataset) -> None:
    """Refuse numeric columns where trees grow as ID3's, in the words of the command line."""
    from treewright import DataError

    if growth == "id3" and "numeric" in dataset.kinds:
        column = dataset.feature_names[dataset.kinds.index("numeric")]
        declared = ", or say with --nominal COL which columns hold names" if is_file(name) else ""
        raise DataError(
            f"{name}: trees grow by --growth id3, which takes nominal features only, and column {column!r} "
            f"is numeric; grow them by --growth standard{declared}"
        )


def classifier(growth: str, parameters: Given) -> GreedyTreeClassifier:
    """Return a classifier with the defaults that are usual for a growth; what is given wins."""
    from treewright import GreedyTreeClassifier

    presets = {"id3": GreedyTreeClassifier.id3, "c45": GreedyTreeClassifier.c45}
    return presets.get(growth, GreedyTreeClassifier)(**parameters)


PREFIX = "learned:"

_AROUND = ("the text is no learned rule (", "); give what to_json returned")
"""What stands around the reason where a text is no rule: here it came from a file."""


class RuleOrFile(click.Choice[str]):
    """One of some names, the name of a learned rule, or that of a file that holds one.

    A name is taken as Python writes it too (``error_based``). Names that are known only to be refused with a
    reason are not told.
    """

    def __init__(self, choices: Sequence[str], *, untold: Sequence[str] = ()) -> None:
        super().__init__(choices)
        self._told = [name for name in choices if name not in untold]

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of a rule, or the text as it was given if it names anything."""
        if (name := str(value).replace("_", "-")) in self.choices:
            return name
        if not names_learned(str(value)):
            if Path(str(value)).is_dir():
                self.fail(
                    f"{value!r} is a folder; give a file that `treewright evolve --out` wrote.", param, ctx
                )
            names = ", ".join(map(repr, self._told))
            rest = f"nor {PREFIX}NAME, nor a file that `treewright evolve --out` wrote"
            self.fail(f"{value!r} is not one of {names}, {rest}.", param, ctx)
        return str(value)


def names_learned(text: str) -> bool:
    """Whether a text is meant as the name or the file of a learned rule."""
    return text.startswith(PREFIX) or text.endswith(".json") or Path(text).is_file()


def learned_rule(text: str) -> LearnedPruning:
    """Return the rule that a text names."""
    from treewright import FormatError
    from treewright.evolution import LearnedPruning

    if text.startswith(PREFIX):
        known = LearnedPruning.presets()
        if text.removeprefix(PREFIX) not in known:
            names = ", ".join(PREFIX + name for name in known)
            raise click.UsageError(f"{text} is not known; learned rules that came with the package: {names}")
        return LearnedPruning.preset(text.removeprefix(PREFIX))
    try:
        return LearnedPruning.from_json(Path(text).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, FormatError) as error:
        reason = str(error).removeprefix(_AROUND[0]).removesuffix(_AROUND[1])
        raise FormatError(
            f"{text} holds no learned rule ({reason}); give a file that `treewright evolve --out` wrote"
        ) from error


def _name(of_class: str) -> str:
    """Return the name of a rule on the command line: that of its class, in small letters."""
    return re.sub("(?<!^)(?=[A-Z])", "-", of_class.removesuffix("Pruning")).lower()


RULES = {_name(one): one for one in names_in("treewright.pruning") if one.endswith("Pruning")}
"""The rules by their names on the command line."""

GROWING = ("tuned-error-based",)
"""Those of them that grow trees, which a saved tree does not say how to."""

OF_CV = ("cv", "random_state")
"""Parameters that cost-complexity has a use for only where it chooses by cross-validation."""

OF_FIT = ("share", *OF_CV)
"""Parameters of rules that draw samples or grow trees, for commands that do."""

UNTOLD = ("confidences",)
"""Parameters that have no option."""


def _rules(grows: bool) -> list[str]:
    """Return the rules that a command takes."""
    return [rule for rule in RULES if grows or rule not in GROWING]


def _options_of_rules(grows: bool) -> dict[str, Decorator]:
    """Return the options of the parameters of all rules, each told by the first that has it.

    Some are told otherwise where trees can be grown.
    """
    usual = "Usual with error-based, not with tuned-error-based." if grows else "Usual where DATA is given."
    having: dict[str, list[str]] = {}
    for rule in _rules(grows):
        for parameter in parameters_of(f"treewright.pruning.{RULES[rule]}"):
            if parameter not in UNTOLD and (grows or parameter not in OF_FIT):
                having.setdefault(parameter, []).append(rule)
    return {
        parameter: parameter_option(
            f"treewright.pruning.{RULES[rules[0]]}",
            parameter,
            section="Pruning",
            opening=f"{', '.join(_with(rule, parameter) for rule in rules)}: ",
            or_cv=", or cv" if grows else "",
            usual=usual,
        )
        for parameter, rules in having.items()
    }


def _with(rule: str, parameter: str) -> str:
    return f"{rule} with --alpha cv" if rule == "cost-complexity" and parameter in OF_CV else rule


def takes_rule(option: str, *, grows: bool, help_text: str) -> Decorator:
    """Return what gives a command the options of a rule and its parameters; it receives a rule, or None.

    A command that grows the tree has the parameters of drawing samples, too, and prunes by no rule unless one
    is named, or C4.5's growth brings its own; the other one prunes by error-based as a rule.
    """
    names = [*_rules(grows), *(["none"] if grows else [])]
    chosen = click.option(
        option,
        "rule_name",
        cls=Option,
        section="Pruning",
        type=RuleOrFile([*RULES, *(["none"] if grows else [])], untold=() if grows else GROWING),
        metavar="RULE",
        otherwise="none, with --growth c45 error-based" if grows else "error-based",
        help=f"{help_text}: {', '.join(names)}; learned:NAME, a learned rule of the package; or a file that "
        "`treewright evolve --out` wrote.",
    )
    known = _options_of_rules(grows)

    def decorator(function: CommandFunction) -> CommandFunction:
        @wraps(function)
        def command(rule_name: str | None, **parameters: object) -> object:
            taken = given(**{name: parameters.pop(name) for name in known})
            has_own = not grows or parameters["growth"] == "c45"
            named = rule_name or ("error-based" if has_own else "none")
            if named == "none":
                _refuse(taken, f"does not go with {option} none" if rule_name else f"goes with {option} only")
            return function(rule=None if named == "none" else _rule(named, taken, option), **parameters)

        return options(chosen, *known.values())(command)

    return decorator


def _refuse(parameters: Iterable[str], relation: str) -> None:
    """Refuse parameters that the rule has no use for."""
    for parameter in parameters:
        raise click.UsageError(f"{spelling(parameter)} {relation}; leave it out.")


def _rule(name: str, taken: Given, option: str) -> PruningRule:
    """Make the rule; a parameter that it does not have is refused."""
    from treewright import pruning

    if name not in RULES:
        _refuse(taken, f"does not go with {option} {name}")
        return learned_rule(name)
    of_rule = parameters_of(f"treewright.pruning.{RULES[name]}")
    _refuse([one for one in taken if one not in of_rule], f"does not go with {option} {name}")
    if name == "cost-complexity" and taken.get("alpha") != "cv":
        drawing = [parameter for parameter in OF_CV if parameter in taken]
        _refuse(drawing, f"goes with {option} {name} only where --alpha is cv")
    if name == "estimator" and "f" not in taken:
        raise click.UsageError(f"{option} estimator needs --estimate TEXT, such as '(n - c + 1) / (n + 2)'.")
    rule: PruningRule = getattr(pruning, RULES[name])(**taken)
    return rule
