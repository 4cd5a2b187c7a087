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
