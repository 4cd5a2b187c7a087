"""Data sets by name, from files, and at random.

`load` returns a named set: scikit-learn's bundled ones, sets that are generated from their definition, and
those of a folder. `read` reads a file of your own in any format, `read_csv` one of CSV. All return a
`treewright.Dataset`, which every `fit` and function accepts in place of `X`. `read_rows` reads rows for a
tree that is there already.
"""

from __future__ import annotations

from treewright.data.description.description import Description
from treewright.data.description.facts import ColumnDescription, Remark
from treewright.data.sources.door import read, read_header, read_rows
from treewright.data.sources.linear_network import LinearNetworkSplit, make_linear_network
from treewright.data.sources.random import make_madelon, make_marketing, make_random_table
from treewright.data.sources.read import read_csv
from treewright.data.sources.registry import (
    Entry,
    catalogue,
    load,
    names,
)
from treewright.data.sources.rows import Rows
from treewright.data.sources.write import write

__all__ = [
    "ColumnDescription",
    "Description",
    "Entry",
    "LinearNetworkSplit",
    "Remark",
    "Rows",
    "catalogue",
    "load",
    "make_linear_network",
    "make_madelon",
    "make_marketing",
    "make_random_table",
    "names",
    "read",
    "read_csv",
    "read_header",
    "read_rows",
    "write",
]
