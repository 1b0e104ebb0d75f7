#include "formats/edge_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>

#include "formats/edge_length.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, why));
}

/// Whether a word is a number, perhaps with a decimal comma, or means a missing number. Columns do not have such names.
bool is_numeric(std::string_view word) try {
  constexpr std::string_view missing[] = {"n/a", "na", "null", "none", "-", "?"};
  if (std::ranges::find(missing, io::lower(word)) != std::end(missing)) return true;
  std::string number(word);
  if (const std::size_t comma = number.find(','); comma != number.npos) number[comma] = '.';
  static_cast<void>(io::parse_real(number));
  return true;
} catch (const Error&) {
  return false;
}

bool is_id(std::string_view word) { return !word.empty() && word.find_first_not_of("0123456789") == word.npos; }

/// The first rows by one separator.
struct Sample {
  Separator separator;
  std::vector<Row> rows;

  [[nodiscard]] const Row& first() const { return rows.front(); }
  [[nodiscard]] std::span<const Row> data() const { return std::span(rows).subspan(1); }
  /// The first row that is certainly not a header, if there is one.
  [[nodiscard]] const Row& second() const { return rows.size() > 1 ? rows[1] : rows[0]; }
  [[nodiscard]] bool is_length(const Row& row, std::size_t column) const {
    return column < row.size() && LengthReader(separator).accepts(row[column]);
  }
};

/// The rows among the first lines that a separator splits into two words or more.
std::optional<Sample> sample_of(Separator separator, std::span<const std::string_view> lines) try {
  Sample sample{separator, {}};
  Splitter splitter(separator);
  for (const std::string_view line : lines) {
    const Words& words = splitter.split(line);
    sample.rows.emplace_back(words.begin(), words.end());
  }
  return sample.first().size() < 2 ? std::nullopt : std::optional(std::move(sample));
} catch (const Error&) {  // of quotes: another separator may read the line
  return std::nullopt;
}

/// Whether a line that has commas is separated by semicolons, with a decimal comma in its last number: "a;b;1,500".
bool ends_in_grouped_digits(const Row& row) {
  const std::size_t at = row[0].rfind(';');
  return at != std::string::npos && is_id(std::string_view(row[0]).substr(at + 1)) && is_id(row[1]);
}

/// Whether no name contains another separator, which would be the more likely one.
bool has_plain_names(Separator separator, const Row& row) {
  if (separator == Separator::comma && ends_in_grouped_digits(row)) return false;
  const std::string_view others = separator == Separator::blank ? ",;" : separator == Separator::tab ? "" : "\t";
  return row[0].find_first_of(others) == std::string::npos && row[1].find_first_of(others) == std::string::npos;
}

bool has_numbers(const Row& row) { return std::any_of(row.begin(), row.end(), is_numeric); }

/// The column that the caller names or numbers.
std::optional<std::size_t> column_asked(const Sample& sample, bool has_header, const std::string& asked) {
  const Row& header = sample.first();
  const auto found = std::find(header.begin(), header.end(), asked);
  if (has_header && found != header.end()) return static_cast<std::size_t>(found - header.begin());
  const auto number = digits_value(asked);
  const bool is_column = number && *number >= 1 && *number <= std::max(header.size(), sample.second().size());
  return is_column ? std::optional<std::size_t>(*number - 1) : std::nullopt;
}

/// Returns the layout of lines of any number of columns, from which the caller chooses some.
std::optional<EdgeLayout> chosen(const Sample& sample, const EdgeListOptions& options) {
  const bool by_number = std::all_of(options.columns.begin(), options.columns.end(), is_id);
  EdgeLayout layout{.separator = sample.separator, .columns = {.length = {}, .max_words = 0}};
  layout.has_header = options.header.value_or(!by_number || (sample.rows.size() > 1 && !has_numbers(sample.first())));
  for (const Row& row : sample.rows) layout.columns.max_words = std::max(layout.columns.max_words, row.size());
  std::vector<std::size_t> places;
  for (const std::string& asked : options.columns) {
    const auto place = column_asked(sample, layout.has_header, asked);
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  layout.columns.from = places[0];
  layout.columns.to = places[1];
  if (places.size() > 2) layout.columns.length = places[2];
  const bool fits = !layout.columns.length || sample.is_length(sample.second(), *layout.columns.length);
  return fits ? std::optional(layout) : std::nullopt;
}

[[noreturn]] void reject_columns(const std::string& path, const std::vector<Sample>& samples,
                                 const EdgeListOptions& options) {
  const Row& header = samples.empty() ? Row() : samples.front().first();
  reject(path, fmt::format("has no columns {} with numbers as lengths: columns of {}, or 1 to {}, are accepted",
                           fmt::join(options.columns, ","), io::printable(fmt::format("{}", fmt::join(header, ","))),
                           header.size()));
}

/// Whether the first of several lines with lengths is a header.
bool looks_like_header(const Sample& sample) { return sample.first().size() > 2 && !has_numbers(sample.first()); }

/// Lines with lengths below a header. That of R has no name for the first column.
std::optional<EdgeLayout> with_header(const std::string& path, const Sample& sample, bool is_guessed) {
  Row header = sample.first();
  const std::size_t width = sample.second().size();
  const bool is_from_r = width == header.size() + 1;
  if (is_from_r) header.insert(header.begin(), "");
  if (width < 2 || width > header.size() || header.size() < 3) return std::nullopt;
  EdgeLayout layout{.separator = sample.separator, .columns = columns_of(path, header), .has_header = true};
  const auto length = layout.columns.length;
  const bool is_named = names_length(header);
  if ((!is_named || is_from_r) && length && !sample.is_length(sample.second(), *length)) return std::nullopt;
  if (!is_named && is_guessed) layout.guessed_header = {header[layout.columns.from], header[layout.columns.to]};
  return layout;
}

/// Lines with lengths.
std::optional<EdgeLayout> weighted(const std::string& path, const Sample& sample, const EdgeListOptions& options) {
  if (options.header.value_or(looks_like_header(sample))) {
    if (auto layout = with_header(path, sample, !options.header)) return layout;
  }
  for (const Row* const row : {&sample.second(), &sample.first()}) {
    const bool fits = row->size() == 3 && sample.is_length(*row, 2) && has_plain_names(sample.separator, *row);
    if (fits) return EdgeLayout{.separator = sample.separator, .has_header = options.header.value_or(false)};
  }
  return std::nullopt;
}

/// Whether the first of lines without lengths names columns.
bool names_two_columns(const Sample& sample) {
  const Row& first = sample.first();
  if (names_ends(first)) return true;
  const auto are_ids = [](const Row& row) { return is_id(row[0]) && is_id(row[1]); };
  return !has_numbers(first) && sample.rows.size() > 1 &&
         std::all_of(sample.data().begin(), sample.data().end(), are_ids);
}

/// Returns the layout of lines without lengths. A number after a name is more likely a length.
std::optional<EdgeLayout> unweighted(const Sample& sample, const EdgeListOptions& options) {
  for (const Row& row : sample.rows) {
    if (row.size() != 2 || !has_plain_names(sample.separator, row)) return std::nullopt;
    if (sample.separator == Separator::comma && row[1].find(';') != std::string::npos) return std::nullopt;
    const bool ends_in_length = is_numeric(row[1]) && !(is_id(row[0]) && is_id(row[1]));
    if (ends_in_length && !options.unweighted) return std::nullopt;
  }
  EdgeLayout layout{.separator = sample.separator, .columns = {.length = {}, .max_words = 2}};
  layout.has_header = options.header.value_or(names_two_columns(sample));
  if (layout.has_header && !options.header) layout.guessed_header = sample.first();
  return layout;
}

/// Whether a word is a dictionary of Python, whose keys are texts.
bool are_attributes(std::string_view word) {
  if (!word.starts_with('{') || !word.ends_with('}')) return false;
  const std::string_view first = io::trimmed(word.substr(1));
  return first.starts_with('\'') || first.starts_with('"') || first == "}";
}

/// Lines `from to {..}`, as NetworkX writes them.
std::optional<EdgeLayout> with_attributes(const Sample& sample) {
  const Row& row = sample.first();
  if (row.size() != 3 || !are_attributes(row[2])) return std::nullopt;
  EdgeLayout layout{.separator = sample.separator};
  if (!weight_in(row[2])) layout.columns.length = {};
  return layout;
}

/// Reads KONECT's comment in the first line: `% sym unweighted`.
void look_at_comment(const std::string& path, std::string_view content, EdgeLayout& layout) {
  if (content.starts_with("% bip ")) {
    reject(path, "is a bipartite graph, whose two sides have the same numbers: a graph with one numbering is accepted");
  }
  layout.is_symmetric = content.starts_with("% sym ");
}

bool is_konect(std::string_view content) {
  return content.starts_with("% sym ") || content.starts_with("% asym ") || content.starts_with("% bip ");
}

/// Lines `from to length time`.
std::optional<EdgeLayout> of_konect(const Sample& sample) {
  if (sample.separator != Separator::blank || sample.first().size() != 4) return std::nullopt;
  return EdgeLayout{.separator = sample.separator, .columns = {.max_words = 4}};
}

std::optional<EdgeLayout> find_layout(const std::string& path, bool is_from_konect,
                                      std::span<const std::string_view> lines, const EdgeListOptions& options) {
  std::vector<Sample> samples;
  for (const Separator separator : separators) {
    if (auto sample = sample_of(separator, lines)) samples.push_back(std::move(*sample));
  }
  const auto first_of = [&](const auto& layout) {
    std::optional<EdgeLayout> found;
    for (std::size_t at = 0; at < samples.size() && !found; ++at) found = layout(samples[at]);
    return found;
  };
  if (!options.columns.empty()) {
    if (auto found = first_of([&](const Sample& one) { return chosen(one, options); })) return found;
    reject_columns(path, samples, options);
  }
  std::optional<EdgeLayout> found;
  if (is_from_konect) found = first_of(of_konect);
  if (!found) found = first_of(with_attributes);
  if (!found) found = first_of([&](const Sample& one) { return weighted(path, one, options); });
  return found ? found : first_of([&](const Sample& one) { return unweighted(one, options); });
}

/// The layout for messages if none fits: the separator is the first one in the line.
EdgeLayout expected_layout(std::string_view line) {
  const std::size_t at = line.find_first_of(",;");
  if (at == line.npos) return {.separator = Separator::blank};
  return {.separator = line[at] == ',' ? Separator::comma : Separator::semicolon};
}

/// Whether a line names columns, one of them a length. It may have another separator than the edges.
bool names_columns(std::string_view line) {
  return std::ranges::any_of(separators, [&](Separator separator) {
    const auto sample = sample_of(separator, {&line, 1});
    return sample && sample->first().size() == 3 && !has_numbers(sample->first()) && names_length(sample->first());
  });
}

}  // namespace

EdgeLayout layout_of(const std::string& path, std::string_view content, const EdgeListOptions& options,
                     bool skips_first) {
  constexpr std::size_t enough = 10;
  content = io::without_mark(content);
  std::vector<std::string_view> lines = data_lines(content, enough);
  if (skips_first) lines.erase(lines.begin());
  if (lines.empty()) return {};
  const bool is_from_konect = is_konect(content);
  auto found = find_layout(path, is_from_konect, lines, options);
  if (!found && lines.size() > 1 && names_columns(lines.front()) && options.header.value_or(true)) {
    EdgeListOptions below = options;
    below.header = false;
    found = find_layout(path, is_from_konect, std::span(lines).subspan(1), below);
    if (found) found->has_header = true;
  }
  EdgeLayout layout = found.value_or(expected_layout(lines.front()));
  if (is_from_konect) look_at_comment(path, content, layout);
  if (options.directed) layout.is_symmetric = false;
  if (options.directed) layout.columns.type = {};
  if (options.unweighted) layout.columns.length = {};
  layout.has_header |= skips_first;
  layout.accepts_nan = options.accepts_nan;
  return layout;
}

}  // namespace warpfold::formats
