"""How a greedy tree grows and is pruned: a rule by its name or from a file, and its parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import click

from treewright.cli._growing import TREE
from treewright.cli._option import Option
from treewright.cli._options import (
    CommandFunction,
    Decorator,
    named_options,
    options,
    parameter_option,
    spelling,
)
from treewright.cli._readers import LEARNED, names_learned
from treewright.cli._signature import Given, given, names_in, parameters_of
from treewright.cli._source import is_file

if TYPE_CHECKING:
    from treewright import Dataset, GreedyTreeClassifier
    from treewright.evolution import LearnedPruning, ProgramPruning
    from treewright.pruning import PruningRule


def growth_option(usual: str, *, prunes: bool) -> Decorator:
    """Return the option of the manner of growing; `prunes`: whether C4.5's growth brings its pruning, too."""
    pruned = " and pruned by error-based" if prunes else ""
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


_BEFORE = ("the text is no learned rule (", "the text is no pruning program (")
_AFTER = "); give what to_json returned"
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
            rest = f"nor {LEARNED}NAME, nor a file that `treewright evolve --out` wrote"
            self.fail(f"{value!r} is not one of {names}, {rest}.", param, ctx)
        return str(value)

    @staticmethod
    def worded(value: object) -> str:
        """Name a rule, or what the library calls one, as the option takes it."""
        return value.replace("_", "-") if isinstance(value, str) else worded(value)


PROGRAMS = ("treewright-pruning-program", "treewright-program")
"""Formats of files that hold a program; one from trees to trees is a rule."""


def stored_format(text: str) -> object:
    """Return the format that a JSON text names; None if it names none."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return facts.get("format") if isinstance(facts, dict) else None


def learned_rule(text: str) -> LearnedPruning | ProgramPruning:
    """Return the rule that a text names: of the package, or in a file."""
    from treewright import FormatError
    from treewright.evolution import LearnedPruning, ProgramPruning

    if text.startswith(LEARNED):
        known = LearnedPruning.presets()
        if text.removeprefix(LEARNED) not in known:
            names = ", ".join(LEARNED + name for name in known)
            raise click.UsageError(f"{text} is not known; learned rules that came with the package: {names}")
        return LearnedPruning.preset(text.removeprefix(LEARNED))
    try:
        stored = Path(text).read_text(encoding="utf-8")
        made = ProgramPruning if stored_format(stored) in PROGRAMS else LearnedPruning
        return made.from_json(stored)
    except (UnicodeDecodeError, FormatError) as error:
        reason = str(error)
        for before in _BEFORE:
            reason = reason.removeprefix(before)
        raise FormatError(
            f"{text} holds no learned rule ({reason.removesuffix(_AFTER)}); "
            "give a file that `treewright evolve --out` wrote"
        ) from error


def rule_by_name(option: str, name: str) -> PruningRule:
    """Return a rule with its defaults, or a learned one."""
    return _rule(name, {}, f"{option} {name}")


def with_learned(rules: Sequence[str]) -> Sequence[str] | Mapping[str, str | PruningRule]:
    """Return rules by name, as they are where no learned one is among them; a file is called as its stem."""
    if not any(map(names_learned, rules)):
        return rules
    named: dict[str, str | PruningRule] = {}
    for rule in rules:
        name = Path(rule.removeprefix(LEARNED)).stem if names_learned(rule) else rule
        if name in named:
            raise click.UsageError(f"Two rules are called {name!r}; name the file of one otherwise.")
        named[name] = learned_rule(rule) if names_learned(rule) else rule
    return named


def _name(of_class: str) -> str:
    """Return the name of a rule on the command line: that of its class, in small letters."""
    return re.sub("(?<!^)(?=[A-Z])", "-", of_class.removesuffix("Pruning")).lower()


RULES = {_name(one): one for one in names_in("treewright.pruning") if one.endswith("Pruning")}
"""The rules by their names on the command line."""

NO_GRAFTING = "error-based-no-grafting"
VARIANTS: dict[str, tuple[str, Given]] = {NO_GRAFTING: ("error-based", {"grafting": False})}
"""Further names: the rule that each stands for, and what it sets."""

NAMES = [name for rule in RULES for name in (rule, *(one for one in VARIANTS if VARIANTS[one][0] == rule))]
"""All names, the rules' own and the further ones."""

GROWING = ("tuned-error-based",)
"""Rules that grow trees, which a saved tree does not say how to."""

RETRAINING = ("error-based", "tuned-error-based", "reduced-error")
"""Rules that need every tree of a search grown anew."""

OF_CV = ("cv", "random_state")
"""Parameters that cost-complexity has a use for only where it chooses by cross-validation."""

OF_FIT = ("share", *OF_CV)
"""Parameters of rules that draw samples or grow trees, for commands that do."""

CHOSEN = ("confidence", "alpha")
"""Parameters that rules choose."""

UNTOLD = ("confidences",)
"""Parameters that have no option."""


@dataclass(frozen=True)
class RuleOption:
    """The option by which a command takes a rule.

    `usual` is the rule, or "none", if it is not given, `by_growth` that of a growth which brings its own. The
    `untold` rules are known to be refused with a reason. Parameters in `lacking` have no option here. `words`
    fill the holes in the help of the others.
    """

    name: str
    text: str
    usual: str
    by_growth: Mapping[str, str] = field(default_factory=dict)
    may_be_none: bool = True
    untold: Sequence[str] = ()
    lacking: Sequence[str] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def told(self) -> list[str]:
        """The rules that the help names."""
        return [name for name in NAMES if name not in self.untold]

    @property
    def otherwise(self) -> str:
        """What the help says of the rule if none is named."""
        exceptions = ", ".join(f"{growth}: {rule}" for growth, rule in self.by_growth.items())
        return "; ".join([self.usual, *([exceptions] if exceptions else [])])

    def decorator(self) -> Decorator:
        """Return the option itself."""
        none = ["none"] if self.may_be_none else []
        return click.option(
            self.name,
            "rule_name",
            cls=Option,
            section="Pruning",
            parameter="pruning",
            type=RuleOrFile([*NAMES, *none], untold=self.untold),
            metavar="RULE",
            otherwise=self.otherwise,
            help=f"{self.text} RULE is {', '.join([*self.told, *none])}; learned:NAME, a learned rule of the "
            "package; or a file that `treewright evolve --out` wrote.",
        )

    def parameters(self) -> dict[str, Decorator]:
        """Return the options of the parameters of all rules, each told by the rules that have it."""
        having: dict[str, list[str]] = {}
        for rule in self.told:
            for parameter in _parameters(rule):
                if parameter not in (*UNTOLD, *self.lacking):
                    having.setdefault(parameter, []).append(rule)
        return {
            parameter: parameter_option(
                f"treewright.pruning.{RULES[_kind(rules[0])]}",
                parameter,
                section="Pruning",
                opening=f"{', '.join(_with(rule, parameter) for rule in rules)}: ",
                **{"or_cv": "", "usual": "", **self.words},
            )
            for parameter, rules in having.items()
        }


_SHAPES = {"or_cv": ", or cv", "usual": "Usual with error-based, not with tuned-error-based."}

OF_FITTING = RuleOption(
    "--prune",
    "Prune by this rule.",
    usual=NO_GRAFTING,
    by_growth={"id3": "none", "c45": "error-based"},
    words=_SHAPES,
)
OF_SELECTION = RuleOption(
    "--prune",
    "Prune by this rule before errors are counted. "
    f"{', '.join(RETRAINING[:-1])} and {RETRAINING[-1]} need --strategy retrain, and do not go with "
    "--complete.",
    usual=NO_GRAFTING,
    lacking=("random_state",),
    words=_SHAPES,
)
OF_SEARCHES = RuleOption(
    "--prune",
    "Prune by this rule before errors are counted.",
    usual="none",
    untold=RETRAINING,
    lacking=("grafting", *OF_FIT),
)
OF_SAVED = RuleOption(
    "--rule",
    "Prune by this rule.",
    usual="error-based",
    may_be_none=False,
    untold=GROWING,
    lacking=OF_FIT,
    words={"usual": "Usual where DATA is given."},
)


def _kind(name: str) -> str:
    """Return the rule that a name stands for."""
    return VARIANTS[name][0] if name in VARIANTS else name


def _parameters(name: str) -> list[str]:
    """Return the parameters of a rule that its name leaves open."""
    fixed = VARIANTS[name][1] if name in VARIANTS else {}
    of_class = parameters_of(f"treewright.pruning.{RULES[_kind(name)]}")
    return [parameter for parameter in of_class if parameter not in fixed]


def _with(rule: str, parameter: str) -> str:
    return f"{rule} with --alpha cv" if rule == "cost-complexity" and parameter in OF_CV else rule


def takes_rule(option: RuleOption) -> Decorator:
    """Return what gives a command a rule and its parameters; it receives the rule, or None, as `rule`."""
    known = option.parameters()

    def decorator(function: CommandFunction) -> CommandFunction:
        @wraps(function)
        def command(rule_name: str | None, **parameters: object) -> object:
            taken = given(**{name: parameters.pop(name) for name in known})
            usual = option.by_growth.get(str(parameters.get("growth")), option.usual)
            return function(rule=_asked(option.name, rule_name, usual, taken), **parameters)

        return options(option.decorator(), *known.values())(command)

    return decorator


def _asked(option: str, name: str | None, usual: str, taken: Given) -> PruningRule | None:
    """Return the rule that is asked for; None for none."""
    if (name or usual) == "none":
        _refuse(taken, f"does not go with {option} none" if name else f"goes with {option} only")
        return None
    if name is None and usual in VARIANTS:  # what it sets may be set otherwise
        kind, fixed = VARIANTS[usual]
        return _rule(kind, {**fixed, **taken}, f"{option} {usual}")
    return _rule(name or usual, taken, f"{option} {name or usual}")


def _refuse(parameters: Iterable[str], relation: str) -> None:
    """Refuse parameters that the rule has no use for."""
    for parameter in parameters:
        raise click.UsageError(f"{spelling(parameter)} {relation}; leave it out.")


def _rule(name: str, taken: Given, told: str) -> PruningRule:
    """Make the rule, which is told as it is asked for; a parameter that it does not have is refused."""
    from treewright import pruning

    if name not in NAMES:
        _refuse(taken, f"does not go with {told}")
        return learned_rule(name)
    open_ones = _parameters(name)
    _refuse([one for one in taken if one not in open_ones], f"does not go with {told}")
    if name == "cost-complexity" and taken.get("alpha") != "cv":
        drawing = [parameter for parameter in OF_CV if parameter in taken]
        _refuse(drawing, f"goes with {told} only where --alpha is cv")
    if name == "estimator" and "f" not in taken:
        raise click.UsageError(f"{told} needs --estimate TEXT, such as '(n - c + 1) / (n + 2)'.")
    kind, fixed = VARIANTS.get(name, (name, {}))
    rule: PruningRule = getattr(pruning, RULES[kind])(**fixed, **taken)
    return rule


def seeded(rule: PruningRule | None, seed: object) -> PruningRule | None:
    """Let a rule that draws samples do so by the seed of the command."""
    if rule is None or "random_state" not in rule.get_params():
        return rule
    drawing: PruningRule = rule.set_params(random_state=seed)
    return drawing


def pruning_line(rule: PruningRule | None, chosen: PruningRule | None = None) -> str:
    """Name in one line what prunes, and what it chose; what leaves it out, where no one has asked for it."""
    words = worded(rule)
    if chosen is not None and worded(chosen) != words:
        words += f"; chosen: {worded(chosen, *CHOSEN)}"
    is_asked = any(option.section == "Pruning" for option in named_options())
    is_usual = rule is not None and not is_asked
    return f"pruning: {words}{' (the default; --prune none leaves it out)' if is_usual else ''}"


def made_by(rule: PruningRule | None) -> str:
    """Say what was done to a tree."""
    return "grown" if rule is None else "grown and pruned"


def worded(rule: object, *always: str) -> str:
    """Name a rule as an option does, with the parameters that are `always` told or not the usual ones."""
    from treewright.pruning import PruningRule

    if not isinstance(rule, PruningRule):
        return "none" if rule is None else repr(rule)
    own = rule.get_params(deep=False)
    name = _name(type(rule).__name__)
    if name not in RULES:
        return _learned_words(rule)
    for variant, (kind, fixed) in VARIANTS.items():
        if kind == name and fixed.items() <= own.items():
            name = variant
    usual = signature(type(rule)).parameters
    told = [one for one in _parameters(name) if one in always or own[one] != usual[one].default]
    return ", ".join([name, *(f"{one} {_number(own[one])}" for one in told)])


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _learned_words(rule: PruningRule) -> str:
    from treewright.evolution import LearnedPruning, ProgramPruning

    if isinstance(rule, ProgramPruning):
        return f"a pruning program ({crc32(rule.text.encode()):08x})"
    for name in LearnedPruning.presets():
        if LearnedPruning.preset(name).get_params() == rule.get_params():
            return f"{LEARNED}{name}"
    return f"a learned rule ({crc32(repr(rule).encode()):08x})"
