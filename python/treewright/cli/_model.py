"""What MODEL on the command line means: a file that another command wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.rules import RuleList

    Predicting = Tree | RuleList
    """What predicts the classes of rows."""

RULE_LIST = "treewright-rule-list"
OF_TEXTS = "; give the text that Tree.to_json() returned"
"""The remedy where a text is no tree: here it came from a file."""
REMEDY = "give a file that `treewright fit --out` or `select --out` wrote"

OTHERS = {
    RULE_LIST: "it is a list of rules; `treewright predict` and `explain` take it",
    "treewright-rules": "it has rules in words; `treewright rules --list --json` writes a list that predicts",
    "treewright-learned-pruning": "it is a learned pruning rule; `treewright prune` and `export` take it",
    "treewright-pruning-program": "it is a pruning program; `treewright prune` and `export` take it",
    "treewright-program": "it is a program, which predicts no rows; `treewright export` takes it",
    "treewright-explanation": "it is the explanation of a row",
    "treewright-predictions": "it has predictions",
}
"""What files are that hold no tree, by their format."""

Facts = Mapping[str, object]


def read_model(path: Path) -> Tree:
    """Return the tree in a file that a command wrote; of a selection the one grown on all rows."""
    from treewright import FormatError, Tree

    try:
        text = of_page(path.read_text(encoding="utf-8"))
        facts = _facts_in(text)
        kind = RULE_LIST if _list_in(facts) else str(facts.get("format"))
        if kind in OTHERS:
            raise FormatError(OTHERS[kind])
        return Tree.from_json(_tree_in(facts) or text)
    except (UnicodeDecodeError, FormatError) as error:
        if path.suffix.lower() not in (".json", ".html") and not _is_json(path):
            made = f"of data `treewright fit {path} --target COL --out tree.json` makes one"
            raise FormatError(f"{path} holds no tree (it is no JSON); {made}") from error
        reason = str(error).removesuffix(OF_TEXTS)
        raise FormatError(f"{path} holds no tree ({reason}); {REMEDY}") from error


def read_predicting(path: Path) -> Predicting:
    """Return the tree or the list of rules in a file that a command wrote."""
    from treewright import FormatError

    try:
        rules = _list_in(_facts_in(path.read_text(encoding="utf-8")))
    except (UnicodeDecodeError, FormatError):
        rules = None
    if rules is None:
        return read_model(path)
    from treewright.rules import RuleList

    return RuleList.from_json(json.dumps(rules))


def of_page(text: str) -> str:
    """Return the tree that a page of `treewright explore` holds; what is no page, as it is."""
    if not text.startswith("<!DOCTYPE html>"):
        return text
    _, _, rest = text.partition('<script type="application/json" id="treewright-tree">')
    return rest.partition("</script>")[0]


def _is_json(path: Path) -> bool:
    """Whether a file begins as an object of JSON does."""
    return path.read_bytes()[:64].lstrip().startswith(b"{")


def _facts_in(text: str) -> Facts:
    """Return what a file holds; nothing if that is no object."""
    from treewright import FormatError

    try:
        facts = json.loads(text)
    except ValueError as error:
        raise FormatError(f"not JSON: {error}") from error
    return facts if isinstance(facts, dict) else {}


def _tree_in(facts: Facts) -> str | None:
    """Return the tree of a result that has one, as JSON."""
    from treewright import FormatError

    tree = facts.get("refit_tree", facts.get("tree"))
    if not isinstance(tree, dict):
        return None
    if facts.get("version", 1) != 1:
        raise FormatError(f"version {facts['version']}, this release reads 1")
    return json.dumps(tree)


def _list_in(facts: Facts) -> Facts | None:
    """Return the list of rules in a file that is one, or has one."""
    found = facts if facts.get("format") == RULE_LIST else facts.get("rule_list")
    return found if isinstance(found, dict) else None
