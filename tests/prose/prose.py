#!/usr/bin/env python3
"""Refuses words that the project has replaced, British spelling, and sentences that are too long to be read once.

Replaced words and spelling are checked in every text file of the repository except the measured results. The words of a
sentence are counted in the Markdown pages and in the doc comments of include/. In pages, spelling and sentences leave out code,
and all checks leave out the parts that `./dev readme` fills. Prints one line for each finding; exits with 1 if there is one.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_WORDS = 45  # of a sentence
LEFT_OUT = ("results/", "tests/fuzz/corpus/", "tests/prose/", "LICENSE")

# The pattern of a word, and what to write instead. A blank also matches a hyphen or a line break in a comment.
REPLACED = {
    "whole numbers?": "integer",
    "most_bytes": "max_memory",
    "passed_over": "fallback_reason",
    "(named_only|only_when_named)": "explicit_only",
    "own_backends": "builtin_backends",
    "OwnProblem": "UserProblem",
    "(?-i:Watch)": "SolveMonitor",
    "(?-i:Ticker)": "PeriodicCheck",
    "(Table)?keepers?": "Checkpointer",
    "TileRun": "TileScheduler",
    "TileWork": "TileKernel",
    "look_beside": "poll_exchange",
    "give_way": "back_off",
    "UnlikeOurs": "MalformedSolution",
    r"(\w+_)?flaws?(_\w+)?": "Violation",
    "miscounted": "wrong_cost",
    "middle vert(ex|ices)": "intermediate vertex",
    "takes_least": "is_min",
    "ProvenMinPlus": "BoundedMinPlus",
    "spans_gpus": "supports_multi_gpu",
    "tell_end": "report_completion",
    "there_and_back": "snake_order",
    "table_that_matters": "aperiodic_prefix",
    "enough_to_probe": "min_probe_seconds",
}

# British spelling: the pattern of a part of a word, and its American form.
BRITISH = {
    "colour": "color",
    "neighbour": "neighbor",
    "behaviour": "behavior",
    "favour": "favor",
    "centre": "center",
    "licence": "license",
    "learnt": "learned",
    "analyse(?=d?\\b)": "analyze",
    "catalogue": "catalog",
    "labelled": "labeled",
    "grey": "gray",
    "(recogn|util|initial|optim|organ|normal|minim|maxim|serial|parallel|summar|general|special|synchron)is(?=e|ing|ation)": r"\1iz",
}

CODE = r"(`+)[^`](?:(?!\n\s*\n).)*?\1"


def replaced_rule(pattern, instead):
    between = r"(?:-|\s+(?:(?://[/!]?|\#|\*)\s*)?)"
    return re.compile(rf"\b{pattern.replace(' ', between)}(?![a-z])", re.IGNORECASE), lambda _: instead


def british_rule(part, american):
    return re.compile(rf"\w*{part}\w*", re.IGNORECASE), lambda word: re.sub(part, american, word.lower())


REPLACED_RULES = [replaced_rule(*rule) for rule in REPLACED.items()]
BRITISH_RULES = [british_rule(*rule) for rule in BRITISH.items()]


def blank(pattern, text, instead=""):
    """The text with every match replaced, and with as many lines as before."""
    return re.sub(pattern, lambda match: instead + "\n" * match[0].count("\n"), text, flags=re.DOTALL)


def without_generated(text):
    """A page without the parts that `./dev readme` fills from examples/, which is checked itself, and from results/."""
    return blank(r"<!-- (code|table|columns|sums): .*?<!-- end -->", text)


def markdown_prose(text):
    """A page without comments, code blocks, and addresses of links."""
    text = blank(r"<!--.*?-->", text)
    text = blank(r"(?m:^)[ ]*(```|~~~).*?\n[ ]*\1[^\n]*", text)
    return re.sub(r"\]\([^)]*\)", "]", text)


def doc_comments(text):
    """A header with its doc comments alone; one behind a declaration is an item of its own."""
    comments = (re.search(r"^(.*?)///<? ?(.*)", line) for line in text.split("\n"))
    return "\n".join(("* " if comment[1].strip() else "") + comment[2] if comment else "" for comment in comments)


def blocks(text):
    """Paragraphs, list items, headings and cells of tables, each with the line on which it begins. Leaves out code that is
    indented by four or more; in a list that much indentation continues an item."""
    block, begin, in_list = [], 0, False
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        is_item = bool(re.match(r"([*+-]|\d+\.|@\w+)\s", stripped))
        is_code = indent >= 4 and not in_list and not is_item
        is_apart = not stripped or stripped[0] in "|#" or is_code
        if block and (is_apart or is_item):
            yield begin, "\n".join(block)
            block = []
        in_list = is_item or (in_list and (bool(block) or not stripped or indent >= 2))
        if not is_apart:
            begin = begin if block else number
            block.append(stripped)
        elif not is_code:
            yield from ((number, cell) for cell in stripped.split("|"))


def sentences(text):
    """The sentences of a block, each with the number of line breaks before it."""
    text = blank(CODE, text, "code")
    begin = 0
    for end in [*re.finditer(r"(?<![.\s])[.!?][\"')\]*_]*(?=\s)", text), None]:
        sentence = text[begin : end.end() if end else None]
        leading = len(sentence) - len(sentence.lstrip())
        yield text.count("\n", 0, begin + leading), sentence
        begin += len(sentence)


def long_sentences(text):
    for begin, block in blocks(text):
        for line_breaks, sentence in sentences(block):
            words = re.findall(r"\S*\w\S*", sentence)
            if len(words) > MAX_WORDS:
                yield begin + line_breaks, (f"the sentence '{' '.join(words[:6])} ...' has {len(words)} words: "
                                            f"up to {MAX_WORDS} are accepted, so write two")


def matches(rules, text):
    """Each word that a rule replaces, with what to write instead: a pair of a line's number and a message."""
    for pattern, instead in rules:
        for match in pattern.finditer(text):
            found = " ".join(match[0].split())
            yield text.count("\n", 0, match.start()) + 1, f"'{found}' is replaced: write '{instead(match[0])}'"


def findings(name, text):
    """What is wrong in a file, as pairs of a line's number and a message."""
    is_page = name.endswith(".md")
    text = without_generated(text) if is_page else text
    found = list(matches(REPLACED_RULES, text))
    if is_page:
        prose = markdown_prose(text)
        return sorted(found + [*matches(BRITISH_RULES, blank(CODE, prose)), *long_sentences(prose)])
    found += matches(BRITISH_RULES, text)
    if name.startswith("include/"):
        found += long_sentences(doc_comments(text))
    return sorted(found)


def files():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, check=True).stdout.decode()
    return [name for name in listed.split("\0") if name and not name.startswith(LEFT_OUT) and (ROOT / name).is_file()]


def main():
    failed = False
    for name in files():
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:  # not a text
            continue
        for line, message in findings(name, text):
            print(f"{name}:{line}: {message}")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
