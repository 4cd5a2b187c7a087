"""What `treewright select` found, as text for a person and as JSON for a program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.cli._lines import (
    filled,
    listed,
    plural,
    seconds,
)
from treewright.cli._report_complete import (
    best_facts,
    best_text,
    complete_work,
    proof_facts,
    proof_text,
)
from treewright.cli._report_steps import step_facts, steps_text
from treewright.cli._tree import (
    data_facts,
    described,
    drawn,
    labelled,
    parted,
)

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.selection.complete import CompleteSearchSelector
    from treewright.selection.stepwise import StepwiseSelector
    from treewright.trees.tree import Tree

    Selector = StepwiseSelector | CompleteSearchSelector

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
        _errors(dataset, selector),
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


def _errors(dataset: Dataset, selector: Selector) -> str:
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
