"""The tables of the papers, made again: the list is complete, numbers are the papers', verdicts are right.

Inner names, as in unit tests: `studies.reproduction.facts`, `studies.reproduction.of_decision_tables`,
`studies.reproduction.of_distinct_figures`, `studies.reproduction.of_fixed_depth`,
`studies.reproduction.registry`, `studies.reproduction.verdict`: what the papers print, how tables are made,
and the arithmetic of a verdict.
"""

from __future__ import annotations

import gzip
import json
import math
import pickle
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from commands import Run
from treewright import FormatError, ParameterError, datasets
from treewright.results import Progress
from treewright.studies import Reproduction, StudyInterruptedError, published_tables, reproduce
from treewright.studies.reproduction import of_decision_tables, of_distinct_figures, of_fixed_depth
from treewright.studies.reproduction.facts import PAPERS, Figure, PublishedColumn, Reason, all_tables, paper
from treewright.studies.reproduction.registry import RECIPES, recipe
from treewright.studies.reproduction.verdict import INCOMPARABLE, VERDICTS, Measured, judged

NUMBERED = {
    "distinct-trees": {"table": 1, "figure": 5},
    "decision-tables": {"table": 5, "figure": 0},
    "pruning": {"table": 3, "figure": 1},
    "fixed-depth": {"table": 1, "figure": 6},
    "planes": {"table": 2, "figure": 0},
}
"""How many tables and figures each paper has."""

SMALL_TABLES = 60
ARGUMENTS = {"progress": False}


@pytest.fixture
def few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_decision_tables, "N_TABLES", SMALL_TABLES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one set, which is called as one of a paper."""
    iris = datasets.load("iris")
    names = [*iris.feature_names, "class"]
    columns = [iris.column(i) for i in range(iris.n_features)]
    assert iris.classes is not None
    assert iris.target is not None
    rows = zip(*columns, iris.classes[iris.target], strict=True)
    text = "\n".join([",".join(map(str, names)), *(",".join(map(str, row)) for row in rows)])
    place = tmp_path / "sets"
    place.mkdir()
    with gzip.open(place / "ionosphere.csv.gz", "wt", encoding="utf-8") as file:
        file.write(text + "\n")
    kinds = [{"name": name, "kind": "numeric"} for name in names[:-1]] + [
        {"name": "class", "kind": "nominal"}
    ]
    entry = {"name": "ionosphere", "file": "ionosphere.csv.gz", "columns": kinds}
    (place / "index.json").write_text(json.dumps({"datasets": [entry]}), encoding="utf-8")
    return place


def test_every_table_and_figure_of_the_papers_is_listed() -> None:
    assert tuple(NUMBERED) == PAPERS
    for name, kinds in NUMBERED.items():
        expected = {f"{kind}-{n + 1}" for kind, most in kinds.items() for n in range(most)}
        assert expected <= set(paper(name).tables)
    rows = published_tables().records()
    assert [row["name"] for row in rows] == list(all_tables())


def test_every_table_with_numbers_has_cells_of_its_size_and_a_recipe() -> None:
    for table in all_tables().values():
        assert all(len(cells) == len(table.columns) for cells in table.rows.values()), table.id
        assert set(table.names) <= set(table.rows), table.id
        assert (table.kind == "drawing") == (not table.rows), table.id
        assert bool(recipe(table).jobs) == bool(table.rows), table.id
        for reason in table.reasons:
            assert reason.rows <= set(table.rows), table.id
            assert reason.columns <= {column.name for column in table.columns}, table.id
    assert all(name in paper(of).tables for of, recipes in RECIPES.items() for name in recipes)


def test_needs_of_jobs_are_those_that_the_list_tells() -> None:
    for table in all_tables().values():
        made = recipe(table)
        told = set(table.needs)
        assert {name for job in made.jobs for name in job.needs} <= told, table.id
        assert {name for names in made.needs.values() for name in names} <= told, table.id
        assert set(made.needs) <= set(table.rows), table.id


def test_numbers_of_decision_tables_are_those_of_the_paper() -> None:
    known = tomllib.loads(
        (Path(__file__).parent / "papers" / "decision_tables.toml").read_text(encoding="utf-8")
    )
    for table in known["tables"]:
        rows = paper("decision-tables").tables[f"table-{table['number']}"].rows
        for impurity in ("max", "sum", "weighted_max", "weighted_sum"):
            for uncertainty, values in table[impurity].items():
                found = rows[f"{impurity.replace('_', ' ')}, {uncertainty}"]
                assert [figure.value for figure in found] == values


def plain(
    published: float, theirs: float, n_theirs: int, digits: int, ours: float, own: float, n: int
) -> tuple[float, float, str]:
    """Difference, standard error and verdict, by one line each."""
    error = math.sqrt((own if math.isnan(theirs) else theirs) ** 2 / n_theirs + own**2 / n)
    difference = ours - published
    return (
        difference,
        error,
        "agrees" if abs(difference) <= 2 * error + 0.5 / 10**digits + 1e-9 else "differs",
    )


def test_verdicts_are_those_of_plain_arithmetic() -> None:
    rng = Random(0)
    seen = set()
    for _ in range(400):
        digits, n_theirs, n = rng.randint(0, 3), rng.choice([10, 50]), rng.choice([5, 10, 50])
        published, theirs = round(rng.uniform(0, 30), digits), rng.choice([math.nan, rng.uniform(0.1, 9)])
        ours, own = published + rng.gauss(0, 2), rng.uniform(0.1, 9)
        column = PublishedColumn("error", "%", digits, n_theirs, "")
        found = judged(Figure(published, theirs), column, Measured(ours, own, n), (), "")
        expected = plain(published, theirs, n_theirs, digits, ours, own, n)
        assert found.difference == pytest.approx(expected[0])
        assert found.std_error == pytest.approx(expected[1])
        assert found.verdict == expected[2]
        assert found.reason == ("reason not known" if found.verdict == "differs" else "")
        seen.add(found.verdict)
    assert seen == {"agrees", "differs"}


NOT_KNOWN, NOTHING = "reason not known", "the paper has no number here"
COUNT = PublishedColumn("rows", "", 0, 0, "")
COLUMN = PublishedColumn("error", "%", 1, 10, "")
TIMES = PublishedColumn("seconds", "s", 1, 10, "another machine")
ALONE = "one fold has no standard error"
KNOWN = Reason(frozenset(), frozenset(), "known", bars=False)
BAR = Reason(frozenset(), frozenset(), "barred", bars=True)
UNENDED = Measured(5.0, 1.0, 10, "unfinished: 2 of 10", is_bound=True)


@pytest.mark.parametrize(
    ("figure", "column", "ours", "known", "absent", "verdict", "reason"),
    [
        (Figure(5.0), COLUMN, None, (), "no data", INCOMPARABLE, "no data"),
        (Figure(5.0), COLUMN, None, (), "", INCOMPARABLE, "not measured"),
        (Figure(), COLUMN, None, (), "", INCOMPARABLE, NOTHING),
        (Figure(), COLUMN, Measured(5.0, 1.0, 10), (), "", INCOMPARABLE, NOTHING),
        (Figure(5.0), TIMES, Measured(9.0, 1.0, 10), (), "", INCOMPARABLE, "another machine"),
        (Figure(5.0), COLUMN, Measured(5.0, 1.0, 10), (BAR,), "", INCOMPARABLE, "barred"),
        (Figure(5.0), COLUMN, Measured(9.0, 1.0, 10), (KNOWN,), "", "differs", "known"),
        (Figure(5.0), COLUMN, Measured(5.0, 1.0, 10), (KNOWN,), "", "agrees", ""),
        (Figure(5.0), COLUMN, UNENDED, (), "", INCOMPARABLE, "unfinished: 2 of 10"),
        (Figure(5.0), COLUMN, Measured(5.0, math.nan), (), "", INCOMPARABLE, ALONE),
        (Figure(low=1.0, high=1.35), COLUMN, Measured(1.2, 0.0), (), "", "agrees", ""),
        (Figure(low=1.0, high=1.35), COLUMN, Measured(1.5, 0.0), (), "", "differs", NOT_KNOWN),
        (Figure(high=0.0), COLUMN, Measured(0.5, 1.0, 10), (), "", "agrees", ""),
        (Figure(high=0.0), COLUMN, Measured(0.7, 1.0, 10), (), "", "differs", NOT_KNOWN),
        (Figure(text="sum, rt"), COLUMN, Measured(0.0, 1.0, 10, text="sum, rt"), (), "", "agrees", ""),
        (Figure(text="sum, rt"), COLUMN, Measured(0.9, 1.0, 9, text="max"), (), "", "differs", NOT_KNOWN),
        (Figure(4.0), COUNT, Measured(4), (), "", "agrees", ""),
        (Figure(4.0), COUNT, Measured(5), (), "", "differs", NOT_KNOWN),
    ],
)  # fmt: skip
def test_verdicts(
    figure: Figure,
    column: PublishedColumn,
    ours: Measured | None,
    known: tuple[Reason, ...],
    absent: str,
    verdict: str,
    reason: str,
) -> None:
    found = judged(figure, column, ours, known, absent)
    assert (found.verdict, found.reason) == (verdict, reason)


@pytest.mark.usefixtures("few_tables")
def test_tables_share_their_jobs() -> None:
    calls: list[Progress] = []
    found = reproduce("decision-tables", callback=calls.append, **ARGUMENTS)
    assert found.status == "complete"
    assert {progress.total for progress in calls} == {4}
    assert found.summary["table"].tolist() == [f"table-{n}" for n in range(1, 6)]
    assert len(found.cells) == 4 * 80 + 10
    assert set(found.cells["n"].tolist()) == {SMALL_TABLES, 4 * SMALL_TABLES}


@pytest.mark.usefixtures("few_tables")
def test_best_heuristics_are_judged_by_paired_differences() -> None:
    found = reproduce("decision-tables:table-5", **ARGUMENTS)
    seeds = [int(np.random.SeedSequence([0, n]).generate_state(1)[0]) for n in range(1, 5)]
    from treewright.studies import compare_greedy

    studies = [compare_greedy(n_tables=SMALL_TABLES, random_state=one, progress=False) for one in seeds]
    differences = np.concatenate([study.differences for study in studies])
    names = of_decision_tables.NAMES
    for row in found.records():
        cost = list(of_decision_tables.COST_NAMES.values()).index(row["row"])
        theirs, own = (differences[:, names.index(row[name]), cost] for name in ("published", "ours"))
        assert row["difference"] == pytest.approx(float((theirs - own).mean()), abs=1e-12)
        # Within groups, so that it is a little smaller than that of all tables together.
        gap = theirs - own
        assert row["std_error"] == pytest.approx(
            float(gap.std(ddof=1)) / math.sqrt(len(gap)), rel=0.1, abs=1e-9
        )


@pytest.mark.usefixtures("few_tables")
@pytest.mark.parametrize("n_steps", [1, 3])
def test_what_is_resumed_is_what_was_not_interrupted(tmp_path: Path, n_steps: int) -> None:
    place, whole = tmp_path / "state.json", reproduce("decision-tables", **ARGUMENTS)
    stop = {"callback": lambda progress: progress.done >= n_steps}
    part = reproduce("decision-tables", checkpoint=place, **stop, **ARGUMENTS)
    assert part.status == "stopped"
    reasons = {row["reason"] for row in part.records() if row["ours"] == "-"}
    assert reasons == {"stopped before it was run"}
    again = reproduce("decision-tables", checkpoint=place, resume=True, **ARGUMENTS)
    assert again.to_csv() == whole.to_csv()
    assert not place.with_name("state.json.folds").exists()


def test_folds_of_a_job_are_resumed(tmp_path: Path, folder: Path) -> None:
    options = {"folder": folder, **ARGUMENTS}
    place, counted = tmp_path / "state.json", iter(range(100))
    stop = {"callback": lambda _: next(counted) >= 3}
    part = reproduce("distinct-trees:table-1", checkpoint=place, **stop, **options)
    assert place.with_name("state.json.folds").exists()
    (top,) = (row for row in part.records() if row["row"] == "ionosphere" and row["column"] == "error, top")
    assert 1 < top["n"] < 10
    assert f"unfinished: {top['n']} of 10 folds" in top["reason"]
    again = reproduce("distinct-trees:table-1", checkpoint=place, resume=True, **options)
    assert again.status == "complete"
    whole = reproduce("distinct-trees:table-1", **options)
    for one, other in zip(again.records(), whole.records(), strict=True):
        if "SBE" not in one["column"]:
            assert str(one) == str(other)


def test_ctrl_c_hands_over_what_is_finished(folder: Path) -> None:
    def interrupt(progress: Progress) -> Iterator[None]:
        raise KeyboardInterrupt

    with pytest.raises(StudyInterruptedError) as caught:
        reproduce("distinct-trees:table-1", folder=folder, callback=interrupt, **ARGUMENTS)
    assert isinstance(caught.value.result, Reproduction)
    assert caught.value.result.status == "stopped"


def test_cells_whose_data_are_absent_say_so(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.delenv("TREEWRIGHT_DATA", raising=False)
    found = reproduce(["planes:table-2", "pruning:table-2"], **ARGUMENTS, callback=lambda _: True)
    assert set(found.cells["verdict"].tolist()) == {"cannot be compared"}
    reasons = {row["row"]: row["reason"] for row in found.records()}
    assert reasons["bright"] == "data set 'star-galaxy-bright' was never published"
    assert reasons["heart"] == "data set 'heart-cleveland' is not here"
    listed = {row["name"]: row["available"] for row in published_tables(folder=folder).records()}
    assert listed["planes:table-2"] == "no"
    assert listed["distinct-trees:table-1"] == "in part"
    assert listed["decision-tables:table-1"] == "yes"
    assert listed["distinct-trees:figure-1"] == "no numbers"


def test_a_checkpoint_of_other_work_is_refused(tmp_path: Path, folder: Path) -> None:
    place = tmp_path / "state.json"
    options = {"folder": folder, "checkpoint": place, "callback": lambda _: True, **ARGUMENTS}
    reproduce("distinct-trees:table-1", **options)
    with pytest.raises(FormatError, match="effort='short'"):
        reproduce("distinct-trees:table-1", effort="full", resume=True, **options)
    content = gzip.decompress((folder / "ionosphere.csv.gz").read_bytes())
    (folder / "ionosphere.csv.gz").write_bytes(gzip.compress(content.replace(b"5.1", b"5.2")))
    with pytest.raises(FormatError, match="the data set 'ionosphere' is another one"):
        reproduce("distinct-trees:table-1", resume=True, **options)


@pytest.mark.parametrize(
    ("what", "remedy"),
    [
        ("trees", "what='trees' names no paper that is known; choose 'all', or a paper: 'distinct-trees'"),
        (
            "planes:table-9",
            "what='planes:table-9' names no table of the paper 'planes'; choose 'planes:table-1'",
        ),
        ([], "what=[] names no table; give 'all', or a paper"),
        (7, "what=7 names no paper that is known; choose 'all'"),
    ],
)
def test_unknown_names_are_refused_with_the_remedy(what: object, remedy: str) -> None:
    with pytest.raises(ParameterError) as caught:
        reproduce(what)
    assert str(caught.value).startswith(remedy)


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> Reproduction:
    monkeypatch.delenv("TREEWRIGHT_DATA", raising=False)
    return reproduce("planes:table-2", **ARGUMENTS)


def test_a_result_in_every_form(absent: Reproduction) -> None:
    assert len(absent.records()) == len(absent.to_frame()) == 60
    assert set(absent.cells["verdict"].tolist()) <= set(VERDICTS)
    text, page = absent.to_text(), absent.to_html()
    assert "planes:table-2" in text
    assert "60 cells: 0 agree, 0 differ, 60 cannot be compared." in text
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<td") == 60
    assert absent.to_latex().count(r"\begin{tabular}") == 1
    assert len(absent.to_csv().splitlines()) == 61
    assert json.loads(absent.to_json())["summary"][0]["not_compared"] == 60
    assert "<td" in absent._repr_html_()
    assert repr(pickle.loads(pickle.dumps(absent))) == repr(absent)


def test_the_command_lists_and_refuses(run: Run) -> None:
    listed = run("reproduce", "--list", "planes")
    assert (listed.code, listed.out.count("planes:table")) == (0, 2)
    for line, words in (
        ((), "Give PAPER or PAPER:TABLE, or --all"),
        (("planes", "--all"), "Give PAPER or PAPER:TABLE, or --all"),
        (("--list", "--effort", "full"), "--list runs nothing: leave out --effort"),
        (("plane",), "'plane' names no paper that is known"),
    ):
        ended = run("reproduce", *line)
        assert ended.code == 2
        assert words in ended.err


def test_the_command_writes_a_page(run: Run) -> None:
    ended = run("reproduce", "planes:table-2", "--out", "page.html", "--csv", "cells.csv")
    assert ended.code == 0
    assert "star-galaxy-bright" in Path("page.html").read_text(encoding="utf-8")
    assert len(Path("cells.csv").read_text(encoding="utf-8").splitlines()) == 61


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.csv", "name,title,kind"),
        ("t.tex", "% 8 tables"),
        ("t.txt", "8 tables and figures"),
        ("t.JSON", '{"format": "treewright-reproduce-list"'),
        ("t.html", "<!DOCTYPE html>"),
    ],
)
def test_the_end_of_a_name_says_what_is_written(name: str, begins: str, run: Run) -> None:
    assert run("reproduce", "fixed-depth", "--list", "--out", name).code == 0
    assert Path(name).read_text(encoding="utf-8").lstrip().startswith(begins)


@pytest.mark.parametrize("name", ["t.pdf", "t"])
@pytest.mark.parametrize(
    "line", [("reproduce", "fixed-depth:figure-1"), ("reproduce", "--list"), ("describe", "iris")]
)
def test_a_form_that_is_not_written_is_refused(line: tuple[str, ...], name: str, run: Run) -> None:
    ended = run(*line, "--out", name)
    assert ended.code == 2
    assert "must end in .html, .htm" in ended.err
    assert not Path(name).exists()


def drawn_errors(rng: np.random.Generator, labels: list[str]) -> dict[str, np.ndarray]:
    return {label: rng.uniform(0, 30, 10) for label in labels}


def test_statements_of_fixed_depth_are_those_of_plain_arithmetic() -> None:
    rng = np.random.default_rng(0)
    labels = list(of_fixed_depth.METHODS.values())
    names = list(of_fixed_depth.EXPERIMENTS["fixed_depth"])
    errors = {name: drawn_errors(rng, labels) for name in names}
    parts: dict[str, dict[str, object]] = {
        f"fixed-depth/folds/{name}": {"cells": [], "errors": errors[name], "note": ""} for name in names
    }
    seconds = {name: rng.uniform(1, 2, 3) for name in names}
    timed = ("4-OPTNBDT", "3-OPTNBDT", "3-NBDT")
    for name in names:
        cells = [
            [name, label, float(seconds[name][i]), 0.0, 1, "", "", False] for i, label in enumerate(timed)
        ]
        parts[f"fixed-depth/times/{name}"] = {"cells": cells}
    made = recipe(all_tables()["fixed-depth:statements"])
    found = {row: cell for (row, _), cell in made.measured(parts).items()}
    assert set(found) == set(paper("fixed-depth").tables["statements"].rows)
    gaps = [float(np.mean(errors[name]["3-OPTNBDT"]) - np.mean(errors[name]["3-ID3"])) for name in names]
    t = np.mean(gaps) / (np.std(gaps, ddof=1) / math.sqrt(len(gaps)))
    assert found["paired t of 3-OPTNBDT against 3-ID3 over the sets"].value == pytest.approx(t)
    of_chess = [a - b for a, b in zip(errors["chess"]["4-OPTNBDT"], errors["chess"]["1-NBDT"], strict=True)]
    deeper = found["chess: error of depth 4 less depth 1"]
    assert (deeper.value, deeper.n) == (pytest.approx(np.mean(of_chess)), 10)
    assert deeper.deviation == pytest.approx(np.std(of_chess, ddof=1))
    best = min(np.mean(errors["vote"][label]) for label in labels if label not in ("1-NBDT", "naive Bayes"))
    stump = found["vote: error of the stump less the best other tree"].value
    assert stump == pytest.approx(np.mean(errors["vote"]["1-NBDT"]) - best)
    ratio = np.median([seconds[name][0] / seconds[name][2] for name in names])
    assert found["seconds: 4-OPTNBDT / 3-NBDT, median of the sets"].value == pytest.approx(ratio)


def test_statements_of_distinct_trees_are_those_of_plain_arithmetic() -> None:
    rng = np.random.default_rng(1)
    labels = ["top", "backward", "optimal"]
    parts: dict[str, dict[str, object]] = {}
    for row in of_distinct_figures.JUDGED:
        held_out, validation = drawn_errors(rng, labels), drawn_errors(rng, labels)
        limited = {label: [0] * 10 for label in labels}
        if row.startswith("ionosphere"):
            limited |= {"optimal": [1, 1, 0, 1] + [0] * 6, "backward": [0, 1] + [0] * 7 + [1]}
        ends = {"limited": limited, "note": ""}
        parts[f"distinct-trees/folds/{row}"] = {"held out": held_out, "validation": validation, **ends}
    row = of_distinct_figures.ADULT
    numbers = {
        "built / distinct, ascending frontier": 1.01,
        "seconds, all trees": 3.0,
        "seconds, exhaustive": 60.0,
    }
    cells = [[row, column, value, 0.0, 1, "", "", False] for column, value in numbers.items()]
    parts[f"distinct-trees/orders/{row}"] = {"cells": cells}
    made = recipe(all_tables()["distinct-trees:statements"])
    found = {at: cell for (at, _), cell in made.measured(parts).items()}
    assert set(found) == set(paper("distinct-trees").tables["statements"].rows)
    errors = parts["distinct-trees/folds/anneal, m = 32"]["held out"]
    gap = [a - b for a, b in zip(errors["backward"], errors["top"], strict=True)]  # type: ignore[index]
    worse = found["anneal: error, held out, backward less top"]
    assert (worse.value, worse.is_bound) == (pytest.approx(np.mean(gap)), False)
    unended = found["ionosphere: error, held out, optimal less top"]
    assert (unended.is_bound, unended.note) == (True, "unfinished: the searches of 3 of 10 folds ended early")
    shown = recipe(all_tables()["distinct-trees:figure-5"]).measured(
        {key: part for key, part in parts.items() if "/folds/" in key}
    )
    notes = {label: shown["ionosphere, m = 32", f"search error, {label}"].note for label in labels}
    ended = "unfinished: the searches of {} of 10 folds ended early"
    assert notes == {"top": "", "backward": ended.format(2), "optimal": ended.format(3)}
    assert not shown["adult, m = 1024", "error, optimal"].is_bound
    assert found["adult: seconds of all trees / of exhaustive search"].value == pytest.approx(0.05)


@pytest.mark.slow
def test_a_stand_in_is_called_one() -> None:
    found = reproduce("planes:table-1", **ARGUMENTS)
    (reason,) = {row["reason"] for row in found.records()}
    assert "stand-in" in reason
    assert set(found.cells["verdict"].tolist()) == {"cannot be compared"}
    assert min(found.cells["value"].tolist()) > 0
    assert {row["available"] for row in published_tables("planes:table-1").records()} == {"on a stand-in"}
