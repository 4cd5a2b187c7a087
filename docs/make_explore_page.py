"""Draw the page of an exploration for docs/explore.md: run ``python docs/make_explore_page.py``.

It needs Chromium, and writes docs/images/explore-page.png. Times differ from run to run, so no test
compares it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from treewright import datasets, explore

IMAGE = Path(__file__).parent / "images" / "explore-page.png"
SIZE = "1080,1400"


def main() -> None:
    """Explore wine, and take a picture of the page."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium is not None, "there is a Chromium"
    found = explore(datasets.load("wine"), time_limit=None, n_jobs=2)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        found.to_html(page)
        how = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}"]
        subprocess.run([chromium, *how, f"--screenshot={IMAGE}", page.as_uri()], check=True)


if __name__ == "__main__":
    main()
