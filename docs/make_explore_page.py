"""Draw the page of the exploration of docs/start.md: run ``python docs/make_explore_page.py``.

It needs Chromium, and writes docs/images/explore-page.png. Times differ from run to run, so no test
compares it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
IMAGE = DOCS / "images" / "explore-page.png"
SIZE = "1080,1400"


def main() -> None:
    """Run the command of docs/start.md on its table, and take a picture of the page."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium is not None, "there is a Chromium"
    start = (DOCS / "start.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^```csv patients.csv\n(.*?)^```", start, re.M | re.S)
    (options,) = re.findall(r"^\$ treewright (explore .*?\.html)\n", start, re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "patients.csv").write_text(table, encoding="utf-8")
        command = [sys.executable, "-m", "treewright", *options.replace("\\\n", "").split()]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
        page = Path(folder) / "report.html"
        how = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}"]
        subprocess.run([chromium, *how, f"--screenshot={IMAGE}", page.as_uri()], check=True)


if __name__ == "__main__":
    main()
