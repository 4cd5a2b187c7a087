"""The command `treewright`.

Exit codes: 0 done, 1 something is wrong with data or files, 2 something is wrong with the command line, 130
stopped by Ctrl-C. A command is imported when it is used, and heavy modules by the commands that need them, so
that help is quick.
"""

from __future__ import annotations

import sys

import click

from treewright.cli._group import Verb, Verbs
from treewright.cli._running import exit_code

__all__ = ["main", "treewright"]

VERBS = {
    "Learn": (
        Verb("explore", "explore", "Find the small tree to use, with an honest error."),
        Verb("fit", "fit", "Grow a greedy decision tree (C4.5, ID3)."),
        Verb("select", "select", "Select features for a decision tree."),
        Verb("optimal", "optimal", "Find the tree of fewest errors within a depth."),
        Verb("fixed-depth", "fixed_depth", "Find a fixed-depth tree, optimal under naive Bayes."),
        Verb("table", "table", "Find an optimal decision tree of a decision table."),
        Verb("plane", "plane", "Find a linear separator, or an oblique tree."),
        Verb("enumerate", "enumerate", "Count, rank or write all distinct decision trees.", "enumerate_"),
        Verb("evolve", "evolve", "Evolve a pruning rule for similar data sets."),
    ),
    "Look": (
        Verb("draw", "draw", "Draw a saved tree: SVG, PNG, PDF, a page, DOT."),
        Verb("explain", "explain", "Explain the class of a row, and what would change it."),
        Verb("rules", "rules", "Write a saved tree as rules."),
        Verb("describe", "describe", "Look at a table before a tree is grown of it."),
        Verb("diff", "diff", "Say what changed between two trees or results."),
        Verb("datasets", "datasets", "List the named data sets."),
        Verb("doctor", "doctor", "Check this installation; for reports of faults."),
    ),
    "Use": (
        Verb("predict", "predict", "Predict with a saved tree."),
        Verb("evaluate", "evaluate", "Evaluate a saved tree, or what made it."),
        Verb("prune", "prune", "Prune a saved tree."),
        Verb("rerun", "rerun", "Run the command again that made a result."),
        Verb("export", "export", "Write a saved tree as a program: Python, SQL, …"),
    ),
    "Study": (
        Verb("study", "study", "Run a published experiment on your data."),
        Verb("reproduce", "reproduce", "Make published tables again, with verdicts."),
    ),
}
"""The commands by what one wants."""


HELP = (
    "Small decision trees, found by search and with proofs. DATA is a file, or a name that `treewright "
    "datasets` lists. Start with: treewright explore wine"
)
"""One paragraph, so that all commands stand on one screen."""


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, help=HELP)
@click.version_option(package_name="treewright")
def treewright() -> None:
    """Small decision trees, found by search and with proofs."""


treewright.verbs = VERBS


def main() -> None:
    """Run the command and leave with its exit code."""
    sys.exit(exit_code(treewright))
