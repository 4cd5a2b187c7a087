"""`treewright select --complete`: its options, what it says is proven, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Run, assert_refused, without_origin
from growers import assert_settings, pruned_by_default
from treewright import CompleteSearchSelector, Tree, datasets

OPTIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "plain": ([], {}),
    "best trees": (["--top-k", "3", "--count-ties"], {"top_k": 3, "count_ties": True}),
    "tolerance, errors": (["--tolerance", "2"], {"tolerance": 2}),
    "tolerance, share": (["--tolerance", "0.1"], {"tolerance": 0.1}),
    "few features": (["--max-features", "2"], {"max_features": 2}),
    "order and memory": (
        ["--order", "index_descending", "--memory-limit", "2MB"],
        {"order": "index_descending", "memory_limit": "2MB"},
    ),
    "memory in bytes": (["--memory-limit", "1000"], {"memory_limit": 1000}),
    "growing": (["--criterion", "gini", "--n-jobs", "2"], {"criterion": "gini", "n_jobs": 2}),
}


@pytest.mark.parametrize(("options", "parameters"), OPTIONS.values(), ids=OPTIONS)
def test_options_are_those_of_the_selector(run: Run, options: list[str], parameters: dict[str, Any]) -> None:
    facts = json.loads(run("select", "wine", "--complete", "--json", *options).out)
    wine = datasets.load("wine")
    found = CompleteSearchSelector(random_state=0, **pruned_by_default(**parameters)).fit(wine)
    assert facts["selector"] == "CompleteSearchSelector"
    assert_settings(facts["settings"], parameters)
    assert facts["selected"] == found.get_feature_names_out().tolist()
    assert facts["tested"] == found.used_feature_names_out().tolist()
    assert without_origin(json.dumps(facts["refit_tree"])) == without_origin(found.refit_tree_.to_json())
    search = facts["search"]
    assert (search["bound"], search["gap"], search["status"]) == (
        found.search_.bound,
        found.search_.gap,
        found.search_.status,
    )
    assert (search["n_ties"], search["n_trees_built"]) == (found.n_ties_, found.n_trees_built_)
    assert search["n_subsets"] == 2**13
    for told, tree in zip(search["best"], found.best_trees_, strict=True):
        assert told["used_features"] == [wine.feature_names[i] for i in tree.used_features]
        assert (told["n_validation_errors"], told["n_subsets"]) == (tree.n_validation_errors, tree.n_subsets)
        assert told["n_leaves"] == tree.n_leaves == tree.tree.n_leaves
        assert Tree.from_json(json.dumps(told["tree"])) == tree.tree


SAID: dict[str, tuple[list[str], list[str]]] = {
    "proven": ([], ["Proven: no subset is better.\n\n", " trees built for 8,192 subsets in "]),
    "of few": (["--max-features", "1"], ["no subset whose tree tests at most 1 feature is better."]),
    "within": (
        ["--tolerance", "9", "--max-features", "3", "--criterion", "gini"],
        ["Proven: no subset whose tree tests at most 3 features makes fewer than", "fewer than this one."],
    ),
    "within, yet best": (
        ["--tolerance", "1", "--prune", "none"],
        ["Proven: no subset makes fewer errors.\n"],
    ),
    "ties": (
        ["--count-ties", "--min-samples-split", "16"],
        ["3 distinct trees make equally few errors. This one tests the fewest"],
    ),
    "no ties": (
        ["--count-ties", "--max-features", "2", "--prune", "none"],
        ["No other tree makes as few errors."],
    ),
    "best": (
        ["--top-k", "3", "--min-samples-split", "16"],
        [
            "The 3 best trees; subsets are those that give the tree as it grows, before\npruning:\n\n",
            "\n       1       5       4       256  alcohol, magnesium, flavanoids,\n" + 36 * " ",
            "\n       1       6       5        64  alcohol, ash, magnesium, flavanoids, hue\n",
        ],
    ),
    "best, a leaf": (
        ["--top-k", "3", "--max-depth", "0"],
        ["The best tree; subsets", "\n      32       1       0     8,192  none\n"],
    ),
}


@pytest.mark.parametrize(("options", "sentences"), SAID.values(), ids=SAID)
def test_report_says_what_is_proven(run: Run, options: list[str], sentences: list[str]) -> None:
    text = run("select", "wine", "--complete", *options).out
    for sentence in sentences:
        assert sentence in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_search_ended_early_says_what_is_not_proven(run: Run) -> None:
    options = ["--time-limit", "0.01", "--count-ties", "--top-k", "2"]
    text = run("select", "digits", "--complete", *options).out
    for sentence in ("Not proven: there may be a better subset.", "built for 2^64 subsets", "as few errors."):
        assert sentence in text
    assert "The time limit was reached; the best found so far is kept." in text
    assert "found so far; subsets are those" in text


def test_columns_do_not_run_into_each_other(run: Run) -> None:
    constant = [f"c{i}" for i in range(27)]
    rows = [f"{i % 2},{i % 3}{',0' * 27},{'xy'[i % 2]}" for i in range(60)]
    Path("wide.csv").write_text(
        "\n".join([",".join(["a", "b", *constant, "class"]), *rows]), encoding="utf-8"
    )
    lines = run("select", "wide.csv", "--target", "class", "--complete", "--top-k", 2).out.splitlines()
    first = lines[lines.index(next(line for line in lines if line.endswith("subsets  features"))) + 1]
    assert first.split() == ["0", "2", "1", "268,435,456", "a"]


REFUSED: dict[str, tuple[list[str], str]] = {
    "of steps": (["--complete", "--floating"], "--floating does not go with --complete; leave it out."),
    "of backward": (["--complete", "--min-features", "2"], "--min-features does not go with --complete"),
    "group": (["--complete", "--group", "ash,hue"], "--group does not go with --complete"),
    "of complete": (["--top-k", "2"], "--top-k goes with --complete only; leave it out."),
    "of complete, forward": (["--forward", "--order", "index"], "--order does not go with --forward"),
    "of two": (["--max-features", "2"], "--max-features goes with --forward or --complete only"),
    "both": (["--forward", "--complete"], "two different searches: give one of them"),
    "tolerance and best": (
        ["--complete", "--tolerance", "1", "--top-k", "2"],
        "'--tolerance': 1 does not go with --top-k 2",
    ),
    "tolerance and ties": (
        ["--complete", "--tolerance", "1", "--count-ties"],
        "'--tolerance': 1 does not go with --count-ties",
    ),
    "amount": (["--complete", "--memory-limit", "much"], "'--memory-limit': 'much' must be"),
    "order": (["--complete", "--order", "random"], "'random' is not one of"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_go_together_is_refused_by_name(run: Run, options: list[str], message: str) -> None:
    assert_refused(run("select", "wine", *options), 2, message)


def test_predict_takes_what_it_wrote(run: Run) -> None:
    run("select", "wine", "--complete", "--out", "found.json")
    assert "of 178 predictions are wrong" in run("predict", "found.json", "wine", "--out", "labels.csv").err
