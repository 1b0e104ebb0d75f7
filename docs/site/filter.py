"""Prints a Markdown page or a header as Doxygen reads it: its filter, so that links work as they do in the repository.

    filter.py FILE

A page gets the label docs-guides-paths, a heading docs-guides-paths-its-words, and links go to these. A link to a public
header goes to its page of the reference, one to a folder to the page that lists it, and one to another file of the
repository to its text, which files.py puts beside the pages. A link that leads nowhere becomes one that Doxygen refuses.
In a header, docs/guides/paths.md becomes a link.
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {"docs": "docs/README.md", "docs/decisions": "docs/README.md#decisions-what-was-chosen-and-when-to-reopen-it",
           "docs/explanation/kernels": "docs/README.md#explanation-how-and-why-it-works", "examples": "examples/README.md"}
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/", "examples/README.md")


def label(page):
    return page.removesuffix(".md").replace("/", "-")


def slug(heading):
    """As GitHub makes the anchor of a heading."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def target(page, link):
    path, _, place = link.partition("#")
    full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if full in FOLDERS:
        full, _, place = FOLDERS[full].partition("#")
    if full.endswith(".md") and full.startswith(PAGES):
        if not (ROOT / full).is_file():
            return "@ref no-such-page-" + label(full)
        name = "index" if full == "README.md" else label(full)
        return f"@ref {name}-{place}" if place else f"@ref {name}"
    if full.startswith("include/"):
        return f"@ref {full.removeprefix('include/')}"
    return f"files/{full}.html"


def linked(page, text):
    def replace(match):
        words, link = match[1], match[2]
        if re.match(r"(https?|mailto):", link):
            return match[0]
        if words.startswith("!"):
            return f"{words}({os.path.basename(link)})"
        to = target(page, link)
        return f"{words.replace('`', '') if to.startswith('@ref') else words}({to})"

    return re.sub(r"(!?\[(?:[^]\[]|\[[^]]*\])*\])\(([^)\s]+)\)", replace, text)


def converted(page, lines):
    name = "index" if page == "README.md" else label(page)
    fenced = False
    for line in lines:
        heading = re.match(r"(#+) (.*)", line)
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            pass
        elif heading and len(heading[1]) == 1:
            line = f"{line} {{#{'mainpage' if page == 'README.md' else name}}}"
        elif heading:
            line = f"{linked(page, line)} {{#{name}-{slug(heading[2])}}}"
        else:
            line = re.sub(r'<a id="([^"]*)"></a>', rf"@anchor {name}-\1 ", linked(page, line))
        yield line


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1]).resolve()
    page, text = str(path.relative_to(ROOT)), path.read_text()
    if path.suffix == ".md":
        text = "\n".join(converted(page, text.split("\n")))
    else:
        text = re.sub(r"docs/[\w/-]+\.md", lambda name: f'@ref {label(name[0])} "{name[0]}"', text)
    print(text, end="")
