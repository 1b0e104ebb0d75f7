#!/usr/bin/env python3
"""What prose.py refuses and what it lets pass."""

import unittest

import prose

LONG = "word " * prose.MAX_WORDS + "end."


def messages(text, name="docs/page.md"):
    return [f"{line}: {message}" for line, message in prose.findings(name, text)]


class ReplacedWords(unittest.TestCase):
    def test_are_named_with_their_line_and_what_to_write(self):
        self.assertEqual(messages("int a;\nint most_bytes = 1;\n", "src/a.cpp"),
                         ["2: 'most_bytes' is replaced: write 'max_memory'"])

    def test_are_found_in_every_form(self):
        for text in ("whole number", "Whole-numbers", "whole\nnumbers", "/// whole\n/// number", "# whole\n# numbers"):
            self.assertEqual(len(messages(text, "src/a.hpp")), 1, text)

    def test_are_no_parts_of_other_words(self):
        self.assertEqual(messages("a whole numbering; Watches; the watch; housekeeper", "src/a.hpp"), [])

    def test_are_each_found(self):
        words = """whole-number most_bytes passed_over named_only own_backends OwnProblem Watch Ticker TableKeeper TileRun
            TileWork look_beside give_way UnlikeOurs find_flaw_in miscounted middle-vertex takes_least_ ProvenMinPlus spans_gpus tell_end
            there_and_back table_that_matters enough_to_probe""".split()
        self.assertEqual(len(words), len(prose.REPLACED))
        for word in words:
            self.assertEqual(len(messages(word, "src/a.cpp")), 1, word)


    def test_are_accepted_in_parts_that_are_generated(self):
        self.assertEqual(messages("<!-- columns: results/a.json -->\nmost_bytes\n<!-- end -->"), [])
        self.assertEqual(len(messages("<!-- a note -->\nmost_bytes\n<!-- end -->")), 1)


class BritishSpelling(unittest.TestCase):
    def test_is_refused_in_pages(self):
        self.assertEqual(messages("A Colour\nis initialised."),
                         ["1: 'Colour' is replaced: write 'color'", "2: 'initialised' is replaced: write 'initialized'"])

    def test_is_refused_in_sources(self):
        for word in ("colour", "Colouring", "recognise", "utilisation", "neighbour", "behaviour", "centre", "optimise",
                     "initialise", "serialise", "summarised", "licence"):
            self.assertEqual(len(messages(f"int {word}_of;\n", "src/a.cpp")), 1, word)

    def test_is_accepted_in_code_of_pages(self):
        self.assertEqual(messages("`colour_edges`, ``a `colour` ``\n\n```\ncolour\n```\n\n[plan](colouring.md)"), [])


class LongSentences(unittest.TestCase):
    def test_are_named_with_the_line_on_which_they_begin(self):
        self.assertEqual(messages(f"# Title\n\nShort.\n{LONG}\n"),
                         ["4: the sentence 'word word word word word word ...' has 46 words: up to 45 are accepted, so write two"])

    def test_may_have_as_many_words_as_are_accepted(self):
        self.assertEqual(messages(LONG.removeprefix("word ")), [])

    def test_are_found_where_they_stand(self):
        for text in (f"* {LONG}", f"1. One.\n2. {LONG}", f"| a | {LONG} |", LONG.replace("word word", "word\nword"), f"# {LONG}",
                     f"* one\n\n  {LONG}", f"* one\n  * two\n      {LONG}"):
            self.assertEqual(len(messages(text)), 1, text)

    def test_are_found_in_doc_comments_alone(self):
        self.assertEqual(len(messages(f"/// {LONG}\nint a;  ///< {LONG}\n", "include/warpfold/a.hpp")), 2)
        self.assertEqual(messages(f"// {LONG}\n", "include/warpfold/a.hpp"), [])
        self.assertEqual(messages(f"/// {LONG}\n", "src/a.hpp"), [])

    def test_end_with_a_paragraph_an_item_or_a_declaration(self):
        half = LONG[: len(LONG) // 2]
        for text in (f"{half}\n\n{half}", f"* {half}\n* {half}", f"| {half} | {half} |", f"{half}. {half}"):
            self.assertEqual(messages(text), [], text)
        for text in (f"/// {half}\nint a;\n/// {half}\n", f"int a;  ///< {half}\nint b;  ///< {half}\n"):
            self.assertEqual(messages(text, "include/warpfold/a.hpp"), [], text)

    def test_are_no_code_and_nothing_generated(self):
        for text in (f"```\n{LONG}\n```", f"    {LONG}", f"`{LONG}`", f"<!-- table: a -->\n{LONG}\n<!-- end -->",
                     f"[text]({LONG.replace(' ', '/')})", "2 .. 8 " + LONG.removeprefix("word word word ")):
            self.assertEqual(messages(text), [], text)


if __name__ == "__main__":
    unittest.main()
