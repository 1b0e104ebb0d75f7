#include "formats/edge_length.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "formats/words.hpp"

namespace warpfold::formats {

namespace {

std::string_view without_note(std::string_view word) {
  return io::trimmed(word.substr(0, std::min(word.find(" #"), word.find("\t#"))));
}

}  // namespace

std::optional<std::string_view> weight_in(std::string_view attributes) {
  for (const std::string_view key : {"'weight'", "\"weight\"", "'length'", "\"length\""}) {
    std::size_t at = attributes.find(key);
    if (at == attributes.npos) continue;
    at = attributes.find_first_not_of(" ", at + key.size());
    if (at == attributes.npos || attributes[at] != ':') continue;
    const std::string_view value = attributes.substr(at + 1);
    return io::trimmed(value.substr(0, value.find_first_of(",}")));
  }
  return std::nullopt;
}

std::string_view LengthReader::with_point(std::string_view word) {
  const bool has_comma = separator_ != Separator::comma && word.find(',') != word.npos;
  const bool has_point = word.find('.') != word.npos;
  has_commas_ |= has_comma;
  has_points_ |= has_point;
  if (has_commas_ && has_points_) {
    reject_word(word, "and others have decimal points and decimal commas: one of them is accepted");
  }
  if (!has_comma) return word;
  buffer_ = word;
  buffer_[word.find(',')] = '.';
  return buffer_;
}

std::optional<io::Number> LengthReader::read_plain(std::string_view word) {
  const bool is_negative = word.starts_with('-');
  std::string_view rest = word.substr(is_negative ? 1 : 0);
  const auto digits = take_plain_integer(rest);
  if (!digits || (is_negative && *digits == 0)) return std::nullopt;
  if (rest.empty()) {
    const std::int64_t value = is_negative ? -static_cast<std::int64_t>(*digits) : static_cast<std::int64_t>(*digits);
    return io::Number{.exact = value, .real = static_cast<double>(value)};
  }
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (has_commas_ || error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  has_points_ |= rest.find('.') != rest.npos;
  return io::Number{.is_integral = false, .real = value};
}

io::Number LengthReader::read(std::string_view word) {
  if (const auto plain = read_plain(word)) return *plain;
  if (word.starts_with('{')) {
    const auto weight = weight_in(word);
    if (!weight) reject_word(word, "has no weight: {'weight': 3} is accepted");
    word = *weight;
  }
  const io::Number length = io::parse_real(with_point(without_note(word)));
  if (std::isfinite(length.real) || (accepts_nan_ && std::isnan(length.real))) return length;
  reject_word(word, "is no length: a finite number is accepted, and no line where there is no edge");
}

bool LengthReader::accepts(std::string_view word) const try {
  static_cast<void>(LengthReader(separator_, true).read(word));
  return true;
} catch (const Error&) {
  return false;
}

}  // namespace warpfold::formats
