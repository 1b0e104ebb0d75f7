"""Draws the guides' pictures from solves of the command line.

    draw.py WARPFOLD [--check]

WARPFOLD is the program. With --check nothing is written, and a picture that differs from its file is an error. The
colors read on light and on dark backgrounds: text outside of shapes is gray, text inside is dark on a light fill.
"""

import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

IMAGES = pathlib.Path(__file__).parent
ROOT = IMAGES.parents[1]

GRAY = "#7b7f86"
ACCENT = "#d9534f"
DARK = "#1c2733"
BLUE, GREEN, YELLOW, RED, PURPLE, PLAIN = "#9ecbff", "#a8dba8", "#ffe08a", "#ff9f92", "#d3b8ff", "#dfe3e8"


class Program:
    """The command line, in a folder of its own."""

    def __init__(self, path, folder):
        self.path, self.folder = pathlib.Path(path).resolve(), folder

    def run(self, *words, text=""):
        done = subprocess.run([self.path, *map(str, words)], cwd=self.folder, input=text, text=True, capture_output=True)
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout

    def json(self, *words, text=""):
        return json.loads(self.run(*words, "--json", text=text))

    def file(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name


def npy_bytes(kind, shape, values):
    """A .npy file; kind is d or q of the module struct."""
    header = f"{{'descr': '<{'f8' if kind == 'd' else 'i8'}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack(f"<H{len(header)}s", len(header), header.encode()) + struct.pack(
        f"<{len(values)}{kind}", *values)


def npy_values(path):
    content = path.read_bytes()
    start = 10 + struct.unpack("<H", content[8:10])[0]
    kind, size = {"f8": ("d", 8), "i8": ("q", 8)}[re.search(rb"'<(..)'", content)[1].decode()]
    return struct.unpack(f"<{(len(content) - start) // size}{kind}", content[start:])


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height, self.parts = width, height, [f"<title>{title}</title>"]

    def text(self, x, y, words, size=14, color=GRAY, anchor="middle", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight}>'
                          f"{words}</text>")

    def line(self, x1, y1, x2, y2, color=GRAY, width=1.5, arrow=False, dash=False):
        more = (' marker-end="url(#arrow)"' if arrow else "") + (' stroke-dasharray="5 4"' if dash else "")
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" '
                          f'stroke-width="{width}"{more}/>')

    def curve(self, x1, y1, x2, y2, rise, color=GRAY, width=1.5, arrow=True):
        more = ' marker-end="url(#arrow)"' if arrow else ""
        self.parts.append(f'<path d="M{x1:g} {y1:g}Q{(x1 + x2) / 2:g} {min(y1, y2) - rise:g} {x2:g} {y2:g}" fill="none" '
                          f'stroke="{color}" stroke-width="{width}"{more}/>')

    def cell(self, x, y, width, height, words="", fill=PLAIN, bold=False, size=14):
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" '
                          f'stroke="{GRAY}"/>')
        self.text(x + width / 2, y + height / 2 + 0.36 * size, words, size, DARK, bold=bold)

    def circle(self, x, y, radius, words="", fill=BLUE, size=14):
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{GRAY}"/>')
        self.text(x, y + 0.36 * size, words, size, DARK)

    def mark(self, x, y, shape, color):
        """A point of a chart: a circle, square, diamond or triangle."""
        if shape == "circle":
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="none" stroke="{color}" stroke-width="1.6"/>')
            return
        corners = {"square": ((-4, -4), (4, -4), (4, 4), (-4, 4)), "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
                   "triangle": ((0, -5), (5, 4), (-5, 4))}[shape]
        points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
        self.parts.append(f'<polygon points="{points}" fill="none" stroke="{color}" stroke-width="1.6"/>')

    def polygon(self, points, fill):
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polygon points="{corners}" fill="{fill}" stroke="{GRAY}" stroke-width="2"/>')

    def svg(self):
        arrow = (f'<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
                 f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{GRAY}"/></marker></defs>')
        body = "\n".join([arrow, *self.parts])
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'height="{self.height}" font-family="sans-serif">\n{body}\n</svg>\n')


def triangulation(program):
    corners = [(0, 0), (4, 0), (4, 3), (2, 1), (0, 3)]
    outline = program.file("room.csv", "".join(f"{x} {y}\n" for x, y in corners))
    best = program.json("triangulate", outline)
    picture = Picture(420, 320, "An outline and its optimal triangulation")
    at = [(60 + 75 * x, 265 - 75 * y) for x, y in corners]
    for fill, triangle in zip([GREEN, BLUE, YELLOW], best["triangles"]):
        picture.polygon([at[i] for i in triangle], fill)
    for i, j in best["chords"]:
        (a, b), (c, d) = at[i], at[j]
        picture.line(a, b, c, d, DARK, 2.5)
        picture.text((a + c) / 2 + (18 if c > a else -18), (b + d) / 2 + 16, f"{math.dist(corners[i], corners[j]):.3f}", 14,
                     DARK, bold=True)
    for i, (x, y) in enumerate(at):
        picture.circle(x, y, 13, i, PLAIN)
    picture.text(210, 308, f"total {best['cost']:.3f}")
    return picture


def chain_tree(program):
    dims = [30, 35, 15, 5, 10, 20, 25]
    best = program.json("chain", *dims)
    split = {(i, j): k for i, k, j in best["splits"]}
    picture = Picture(720, 345, "The cheapest order of six matrices")

    def place(i, j, level):
        """Draws what multiplies A(i+1) .. Aj, and returns where its root is."""
        y = 50 + 75 * level
        if j == i + 1:
            x = 70 + 116 * i
            picture.cell(x - 42, y - 22, 84, 44, "", GREEN)
            picture.text(x, y - 3, f"A{j}", 15, DARK, bold=True)
            picture.text(x, y + 14, f"{dims[i]} x {dims[j]}", 12, DARK)
            return x, y
        k = split[i, j]
        mark = len(picture.parts)
        left, right = place(i, k, level + 1), place(k, j, level + 1)
        x = (left[0] + right[0]) / 2
        shapes = picture.parts[mark:]
        del picture.parts[mark:]
        for to in (left, right):
            picture.line(x, y, *to)
        picture.parts += shapes
        picture.cell(x - 64, y - 22, 128, 44, "", BLUE)
        picture.text(x, y - 3, f"{dims[i]} x {dims[k]} x {dims[j]}", 13, DARK)
        picture.text(x, y + 14, f"{dims[i] * dims[k] * dims[j]:,}", 13, DARK, bold=True)
        return x, y

    place(0, len(dims) - 1, 0)
    picture.text(360, 330, f"{best['order']}: {best['cost']:,} multiplications", 15)
    return picture


def search_tree(program):
    keys, gaps = [3, 3, 1, 1], [2, 3, 1, 1, 1]
    best = program.json("tree", program.file("tree.json", json.dumps({"p": keys, "q": gaps})))
    parents = best["parents"]
    depth = [0] * len(keys)
    for key in range(len(keys)):
        above = parents[key]
        while above >= 0:
            depth[key], above = depth[key] + 1, parents[above]
    # The gap before key g hangs below the deeper one of the two keys beside it.
    under = [max((k for k in (g - 1, g) if 0 <= k < len(keys)), key=lambda k: depth[k]) for g in range(len(gaps))]

    def x(place):
        return 40 + 62 * place

    def y(level):
        return 38 + 68 * level

    picture = Picture(580, 310, "An optimal binary search tree")
    for key, parent in enumerate(parents):
        if parent >= 0:
            picture.line(x(2 * key + 1), y(depth[key]), x(2 * parent + 1), y(depth[parent]))
    for g, key in enumerate(under):
        picture.line(x(2 * g), y(depth[key] + 1), x(2 * key + 1), y(depth[key]))
    for key, weight in enumerate(keys):
        picture.circle(x(2 * key + 1), y(depth[key]), 24, f"p{key} = {weight}", BLUE, 12)
    for g, key in enumerate(under):
        picture.cell(x(2 * g) - 25, y(depth[key] + 1) - 14, 50, 28, f"q{g} = {gaps[g]}", PLAIN, size=12)
    picture.text(290, 296, f"cost {best['cost']}: keys in circles, gaps in boxes")
    return picture


def permutation(program):
    width = 4
    to = [width * (i % width) + i // width for i in range(width * width)]
    program.run("permute", program.file("p.npy", npy_bytes("q", f"({len(to)},)", to)), "--width", width, "-o", "s.npy")
    planned = npy_values(program.folder / "s.npy")
    picture = Picture(690, 280, "Rounds of a permutation, in order and planned")
    for left, name, order in ((10, "in order", range(len(to))), (360, "planned", planned)):
        picture.text(left + 194, 22, name, 16, bold=True)
        for bank in range(width):
            picture.text(left + 105 + 60 * bank, 48, f"bank {bank}", 12)
        for turn in range(width):
            y = 58 + 50 * turn
            picture.text(left + 32, y + 26, f"round {turn}", 13)
            here = list(order)[width * turn:width * (turn + 1)]
            for bank in range(width):
                words = [source for source in here if to[source] % width == bank]
                fill = PLAIN if not words else GREEN if len(words) == 1 else RED
                label = " ".join(map(str, words))
                picture.cell(left + 75 + 60 * bank, y, 58, 42, label, fill, size=14 if len(words) < 2 else 10)
    picture.text(345, 274, "a cell lists the words that are written to its bank in that round", 13)
    return picture


def product(program):
    bus, train = [5, 12, math.inf, 8, 4, 15], [20, math.inf, 14, 30, 9, 11]
    program.run("minplus", program.file("bus.npy", npy_bytes("d", "(2, 3)", bus)),
                program.file("train.npy", npy_bytes("d", "(3, 2)", train)), "-o", "fastest.npy")
    fastest = npy_values(program.folder / "fastest.npy")
    picture = Picture(640, 250, "An entry of a (min,+) product")

    def text(value):
        return "∞" if value == math.inf else f"{value:g}"

    def matrix(left, top, name, values, columns, fill):
        picture.text(left + 25 * columns, 24, name, 16, bold=True)
        for at, value in enumerate(values):
            i, j = divmod(at, columns)
            picture.cell(left + 50 * j, top + 50 * i, 48, 48, text(value), fill(i, j), size=16)

    matrix(40, 65, "bus", bus, 3, lambda i, j: [BLUE, YELLOW, PURPLE][j] if i == 1 else PLAIN)
    picture.text(225, 120, "⊗", 22)
    matrix(260, 40, "train", train, 2, lambda i, j: [BLUE, YELLOW, PURPLE][i] if j == 1 else PLAIN)
    picture.text(405, 120, "=", 22)
    matrix(450, 65, "fastest", fastest, 2, lambda i, j: GREEN if (i, j) == (1, 1) else PLAIN)
    terms = ", ".join(f"{text(bus[3 + k])} + {text(train[2 * k + 1])}" for k in range(3))
    picture.text(320, 232, f"fastest(1,1) = min({terms}) = {text(fastest[3])}", 16)
    return picture


def knapsack(program):
    items, capacity = [(60, 1), (100, 2), (120, 3)], 5  # value, weight

    def row(count):
        if count == 0:
            return [0] * (capacity + 1)
        text = f"{count} {capacity}\n" + "".join(f"{v} {w}\n" for v, w in items[:count])
        return program.json("knapsack", program.file("k.txt", text), "--every-capacity")["values"]

    table = [row(count) for count in range(len(items) + 1)]
    path, column = [], capacity
    for count in range(len(items), 0, -1):
        taken = table[count][column] != table[count - 1][column]
        path.append((count, column, taken))
        column -= items[count - 1][1] if taken else 0
    path.append((0, column, False))
    picture = Picture(640, 320, "A knapsack's table")
    picture.text(400, 24, "capacity", 14)
    for c in range(capacity + 1):
        picture.text(225 + 68 * c, 48, c, 14, bold=True)
    for count, values in enumerate(table):
        y = 60 + 56 * count
        name = "no item" if count == 0 else f"+ value {items[count - 1][0]}, weight {items[count - 1][1]}"
        picture.text(180, y + 25, name, 13, anchor="end")
        for c, value in enumerate(values):
            on_path = any((count, c) == step[:2] for step in path)
            picture.cell(195 + 68 * c, y, 60, 38, value, YELLOW if on_path else PLAIN, bold=on_path)
    for (count, c, taken), (_, before, _) in zip(path, path[1:]):
        y = 60 + 56 * count
        picture.line(225 + 68 * c, y, 225 + 68 * before, y - 17, GRAY, 2, arrow=True)
    chosen = [str(items[count - 1][0]) for count, _, taken in reversed(path) if taken]
    picture.text(320, 305, f"each step to the left takes an item: {' + '.join(chosen)} = {table[-1][-1]}", 14)
    return picture


def recurrence(program):
    offsets, weights, n, least = [1, 2, 3, 4], [1, 5, 8, 9], 12, 3
    lists = [f"--{name}={','.join(map(str, values))}" for name, values in (("offsets", offsets), ("weights", weights))]
    values = program.json("recurrence", "--op", "max", *lists, "--initial=-inf,-inf,-inf,0", "-n", n)["values"]
    picture = Picture(760, 210, "A value of a recurrence and the older values that it depends on")
    target = 9
    for i, value in enumerate(values):
        fill = GREEN if i == target else BLUE if target - i in offsets else PLAIN
        picture.cell(20 + 60 * i, 110, 56, 40, "-∞" if value is None else value, fill, size=15)
        picture.text(48 + 60 * i, 168, i, 12)
    for offset, weight in zip(offsets, weights):
        is_best = values[target - offset] + weight == values[target]
        source = 48 + 60 * (target - offset)
        picture.curve(source, 108, 48 + 60 * target, 108, 26 * offset + 16, ACCENT if is_best else GRAY,
                      3 if is_best else 1.5)
        picture.text(source - 4, 96, f"+{weight}", 13, ACCENT if is_best else GRAY, "end", is_best)
    best = ", ".join(f"{values[target - a]} + {c}" for a, c in zip(offsets, weights))
    picture.text(380, 198, f"ST[{target}] = max({best}) = {values[target]}: the best price of a rod of length {target - least}")
    return picture


def interval(program):
    dims = [30, 35, 15, 5, 10, 20, 25]
    n = len(dims) - 1
    program.run("chain", *dims, "--tables", "m.npy", "s.npy")
    costs = npy_values(program.folder / "m.npy")
    i0, j0 = 1, 5  # the entry that is explained
    pairs = dict(zip(range(i0 + 1, j0), [BLUE, YELLOW, PURPLE]))
    picture = Picture(640, 400, "An interval table")
    for j in range(1, n + 1):
        picture.text(90 + 82 * j, 26, f"j = {j}", 13)
    for i in range(n):
        picture.text(112 + 82 * i, 62 + 54 * i, f"i = {i}", 13, anchor="end")
        for j in range(i + 1, n + 1):
            value = costs[i * n + j - 1]
            fill = GREEN if (i, j) == (i0, j0) else PLAIN
            if i == i0 and j in pairs:
                fill = pairs[j]
            if j == j0 and i in pairs:
                fill = pairs[i]
            picture.cell(52 + 82 * j, 36 + 54 * i, 76, 44, f"{value:,}", fill)
    picture.text(40, 330, f"value({i0},{j0}) is the least of", 14, anchor="start")
    for row, (k, fill) in enumerate(pairs.items()):
        picture.cell(40, 340 + 20 * row, 14, 14, "", fill)
        left, right = costs[i0 * n + k - 1], costs[k * n + j0 - 1]
        join = dims[i0] * dims[k] * dims[j0]
        picture.text(62, 352 + 20 * row, f"k = {k}: {left:,} + {right:,} + {join:,} = {left + right + join:,}", 13,
                     anchor="start")
    return picture


def ranks(_):
    """Rows and columns of super-tiles go to a grid of 2 x 2 ranks, there and back: 0, 1, 1, 0, .."""
    blocks, grid, fills = 8, 2, [BLUE, GREEN, YELLOW, PURPLE]

    def owner(line):  # the longest lines first
        place = line % (2 * grid)
        return min(place, 2 * grid - 1 - place)

    picture = Picture(470, 420, "Super-tiles of a table, by the rank that makes them")
    for i in range(blocks):
        for j in range(i, blocks):
            rank = grid * owner(i) + owner(blocks - 1 - j)
            picture.cell(20 + 46 * j, 14 + 46 * i, 43, 43, rank, fills[rank])
    picture.text(20, 408, "Each super-tile has the number of the rank that makes it, of 2 x 2 ranks.", 13, anchor="start")
    return picture


def bank_conflicts(program):
    width = 8
    picture = Picture(640, 320, "A column of a matrix in memory banks, without and with padding")
    for left, row, name in ((20, width, "rows of 8 words"), (345, width + 1, "rows of 8 words and 1 unused")):
        cost = program.json("machine", "cost", "--machine", "dmm", "--width", width, "--latency", 1, "--index", f"i*{row}")
        picture.text(left + 150, 20, name, 15, bold=True)
        for bank in range(width):
            picture.text(left + 51 + 30 * bank, 44, bank, 12)
        column = {row * i: i for i in range(width)}
        for line in range(width + row - width):
            for bank in range(width):
                address = width * line + bank
                fill = (RED if cost["stages"][0] > 1 else GREEN) if address in column else PLAIN
                picture.cell(left + 37 + 30 * bank, 52 + 25 * line, 28, 23, column.get(address, ""), fill, size=13)
        stages = cost["stages"][0]
        picture.text(left + 150, 302, f"a column: {stages} stage{'s' if stages > 1 else ''}", 15)
    picture.text(20, 44, "bank", 12, anchor="start")
    return picture


def rna(_):
    """The pairs are those that the Python guide shows, which its test compares with a solve."""
    page = (ROOT / "docs/guides/python.md").read_text()
    page = page[page.index('rna = "'):]
    letters = re.search(r'rna = "(\w+)"', page)[1]
    pairs = [tuple(map(int, pair)) for pair in re.findall(r"\((\d+), (\d+)\)", re.search(r"\(3\.0, \[(.*)\]\)", page)[1])]
    picture = Picture(560, 240, "Pairs of an RNA sequence that do not cross")
    for i, j in pairs:
        picture.curve(50 + 57 * i, 166, 50 + 57 * j, 166, 36 * (j - i) - 30, ACCENT, 2.5, arrow=False)
    for i, letter in enumerate(letters):
        fill = GREEN if any(i in pair for pair in pairs) else PLAIN
        picture.circle(50 + 57 * i, 184, 19, letter, fill, 17)
        picture.text(50 + 57 * i, 224, i, 12)
    return picture


def folding(program):
    """The structure that the guide to RNA shows: an arc for each pair."""
    page = (ROOT / "docs/guides/rna.md").read_text()
    letters = re.search(r"^([ACGU]{40,})$", page, re.M)[1]
    structure = program.json("fold", "--sequence", letters)["records"][0]["structure"]
    picture = Picture(900, 270, "The pairs of a folded RNA sequence")
    at = [24 + 852 * i / (len(letters) - 1) for i in range(len(letters))]
    opened = []
    for j, bracket in enumerate(structure):
        if bracket == "(":
            opened.append(j)
        if bracket == ")":
            i = opened.pop()
            picture.curve(at[i], 236, at[j], 236, 6 * (j - i), ACCENT, 2, arrow=False)
    for x, letter, bracket in zip(at, letters, structure):
        picture.text(x, 256, letter, 13, ACCENT if bracket != "." else GRAY)
    return picture


class LogScale:
    """From numbers of `low` to `high` powers of 10 to places. A 0 has a place of its own before them."""

    def __init__(self, low, high, begin, end):
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def place(self, value):
        if value == 0:
            return self.begin - math.copysign(24, self.end - self.begin)
        return self.begin + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)


def chart(title, x, y, horizontal, vertical, kinds, has_zero=False):
    """Predicted against measured or counted, on logarithmic axes. `kinds` has the name, shape, color and points of each."""
    picture = Picture(760, 560, title)
    for power in range(math.ceil(x.low), math.floor(x.high) + 1):
        picture.line(x.place(10**power), y.begin, x.place(10**power), y.end, width=0.5)
        picture.text(x.place(10**power), y.begin + (42 if has_zero else 20), f"{10**power:,}", 12)
    for power in range(math.ceil(y.low), math.floor(y.high) + 1):
        picture.line(x.begin, y.place(10**power), x.end, y.place(10**power), width=0.5)
        picture.text(x.begin - (36 if has_zero else 8), y.place(10**power) + 4, f"{10**power:,}", 12, anchor="end")
    if has_zero:
        picture.text(x.place(0), y.begin + 42, "0", 12)
        picture.text(x.begin - 36, y.place(0) + 4, "0", 12, anchor="end")
    picture.line(x.begin, y.begin, x.end, y.end, width=1.5)
    picture.text((x.begin + x.end) / 2, 552, horizontal, 14)
    picture.text(x.begin - 60, 20, vertical, 14, anchor="start")
    for row, (name, shape, color, points) in enumerate(kinds):
        for point in sorted({(round(x.place(a), 1), round(y.place(b), 1)) for a, b in points}):
            picture.mark(*point, shape, color)
        picture.mark(x.begin + 24, y.end + 24 + 22 * row, shape, color)
        picture.text(x.begin + 38, y.end + 29 + 22 * row, name, 13, anchor="start")
    return picture


def predicted_rows(work):
    rows = json.loads((ROOT / "results/h100/machine_predictions.json").read_text())["rows"]
    return [row for row in rows if row["work"] == work]


CHART_BLUE, CHART_GREEN, CHART_ORANGE, CHART_RED = "#3f8fe0", "#2fa866", "#d9862b", ACCENT


def prediction_times(_):
    """Cycles. A program has two predictions: by two constants and by its parts."""
    def points(work, key):
        return [(row["measured_cycles"], row[key]) for row in predicted_rows(work) if row["measured_cycles"] and row.get(key)]

    x, y = LogScale(2.6, 7, 110, 730), LogScale(2.6, 7, 500, 36)
    return chart("Predicted and measured cycles on an H100", x, y, "measured cycles", "predicted cycles", [
        ("patterns", "circle", CHART_BLUE, points("pattern", "predicted_cycles")),
        ("experiments", "triangle", CHART_RED, points("experiment", "predicted_cycles")),
        ("programs, from stages and steps", "square", CHART_ORANGE, points("program", "predicted_cycles")),
        ("programs, with instructions and barriers", "diamond", CHART_GREEN, points("program", "detailed_cycles")),
    ])


def prediction_counters(_):
    """Wavefronts and sectors, and the counters of the experiments."""
    def points(work):
        return [(row["counted"], row["predicted_count"]) for row in predicted_rows(work) if row["counted"] is not None]

    x, y = LogScale(0, 6, 140, 730), LogScale(0, 6, 470, 36)
    return chart("Predicted and counted wavefronts and sectors on an H100", x, y, "counted", "predicted", [
        ("patterns", "circle", CHART_BLUE, points("pattern")),
        ("programs", "square", CHART_ORANGE, points("program")),
        ("loops", "diamond", CHART_GREEN, points("loop")),
        ("experiments", "triangle", CHART_RED, points("experiment")),
    ], has_zero=True)


def iceland(program):
    program.run("triangulate", ROOT / "examples/iceland.geojson", "-o", "iceland.svg")
    return program.folder / "iceland.svg"


PICTURES = {
    "triangulation": triangulation,
    "chain": chain_tree,
    "search-tree": search_tree,
    "permutation": permutation,
    "product": product,
    "knapsack": knapsack,
    "recurrence": recurrence,
    "interval-table": interval,
    "ranks": ranks,
    "bank-conflicts": bank_conflicts,
    "folding": folding,
    "rna": rna,
    "iceland": iceland,
    "prediction-times": prediction_times,
    "prediction-counters": prediction_counters,
}


def main(path, check):
    stale = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(path, pathlib.Path(folder))
        for name, draw in PICTURES.items():
            drawn = draw(program)
            text = drawn.svg() if isinstance(drawn, Picture) else drawn.read_text()
            file = IMAGES / f"{name}.svg"
            if not check:
                file.write_text(text)
            elif not file.exists() or file.read_text() != text:
                stale.append(str(file))
    if stale:
        sys.exit(f"draw.py: {', '.join(stale)} would be drawn otherwise: ./dev readme draws them")


if __name__ == "__main__":
    main(sys.argv[1], "--check" in sys.argv[2:])
