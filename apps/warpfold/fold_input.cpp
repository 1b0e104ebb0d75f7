#include "fold_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/quantity.hpp"
#include "io/content.hpp"
#include "io/printable.hpp"
#include "rna/constraint.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

using formats::RnaRecord;

namespace {

/// The most records of a block, however short.
constexpr std::size_t max_records = std::size_t{1} << 17;

}  // namespace

bool is_dropped(const RnaRecord& record) { return !record.error.empty(); }

void drop(RnaRecord& record, const std::string& reason) {
  if (!is_dropped(record)) record.error = reason;
  record.sequence = rna::Sequence("");
}

std::string label(const FoldBlock& block, std::size_t t) {
  const std::string& name = block.records[t].name;
  return name.empty() ? fmt::format("sequence {}", block.first + t + 1)
                      : fmt::format("record '{}'", io::printable(name));
}

std::size_t total_bases(const std::vector<RnaRecord>& records) {
  std::size_t total = 0;
  for (const RnaRecord& record : records) total += record.sequence.size();
  return total;
}

FoldInput::FoldInput(formats::RnaBlocks records, const std::string& constraints, bool keep_going)
    : blocks_(std::move(records)), keeps_going_(keep_going) {
  if (!constraints.empty()) constraints_.emplace(constraints, io::content_of(constraints));
}

FoldBlock FoldInput::next(std::size_t bases) {
  FoldBlock block{.first = records_read_};
  if (records_read_ == 0) append_records(block, {.sequences = 2});
  block.is_only = block.records.size() == 1;
  if (!is_ended_) append_records(block, {.sequences = max_records, .symbols = bases});
  if (constraints_) read_constraints(block);
  return block;
}

std::size_t FoldInput::count_records() {
  while (!is_ended_) {
    FoldBlock counted;
    append_records(counted, {.sequences = max_records, .symbols = max_records});
  }
  return records_read_;
}

void FoldInput::append_records(FoldBlock& block, const formats::BlockLimits& limits) {
  std::vector<RnaRecord> more = blocks_(limits);
  is_ended_ = !limits.are_reached(more.size(), total_bases(more));
  records_read_ += more.size();
  std::ranges::move(more, std::back_inserter(block.records));
}

void FoldInput::read_constraints(FoldBlock& block) {
  for (RnaRecord& record : block.records) {
    const auto take = [&](std::string_view line) {
      block.constraints.emplace_back(line);
      check_constraint(record, line);
    };
    if (!visit_constraint(take)) break;
  }
  const auto ignore = [](std::string_view) {};
  const bool is_complete = block.constraints.size() == block.records.size();
  if (is_complete && !(is_ended_ && visit_constraint(ignore))) return;
  while (visit_constraint(ignore)) {
  }
  throw Error(ErrorKind::input,
              fmt::format("{}: has {} for {}: a line for each is accepted", constraints_->path(),
                          quantity(constraints_read_, "constraint"), quantity(count_records(), "sequence")));
}

void FoldInput::check_constraint(RnaRecord& record, std::string_view constraint) const {
  if (is_dropped(record)) return;
  try {
    rna::Constraint(record.sequence, constraint);
  } catch (const Error& error) {
    if (!keeps_going_) throw;
    drop(record, fmt::format("{}:{}: {}", constraints_->path(), constraints_->number(), error.what()));
  }
}

bool FoldInput::visit_constraint(const std::function<void(std::string_view)>& visit) {
  bool is_found = false;
  const auto read = [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_header = line.size() > 1 && line[0] == '>' && line.find_first_not_of(".x|<>()") != line.npos;
    if (line.empty() || is_header) return;
    is_found = true;
    visit(line);
  };
  while (!is_found && constraints_->visit_next(read)) {
  }
  if (is_found) ++constraints_read_;
  return is_found;
}

}  // namespace warpfold::app
