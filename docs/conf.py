"""The site: ``sphinx-build -W --keep-going -j auto docs docs/_build/html``.

Pages are Markdown (MyST) that a code host shows too; `make_api.py` makes the API reference of the docstrings.
Nothing is loaded from outside: the theme has no fonts of its own; the search runs in the reader's browser.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

from pygments.lexers.ml import SMLLexer
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject
from sphinx.util.docfields import TypedField

sys.path.insert(0, str(Path(__file__).parent))
import make_api

project = "treewright"
author = "the treewright developers"
project_copyright = "the treewright developers, BSD 3-clause licence"
release = version = version_of("treewright")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

default_role = "py:obj"  # a name in single backticks is a link where the name is known
autodoc_typehints = "none"  # the docstrings tell types in words
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
smartquotes = False
napoleon_use_param = False
strip_signature_backslash = True  # else napoleon writes `tree_` as a link to `tree`
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"treewright {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "search_scorer.js")
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}


def setup(app: Sphinx) -> None:
    """Name the languages of our pages' blocks, take types for words, and write the API pages."""
    app.add_lexer("csv", TextLexer)
    app.add_lexer("ml", SMLLexer)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
        if isinstance(field, TypedField):
            field.typerolename = ""  # "ndarray of shape (n_samples,)" is no link to some `n_samples`
    make_api.write()
