"""The drawings and the command of the study of distinct trees: what is drawn is what was found.

Inner names, as in unit tests: `reporting.matplotlib_glue`: parts of a drawing are checked one by
one. `studies.distinct_trees.plots`: statistics and rivals are compared with other libraries, one by
one.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from treewright.cli import treewright
from treewright.reporting.matplotlib_glue import picture
from treewright.results import ResultTable
from treewright.studies import DistinctTreeStudy, study_distinct_trees
from treewright.studies.distinct_trees.plots import _short

SIZES = [8, 32, 64]


@pytest.fixture(scope="module", autouse=True)
def pyplot():
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture(autouse=True)
def _no_figures_left(pyplot):
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def study() -> DistinctTreeStudy:
    options = {"cv": 3, "max_grown": 20, "progress": False}
    return study_distinct_trees("wine", min_samples_split=SIZES, methods=["top", "backward"], **options)


@pytest.fixture(scope="module")
def cut(study) -> DistinctTreeStudy:
    """Return the study as if the smallest m had reached the time limit in every way."""
    counts, distribution, folds = (t.copy() for t in (study.counts, study.distribution, study.per_fold))
    counts["status"][counts["min_samples_split"] == 8] = "time_limit"
    distribution["is_complete"][distribution["min_samples_split"] == 8] = False
    is_limited = (folds["min_samples_split"] == 8) & (folds["method"] == "backward")
    folds["status"][is_limited] = "time_limit"
    return replace(study, counts=counts, distribution=distribution, per_fold=folds)


def line(ax, label: str):
    (found,) = [line for line in ax.lines if line.get_label() == label]
    return found


def hollow(ax) -> list[list[float]]:
    """X of the marks that are hollow because time was up."""
    return [line.get_xdata().tolist() for line in ax.lines if line.get_label() == "_time limit"]


# What is drawn.


def test_distribution_has_a_line_an_m_and_one_of_the_subsets(study):
    ax = study.plot_distribution()
    assert line(ax, "all subsets").get_ydata().tolist() == [math.comb(13, k) for k in range(14)]
    for size in SIZES:
        found = study.distribution["n_trees"][study.distribution["min_samples_split"] == size]
        drawn = line(ax, f"m = {size}").get_ydata()
        assert np.where(np.isnan(drawn), 0, drawn).tolist() == found.tolist()
    assert ax.get_yscale() == "log"
    assert hollow(ax) == []


def test_few_trees_are_on_a_linear_scale():
    few = study_distinct_trees("iris", min_samples_split=8, cv=2, progress=False)
    assert few.plot_distribution().get_yscale() == "linear"


def test_overhead_has_a_line_an_order_and_the_exhaustive_one_above(study):
    ax = study.plot_overhead()
    for order, label in zip(
        study.orders, ("ascending frontier", "descending frontier", "descending index"), strict=True
    ):
        rows = study.counts[study.counts["order"] == order]
        assert line(ax, label).get_xdata().tolist() == SIZES
        assert line(ax, label).get_ydata().tolist() == rows["overhead"].tolist()
    (edge,) = ax.child_axes
    trees = study.counts["n_distinct"][:: len(study.orders)].tolist()
    assert [text.get_text() for text in edge.get_xticklabels()] == [f"{2**13 / n:.3g}" for n in trees]
    assert ax.get_ylim()[1] > study.counts["overhead"].max()


def test_time_calls_an_estimate_one(study):
    ax = study.plot_time()
    first = study.counts[study.counts["order"] == "frontier"]
    assert line(ax, "distinct trees").get_ydata().tolist() == first["seconds"].tolist()
    assert line(ax, "exhaustive, estimated").get_ydata().tolist() == study.exhaustive["seconds"].tolist()
    assert "exhaustive" not in {line.get_label() for line in ax.lines}


def test_time_of_all_subsets_is_no_estimate():
    measured = study_distinct_trees("iris", min_samples_split=8, cv=2, progress=False)
    ax = measured.plot_time()
    assert line(ax, "exhaustive").get_ydata().tolist() == measured.exhaustive["seconds"].tolist()
    assert "estimated" not in str(measured)
    assert "≈" not in str(measured)


@pytest.mark.parametrize("on_validation_set", [True, False])
def test_errors_have_a_line_a_method(study, on_validation_set):
    ax = study.plot_errors(on_validation_set=on_validation_set)
    for method in ("top", "backward"):
        rows = study.errors[study.errors["method"] == method]
        expected = 100 * rows["validation_error" if on_validation_set else "error"]
        assert line(ax, method).get_ydata().tolist() == expected.tolist()
        np.testing.assert_allclose(line(ax, method).get_xdata(), SIZES, rtol=0.05)
    if not on_validation_set:
        (bars,) = ax.containers[0].lines[2]
        reach = [np.ptp(segment[:, 1]) for segment in bars.get_segments()]
        top = study.errors[study.errors["method"] == "top"]
        np.testing.assert_allclose(reach, 200 * top["error_std"] / np.sqrt(3))


def test_what_reached_the_time_limit_is_hollow(cut):
    assert hollow(cut.plot_overhead()) == [[8], [8], [8]]
    assert hollow(cut.plot_time()) == [[8]]
    assert hollow(cut.plot_errors(on_validation_set=True)) == [[8]]
    (sizes,) = hollow(cut.plot_distribution())
    assert sizes == list(range(14))
    texts = [text.get_text() for text in cut.plot_overhead().child_axes[0].get_xticklabels()]
    assert [text.startswith("<") for text in texts] == [True, False, False]
    assert any("Hollow: time limit of 10 s" in t.get_text() for ax in cut.plot().axes for t in ax.texts)


@pytest.mark.parametrize("largest", [1.0, 3.0, 5000.0])
def test_overhead_of_any_size_is_in_sight(study, largest):
    counts = study.counts.copy()
    counts["overhead"] = np.linspace(1, largest, len(counts))
    ax = replace(study, counts=counts).plot_overhead()
    low, high = ax.get_ylim()
    assert low < 1 <= largest < high
    assert ax.get_yscale() == ("log" if largest > 5 else "linear")


def test_page_holds_everything_and_overlaps_nothing(study):
    figure = study.plot()
    figure.canvas.draw()
    titles = [ax.get_ylabel() for ax in figure.axes]
    assert titles == [
        "distinct trees that test k features",
        "trees built / distinct trees",
        "seconds, one thread",
        "validation error, %",
        "cross-validation error, %",
        "",
    ]
    boxes = [ax.get_tightbbox() for ax in figure.axes]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])
    assert figure.axes[3].get_ylim() == figure.axes[4].get_ylim()


def test_methods_draw_what_the_functions_draw(study, pyplot):
    ax = pyplot.figure().add_subplot()
    assert study.plot_overhead(ax) is ax
    assert study.plot_errors(on_validation_set=True).get_ylabel() == "validation error, %"
    assert study.plot_errors().get_ylabel() == "cross-validation error, %"
    assert study.plot_distribution().get_xlabel() == "number of features k"
    assert study.plot_time().get_xlabel() == "m (min_samples_split)"


def test_study_stopped_early_can_be_drawn(study):
    none = ResultTable.from_rows([], study.per_fold.dtype)
    part = replace(study, counts=study.counts[:1], exhaustive=study.exhaustive[:0], per_fold=none)
    assert len(replace(part, status="stopped").plot().axes) == 6


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_the_same_study_gives_the_same_bytes(study, kind):
    first = picture(study.plot(), kind)
    assert first.startswith({"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[kind])
    assert first == picture(study.plot(), kind)


def test_without_matplotlib_the_message_names_the_extra(study, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"plot\(\) needs matplotlib.*pip install 'treewright\[plot\]'"):
        study.plot()


# The command.

QUICK = ["--folds", "3", "--max-grown", "20"]


def run(*arguments: str):
    return CliRunner().invoke(treewright, ["study", "distinct-trees", *arguments], catch_exceptions=False)


def test_command_prints_and_writes_what_the_function_finds(study, tmp_path: Path):
    out, numbers = tmp_path / "wine.svg", tmp_path / "wine.csv"
    sizes = [part for size in SIZES for part in ("--m", str(size))]
    ended = run("wine", *sizes, *QUICK, "--plot", str(out), "--csv", str(numbers))
    assert ended.exit_code == 0
    assert [row[:40] for row in ended.output.splitlines()[4:7]] == [
        row[:40] for row in str(study).splitlines()[4:7]
    ]
    assert out.read_bytes().startswith(b"<?xml")
    with numbers.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    trees = [
        int(row["value"]) for row in rows if row["quantity"] == "n_trees" and row["table"] == "distribution"
    ]
    assert trees == study.distribution["n_trees"].tolist()
    errors = [
        float(row["value"])
        for row in rows
        if (row["table"], row["of"], row["quantity"]) == ("errors", "backward", "error")
    ]
    backward = study.errors[study.errors["method"] == "backward"]
    assert errors == backward["error"].tolist()
    assert {path.name for path in tmp_path.iterdir()} == {"wine.svg", "wine.csv"}


def test_command_gives_json():
    facts = json.loads(run("wine", "--min-samples-split", "64", *QUICK, "--json").output)
    (data,) = facts["data"]
    assert (data["name"], data["n_samples"], len(data["features"])) == ("wine", 178, 13)
    assert facts["settings"]["min_samples_split"] == [64]
    assert [row["n_distinct"] for row in facts["counts"]] == [376] * 3
    assert facts["exhaustive"][0]["is_estimated"] is True
    assert facts["status"] == "complete"
    limited = json.loads(run("digits", "--m", "1024", *QUICK, "--search-time-limit", "1e-9", "--json").output)
    assert {row["status"] for row in limited["counts"]} == {"time_limit"}
    assert limited["exhaustive"][0]["std_error"] is None


def test_command_gives_latex():
    assert run("iris", "--m", "8", *QUICK, "--latex").output.startswith("% Distinct trees of iris")


@pytest.mark.parametrize("name", ["wine.gif", "wine", "no folder/wine.png"])
def test_files_that_cannot_be_drawn_are_refused_before_the_work(tmp_path: Path, name: str):
    ended = run("no such set", "--plot", str(tmp_path / name))
    assert ended.exit_code == 2
    assert "--plot" in ended.output
    assert list(tmp_path.iterdir()) == []


def test_missing_matplotlib_is_told_before_the_work(tmp_path: Path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ended = run("no such set", "--plot", str(tmp_path / "wine.png"))
    assert ended.exit_code == 2
    assert "pip install 'treewright[plot]'" in ended.output


def test_picture_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch):
    out = tmp_path / "wine.png"
    out.write_bytes(b"before")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        run("wine", "--m", "64", *QUICK, "--plot", str(out))
    assert out.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["wine.png"]


@pytest.mark.parametrize(
    ("numerator", "denominator", "is_bound", "text"),
    [
        (2**13, 1886, False, "4.34"),
        (2**13, 1886, True, "4.35"),
        (4_567, 1, True, "4,567"),
        (67_460, 1, True, r"$6.8 \cdot 10^{4}$"),
        (67_460, 1, False, r"$6.7 \cdot 10^{4}$"),
        (99_999, 1, True, r"$1.0 \cdot 10^{5}$"),
        (2**15_000, 3, True, r"$9.4 \cdot 10^{4514}$"),
    ],
    ids=["small", "small bound", "thousands", "bound", "about", "next power", "huge"],
)
def test_ratio_keeps_a_mantissa_and_a_bound_is_no_less(
    numerator: int, denominator: int, is_bound: bool, text: str
) -> None:
    assert _short(numerator, denominator, is_bound=is_bound) == text
