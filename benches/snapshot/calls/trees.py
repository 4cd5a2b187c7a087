"""Trees as documents: text with every option, JSON, pickles, trees of scikit-learn, arrays."""

from __future__ import annotations

import pickle
from functools import cache
from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from treewright import (
    BackwardEliminationSelector,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    Tree,
    export_text,
)
from treewright.pruning import ErrorBasedPruning

NAME = "tree"


@cache
def model(name: str) -> Any:
    """Return a fitted model by the name of its kind."""
    X, y = data.mixed()
    made = {
        "greedy": lambda: GreedyTreeClassifier().fit(data.named("heart-c")),
        "mixed": lambda: GreedyTreeClassifier(min_samples_branch=2).fit(X, y),
        "value": lambda: GreedyTreeClassifier(min_samples_branch=2, missing="value").fit(X, y),
        "pruned": lambda: GreedyTreeClassifier(pruning=ErrorBasedPruning()).fit(data.named("hepatitis")),
        "c45": lambda: GreedyTreeClassifier.c45().fit(data.named("crx")),
        "minimal": lambda: MinimalTreeClassifier().fit(data.named("monks-1")),
        "fixed": lambda: FixedDepthTreeClassifier().fit(data.named("monks-3")),
        "planes": lambda: MultivariateTreeClassifier(perturbation=0.02, alpha=None).fit(data.named("iris")),
        "selector": lambda: BackwardEliminationSelector(random_state=0).fit(data.named("wine")),
        "leaf": lambda: GreedyTreeClassifier(max_depth=0).fit(X, y),
        "whole-classes": lambda: GreedyTreeClassifier().fit([[1.5], [2.5], [3.5]], [10, 9, 9]),
    }
    return made[name]()


def text(name: str, **options: Any) -> str:
    """Return a model's tree as text."""
    return export_text(model(name), **options)


def stored(name: str) -> facts.Facts:
    """Return the JSON of a tree as it stands, and whether it comes back, as a pickle too."""
    tree = model(name).tree_
    again = Tree.from_json(tree.to_json())
    return {
        "document": facts.document(tree.to_json()),
        "same": [again == tree, hash(again) == hash(tree), pickle.loads(pickle.dumps(tree)) == tree],
        "text of both": [tree.export_text() == again.export_text()],
    }


def arrays(name: str) -> facts.Facts:
    """Return every array of a tree."""
    tree = model(name).tree_
    return {
        "text": repr(tree),
        "features": tree.feature_names,
        "levels": tree.levels,
        "classes": tree.classes_,
        "counts": [tree.n_features, tree.n_classes, tree.n_nodes, tree.n_leaves, tree.max_depth],
        "routing": tree.routing,
        "lists branches": tree.lists_branches,
        "kind": tree.kind,
        "feature": tree.feature,
        "threshold": tree.threshold,
        "first child": tree.first_child,
        "branches": tree.branch_levels,
        "children": tree.n_children,
        "parent": tree.parent,
        "depth": tree.depth,
        "class": tree.node_class,
        "weight": tree.weight,
        "class weights": tree.class_weights,
        "estimates": tree.estimates,
        "importances": tree.feature_importances(),
        "locked": not tree.weight.flags.writeable,
    }


def pickled(name: str) -> facts.Facts:
    """Pickle a whole model, and predict again."""
    X, _ = data.mixed()
    again = pickle.loads(pickle.dumps(model(name)))
    return facts.classifier(again, X)


def of_scikit_learn(kind: str, **params: Any) -> facts.Facts:
    """Take over a tree of scikit-learn."""
    import pandas as pd
    from sklearn import tree as scikit

    X, y = data.numbers()
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])
    labels = np.array(["low", "high"])[y]
    weight = params.pop("weight", None)
    fitted = getattr(scikit, kind)(random_state=0, **params).fit(frame, labels, sample_weight=weight)
    taken = Tree.from_sklearn(fitted)
    named = Tree.from_sklearn(fitted.tree_, feature_names=list("abcde"), class_names=["h", "l"])
    return {"tree": facts.tree(taken), "text": named.export_text(), "answers": facts.answers(taken, frame)}


CASES = {
    **{f"text/{name}": case(text, name) for name in ("greedy", "mixed", "value", "pruned", "c45")},
    **{f"text/{name}": case(text, name) for name in ("minimal", "fixed", "planes", "selector", "leaf")},
    "text/greedy/max_depth=2": case(text, "greedy", max_depth=2),
    "text/mixed/show_counts": case(text, "mixed", show_counts=True),
    "text/mixed/show_counts,decimals=1": case(text, "mixed", show_counts=True, decimals=1),
    "text/mixed/show_errors": case(text, "mixed", show_errors=True),
    "text/mixed/show_errors,decimals=2": case(text, "mixed", show_errors=True, decimals=2, max_depth=3),
    "text/pruned/show_estimates": case(text, "pruned", show_estimates=True),
    "text/pruned/everything": case(
        text, "pruned", show_estimates=True, show_errors=True, show_counts=True, decimals=2
    ),
    "text/planes/decimals=3": case(text, "planes", decimals=3, show_errors=True),
    "text/fixed/show_counts": case(text, "fixed", show_counts=True, decimals=3),
    **{
        f"json/{name}": case(stored, name)
        for name in ("greedy", "mixed", "value", "pruned", "c45", "minimal")
    },
    **{
        f"json/{name}": case(stored, name)
        for name in ("fixed", "planes", "selector", "leaf", "whole-classes")
    },
    **{
        f"arrays/{name}": case(arrays, name)
        for name in ("mixed", "value", "pruned", "minimal", "fixed", "planes")
    },
    "pickle/mixed": case(pickled, "mixed"),
    "scikit-learn/default": case(of_scikit_learn, "DecisionTreeClassifier"),
    "scikit-learn/entropy,depth=3,weights": case(
        of_scikit_learn,
        "DecisionTreeClassifier",
        criterion="entropy",
        max_depth=3,
        weight=data.weights(90) + 0.1,
    ),
    "scikit-learn/extra": case(of_scikit_learn, "ExtraTreeClassifier", max_leaf_nodes=8),
}
