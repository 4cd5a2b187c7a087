"""Options of pruning: a rule by its name, and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._learned import RuleOrFile, learned_rule
from treewright.cli._method import spelling
from treewright.cli._options import options
from treewright.cli._sections import Option

if TYPE_CHECKING:
    from treewright.trees.pruning.rule import PruningRule

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


class _PriceOrCv(click.ParamType[Any]):
    """A number, or the word cv."""

    name = "number or cv"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return "cv" as it is, anything else as a float."""
        if value == "cv":
            return value
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number nor cv.", param, ctx)


class _Share(click.ParamType[float]):
    """A number, also as a fraction."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return a number, or one divided by another."""
        try:
            return float(Fraction(value)) if "/" in str(value) else float(value)
        except (ValueError, ZeroDivisionError, OverflowError):
            self.fail(f"{value!r} is neither a number nor a fraction such as 1/3.", param, ctx)


def _of_a_rule(grows: bool) -> dict[str, Any]:
    """Return the options of the parameters; some are told otherwise where trees can be grown."""
    of_limits = "error-based, tuned-error-based" if grows else "error-based"
    is_default = (
        "error-based (on by default), tuned-error-based (off)"
        if grows
        else "error-based (on by default where DATA is given)"
    )
    return {
        "confidence": pruning_option(
            "--confidence",
            type=float,
            metavar="P",
            otherwise=0.25,
            help="error-based: probability that errors exceed the limit by chance; less prunes more.",
        ),
        "limit": pruning_option(
            "--limit",
            type=click.Choice(["c45", "weka", "exact", "wilson"]),
            metavar="NAME",
            otherwise="c45",
            help=f"{of_limits}: the upper limit, c45, weka, exact or wilson.",
        ),
        "grafting": pruning_option(
            "--grafting/--no-grafting",
            default=None,
            help=f"{is_default}: whether a node may be replaced by its largest branch.",
        ),
        "alpha": pruning_option(
            "--alpha",
            type=_PriceOrCv(),
            metavar="ERRORS",
            otherwise=1,
            help=f"cost-complexity: what a leaf costs, in errors{', or cv' if grows else ''}.",
        ),
        "m": pruning_option(
            "--m",
            type=float,
            metavar="WEIGHT",
            otherwise=2,
            help="minimum-error: weight of the class shares at the root.",
        ),
        "slack": pruning_option(
            "--slack",
            type=float,
            metavar="RATE",
            otherwise=0,
            help="published-evolved, estimator: how much worse a leaf may be.",
        ),
        "f": pruning_option(
            "--estimate",
            "f",
            metavar="TEXT",
            help="estimator: error rate of a leaf of n rows, c of them of its class, such as "
            "'(n - c + 1) / (n + 2)'.",
        ),
    }


_OF_FIT = {
    "share": pruning_option(
        "--share",
        type=_Share(),
        metavar="SHARE",
        otherwise="1/3",
        help="reduced-error: part of the rows that judges the tree.",
    ),
    "cv": pruning_option(
        "--folds",
        "cv",
        type=int,
        metavar="K",
        otherwise=10,
        help="tuned-error-based, cost-complexity with --alpha cv: parts of the cross-validation.",
    ),
    "random_state": pruning_option(
        "--seed",
        "random_state",
        type=click.IntRange(min=0),
        metavar="N",
        otherwise=0,
        help="reduced-error, tuned-error-based, --alpha cv: seed of what they draw.",
    ),
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
    known = _of_a_rule(grows) | (_OF_FIT if grows else {})

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
