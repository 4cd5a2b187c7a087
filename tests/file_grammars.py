"""Files written at random by the grammar of their format, each with what it means.

A table is drawn first, and then one of the many ways of writing it: quotes where none are needed, comments,
sparse rows, blanks, continued lines. So the truth is never read out of a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

PLAIN = "abcXYZ019_-+.:;/()[]=<>~^&$#!äß"
ODD = " ,'\"\\%{}?@|\t" + "é\u00a0中"


@dataclass
class Truth:
    """What a file means: a domain for each column (None: numbers), values by column, the last the class."""

    names: list[str]
    domains: list[list[str] | None]
    rows: list[list[Any]]
    weights: list[float] | None = None

    def same(self, data, *, declared: bool = True) -> None:
        """Hold a data set against it."""
        assert data.feature_names == self.names[:-1]
        labels = [row[-1] for row in self.rows]
        assert [str(label) for label in data.classes[data.target].tolist()] == labels
        for column, domain in enumerate(self.domains[:-1]):
            values = [row[column] for row in self.rows]
            found = data.column(column)
            if domain is None:
                np.testing.assert_array_equal(found, np.array(values, dtype=np.float64))
                continue
            levels = data.levels[column]
            assert levels == (domain if declared else sorted({v for v in values if v is not None}))
            assert [None if code < 0 else levels[code] for code in found.tolist()] == values
        weights = None if data.sample_weight is None else data.sample_weight.tolist()
        assert weights == self.weights


def labels(letters: str, reserved: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    return st.text(letters, min_size=1, max_size=6).filter(lambda text: text not in reserved)


NUMBERS = st.one_of(
    st.integers(-(10**6), 10**6).map(float),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 0.1, 1e-300, 1.7e308]),
)


@st.composite
def tables(draw, names, values, *, weights: bool = False, distinct_classes: int = 2) -> Truth:
    """Draw a table with a class of two values or more."""
    found = draw(st.lists(names, min_size=2, max_size=5, unique=True))
    domains = [draw(st.none() | st.lists(values, min_size=2, max_size=4, unique=True)) for _ in found[:-1]]
    domains.append(draw(st.lists(values, min_size=distinct_classes, max_size=4, unique=True)))
    n_rows = draw(st.integers(1, 6))
    cells = [
        (NUMBERS | st.just(float("nan"))) if domain is None else st.sampled_from([*domain, None])
        for domain in domains[:-1]
    ]
    row = st.tuples(*cells, st.sampled_from(domains[-1])).map(list)
    rows = draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    weighed = weights and draw(st.booleans())
    some = st.sampled_from([0.5, 1.0, 2.0, 2.5])
    found_weights = draw(st.lists(some, min_size=n_rows, max_size=n_rows)) if weighed else None
    return Truth(found, domains, rows, found_weights)


# ARFF ----------------------------------------------------------------------------------


def is_bare(text: str) -> bool:
    return text != "?" and not any(c <= " " or c in ",%{}'\"" for c in text)


@st.composite
def arff_word(draw, text: str) -> str:
    if is_bare(text) and draw(st.booleans()):
        return text
    quote = draw(st.sampled_from("'\""))
    inner = []
    for letter in text:
        if letter in ("\\", quote) or (letter in "'\"%" and draw(st.booleans())):
            inner.append("\\" + letter)
        elif letter == "\t" and draw(st.booleans()):
            inner.append("\\t")
        else:
            inner.append(letter)
    return quote + "".join(inner) + quote


def arff_blank(draw, least: int = 0) -> str:
    return draw(st.text(" \t", min_size=least, max_size=2))


@st.composite
def arff_cell(draw, value, domain) -> str:
    if value is None or value != value:
        return "?"
    if domain is not None:
        return draw(arff_word(value))
    written = draw(st.sampled_from([repr, lambda x: f"{x!r}d", lambda x: f"+{x!r}" if x > 0 else repr(x)]))(
        value
    )
    return f"'{written}'" if draw(st.integers(0, 5)) == 0 else written


@st.composite
def arff_row(draw, row, truth: Truth, weight: float | None) -> str:
    pairs = list(zip(row, truth.domains, strict=True))
    comma = f"{arff_blank(draw)},{arff_blank(draw)}"
    if draw(st.integers(0, 3)) == 0:
        zeros = [0.0 if domain is None else domain[0] for domain in truth.domains]
        cells = [
            f"{i} {draw(arff_cell(value, domain))}"
            for i, (value, domain) in enumerate(pairs)
            if str(value) != str(zeros[i]) or draw(st.booleans())
        ]
        text = "{" + arff_blank(draw) + comma.join(cells) + arff_blank(draw) + "}"
    else:
        text = draw(st.sampled_from([comma, "\t", " , "])).join(draw(arff_cell(*pair)) for pair in pairs)
    if weight is not None and (weight != 1 or draw(st.booleans())):
        text += f"{arff_blank(draw)},{arff_blank(draw)}{{{weight!r}}}"
    return text


@st.composite
def cased(draw, word: str) -> str:
    return draw(st.sampled_from([word, word.upper(), word.title()]))


@st.composite
def arff_files(draw) -> tuple[str, Truth]:
    letters = PLAIN + ODD
    truth = draw(tables(labels(letters), labels(letters), weights=True))
    lines = [f"{draw(cased('@relation'))} {draw(arff_word(draw(labels(letters))))}"]
    for name, domain in zip(truth.names, truth.domains, strict=True):
        kind = draw(cased(draw(st.sampled_from(["numeric", "real", "integer"]))))
        if domain is not None:
            comma = draw(st.sampled_from([",", ", ", " ,\t"]))
            kind = (
                "{"
                + arff_blank(draw)
                + comma.join(draw(arff_word(v)) for v in domain)
                + arff_blank(draw)
                + "}"
            )
        blank = draw(st.sampled_from([" ", "\t", "  "]))
        lines.append(
            f"{arff_blank(draw)}{draw(cased('@attribute'))}{blank}{draw(arff_word(name))}{blank}{kind}"
        )
    lines.append(draw(cased("@data")))
    weights = truth.weights or [None] * len(truth.rows)
    lines += [draw(arff_row(row, truth, weight)) for row, weight in zip(truth.rows, weights, strict=True)]
    if truth.weights and all(w == 1 for w in truth.weights):
        truth.weights = None if not any("{1.0}" in line for line in lines) else truth.weights
    return draw(commented(lines, "%")), truth


@st.composite
def commented(draw, lines, mark: str) -> str:
    written = []
    for line in lines:
        if draw(st.integers(0, 4)) == 0:
            written.append(draw(st.sampled_from(["", "  ", f"{mark} a 'comment', {{", f"{mark}"])))
        written.append(line + draw(st.sampled_from(["", "", "", " ", f" {mark} end"])))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return end.join(written) + draw(st.sampled_from(["", end]))


# C4.5 ----------------------------------------------------------------------------------

SPACED = PLAIN + ",|?'\"\\ "


def c45_labels() -> st.SearchStrategy[str]:
    reserved = ("?",)
    return labels(SPACED, reserved).filter(lambda text: text == text.strip() and text != "")


@st.composite
def c45_word(draw, text: str) -> str:
    written = []
    for i, letter in enumerate(text):
        before, after = text[i - 1 : i], text[i + 1 : i + 2]
        must = letter in "\\|:," or (letter == "." and after in ("", " ")) or (letter == " " == before)
        may = letter not in " " and draw(st.integers(0, 9)) == 0
        written.append("\\" + letter if must or may else letter)
        if letter == " " and after != " " and not must and draw(st.integers(0, 3)) == 0:
            written.append("  ")
    return "".join(written)


@st.composite
def c45_files(draw) -> tuple[str, str, Truth]:
    names = c45_labels().filter(lambda text: text != "class")
    truth = draw(tables(names, c45_labels()))
    truth.names[-1] = "class"
    comma = draw(st.sampled_from([",", ", ", ",\n  "]))
    dot = draw(st.sampled_from([".", "", " ."]))
    lines = [comma.join(draw(c45_word(v)) for v in truth.domains[-1]) + dot]
    for name, domain in zip(truth.names[:-1], truth.domains[:-1], strict=True):
        kind = "continuous" if domain is None else comma.join([draw(c45_word(v)) for v in domain])
        colon = draw(st.sampled_from([":", ": ", ":\t", ":\n "]))
        lines.append(draw(c45_word(name)) + colon + kind + dot)
    rows = []
    for row in truth.rows:
        cells = [
            "?" if v is None or v != v else repr(v) if domain is None else draw(c45_word(v))
            for v, domain in zip(row, truth.domains, strict=True)
        ]
        rows.append(draw(st.sampled_from([",", ", ", ",  "])).join(cells) + draw(st.sampled_from(["", "."])))
    return draw(commented(lines, "|")), draw(commented(rows, "|")), truth


# Orange --------------------------------------------------------------------------------


@st.composite
def orange_files(draw) -> tuple[str, Truth, bool]:
    letters = "".join(set(PLAIN + " '%,|?") - set("#"))
    ok = labels(letters, ("?", ".", "~")).filter(lambda t: t == t.strip() and t not in ("NA", "nan"))
    wordy = ok.filter(lambda text: text.replace(".", "").strip("0123456789-+") != "")
    truth = draw(tables(ok.filter(lambda t: t != "weight"), wordy, weights=True))
    is_short = draw(st.booleans())
    kinds, roles, names = [], [], []
    for i, (name, domain) in enumerate(zip(truth.names, truth.domains, strict=True)):
        is_class = i == len(truth.names) - 1
        listed = " ".join(v.replace(" ", "\\ ") for v in domain or ())
        number = draw(st.sampled_from(["c", "continuous", "numeric"]))
        kinds.append(number if domain is None else listed)
        roles.append(
            draw(st.sampled_from(["class", "c"])) if is_class else draw(st.sampled_from(["", "a=b"]))
        )
        names.append(f"{'c' if is_class else ''}{'C' if domain is None else 'D'}#{name}")
    if not is_short and not any(domain is None for domain in truth.domains):
        roles[-1] = "class"
    header = [names] if is_short else [truth.names, kinds, roles]
    gap = draw(st.sampled_from(["", "?", "~", "NA"]))
    rows = [
        [gap if v is None or v != v else repr(v) if domain is None else v
         for v, domain in zip(row, truth.domains, strict=True)]
        for row in truth.rows
    ]  # fmt: skip
    if truth.weights is not None:
        heads = ["wC#weight"] if is_short else ["weight", "c", "w"]
        header = [[head, *line] for head, line in zip(heads, header, strict=True)]
        rows = [[repr(w), *row] for w, row in zip(truth.weights, rows, strict=True)]
        truth.names.insert(0, "weight")
    lines = ["\t".join(map(_tab_field, line)) for line in [*header, *rows]]
    return "\n".join(lines) + "\n", truth, is_short


def _tab_field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if '"' in text else text
