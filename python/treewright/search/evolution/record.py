"""What was measured while a rule was learned: plain numbers that can be stored, and their report as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from treewright import _core
from treewright._base.numbers import counted_noun
from treewright.data.types import FloatArray

N_SAMPLES = 400
"""Samples of data sets drawn for a standard error."""

OBJECTIVES = {
    "errors": "errors on all test rows, in percent",
    "mean_error": "error rate of a tree on average, in percent",
    "mean_rank": "mean rank of a tree's errors among none, naive and error-based",
}
"""What a search makes small, in words."""

COSTS = {
    "errors": "cost of an answer, over all test rows",
    "mean_error": "cost of an answer of a tree on average",
    "mean_rank": "mean rank of a tree's cost among none, naive and error-based",
}
"""The same where wrong answers have costs."""


@dataclass(frozen=True)
class Measured:
    """A number and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class RuleScore:
    """Scores of a rule on the three corpora of trees.

    Attributes
    ----------
    name : str
        ``"none"``, ``"naive"``, ``"error-based"``, ``"two constants"``, ``"start"`` or ``"evolved"``.
    train, validation, test : Measured
        Share of all test rows that the pruned trees predict wrongly, or what an answer costs, with its
        standard error over trees.
    rank : Measured
        Mean rank of the test errors on a tree of the test corpus among all these rules, 1 the fewest.
    over_error_based : Measured
        By how much the share on the test corpus exceeds that of C4.5's rule.
    """

    name: str
    train: Measured
    validation: Measured
    test: Measured
    rank: Measured
    over_error_based: Measured


@dataclass(frozen=True)
class FrontRule:
    """A rule of the Pareto front: no other rule matches it in training score, size and run time.

    Attributes
    ----------
    program : str
        Its text, simplified.
    bits : float
        Its complexity.
    cost : int
        Its run time on a leaf, in additions.
    train, validation : Measured
        The objective of the search, with its standard error over data sets.
    """

    program: str
    bits: float
    cost: int
    train: Measured
    validation: Measured


@dataclass(frozen=True)
class LearningRecord:
    """How a rule was learned.

    Attributes
    ----------
    data : str
        The data on which it was learned.
    is_independent : bool
        Whether the three corpora have no data in common.
    counts_cost : bool
        Whether errors are counted at what wrong answers cost: all scores are costs of an answer then.
    objective : str
        The objective of the search.
    seed, n_programs, n_generations : int
        The random seed of the run, and its numbers of programs and generations.
    status : str
        Why it ended.
    elapsed : float
        Seconds of wall clock.
    n_trees : tuple of int
        Trees for training (at the end), validation and test.
    constants : tuple of float
        a and b of the best rule (e + a + b·√e) / n.
    front : tuple of FrontRule
        The Pareto front: rules that no other rule matches in training score, size and run time.
    best : int
        Position of the rule with the best validation score.
    scores : tuple of RuleScore
        Scores of the rules for comparison and of the learned rule.
    """

    data: str
    is_independent: bool
    counts_cost: bool
    objective: str
    seed: int
    n_programs: int
    n_generations: int
    status: str
    elapsed: float
    n_trees: tuple[int, ...]
    constants: tuple[float, ...]
    front: tuple[FrontRule, ...]
    best: int
    scores: tuple[RuleScore, ...]

    @property
    def goal(self) -> str:
        """What the search made small, in words."""
        return (COSTS if self.counts_cost else OBJECTIVES)[self.objective]

    @property
    def factor(self) -> int:
        """What a share of errors, or a cost of an answer, is multiplied by where it is shown."""
        return 1 if self.counts_cost else 100

    def to_dict(self) -> dict[str, object]:
        """Return plain lists, numbers and text."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> LearningRecord:
        """Read what `to_dict` wrote; raise `ValueError` for what it would not write.

        Parameters
        ----------
        stored : mapping
            What `to_dict` returned.

        Returns
        -------
        record : LearningRecord
            The record.
        """
        record: LearningRecord = _read(cls, stored, "record")
        if record.objective not in OBJECTIVES:
            raise ValueError(f"objective is {record.objective!r}, none of {', '.join(OBJECTIVES)}")
        for name, length in (("n_trees", 3), ("constants", 2)):
            if len(getattr(record, name)) != length:
                raise ValueError(f"{name} has {len(getattr(record, name))} entries, not {length}")
        if not 0 <= record.best < len(record.front):
            raise ValueError(f"best is {record.best}, and front has {len(record.front)} entries")
        return record


def _read(kind: Any, stored: object, name: str) -> Any:
    """Return a stored value as what a field is declared to be; `name` is told if it is something else."""
    if get_origin(kind) is tuple:
        if not isinstance(stored, list | tuple):
            raise ValueError(f"{name} is no list")
        return tuple(_read(get_args(kind)[0], part, f"{name}[{i}]") for i, part in enumerate(stored))
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**_fields(kind, stored, name))
    if kind is float and isinstance(stored, int | float) and not isinstance(stored, bool):
        if abs(stored) > LARGEST:
            raise ValueError(f"{name} is too large")
        return float(stored)
    if type(stored) is not kind:
        raise ValueError(f"{name} is of type {type(stored).__name__}, not {kind.__name__}")
    return stored


def _fields(kind: type, stored: object, name: str) -> dict[str, object]:
    """Return the fields of a stored object, all that are declared and no others."""
    kinds = get_type_hints(kind)
    if not isinstance(stored, Mapping) or stored.keys() != kinds.keys():
        raise ValueError(f"{name} must have {', '.join(kinds)}, and nothing else")
    return {field: _read(kinds[field], stored[field], f"{name}.{field}") for field in kinds}


LARGEST = 1e300
"""What is above it no measurement gives."""


def scores_of(
    rows: Sequence[_core.RuleErrors], n_tests: Sequence[FloatArray], seed: int
) -> tuple[RuleScore, ...]:
    """Sum up errors, one a tree, of every rule on the three corpora."""
    ranks = _ranks(np.array([row.test for row in rows]))
    usual = next(row.test for row in rows if row.name == "error-based")

    def score(row: _core.RuleErrors, rank: FloatArray) -> RuleScore:
        each = zip((row.train, row.validation, row.test), n_tests, strict=True)
        train, validation, test = (_measured(errors, n_test, seed) for errors, n_test in each)
        over = _measured(row.test - usual, n_tests[2], seed)
        return RuleScore(
            row.name, train, validation, test, _measured(rank, np.ones(len(n_tests[2])), seed), over
        )

    return tuple(score(row, rank) for row, rank in zip(rows, ranks, strict=True))


def _ranks(errors: FloatArray) -> FloatArray:
    """Rank the rules (rows) on every tree (columns), equal ones by their mean."""
    fewer = (errors[None] < errors[:, None]).sum(axis=1)
    equal = (errors[None] == errors[:, None]).sum(axis=1)
    ranks: FloatArray = fewer + (equal + 1) / 2
    return ranks


def _measured(values: FloatArray, weights: FloatArray, seed: int) -> Measured:
    """Return the sum of values by the sum of weights, with its standard error over trees."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=N_SAMPLES)
    samples = (counts @ values) / (counts @ weights)
    return Measured(float(values.sum() / weights.sum()), float(samples.std(ddof=1)))


def report_text(program: str, bits: float, record: LearningRecord) -> str:
    """Write the rule, what rules did, and the front."""
    lines = [
        f"Pruning rule learned from {record.data}, random_state={record.seed}",
        "",
        *("    " + line for line in program.strip().splitlines()),
        "",
        f"{bits:.0f} bits; {counted_noun(record.n_programs, 'program')} in "
        f"{counted_noun(record.n_generations, 'generation')}, {record.elapsed:.0f} s ({record.status})",
        f"objective: {record.goal}",
        "",
        *_scores(record),
        "",
        *_verdict(record),
        "",
        *_front(record),
    ]
    return "\n".join(lines) + "\n"


def _scores(record: LearningRecord) -> Iterator[str]:
    n_train, n_validation, n_test = record.n_trees
    counted = "Cost of an answer, over" if record.counts_cost else "Errors in percent, of"
    yield f"{counted} the test rows of all trees together:"
    yield f"{'':<18}{'training':>16}{'validation':>16}{'test':>16}{'mean rank in test':>20}"
    yield f"{'number of trees':<18}{n_train:>16,}{n_validation:>16,}{n_test:>16,}"
    for score in record.scores:
        digits = 3 if record.counts_cost else 2
        parts = (score.train, score.validation, score.test)
        errors = "".join(f"{_written(x, record.factor, digits):>16}" for x in parts)
        yield f"{score.name:<18}{errors}{_written(score.rank):>20}"
    a, b = record.constants
    yield f"(two constants: (e + {a:g} + {b:g} sqrt(e)) / n with e = n - c, the best of a grid in training)"


def _verdict(record: LearningRecord) -> Iterator[str]:
    by_name = {score.name: score for score in record.scores}
    for name in ("evolved", "two constants"):
        if name in by_name:
            yield _against(by_name[name], record)
    yield "The figures behind ± are standard errors over trees, by bootstrap."
    if record.is_independent:
        yield "The three corpora are drawn apart; the test corpus was looked at once, for this report."
    else:
        yield (
            "The three corpora are drawn from the same samples: they are not independent, so the figures "
            "say little of other data, and the standard errors are too small."
        )


def _against(score: RuleScore, record: LearningRecord) -> str:
    found = score.over_error_based
    more, fewer = (
        (" more", " less") if record.counts_cost else (" points more errors", " points fewer errors")
    )
    word = more if found.value > 0 else fewer
    size, error = record.factor * abs(found.value), record.factor * found.error
    is_clear = abs(found.value) > 2 * found.error
    clear = "more than two standard errors" if is_clear else "within two standard errors"
    return f"{score.name}: {size:.3f} ± {error:.3f}{word} than error-based in test, {clear}"


def _front(record: LearningRecord) -> Iterator[str]:
    yield "The front: rules that no other one matches in training, in size and in run time all at once."
    yield f"Scores: {record.goal}."
    yield f"{'bits':>6}{'run time':>10}{'training':>18}{'validation':>18}"
    factor = 1 if record.objective == "mean_rank" else record.factor
    for k, rule in enumerate(record.front):
        mark = "*" if k == record.best else " "
        scores = "".join(f"{_written(x, factor):>18}" for x in (rule.train, rule.validation))
        yield f"{rule.bits:>5.0f}{mark}{rule.cost:>10}{scores}   {_formula(rule)}"
    yield "* the one chosen, by validation; a run time of 1 is that of an addition"


def _formula(rule: FrontRule) -> str:
    """Return what stands after the declaration, in one line."""
    text = " ".join(rule.program.split("float =", 1)[-1].split())
    return text.replace("( ", "(").replace(" )", ")")


def _written(measured: Measured, factor: int = 1, digits: int = 3) -> str:
    return f"{factor * measured.value:.{digits}f} ± {factor * measured.error:.{digits}f}"
