"""Pictures of trees: no box lies over another, no line runs through a box.

Inner names, as in unit tests: `trees.drawing.layout`, `trees.drawing.picture`: places are read off before
anything is written.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn import picture, shape, tree_of
from treewright.trees.drawing.layout import side_by_side
from treewright.trees.drawing.picture import BESIDE, Picture

Corners = tuple[float, float, float, float]


def first_children(kinds: list[int]) -> list[int]:
    first, end = [], 1
    for count in kinds:
        first.append(end if count else -1)
        end += count
    return first


def slow_width(kinds: list[int], size: list[float], gap: float) -> float:
    """Return the width of a tree in which every subtree is put as far to the left as it can, by recursion."""
    first = first_children(kinds)

    def place(node: int) -> tuple[dict[int, float], dict[int, float]]:
        """Return the left and right ends of each level below a node that stands at 0."""
        rights: dict[int, float] = {}
        lefts: dict[int, float] = {}
        starts = []
        for child in range(first[node], first[node] + kinds[node]):
            own_left, own_right = place(child)
            both = own_left.keys() & rights.keys()
            push = max((rights[level] + gap - own_left[level] for level in both), default=0.0)
            starts.append(push)
            for level, value in own_right.items():
                rights[level] = value + push
            for level, value in own_left.items():
                lefts.setdefault(level, value + push)
        middle = (starts[0] + starts[-1]) / 2 if starts else 0.0
        below = {level + 1: value - middle for level, value in lefts.items()}
        above = {level + 1: value - middle for level, value in rights.items()}
        return {0: -size[node] / 2, **below}, {0: size[node] / 2, **above}

    lefts, rights = place(0)
    return max(rights.values()) - min(lefts.values())


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 80), st.integers(2, 9))
def test_nodes_of_a_level_keep_their_distance_and_parents_stand_in_the_middle(
    seed: int, n_nodes: int, widest: int
) -> None:
    kinds = shape(seed, n_nodes, widest)
    rng = random.Random(seed)
    size = [rng.choice([1.0, 5.0, rng.uniform(1, 60)]) for _ in kinds]
    first = first_children(kinds)
    middles = side_by_side(first, kinds, size, 3.0)
    level = [0] * len(kinds)
    last: dict[int, int] = {}
    for node, count in enumerate(kinds):
        for child in range(first[node], first[node] + count):
            level[child] = level[node] + 1
        if level[node] in last:
            before = last[level[node]]
            assert middles[node] - middles[before] >= (size[node] + size[before]) / 2 + 3.0 - 1e-6
        last[level[node]] = node
        if count:
            assert middles[node] == pytest.approx(
                (middles[first[node]] + middles[first[node] + count - 1]) / 2
            )
    lefts = [middle - extent / 2 for middle, extent in zip(middles, size, strict=True)]
    rights = [middle + extent / 2 for middle, extent in zip(middles, size, strict=True)]
    assert min(lefts) == pytest.approx(0)
    assert max(rights) <= slow_width(kinds, size, 3.0) + 1e-6


def outlines(drawn: Picture) -> Iterator[tuple[int, Corners]]:
    """Yield the rectangles that boxes and answers take, with the number of their box."""
    for number, box in enumerate(drawn.boxes):
        yield number, (box.x, box.y, box.x + box.width, box.y + box.height)
        if box.answer and drawn.look.is_down:
            middle = box.x + box.width / 2
            yield (
                number,
                (middle - box.answer_width / 2, box.y - box.rise + 1, middle + box.answer_width / 2, box.y),
            )
        elif box.answer:
            middle = box.y + box.height / 2
            yield number, (box.x - 4 - box.answer_width, middle - box.rise + 1, box.x, middle)


def overlap(one: Corners, other: Corners) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def points(edge: tuple[float, ...], is_down: bool) -> Iterator[tuple[float, float]]:
    """Yield points on a line as the writers draw it."""
    a, b, c, d, e, f, g, h = edge
    steps = [i / 12 for i in range(13)]
    yield from ((a + (c - a) * t, b + (d - b) * t) for t in steps)
    one, two = ((c, (d + f) / 2), (e, (d + f) / 2)) if is_down else (((c + e) / 2, d), ((c + e) / 2, f))
    for t in steps:
        s = 1 - t
        weights = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
        ends = ((c, d), one, two, (e, f))
        yield (
            sum(weight * point[0] for weight, point in zip(weights, ends, strict=True)),
            sum(weight * point[1] for weight, point in zip(weights, ends, strict=True)),
        )
    yield from ((e + (g - e) * t, f + (h - f) * t) for t in steps)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 40),
    st.sampled_from(["top-down", "left-right"]),
    st.sampled_from(["short", "counts", "full"]),
    st.sampled_from(["width", "area", "equal"]),
)
def test_no_box_lies_over_another_and_no_line_runs_through_one(
    seed: int, n_nodes: int, orientation: str, labels: str, leaf_size: str
) -> None:
    rng = random.Random(seed)
    names = ["x" * rng.choice([1, 4, 30]) for _ in range(n_nodes)]
    tree = tree_of(shape(seed, n_nodes, 7), names=[f"{name}{i}" for i, name in enumerate(names)], seed=seed)
    drawn = picture(
        tree, orientation=orientation, labels=labels, leaf_size=leaf_size, max_branches=5, max_nodes=30
    )
    found = list(outlines(drawn))
    for place, (number, corners) in enumerate(found):
        assert corners[2] <= drawn.width
        assert corners[3] <= drawn.height
        for other_number, other in found[place + 1 :]:
            assert not overlap(corners, other), (number, other_number)
    for number, box in enumerate(drawn.boxes):
        for x, y in points(box.edge, drawn.look.is_down) if box.edge else ():
            own = (number, drawn.parent[number])
            near = [(i, at) for i, at in found if i not in own]
            assert not any(at[0] < x < at[2] and at[1] < y < at[3] for _, at in near)


def test_a_tree_of_50_000_levels_is_laid_out_at_once() -> None:
    n = 50_000
    start = time.process_time()
    middles = side_by_side([*range(1, n), -1], [1] * (n - 1) + [0], [1.0] * n, BESIDE)
    both = side_by_side(
        [place + 1 if place % 2 == 0 and place + 2 < 2 * n else -1 for place in range(2 * n - 1)],
        [2 if place % 2 == 0 and place + 2 < 2 * n else 0 for place in range(2 * n - 1)],
        [1.0] * (2 * n - 1),
        BESIDE,
    )
    assert time.process_time() - start < 5
    assert set(middles) == {0.5}
    assert min(both) == 0.5
