"""`treewright table` and `treewright study greedy`.

Inner names, as in unit tests: `cli._text`: parts of the command line are tested without a process.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from commands import Run, assert_refused
from treewright import Tree, datasets
from treewright.cli._text import written_count
from treewright.tables import DecisionTable

SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))
TOE = ("table", "tic-tac-toe")
WEATHER = ("table", "weather.csv", "--target", "play", "--bins", 3)


@pytest.fixture(scope="module")
def graph():
    return DecisionTable.from_data(datasets.load("tic-tac-toe")).subtable_graph()


# table --------------------------------------------------------------------------------


def test_report_has_minima_and_tree(run: Run, graph) -> None:
    ended = run(*TOE, "--cost", "depth", "--then", "n_nodes", "--show-depth", 1)
    assert (ended.code, ended.err) == (0, "")
    assert "958 different rows, 2 decisions. 26,678 subtables to split, 15,854 leaf" in ended.out
    assert "Depth: 6, proven to be the least." in ended.out
    assert "Tree of least depth, then nodes:\n266 nodes" in ended.out
    for cost in ("depth", "n_nodes", "n_leaves"):
        assert written_count(graph.count_optimal(cost)) in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_json_has_everything(run: Run, graph) -> None:
    options = ("--greedy", "all", "--pareto", "depth,n_nodes", "--json")
    facts = json.loads(run(*TOE, *options).out)
    assert facts["format"] == "treewright-table"
    assert facts["minima"] == {
        "depth": 6,
        "total_path_length": 4171,
        "n_nodes": 244,
        "n_internal": 88,
        "n_leaves": 155,
    }
    assert facts["n_optimal"]["depth"] == graph.count_optimal("depth")
    assert facts["pareto"] == [
        {"depth": depth, "n_nodes": nodes} for depth, nodes, _ in graph.pareto_front("depth", "n_nodes")
    ]
    assert len(facts["greedy"]) == 16
    assert all(row["n_nodes"] >= 244 for row in facts["greedy"])
    assert (facts["search"]["cost"], facts["search"]["status"]) == (244, "optimal")
    jsonschema.validate(facts["tree"], SCHEMA)
    assert Tree.from_json(json.dumps(facts["tree"])).n_nodes == 244


def test_greedy_heuristics_are_chosen_by_name(run: Run) -> None:
    ended = run(*TOE, "--greedy", "sum,rt", "--greedy", "weighted_sum, gini", "--show-depth", 0)
    lines = ended.out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("greedy tree by"))
    assert [line.split("  ")[0] for line in lines[start + 1 : start + 4]] == [
        "optimal tree",
        "sum, rt",
        "weighted sum, gini",
    ]
    assert_refused(run(*TOE, "--greedy", "sum"), 2, "'sum' is not known; write 'all'")


def test_front_is_printed(run: Run) -> None:
    ended = run(*TOE, "--pareto", "depth,n_nodes", "--show-depth", 0)
    assert "depth  nodes\n    6    266\n    7    244\n" in ended.out
    for wrong in ("depth", "depth,depth", "depth,size", "depth,n_nodes,n_leaves"):
        assert_refused(run(*TOE, "--pareto", wrong), 2, "must be two different costs")


def test_limit_is_told_with_what_to_try(run: Run) -> None:
    ended = run(*TOE, "--node-limit", 500, "--pareto", "depth,n_nodes", "--greedy", "all", "--show-depth", 0)
    text = " ".join(ended.out.split())
    assert ended.code == 0
    assert "Not all: the node limit was reached. It had no complete tree yet, so it proves no bounds." in text
    assert "no tree has less than" in text
    assert "a higher --node-limit or a larger --max-pairs may close the gap" in text
    assert "needs the complete graph: raise the limits" in text
    assert "The best tree found: 323 nodes" in text


def test_bound_proves_where_the_graph_does_not_fit(run: Run) -> None:
    ended = run(*TOE, "--cost", "depth", "--node-limit", 20000, "--show-depth", 0)
    text = " ".join(ended.out.split())
    assert "Depth: 6, proven to be the least." in text


def test_numeric_columns_take_bins(run: Run) -> None:
    assert_refused(run("table", "wine"), 1, "has 14.23 at row 0")
    assert "--bins 4" in " ".join(run("table", "wine").err.split())
    ended = run(*WEATHER, "--on-conflict", "most_common")
    assert ended.code == 0
    assert "13 different rows (1 row equal to one before)" in ended.out


def test_conflicts_are_an_error_or_settled(run: Run) -> None:
    lines = ["a,b,c", "1,x,p", "1,x,q", "1,x,q", "2,x,p"]
    Path("conflict.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = ("table", "conflict.csv", "--target", "c")
    assert_refused(run(*command), 1, "rows 0 and 1 have the same values")
    assert "--on-conflict most_common" in run(*command).err
    ended = run(*command, "--on-conflict", "most_common")
    assert "2 different rows (2 rows equal to one before)" in ended.out


def test_tree_is_written_and_predicts(run: Run) -> None:
    lines = ["outlook,windy,play", "sunny,no,yes", "sunny,yes,no", "rainy,no,no", ",no,yes"]
    Path("small.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ended = run("table", "small.csv", "--target", "play", "--out", "tree.json")
    assert "`treewright predict tree.json DATA` uses it." in ended.out
    predicted = run("predict", "tree.json", "small.csv", "--target", "play")
    assert "0 of 4 predictions are wrong" in predicted.err + predicted.out


def test_help_names_every_option(run: Run) -> None:
    ended = run("table", "--help-all")
    for option in ("--bins", "--cost", "--then", "--greedy", "--pareto", "--max-pairs", "--node-limit"):
        assert option in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_long_counts_are_rounded() -> None:
    assert written_count(123456) == "123,456"
    assert written_count(4 * 10**69) == "4.00e69"
    assert written_count(10**5000) == "1.00e5000"


# study greedy -----------------------------------------------------------------------

SMALL = ("study", "greedy", "--n-tables", 20, "--n-rows", 12, "--n-features", 4)


def test_comparison_prints_one_line_a_heuristic(run: Run) -> None:
    ended = run(*SMALL)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("weighted sum, gini") >= 1
    assert "20 random tables of 12 rows, 4" in " ".join(ended.out.split())
    assert max(map(len, ended.out.splitlines())) <= 80


def test_comparison_is_written_in_every_form(run: Run) -> None:
    ended = run(*SMALL, "--plot", "map.png", "--csv", "means.csv", "--json")
    facts = json.loads(ended.out)
    assert (facts["n_tables"], facts["status"], len(facts["means"])) == (20, "complete", 80)
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("means.csv").read_text(encoding="utf-8").splitlines()) == 81
    assert run(*SMALL, "--latex").out.count(r"\\") == 18
    assert_refused(run(*SMALL, "--plot", "map.gif"), 2, ".png, .pdf or .svg")


def test_seed_and_threads(run: Run) -> None:
    first = run(*SMALL, "--seed", 1).out
    assert run(*SMALL, "--seed", 1, "--n-jobs", 2).out == first
    assert run(*SMALL, "--seed", 2).out != first


def test_a_tree_of_ranges_predicts_from_numbers(run: Run) -> None:
    run("table", "wine", "--bins", 3, "--on-conflict", "most_common", "--out", "ranges.json")
    Path("wine.csv").write_text(
        "\n".join(",".join(row) for row in [datasets.load("wine").feature_names, *[["14.5"] * 13] * 3])
        + "\n",
        encoding="utf-8",
    )
    answers = run("predict", "ranges.json", "wine.csv").out.split()[-3:]
    assert len(set(answers)) == 1
    assert answers[0] in datasets.load("wine").classes


def test_an_unseen_value_stays_at_its_node(run: Run) -> None:
    Path("rows.csv").write_text("u,v,class\na,1,x\nb,1,x\nd,1,x\n,1,y\n", encoding="utf-8")
    Path("new.csv").write_text("u,v\nzz,1\na,1\n,1\n", encoding="utf-8")
    run("table", "rows.csv", "--target", "class", "--out", "tree.json")
    ended = run("predict", "tree.json", "new.csv")
    assert ended.out.split()[-3:] == ["x", "x", "y"]
    assert "unknown to the tree and left to the node" in ended.err
