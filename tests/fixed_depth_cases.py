"""Small nominal samples for tests of fixed-depth trees, as Dataset and for the reference."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from reference.fixed_depth import NaiveBayes, Samples
from treewright import Dataset, FixedDepthTreeClassifier

TOLERANCE = 1e-12
PRIORS = (0.0, 0.5, 1.0, 3.0)


@st.composite
def samples(draw, *, max_features=4, max_classes=4, max_rows=12, missing=True, n_classes=None):
    """Draw samples; some values and some of a feature's cells may be missing, arity 1 is legal."""
    n_classes = draw(st.integers(2, max_classes)) if n_classes is None else n_classes
    arities = draw(st.lists(st.integers(1, 3), min_size=1, max_size=max_features))
    n_rows = draw(st.integers(n_classes, max_rows))
    cell = [
        st.one_of(st.none(), st.integers(0, r - 1)) if missing else st.integers(0, r - 1) for r in arities
    ]
    rows = draw(st.lists(st.tuples(*cell), min_size=n_rows, max_size=n_rows))
    others = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    classes = [*range(n_classes), *others[n_classes:]]
    return Samples(tuple(rows), tuple(classes), tuple(arities), n_classes)


def dataset(of: Samples) -> Dataset:
    """Return the samples with all values declared."""
    columns = {
        f"f{j}": [None if row[j] is None else str(row[j]) for row in of.values]
        for j in range(len(of.arities))
    }
    levels = {f"f{j}": [str(v) for v in range(r)] for j, r in enumerate(of.arities)}
    weights = [float(w) for w in of.weights] if of.weights else None
    return Dataset.from_columns(columns, list(of.classes), sample_weight=weights, levels=levels)


def model_of(of: Samples, class_prior: float = 1.0, value_prior: float = 1.0) -> NaiveBayes:
    return NaiveBayes.of(of, Fraction(class_prior), Fraction(value_prior))


def fitted(of: Samples, depth: int, **params) -> FixedDepthTreeClassifier:
    return FixedDepthTreeClassifier(max_depth=depth, **params).fit(dataset(of))


def expected(of: Samples, depth: int, **params) -> float:
    return fitted(of, depth, **params).expected_accuracy_


def value_of_tree(tree, model: NaiveBayes, depth: int) -> Fraction:
    """Return the expected accuracy of a tree from its own leaves, in fractions; check its shape."""

    def below(node: int, joint, used) -> Fraction:
        if not tree.n_children[node]:
            return joint[tree.node_class[node]]
        feature, first = int(tree.feature[node]), int(tree.first_child[node])
        assert feature not in used
        assert len(used) < depth
        assert tree.n_children[node] == len(model.features[feature])
        return sum(
            (
                below(first + v, tuple(a * b for a, b in zip(joint, p, strict=True)), used | {feature})
                for v, p in enumerate(model.features[feature])
            ),
            Fraction(0),
        )

    return below(0, model.classes, frozenset())


def random_dataset(rng: np.random.Generator, n_rows: int, arities, n_classes: int = 2) -> Dataset:
    """Return samples whose features tell something of the class."""
    y = np.arange(n_rows) % n_classes
    columns = {
        f"f{j}": np.where(rng.random(n_rows) < 0.4, y % r, rng.integers(0, r, n_rows)).astype(str)
        for j, r in enumerate(arities)
    }
    return Dataset.from_columns(columns, y)
