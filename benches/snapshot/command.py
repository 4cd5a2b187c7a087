"""Running the command `treewright` in a folder of its own, and reading what it left there."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benches.snapshot import data
from benches.snapshot.masks import masked_keys, masked_text
from benches.snapshot.timed import csv_without_times, text_without_times

PICTURES = (".png", ".pdf", ".svg")
FILES = {
    "weather.csv": data.WEATHER,
    "semicolons.csv": data.WEATHER.replace(",", ";"),
    "foggy.csv": data.WEATHER.replace("overcast", "foggy"),
    "gaps.csv": "c,x,class\na,1,yes\n,2,no\nb,,no\na,4,yes\nb,1,no\n?,3,yes\nb,?,no\n",
    "clash.csv": "a,b,class\n1,x,yes\n1,x,no\n2,x,no\n",
    "two.csv": "x,y,class\n1.5,2,no\n2.5,1,no\n3,4,yes\n4.5,3,yes\n2,3.5,no\n5,0.5,yes\n",
}
"""Files that stand in the folder of every command."""


def session(*commands: str, is_apart: bool = False, width: int = 80) -> list[dict[str, Any]]:
    """Run commands one after the other and return how each ended; files are those that it wrote."""
    os.environ["COLUMNS"] = str(width)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    run = in_process_of_its_own if is_apart else in_this_process
    ended, before = [], contents()
    for command in commands:
        arguments = shlex.split(command)
        code, out, err = run(arguments)
        after = contents()
        written = {name: read(name) for name in after if after[name] != before.get(name)}
        told = {"exit": code, "out": shown(out), "err": shown(err), "files": written}
        ended.append({"command": command, **told})
        before = after
    return ended


def contents() -> dict[str, bytes]:
    """Return all files of the folder."""
    return {path.name: path.read_bytes() for path in sorted(Path().iterdir()) if path.is_file()}


def in_process_of_its_own(arguments: list[str]) -> tuple[int, str, str]:
    """Run the command as users do."""
    call = [sys.executable, "-m", "treewright", *arguments]
    ended = subprocess.run(call, capture_output=True, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


def in_this_process(arguments: list[str]) -> tuple[int, str, str]:
    """Run the command without waiting for a new interpreter."""
    from treewright.cli import main

    with captured(["treewright", *arguments]) as (out, err):
        try:
            code: Any = main()
        except SystemExit as ended:
            code = ended.code
    return int(code or 0), text_of(out), text_of(err)


@contextlib.contextmanager
def captured(arguments: list[str]) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Put other arguments and streams in the place of the process's own."""
    kept = sys.argv, sys.stdout, sys.stderr
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    data_folder = os.environ.get("TREEWRIGHT_DATA")
    sys.argv, (sys.stdout, sys.stderr) = arguments, streams
    try:
        yield streams[0], streams[1]
    finally:
        sys.argv, sys.stdout, sys.stderr = kept
        if data_folder is not None:
            os.environ["TREEWRIGHT_DATA"] = data_folder


def text_of(stream: io.TextIOWrapper) -> str:
    """Return what was printed."""
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def shown(text: str) -> Any:
    """Return printed text without times, or the document that it is."""
    if text.lstrip().startswith(("{", "[")):
        with contextlib.suppress(json.JSONDecodeError):
            return {"document": masked_keys(json.loads(text))}
    return masked_text(text_without_times(text))


def read(name: str) -> Any:
    """Return what a command wrote; of a picture only that it is there."""
    path = Path(name)
    if path.suffix in PICTURES:
        return f"a picture, {path.suffix}" if path.stat().st_size > 1000 else "a picture of no size"
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [masked_keys(json.loads(line)) for line in text.splitlines()]
    if path.suffix == ".csv":
        return csv_without_times(list(csv.reader(io.StringIO(text))))
    return shown(text)
