"""Completes the site that Doxygen wrote: gives each linked file of the repository a page, then checks every link.

    files.py BUILD/html
"""

import html
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title><link rel="stylesheet" href="{up}style.css"></head>
<body class="file"><p><a href="{up}index.html">warpfold</a> / {name}</p><pre>{text}</pre></body></html>
"""


def links(site):
    for page in sorted(site.rglob("*.html")):
        for link in re.findall(r'(?:href|src|data)="([^"]*)"', page.read_text(errors="replace")):
            link = urllib.parse.unquote(html.unescape(link))
            if link and not re.match(r"(https?|mailto|javascript|data):", link):
                yield page, *link.partition("#")[::2]


def write_files(site):
    """Each link to files/PATH.html is to a file of the repository."""
    for name in sorted({path for _, path, _ in links(site) if path.startswith("files/")}):
        source = ROOT / name.removeprefix("files/").removesuffix(".html")
        if source.is_file():
            page = site / name
            page.parent.mkdir(parents=True, exist_ok=True)
            text = html.escape(source.read_text(errors="replace"))
            page.write_text(PAGE.format(name=source.relative_to(ROOT), up="../" * name.count("/"), text=text))


def broken(site):
    places = {}
    for page, path, place in links(site):
        there = page.parent / path if path else page
        if not there.exists():
            yield f"{page.name}: no {path}"
        elif place and there.suffix == ".html":
            if there not in places:
                places[there] = set(re.findall(r'(?:id|name)="([^"]*)"', there.read_text(errors="replace")))
            if place not in places[there]:
                yield f"{page.name}: no {path}#{place}"


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    write_files(folder)
    faults = sorted(set(broken(folder)))
    if faults:
        sys.exit("files.py: links that lead nowhere:\n" + "\n".join(faults))
