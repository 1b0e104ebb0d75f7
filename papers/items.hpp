#pragma once

#include <string>
#include <vector>

/// The statements and results of a paper, each with the commands that reproduce it: papers/PAPER/items.json in the data
/// folder.
namespace warpfold::papers {

/// An algorithm, a lemma or theorem, a table, a figure or a worked example.
struct Item {
  std::string name;                      ///< the paper's name for it: "Theorem 1"
  std::string section;                   ///< the section in which the paper has it
  std::string says;                      ///< its content in a sentence
  std::string printed;                   ///< what the paper prints, in short
  std::vector<std::string> experiments;  ///< ids
  std::vector<std::string> examples;     ///< ids
  std::vector<std::string> runs;         ///< "machine run ..", without the program's name
  std::vector<int> errata;               ///< numbers in docs/explanation/errata.md
  std::string nothing_to_run;            ///< why no command reproduces it: "a picture"; empty if one does
};

/// The commands that reproduce it, without the program's name.
[[nodiscard]] std::vector<std::string> commands_of(const Item& item);

/// The algorithms that its runs name, each once: "stride" of "machine run stride ..".
[[nodiscard]] std::vector<std::string> algorithms_of(const Item& item);

struct PaperItems {
  std::string id;     ///< the folder's name
  std::string paper;  ///< authors, title and year
  std::vector<Item> items;
};

/// The items of one paper. Raises Error{usage} with the accepted names for an unknown `id`.
[[nodiscard]] PaperItems items_of(const std::string& id);

/// The items of every paper that has experiments. Raises Error{input} that names the file and the item, if an item is
/// damaged, has no command, or names an experiment, an example or an erratum that does not exist.
[[nodiscard]] std::vector<PaperItems> all_items();

/// A paragraph of docs/explanation/errata.md, or the content of a ```console block.
struct Block {
  std::string text;
  bool is_console = false;
};

struct Erratum {
  int number = 0;
  std::string title;
  std::vector<Block> blocks;
};

[[nodiscard]] std::vector<Erratum> all_errata();

}  // namespace warpfold::papers
