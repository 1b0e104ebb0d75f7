#include "warpfold/formats/patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

using sequence::Edit;
using sequence::Run;
using sequence::Script;

namespace {

constexpr std::string_view no_newline = "\\ No newline at end of file";

/// Neighboring changes: lines [begin_a, end_a) of A become lines [begin_b, end_b) of B.
struct Change {
  std::size_t begin_a, end_a, begin_b, end_b;
};

std::vector<Change> changes_of(const Script& script) {
  std::vector<Change> changes;
  std::size_t i = 0, j = 0;
  for (const Run& run : script.runs()) {
    if (run.edit != Edit::match && (changes.empty() || changes.back().end_a != i || changes.back().end_b != j)) {
      changes.push_back({i, i, j, j});
    }
    if (run.edit != Edit::insertion) i += run.length;
    if (run.edit != Edit::deletion) j += run.length;
    if (run.edit != Edit::match) {
      changes.back().end_a = i;
      changes.back().end_b = j;
    }
  }
  return changes;
}

/// A file's name as `patch` reads it: in quotes if it has other characters than printable ASCII.
std::string header_name(const std::string& name) {
  const bool is_plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (is_plain) return name.find(' ') == std::string::npos ? name : name + '\t';
  std::string quoted = "\"";
  for (const char c : name) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return quoted + '"';
}

/// The lines of a hunk in one file, as its header states them. An empty range names the line before it.
std::string range(std::size_t begin, std::size_t end) {
  const std::size_t first = begin == end ? begin : begin + 1;
  return end - begin == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, end - begin);
}

class DiffWriter {
 public:
  DiffWriter(const SymbolSequence& a, const SymbolSequence& b, std::size_t context) : a_(a), b_(b), context_(context) {}

  /// Writes the changes [first, last) as one hunk.
  void add_hunk(const Change* first, const Change* last) {
    const std::size_t before = std::min(context_, first->begin_a);
    const std::size_t after = std::min(context_, a_.size() - last[-1].end_a);
    text_ += fmt::format("@@ -{} +{} @@\n", range(first->begin_a - before, last[-1].end_a + after),
                         range(first->begin_b - before, last[-1].end_b + after));
    std::size_t i = first->begin_a - before;
    for (const Change* change = first; change != last; ++change) {
      add_lines(' ', a_, i, change->begin_a);
      add_lines('-', a_, change->begin_a, change->end_a);
      add_lines('+', b_, change->begin_b, change->end_b);
      i = change->end_a;
    }
    add_lines(' ', a_, i, i + after);
  }

  [[nodiscard]] std::string& text() { return text_; }

 private:
  void add_lines(char sign, const SymbolSequence& lines, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      text_ += sign;
      text_ += lines.piece(i);
      if (!lines.piece(i).ends_with('\n')) text_ += fmt::format("\n{}\n", no_newline);
    }
  }

  const SymbolSequence& a_;
  const SymbolSequence& b_;
  std::size_t context_;
  std::string text_;
};

[[noreturn]] void reject(const std::string& what) { throw Error(ErrorKind::input, what); }

/// Applies the hunks of a patch to a text, line by line.
class Patcher {
 public:
  explicit Patcher(std::string_view text) : rest_(text) {}

  void read(std::string_view line) {
    if (line.starts_with(no_newline.substr(0, 2))) return drop_newline();
    if (old_lines_ > 0 || new_lines_ > 0) return add_line(line);
    if (line.starts_with("@@ ")) return begin_hunk(line);
    if (has_hunk_ && line.starts_with("--- ")) reject("a second file begins: a patch of one file is accepted");
    if (has_hunk_)
      reject(fmt::format("'{}' is no hunk: '@@ -LINE,COUNT +LINE,COUNT @@' is accepted", io::printable(line)));
  }

  Patched finish() {
    if (old_lines_ > 0 || new_lines_ > 0) {
      reject(fmt::format("the last hunk ends early: {} and {} more lines are accepted", old_lines_, new_lines_));
    }
    while (!rest_.empty()) keep_line();
    return std::move(done_);
  }

 private:
  std::string_view take() {
    const std::size_t size = std::min(rest_.find('\n'), rest_.size() - 1) + 1;
    const std::string_view line = rest_.substr(0, size);
    rest_.remove_prefix(size);
    ++taken_;
    return line;
  }
  void keep_line() { done_.text += take(); }

  static std::size_t take_number(std::string_view& text) {
    const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
    const io::Number number = io::parse_number(text.substr(0, size));
    if (number.exact > io::Integer{1} << 62) reject(fmt::format("line {} is beyond every file", text.substr(0, size)));
    text.remove_prefix(size);
    return static_cast<std::size_t>(number.exact);
  }
  /// Reads "LINE" or "LINE,COUNT" after a sign.
  static std::pair<std::size_t, std::size_t> take_range(std::string_view& text, std::string_view sign) {
    if (!text.starts_with(sign)) reject("a hunk's header '@@ -LINE,COUNT +LINE,COUNT @@' is accepted");
    text.remove_prefix(sign.size());
    const std::size_t line = take_number(text);
    if (!text.starts_with(',')) return {line, 1};
    text.remove_prefix(1);
    return {line, take_number(text)};
  }

  void begin_hunk(std::string_view line) {
    has_hunk_ = true;
    std::string_view text = line;
    const auto [first, old_lines] = take_range(text, "@@ -");
    new_lines_ = take_range(text, " +").second;
    old_lines_ = old_lines;
    if (!text.starts_with(" @@")) reject("a hunk's header '@@ -LINE,COUNT +LINE,COUNT @@' is accepted");
    const std::size_t before = old_lines == 0 || first == 0 ? first : first - 1;
    if (before < taken_)
      reject(fmt::format("line {} comes before the end of the hunk before: hunks in order are accepted", first));
    while (taken_ < before && !rest_.empty()) keep_line();
    if (taken_ < before) reject(fmt::format("the hunk begins at line {}: the text has {} lines", first, taken_));
  }

  void add_line(std::string_view line) {
    const char sign = line.empty() ? ' ' : line.front();  // some programs drop the blank of an empty line
    const std::string text = std::string(line.substr(line.empty() ? 0 : 1)) + '\n';
    if (sign != ' ' && sign != '-' && sign != '+') {
      reject(fmt::format("'{}' begins with none of ' ', '-' and '+'", io::printable(line)));
    }
    if (sign != '+') take_old(text);
    if (sign != '-') add_new(text);
    done_.deletions += sign == '-' ? 1 : 0;
    done_.insertions += sign == '+' ? 1 : 0;
    last_sign_ = sign;
  }
  void take_old(const std::string& line) {
    if (old_lines_ == 0 || rest_.empty()) reject("the hunk deletes or keeps more lines than there are");
    --old_lines_;
    const std::string_view found = take();
    is_open_ = !found.ends_with('\n');
    if (found != std::string_view(line).substr(0, found.ends_with('\n') ? line.size() : line.size() - 1)) {
      reject(fmt::format("line {} of the text is '{}', the patch expects '{}'", taken_, io::printable(found),
                         io::printable(std::string_view(line).substr(0, line.size() - 1))));
    }
  }
  void add_new(const std::string& line) {
    if (new_lines_ == 0) reject("the hunk inserts or keeps more lines than its header states");
    --new_lines_;
    done_.text += line;
  }
  void drop_newline() {
    if (last_sign_ != '+' && !is_open_) reject(fmt::format("line {} of the text ends in a newline", taken_));
    if (last_sign_ != '-' && done_.text.ends_with('\n')) done_.text.pop_back();
  }

  std::string_view rest_;
  std::size_t taken_ = 0, old_lines_ = 0, new_lines_ = 0;
  char last_sign_ = '-';
  bool is_open_ = false, has_hunk_ = false;
  Patched done_;
};

}  // namespace

std::string unified_diff(const SymbolSequence& a, const SymbolSequence& b, const Script& script,
                         const std::string& name_a, const std::string& name_b, std::size_t context) {
  const std::vector<Change> changes = changes_of(script);
  if (changes.empty()) return "";
  DiffWriter writer(a, b, context);
  writer.text() = fmt::format("--- {}\n+++ {}\n", header_name(name_a), header_name(name_b));
  const Change* const end = changes.data() + changes.size();
  for (const Change* first = changes.data(); first != end;) {
    const Change* last = first + 1;
    while (last != end && last->begin_a - last[-1].end_a <= 2 * context) ++last;
    writer.add_hunk(first, last);
    first = last;
  }
  return std::move(writer.text());
}

Patched apply_patch(const std::string& path, std::string_view patch, std::string_view text) {
  Patcher patcher(text);
  std::size_t number = 0;
  try {
    while (!patch.empty()) {
      ++number;
      patcher.read(io::take_line(patch, '\n'));
    }
    return patcher.finish();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}:{}: {}", path, number, error.what()));
  }
}

}  // namespace warpfold::formats
