"""Options of pruning: a rule by its name or from a file, and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._method import spelling
from treewright.cli._options import options, parameter_option
from treewright.cli._sections import Option

if TYPE_CHECKING:
    from treewright.evolution import LearnedPruning
    from treewright.pruning import PruningRule


PREFIX = "learned:"

_AROUND = ("the text is no learned rule (", "); give what to_json returned")
"""What stands around the reason where a text is no rule: here it came from a file."""


class RuleOrFile(click.Choice[str]):
    """One of some names, the name of a learned rule, or that of a file that holds one.

    Names that are known only to be refused with a reason are not told.
    """

    def __init__(self, choices: Sequence[str], *, untold: Sequence[str] = ()) -> None:
        super().__init__(choices)
        self._told = [name for name in choices if name not in untold]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text as it was given if it names anything."""
        if value not in self.choices and not names_learned(str(value)):
            if Path(str(value)).is_dir():
                self.fail(
                    f"{value!r} is a folder; give a file that `treewright evolve --out` wrote.", param, ctx
                )
            names = ", ".join(map(repr, self._told))
            rest = f"nor {PREFIX}NAME, nor a file that `treewright evolve --out` wrote"
            self.fail(f"{value!r} is not one of {names}, {rest}.", param, ctx)
        return value


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


pruning_option = partial(click.option, cls=Option, section="Pruning")

RULES = {
    "error-based": "ErrorBasedPruning",
    "tuned-error-based": "TunedErrorBasedPruning",
    "naive-error": "NaiveErrorPruning",
    "observed-error": "ObservedErrorPruning",
    "pessimistic": "PessimisticPruning",
    "cost-complexity": "CostComplexityPruning",
    "minimum-error": "MinimumErrorPruning",
    "reduced-error": "ReducedErrorPruning",
    "published-evolved": "PublishedEvolvedPruning",
    "estimator": "EstimatorPruning",
}
"""The rules by their names on the command line, in the order of the documentation."""

GROWING = ("tuned-error-based",)
"""Those of them that grow trees, which a saved tree does not say how to."""


_RULES_OF = (
    ("confidence", "ErrorBasedPruning", "error-based"),
    ("limit", "ErrorBasedPruning", "error-based, tuned-error-based"),
    ("grafting", "ErrorBasedPruning", "error-based, tuned-error-based"),
    ("alpha", "CostComplexityPruning", "cost-complexity"),
    ("m", "MinimumErrorPruning", "minimum-error"),
    ("slack", "EstimatorPruning", "published-evolved, estimator"),
    ("f", "EstimatorPruning", "estimator"),
)
"""The parameters of rules, the class that tells of each, and the rules that have it."""

_OF_FIT = (
    ("share", "ReducedErrorPruning", "reduced-error"),
    ("cv", "TunedErrorBasedPruning", "tuned-error-based, cost-complexity with --alpha cv"),
    ("random_state", "ReducedErrorPruning", "reduced-error, tuned-error-based, --alpha cv"),
)
"""Those of rules that draw samples or grow trees, for commands that do."""


def _options_of_rules(grows: bool) -> dict[str, Any]:
    """Return the options of the parameters; some are told otherwise where trees can be grown."""
    words = {"or_cv": ", or cv" if grows else "", "where": "" if grows else " where DATA is given"}
    shown = _RULES_OF + _OF_FIT if grows else _RULES_OF
    return {
        name: parameter_option(
            f"treewright.pruning.{of_class}",
            name,
            section="Pruning",
            opening=f"{rules if grows else rules.removesuffix(', tuned-error-based')}: ",
            **words,
        )
        for name, of_class, rules in shown
    }


def takes_rule(
    option: str,
    *,
    grows: bool,
    help_text: str,
    default: str | None = None,
    usual: Callable[[dict[str, Any]], str] | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Give a command the options of a rule and of its parameters; it receives a rule, or None, as `rule`.

    A command that grows the tree has the parameters of drawing samples, too. `usual` says from its other
    parameters which rule it takes if none is named; "none" is one of its rules.
    """
    names = [name for name in RULES if grows or name not in GROWING]
    chosen = pruning_option(
        option,
        "rule_name",
        type=RuleOrFile([*RULES, *(["none"] if usual else [])], untold=() if grows else GROWING),
        metavar="RULE",
        default=default,
        otherwise="none, with --growth c45 error-based" if usual else None,
        help=f"{help_text}: {', '.join([*names, *(['none'] if usual else [])])}; learned:NAME, one that came "
        "with the package; or a file that `treewright evolve --out` wrote.",
    )
    known = _options_of_rules(grows)

    def decorator(function: Callable[..., Any]) -> Any:
        @wraps(function)
        def command(rule_name: str | None, **parameters: Any) -> Any:
            taken = {name: parameters.pop(name) for name in known}
            given = {name: value for name, value in taken.items() if value is not None}
            named = rule_name or (usual(parameters) if usual else "none")
            if named == "none":
                _refuse(given, f"does not go with {option} none" if rule_name else f"goes with {option} only")
                return function(rule=None, **parameters)
            return function(rule=_rule(named, given, option), **parameters)

        return options(chosen, *known.values())(command)

    return decorator


def _refuse(given: Iterable[str], relation: str) -> None:
    """Refuse parameters that the rule has no use for."""
    for parameter in given:
        raise click.UsageError(f"{spelling(parameter)} {relation}; leave it out.")


def _rule(name: str, given: dict[str, Any], option: str) -> PruningRule:
    """Make the rule; a parameter that it does not have is refused."""
    from treewright import pruning

    if name not in RULES:
        _refuse(given, f"does not go with {option} {name}")
        return learned_rule(name)
    make = getattr(pruning, RULES[name])
    _refuse(
        [parameter for parameter in given if parameter not in make._get_param_names()],
        f"does not go with {option} {name}",
    )
    if name == "cost-complexity" and given.get("alpha") != "cv":
        drawing = [parameter for parameter in ("cv", "random_state") if parameter in given]
        _refuse(drawing, f"goes with {option} {name} only where --alpha is cv")
    if name == "estimator" and "f" not in given:
        raise click.UsageError(f"{option} estimator needs --estimate TEXT, such as '(n - c + 1) / (n + 2)'.")
    rule: PruningRule = make(**given)
    rule._check()
    return rule
