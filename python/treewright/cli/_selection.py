"""What `treewright select` found, as text for a person and as JSON for a program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright._base.numbers import for_json
from treewright.cli._lines import (
    filled,
    hanging,
    listed,
    plural,
    seconds,
)
from treewright.cli._tree import (
    data_facts,
    described,
    drawn,
    facts_of,
    labelled,
    parted,
)

if TYPE_CHECKING:
    from treewright import CompleteSearchSelector, Dataset, Tree
    from treewright.distinct import DistinctTree
    from treewright.selection.stepwise import StepwiseSelector

    Selector = StepwiseSelector | CompleteSearchSelector


_MOST_STEPS = 12
_WIDEST_NAME = 56


def steps_text(names: Sequence[str], selector: StepwiseSelector, *, is_plain: bool) -> str:
    """Return the features in the order in which they left or came, with the errors after each step.

    Parameters
    ----------
    names : sequence of str
        Names of all features.
    selector : StepwiseSelector
        A fitted one.
    is_plain : bool
        Whether every feature could leave on its own, so that errors alone ended the search.
    """
    history = selector.history_
    if len(history) == 1:
        return _nothing(selector, is_plain=is_plain)
    is_added = (history["added"][1:] >= 0).tolist()
    is_whole = history["n_features"][0] == len(names)
    start = [] if is_whole else [f"at the start, {plural(int(history['n_features'][0]), 'feature')}"]
    texts = [*start, *map("".join, zip(_signs(is_added), _moves(names, history[1:]), strict=True))]
    lines = _lines(history["step"][-len(texts) :], texts, history["errors"][-len(texts) :])
    return "\n".join([f"{_title(is_added)}, and the errors left:", "", *lines])


def _lines(steps: Iterable[int], texts: Sequence[str], errors: Iterable[float]) -> list[str]:
    """Put steps below one another, the middle of a long list left out."""
    width = max(map(len, texts))
    lines = [
        f"  {step:>3}  {text:{width}}  {n_errors:>6g}"
        for step, text, n_errors in zip(steps, texts, errors, strict=True)
    ]
    if len(lines) > _MOST_STEPS:
        lines[_MOST_STEPS - 3 : -2] = [f"    …  {len(lines) - _MOST_STEPS + 1} more"]
    return lines


def _signs(is_added: Sequence[bool]) -> list[str]:
    """Return what tells additions from removals, where there are both."""
    has_both = any(is_added) and not all(is_added)
    return [("+ " if added else "- ") if has_both else "" for added in is_added]


def _moves(names: Sequence[str], steps: Any) -> Iterator[str]:
    return (_changed(names, changed) for changed in steps["changed"])


def _title(is_added: Sequence[bool]) -> str:
    if all(is_added):
        return "Added"
    return "Added (+) and dropped (-)" if any(is_added) else "Dropped"


def _changed(names: Sequence[str], changed: Sequence[int]) -> str:
    """Name what a step moved: the first names, as many as fit, and how many more."""
    shown = [names[position] for position in changed]
    texts = [", ".join(shown), *(_and_more(shown, n) for n in range(len(shown) - 1, 0, -1))]
    return next((text for text in texts if len(text) <= _WIDEST_NAME), texts[-1])


def _and_more(shown: Sequence[str], n_shown: int) -> str:
    return f"{', '.join(shown[:n_shown])} and {len(shown) - n_shown:,} more"


def _nothing(selector: StepwiseSelector, *, is_plain: bool) -> str:
    if selector.search_.status != "complete":
        return "No step was taken before the search was ended."
    if is_plain:
        return "No feature was dropped: without any one of them the errors are no fewer."
    return "No step was taken: none that the options allow makes fewer errors."


def step_facts(names: Sequence[str], record: Any) -> dict[str, Any]:
    """Return a step for a program."""
    dropped, added = int(record["dropped"]), int(record["added"])
    return {
        "step": record["step"].item(),
        "dropped": None if dropped < 0 else names[dropped],
        "added": None if added < 0 else names[added],
        "changed": [names[position] for position in record["changed"]],
        "errors": record["errors"].item(),
        "n_features": record["n_features"].item(),
        "n_trees_built": record["n_trees_built"].item(),
        "seconds": record["seconds"].item(),
    }


_LARGEST_WRITTEN_OUT = 30
"""Powers of two beyond this are told as such."""


def proof_text(selector: CompleteSearchSelector) -> str:
    """Say what is proven of the answer, and how many trees tie with it."""
    sentences = [_proof(selector), *_ties(selector)]
    return "\n".join(map(filled, sentences))


def _proof(selector: CompleteSearchSelector) -> str:
    found, most = selector.search_, selector.max_features
    bound, gap = found.bound or 0, found.gap or 0
    none = "no subset" if most is None else f"no subset whose tree tests at most {plural(most, 'feature')}"
    if found.status == "optimal":
        return f"Proven: {none} does better."
    fewest = (
        f"makes fewer than {_errors(bound)}, {gap:,g} fewer than this one" if gap else "makes fewer errors"
    )
    if found.status == "complete":
        return f"Proven: {none} {fewest}."
    if not gap:
        return f"Proven: {none} {fewest}. Not proven: that none as good tests fewer features."
    proven = f" Proven: {none} {fewest}." if bound else ""
    return f"Not proven: there may be a better subset.{proven}"


def _ties(selector: CompleteSearchSelector) -> Iterator[str]:
    """Say how many trees are as good, if they were counted."""
    n_ties = selector.n_ties_
    if n_ties is None:
        return
    if not selector.search_.success:
        yield f"At least {plural(n_ties, 'distinct tree makes', 'distinct trees make')} so few errors."
    elif n_ties == 1:
        yield "No other tree makes so few errors."
    else:
        yield (
            f"{n_ties:,} distinct trees make so few errors; of those that test the fewest features it is "
            "the one whose features come first."
        )


def _errors(number: float) -> str:
    return "1 error" if number == 1 else f"{number:,g} errors"


def complete_work(selector: CompleteSearchSelector) -> str:
    """Say how many trees were built, and for how many subsets."""
    built = plural(selector.n_trees_built_, "tree")
    return (
        f"{built} built for {_power(selector.n_features_in_)} subsets in {seconds(selector.search_.elapsed)}"
    )


def best_text(names: Sequence[str], selector: CompleteSearchSelector) -> str:
    """List the best trees, if more than one was asked for."""
    best = selector.best_trees_
    if selector.top_k == 1:
        return ""
    so_far = "" if selector.search_.success else " found so far"
    head = "The best tree" if len(best) == 1 else f"The {len(best):,} best trees"
    title = f"{head}{so_far}; subsets are those that give the tree:"
    return "\n".join(
        [title, "", "  errors  tested   subsets  features", *(_row(names, tree) for tree in best)]
    )


def _row(names: Sequence[str], tree: DistinctTree) -> str:
    subsets = _power(tree.n_subsets.bit_length() - 1)
    counts = f"{tree.n_validation_errors:>8,g}{len(tree.used_features):>8,}{subsets:>10}  "
    return hanging(counts, [names[i] for i in tree.used_features] or ["none"])


def _power(exponent: int) -> str:
    return f"{2**exponent:,}" if exponent <= _LARGEST_WRITTEN_OUT else f"2^{exponent}"


def proof_facts(selector: CompleteSearchSelector) -> dict[str, Any]:
    """Return what is proven, for a program."""
    return {
        "bound": selector.search_.bound,
        "gap": selector.search_.gap,
        "n_subsets": for_json(2**selector.n_features_in_),
        "n_ties": selector.n_ties_,
    }


def best_facts(names: list[str], selector: CompleteSearchSelector) -> list[dict[str, Any]]:
    """Return the best trees, for a program."""
    return [
        {**facts_of(tree, names), "tree": json.loads(tree.tree.to_json())} for tree in selector.best_trees_
    ]


FORMAT = "treewright-selection"
FORMAT_VERSION = 1
_RULES = (
    "tolerance",
    "parsimonious",
    "floating",
    "min_features",
    "required_features",
    "feature_groups",
    "start_from",
)


def text(name: str, dataset: Dataset, selector: Selector, depth: int) -> str:
    """Return the report that is printed."""
    search, work, more = _told(dataset.feature_names, selector)
    parts = [
        described(name, dataset),
        _before_and_after(dataset, selector),
        search,
        _tested(dataset, selector),
        work,
        more,
        drawn(
            selector.refit_tree_,
            depth,
            "Tree of the selected features grown on all rows; it may test others of them:",
        ),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _told(names: list[str], selector: Selector) -> tuple[str, str, str]:
    """Return what is told of the search itself, of the work, and of more that was found."""
    from treewright import CompleteSearchSelector

    if isinstance(selector, CompleteSearchSelector):
        return proof_text(selector), _work(selector, complete_work(selector)), best_text(names, selector)
    steps = steps_text(names, selector, is_plain=is_plain(selector))
    return steps, _work(selector, _stepwise_work(selector)), ""


def top_tree(dataset: Dataset, selector: Selector) -> Tree:
    """Grow the tree on all features again, from the rows that it was grown on."""
    from sklearn.base import clone

    from treewright import GreedyTreeClassifier

    is_training = np.ones(dataset.n_samples, dtype=bool)
    is_training[selector.validation_rows_] = False
    grower: GreedyTreeClassifier = clone(selector.estimator or GreedyTreeClassifier())
    return grower.fit(dataset[is_training]).tree_


def is_plain(selector: StepwiseSelector) -> bool:
    """Whether features leave one at a time from all on, each free to, as long as the errors fall."""
    from treewright import BackwardEliminationSelector

    chosen, usual = selector.get_params(), BackwardEliminationSelector().get_params()
    is_backward = isinstance(selector, BackwardEliminationSelector)
    return is_backward and all(chosen[name] == usual[name] for name in _RULES)


def _before_and_after(dataset: Dataset, selector: Selector) -> str:
    """Before and after, one below the other."""
    n_validation, top = len(selector.validation_rows_), top_tree(dataset, selector)
    before, after = n_top_errors(dataset, selector, top), selector.n_validation_errors_
    return "\n".join(
        [
            f"{parted(dataset.n_samples - n_validation, n_validation)}:",
            "",
            f"{'':19}features  tested  leaves  errors  error rate",
            _error_line("all features", dataset.n_features, top, before, n_validation),
            _error_line("selected", int(selector.support_.sum()), selector.tree_, after, n_validation),
        ]
    )


def n_top_errors(dataset: Dataset, selector: Selector, top: Tree) -> int:
    """Count the validation rows that the tree on all features predicts wrongly."""
    validation_set = dataset[selector.validation_rows_]
    target, classes = labelled(validation_set)
    predicted = top.predict(validation_set).tolist()
    return sum(guess != classes[code] for guess, code in zip(predicted, target.tolist(), strict=True))


def _error_line(label: str, n_features: int, tree: Tree, errors: float, n_validation: int) -> str:
    counts = f"{n_features:>10,}{len(tree.used_features):>8,}{tree.n_leaves:>8,}"
    return f"  {label:15}{counts}{errors:>8,g}{errors / n_validation:>12.1%}"


def _tested(dataset: Dataset, selector: Selector) -> str:
    """Name the features that matter in the end."""
    names = [dataset.feature_names[position] for position in selector.used_features_]
    n_idle = int(selector.support_.sum()) - len(names)
    if not names:
        return "The best tree tests no feature: it is a single leaf."
    others = "1 other selected does" if n_idle == 1 else f"{n_idle:,} others selected do"
    idle = f"; the {others} not change it" if n_idle else ""
    return f"The best tree tests {plural(len(names), 'feature')}{idle}:\n\n{listed(names)}"


def _work(selector: Selector, work: str) -> str:
    """Say what it took, why it ended if that was early, and what the errors are worth."""
    found = selector.search_
    sentences = [f"{work}.", *([] if found.success else [found.message])]
    sentences += ["The validation rows chose the features: expect more errors on new rows."]
    return "\n".join(map(filled, sentences))


def _stepwise_work(selector: StepwiseSelector) -> str:
    """Say what it took, and what it might have taken."""
    built = f"{plural(selector.n_trees_built_, 'tree')} built in {seconds(selector.search_.elapsed)}"
    black_box = n_trees_black_box(selector)
    if selector.strategy == "incremental" and black_box is not None:
        built += f"; a black-box search needs {black_box:,} to find the same"
    return built


def n_trees_black_box(selector: StepwiseSelector) -> int | None:
    """Trees that elimination builds if it tries every feature left in every round, the last one in vain.

    None where that is not known: other rules, or an end before the last round.
    """
    if not (selector.search_.success and is_plain(selector)):
        return None
    n_features: int = selector.n_features_in_
    return 1 + sum(n_features - dropped for dropped in range(len(selector.history_)))


def document(name: str, dataset: Dataset, selector: Selector) -> str:
    """Return the report as JSON, both trees in it."""
    import treewright

    names = dataset.feature_names
    found = selector.search_
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "treewright": treewright.__version__,
        "data": {"name": name, **data_facts(dataset)},
        "selector": type(selector).__name__,
        "settings": _settings(selector),
        "selected": [names[i] for i in selector.get_support(indices=True)],
        "tested": [names[i] for i in selector.used_features_],
        "search": {
            "n_validation_rows": len(selector.validation_rows_),
            "n_errors_before": n_top_errors(dataset, selector, top_tree(dataset, selector)),
            "n_errors_after": selector.n_validation_errors_,
            "status": found.status,
            "message": found.message,
            "seconds": found.elapsed,
            "n_trees_built": selector.n_trees_built_,
            "validation_rows": selector.validation_rows_.tolist(),
            **_search_facts(names, selector),
        },
        "tree": json.loads(selector.tree_.to_json()),
        "refit_tree": json.loads(selector.refit_tree_.to_json()),
    }
    return json.dumps(facts, ensure_ascii=False) + "\n"


def _settings(selector: Selector) -> dict[str, Any]:
    """Return the parameters, those of the estimator below its name."""
    from treewright import GreedyTreeClassifier

    chosen = {key: value for key, value in selector.get_params(deep=False).items() if key != "callback"}
    return {**chosen, "estimator": (selector.estimator or GreedyTreeClassifier()).get_params()}


def _search_facts(names: list[str], selector: Selector) -> dict[str, Any]:
    """Return what only this kind of search has to tell."""
    from treewright import CompleteSearchSelector

    if isinstance(selector, CompleteSearchSelector):
        return {**proof_facts(selector), "best": best_facts(names, selector)}
    return {
        "n_trees_black_box": n_trees_black_box(selector),
        "history": [step_facts(names, record) for record in selector.history_],
    }
