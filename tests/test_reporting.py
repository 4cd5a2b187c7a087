"""Tables and drawings: what they show, and that they need nothing but results.

Inner names, as in unit tests: `reporting.table` and `selection.plot`: parts of a drawing are
checked one by one.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

import treewright.reporting
from treewright import BackwardEliminationSelector, GreedyTreeClassifier, datasets
from treewright.reporting.table import Column, Table
from treewright.results import ResultTable
from treewright.selection.plot import plot_history
from treewright.studies import SelectionComparison, compare_selection

TABLE = Table(
    "Trees & errors",
    [
        Column("data", ["a_set", "b"], align="left"),
        Column("top", ["1.50 ± 0.5", "9.00 ± 2.0"], group="error in %"),
        Column("n", ["3", "12"], group="features kept"),
    ],
    notes=["One note."],
)
FOLDS = [
    ("data", "U5"),
    ("repeat", "int64"),
    ("fold", "int64"),
    ("seed", "int64"),
    ("method", "U8"),
    ("error", "float64"),
    ("validation_error", "float64"),
    ("n_selected", "int64"),
    ("n_used", "int64"),
    ("n_leaves", "int64"),
    ("n_trees_built", "int64"),
    ("seconds", "float64"),
    ("status", "U10"),
]


def comparison(*methods_and_seconds: tuple[str, float, str]) -> SelectionComparison:
    """Two folds of one data set, made up: errors of 10 and 30 percent."""
    rows = [
        ("musk", 0, fold, 7, method, error, 0.2, 9, 4, 6, 20, seconds, status)
        for method, seconds, status in methods_and_seconds
        for fold, error in enumerate((0.1, 0.3))
    ]
    return SelectionComparison(
        data_sets=ResultTable.from_rows(
            [("musk", 1476, 166)], [("data", "U5"), ("n_samples", "i8"), ("n_features", "i8")]
        ),
        methods=tuple(method for method, _, _ in methods_and_seconds),
        per_fold=ResultTable.from_rows(rows, FOLDS),
        settings={"cv": 2, "repeats": 1, "search_time_limit": 60.0, "estimator": GreedyTreeClassifier()},
        status="complete",
        elapsed=1.0,
    )


# Tables.


def test_text_lines_columns_up_under_shared_headings():
    assert TABLE.to_text().splitlines() == [
        "Trees & errors",
        "",
        "       - error in % -  - features kept -",
        "data              top                  n",
        "a_set      1.50 ± 0.5                  3",
        "b          9.00 ± 2.0                 12",
        "",
        "One note.",
    ]


def test_text_without_shared_headings_has_no_line_for_them():
    assert Table("T", [Column("x", ["1", "22"])]).to_text() == "T\n\n x\n 1\n22"


def test_wide_text_goes_on_below_with_the_rows_named_again():
    assert TABLE.to_text(30).splitlines() == [
        "Trees & errors",
        "",
        "       - error in % -",
        "data              top",
        "a_set      1.50 ± 0.5",
        "b          9.00 ± 2.0",
        "",
        "       - features kept -",
        "data                   n",
        "a_set                  3",
        "b                     12",
        "",
        "One note.",
    ]
    assert TABLE.to_text(41) == TABLE.to_text()
    narrow = Table("A title of words", [Column("x", ["1"]), Column("y", ["2"], "g")], ["Some note"])
    assert narrow.to_text(7) == "A title\nof\nwords\n\n   - g -\nx      y\n1      2\n\nSome\nnote"


def with_sizes(heading):
    """Return a table with a row that has no size."""
    columns = [Column("data", ["a", "all"]), Column("rows", ["9", ""]), Column("top", ["1", "2"], heading)]
    return Table("Sizes", columns)


def test_columns_that_leave_no_room_come_last_and_a_row_without_entry_is_left_out():
    assert with_sizes("error").to_text(24).splitlines() == [
        "Sizes",
        "",
        "            - error -",
        "data  rows        top",
        "   a     9          1",
        " all                2",
    ]
    assert with_sizes("error in percent").to_text(24).splitlines() == [
        "Sizes",
        "",
        "      - error in percent -",
        "data                   top",
        "   a                     1",
        " all                     2",
        "",
        "data  rows",
        "   a     9",
    ]


def test_columns_that_leave_no_room_stand_beside_a_later_group():
    columns = [*with_sizes("error in percent").columns, Column("n", ["3", "4"], "size")]
    assert Table("Sizes", columns).to_text(24).splitlines()[-4:] == [
        "      - size -",
        "data         n  rows",
        "   a         3     9",
        " all         4",
    ]


def test_latex_escapes_and_spans():
    assert TABLE.to_latex().splitlines() == [
        "% Trees & errors",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"\multicolumn{1}{c}{} & \multicolumn{1}{c}{error in \%} & \multicolumn{1}{c}{features kept} \\",
        r"\cmidrule(lr){2-2} \cmidrule(lr){3-3}",
        r"data & top & n \\",
        r"\midrule",
        r"a\_set & 1.50 $\pm$ 0.5 & 3 \\",
        r"b & 9.00 $\pm$ 2.0 & 12 \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% One note.",
    ]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a\\b", r"a\textbackslash{}b"),
        ("x^2~{y}", r"x\textasciicircum{}2\textasciitilde{}\{y\}"),
        ("> 3", "$>$ 3"),
    ],
)
def test_latex_of_signs_that_mean_something_there(text, source):
    assert f"{source} \\\\" in Table("T", [Column("c", [text])]).to_latex()


def test_selection_table_in_full():
    shown = comparison(
        ("top", 0.02, "complete"), ("backward", 0.0625, "complete"), ("retrain", 75.0, "time_limit")
    )
    assert shown.to_text().splitlines() == [
        "Error on held-out samples, mean ± standard deviation over 1 x 2 folds",
        "",
        "                         -------- error in % --------  --- leaves --  - features kept -"
        "  - features tested -  ------- seconds -------",
        "data  samples  features            top       backward  top  backward           backward"
        "        top  backward    PSBE     SBE    ratio",
        "musk    1,476       166  20.00 ± 14.14  20.00 ± 14.14  6.0       6.0                9.0"
        "        4.0       4.0  0.0625  > 75.0  < 0.001",
        "",
        "Seconds: median of a selection. "
        "PSBE: backward elimination; SBE: the same with every tree grown anew; "
        "ratio: PSBE / SBE.",
        "> : a selection reached the limit of 60 seconds.",
    ]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.000213, "0.00021"), (0.00213, "0.00213"), (1.5, "1.50"), (19.64, "19.6"), (3600.4, "3,600")],
)
def test_seconds_have_three_digits(seconds, shown):
    table = comparison(("backward", seconds, "complete")).table()
    assert table.columns[-1].cells == [shown]


def test_reports_import_no_result():
    """They know no result, not even for type checkers: what they import of the package is on lower floors."""
    for path in Path(treewright.reporting.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = str(node.module) if isinstance(node, ast.ImportFrom) else ""
            is_allowed = module.startswith(("treewright.reporting", "treewright._base"))
            assert is_allowed or not module.startswith("treewright"), path


# Drawings.


@pytest.fixture(scope="module")
def pyplot():
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture(scope="module")
def digits():
    data = datasets.load("digits")
    return data, BackwardEliminationSelector(random_state=0).fit(data)


def labels(axis) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def history_of(*steps: tuple[tuple[int, ...], bool, int, int]) -> ResultTable:
    """Return a history of steps: features changed, whether they came, errors, features selected."""
    rows = [
        (
            i,
            -1 if came else min(changed, default=-1),
            changed[0] if came else -1,
            changed,
            errors,
            n,
            i + 1,
            0.1,
        )
        for i, (changed, came, errors, n) in enumerate(steps)
    ]
    names = ["step", "dropped", "added", "changed", "errors", "n_features", "n_trees_built", "seconds"]
    types = ["int64", "int64", "int64", "object", "int64", "int64", "int64", "float64"]
    return ResultTable.from_rows(rows, list(zip(names, types, strict=True)))


def long_history(n: int) -> ResultTable:
    return history_of(*(((i - 1,) * (i > 0), False, 2 * n - i, 99 - i) for i in range(n)))


def test_history_shows_errors_and_names_what_was_dropped(pyplot, digits, tmp_path):
    data, selector = digits
    ax = plot_history(selector.history_, feature_names=data.feature_names)
    for line in ax.lines:
        np.testing.assert_array_equal(line.get_ydata(), selector.history_["errors"])
        np.testing.assert_array_equal(line.get_xdata(), selector.history_["step"])
    dropped = selector.history_["dropped"][1:]
    assert labels(ax.xaxis) == ["start", *(data.feature_names[feature] for feature in dropped)]
    assert ax.get_xlabel() == "feature dropped"
    (edge,) = ax.child_axes
    assert labels(edge.xaxis) == [str(64 - step) for step in range(len(selector.history_))]
    ax.figure.savefig(tmp_path / "history.png")
    assert (tmp_path / "history.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("steps", "expected", "title"),
    [
        ([((), False, 9, 0), ((2,), True, 5, 1)], ["start", "c"], "feature added"),
        (
            [((), False, 9, 6), ((0, 2), False, 5, 4), ((2,), True, 4, 5), ((1, 2, 3, 4), False, 4, 1)],
            ["start", "− a, c", "+ c", "− 4 features"],
            "feature dropped (−) or added (+)",
        ),
    ],
)
def test_history_names_what_went_and_came(pyplot, steps, expected, title):
    ax = plot_history(history_of(*steps), feature_names=list("abcdef"))
    assert (labels(ax.xaxis), ax.get_xlabel()) == (expected, title)


def test_selectors_draw_their_own_history(pyplot, digits):
    data, selector = digits
    names = plot_history(selector.history_, feature_names=data.feature_names)
    assert labels(selector.plot().xaxis) == labels(names.xaxis)


def test_history_draws_on_given_axes(pyplot, digits):
    left, right = pyplot.figure().subplots(1, 2)
    assert plot_history(digits[1].history_, right) is right
    assert (len(left.lines), len(right.lines)) == (0, 2)
    assert right.get_xlabel() == "step"


@pytest.mark.parametrize(("n", "named"), [(1, True), (2, True), (40, True), (41, False)])
def test_history_of_any_length(pyplot, n, named):
    ax = plot_history(long_history(n), feature_names=[f"f{i}" for i in range(n)])
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == ("feature dropped" if named else "step")
    assert len(labels(ax.child_axes[0].xaxis)) <= 14
    assert all(not text or float(text) == int(float(text)) for text in labels(ax.yaxis))


def test_errors_are_means_with_a_deviation_to_either_side(pyplot):
    study = compare_selection(["wine", "iris"], cv=3, repeats=1, progress=False, time_black_box=True)
    ax = study.plot()
    assert labels(ax.yaxis) == ["wine", "iris"]
    drawn = {container.get_label(): container for container in ax.containers}
    assert list(drawn) == ["top", "backward"]
    for method, container in drawn.items():
        rows = study.summary[study.summary["method"] == method]
        points, _, (bars,) = container
        np.testing.assert_allclose(points.get_xdata(), 100 * rows["error"])
        reach = [segment[:, 0] for segment in bars.get_segments()]
        np.testing.assert_allclose(np.ptp(reach, axis=1), 200 * rows["error_std"])


@pytest.mark.parametrize(
    ("draw", "name"),
    [
        (lambda: plot_history(long_history(3)), "plot"),
        (lambda: comparison(("top", 1.0, "complete")).plot(), "plot"),
    ],
)
def test_without_matplotlib_the_message_names_the_extra(draw, name, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=rf"{name}\(\) needs matplotlib.*pip install 'treewright\[plot\]'"):
        draw()
