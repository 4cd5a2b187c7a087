"""What must be known of a machine and its software to read a figure."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("Cargo.toml", "Cargo.lock", "rust", "python")

CPU_INFO = Path("/proc/cpuinfo")


def cpu_model() -> str:
    """Return the name of the processor."""
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def load() -> str:
    """Return how many processes wanted to run, averaged over a minute."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else ""


def revision() -> str:
    """Return the commit of the checkout, marked if the package's sources differ; empty without git."""
    try:
        commit = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--", *SOURCES)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f"{commit}-changed" if changed else commit


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def today() -> str:
    """Return the date, as in the names of records."""
    return datetime.date.today().isoformat()


def name() -> str:
    """Return a name for a record: processor and number of cores."""
    model = re.sub(r"\((?:r|tm)\)|processor|cpu|@.*", "", cpu_model().lower())
    return f"{'-'.join(re.findall(r'[a-z0-9]+', model))}-{os.cpu_count()}-cores"


def facts() -> dict[str, str]:
    """Return what every line of a record carries."""
    return {
        "date": today(),
        "revision": revision(),
        "processor": cpu_model(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
