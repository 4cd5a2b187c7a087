"""A plane over one number in words: a cut that is right for every number.

Inner names, as in unit tests: `_base.shown`: what is written of a cut is held against the product itself.
"""

from __future__ import annotations

import json
import math
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import RobustLinearClassifier, Tree, export_text
from treewright._base.shown import SIDES, lone_cut, shown_number

HOLDS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
reals = st.floats(-1e9, 1e9).filter(lambda x: abs(x) > 1e-9)


@given(reals, reals)
def test_the_cut_parts_numbers_as_the_product_does(weight, offset):
    cut = lone_cut(weight, offset)
    assert cut is not None
    for x in (math.nextafter(cut, -math.inf), cut, math.nextafter(cut, math.inf), -cut, 2 * cut):
        for above in (False, True):
            inside = weight * x > offset if above else weight * x <= offset
            assert HOLDS[SIDES[above, weight < 0]](x, cut) == inside


@pytest.mark.parametrize(("weight", "offset"), [(0.0, 1.0), (5e-324, 1.0), (1e-310, 0.0)])
def test_a_product_that_says_too_little_has_no_cut(weight, offset):
    assert lone_cut(weight, offset) is None


@pytest.mark.parametrize("up", [True, False])
def test_rules_and_rounded_planes_say_the_cut(up):
    X = np.array([[0.1], [0.4], [0.7], [0.9]])
    y = np.where((X[:, 0] > 0.5) == up, "b", "a")
    model = RobustLinearClassifier().fit(X, y)
    (plane,) = model.rounded_planes(X)
    assert abs(plane.weights[0]) == 1
    rules = [rule.text for rule in model.to_tree(X).rules()]
    cut = lone_cut(float(model.coef_[0, 0]), -float(model.intercept_[0]))
    assert cut == pytest.approx(0.55)
    assert all("*" not in text and " 0.55" in text for text in rules)
    assert {text.split(" ")[1] for text in rules} == ({"<=", ">"} if up else {">=", "<"})


DOCUMENT = json.loads(
    RobustLinearClassifier().fit([[0.0], [1.0]], ["a", "b"]).to_tree([[0.0], [1.0]]).to_json()
)


@given(reals, reals)
def test_the_printed_tree_says_the_cut_that_the_rules_say(weight, offset):
    planes = [{"weights": [[0, weight]], "offset": offset}]
    tree = Tree.from_json(json.dumps({**DOCUMENT, "planes": planes}))
    printed = [line.rpartition(": ")[0] for line in export_text(tree).splitlines() if ": " in line]
    rules = [rule.text.split(" then ")[0] for rule in tree.rules()]
    cut = shown_number(lone_cut(weight, offset))
    signs = ("<=", ">") if weight > 0 else (">=", "<")
    assert printed == [f"x0 {sign} {cut}" for sign in signs]
    assert all(text in rule for text, rule in zip(printed, rules, strict=True))
