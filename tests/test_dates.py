"""Dates, times and durations of files: declared parts, undone in print, and made again for prediction.

Inner names, as in unit tests: `data.times` and `data.derived`, the texts and the numbers by themselves.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import Run
from treewright import DataError, DataTypeError, GreedyTreeClassifier, ParameterError, Tree, datasets
from treewright.data.derived import MICROSECONDS, PARTS, Derived
from treewright.data.times import read_times

SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))
DAYS = [datetime.date(2021, 1, 4) + datetime.timedelta(days=i) for i in range(90)]
ROWS = [(day, i % 5, "late" if i > 60 else "early") for i, day in enumerate(DAYS)]


def wards(folder: Path, form: str = "%Y-%m-%d", name: str = "wards.csv") -> Path:
    path = folder / name
    lines = [f"{day.strftime(form)},{x},{label}" for day, x, label in ROWS]
    path.write_text("\n".join(["admitted,x,class", *lines]) + "\n", encoding="utf-8")
    return path


def test_the_usual_parts_take_the_place_of_a_date(tmp_path: Path) -> None:
    found = datasets.read(wards(tmp_path), target="class", dates=["admitted"])
    names = ["admitted.year", "admitted.month", "admitted.weekday", "admitted.days", "x"]
    assert (found.feature_names, found.levels) == (names, [None] * 5)
    assert found.column(1).tolist() == [day.month for day in DAYS]
    assert found.column(2).tolist() == [day.isoweekday() for day in DAYS]
    assert found.column(3).tolist() == list(range(90))


def test_a_tree_is_printed_in_dates_and_keeps_how_they_were_made(tmp_path: Path) -> None:
    found = datasets.read(wards(tmp_path, "%d.%m.%Y"), target="class", dates={"admitted": ["days"]})
    tree = GreedyTreeClassifier().fit(found).tree_
    assert tree.export_text() == "admitted up to 2021-03-05: early\nadmitted after 2021-03-05: late\n"
    document = json.loads(tree.to_json())
    jsonschema.validate(document, SCHEMA)
    again = Tree.from_json(tree.to_json())
    assert again.export_text() == tree.export_text()
    steps = [
        {"step": "date", "parameters": {"format": "%d.%m.%Y", "unit": "D"}},
        {"step": "days", "parameters": {"since": "2021-01-04"}},
    ]
    assert again.reading["columns"] == [{"feature": 0, "source": "admitted", "steps": steps}]
    new = tmp_path / "new.csv"
    new.write_text("x,admitted\n1,05.03.2021\n1,06.03.2021\n2,\n", encoding="utf-8")
    assert again.predict(datasets.read_rows(again, new).features).tolist() == ["early", "late", "early"]
    known = datasets.read(wards(tmp_path), target="class", dates={"admitted": "days"}, missing_values={"?"})
    kept = GreedyTreeClassifier().fit(known).tree_
    new.write_text("x,admitted\n1,?\n1,2021-03-06\n", encoding="utf-8")
    assert kept.predict(datasets.read_rows(kept, new).features).tolist() == ["early", "late"]
    new.write_text("x,admitted\n1,2021-03-05\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"'2021-03-05' is no date of the format '%d.%m.%Y'"):
        datasets.read_rows(again, new)


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        (["month"], "admitted.month up to February: early"),
        (["hours"], "admitted up to 2021-03-05: early"),
        (["weekday", "%Y-%m-%d", "days"], "admitted after 2021-03-05: late"),
    ],
)
def test_numbers_of_parts_are_told_in_words(tmp_path: Path, parts: list[str], line: str) -> None:
    found = datasets.read(wards(tmp_path), target="class", dates={"admitted": parts})
    assert line in GreedyTreeClassifier().fit(found).tree_.export_text().splitlines()


def test_formats_with_dates_of_their_own(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS, columns=["admitted", "x", "class"])
    plain = datasets.read(wards(tmp_path), target="class", dates=["admitted"])
    frame.to_parquet(tmp_path / "date")
    frame.astype({"admitted": "datetime64[ns]"}).to_parquet(tmp_path / "time")
    frame.to_excel(tmp_path / "sheet.xlsx", index=False)
    values = "".join(f"{day},{x},{label}\n" for day, x, label in ROWS)
    types = ("date yyyy-MM-dd", "numeric", "{early,late}")
    lines = [f"@attribute {name} {kind}" for name, kind in zip(frame.columns, types, strict=True)]
    (tmp_path / "arff").write_text("\n".join(["@relation r", *lines, "@data", values]), encoding="utf-8")
    for name in ("date", "time", "sheet.xlsx", "arff"):
        found = datasets.read(tmp_path / name, target="class", dates=["admitted"])
        assert found.content_hash == plain.content_hash
        tree = GreedyTreeClassifier().fit(found).tree_
        assert tree.predict(datasets.read_rows(tree, tmp_path / name).features).tolist() == [
            r[2] for r in ROWS
        ]


def test_durations_have_a_unit(tmp_path: Path) -> None:
    lengths = [datetime.timedelta(hours=i, minutes=30) for i in range(40)]
    frame = pd.DataFrame({"stay": lengths, "class": ["n"] * 20 + ["y"] * 20})
    frame.to_parquet(tmp_path / "t")
    with pytest.raises(
        DataTypeError, match=r"'stay' .* holds durations or times of day, such as 0:30:00 at row 1"
    ):
        datasets.read(tmp_path / "t", target="class")
    found = datasets.read(tmp_path / "t", target="class", dates={"stay": ["hours", "minutes"]})
    assert found.column(0).tolist() == [i + 0.5 for i in range(40)]
    tree = GreedyTreeClassifier().fit(found).tree_
    assert tree.export_text().startswith("stay.hours <= 19.5: n\n")
    (tmp_path / "t.csv").write_text("stay,class\n19:30,n\n1 day 2:00,y\n", encoding="utf-8")
    assert datasets.read_rows(tree, tmp_path / "t.csv").features.column(0).tolist() == [19.5, 26]
    (tmp_path / "t.csv").write_text("stay,class\n2020-01-01,n\n", encoding="utf-8")
    with pytest.raises(DataError, match="column 'stay' holds dates, and the tree asks for durations"):
        datasets.read_rows(tree, tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("texts", "dates", "message"),
    [
        (
            ["01/02/2021", "03/04/2021"],
            ["d"],
            "can be read as '%d/%m/%Y' and as '%m/%d/%Y'; say which in dates",
        ),
        (
            ["1.2.2021", "soon"],
            ["d"],
            "'soon' is no date that is known; correct it, add it to missing_values",
        ),
        (["3:04", "2:00"], {"d": "year"}, "column 'd' holds durations, which have no year; ask for 'days'"),
        (["1.2.2021", "2.2.2021"], ["e"], r"has no column 'e' \(dates\)"),
        (["1.2.2021", "2.2.2021"], ["class"], "dates names 'class', which is no feature"),
        (["1.2.2021", "2.2.2021"], "d", r"dates='d' is one text; pass a list: \['d'\]"),
        (
            ["1.2.2021", "2.2.2021"],
            {"d": "years"},
            r"dates\['d'\]='years' is no part of a date; choose 'year'",
        ),
    ],
)
def test_what_is_no_date_is_refused(tmp_path: Path, texts: list[str], dates: object, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("d,class\n" + "".join(f"{text},{i}\n" for i, text in enumerate(texts)), encoding="utf-8")
    with pytest.raises((DataError, ParameterError), match=message):
        datasets.read(path, target="class", dates=dates)


@pytest.mark.parametrize(
    ("texts", "format", "unit"),
    [
        (["2021-03-01", "2021-03-02"], None, "D"),
        (["2021-03-01T10:00", "2021-03-02 11:30"], None, "m"),
        (["2021-03-01T10:00:00.5+02:00", "2021-03-02T11:30:00Z"], None, "ms"),
        (["13/04/2021", "01/02/2021"], "%d/%m/%Y", "D"),
        (["04/13/2021", "01/02/2021"], "%m/%d/%Y", "D"),
        (["1.2.2021 10:30", "13.4.2021 11:00"], "%d.%m.%Y %H:%M", "m"),
        (["20210131"], "%Y%m%d", "D"),
        (["3 Mar 2021"], "%d %b %Y", "D"),
        (["1 day, 6:00:00", "-1 day, 18:00:00", "30:00"], None, "m"),
    ],
)
def test_the_usual_ways_of_writing_dates(texts: list[str], format: str | None, unit: str) -> None:  # noqa: A002
    found = read_times(texts)
    assert (found.format, found.unit) == (format, unit)


TIMES = st.datetimes(datetime.datetime(1850, 1, 1), datetime.datetime(2150, 1, 1))


@given(st.lists(TIMES, min_size=1, max_size=8), st.sampled_from(["D", "m", "s", "ms", "us"]))
@settings(max_examples=60, deadline=None)
def test_numbers_of_dates_are_those_of_python(times: list[datetime.datetime], unit: str) -> None:
    cut = [np.datetime64(time, unit).astype("M8[us]").item() for time in times]
    read = read_times([str(time) for time in cut])
    for part in PARTS:
        own = {
            "quarter": lambda t: (t.month - 1) // 3 + 1,
            "weekday": lambda t: t.isoweekday(),
        }.get(part, lambda t, part=part: getattr(t, part))
        assert Derived("d", part, read.unit).numbers(read).tolist() == [own(time) for time in cut]
    for part, size in MICROSECONDS.items():
        made = Derived("d", part, read.unit, since=str(min(cut).isoformat()))
        numbers = made.numbers(read)
        exact = [(time - min(cut)) / datetime.timedelta(microseconds=size) for time in cut]
        np.testing.assert_allclose(numbers, exact, rtol=1e-15)
        for time, number in zip(cut, numbers.tolist(), strict=True):
            told = made.undone("<=", number)
            assert told is not None
            shown = datetime.datetime.fromisoformat(told.removeprefix("d up to "))
            # in days over centuries neighbouring floats are more than a microsecond apart
            apart = datetime.timedelta(microseconds=int(np.spacing(number) * size))
            assert abs(shown - time) <= apart


def test_the_command_line_makes_the_same_of_dates(run: Run) -> None:
    wards(Path())
    ended = run(
        "fit", "wards.csv", "--target", "class", "--dates", "admitted:weekday,days", "--out", "tree.json"
    )
    assert "admitted up to 2021-03-05: early" in ended.out
    told = run("predict", "tree.json", "wards.csv", "--target", "class")
    assert "0 of 90 predictions are wrong" in told.err
    format_too = run("fit", "wards.csv", "--target", "class", "--dates", "admitted:%Y-%m-%d,days")
    assert "admitted after 2021-03-05: late" in format_too.out
    refused = run("fit", "iris", "--dates", "x")
    assert (refused.code, "--dates says how a file is read" in refused.err) == (2, True)


def test_rows_that_are_read_for_a_tree_are_predicted() -> None:
    days = np.datetime64("2024-01-01") + np.arange(40)
    frame = pd.DataFrame({"when": days, "class": ["old"] * 20 + ["new"] * 20})
    model = GreedyTreeClassifier().fit(datasets.read(frame, target="class", dates={"when": "days"}))
    assert model.tree_.feature_names == ["when.days"]
    new = frame[["when"]].iloc[::-1]
    rows = datasets.read_rows(model.tree_, new)
    expected = ["new"] * 20 + ["old"] * 20
    assert model.predict(rows).tolist() == model.tree_.predict(rows).tolist() == expected
    with pytest.raises(
        DataError,
        match=r"no column 'when.days', which .* uses; datasets.read_rows\(tree, X\) makes it of 'when'",
    ):
        model.predict(new)
