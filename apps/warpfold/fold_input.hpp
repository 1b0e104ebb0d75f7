#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/rna_blocks.hpp"
#include "io/lines.hpp"

/// The sequences of `fold`, read block by block.
namespace warpfold::app {

/// Sequences that are folded at a time.
struct FoldBlock {
  std::size_t first = 0;  ///< the number of sequences before them
  std::vector<formats::RnaRecord> records = {};
  std::vector<std::string> constraints = {};  ///< none, or one for each record
  bool is_only = false;                       ///< the only sequence of all is in it
};

/// Whether a record has an error instead of results.
[[nodiscard]] bool is_dropped(const formats::RnaRecord& record);
/// Gives up a record, for the first reason that there is.
void drop(formats::RnaRecord& record, const std::string& reason);

/// What a message calls a record.
[[nodiscard]] std::string label(const FoldBlock& block, std::size_t t);
[[nodiscard]] std::size_t total_bases(const std::vector<formats::RnaRecord>& records);

/// Reads sequences and a file of constraints, which has a line for each sequence besides headers and empty lines.
class FoldInput {
 public:
  /// `constraints`: the file, or empty. A record with a wrong constraint is dropped if `keep_going`, else an error.
  FoldInput(formats::RnaBlocks records, const std::string& constraints, bool keep_going);

  /// Reads the next block: up to the sequence by which it has so many bases, but two sequences at first. No record is
  /// in it after the last one. Raises Error{input} for what the readers reject, and for another number of constraints
  /// than of sequences.
  [[nodiscard]] FoldBlock next(std::size_t bases);

  /// The number of all sequences, which are read to the end.
  [[nodiscard]] std::size_t count_records();

 private:
  void append_records(FoldBlock& block, const formats::BlockLimits& limits);
  void read_constraints(FoldBlock& block);
  void check_constraint(formats::RnaRecord& record, std::string_view constraint) const;
  /// Visits the next constraint. Returns false at the end of the file.
  bool visit_constraint(const std::function<void(std::string_view)>& visit);

  formats::RnaBlocks blocks_;
  std::optional<io::LineReader> constraints_ = {};
  bool keeps_going_;
  bool is_ended_ = false;  ///< all records are read
  std::size_t records_read_ = 0, constraints_read_ = 0;
};

}  // namespace warpfold::app
