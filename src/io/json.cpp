#include "io/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::io {

namespace {

/// Whether other programs write a word for a number that JSON cannot hold.
bool is_no_json_number(std::string_view word) {
  const std::string small = lower(word.substr(word.starts_with('-') ? 1 : 0));
  return small == "nan" || small == "inf" || small == "infinity";
}

/// A number that is stored as its digits.
Json digits_json(const std::string& digits) {
  return Json::binary(std::vector<std::uint8_t>(digits.begin(), digits.end()));
}

std::optional<std::string> stored_digits(const Json& value) {
  if (!value.is_binary()) return std::nullopt;
  return std::string(value.get_binary().begin(), value.get_binary().end());
}

/// Builds a value from the parser's events, and counts its depth.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(const std::string& path, std::string_view text, const JsonReading& reading)
      : path_(path), text_(text), reading_(reading) {}

  [[nodiscard]] Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override { return put(value); }
  bool number_float(double value, const std::string& written) override {
    const bool is_integral = written.find_first_not_of("-0123456789") == std::string::npos;
    if (is_integral) return put(exact_number(written));
    const bool is_rounded = reading_.keeps_decimals && decimal_of(value) != parse_decimal(written);
    return put(is_rounded ? digits_json(written) : Json(value));
  }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // JSON text has none
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool key(std::string& name) override {
    if (!open_.back().keys.insert(name).second) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: key '{}' is there twice: once is accepted", path_, printable(name)));
    }
    key_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    if (error.id == 406) refuse(byte, "a number is out of range: those of 64-bit floating point are accepted");
    if (const auto word = word_at(byte); is_no_json_number(word)) {
      refuse(byte, fmt::format("{} is no number of JSON: finite numbers are accepted", word));
    }
    refuse(byte, fmt::format("this is no JSON near byte {}", byte));
  }

 private:
  /// A list, or an object with a set of its keys, which finds duplicates fast.
  struct Open {
    Json* value;
    std::unordered_set<std::string> keys;
  };

  [[noreturn]] void refuse(std::size_t byte, const std::string& what) const {
    const std::string_view before = text_.substr(0, byte);
    const auto line = reading_.first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}", path_, line, what));
  }

  /// The letters around the last byte that was read, with a sign.
  [[nodiscard]] std::string_view word_at(std::size_t byte) const {
    constexpr std::string_view letters = "-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const std::size_t end = std::min(text_.find_first_not_of(letters, byte), text_.size());
    const std::string_view before = text_.substr(0, end);
    const std::size_t last = before.find_last_not_of(letters);
    return before.substr(last == before.npos ? 0 : last + 1);
  }

  Json* place(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& around = *open_.back().value;
    if (around.is_array()) return &around.emplace_back(std::move(value));
    return &around.get_ref<Json::object_t&>().emplace_back(key_, std::move(value)).second;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == max_depth) {
      throw Error(ErrorKind::input, fmt::format("{}: is nested more than {} levels deep", path_, max_depth));
    }
    open_.push_back({place(std::move(value)), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& path_;
  std::string_view text_;
  JsonReading reading_;
  Json root_;
  std::string key_;
  std::vector<Open> open_;  ///< from the outside inwards; only the innermost grows
};

void append(std::string& text, const Json& value) {
  if (const auto digits = stored_digits(value)) {
    text += *digits;
  } else if (value.is_object()) {
    text += '{';
    for (const auto& [key, entry] : value.items()) {
      if (text.back() != '{') text += ',';
      append(text, key);
      text += ':';
      append(text, entry);
    }
    text += '}';
  } else if (value.is_array()) {
    text += '[';
    for (const Json& entry : value) {
      if (&entry != &value.front()) text += ',';
      append(text, entry);
    }
    text += ']';
  } else {
    text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

}  // namespace

Json exact_number(const std::string& digits) {
  const char* last = digits.data() + digits.size();
  std::int64_t value = 0;
  if (const auto [end, error] = std::from_chars(digits.data(), last, value); error == std::errc() && end == last) {
    return value;
  }
  std::uint64_t natural = 0;
  if (const auto [end, error] = std::from_chars(digits.data(), last, natural); error == std::errc() && end == last) {
    return natural;
  }
  return digits_json(digits);
}

Json exact_number(const Decimal& number) {
  const std::string text = decimal_text(number);
  return number.places == 0 ? exact_number(text) : digits_json(text);
}

std::optional<std::string> integer_digits(const Json& value) {
  if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  const auto digits = stored_digits(value);
  return digits && digits->find_first_not_of("-0123456789") == std::string::npos ? digits : std::nullopt;
}

std::optional<Number> json_number(const Json& value) {
  if (value == "inf" || value == "-inf") return parse_number(value.get<std::string>());
  if (value.is_number_float()) return Number{false, 0, value.get<double>()};
  const auto digits = integer_digits(value);
  if (!digits) return std::nullopt;
  try {
    return parse_number(*digits);
  } catch (const Error&) {  // it has too many digits
    return std::nullopt;
  }
}

std::optional<Decimal> json_decimal(const Json& value) {
  if (value.is_number_float()) return decimal_of(value.get<double>());
  const auto digits = value.is_binary() ? stored_digits(value) : integer_digits(value);
  return digits ? parse_decimal(*digits) : std::nullopt;
}

std::string json_text(const Json& value) {
  std::string text;
  append(text, value);
  return text;
}

Json parse_json(const std::string& path, std::string_view text, const JsonReading& reading) {
  text = without_mark(text);
  Builder builder(path, text, reading);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace warpfold::io
