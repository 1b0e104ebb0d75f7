"""What every file of results/ begins with."""

import datetime
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def result(machine, command, rows, **more):
    """A file's content: of which machine, when, of which commit and by which command the rows are."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"machine": machine, "date": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "commit": commit(), "command": command, **more,
            "rows": rows}


def commit():
    """With a mark where the tree is another than the commit's, results aside; by WARPFOLD_COMMIT where there is no clone."""
    if "WARPFOLD_COMMIT" in os.environ:
        return os.environ["WARPFOLD_COMMIT"]
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!results")
    return git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
