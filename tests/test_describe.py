"""`Dataset.describe` and `treewright describe`: each figure against a slow, obvious one."""

from __future__ import annotations

import json
import math
import shlex
from collections import Counter, defaultdict
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import WEATHER, Run
from treewright import Dataset, datasets
from treewright.datasets import Description, Remark

NUMBERS = st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.0, 2.5, -9.0, 1e300, -1e300]), st.floats(-5, 5))
TEXTS = st.sampled_from([None, "a", "b", "", "<b>", "c"])


@st.composite
def tables(draw: st.DrawFn) -> tuple[Dataset, list[list[object]], list[str]]:
    """Draw a data set, its columns as lists, and its classes."""
    n_rows = draw(st.integers(2, 40))
    kinds = draw(st.lists(st.booleans(), min_size=1, max_size=4))
    columns = [draw(st.lists(NUMBERS if kind else TEXTS, min_size=n_rows, max_size=n_rows)) for kind in kinds]
    for column, kind in zip(columns, kinds, strict=True):
        column[0] = 0.5 if kind else "a"
    labels = draw(st.lists(st.sampled_from("xyz"), min_size=n_rows, max_size=n_rows))
    named = {f"c{i}": column for i, column in enumerate(columns)}
    return Dataset.from_columns(named, labels), columns, labels


def key(value: object) -> object:
    """Return what two equal cells have in common."""
    return value + 0.0 if isinstance(value, float) else value


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=60, deadline=None)
@given(tables())
def test_counts_agree_with_counting(made: tuple[Dataset, list[list[object]], list[str]]) -> None:
    dataset, columns, labels = made
    found = dataset.describe()
    for column, one in zip(columns, found.columns, strict=True):
        known = [key(value) for value in column if value is not None]
        assert one.n_missing == len(column) - len(known)
        assert one.n_different == len(set(known))
        assert dict(one.most_frequent).items() <= Counter(known).items()
        assert one.most_frequent[0][1] == max(Counter(known).values())
        assert one.histogram is not None
        assert one.histogram.counts.sum() + one.histogram.n_others == len(known)
        if one.kind == "numeric":
            assert (one.lowest, one.highest) == (min(known), max(known))
            assert one.quartiles is not None
            assert one.quartiles[1] == sorted(known)[(len(known) - 1) // 2]
    rows = [tuple(map(key, row)) for row in zip(*columns, strict=True)]
    by_row = defaultdict(list)
    for row, label in zip(rows, labels, strict=True):
        by_row[row].append(label)
    assert found.rows.n_repeated == len(rows) - len(by_row)
    assert found.rows.n_complete == sum(None not in row for row in rows)
    groups = [Counter(group) for group in by_row.values()]
    assert found.rows.unavoidable_errors == sum(g.total() - max(g.values()) for g in groups)
    assert found.rows.n_contradicting == sum(g.total() for g in groups if len(g) > 1)
    if found.rows.contradiction is not None:
        one, other = found.rows.contradiction
        assert rows[one] == rows[other]
        assert labels[one] != labels[other]


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=30, deadline=None)
@given(tables())
def test_every_form_can_be_written(made: tuple[Dataset, list[list[object]], list[str]]) -> None:
    found = made[0].describe()
    facts = json.loads(found.to_json())
    assert [column["name"] for column in facts["columns"]] == made[0].feature_names
    assert len(found.to_frame()) == len(found.columns)
    assert found.content_hash in str(found)
    assert found.to_html().startswith("<!DOCTYPE html>")


def test_bars_lie_between_their_edges() -> None:
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(size=990), [1e6] * 4, [-1e6]])
    bars = Dataset(values[:, None]).describe().columns[0].histogram
    assert bars is not None
    assert bars.edges is not None
    assert (bars.edges[0], bars.edges[-1]) == (-math.inf, math.inf)
    for count, (low, high) in zip(bars.counts[:, 0], pairwise(bars.edges), strict=True):
        is_last = math.isinf(high)
        assert count == ((values >= low) & ((values <= high) if is_last else (values < high))).sum()


def determined(columns: dict[str, list[object]]) -> set[tuple[str, str, bool]]:
    found = Dataset.from_columns(columns).describe().determinations
    return {(one.column, one.follows_from, one.is_mutual) for one in found}


def test_columns_that_determine_each_other() -> None:
    rng = np.random.default_rng(1)
    code = rng.integers(0, 60, 2000)
    columns = {
        "code": [f"z{c}" for c in code],
        "number": (code * 2.5).tolist(),
        "town": [f"t{c // 5}" for c in code],
        "other": rng.integers(0, 3, 2000).astype(float).tolist(),
    }
    assert determined(columns) == {("number", "code", True), ("town", "code", False)}
    columns["town"][7] = "elsewhere"
    assert determined(columns) == {("number", "code", True)}


def test_chance_is_no_determination() -> None:
    rng = np.random.default_rng(2)
    columns = {"many": [f"v{i // 2}" for i in range(400)], "rare": (rng.random(400) < 0.01).tolist()}
    columns["rare"][1::2] = columns["rare"][::2]
    assert determined(columns) == set()


def remarks(found: Description) -> dict[str, Remark]:
    return {remark.kind: remark for remark in found.remarks}


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_remarks_name_what_is_wrong() -> None:
    rng = np.random.default_rng(3)
    n_rows = 400
    dead = rng.random(n_rows) < 0.05
    columns = {
        "id": [f"p{i}" for i in range(n_rows)],
        "outcome": np.where(dead, "exitus", "home").tolist(),
        "same": ["s"] * n_rows,
        "flag": [1.0] + [0.0] * (n_rows - 1),
        "gone": [None] * 300 + rng.random(100).tolist(),
        "crp": [-9.0] * 5 + rng.uniform(0, 30, n_rows - 5).tolist(),
        "far": [1e6, *rng.uniform(0, 30, n_rows - 1).tolist()],
    }
    dataset = Dataset.from_columns(columns, dead)
    found = remarks(dataset.describe())
    kinds = ("leak", "one_value_a_row", "constant", "near_constant", "mostly_missing", "imbalance")
    names = ("outcome", "id", "same", "flag", "gone", None)
    for kind, name in zip(kinds, names, strict=True):
        assert found[kind].columns == (() if name is None else (name,))
    told = str(dataset.describe())
    assert "of explore --metric balanced_error" in " ".join(told.split())
    assert "'crp' is -9 in 5 rows, and 0." in told
    assert "'far' is 1000000 in 1 row" in told


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_an_id_hides_no_contradiction() -> None:
    half = [[f"p{i}", float(i % 7)] for i in range(100)]
    found = Dataset(half, [i % 7 > 3 or i == 1 for i in range(100)]).describe()
    assert found.rows.without == ("x0",)
    assert found.rows.unavoidable_errors == 1
    assert "every tree makes at least 1 error (1.00%)" in str(found)


def test_weights_weigh_the_errors() -> None:
    found = Dataset([[1], [1], [2]], ["a", "b", "a"], sample_weight=[3, 0.5, 2]).describe()
    assert (found.rows.unavoidable_errors, found.weight) == (0.5, 5.5)
    assert found.target is not None
    assert found.target.weights == (5.0, 0.5)


class Seen(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.text: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.outside += [value or "" for name, value in attrs if name in ("src", "href", "onclick")]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x onerror=a>', "a\nb", "\u202eabc", "x" * 9999]
)
def test_a_page_shows_hostile_names_and_loads_nothing(name: str) -> None:
    dataset = Dataset.from_columns(
        {name: ["<b>", "<i>", "<b>"], "n": [1.0, 2.0, 3.0]}, [f"{name} 1", "no", "no"]
    )
    page = dataset.describe().to_html()
    seen = Seen()
    seen.feed(page)
    assert seen.tags["script"] == seen.tags["img"] == seen.tags["b"] == 0
    assert seen.outside == []
    assert "url(" not in page
    assert "\u202e" not in page
    visible = name if name.isprintable() else repr(name)
    assert any(visible in text for text in seen.text)


def test_a_notebook_shows_a_fragment() -> None:
    shown = datasets.load("wine").describe()._repr_html_()
    assert shown.startswith('<div class="treewright">')
    assert "<html" not in shown


# The command.


def test_command_prints_what_the_method_does(run: Run) -> None:
    ended = run("describe", "weather.csv", "--target", "play")
    found = datasets.read_csv("weather.csv", target="play").describe()
    assert (ended.code, ended.err) == (0, "")
    follows = "\n\nThe small tree to use:\n\n  treewright explore weather.csv --target play\n"
    assert ended.out == found.to_text(max_columns=60) + follows
    assert "temperature  numeric" in ended.out


def test_command_needs_no_target_and_says_warnings_once(run: Run) -> None:
    text = WEATHER.replace("85,85", "?,85")
    Path("holes.csv").write_text(text + text.partition("\n")[2], encoding="utf-8")
    ended = run("describe", "holes.csv")
    assert (ended.code, ended.err) == (0, "")
    assert "the column holds numbers, but also '?'" in " ".join(ended.out.split())
    assert "14 rows have the values of an earlier row" in ended.out
    ids = "\n".join(["id,y", *(f"p{i},{i % 2}" for i in range(60))])
    Path("ids.csv").write_text(ids, encoding="utf-8")
    ended = run("describe", "ids.csv", "--target", "y")
    assert ended.err == ""
    assert ended.out.count("60 different values in 60 rows") == 1


def test_command_writes_a_page_or_json(run: Run) -> None:
    assert run("describe", "wine", "--out", "wine.html").code == 0
    assert Path("wine.html").read_text(encoding="utf-8") == datasets.load("wine").describe().to_html()
    printed = run("describe", "wine", "--json", "--out", "wine.json").out
    assert Path("wine.json").read_text(encoding="utf-8") == printed
    facts = json.loads(printed)
    assert facts["command"] == "treewright describe wine --json --out wine.json"
    assert facts["data"][0]["hash"] == datasets.load("wine").content_hash


def test_command_lists_as_many_columns_as_asked_for(run: Run) -> None:
    out = run("describe", "digits", "--show-columns", 3).out
    assert "… 61 more features" in out
    assert "pixel_0_2" in out
    assert "pixel_0_3" not in out


PATIENTS = "id,when,low,code,age,class\n" + "".join(
    f"{1000 + i},0{i % 9 + 1}.{i % 12 + 1:02}.2024,{-9 if i % 7 == 0 else i % 50},c{i % 60},"
    f"{'n/a' if i % 11 == 0 else i % 80},{'yes' if i * i * i % 101 % 3 == 1 else 'no'}\n"
    for i in range(240)
)


def test_the_command_line_ends_with_the_command_that_follows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text(PATIENTS)
    text = run("describe", "./patients.csv", "--target", "class", "--nominal", "code").out
    line = text.splitlines()[-1].strip()
    assert line == (
        "treewright explore ./patients.csv --target class --nominal code --missing-value n/a --drop id "
        "--dates when --missing-value low:-9"
    )
    told = run(*line.split()[1:], "--family", "majority", "--cv", 2, "--inner-cv", 2)
    assert [word for word in ("n/a", "'id'", "dates as text", "many") if word in told.err] == []
    assert "treewright explore" not in run("describe", "./patients.csv").out


def laboratory(path: Path, n_rows: int = 120) -> None:
    """Write a table with numbers below a limit, two units, spellings, a constant, codes of few rows."""
    rows = [
        f"{'F' if i % 5 == 0 else 'fm'[i % 2]};{'<0,5' if i % 4 == 0 else f'{i % 37},{i % 10}'};"
        f"{i % 60 + 40}{' kg' if i % 9 else ' lb'};c{i % 90};5 mg;Nord;{i % 41};"
        f"{'ja' if i % 3 == 0 else 'nein'}"
        for i in range(n_rows)
    ]
    path.write_text("\n".join(["sex;crp;weight;icd;dose;site;age;class", *rows, ""]), encoding="utf-8")


def test_numbers_below_a_limit_are_not_called_missing(run: Run, tmp_path: Path) -> None:
    laboratory(tmp_path / "lab.csv")
    text = run("describe", "lab.csv", "--target", "class").out
    told = " ".join(text.split())
    assert "'<0,5' is a number beyond a limit of measurement, and not missing" in told
    assert "(usual is half the limit, 0,25), which keeps that it is low" in told
    assert "takes <0,5 as missing unless you write numbers there" in told
    assert "one value of 'sex' is written as 'F' and 'f'" in told
    line = shlex.split(text.splitlines()[-1])
    words = "--target class --missing-value '<0,5' --drop weight --drop icd --drop dose --drop site"
    assert line == shlex.split(f"treewright explore lab.csv {words}")
    out = run(*line[1:], "--family", "majority", "--cv", 2, "--inner-cv", 2, "--json")
    assert [one["name"] for one in json.loads(out.out)["data"][0]["features"]] == ["sex", "crp", "age"]
    mended = (tmp_path / "lab.csv").read_text(encoding="utf-8").replace("<0,5", "0,25")
    (tmp_path / "lab.csv").write_text(mended, encoding="utf-8")
    assert "--missing-value" not in run("describe", "lab.csv", "--target", "class").out


def test_a_tree_that_asks_for_a_number_says_what_to_do_with_a_limit(run: Run, tmp_path: Path) -> None:
    laboratory(tmp_path / "lab.csv")
    numbers = (tmp_path / "lab.csv").read_text(encoding="utf-8").replace("<0,5", "0,25")
    (tmp_path / "known.csv").write_text(numbers, encoding="utf-8")
    kept = ("--target", "class", "--drop", "weight", "--drop", "icd", "--drop", "sex", "--drop", "age")
    assert run("fit", "known.csv", *kept, "--prune", "none", "--out", "tree.json").code == 0
    refused = run("predict", "tree.json", "lab.csv")
    assert refused.code == 1
    assert "'<0,5' is not a number with decimal commas, and the tree asks for a number there" in refused.err
    assert "nominal" not in refused.err
    assert "half the limit, 0,25" in refused.err
    assert "--missing-value 'crp:<0,5'" in refused.err
    assert run("predict", "tree.json", "lab.csv", "--missing-value", "crp:<0,5").code == 0
    words = numbers.replace(";0,25;", ";low;")
    (tmp_path / "words.csv").write_text(words, encoding="utf-8")
    assert (
        "write a number in its place, or declare it missing" in run("predict", "tree.json", "words.csv").err
    )


def test_classes_of_two_spellings_are_named() -> None:
    found = Dataset([[1], [2], [3]] * 4, ["ja", "Ja", "nein"] * 4).describe()
    assert "a class is written as 'Ja' and 'ja'" in str(found)
    assert "is written as" not in str(Dataset([[1], [2], [3]] * 4, ["ja", "jb", "nein"] * 4).describe())


def test_dates_with_a_type_are_looked_at_and_shown(run: Run, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    days = polars.date_range(polars.date(2023, 1, 1), polars.date(2023, 3, 1), eager=True)
    frame = polars.DataFrame({"when": days, "class": ["a", "b"] * 30})
    frame.write_parquet(tmp_path / "days.parquet")
    text = run("describe", "./days.parquet", "--target", "class").out
    assert "2023-01-01 to 2023-03-01" in text
    assert "'when' holds dates" in text
    assert text.endswith("treewright explore ./days.parquet --target class --dates when\n")
    assert "follows from" not in text  # parts of one date say nothing of each other
