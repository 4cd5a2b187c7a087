"""Cells of a workbook that look empty to a reader and are not, found in the XML of the sheet."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, iterparse

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_RELATION = re.compile(r"\{.*\}id$")
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_ERROR = re.compile(r"#[A-Z/0!?]+|Err:\d+")


@dataclass(frozen=True)
class Blank:
    """A cell that looks empty, by row and column from 0, and what it holds."""

    row: int
    column: int
    told: str


def cell_name(row: int, column: int) -> str:
    """Name a cell as spreadsheets do.

    >>> cell_name(0, 0), cell_name(16, 27)
    ('A1', 'AB17')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def cell_position(name: str) -> tuple[int, int]:
    """Return row and column of a cell by its name, from 0.

    >>> cell_position("AB17")
    (16, 27)
    """
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(name[len(letters) :]) - 1, column - 1


def blank_cells(path: Path, sheet: str) -> Iterator[Blank]:
    """Yield cells with an error, and formulas without a stored value; in other workbooks than XML none."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if "content.xml" in names:
            with archive.open("content.xml") as stream:
                yield from _of_open_document(stream, sheet)
        elif "xl/workbook.xml" in names:
            member = _member(archive, sheet)
            if member in names and _may_have(archive.read(member)):
                with archive.open(member) as stream:
                    yield from _of_excel(stream)


def _may_have(text: bytes) -> bool:
    return b't="e"' in text or re.search(rb"<(?:\w+:)?f[ />]", text) is not None


def _member(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the file of a sheet within the archive."""
    target = ""
    with archive.open("xl/workbook.xml") as stream:
        for _, element in iterparse(stream):
            if _plain(element) == "sheet" and element.get("name") == sheet:
                target = next((v for key, v in element.attrib.items() if _RELATION.search(key)), "")
    with archive.open("xl/_rels/workbook.xml.rels") as stream:
        for _, element in iterparse(stream):
            if element.get("Id") == target:
                place = str(element.get("Target"))
                return place.removeprefix("/") if place.startswith("/") else f"xl/{place}"
    return ""


def _plain(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _of_excel(stream: IO[bytes]) -> Iterator[Blank]:
    row = column = -1
    for event, element in iterparse(stream, ("start", "end")):
        tag = _plain(element)
        if event == "start" and tag == "row":
            row, column = int(element.get("r") or row + 2) - 1, -1
        elif event == "end" and tag == "c":
            name = element.get("r")
            row, column = cell_position(name) if name else (row, column + 1)
            told = _told(element)
            if told:
                yield Blank(row, column, told)
        elif event == "end" and tag == "row":
            element.clear()


def _told(cell: Element) -> str:
    """Say what a cell holds that looks empty; nothing of others."""
    parts = {_plain(part): part.text or "" for part in cell}
    if cell.get("t") == "e":
        return _error(parts.get("v", ""))
    if "f" in parts and not parts.get("v") and cell.get("t") != "str":
        return formula(f"={parts['f']}" if parts["f"] else "a formula")
    return ""


def _error(text: str) -> str:
    return (
        f"the cell has the error {text or 'of a formula'}; mend it in the workbook, or empty it if the value "
        "is not known"
    )


def formula(text: str) -> str:
    """Say that a formula has no value."""
    return (
        f"the formula {text[:60]} has no stored value; open the workbook in a spreadsheet program and save "
        "it, so that it is computed"
    )


def _of_open_document(stream: IO[bytes], sheet: str) -> Iterator[Blank]:
    row = column = 0
    is_it = False
    for event, element in iterparse(stream, ("start", "end")):
        if element.tag == f"{_TABLE}table":
            is_it, row = event == "start" and element.get(f"{_TABLE}name") == sheet, 0
        elif event == "start" and element.tag == f"{_TABLE}table-row":
            column = 0
        elif event == "end" and element.tag == f"{_TABLE}table-row":
            row += int(element.get(f"{_TABLE}number-rows-repeated", 1))
            element.clear()
        elif event == "end" and element.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            told = _told_of_open_document(element) if is_it else ""
            if told:
                yield Blank(row, column, told)
            column += int(element.get(f"{_TABLE}number-columns-repeated", 1))


def _told_of_open_document(cell: Element) -> str:
    text = "".join("".join(part.itertext()) for part in cell.iter(f"{_TEXT}p"))
    known = next((value for key, value in cell.attrib.items() if key.endswith("}value-type")), None)
    own = cell.get(f"{_TABLE}formula")
    is_error = "error" in [value for key, value in cell.attrib.items() if key.endswith("}value-type")]
    if is_error or (own and _ERROR.fullmatch(text)):
        return _error(text)
    return formula(own) if own and known is None and not text else ""
