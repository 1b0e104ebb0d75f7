#pragma once

#include <string>
#include <vector>

/// What a paper states and computes, item by item, and what answers each: papers/PAPER/items.json in the data folder.
namespace warpfold::papers {

/// An algorithm, a lemma or theorem, a table, a figure or a worked example.
struct Item {
  std::string name;                      ///< as the paper calls it: "Theorem 1"
  std::string section;                   ///< where it stands
  std::string says;                      ///< what it is about
  std::string printed;                   ///< what the paper prints of it, briefly
  std::vector<std::string> experiments;  ///< ids
  std::vector<std::string> examples;     ///< ids
  std::vector<std::string> runs;         ///< "machine run ..", without the program's name
  std::vector<int> errata;               ///< numbers in docs/explanation/errata.md
  std::string nothing_to_run;            ///< why no command answers it: "a picture"; empty: one does
};

/// The commands that answer it, without the program's name.
[[nodiscard]] std::vector<std::string> commands_of(const Item& item);

struct PaperItems {
  std::string id;     ///< the folder's name
  std::string paper;  ///< authors, title and year
  std::vector<Item> items;
};

/// Those of one paper. Raises Error{usage} with the accepted names for an unknown `id`.
[[nodiscard]] PaperItems items_of(const std::string& id);

/// Of every paper that has experiments. Raises Error{input} that names the file and the item where one is damaged, has
/// nothing that answers it, or names an experiment, an example or an erratum that there is not.
[[nodiscard]] std::vector<PaperItems> all_items();

/// A paragraph of docs/explanation/errata.md, or what a ```console block shows.
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
