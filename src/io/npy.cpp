#include "warpfold/io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "io/npy_entries.hpp"
#include "io/text.hpp"
#include "io/unpack.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// A type of entries, by its name without the order of bytes.
struct TypeName {
  std::string_view dtype;
  std::string_view name;
  std::size_t bytes;
};
constexpr TypeName type_names[] = {{"bool", "b1", 1},   {"i8", "i1", 1},    {"u8", "u1", 1},  {"i16", "i2", 2},
                                   {"u16", "u2", 2},    {"i32", "i4", 4},   {"u32", "u4", 4}, {"i64", "i8", 8},
                                   {"u64", "u8", 8},    {"f32", "f4", 4},   {"f64", "f8", 8}, {"half", "f2", 2},
                                   {"long", "f12", 12}, {"long", "f16", 16}};

/// The text after 'key' in the header's dictionary, up to the comma or bracket that ends it.
std::string_view header_value(const std::string& path, std::string_view header, std::string_view key) {
  const auto at = header.find(fmt::format("'{}'", key));
  const auto colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) reject_file(path, fmt::format("the .npy header has no '{}'", key));
  if (header.find(fmt::format("'{}'", key), colon) != std::string_view::npos) {
    reject_file(path, fmt::format("the .npy header has '{}' twice", key));
  }
  const auto first = header.find_first_not_of(' ', colon + 1);
  if (first == std::string_view::npos) reject_file(path, fmt::format("the .npy header ends after '{}'", key));
  const auto last = header.find_first_of(header[first] == '(' ? ")" : header[first] == '[' ? "]" : ",}", first);
  if (last == std::string_view::npos) reject_file(path, fmt::format("the .npy header ends inside '{}'", key));
  return header.substr(first, last - first);
}

/// Reads a shape from text such as "(2, 3", without its last bracket.
std::vector<std::size_t> parse_shape(const std::string& path, std::string_view text) {
  const auto refuse = [&] {
    const char* bracket = text.front() == '(' ? ")" : text.front() == '[' ? "]" : "";
    reject_file(path,
                fmt::format("the .npy shape is '{}{}': integers in brackets, '(2, 3)', are accepted", text, bracket));
  };
  if (text.front() != '(') refuse();
  std::vector<std::size_t> shape;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == ' ' || text[at] == ',') continue;
    std::size_t extent = 0;
    const std::size_t first = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (extent > (std::numeric_limits<std::size_t>::max() >> 4) / 10)
        reject_file(path, "the .npy shape is too large");
      extent = extent * 10 + static_cast<std::size_t>(text[at] - '0');
    }
    if (at == first || (at < text.size() && text[at] != ',' && text[at] != ' ')) refuse();
    shape.push_back(extent);
  }
  return shape;
}

template <class T>
std::string range_of() {
  return fmt::format("{} from {} to {}", dtype_name<T>(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

template <class Source>
[[noreturn]] void reject_overflow(const NpyArray& array, std::size_t index, Source value, std::string_view dtype) {
  throw Error(ErrorKind::overflow,
              fmt::format("{}: entry {} is {}: {} does not hold it, f64 does", array.path, index, value, dtype));
}

template <class T, class Source>
T convert(const NpyArray& array, std::size_t index, Source value) {
  const auto refuse = [&](const std::string& accepted) {
    reject_file(array.path, fmt::format("entry {} is {}: {} is accepted", index, value, accepted));
  };
  if constexpr (std::is_floating_point_v<T>) {
    const T result = static_cast<T>(value);
    if constexpr (std::is_floating_point_v<Source>) {
      if (!holds_rounded<T>(value)) reject_overflow(array, index, value, dtype_name<T>());
    }
    return result;
  } else if constexpr (std::is_floating_point_v<Source>) {
    if (std::is_signed_v<T> && value == std::numeric_limits<Source>::infinity()) return infinity<T>;
    // 2^digits is exact in every floating type here, whereas max() need not be.
    const Source limit = std::ldexp(Source{1}, std::numeric_limits<T>::digits);
    if (!(value < limit) || !(value >= (std::is_signed_v<T> ? -limit : Source{0}))) refuse(range_of<T>());
    if (value != std::trunc(value)) refuse("an integer");
    return static_cast<T>(value);
  } else {
    if (!std::in_range<T>(value)) refuse(range_of<T>());
    return static_cast<T>(value);
  }
}

/// Rejects an integer that equals T's infinity, if its own type has no infinity.
template <class T>
void check_finite(const NpyArray& array, std::size_t index, T value) {
  constexpr T most = infinity<T> - 1;
  if (value != infinity<T> && value != -infinity<T>) return;
  throw Error(ErrorKind::overflow, fmt::format("{}: entry {} is {}: {} from {} to {} is accepted", array.path, index,
                                               value, dtype_name<T>(), -most, most));
}

/// Entry (1, 2) of a matrix.
std::string entry_name(const NpyArray& array, std::size_t index) {
  std::string indices;
  for (std::size_t axis = array.shape.size(); axis-- > 0; index /= array.shape[axis]) {
    indices = fmt::format("{}{}{}", index % array.shape[axis], indices.empty() ? "" : ", ", indices);
  }
  return fmt::format("entry ({})", indices);
}

/// An entry as T. Infinities of both signs stay infinities.
template <class T, class Source>
T weight_of(const NpyArray& array, std::size_t index, Source value) {
  if constexpr (std::is_signed_v<Source> && std::is_signed_v<T> && sizeof(Source) > 1) {
    if (value == infinity<Source>) return infinity<T>;
    if (value == -infinity<Source>) return static_cast<T>(-infinity<T>);
  }
  const T weight = convert<T>(array, index, value);
  if constexpr (std::is_integral_v<Source> && std::is_signed_v<T> && std::is_integral_v<T>) {
    check_finite(array, index, weight);
  }
  return weight;
}

template <class Source>
bool equals(Source value, const Number& number) {
  if constexpr (std::is_integral_v<Source>) {
    if (number.is_integral) return Integer{value} == number.exact;
    return static_cast<double>(value) == number.real;
  } else {
    return value == static_cast<Source>(number.real) || (std::isnan(value) && std::isnan(number.real));
  }
}

/// Rejects values that other programs write for "no edge". `is_negative`: "no edge" is the negative infinity.
template <class Source>
void check_is_length(const NpyArray& array, std::size_t index, Source value, bool is_negative) {
  if constexpr (std::is_integral_v<Source>) {
    if (array.dtype == "bool" && value == 0) {
      reject_file(array.path,
                  fmt::format("{} is false, which is no length: --semiring or-and, or --no-edge 0 with true "
                              "for an edge of length 1, is accepted",
                              entry_name(array, index)));
    }
    const bool is_largest = value == std::numeric_limits<Source>::max();
    const bool is_least = std::is_signed_v<Source> && is_negative && value == std::numeric_limits<Source>::min();
    if (sizeof(Source) == 1 || !(is_largest || is_least)) return;
    reject_file(array.path,
                fmt::format("{} is {}, the {} {}: --no-edge {} is accepted where it means no edge, "
                            "--no-edge inf where it is a length",
                            entry_name(array, index), value, is_largest ? "largest" : "least", array.dtype, value));
  } else if (std::isnan(value)) {
    reject_file(array.path,
                fmt::format("{} is nan, which is no length: --no-edge nan is accepted where it means no edge",
                            entry_name(array, index)));
  }
}

}  // namespace

std::size_t NpyArray::size() const {
  std::size_t product = 1;
  for (std::size_t extent : shape) product *= extent;
  return product;
}

bool NpyArray::is_integral() const { return !dtype.starts_with('f'); }

template <class T>
std::vector<T> NpyArray::values() const {
  std::vector<T> out(size());
  each_entry(*this, [&](std::size_t i, auto value) { out[i] = convert<T>(*this, i, value); });
  return out;
}

template <class T>
std::vector<T> NpyArray::weights() const {
  std::vector<T> out(size());
  each_entry(*this, [&](std::size_t i, auto value) { out[i] = weight_of<T>(*this, i, value); });
  return out;
}

template <class T>
std::vector<T> NpyArray::lengths(T none, const std::optional<Number>& no_edge) const {
  std::vector<T> out(size());
  const bool is_lowest = std::is_signed_v<T> && none == -infinity<T>;
  each_entry(*this, [&](std::size_t i, auto value) {
    if (no_edge && equals(value, *no_edge)) return void(out[i] = none);
    if (!no_edge && (is_lowest || none == infinity<T>)) check_is_length(*this, i, value, is_lowest);
    out[i] = weight_of<T>(*this, i, value);
  });
  return out;
}

namespace {

std::size_t entries_of(const std::string& path, const std::vector<std::size_t>& shape) {
  std::size_t entries = 1;
  for (std::size_t extent : shape) {
    if (extent != 0 && entries > std::numeric_limits<std::size_t>::max() / extent)
      reject_file(path, "has too many entries");
    entries *= extent;
  }
  return entries;
}

/// Reverses the bytes of each entry of a big-endian file.
void turn_entries(std::string& bytes, std::size_t first, std::size_t entry_bytes) {
  for (auto at = bytes.begin() + static_cast<std::ptrdiff_t>(first); at != bytes.end();) {
    const auto end = at + static_cast<std::ptrdiff_t>(entry_bytes);
    std::reverse(at, end);
    at = end;
  }
}

/// The entries of an array in column-major order, in row-major order.
std::string in_c_order(std::string_view bytes, std::size_t first, std::size_t entry_bytes,
                       const std::vector<std::size_t>& shape) {
  std::string turned(bytes.substr(0, first));
  turned.reserve(bytes.size());
  std::vector<std::size_t> at(shape.size()), steps(shape.size(), entry_bytes);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) steps[axis] = steps[axis - 1] * shape[axis - 1];
  for (std::size_t from = first; turned.size() < bytes.size();) {
    turned += bytes.substr(from, entry_bytes);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += steps[axis];
      if (++at[axis] < shape[axis]) break;
      from -= steps[axis] * std::exchange(at[axis], 0);
    }
  }
  return turned;
}

/// Converts entries of `entry_bytes` bytes to type To. `widen` converts entry i from its bytes.
template <class To, class Widen>
std::string widened(std::string_view bytes, std::size_t first, std::size_t entry_bytes, const Widen& widen) {
  std::string wide(bytes.substr(0, first));
  const std::size_t entries = (bytes.size() - first) / entry_bytes;
  wide.resize(first + entries * sizeof(To));
  for (std::size_t i = 0; i < entries; ++i) {
    const To value = little_endian(static_cast<To>(widen(i, bytes.data() + first + i * entry_bytes)));
    std::memcpy(wide.data() + first + i * sizeof(To), &value, sizeof(To));
  }
  return wide;
}

template <class T>
T integer_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return little_endian(value);
}

/// A float of 16 bits: 1 of sign, 5 of exponent, 10 of fraction.
float half_at(const char* bytes) {
  const auto word = integer_at<std::uint16_t>(bytes);
  const int exponent = word >> 10 & 31, fraction = word & 1023;
  float value = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                              : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return word >> 15 ? -value : value;
}

/// A long double of x86: 64 bits of mantissa with the leading one, 15 of exponent, 1 of sign. The bytes after them are
/// undefined.
struct LongDouble {
  explicit LongDouble(const char* bytes)
      : mantissa(integer_at<std::uint64_t>(bytes)), exponent(integer_at<std::uint16_t>(bytes + 8) & 0x7fff) {
    const bool is_negative = integer_at<std::uint16_t>(bytes + 8) >> 15;
    value = std::ldexp(static_cast<double>(mantissa), exponent - 16383 - 63);
    if (exponent == 0x7fff) value = mantissa << 1 == 0 ? infinity<double> : std::numeric_limits<double>::quiet_NaN();
    if (is_negative) value = -value;
  }

  std::uint64_t mantissa;
  int exponent;
  double value;  ///< rounded

  [[nodiscard]] bool is_valid() const { return exponent == 0 ? mantissa == 0 : mantissa >> 63 == 1; }
  [[nodiscard]] bool is_double() const {
    if (exponent == 0x7fff || mantissa == 0) return true;
    constexpr double exact_below = 0x1p-1022;  // below it, doubles have fewer bits
    return (mantissa & 2047) == 0 && std::isfinite(value) && std::abs(value) >= exact_below;
  }
};

/// Whether an entry, read as the long double of other processors, may be a double. That format has 112 bits of fraction
/// before the exponent, of which a double has the highest 52.
bool may_be_quadruple(const char* bytes) {
  const int exponent = integer_at<std::uint16_t>(bytes + 14) & 0x7fff;
  return (integer_at<std::uint64_t>(bytes) & ((std::uint64_t{1} << 60) - 1)) == 0 && std::abs(exponent - 16383) < 1024;
}

double long_double_at(const std::string& path, std::size_t index, const char* bytes) {
  const LongDouble entry(bytes);
  if (!entry.is_valid()) reject_file(path, "has long doubles that are not those of x86: f8 is accepted");
  if (entry.is_double()) return entry.value;
  reject_file(path, fmt::format("entry {} is a long double that f64 does not hold: f8 is accepted", index));
}

/// Converts long doubles to f64. Rejects entries that f64 does not hold, and a file that may come from another
/// processor.
std::string without_long_doubles(const std::string& path, std::string_view bytes, std::size_t first,
                                 std::size_t entry_bytes) {
  bool are_quadruple = entry_bytes == 16 && bytes.size() > first;
  for (std::size_t at = first; are_quadruple && at < bytes.size(); at += entry_bytes) {
    are_quadruple = may_be_quadruple(bytes.data() + at);
  }
  if (are_quadruple) reject_file(path, "has long doubles that may be those of another processor: f8 is accepted");
  return widened<double>(bytes, first, entry_bytes,
                         [&](std::size_t i, const char* entry) { return long_double_at(path, i, entry); });
}

/// The type in a header, and whether its entries are big-endian.
struct EntryType {
  TypeName type;
  bool is_big_endian = false;
};

EntryType entry_type(const std::string& path, std::string_view descr) {
  if (descr.size() < 4) reject_file(path, fmt::format("has entries of type {}: a quoted type is accepted", descr));
  descr = descr.substr(1, descr.size() - 2);
  if (descr.ends_with('O')) reject_file(path, "has Python objects, pickled: arrays of numbers are accepted");
  for (const TypeName& type : type_names) {
    if (descr.substr(1) != type.name || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) continue;
    return {type, descr[0] == '>' && type.bytes > 1};
  }
  reject_file(path, fmt::format("has entries of type '{}': integers, floats and Booleans are accepted", descr));
}

bool is_fortran_order(const std::string& path, std::string_view order) {
  if (order == "True" || order == "False") return order == "True";
  reject_file(path, fmt::format("'fortran_order' is {}: True or False is accepted", order));
}

/// Converts the entries to the form that `NpyArray` holds: little-endian, in row-major order, of one of its types.
void normalize(NpyArray& array, const EntryType& stated, bool is_fortran) {
  const std::size_t entry_bytes = stated.type.bytes;
  if (stated.is_big_endian) turn_entries(array.content, array.first_byte, entry_bytes);
  if (is_fortran && array.shape.size() > 1) {
    array.content = in_c_order(array.content, array.first_byte, entry_bytes, array.shape);
  }
  if (array.dtype == "half") {
    array.dtype = "f32";
    array.content = widened<float>(array.content, array.first_byte, entry_bytes,
                                   [](std::size_t, const char* entry) { return half_at(entry); });
  }
  if (array.dtype == "long") {
    array.dtype = "f64";
    array.content = without_long_doubles(array.path, array.content, array.first_byte, entry_bytes);
  }
}

}  // namespace

bool is_npy(std::string_view content) { return content.starts_with(magic) || is_zip(content); }

NpyArray parse_npy(const std::string& path, std::string bytes) {
  const std::string_view content = bytes;
  if (is_zip(content)) {
    reject_file(path,
                "holds a sparse matrix of SciPy's: a dense one is accepted here, and sparse ones by `warpfold paths`");
  }
  if (!content.starts_with(magic) || content.size() < 12) reject_file(path, "is no .npy file");
  const int major = static_cast<unsigned char>(content[6]);
  if (major < 1 || major > 3) reject_file(path, fmt::format("has .npy version {}: 1 to 3 are accepted", major));
  const std::size_t size_bytes = major == 1 ? 2 : 4;
  std::size_t header_bytes = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) {
    header_bytes |= static_cast<std::size_t>(static_cast<unsigned char>(content[8 + i])) << (8 * i);
  }
  const std::size_t data_at = 8 + size_bytes + header_bytes;
  if (data_at > content.size()) reject_file(path, "ends inside the .npy header");
  const std::string_view header = content.substr(8 + size_bytes, header_bytes);

  NpyArray array;
  array.path = path;
  const EntryType stated = entry_type(path, header_value(path, header, "descr"));
  const std::size_t entry_bytes = stated.type.bytes;
  array.dtype = stated.type.dtype;
  const bool is_fortran = is_fortran_order(path, header_value(path, header, "fortran_order"));
  array.shape = parse_shape(path, header_value(path, header, "shape"));

  const std::size_t entries = entries_of(path, array.shape);
  const std::string_view data = content.substr(data_at);
  if (data.size() % entry_bytes != 0 || data.size() / entry_bytes != entries) {
    reject_file(path, fmt::format("holds {} of data where its shape needs {} of {}", quantity(data.size(), "byte"),
                                  quantity(entries, "entry", "entries"), quantity(entry_bytes, "byte")));
  }
  array.first_byte = data_at;
  array.content = std::move(bytes);
  normalize(array, stated, is_fortran);
  return array;
}

std::string npy_header(std::string_view descr, const std::vector<std::size_t>& shape) {
  std::string dimensions;
  for (std::size_t extent : shape) dimensions += fmt::format("{},", extent);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, dimensions);
  // The format requires that the data begin at a multiple of 64 bytes.
  text.append(63 - (magic.size() + 4 + text.size()) % 64, ' ');
  text += '\n';
  std::string header(magic);
  header += {'\1', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return header + text;
}

NpyArray read_npy(const std::string& path) { return parse_npy(path, read_file(path)); }

namespace {

/// Checks the shape against the number of values. A file with a wrong shape could not be read.
void check_shape(const std::string& path, std::size_t values, const std::vector<std::size_t>& shape) {
  if (entries_of(path, shape) == values) return;
  throw Error(ErrorKind::usage, fmt::format("{}: the shape ({}) of {}: one of as many entries is accepted", path,
                                            fmt::join(shape, ", "), quantity(values, "value")));
}

void write_bytes(const std::string& path, std::string_view descr, std::span<const std::byte> bytes,
                 const std::vector<std::size_t>& shape) {
  write_file(path, [&](std::ostream& out) {
    out << npy_header(descr, shape);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  });
}

}  // namespace

template <class T>
void write_npy(const std::string& path, std::span<const T> values, const std::vector<std::size_t>& shape) {
  check_shape(path, values.size(), shape);
  constexpr char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  const std::string descr = fmt::format("{}{}{}", sizeof(T) == 1 ? '|' : '<', kind, sizeof(T));
  if constexpr (std::endian::native == std::endian::little)
    return write_bytes(path, descr, std::as_bytes(values), shape);
  std::vector<T> turned(values.size());
  std::ranges::transform(values, turned.begin(), little_endian<T>);
  write_bytes(path, descr, std::as_bytes(std::span<const T>(turned)), shape);
}

void write_npy_bool(const std::string& path, std::span<const std::uint8_t> values,
                    const std::vector<std::size_t>& shape) {
  check_shape(path, values.size(), shape);
  write_bytes(path, "|b1", std::as_bytes(values), shape);
}

#define WARPFOLD_INSTANTIATE(T)                                                                     \
  template std::vector<T> NpyArray::values<T>() const;                                              \
  template std::vector<T> NpyArray::weights<T>() const;                                             \
  template std::vector<T> NpyArray::lengths<T>(T none, const std::optional<Number>& no_edge) const; \
  template void write_npy<T>(const std::string&, std::span<const T>, const std::vector<std::size_t>&);
WARPFOLD_INSTANTIATE(std::uint16_t)
WARPFOLD_INSTANTIATE(std::uint32_t)
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::io
