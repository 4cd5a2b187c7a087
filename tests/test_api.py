"""The public face: names, signatures, documentation, the version."""

import importlib.metadata
import inspect
import re
import subprocess
import sys

import pytest
from sklearn.base import BaseEstimator

import treewright
from treewright import _core

NAMES = treewright.__all__
THINGS = {name: getattr(treewright, name) for name in NAMES}
CLASSES = [thing for thing in THINGS.values() if inspect.isclass(thing)]
ESTIMATORS = [thing for thing in CLASSES if issubclass(thing, BaseEstimator)]
DOCUMENTED = [thing for thing in THINGS.values() if inspect.isclass(thing) or inspect.isfunction(thing)]


def methods():
    """Public methods that the package itself writes, each with its class."""
    for owner in CLASSES:
        for name, method in inspect.getmembers(owner, inspect.isroutine):
            if not name.startswith("_") and str(getattr(method, "__module__", "")).startswith("treewright"):
                yield pytest.param(method, id=f"{owner.__name__}.{name}")


def sections(docstring):
    """Numpydoc sections of a docstring, by title."""
    parts = re.split(r"^(\w[\w ]*)\n-+$", inspect.cleandoc(docstring), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(section):
    """Names described in a numpydoc section."""
    heads = re.findall(r"^(\S.*?)(?: :.*)?$", section, flags=re.MULTILINE)
    return [name.lstrip("*") for head in heads for name in head.split(", ")]


def test_version_is_that_of_the_wheel():
    assert treewright.__version__ == importlib.metadata.version("treewright")
    assert treewright.__version__ == _core.__version__


def test_names_exist_and_nothing_else_is_public():
    assert len(set(NAMES)) == len(NAMES)
    modules = {name for name, value in vars(treewright).items() if inspect.ismodule(value)}
    tools = {"TYPE_CHECKING", "import_module", "version"}
    public = {name for name in vars(treewright) if not name.startswith("_")} - modules - tools
    assert public == {name for name in NAMES if not name.startswith("_")} - modules
    assert set(NAMES) <= set(dir(treewright))


def test_type_checkers_see_every_name():
    source = inspect.getsource(treewright)
    for name in NAMES[:-1]:
        assert f" as {name}\n" in source


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Forest'"):
        treewright.Forest  # noqa: B018


def test_import_is_lazy():
    script = "import sys, treewright; print({'numpy', 'sklearn', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("thing", DOCUMENTED, ids=lambda thing: thing.__name__)
def test_every_name_has_an_example(thing):
    if not (inspect.isclass(thing) and issubclass(thing, Exception)):
        assert ">>>" in sections(thing.__doc__)["Examples"]


@pytest.mark.parametrize("owner", ESTIMATORS, ids=lambda owner: owner.__name__)
def test_every_parameter_is_keyword_only_and_documented_in_order(owner):
    parameters = inspect.signature(owner).parameters
    assert {p.kind for p in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert documented(sections(owner.__doc__)["Parameters"]) == list(parameters)


@pytest.mark.parametrize("owner", ESTIMATORS, ids=lambda owner: owner.__name__)
def test_every_learned_attribute_is_documented(owner):
    described = documented(sections(owner.__doc__)["Attributes"])
    model = owner().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    learned = [name for name in vars(model) if name.endswith("_") and not name.startswith("_")]
    assert set(learned) <= set(described)
    assert set(described) - set(learned) <= {"feature_names_in_", "feature_importances_"}


@pytest.mark.parametrize("method", list(methods()))
def test_every_method_documents_its_parameters(method):
    docstring = inspect.getdoc(method)
    assert docstring
    parameters = [name for name in inspect.signature(method).parameters if name not in ("self", "cls")]
    if parameters and docstring.count("\n"):
        assert sorted(documented(sections(docstring).get("Parameters", ""))) == sorted(parameters)


def test_errors_share_one_base():
    errors = [thing for thing in CLASSES if issubclass(thing, Exception) and not issubclass(thing, Warning)]
    assert len(errors) == 10
    assert all(issubclass(error, treewright.TreewrightError) for error in errors)
    assert issubclass(treewright.DataError, ValueError)
    assert issubclass(treewright.DataTypeError, TypeError)
    assert issubclass(treewright.ParameterError, ValueError)
    assert issubclass(treewright.FormatError, ValueError)
    assert issubclass(treewright.UnfinishedError, RuntimeError)
    assert issubclass(treewright.StepLimitError, RuntimeError)
    assert issubclass(treewright.MemoryLimitError, RuntimeError)
    assert issubclass(treewright.DataWarning, UserWarning)
