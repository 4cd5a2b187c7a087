"""The site names every public object once, and reaches every page."""

from __future__ import annotations

import inspect
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

import treewright

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return runpy.run_path(str(DOCS / "make_api.py"))["pages"]()


def public_objects() -> dict[int, set[str]]:
    """Return the names of every public object by its identity; a room and the top level may share one."""
    found: dict[int, set[str]] = {}
    for name in set(treewright.__all__) - {"__version__"}:
        thing = getattr(treewright, name)
        inner = thing.__all__ if inspect.ismodule(thing) else ()
        found.setdefault(id(thing), set()).add(f"treewright.{name}")
        for other in inner:
            found.setdefault(id(getattr(thing, other)), set()).add(f"treewright.{name}.{other}")
    return found


def test_every_public_name_has_a_place_in_the_reference(pages: dict[str, str]) -> None:
    documented = re.findall(r"^\.\. auto\w+:: (\S+)$", "\n".join(pages.values()), re.M)
    rooms = [name.removesuffix(".rst") for name in pages if name.startswith("treewright.")]
    assert len(documented) == len(set(documented))
    for names in public_objects().values():
        assert len(names & {*documented, *rooms}) == 1, f"{sorted(names)} stand in no page, or in two"


def test_every_page_of_the_reference_is_in_its_contents(pages: dict[str, str]) -> None:
    listed = set(re.findall(r"^   (\S+)$", pages["index.rst"], re.M))
    assert {name.removesuffix(".rst") for name in pages} == {*listed, "index"}


def test_members_are_ours_and_not_those_of_scikit_learn(pages: dict[str, str]) -> None:
    named = re.findall(r":members: (.*)", pages["GreedyTreeClassifier.rst"])[0].split(", ")
    assert {"fit", "predict", "predict_proba", "c45"} <= set(named)
    assert not {"get_params", "set_fit_request", "classes_"} & set(named)


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = {line for block in re.findall(r"```\{toctree\}(.*?)```", index, re.S) for line in block.split()}
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.glob("*.md")}
    assert pages - {"index"} <= listed


def test_the_performance_page_is_made_of_the_records() -> None:
    made = runpy.run_path(str(DOCS / "make_performance.py"))
    assert (DOCS / "performance.md").read_text(encoding="utf-8") == made["page"]()


def test_the_gallery_shows_what_its_examples_print_and_draw() -> None:
    script = runpy.run_path(str(DOCS / "make_gallery.py"))
    page, shown = script["made"]()
    examples = {path.stem for path in (DOCS / "examples").glob("*.py")}
    assert {name for names in script["ORDER"].values() for name in names} == examples
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == page
    stored = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "images/gallery").glob("*.svg")}
    assert set(stored) == {f"{name}.svg" for name in examples}
    assert len(stored) == 20
    for name, example in shown.items():
        assert stored[name].rstrip().endswith("</svg>")
        # What matplotlib draws differs from version to version of it.
        assert example.is_plot or stored[name] == example.picture, name


SEARCH = """
const vm = require("vm"), fs = require("fs");
const pages = { one: ["chaid", "split", "trees"], two: ["split", "test"], three: ["train", "test", "split"] };
const names = Object.keys(pages);
const rows = (words) => names.filter((name) => [...words].every((word) => pages[name].includes(word)));
globalThis.splitQuery = (text) => text.split(" ");
globalThis.Stemmer = class { stemWord(word) { return word; } };
globalThis.Search = {
  _index: {
    docnames: names,
    titles: ["Trees", "Tests", "Training"],
    alltitles: { Trees: [[0, null]], "On chaid": [[0, "on-chaid"]], "Split test": [[1, "a"], [2, "b"]] },
  },
  performTermsSearch: (words) => rows(words).map((name) => [name, "", ""]),
};
vm.runInThisContext(fs.readFileSync(process.argv[1], "utf8"));
for (const words of process.argv.slice(2)) {
  const found = Search.performTermsSearch(new Set(words.split(" ")), new Set());
  console.log(found.map((row) => row[0] + row[2]).join(" "));
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs the script of the search page")
def test_the_search_leads_to_sections_and_to_pages_with_the_most_words_where_none_has_all() -> None:
    queries = {
        "chaid": "one#on-chaid",
        "chaid trees": "one#on-chaid",
        "split test": "two#a three#b",  # some pages have all: nothing else
        "chaid unheard": "one",
        "train_test_split": "three",
        "chaid test": "one two three",
        "unheard": "",
    }
    command = ["node", "-e", SEARCH, str(DOCS / "search_scorer.js"), *queries]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert found.splitlines() == list(queries.values())
