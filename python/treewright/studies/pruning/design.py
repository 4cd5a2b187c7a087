"""Which pruning rule errs least? The comparison of the paper on pruning, for anyone's data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright._base.checkpoint import PathLike
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import one_of, whole_number
from treewright._base.wording import UNSET, Param
from treewright.data.dataset import Dataset
from treewright.data.sources.linear_network import N_COMBINATIONS, TRAIN_SHARES, Network
from treewright.results import Callback, ResultTable, floats, ints, texts
from treewright.studies.common.folds import Splitting
from treewright.studies.common.parameters import design_of, named_data_sets, seed
from treewright.studies.common.published import published_or
from treewright.studies.common.run import PLACE, Conduct, FoldStudy
from treewright.studies.pruning.result import PruningComparison, PruningSettings
from treewright.studies.pruning.rules import Rules
from treewright.studies.pruning.run import GeneratedSets, PruningPlan, group_of, networks_of, rows_of_rules
from treewright.trees.answering import refuse_costs
from treewright.trees.greedy import GreedyTreeClassifier, grower
from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import ErrorBasedPruning, TunedErrorBasedPruning
from treewright.trees.pruning.estimates import (
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
)
from treewright.trees.pruning.held_out import ReducedErrorPruning
from treewright.trees.pruning.named import RULES, checked_rule
from treewright.trees.pruning.rule import PruningRule

__all__ = ["compare_pruning"]

PAPER = ("none", "naive", "error_based_no_grafting", "tuned", "published")
"""The rules of the published tables, in their order."""

NAMED: Rules = {
    "none": None,
    "observed": ObservedErrorPruning(),
    "naive": NaiveErrorPruning(),
    "error_based": ErrorBasedPruning(),
    "error_based_no_grafting": ErrorBasedPruning(grafting=False),
    "tuned": TunedErrorBasedPruning(),
    "published": PublishedEvolvedPruning(),
    "published_slack": PublishedEvolvedPruning(slack=0.02),
    "pessimistic": PessimisticPruning(),
    "reduced_error": ReducedErrorPruning(),
    "cost_complexity": CostComplexityPruning(),
    "cost_complexity_cv": CostComplexityPruning(alpha="cv"),
    "minimum_error": MinimumErrorPruning(),
}
"""Every rule that has a name here."""

RESULT = [*floats("n_errors", "error"), *ints("n_nodes")]
"""Columns of a generated set, after its place and the rule."""


def compare_pruning(
    data: object = None,
    *,
    generator: str | None = None,
    n_sets: int | None = None,
    rules: Sequence[str | PruningRule | None] | Mapping[str, str | PruningRule | None] = PAPER,
    reference: str | None = None,
    estimator: GreedyTreeClassifier | None = None,
    cv: int | None = None,
    repeats: int | None = None,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> PruningComparison:
    """Compare pruning rules by their errors on held-out samples.

    On every fold of a repeated cross-validation, or every generated data set, one tree is grown. Each rule
    prunes it, and its errors are counted on the held-out samples. Rules are ranked by their number of errors,
    or by their cost if the estimator has a cost matrix (on data; generated sets count errors). Friedman's
    test says whether the differences of the average ranks may be chance, and Holm's procedure says which
    rules differ from the reference.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these, default=None
        One data set or several, as in `compare_selection`; ``"paper"`` stands for the fourteen data sets of
        the published tables, most of them from the folder that ``TREEWRIGHT_DATA`` names; see Notes.
    generator : {"paper_text", "paper_table"}, default=None
        Instead of `data`: generate data sets by a preset of `treewright.datasets.make_linear_network`.
    n_sets : int, default=6000
        Number of data sets to generate, from the 60 combinations of the preset in turn; the published table
        has 60 000. For a generator only.
    rules : sequence of {"none", "observed", "naive", "error_based", "error_based_no_grafting", "tuned", \
"published", "published_slack", "pessimistic", "reduced_error", "cost_complexity", "cost_complexity_cv", \
"minimum_error"} or rules, or dict, default=("none", "naive", "error_based_no_grafting", "tuned", "published")
        Rules to compare: names, rules of `treewright.pruning`, or both; a dict gives them names of your own.
        A name stands for a rule with its defaults, as elsewhere: ``"error_based"`` grafts, which the paper
        does not, and ``"error_based_no_grafting"`` is the paper's. ``"cost_complexity_cv"`` chooses alpha by
        cross-validation, and ``"published_slack"`` has a slack of 0.02. In a list the name of a rule is its
        printed form, with the name of a function in it, so two rules with lambdas need a dict.
    reference : str, default=None
        The rule with which the others are compared; None is the last.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows the trees, with `pruning` set to each rule; None is
        ``GreedyTreeClassifier.id3()``, as in the paper, which accepts only nominal features;
        ``GreedyTreeClassifier()`` accepts numeric features too.
    cv : int, default=10
        Number of folds; not for a generator, whose data sets have one training and one test part.
    repeats : int, default=3
        Number of repetitions of the cross-validation, each with other folds; not for a generator.
    random_state : int, RandomState instance or None, default=0
        Random seed of the folds or of the generated data sets; None uses another seed in every call.
    n_jobs : int, default=None
        Number of folds that run in parallel, by joblib, as in `compare_selection`; for generated data sets
        the number of threads. The numbers do not depend on it.
    time_limit, progress, callback, checkpoint, resume
        As in `compare_selection`; the progress counts folds or data sets.

    Returns
    -------
    comparison : PruningComparison
        The result: it prints as a table, and ``comparison.plot()`` draws it.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value or no effect, such as folds with a generator, or a number of sets
        without one.
    DataError, FormatError, StudyInterruptedError
        As in `compare_selection`; with ID3's growth, a data set with numeric features is refused.

    See Also
    --------
    treewright.pruning.prune : Prunes one tree.
    compare_ranks : Applies the tests to any table of errors.

    Notes
    -----
    The fourteen sets: missing values of mushroom, audiology and soybean are the most frequent value of their
    column, in vote they are a value; splice has the four bases, other letters being the most frequent one of
    the column (splice4); hayes-roth, monks-2 and monks-3 are training and test part together, monks-1 is all
    432 rows.

    With the default estimator, a special engine grows and prunes the trees of generated data sets; the trees
    and the errors are those of `GreedyTreeClassifier`. It supports all named rules except those that graft,
    hold samples out, or choose something other than a confidence; these prune tree by tree. The engine also
    draws the folds inside a generated training set by which ``"tuned"`` chooses.

    References
    ----------
    S.-E. Hansen, R. Olsson, "Improving decision tree pruning through automatic programming", 2007, section 5.

    Examples
    --------
    >>> from treewright.studies import compare_pruning
    >>> rules = ["none", "naive", "error_based_no_grafting"]
    >>> study = compare_pruning(["tic-tac-toe", "monks-1"], rules=rules, repeats=1)
    >>> study
    <PruningComparison: none, naive, error_based_no_grafting; 2 data sets, 20 folds in all, complete>
    >>> study.ranks()
    <RankComparison: none 2.00, naive 2.00, error_based_no_grafting 2.00; 2 sets>
    >>> generated = compare_pruning(generator="paper_table", n_sets=600)
    >>> len(generated.per_fold), generated.status
    (3000, 'complete')
    >>> generated.ranks().tests["mark"].tolist()
    ['-', '-', '+', '+', '']
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    chosen = chosen_rules(rules)
    last = list(chosen)[-1]
    plan = PruningPlan(GreedyTreeClassifier.id3() if estimator is None else grower(estimator), chosen)
    settings: PruningSettings = {
        "rules": chosen,
        "reference": last if reference is None else one_of("reference", reference, list(chosen)),
        "estimator": plan.estimator,
        "random_state": seed(random_state),
    }
    drawn_by = _drawn_by(data, generator)
    _refuse_idle(drawn_by, n_sets=n_sets, cv=cv, repeats=repeats)
    if drawn_by is None:
        settings["cv"] = whole_number("cv", 10 if cv is None else cv, least=2)
        settings["repeats"] = whole_number("repeats", 3 if repeats is None else repeats, least=1)
        return _by_folds(data, plan, settings, conduct)
    refuse_costs(plan.estimator, "generated sets repeat a published experiment, which counts errors")
    settings["generator"] = drawn_by
    settings["n_sets"] = whole_number("n_sets", 6000 if n_sets is None else n_sets, least=1)
    return _generated(plan, settings, conduct)


def chosen_rules(given: object) -> Rules:
    """Return rules by the names to show."""
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping):
        raise ParameterError("rules", given, "must be a list of names and rules, or a dict of rules by name")
    places: Iterable[tuple[object, object]] = (
        given.items() if isinstance(given, Mapping) else enumerate(given)
    )
    rules: dict[str, PruningRule | None] = {}
    for place, entry in places:
        rule = checked_rule(_rule(entry), name=f"rules[{place!r}]")
        name = str(place) if isinstance(given, Mapping) else _name(entry)
        if name in rules:
            remedy = "name every rule once, in a dict what you like"
            raise ParameterError("rules", UNSET, f"has {name!r} twice", remedy)
        rules[name] = rule
    if len(rules) < 2:
        raise ParameterError("rules", given, "must be two or more", "there is nothing to compare")
    return rules


def _name(entry: object) -> str:
    return entry if isinstance(entry, str) else "none" if entry is None else _without_addresses(repr(entry))


def _without_addresses(text: str) -> str:
    """Call functions by their names alone: where things lie in memory differs from run to run."""
    named = re.sub(r"<function (?:\S+\.)?(\S+) at 0x[0-9a-fA-F]+>", r"\1", text)
    return re.sub(r" at 0x[0-9a-fA-F]+", "", named)


def _rule(rule: object) -> object:
    if not isinstance(rule, str) or (rule in RULES and rule not in NAMED):
        return rule
    if rule not in NAMED:
        remedy = f"choose among {', '.join(NAMED)}, or give a rule of treewright.pruning"
        raise ParameterError("rules", UNSET, f"has {rule!r}, which is not known", remedy)
    return NAMED[rule]


def _by_folds(
    data: object, plan: PruningPlan, settings: PruningSettings, conduct: Conduct
) -> PruningComparison:
    splitting = Splitting(settings["cv"], settings["repeats"], 0.0, settings["random_state"])
    data_sets = named_data_sets(published_or(data, "pruning"))
    _refuse_numbers(data_sets, plan.estimator)
    plan.measure.check(data_sets)
    columns = [*floats(plan.measure.total, plan.measure.mean), *ints("n_nodes")]
    study = FoldStudy("compare_pruning", settings, data_sets, splitting, tuple(plan.rules), columns)
    with study.course(conduct) as course:
        rows = course.side_by_side(study.folds, plan, rows_of_rules)
    return course.handed_over(PruningComparison(settings=settings, **study.facts(course, rows)))


def _generated(plan: PruningPlan, settings: PruningSettings, conduct: Conduct) -> PruningComparison:
    networks = networks_of(settings["generator"], settings["n_sets"])
    work = GeneratedSets(networks, plan, settings["random_state"], conduct.n_jobs)
    design = partial(design_of, settings, {})
    with conduct.course("compare_pruning", design, len(networks), "sets") as course:
        course.in_batches(work.pruned)
    done = networks[: course.n_done]
    names = [group_of(network) for network in done]
    groups = texts("data", map(group_of, networks))
    counts = [(group, names.count(group)) for group in sorted(set(map(group_of, networks)))]
    parts = [course.parts[first] for first in sorted(course.parts)]
    found = PruningComparison(
        data_sets=ResultTable.from_rows(counts, [groups, *ints("n_sets")]),
        methods=tuple(plan.rules),
        per_fold=_table_of_generated(plan.rules, parts, done, groups),
        settings=settings,
        status=course.status,
        elapsed=course.elapsed,
    )
    return course.handed_over(found)


def _table_of_generated(
    rules: Rules,
    parts: Sequence[Mapping[str, NDArray[np.int64]]],
    networks: list[Network],
    groups: tuple[str, str],
) -> ResultTable:
    """Lay out errors and nodes of every set and rule as the folds of data sets are."""
    nothing = np.empty((0, len(rules)), dtype=np.int64)
    errors, nodes = (
        np.concatenate([nothing, *(part[name] for part in parts)]) for name in ("n_errors", "n_nodes")
    )
    table = np.empty(errors.shape, dtype=[groups, *PLACE, texts("method", rules), *RESULT])
    numbers = np.arange(len(errors))
    n_test = np.array([network.n_test for network in networks], dtype=np.float64)
    columns: dict[str, ArrayLike] = {
        "data": [group_of(network) for network in networks],
        "repeat": numbers // N_COMBINATIONS,
        "fold": numbers % N_COMBINATIONS,
        "seed": numbers,
    }
    for name, values in columns.items():
        table[name] = np.reshape(values, (-1, 1))
    table["method"] = list(rules)
    table["n_errors"], table["n_nodes"] = errors, nodes
    table["error"] = errors / n_test[:, np.newaxis]
    return table.reshape(-1).view(ResultTable)


def _drawn_by(data: object, generator: object) -> str | None:
    """Return the preset of the generator, None where data are given."""
    if data is None and generator is None:
        remedy = "give data sets, 'paper' for the published ones, or a generator"
        raise ParameterError("data", UNSET, "is missing", remedy)
    if data is not None and generator is not None:
        raise ParameterError("generator", generator, "does not go with data", "give one of the two")
    return None if generator is None else one_of("generator", generator, list(TRAIN_SHARES))


def _refuse_idle(drawn_by: str | None, **given: object) -> None:
    """Refuse what would be of no effect: sets are either given, and parted into folds, or drawn."""
    idle = {"n_sets"} if drawn_by is None else {"cv", "repeats"}
    reason = "counts sets that a generator draws" if drawn_by is None else "is for data, not for a generator"
    for name, value in given.items():
        if value is not None and name in idle:
            raise ParameterError(name, value, reason, "leave it out")


def _refuse_numbers(data_sets: Mapping[str, Dataset], estimator: GreedyTreeClassifier) -> None:
    if estimator.growth != "id3":
        return
    for name, dataset in data_sets.items():
        for feature, kind in zip(dataset.feature_names, dataset.kinds, strict=True):
            if kind == "numeric":
                raise DataError(
                    f"data set {name!r}: feature {feature!r} is numeric, and trees grow by ",
                    Param("growth", "id3"),
                    ", which takes nominal features only; give ",
                    Param("estimator", GreedyTreeClassifier()),
                    ", or make it nominal, in bins if need be",
                )
