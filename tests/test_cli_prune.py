"""`treewright prune`, and `treewright fit --prune`.

Inner names, as in unit tests: `cli._pruning`, `cli.fit` and `cli.prune`: parts of the command line
are tested without a process.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from commands import assert_refused, without_origin
from treewright import GreedyTreeClassifier, Tree, datasets, pruning
from treewright.cli._pruning import RULES
from treewright.cli.fit import fit
from treewright.cli.prune import prune

OF_TREE = sorted(set(RULES) - {"tuned-error-based", "reduced-error"})


@pytest.fixture
def saved(run):
    """Write the trees of breast-cancer and of the weather, unpruned."""
    whole = ("--prune", "none", "--out")
    assert run("fit", "breast-cancer", *whole, "cancer.json").code == 0
    assert run("fit", "weather.csv", "--target", "play", *whole, "weather.json").code == 0
    return run


def tree_in(path):
    return Tree.from_json(Path(path).read_text(encoding="utf-8"))


def test_every_rule_of_the_package_has_a_name_and_its_parameters_an_option(run):
    rules = {name for name in pruning.__all__ if name.endswith("Pruning")}
    assert set(RULES.values()) == rules
    assert {"pessimistic", "tuned-error-based", "published-evolved"} <= set(RULES)
    parameters = {name for rule in rules for name in getattr(pruning, rule)._get_param_names()}
    told = {one.name for one in fit.params if getattr(one, "section", None) == "Pruning"}
    assert told == parameters - {"confidences"} | {"rule_name"}
    assert told - {"share", "cv", "random_state"} == {
        one.name for one in prune.params if getattr(one, "section", None) == "Pruning"
    }


def test_pruned_tree_is_printed_and_written(saved):
    ended = saved("prune", "cancer.json", "breast-cancer", "--out", "small.json")
    data = datasets.load("breast-cancer")
    expected = GreedyTreeClassifier(pruning=pruning.ErrorBasedPruning()).fit(data).tree_
    assert (ended.code, ended.err) == (0, "")
    assert tree_in("small.json") == expected
    assert "before pruning     39      20      7       0\n" in ended.out
    assert f"pruned{expected.n_nodes:>15}" in ended.out
    assert "The tree is in small.json" in ended.out
    assert saved("predict", "small.json", "breast-cancer").code == 0


@pytest.mark.parametrize("name", OF_TREE)
def test_rules_go_by_the_weights_in_the_tree(saved, name):
    options = {"error-based": ["--no-grafting"], "estimator": ["--estimate", "(e + 1) / (n + 2)"]}
    ended = saved("prune", "cancer.json", "--rule", name, "--json", *options.get(name, []))
    parameters = {"error-based": {"grafting": False}, "estimator": {"f": "(e + 1) / (n + 2)"}}
    rule = getattr(pruning, RULES[name])(**parameters.get(name, {}))
    assert ended.code == 0
    assert Tree.from_json(ended.out) == pruning.prune(tree_in("cancer.json"), rule)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--confidence", "0.05", "--limit", "weka", "--no-grafting"], {"confidence": 0.05, "limit": "weka"}),
        (["--no-grafting", "--limit", "exact"], {"limit": "exact"}),
    ],
)
def test_parameters_reach_the_rule(saved, options, rule):
    ended = saved("prune", "cancer.json", "--json", *options)
    expected = pruning.prune(tree_in("cancer.json"), pruning.ErrorBasedPruning(grafting=False, **rule))
    assert Tree.from_json(ended.out) == expected


def test_reduced_error_takes_rows_of_their_own(saved):
    ended = saved(
        *("prune", "weather.json", "weather.csv", "--target", "play", "--rule", "reduced-error", "--json")
    )
    assert ended.code == 0
    assert Tree.from_json(ended.out).n_nodes <= tree_in("weather.json").n_nodes


def test_numbers_as_classes_are_recognised(run):
    assert run("fit", "monks-1", "--out", "monks.json").code == 0
    ended = run("prune", "monks.json", "monks-1", "--json")
    assert ended.code == 0
    assert Tree.from_json(ended.out).n_nodes <= tree_in("monks.json").n_nodes


def test_explanation_is_printed(saved):
    ended = saved("prune", "cancer.json", "--no-grafting", "--explain")
    found = pruning.explain_pruning(tree_in("cancer.json"), pruning.ErrorBasedPruning(grafting=False))
    assert ended.out == f"{found}\n"


REFUSED = [
    (["--grafting"], "give the rows that grew it as DATA, or --no-grafting"),
    (["--no-grafting", "--target", "play"], "--target says how to read DATA, which is not given"),
    (["--no-grafting", "--delimiter", ";"], "--delimiter says how to read DATA"),
    (["--no-grafting", "--explain", "--show-depth", "1"], "--show-depth does not go with --explain"),
    (["--rule", "reduced-error"], "give them as DATA"),
    (["--rule", "tuned-error-based"], "treewright fit DATA --prune tuned-error-based"),
    (["--rule", "cost-complexity", "--alpha", "cv"], "treewright fit DATA --prune cost-complexity"),
    (["--rule", "pessimistic", "--m", "3"], "--m does not go with --rule pessimistic"),
    (["--rule", "pessimistic", "--no-grafting"], "--grafting does not go with --rule pessimistic"),
    (["--rule", "estimator"], "needs --estimate TEXT"),
    (["--rule", "estimator", "--estimate", "n +"], "Invalid value for '--estimate': 'n +' cannot be read"),
    (["--rule", "best"], "'best' is not one of"),
    (["--confidence", "2"], "Invalid value for '--confidence': 2.0 must be above 0"),
    (["--rule", "cost-complexity", "--alpha", "-1"], "Invalid value for '--alpha'"),
    (["--rule", "cost-complexity", "--alpha", "x"], "'--alpha': 'x' must be a number, or 'cv'"),
    (["weather.csv"], "need --target COL"),
    (["--no-grafting", "--out", "weather.json"], "is the file that TREE is read from"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_refused(saved, options, message):
    ended = saved("prune", "weather.json", *options)
    assert (ended.code, ended.out) == (2, "")
    assert message in " ".join(ended.err.split())


def test_set_of_a_folder_knows_its_class(saved, tmp_path):
    columns = [
        {"name": name, "kind": "numeric" if name in ("temperature", "humidity") else "nominal"}
        for name in Path("weather.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")
    ]
    entry = {"name": "weather", "file": "weather.csv", "columns": columns}
    Path("index.json").write_text(json.dumps({"datasets": [entry]}), encoding="utf-8")
    named = saved("prune", "weather.json", "weather", "--folder", tmp_path, "--json")
    assert named.code == 0
    of_file = saved("prune", "weather.json", "weather.csv", "--target", "play", "--json")
    assert without_origin(named.out) == without_origin(of_file.out)


def test_rows_of_another_class_are_refused(saved):
    Path("other.csv").write_text(
        Path("weather.csv").read_text(encoding="utf-8").replace(",no\n", ",never\n"), encoding="utf-8"
    )
    ended = saved("prune", "weather.json", "other.csv", "--target", "play")
    assert_refused(ended, 1, "other.csv has the class 'never', which the tree does not know")


def test_what_holds_no_tree_is_refused(saved):
    for options in ([], ["--no-grafting"], ["--grafting"]):
        assert_refused(saved("prune", "weather.csv", *options), 1, "holds no tree")
        assert_refused(saved("prune", "nosuch.json", *options), 1, "nosuch.json")
    Path("bad.json").write_text('{"format": "other"}', encoding="utf-8")
    refused = saved("prune", "bad.json")
    assert_refused(refused, 1, "give a file that `treewright fit --out`")
    assert "to_json" not in refused.err


def test_without_rows_nothing_is_grafted(saved):
    ended = saved("prune", "cancer.json", "--json")
    assert (ended.code, ended.err) == (
        0,
        "Note: without DATA there are no rows to move, so nothing is grafted.\n",
    )
    plain = saved("prune", "cancer.json", "--no-grafting", "--json")
    assert without_origin(ended.out) == without_origin(plain.out)


def test_explanation_is_there_for_programs(saved):
    ended = saved("prune", "cancer.json", "breast-cancer", "--json", "--explain")
    before, rule = tree_in("cancer.json"), pruning.ErrorBasedPruning()
    found = pruning.explain_pruning(before, rule, datasets.load("breast-cancer"))
    document = json.loads(ended.out)
    assert document["rule"] == {"class": "ErrorBasedPruning", **rule.get_params()}
    assert Tree.from_json(json.dumps(document["tree"])) == found.tree
    assert [node["action"] for node in document["nodes"]] == found.nodes["action"].tolist()
    assert document["nodes"][0]["leaf_estimate"] == found.nodes["leaf_estimate"][0]
    leaves = before.n_children == 0
    is_none = [node["subtree_estimate"] is None for node in document["nodes"]]
    assert is_none == leaves.tolist()


def test_infinite_estimates_are_words_in_json(saved):
    ended = saved(
        *("prune", "cancer.json", "--rule", "estimator", "--estimate", "log(e)", "--json", "--explain")
    )
    estimates = {node["leaf_estimate"] for node in json.loads(ended.out)["nodes"]}
    assert "-infinity" in estimates


def test_shares_are_no_counts(run):
    assert run("fixed-depth", "monks-3", "--depth", "2", "--out", "fixed.json").code == 0
    for rule in ("pessimistic", "error-based", "cost-complexity"):
        refused = run("prune", "fixed.json", "--rule", rule)
        assert (refused.code, refused.out) == (1, "")
        assert "shares of the samples" in refused.err
        assert "pass samples as DATA and --target" in " ".join(refused.err.split())
    ended = run("prune", "fixed.json", "monks-3", "--rule", "pessimistic")
    assert ended.code == 0


def test_columns_stay_apart(run):
    weights = "a,b,class\n" + "".join(f"{i % 7},{i % 5},{i % 3}\n" for i in range(1200))
    Path("many.csv").write_text(weights, encoding="utf-8")
    assert run("fit", "many.csv", "--target", "class", "--out", "many.json").code == 0
    lines = run("prune", "many.json", "--rule", "pessimistic", "--show-depth", "0").out.splitlines()
    head, before, pruned = lines[2:5]
    ends = [head.index(name) + len(name) for name in ("nodes", "leaves", "depth", "errors")]
    for line in (before, pruned):
        assert all(line[end - 1] != " " and line[end : end + 1] in ("", " ") for end in ends)


def test_errors_have_two_decimals(saved):
    head, *rows = Path("weather.csv").read_text(encoding="utf-8").splitlines()
    gaps = [head, *("," + row.partition(",")[2] for row in rows[:2]), *rows[2:]]
    Path("gaps.csv").write_text("\n".join(gaps) + "\n", encoding="utf-8")
    ended = saved(*("prune", "weather.json", "gaps.csv", "--target", "play", "--rule", "pessimistic"))
    errors = [line.split()[-1] for line in ended.out.splitlines()[3:5]]
    assert all(len(value.partition(".")[2]) <= 2 for value in errors)
    assert any("." in value for value in errors)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["error-based"], pruning.ErrorBasedPruning()),
        (["error-based", "--confidence", "0.1"], pruning.ErrorBasedPruning(confidence=0.1)),
        (["tuned-error-based", "--folds", "4"], pruning.TunedErrorBasedPruning(cv=4)),
        (
            ["reduced-error", "--share", "0.5", "--seed", "3"],
            pruning.ReducedErrorPruning(share=0.5, random_state=3),
        ),
        (["cost-complexity", "--alpha", "cv"], pruning.CostComplexityPruning(alpha="cv")),
        (["cost-complexity", "--alpha", "2"], pruning.CostComplexityPruning(alpha=2)),
        (["minimum-error", "--m", "4"], pruning.MinimumErrorPruning(m=4)),
        (["published-evolved", "--slack", "0.02"], pruning.PublishedEvolvedPruning(slack=0.02)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_fit_prunes(run, options, rule):
    ended = run("fit", "breast-cancer", "--prune", *options, "--json")
    assert ended.code == 0
    expected = GreedyTreeClassifier(pruning=rule).fit(datasets.load("breast-cancer")).tree_
    assert Tree.from_json(ended.out) == expected


def test_fit_says_what_pruned(run):
    assert "\npruning: error-based\n\nTree" in run("fit", "iris", "--prune", "error-based").out
    tuned = run("fit", "iris", "--prune", "tuned-error-based").out
    assert re.search(
        "\npruning: tuned-error-based; chosen: error-based-no-grafting, confidence 0.[0-9]+\n", tuned
    )
    assert "grown and pruned on all rows" in tuned
    whole = run("fit", "iris", "--prune", "none").out
    assert "\npruning: none\n" in whole
    assert "grown on all rows" in whole


def test_fit_refuses_parameters_without_a_rule(run):
    unpruned = ("fit", "monks-1", "--growth", "id3")
    assert_refused(run(*unpruned, "--confidence", "0.1"), 2, "--confidence goes with --prune only")
    assert_refused(run(*unpruned, "--seed", "1"), 2, "--seed goes with --prune only")
    usual = "does not go with --prune error-based-no-grafting"
    assert_refused(run("fit", "iris", "--seed", "1"), 2, f"--seed {usual}")
    named = ("fit", "iris", "--prune", "error_based_no_grafting", "--grafting")
    assert_refused(run(*named), 2, f"--grafting {usual}")


@pytest.mark.parametrize("option", [["--folds", "5"], ["--seed", "1"]])
@pytest.mark.parametrize("alpha", [[], ["--alpha", "3"]])
def test_fit_refuses_drawing_where_nothing_is_drawn(run, option, alpha):
    ended = run("fit", "iris", "--prune", "cost-complexity", *alpha, *option)
    assert (ended.code, ended.out) == (2, "")
    expected = f"{option[0]} goes with --prune cost-complexity only where --alpha is cv"
    assert expected in " ".join(ended.err.split())


def test_share_may_be_a_fraction(run):
    def of(share):
        return run("fit", "iris", "--prune", "reduced-error", "--share", share, "--json")

    assert of("1/3").code == 0
    usual = run("fit", "iris", "--prune", "reduced-error", "--json")
    assert without_origin(of("1/3").out) == without_origin(usual.out)
    assert without_origin(of("1/4").out) == without_origin(of("0.25").out)
    for wrong in ("1/0", "x", "1/3/5"):
        assert_refused(of(wrong), 2, f"'--share': {wrong!r} is neither a number nor a fraction")
    assert_refused(of("3/2"), 2, "must be above 0 and below 1")


def test_saved_estimates_travel(run):
    run("fit", "iris", "--prune", "pessimistic", "--out", "pruned.json")
    assert tree_in("pruned.json").estimates is not None
    document = json.loads(Path("pruned.json").read_text(encoding="utf-8"))
    assert document["format"] == "treewright-tree"


def test_c45_is_pruned_unless_told_otherwise(run):
    def n_nodes(*options):
        ended = run("fit", "tic-tac-toe", "--growth", "c45", "--json", *options)
        assert ended.code == 0, ended.err
        return Tree.from_json(ended.out).n_nodes

    assert n_nodes() == 142
    assert n_nodes("--prune", "none") == 208
    assert n_nodes("--confidence", "0.25") == 142
    assert n_nodes("--confidence", "0.001") < 142
    assert n_nodes("--prune", "pessimistic") not in (142, 208)
    for options in ([], ["--growth", "c45"]):
        refused = run("fit", "tic-tac-toe", *options, "--prune", "none", "--confidence", "0.1")
        assert_refused(refused, 2, "--confidence does not go with --prune none")


@pytest.mark.parametrize("weighted", [False, True])
def test_with_costs_every_command_tells_what_answers_cost(run, weighted):
    heads, *lines = Path("weather.csv").read_text(encoding="utf-8").split()
    rows = [f"{line},{1 + 2 * (i % 2)}" for i, line in enumerate(lines)]
    Path("costly.csv").write_text("\n".join([f"{heads},n", *rows]), encoding="utf-8")
    weight = ("--weight", "n") if weighted else ()
    data = ("costly.csv", "--target", "play", *weight)
    dropped = () if weighted else ("--drop", "n")
    costs = (
        "--cost-matrix",
        "no:yes=2.5",
        "--min-samples-leaf",
        "4",
        "--prune",
        "none",
        "--out",
        "tree.json",
    )
    fitted = run("fit", *data, *dropped, *costs)
    told = run("predict", "tree.json", *data).err
    pruned = run("prune", "tree.json", *data, "--rule", "cost-complexity", "--alpha", "0")
    alone = run("prune", "tree.json", "--rule", "cost-complexity", "--alpha", "0").out

    dataset = datasets.read_csv("costly.csv", target="play", weight="n")
    true = dataset.classes[dataset.target]
    weights = dataset.sample_weight if weighted else np.ones(len(rows))
    guesses = tree_in("tree.json").predict(dataset)
    price = np.where(true == guesses, 0, np.where(true == "no", 2.5, 1.0))
    cost, errors = (price * weights).sum(), weights[true != guesses].sum()
    assert cost > 0
    expected = f"cost {cost:,.10g} ({cost / weights.sum():.4g} a row)"
    assert f"its answers {expected}; it was made from them" in " ".join(fitted.out.split())
    assert f"the answers {expected}" in " ".join(told.split())
    for text in (pruned.out, alone):
        (before,) = re.findall(r"before pruning .* ([\d.]+) +([\d.]+)$", text, re.MULTILINE)
        assert tuple(map(float, before)) == (errors, cost)


def test_a_class_that_the_tree_does_not_know_has_no_cost(run):
    costs = ("--cost-matrix", "no:yes=2.5", "--out", "tree.json")
    run("fit", "weather.csv", "--target", "play", *costs)
    text = Path("weather.csv").read_text(encoding="utf-8").rstrip()
    Path("other.csv").write_text(text[: text.rindex(",")] + ",maybe\n", encoding="utf-8")
    told = run("predict", "tree.json", "other.csv", "--target", "play")
    assert told.code == 0
    assert "the answers have no known cost, as the tree does not know the class 'maybe'" in told.err
