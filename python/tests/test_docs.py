"""The snippets of README.md and of the guide print what these pages show, and the examples draw."""

import doctest
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "min_examples"), [("README.md", 3), ("docs/guides/python.md", 35), ("docs/guides/permutations.md", 2), ("docs/guides/sequences-cookbook.md", 13)]
)
def test_every_snippet_prints_what_the_page_shows(page, min_examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # snippets write files
    snippets = "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S))
    test = doctest.DocTestParser().get_doctest(snippets, {}, page, None, None)
    assert len(test.examples) >= min_examples
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.failed == 0, "".join(said)


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
