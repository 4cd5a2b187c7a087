"""Whole programs as pruning rules, against the same program run by Python itself, and wherever a rule goes.

Inner names, as in unit tests: `_core` (by `reference.bridge`): the engine grows trees of drawn tables.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from commands import Run
from reference.bridge import core_grow
from strategies import random_growing, random_table
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    DataError,
    FormatError,
    GreedyTreeClassifier,
    MemoryLimitError,
    ParameterError,
    StepLimitError,
    Tree,
    datasets,
)
from treewright.distinct import count_distinct_trees
from treewright.evolution import (
    LearnedPruning,
    Program,
    ProgramEvolver,
    ProgramPruning,
    PruningProblem,
    learn_pruner,
)
from treewright.pruning import explain_pruning, prune
from treewright.studies import compare_pruning, reproduce

TYPES = """\
type mark = Mark of int
type tree = Leaf of mark * float * float | Node of mark * float * float * trees
type trees = Empty | More of tree * trees
"""

SMALL_NODES = f"""{TYPES}
fun prune(t: tree): tree * float =
  let
    fun below(s: tree, least: float): tree =
      case s of
        Leaf(_, _, _) => s
      | Node(mark, c, n, children) =>
          let
            fun each(ts: trees): trees =
              case ts of Empty => Empty | More(one, rest) => More(below(one, least), each(rest))
          in
            if n < least then Leaf(mark, c, n) else Node(mark, c, n, each(children))
          end
  in
    case t of Leaf(_, c, n) => (t, (n - c) / n) | Node(_, c, n, _) => (below(t, n / 5.0), (n - c) / n)
  end
"""
"""Nodes with less than a fifth of all samples become leaves: no formula of a node's own counts says so."""


def program(body: str) -> ProgramPruning:
    """Return a rule by what it makes of a tree t."""
    return ProgramPruning(f"{TYPES}fun prune(t: tree): tree * float = {body}")


PROGRAMS = [
    SMALL_NODES,
    program("(t, 0.0)").text,
    program("case t of Leaf(_, _, _) => (t, 1.0) | Node(m, c, n, _) => (Leaf(m, c, n), c / n)").text,
    *(PruningProblem.start(rule).text for rule in ("naive", "observed", "((n - c) + 0.5 + sqrt(n - c)) / n")),
]


def of_drawn(seed: int) -> Tree:
    """Grow a tree of a random table: many branches, empty leaves, weights, shares of samples."""
    rng = Random(seed)
    table = random_table(rng, samples=(2, 60))
    return Tree(core_grow(table, random_growing(rng, table)))


def leaves_by_python(text: str, tree: Tree) -> tuple[list[int], float]:
    """Run the program as Python code on nested tuples: the leaves that it leaves, and its estimate."""
    space: dict[str, Any] = {}
    exec(Program(text).code("python"), space)  # the text is this file's own

    def given(node: int) -> Any:
        counts = tree.class_weights[node]
        head = space["Mark"](node), float(counts[tree.node_class[node]]), float(tree.weight[node])
        if tree.n_children[node] == 0:
            return space["Leaf"](*head)
        children = space["Empty"]()
        first = tree.first_child[node]
        for child in reversed(range(first, first + tree.n_children[node])):
            children = space["More"](given(child), children)
        return space["Node"](*head, children)

    def leaves(value: Any) -> list[int]:
        if isinstance(value, space["Leaf"]):
            return [value.part1.part1]
        found, children = [], value.part4
        while isinstance(children, space["More"]):
            found += leaves(children.part1)
            children = children.part2
        return found

    pruned, rate = space["prune"](given(0))
    return leaves(pruned), rate


@pytest.mark.parametrize("text", PROGRAMS)
def test_it_prunes_as_python_runs_the_program(text: str) -> None:
    n_cut = 0
    for seed in range(40):
        tree = of_drawn(seed)
        explained = explain_pruning(tree, ProgramPruning(text))
        expected, rate = leaves_by_python(text, tree)
        stays = np.isin(explained.nodes["action"], ("cut", "leaf"))
        assert sorted(expected) == np.flatnonzero(stays).tolist(), f"seed {seed}"
        assert explained.tree.n_leaves == len(expected)
        assert explained.tree.estimates is not None
        assert explained.tree.estimates[0] == pytest.approx(rate, rel=1e-12, nan_ok=True)
        assert np.isnan(explained.tree.estimates[1:]).all()
        assert explained.errors_after == pytest.approx(
            sum(tree.weight[node] - tree.class_weights[node, tree.node_class[node]] for node in expected)
        )
        n_cut += int((explained.nodes["action"] == "cut").any())
    assert (n_cut > 5) == (text != PROGRAMS[1])


@pytest.mark.parametrize("formula", ["(n - c) / n", "((n - c) + 0.5) / n", "(n - c + sqrt(n - c + 1.0)) / n"])
def test_a_formula_in_full_form_prunes_as_the_formula(formula: str) -> None:
    rule, whole = LearnedPruning(formula), ProgramPruning(PruningProblem.start(formula))
    for seed in range(40):
        tree = of_drawn(seed)
        if (tree.class_weights[np.arange(tree.n_nodes), tree.node_class][tree.weight > 0] == 0).any():
            continue  # a formula is not asked about leaves that are right for no sample
        one, other = prune(tree, rule), prune(tree, whole)
        assert one.n_nodes == other.n_nodes
        for name in ("feature", "node_class", "weight", "first_child"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_evolved_programs_prune_by_the_rule_as_in_the_evolution() -> None:
    problem = PruningProblem("paper_table", n_trees=4)
    evolver = ProgramEvolver(problem, PruningProblem.start(), budget=1_000, most_bits=1500).run()
    sets = [datasets.make_linear_network(preset="paper_table", number=k, random_state=0) for k in range(4)]
    for one in evolver.front_[:6]:
        model = GreedyTreeClassifier.id3(pruning=ProgramPruning(one.program))
        wrong = [np.sum(model.fit(train).predict(test) != test.classes[test.target]) for train, test in sets]
        assert sum(wrong) == one.loss


def test_costs_weigh_samples_as_for_every_rule() -> None:
    iris = datasets.load("iris")
    for costs in ({("versicolor", "virginica"): 9}, {("setosa", "versicolor"): 3}):
        grown = GreedyTreeClassifier(cost_matrix=costs).fit(iris).tree_
        formula = "((n - c) + 0.5) / n"
        one = prune(grown, LearnedPruning(formula))
        assert one.n_nodes == prune(grown, ProgramPruning(PruningProblem.start(formula))).n_nodes


@pytest.mark.parametrize(
    "body",
    [
        "case t of Leaf(m, c, n) => (t, 0.0) | Node(m, c, n, _) => (Leaf(m, c, n + 1.0), 0.0)",
        "case t of Leaf(m, c, n) => (t, 0.0) | Node(m, c, n, _) => (Node(m, c, n, Empty), 0.0)",
        "case t of Leaf(m, c, n) => (t, 0.0) | Node(m, c, n, list) => "
        "(case list of Empty => (t, 0.0) | More(one, _) => (one, 0.0))",
    ],
)
def test_a_program_that_does_more_than_prune_is_refused(body: str) -> None:
    tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    with pytest.raises(DataError, match=r"on a tree of 17 nodes, returned something else than the tree"):
        prune(tree, program(body))
    assert prune(Tree.from_json(prune(tree, "cost_complexity").to_json()), program("(t, 0.0)")).n_nodes > 1


def test_an_estimate_that_is_no_number_is_the_programs_affair() -> None:
    tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    found = explain_pruning(tree, program("(t, 0.0 / 0.0)"))
    assert found.tree == Tree.from_json(found.tree.to_json())
    assert found.tree.n_nodes == tree.n_nodes
    assert "by the rule: unknown" in str(found)


def test_limits_are_those_of_the_evolution_unless_given() -> None:
    tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    naive = PruningProblem.start()
    assert prune(tree, ProgramPruning(naive, max_steps=10**6)) == prune(tree, ProgramPruning(naive))
    with pytest.raises(StepLimitError, match="tree of 17 nodes, used up its 100 steps; raise max_steps"):
        prune(tree, ProgramPruning(naive, max_steps=100))
    with pytest.raises(MemoryLimitError, match="used up its 10 words of memory; raise max_memory"):
        prune(tree, ProgramPruning(naive, max_memory=10))
    exponential = SMALL_NODES.replace("if n < least then", "if n < least or work(s) < 0.0 then").replace(
        "    fun below",
        "    fun work(s: tree): float =\n      case s of Leaf(_, c, _) => c | Node(_, c, n, ts) =>\n"
        "        let fun all(us: trees): float = case us of Empty => 0.0\n"
        "          | More(u, rest) => work(u) + work(u) + work(u) + work(u) + all(rest) in all(ts) end\n"
        "    fun below",
        1,
    )
    with pytest.raises(StepLimitError, match="used up its 7800 steps"):
        prune(tree, ProgramPruning(exponential))
    assert prune(tree, ProgramPruning(exponential, max_steps=10**6)) != tree


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (ProgramPruning("fun f(c: float, n: float): float = c"), "is a formula of c and n.*LearnedPruning"),
        (
            ProgramPruning("fun f(n: int): int = n"),
            "must be of type tree -> tree . float, and is of type int",
        ),
        (
            ProgramPruning(PROGRAMS[1].replace("Mark of int", "Mark of float")),
            "of the trees that pruning has, and is of type tree -> tree . float, of others",
        ),
        (ProgramPruning("fun f("), "expected"),
        (ProgramPruning(3), "program=3 is no program"),
        (ProgramPruning(SMALL_NODES, max_steps=0), "max_steps=0 must be None or an int of at least 1"),
        (ProgramPruning(SMALL_NODES, max_memory=1.5), "max_memory=1.5"),
    ],
)
def test_what_is_no_rule_is_said_before_a_tree_is_grown(rule: ProgramPruning, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(pruning=rule).fit([[1.0]], [0])


def test_it_is_a_rule_like_the_others() -> None:
    rule = ProgramPruning(SMALL_NODES, max_steps=10**5)
    assert clone(rule) == rule == pickle.loads(pickle.dumps(rule)) == ProgramPruning.from_json(rule.to_json())
    assert hash(clone(rule)) == hash(rule) != hash(ProgramPruning(PROGRAMS[1]))
    assert rule != ProgramPruning(SMALL_NODES)
    assert ProgramPruning(Program(SMALL_NODES)) == ProgramPruning(SMALL_NODES)
    assert ProgramPruning.from_json(Program(SMALL_NODES).to_json()) == ProgramPruning(SMALL_NODES)
    assert len({repr(ProgramPruning(text)) for text in PROGRAMS}) == len(PROGRAMS)
    assert repr(rule).endswith(">, max_steps=100000)")
    iris = datasets.load("iris")
    model = GreedyTreeClassifier(pruning=ProgramPruning(Program(SMALL_NODES))).fit(iris)
    told = model.tree_.provenance["parameters"]["pruning"]
    assert told["program"] == Program(SMALL_NODES).text
    assert "fun prune" in rule.code("python") or "def prune" in rule.code("python")
    assert PruningProblem.start(rule) == Program(SMALL_NODES)
    rules = [None, ProgramPruning(SMALL_NODES), ProgramPruning(PROGRAMS[2])]
    X, y = np.arange(40.0).reshape(-1, 1), np.arange(40) // 4 % 2
    search = GridSearchCV(GreedyTreeClassifier(), {"pruning": rules}, cv=2).fit(X, y)
    assert search.best_params_["pruning"] != rules[2]
    with pytest.raises(ParameterError, match=r"is a whole program, .* start a ProgramEvolver from it"):
        learn_pruner("paper_table", start=rule)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("[]", "no object"),
        (json.dumps({"format": "treewright-tree"}), "its format is 'treewright-tree'"),
        (json.dumps({"format": "treewright-pruning-program", "version": 2}), "version 2, and 1 is read"),
        (json.dumps({"format": "treewright-pruning-program", "version": 1}), "no 'program'"),
        (ProgramPruning(SMALL_NODES).to_json().replace("below", "bel("), "expected"),
        (Program("fun f(c: float, n: float): float = c").to_json(), "is a formula of c and n"),
        (ProgramPruning(SMALL_NODES).to_json()[:-9], "no JSON"),
    ],
)
def test_a_text_that_holds_no_rule_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        ProgramPruning.from_json(text)


def test_searches_take_it_where_they_grow_every_tree_anew() -> None:
    wine, formula = datasets.load("wine"), "((n - c) + 0.5) / n"
    rules = LearnedPruning(formula), ProgramPruning(PruningProblem.start(formula))
    supports = [
        BackwardEliminationSelector(
            estimator=GreedyTreeClassifier(pruning=rule), strategy="retrain", random_state=0
        ).fit(wine)
        for rule in rules
    ]
    assert supports[0].support_.tolist() == supports[1].support_.tolist()
    assert supports[0].tree_.n_nodes == supports[1].tree_.n_nodes
    model = GreedyTreeClassifier(pruning=rules[1])
    wanted = "would have to grow every tree anew; choose another rule, or strategy='retrain'"
    with pytest.raises(ParameterError, match=wanted):
        BackwardEliminationSelector(estimator=model).fit(wine)
    for search in (
        CompleteSearchSelector(estimator=model).fit,
        lambda data: count_distinct_trees(data, estimator=model),
    ):
        with pytest.raises(ParameterError, match="grow every tree anew; choose another rule"):
            search(wine)


def test_studies_compare_it() -> None:
    formula = "((n - c) + 0.5) / n"
    rules = {"none": None, "formula": LearnedPruning(formula), "small": ProgramPruning(SMALL_NODES)}
    rules["program"] = ProgramPruning(PruningProblem.start(formula))
    for study in (
        compare_pruning(["monks-1"], rules=rules, repeats=1, cv=3, progress=False),
        compare_pruning(generator="paper_table", rules=rules, n_sets=6, progress=False),
    ):
        by = {name: study.per_fold[study.per_fold["method"] == name] for name in rules}
        for column in ("n_errors", "n_nodes"):
            assert by["program"][column].tolist() == by["formula"][column].tolist()
        assert by["small"]["n_nodes"].sum() < by["none"]["n_nodes"].sum()


def test_tables_of_papers_name_it_in_few_words() -> None:
    rule = ProgramPruning(SMALL_NODES)
    found = reproduce("pruning:table-3", rule=rule, callback=lambda progress: True, progress=False)
    assert found.rule == repr(rule)
    assert len(found.rule) < 60


def test_the_command_line_takes_a_file_of_it(run: Run) -> None:
    rule = ProgramPruning(SMALL_NODES)
    Path("rule.json").write_text(rule.to_json(), encoding="utf-8")
    Path("program.json").write_text(Program(SMALL_NODES).to_json(), encoding="utf-8")
    assert run("fit", "wine", "--prune", "none", "--out", "tree.json").code == 0
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    for file in ("rule.json", "program.json"):
        assert run("prune", "tree.json", "--rule", file, "--out", "pruned.json").code == 0
        pruned = Tree.from_json(Path("pruned.json").read_text(encoding="utf-8"))
        assert pruned.n_nodes == prune(tree, rule).n_nodes < tree.n_nodes
    explained = run("prune", "tree.json", "--rule", "rule.json", "--explain").out
    assert "estimated error rate of the pruned tree, by the rule: 0.6" in explained
    assert "as leaf" not in explained
    fitted = run("fit", "wine", "--prune", "rule.json")
    assert fitted.code == 0
    assert "pruning: a pruning program (" in fitted.out
    select = ("select", "wine", "--prune", "rule.json")
    assert run(*select, "--strategy", "retrain").code == 0
    refused = run(*select)
    assert refused.code != 0
    assert "or --strategy retrain" in refused.err
    study = ("study", "pruning", "monks-1", "--rule", "none", "--rule", "rule.json")
    assert run(*study, "--repeats", "1", "--folds", "2").code == 0
    assert run("export", "rule.json", "--to", "python").out == rule.export("python")
    assert "c is written of formulas" in run("export", "rule.json", "--to", "c").err
    assert "it is a pruning program" in run("predict", "rule.json", "wine").err
    start = run("evolve", "--generator", "paper_table", "--start", "rule.json", "--budget", "1")
    assert "is a whole program" in start.err
    Path("rule.json").write_text(rule.to_json()[:-20], encoding="utf-8")
    assert "rule.json holds no learned rule" in run("prune", "tree.json", "--rule", "rule.json").err
