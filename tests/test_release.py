"""What a release says of itself is the same in every place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import treewright

ROOT = Path(__file__).parents[1]
LICENCES = ROOT / "THIRD_PARTY_LICENSES.txt"


def test_the_version_is_the_same_everywhere() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    ours = [one["version"] for one in cargo["dependencies"].values() if "path" in one]
    cited = re.findall(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    in_bibtex = re.findall(r"version ([\d.]+\d)", (ROOT / "docs" / "citing.md").read_text(encoding="utf-8"))
    assert {cargo["package"]["version"], *ours, *cited, *in_bibtex} == {treewright.__version__}
    assert (len(ours), len(cited), len(in_bibtex)) == (2, 1, 1)


def test_licences_are_of_the_versions_that_are_compiled_in() -> None:
    """`.ci/licences` writes the file; `.ci/wheel` checks that it names every crate that is linked."""
    rule = "-" * 80
    parts = LICENCES.read_text(encoding="utf-8").split(f"\n{rule}\n")
    named = {name for names in parts[1::2] for name in names.split(", ")}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    assert {"pyo3", "rayon", "serde_json", "zstd-sys"} <= {name.split()[0] for name in named}
    assert named <= {f"{one['name']} {one['version']}" for one in lock["package"]}


def test_the_wheel_brings_all_licences() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", LICENCES.name]


def test_papers_are_cited_the_same_for_people_and_for_programs() -> None:
    """`CITATION.cff` has what its format requires; BibTeX and the README name the same papers."""
    cff = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    keys = re.findall(r"^([a-z-]+):", cff, re.M)
    assert {"cff-version", "message", "title", "authors", "version", "license", "type"} <= set(keys)
    assert len(keys) == len(set(keys))
    papers = re.split(r"^  - type: ", cff.partition("references:")[2], flags=re.M)[1:]
    kinds = {"article", "conference-paper", "generic"}
    cited = {}
    for paper in papers:
        assert paper.splitlines()[0] in kinds
        families = re.findall(r"family-names: ([^,}]+)", paper)
        title, year = (re.findall(rf"^    {name}: (.*)$", paper, re.M)[0] for name in ("title", "year"))
        cited[title] = (families, year)
    page = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    entries = re.findall(r"^@(?!software).*?^}$", page, re.M | re.S)
    named = {}
    for entry in entries:
        fields = dict(re.findall(r"^  (\w+) *= {(.*)},$", entry, re.M))
        families = [one.partition(",")[0] for one in fields["author"].split(" and ")]
        named[fields["title"].replace("--", "–")] = (families, fields["year"])
    assert cited == named
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for title in cited:
        assert title in readme
