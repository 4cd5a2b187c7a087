"""`treewright doctor`: it finds this installation well, and says what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Run, runner
from treewright import doctor
from treewright.doctor import Check, Diagnosis, Package, examine


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    return runner(monkeypatch, capsys, tmp_path)


def test_this_installation_is_well(run: Run) -> None:
    ended = run("doctor")
    assert ended.code == 0, ended.out
    assert ended.out.rstrip().endswith("All is well.")
    assert ended.out.count("right: ") == 7
    for name in ("instruction set", "threads by default", "matplotlib (extra plot)", "numpy"):
        assert f"\n{name} " in ended.out
    assert "pytest" not in ended.out  # what only developers need


def test_a_wrong_answer_and_an_error_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> tuple[bool, str]:
        raise OSError("a library is missing")

    monkeypatch.setattr(doctor, "_least_errors", lambda *_: -1)
    monkeypatch.setattr(doctor, "_planes", broken)
    ended = run("doctor", "--json")
    assert ended.code == 1
    found = json.loads(ended.out)
    wrong = {check["name"]: check["told"] for check in found["checks"] if not check["is_right"]}
    assert set(wrong) == {"optimal trees", "planes"}
    assert wrong["planes"] == "OSError: a library is missing"
    assert not found["is_well"]
    assert "Wrong here: optimal trees, planes." in str(examine())


def test_what_is_missing_or_too_old_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"treewright": "1.0", "numpy": "1.9.3", "pyarrow": "", "scipy": ""}
    lines = ["scipy>=1.11", "numpy>=1.26,<3", "pyarrow>=15 ; extra == 'arrow'", "ruff ; extra == 'dev'"]
    monkeypatch.setattr(doctor, "requires", lambda _: lines)
    monkeypatch.setattr(doctor, "_version", lambda name: here.get(name, "9"))
    monkeypatch.setattr(doctor, "_fault", lambda _: "")
    packages = {one.name: one for one in doctor._packages()}
    assert list(packages) == ["numpy", "scipy", "pyarrow"]
    assert packages["numpy"].is_old
    assert packages["numpy"].remedy == "pip install 'numpy>=1.26,<3'"
    assert packages["scipy"].remedy == "pip install 'scipy>=1.11'"
    assert packages["pyarrow"].remedy == "pip install 'treewright[arrow]'"
    check = Check("all", True, "", 0.0)
    assert not Diagnosis({"a": "b"}, tuple(packages.values()), (check,)).is_well
    assert Diagnosis({"a": "b"}, (packages["pyarrow"],), (check,)).is_well
    text = Diagnosis({"a": "b"}, tuple(packages.values()), (check,)).to_text()
    assert "1.9.3, older than >=1.26,<3 asks for: pip install" in text
    assert text.endswith("Install what is missing or too old.")
    assert "not installed: pip install 'treewright[arrow]'" in Diagnosis(
        {}, (packages["pyarrow"],), (check,)
    )._repr_html_().replace("&#x27;", "'")


@pytest.mark.parametrize("extra", ["plot", ""])
def test_a_package_that_cannot_be_imported_is_named(
    extra: str, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "half_installed.py").write_text("raise OSError('libhalf.so is missing')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    marked = f" ; extra == '{extra}'" if extra else ""
    monkeypatch.setattr(doctor, "requires", lambda _: [f"half_installed>=1{marked}", "click>=8"])
    monkeypatch.setattr(doctor, "_version", lambda _: "9.0")
    ended = run("doctor")
    assert ended.code == 1
    cause = "9.0, cannot be imported (OSError: libhalf.so is missing): pip install --force-reinstall"
    assert f"{cause} 'half_installed>=1'" in ended.out
    assert ended.out.rstrip().endswith(
        "Cannot be imported: half_installed. Install again, then repeat the command."
    )
    found = json.loads(run("doctor", "--json").out)
    assert {one["name"]: one["fault"] for one in found["packages"]} == {
        "click": "",
        "half_installed": "OSError: libhalf.so is missing",
    }


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=3), st.lists(st.integers(0, 40), min_size=1, max_size=3)
)
def test_versions_are_compared_as_numbers(here: list[int], least: list[int]) -> None:
    is_old = [*here, 0, 0][:3] < [*least, 0, 0][:3]
    assert doctor._is_old(".".join(map(str, here)), f">={'.'.join(map(str, least))},<99") == is_old


def test_a_package_that_is_here_needs_no_remedy() -> None:
    assert Package("numpy", "", ">=1.26", "2.0", False).remedy == ""
