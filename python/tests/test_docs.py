"""The tutorial's snippets print what it shows, and the examples draw."""

import doctest
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def test_the_tutorial_runs():
    page = (ROOT / "docs/python.md").read_text()
    snippets = "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
    test = doctest.DocTestParser().get_doctest(snippets, {}, "docs/python.md", None, None)
    assert len(test.examples) > 30
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.failed == 0, "".join(said)


def test_the_readme_runs():
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert snippets
    subprocess.run([sys.executable, "-c", "\n".join(snippets)], check=True, capture_output=True)


@pytest.mark.parametrize(
    "words",
    [
        ["coastline.py", "examples/iceland.geojson", "1.svg"],
        ["road_distances.py", "examples/towns.csv", "1.svg"],
        ["bank_conflicts.py", "1.svg", "2.svg"],
    ],
)
def test_the_examples_draw(words, tmp_path):
    arguments = [str(tmp_path / word) if word.endswith("svg") else str(ROOT / word) for word in words[1:]]
    program = ROOT / "python/examples" / words[0]
    subprocess.run([sys.executable, str(program), *arguments], check=True, capture_output=True)
    for picture in arguments:
        if picture.endswith("svg"):
            assert pathlib.Path(picture).read_text().startswith("<svg")
