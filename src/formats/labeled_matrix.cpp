#include "formats/labeled_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/edge_length.hpp"
#include "formats/separated.hpp"
#include "formats/vertex_names.hpp"

namespace warpfold::formats {

namespace {

/// The labels of the columns, and what separates them.
struct Labels {
  Separator separator;
  std::vector<std::string> names;
};

/// Whether a word may be an entry: a number, an empty word, or a missing value.
bool is_entry(Separator separator, std::string_view word) {
  return word.empty() || io::lower(word) == "inf" || LengthReader(separator).accepts(word);
}

/// The labels by one separator, if the first two lines are those of a matrix. The corner above the labels of the rows
/// is empty or a name. R leaves it out.
std::optional<Labels> labels_of(Splitter& splitter, std::string_view header, std::string_view line) {
  const Words& words = splitter.split(header);
  Labels labels{splitter.separator(), {words.begin(), words.end()}};
  const std::size_t width = splitter.split(line).size();
  if (labels.names.size() < 2) return std::nullopt;
  const std::string& corner = labels.names[0];
  if (id_of(corner) || (!corner.empty() && labels.names.size() < 3)) return std::nullopt;
  if (width != labels.names.size() + 1) labels.names.erase(labels.names.begin());
  return labels;
}

/// Whether a row has its label and entries.
bool is_row(Splitter& splitter, const std::string& label, std::string_view line) {
  const Words& words = splitter.split(line);
  return !words.empty() && words[0] == label && std::all_of(words.begin() + 1, words.end(), [&](std::string_view word) {
    return is_entry(splitter.separator(), word);
  });
}

/// The labels by one separator, if the content is a matrix.
std::optional<Labels> labels_by(Separator separator, std::string_view content) try {
  Splitter splitter(separator);
  const auto begin = data_lines(content, 2);
  if (begin.size() < 2) return std::nullopt;
  auto labels = labels_of(splitter, begin[0], begin[1]);
  if (!labels || !is_row(splitter, labels->names[0], begin[1])) return std::nullopt;
  const std::size_t n = labels->names.size();
  const auto lines = data_lines(content, n + 2);
  if (lines.size() != n + 1) return std::nullopt;
  for (std::size_t at = 0; at < n; ++at) {
    if (!is_row(splitter, labels->names[at], lines[at + 1])) return std::nullopt;
  }
  return labels;
} catch (const Error&) {  // of quotes: another separator may read the line
  return std::nullopt;
}

std::optional<Labels> find_labels(std::string_view content) {
  for (const Separator separator : separators) {
    if (auto labels = labels_by(separator, content)) return labels;
  }
  return std::nullopt;
}

/// Reads the rows of a matrix whose labels are known.
class MatrixReader {
 public:
  MatrixReader(Labels labels, const EdgeListOptions& options)
      : labels_(std::move(labels)), options_(options), splitter_(labels_.separator), lengths_(labels_.separator) {}

  void read_row(std::string_view line) {
    const Words& words = splitter_.split(line);
    if (words.size() > labels_.names.size() + 1) reject_word(line, "has more entries than there are labels");
    for (std::size_t column = 0; column + 1 < words.size(); ++column) read_entry(column, words[column + 1]);
    ++row_;
  }

  [[nodiscard]] Graph graph() {
    graph_.vertices = labels_.names.size();
    for (std::size_t at = 0; at < graph_.vertices; ++at) {
      if (labels_.names[at] != std::to_string(at)) graph_.names = labels_.names;
    }
    return std::move(graph_);
  }

 private:
  void read_entry(std::size_t column, std::string_view word) {
    if (word.empty() || io::lower(word) == "nan" || io::lower(word) == "inf") return;
    const io::Number length = lengths_.read(word);
    if (length.real == 0) {
      if (row_ == column) return;
      if (!options_.knows_no_edge) {
        reject_word(
            word,
            fmt::format("is the entry from {} to {}: --no-edge 0, or --no-edge inf if it is a length, is accepted",
                        labels_.names[row_], labels_.names[column]));
      }
    }
    graph_.edges.push_back({static_cast<std::uint32_t>(row_), static_cast<std::uint32_t>(column)});
    graph_.lengths.add(length);
  }

  Labels labels_;
  const EdgeListOptions& options_;
  Splitter splitter_;
  LengthReader lengths_;
  std::size_t row_ = 0;
  Graph graph_;
};

void check_distinct(const std::string& path, const std::vector<std::string>& labels) {
  VertexNames names;
  for (const std::string& label : labels) names.vertex(label);
  if (names.size() == labels.size()) return;
  throw Error(ErrorKind::input, path + ": has a label twice: distinct labels are accepted");
}

}  // namespace

std::optional<Graph> parse_labeled_matrix(const std::string& path, std::string_view content,
                                          const EdgeListOptions& options) {
  auto labels = find_labels(content);
  if (!labels || options.header == false || !options.columns.empty()) return std::nullopt;
  check_distinct(path, labels->names);
  MatrixReader reader(std::move(*labels), options);
  bool is_first = true;
  io::each_line(path, content, [&](std::string_view line) {
    if (!is_comment(line) && !std::exchange(is_first, false)) reader.read_row(line);
  });
  return reader.graph();
}

}  // namespace warpfold::formats
