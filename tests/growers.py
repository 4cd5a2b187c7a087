"""Growing parameters given as users give them to whatever grows trees: in ``estimator=``."""

from typing import Any

from treewright import GreedyTreeClassifier
from treewright.pruning import ErrorBasedPruning

GROWING = set(GreedyTreeClassifier().get_params()) - {"n_jobs"}


def grown_by(**options: Any) -> dict[str, Any]:
    """Move the growing parameters among some options into an estimator."""
    growing = {name: options.pop(name) for name in GROWING & set(options)}
    return {**options, "estimator": GreedyTreeClassifier(**growing)} if growing else options


def pruned_by_default(**options: Any) -> dict[str, Any]:
    """Do the same for a command that prunes if no rule is named."""
    return grown_by(**{"pruning": ErrorBasedPruning(grafting=False), **options})


def assert_settings(settings: dict[str, Any], parameters: dict[str, Any]) -> None:
    """Compare the settings that the command line tells of a selector with those it was asked for."""
    growing = {name: value for name, value in parameters.items() if name in GROWING}
    assert settings["estimator"].items() >= growing.items()
    assert settings.items() >= {k: v for k, v in parameters.items() if k not in growing}.items()
