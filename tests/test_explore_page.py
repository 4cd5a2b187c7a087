"""The page of an exploration: what it says, that nothing breaks out of it or is loaded, and what reads it."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from commands import Run, assert_refused
from treewright import DataError, Dataset, GreedyTreeClassifier, explore
from treewright.exploration import Exploration

QUICK = ["best_first"]
LARGEST = 2_000_000
HOSTILE = [
    "<script>alert(1)</script>",
    "\"quoted\" & 'so'",
    "two\nlines",
    "x" * 10_000,
    "מין הדם",
    "\u202eabc",
]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID = {"meta", "img", "br", "input"}

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")


class Seen(HTMLParser):
    """What a page has: open elements in their order, tags, texts, and what could be loaded."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.outside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.outside += [str(value) for name, value in attrs if name in ("src", "href", "onclick", "onload")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def checked(page: str) -> Seen:
    """Check what holds for every page."""
    seen = Seen(page)
    assert seen.open == []
    assert seen.outside == []
    assert set(re.findall(r"https?://[^\s\"'<>]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert seen.tags["img"] == seen.tags["link"] == seen.tags["iframe"] == 0
    assert not re.search(r"@import|url\((?!#)", page)
    assert len(page.encode()) < LARGEST
    return seen


def two_classes(n_rows: int = 90) -> Dataset:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=n_rows), rng.integers(0, 3, n_rows)
    y = np.where(a + (b == 1) > 0.4, "sick", "well")
    a[:5] = np.nan
    return Dataset.from_columns({"a": a, "b": [f"v{x}" for x in b]}, y)


@pytest.fixture(scope="module")
def found() -> Exploration:
    rows = two_classes()
    sex = np.array(["f", "m"])[np.arange(rows.n_samples) % 2]
    return explore(rows, families=QUICK, cv=3, inner_cv=2, by={"sex": sex}, cost_matrix={("sick", "well"): 5})


def test_a_page_says_what_the_result_holds(found: Exploration) -> None:
    seen = checked(found.to_html())
    error, evaluation = found.error_, found.evaluation_
    assert f"Trees chosen this way err {error.value:.1%} ({error.low:.1%} to {error.high:.1%})" in seen.text
    assert seen.tags["summary"] >= 12
    for row in evaluation.confusion.tolist():
        assert "sick" in seen.text
        for weight in row:
            assert f"{weight:,.6g}" in seen.texts
    for name in ("By subgroup: sex", "Costs", "The tree as rules", "Words on this page", "How this was made"):
        assert name in seen.text
    assert f"{evaluation.groups['f'].error.value:.1%}" in seen.text
    assert f"{evaluation.mean_cost:.4g}" in seen.text
    assert found.dataset.content_hash in seen.text
    for figure in ("on the outer folds", "on the inner folds", "which the tree was made from"):
        assert figure in seen.text


def test_counts_with_shares_are_explained(found: Exploration) -> None:
    told = "counts in several, with shares"
    is_shared = bool((found.tree_.n_samples % 1 != 0).any())
    assert (told in " ".join(found.to_text().split())) == is_shared
    rows = Dataset([[i % 9, i % 4] for i in range(60)], [i % 9 > 4 for i in range(60)])
    assert told not in explore(rows, families=["majority"], cv=2, inner_cv=2).to_text()


def test_subgroups_are_parts_of_the_answers(found: Exploration) -> None:
    groups = found.evaluation_.groups
    assert sum(one.n_samples for one in groups.values()) == found.evaluation_.n_samples
    total = sum(one.confusion for one in groups.values())
    assert total.tolist() == found.evaluation_.confusion.tolist()
    assert "subgroup" in found.to_text()
    assert found.to_dict()["by"] == "sex"
    with pytest.raises(DataError, match="2 names"):
        explore(two_classes(), by={"a": [1], "b": [2]})
    assert [one["value"] for one in found.to_dict()["evaluation"]["groups"]] == ["f", "m"]


def test_a_notebook_shows_the_short_form(found: Exploration) -> None:
    shown = found._repr_html_()
    assert shown.startswith('<div class="treewright">')
    assert Seen(shown).tags["details"] == 0
    assert "Trees chosen this way" in shown
    assert "<html" not in shown


def test_hostile_names_do_no_harm() -> None:
    rng = np.random.default_rng(0)
    columns = {name: rng.normal(size=60).round(1) for name in HOSTILE}
    columns["<b>values</b>"] = [HOSTILE[i % 6] for i in range(60)]
    first = columns[HOSTILE[0]]
    labels = [HOSTILE[0] if value > 0.3 else HOSTILE[3] if value > -0.5 else HOSTILE[4] for value in first]
    found = explore(Dataset.from_columns(columns, labels), families=QUICK, cv=2, inner_cv=2)
    for page in (found.to_html(), found._repr_html_()):
        seen = checked(page)
        assert seen.tags["b"] == 0
        assert "\u202e" not in page
        assert "alert(1)" in seen.text
    assert seen.tags["script"] == 0
    assert checked(found.to_html()).tags["script"] == 4
    outside = re.sub(r"^```text$.*?^```$", "", found.to_markdown(), flags=re.MULTILINE | re.DOTALL)
    assert "<script>" not in outside


def test_a_large_tree_is_drawn_in_part_and_small_enough() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(900, 300)), rng.integers(0, 5, 900)
    tree = GreedyTreeClassifier(max_leaf_nodes=400).fit(X, y).tree_
    found = explore(X[:120], y[:120], families=QUICK, cv=2, inner_cv=2)
    found.tree_ = tree
    seen = checked(found.to_html())
    assert f"the upper part of {tree.n_nodes:,} boxes" in seen.text
    assert f"{tree.n_leaves - 15:,} more rules are not shown" in seen.text
    assert "Nothing was found that is surely better" in seen.text


def test_a_picture_wider_than_a_screen_says_so(found: Exploration) -> None:
    wide = "wider than a screen"
    assert wide not in checked(found.to_html()).text
    rng = np.random.default_rng(2)
    columns = {f"a long name of column {i}": rng.normal(size=200) for i in range(4)}
    rows = Dataset.from_columns(columns, rng.integers(0, 2, 200))
    deep = explore(rows, families=["majority"], cv=2, inner_cv=2)
    deep.tree_ = GreedyTreeClassifier(max_leaf_nodes=31).fit(rows).tree_
    assert wide in checked(deep.to_html()).text


def test_what_was_cut_short_says_so() -> None:
    found = explore(two_classes(60), families=QUICK, cv=2, inner_cv=2, time_limit=1e-6)
    text = checked(found.to_html()).text
    assert "The time limit ended the search" in text
    assert "Left out: best first" in text
    told = " ".join(found.to_text(details=False).split())
    for said in (text, told):
        assert "Be careful: " in said
        assert "(compared: majority, c45)" in said
        assert "The ways out: a longer --time-limit, fewer kinds (--family best_first)" in said


def test_families_have_the_names_of_the_option(found: Exploration) -> None:
    names = ["majority", "c45", "best_first"]
    assert [line.split()[0] for line in found.to_text().split("--family")[1].splitlines()[1:4]] == names
    page = checked(found.to_html()).texts
    assert set(names) <= set(page)
    assert "majority class" in page


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium, which prints the page")
def test_a_page_takes_four_sides_of_paper(found: Exploration, tmp_path: Path) -> None:
    page, printed = tmp_path / "page.html", tmp_path / "page.pdf"
    found.to_html(page)
    how = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        f"--print-to-pdf={printed}",
    ]
    subprocess.run([str(CHROMIUM), *how, page.as_uri()], check=True, capture_output=True, timeout=120)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes())) <= 4


# The command.


LINE = ("explore", "iris", "--family", "best_first", "--cv", 2, "--inner-cv", 2)


def test_the_command_writes_by_the_end_of_the_name(run: Run) -> None:
    ended = run(*LINE, "--out", "report.html", "--save-model", "tree.json")
    assert (ended.code, ended.err) == (0, "")
    page = Path("report.html").read_text(encoding="utf-8")
    checked(page)
    assert html.escape("treewright explore iris --family best_first --cv 2") in page
    answers = run("predict", "report.html", "iris").out
    assert answers == run("predict", "tree.json", "iris").out
    assert answers.count("setosa") == 50
    assert run("diff", "report.html", "tree.json").out.endswith("The trees are the same.\n")
    assert run("rerun", "report.html").out.endswith("The same result.\n")
    assert run(*LINE, "--out", "report.md").out.endswith("The report is in report.md.\n")
    assert "| --family |" in Path("report.md").read_text(encoding="utf-8")
    assert run(*LINE, "--out", "report.txt").code == 0
    assert "precision" in Path("report.txt").read_text(encoding="utf-8")


def test_the_command_takes_subgroups_and_refuses_other_endings(run: Run) -> None:
    ended = run(
        *("explore", "weather.csv", "--target", "play", "--by", "temperature", "--cv", 2, "--inner-cv", 2),
        *("--family", "best_first", "--json"),
    )
    assert ended.code == 0, ended.err
    values = [one["value"] for one in json.loads(ended.out)["evaluation"]["groups"]]
    assert len(values) == 4
    assert values[1].startswith("above ")
    assert_refused(
        run("explore", "iris", "--out", "report.pdf"), 2, "must end in .html, .htm, .txt, .md or .json"
    )
    assert_refused(run("explore", "iris", "--by", "colour"), 2, "no column 'colour'")


def test_a_page_without_a_tree_is_refused(run: Run) -> None:
    assert run("describe", "wine", "--out", "wine.html").code == 0
    assert_refused(run("predict", "wine.html", "iris"), 1, "holds no tree")
    assert_refused(run("diff", "wine.html", "wine.html"), 1, "a page without a tree")


def test_the_page_is_what_the_method_returns(found: Exploration, tmp_path: Path) -> None:
    page = found.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


def test_a_column_of_many_codes_has_its_most_frequent_values() -> None:
    codes = np.array([f"code {i % 120}" for i in range(400)], dtype=object)
    X = np.column_stack([codes, [i % 7 for i in range(400)]]).astype(object)
    y = ["yes" if i % 7 > 3 else "no" for i in range(400)]
    data = Dataset(pd.DataFrame(X, columns=["icd10", "visits"]).astype({"visits": float}), y)
    seen = checked(explore(data, families=["majority"], cv=3, inner_cv=2).to_html())
    assert "icd10" in seen.text
    assert "code 0" in seen.text


def test_a_page_that_fails_takes_no_result_away(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Exploration) -> str:
        raise DataError("the page cannot be made of 'x'")

    line = (*LINE, "--out", "report.html", "--checkpoint", "state.json")
    with monkeypatch.context() as patch:
        patch.setattr(Exploration, "to_html", fails)
        ended = run(*line)
        quiet = run(*LINE, "--out", "report.html", "--quiet")
        assert "With --checkpoint FILE" in run(*LINE, "--out", "report.html").err
    assert (ended.code, quiet.code) == (1, 1)
    for one in (ended, quiet):
        assert "Trees chosen this way have an error of" in one.out
        assert "report.html" not in one.out
        assert one.err.endswith("Error: the page cannot be made of 'x'\n")
    assert "kept in state.json: repeat the command with --resume" in ended.err
    assert not Path("report.html").exists()
    steps: list[object] = []
    monkeypatch.setattr("treewright.exploration.judging.Judge.part", lambda *_: steps.append(1))
    again = run(*line, "--resume")
    assert (again.code, steps) == (0, [])
    assert ended.out.split("It took")[0] == again.out.split("It took")[0]
    checked(Path("report.html").read_text(encoding="utf-8"))
