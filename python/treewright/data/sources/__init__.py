"""Data sets by name, from files, and at random.

`load` returns a named set: scikit-learn's bundled ones, sets that are generated from their definition, and
those of a folder. `read_csv` reads a file of your own. All return a `treewright.Dataset`, which every `fit`
and function accepts in place of `X`.
"""
