#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "formats/edge_layout.hpp"
#include "formats/edge_length.hpp"
#include "formats/foreign_graph.hpp"
#include "formats/labeled_matrix.hpp"
#include "formats/numbered_edges.hpp"
#include "formats/vertex_names.hpp"
#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {

namespace {

/// Removes a plain id and the separator after it from a line.
std::optional<std::uint64_t> take_id(std::string_view& line, char separator) {
  const auto id = take_plain_integer(line);
  if (!id || !line.starts_with(separator)) return std::nullopt;
  line.remove_prefix(1);
  return id;
}

/// The number of lines, to reserve memory for as many edges. Lines shorter than `0,1,2` are not counted on.
std::size_t likely_edges(std::string_view content) {
  constexpr std::size_t shortest_line = 6;
  const auto lines = static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n'));
  return std::min(lines, content.size() / shortest_line) + 1;
}

/// Reads the lines of an edge list.
class EdgeReader {
 public:
  EdgeReader(const std::string& path, std::string_view content, const EdgeLayout& layout)
      : path_(path),
        content_(content),
        layout_(layout),
        splitter_(layout.separator),
        length_reader_(layout.separator, layout.accepts_nan) {}

  /// Reads edges whose vertices are integers. Returns whether all are.
  bool read_numbered(Graph& graph, NumberedEdges& edges) {
    const EdgeColumns usual;
    const bool may_be_plain = layout_.columns.from == usual.from && layout_.columns.to == usual.to &&
                              layout_.columns.length == usual.length && !layout_.columns.type && !layout_.is_symmetric;
    bool are_ids = true;
    const std::size_t lines = likely_edges(content_);
    edges.reserve(lines);
    graph.lengths.integers.reserve(lines);
    each_edge([&](std::string_view line) {
      if (!are_ids || (may_be_plain && add_plain(graph, edges, line))) return;
      const Words& words = words_of(line);
      const auto from = id_of(words[layout_.columns.from]);
      const auto to = id_of(words[layout_.columns.to]);
      are_ids = from && to;
      if (are_ids) add(graph, words, [&](bool forward) { forward ? edges.add(*from, *to) : edges.add(*to, *from); });
    });
    return are_ids;
  }

  /// Reads edges whose vertices have names.
  void read_named(Graph& graph) {
    VertexNames names;
    NameQueue ends;  // two for each edge
    const auto add_edges = [&] {
      const std::span<const std::uint32_t> vertices = ends.look_up(names);
      for (std::size_t i = 0; i < vertices.size(); i += 2) graph.edges.push_back({vertices[i], vertices[i + 1]});
    };
    const auto read = [&](std::string_view line) {
      const Words& words = words_of(line);
      const std::string_view from = name_in(words, layout_.columns.from), to = name_in(words, layout_.columns.to);
      add(graph, words, [&](bool forward) {
        ends.add(forward ? from : to);
        ends.add(forward ? to : from);
      });
      if (ends.is_full() || splitter_.has_buffers()) add_edges();
    };
    each_edge(read, [&](std::string_view comment) { check_comment(comment); });
    add_edges();
    graph.names = names.take();
    graph.vertices = graph.names.size();
  }

 private:
  /// Calls visit(line) for every line that is neither a header nor a comment, and visit_comment(line) for comments.
  template <class Visit, class VisitComment>
  void each_edge(const Visit& visit, const VisitComment& visit_comment) {
    bool is_header = layout_.has_header;
    io::each_line(path_, content_, [&](std::string_view line) {
      if (is_comment(line)) return visit_comment(line);
      if (!std::exchange(is_header, false)) visit(line);
    });
  }
  template <class Visit>
  void each_edge(const Visit& visit) {
    each_edge(visit, [](std::string_view) {});
  }

  /// Adds the edge of a line `12,34,5`: two integers and a number, without quotes, comments and further columns. Nearly
  /// all lines of large files are like that. Returns whether this one is.
  bool add_plain(Graph& graph, NumberedEdges& edges, std::string_view line) {
    const auto separator = static_cast<char>(layout_.separator);
    const auto from = take_id(line, separator);
    const auto to = from ? take_id(line, separator) : std::nullopt;
    if (!to) return false;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto length = length_reader_.read_plain(line);
    if (!length) return false;
    edges.add(*from, *to);
    graph.lengths.add(*length);
    return true;
  }

  /// Rejects a comment that reads as an edge of a vertex whose name begins with #.
  void check_comment(std::string_view line) {
    if (!line.starts_with('#') || line.substr(1).find_first_not_of(" \t#") != 0 || !layout_.columns.length) return;
    if (!is_edge(line)) return;
    reject_word(line,
                "is an edge or a comment: a name that begins with # in quotes, or a blank after the # of a comment, is "
                "accepted");
  }

  /// Whether a line has as many words as an edge, and a number as length.
  bool is_edge(std::string_view line) try {
    const Words& words = splitter_.split(line);
    return layout_.columns.fit(words) && length_reader_.accepts(words[*layout_.columns.length]);
  } catch (const Error&) {  // an error of quotes
    return false;
  }

  const Words& words_of(std::string_view line) {
    const Words& words = splitter_.split(line);
    if (layout_.columns.fit(words)) return words;
    reject_word(line,
                words.size() > layout_.columns.max_words
                    ? "is no edge: 'from,to,length' or 'from to length' is accepted, and other columns with --columns"
                    : "is no edge: 'from,to,length' or 'from to length' is accepted");
  }

  [[nodiscard]] std::string_view name_in(const Words& words, std::size_t column) const {
    splitter_.check_quotes(column);
    check_name(words[column]);
    return words[column];
  }

  /// Adds an edge, or both directions if the file is symmetric.
  template <class Add>
  void add(Graph& graph, const Words& words, const Add& add_edge) {
    const EdgeColumns& columns = layout_.columns;
    const bool is_typed =
        columns.type && *columns.type < words.size() && io::lower(words[*columns.type]) == "undirected";
    const bool is_two = (is_typed || layout_.is_symmetric) && words[columns.from] != words[columns.to];
    const io::Number length = columns.length ? length_reader_.read(words[*columns.length]) : io::Number{true, 1, 1};
    for (int ways = 0; ways < (is_two ? 2 : 1); ++ways) {
      add_edge(ways == 0);
      graph.lengths.add(length);
    }
  }

  const std::string& path_;
  std::string_view content_;
  const EdgeLayout& layout_;
  Splitter splitter_;
  LengthReader length_reader_;
};

/// The words of a first line, if it has two or three integers.
std::optional<AnnouncedSizes> sizes_in(std::string_view line) {
  for (const Separator separator : separators) {
    Splitter splitter(separator);
    const Words& words = splitter.split(line);
    if (words.size() != 2 && words.size() != 3) continue;
    std::vector<std::uint64_t> numbers;
    for (const std::string_view word : words) {
      if (const auto number = is_plain_number(word) ? digits_value(word) : std::nullopt) numbers.push_back(*number);
    }
    if (numbers.size() != words.size() || numbers[0] == 0 || numbers[0] > max_vertices) continue;
    return AnnouncedSizes{numbers[0], numbers[1], numbers.size() == 3 ? std::optional(numbers[2]) : std::nullopt};
  }
  return std::nullopt;
}

/// Whether that many lines follow the first line that is not a comment.
bool has_lines(std::string_view content, std::uint64_t count) {
  content = io::without_mark(content);
  const char end = io::end_of_line(content);
  std::uint64_t lines = 0;
  while (!content.empty() && lines <= count + 1) lines += is_comment(io::take_line(content, end)) ? 0 : 1;
  return lines == count + 1;
}

/// The sizes in the first line. Empty unless as many lines follow.
std::optional<AnnouncedSizes> announced_sizes(std::string_view content, const EdgeListOptions& options) try {
  if (options.header == false || !options.columns.empty()) return std::nullopt;
  const auto first = data_lines(content, 1);
  const auto sizes = first.empty() ? std::nullopt : sizes_in(first.front());
  return sizes && has_lines(content, sizes->edges) ? sizes : std::nullopt;
} catch (const Error&) {  // an error of quotes
  return std::nullopt;
}

/// Raises Error{input} if the line of sizes could be an edge as well.
void check_sizes(const std::string& path, const AnnouncedSizes& sizes, const EdgeLayout& layout,
                 const EdgeListOptions& options) {
  const bool is_edge = sizes.source.has_value() == layout.columns.length.has_value();
  if (options.header || !is_edge) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: the first line, '{} {}{}', is an edge, or the sizes of the graph: --header no, or "
                          "--header yes, is accepted",
                          path, sizes.vertices, sizes.edges, sizes.source ? fmt::format(" {}", *sizes.source) : ""));
}

/// Reads the edges below a line of sizes, if it is one.
std::optional<Graph> parse_sized(const std::string& path, std::string_view content, const EdgeListOptions& options) {
  const auto sizes = announced_sizes(content, options);
  if (!sizes || options.vertices) return std::nullopt;
  EdgeListOptions without_header = options;
  without_header.header = false;
  const EdgeLayout layout = layout_of(path, content, without_header, true);
  Graph graph;
  NumberedEdges edges;
  if (!EdgeReader(path, content, layout).read_numbered(graph, edges) || !edges.fit(*sizes)) return std::nullopt;
  check_sizes(path, *sizes, layout, options);
  edges.move_to(graph, *sizes);
  if (sizes->source) {
    graph.notes.push_back(fmt::format("the first line names the source {}, which is ignored", *sizes->source));
  }
  return graph;
}

/// Raises Error{input} if a vertex has the name of a column in a line that was taken for a header.
void check_header(const std::string& path, const EdgeLayout& layout, const Graph& graph) {
  for (const std::string& name : layout.guessed_header) {
    if (!graph.find(name)) continue;
    throw Error(ErrorKind::input, fmt::format("{}: the first line is a header, or an edge of '{}', which is a vertex: "
                                              "--header yes, or --header no, is accepted",
                                              path, io::printable(name)));
  }
}

/// Rejects a file in which all names are integers and one of them is too large. If other names are no integers, it is a
/// name too.
void check_names(const std::string& path, const std::vector<std::string>& names) {
  if (!std::all_of(names.begin(), names.end(), is_plain_number)) return;
  const auto large = std::find_if(names.begin(), names.end(), [](const std::string& name) { return !id_of(name); });
  if (large == names.end()) return;
  throw Error(ErrorKind::input, fmt::format("{}: '{}' is no vertex: integers below 2^64, or names, are accepted", path,
                                            io::printable(*large)));
}

Graph parse_edges(const std::string& path, std::string_view content, const EdgeLayout& layout,
                  const EdgeListOptions& options) {
  EdgeReader reader(path, content, layout);
  Graph graph;
  NumberedEdges edges;
  if (reader.read_numbered(graph, edges)) {
    if (edges.size() == 0) throw Error(ErrorKind::input, path + ": has no edge: lines 'from,to,length' are accepted");
    options.vertices ? edges.move_to(graph, *options.vertices) : edges.move_to(graph);
    return graph;
  }
  if (options.vertices)
    throw Error(ErrorKind::usage, path + ": has names: --vertices is accepted where vertices are integers");
  graph = {};
  reader.read_named(graph);
  check_names(path, graph.names);
  return graph;
}

}  // namespace

Graph parse_edge_list(const std::string& path, std::string_view content, const EdgeListOptions& options) {
  check_is_edge_list(path, content);
  if (auto matrix = parse_labeled_matrix(path, content, options)) return std::move(*matrix);
  if (auto sized = parse_sized(path, content, options)) return std::move(*sized);
  const EdgeLayout layout = layout_of(path, content, options, false);
  Graph graph = parse_edges(path, content, layout, options);
  check_header(path, layout, graph);
  return graph;
}

Graph parse_edge_list(const std::string& path, std::string_view content) { return parse_edge_list(path, content, {}); }

}  // namespace warpfold::formats
