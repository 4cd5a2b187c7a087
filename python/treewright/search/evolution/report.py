"""The report of a learned rule as text."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._base.numbers import counted_noun
from treewright.search.evolution.record import (
    FrontRule,
    LearningRecord,
    Measured,
    RuleScore,
)

OBJECTIVES = {
    "errors": "errors on all test rows, in percent",
    "mean_error": "error rate of a tree on average, in percent",
    "mean_rank": "mean rank of a tree's errors among none, naive and error-based",
}
"""What a search makes small, in words."""


def report_text(program: str, bits: float, record: LearningRecord) -> str:
    """Write the rule, what rules did, and the front."""
    lines = [
        f"Pruning rule learned from {record.data}, random_state={record.seed}",
        "",
        *("    " + line for line in program.strip().splitlines()),
        "",
        f"{bits:.0f} bits; {counted_noun(record.n_programs, 'program')} in "
        f"{counted_noun(record.n_generations, 'generation')}, {record.elapsed:.0f} s ({record.status})",
        f"made small: {OBJECTIVES[record.objective]}",
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
    yield "Errors in percent, of the test rows of all trees together:"
    yield f"{'':<18}{'training':>16}{'validation':>16}{'test':>16}{'mean rank in test':>20}"
    yield f"{'number of trees':<18}{n_train:>16,}{n_validation:>16,}{n_test:>16,}"
    for score in record.scores:
        errors = "".join(f"{_percent(x):>16}" for x in (score.train, score.validation, score.test))
        yield f"{score.name:<18}{errors}{_plain(score.rank):>20}"
    a, b = record.constants
    yield f"(two constants: (e + {a:g} + {b:g} sqrt(e)) / n with e = n - c, the best of a grid in training)"


def _verdict(record: LearningRecord) -> Iterator[str]:
    by_name = {score.name: score for score in record.scores}
    for name in ("evolved", "two constants"):
        if name in by_name:
            yield _against(by_name[name])
    yield "The figures behind ± are standard errors over trees, by bootstrap."
    if record.is_independent:
        yield "The three corpora are drawn apart; the test corpus was looked at once, for this report."
    else:
        yield (
            "The three corpora are drawn from the same samples: they are not independent, so the figures "
            "say little of other data, and the standard errors are too small."
        )


def _against(score: RuleScore) -> str:
    found = score.over_error_based
    word = "more" if found.value > 0 else "fewer"
    size, error = 100 * abs(found.value), 100 * found.error
    is_clear = abs(found.value) > 2 * found.error
    clear = "more than two standard errors" if is_clear else "within two standard errors"
    return f"{score.name}: {size:.3f} ± {error:.3f} points {word} errors than error-based in test, {clear}"


def _front(record: LearningRecord) -> Iterator[str]:
    yield "The front: rules that no other one matches in training, in size and in run time all at once."
    yield f"Scores: {OBJECTIVES[record.objective]}."
    yield f"{'bits':>6}{'run time':>10}{'training':>18}{'validation':>18}"
    for k, rule in enumerate(record.front):
        mark = "*" if k == record.best else " "
        scores = "".join(f"{_score(x, record):>18}" for x in (rule.train, rule.validation))
        yield f"{rule.bits:>5.0f}{mark}{rule.cost:>10}{scores}   {_formula(rule)}"
    yield "* the one chosen, by validation; a run time of 1 is that of an addition"


def _formula(rule: FrontRule) -> str:
    """Return what stands after the declaration, in one line."""
    text = " ".join(rule.program.split("float =", 1)[-1].split())
    return text.replace("( ", "(").replace(" )", ")")


def _percent(measured: Measured) -> str:
    return f"{100 * measured.value:.2f} ± {100 * measured.error:.2f}"


def _plain(measured: Measured) -> str:
    return f"{measured.value:.3f} ± {measured.error:.3f}"


def _score(measured: Measured, record: LearningRecord) -> str:
    if record.objective == "mean_rank":
        return _plain(measured)
    return f"{100 * measured.value:.3f} ± {100 * measured.error:.3f}"
