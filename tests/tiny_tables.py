"""Decision tables for tests, by seed or by Hypothesis, and the bridge to the slow reference."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from reference import tables as ref
from treewright import Tree
from treewright.tables import DecisionTable

MOST_TREES = 400
"""Trees of a table up to which brute force looks at all of them."""

OWN_COSTS = ((0, 1, 3, "sum"), (2, 0, 5, "max"), (1, 1, 0, "max"), (7, 0, 2, "sum"))
"""Rules that are none of the named costs."""


def random_tiny(rng: Random, *, most_trees: int = MOST_TREES) -> ref.TinyTable:
    """Draw a table with few enough trees to list."""
    while True:
        table = random_table(rng, n_rows=(1, 9), n_features=(0, 4), n_values=3)
        if ref.n_trees(table) <= most_trees:
            return table


def random_table(
    rng: Random, *, n_rows: tuple[int, int], n_features: tuple[int, int], n_values: int
) -> ref.TinyTable:
    """Draw a table: values and decisions uniform, or decisions that follow two columns."""
    n, m = rng.randint(*n_rows), rng.randint(*n_features)
    widths = [rng.randint(1, n_values) for _ in range(m)]
    values = [tuple(rng.randrange(width) for width in widths) for _ in range(n)]
    n_decisions = rng.randint(1, 4)
    decisions = [rng.randrange(n_decisions) for _ in values]
    if m > 1 and rng.random() < 0.4:
        a, b = rng.sample(range(m), 2)
        decisions = [(row[a] + row[b]) % n_decisions for row in values]
    alpha = rng.choice((0, 0, 0, 1, 2, 5))
    return ref.merged(values, decisions, alpha)


@st.composite
def tiny_tables(
    draw: st.DrawFn,
    *,
    max_rows: int = 8,
    max_features: int = 4,
    max_values: int = 3,
    alpha: bool = True,
) -> ref.TinyTable:
    """Tables that shrink, with few enough trees to list."""
    table = draw(small_tables(max_rows=max_rows, max_features=max_features, max_values=max_values))
    chosen = draw(st.sampled_from((0, 0, 1, 3))) if alpha else 0
    table = ref.TinyTable(table.values, table.decisions, chosen)
    if ref.n_trees(table) > MOST_TREES:
        table = ref.merged(table.values[:4], table.decisions[:4], chosen)
    return table


@st.composite
def small_tables(
    draw: st.DrawFn,
    *,
    max_rows: int = 24,
    min_features: int = 0,
    max_features: int = 5,
    max_values: int = 3,
    max_decisions: int = 4,
) -> ref.TinyTable:
    """Tables too large to list their trees."""
    m = draw(st.integers(min_features, max_features))
    value = st.integers(0, max_values - 1)
    rows = draw(st.lists(st.tuples(*[value] * m), min_size=1, max_size=max_rows))
    decision = st.integers(0, draw(st.integers(0, max_decisions - 1)))
    decisions = draw(st.lists(decision, min_size=len(rows), max_size=len(rows)))
    return ref.merged(rows, decisions)


def table_of(tiny: ref.TinyTable) -> DecisionTable:
    """Make the table that the package sees."""
    return DecisionTable(tiny.values, tiny.decisions)


def read(tree: Tree) -> object:
    """Return a tree as nested tuples of features, values and decisions."""
    arrays = tree.feature, tree.first_child, tree.branch_levels

    def at(node: int) -> object:
        feature, first, branches = (array[node] for array in arrays)
        if branches is None:
            return int(tree.classes_[tree.node_class[node]])
        levels = tree.levels[feature] or []
        children = enumerate(branches)
        return int(feature), tuple((levels[code], at(int(first) + i)) for i, code in children)

    return at(0)


def as_read(tree: ref.Tree) -> object:
    """Return a tree of the reference in the same form."""
    return ref.nested(tree, lambda feature, code: code)
