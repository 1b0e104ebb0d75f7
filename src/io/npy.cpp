#include "warpfold/io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <ostream>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "io/npy_entries.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct TypeName {
  std::string_view dtype;
  std::string_view descr;
  std::size_t bytes;
};
constexpr TypeName type_names[] = {{"bool", "|b1", 1}, {"i8", "|i1", 1},  {"u8", "|u1", 1},  {"i16", "<i2", 2},
                                   {"u16", "<u2", 2},  {"i32", "<i4", 4}, {"u32", "<u4", 4}, {"i64", "<i8", 8},
                                   {"u64", "<u8", 8},  {"f32", "<f4", 4}, {"f64", "<f8", 8}};

[[noreturn]] void reject_file(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, what));
}

/// What stands behind 'key': in the header's dictionary, up to the comma or bracket that ends it.
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

/// Of "(2, 3", without its last bracket.
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

/// Refuses an integer that T takes for an infinity, of a type that has none.
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

/// An entry as T, both infinities kept.
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
    if (number.whole) return Whole{value} == number.exact;
    return static_cast<double>(value) == number.real;
  } else {
    return value == static_cast<Source>(number.real) || (std::isnan(value) && std::isnan(number.real));
  }
}

/// Refuses what other programs write for no edge. `is_negative`: no edge is an infinity below all numbers.
template <class Source>
void check_is_length(const NpyArray& array, std::size_t index, Source value, bool is_negative) {
  if constexpr (std::is_integral_v<Source>) {
    if (array.dtype == "bool" && value == 0) {
      reject_file(array.path, fmt::format("{} is false, which is no length: --semiring or-and, or --no-edge 0 with true "
                                          "for an edge of length 1, is accepted",
                                          entry_name(array, index)));
    }
    const bool is_largest = value == std::numeric_limits<Source>::max();
    const bool is_least = std::is_signed_v<Source> && is_negative && value == std::numeric_limits<Source>::min();
    if (sizeof(Source) == 1 || !(is_largest || is_least)) return;
    reject_file(array.path, fmt::format("{} is {}, the {} {}: --no-edge {} is accepted where it means no edge, "
                                        "--no-edge inf where it is a length",
                                        entry_name(array, index), value, is_largest ? "largest" : "least", array.dtype,
                                        value));
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
  const bool is_infinite = none == infinity<T> || (std::is_signed_v<T> && none == -infinity<T>);
  each_entry(*this, [&](std::size_t i, auto value) {
    if (no_edge && equals(value, *no_edge)) return void(out[i] = none);
    if (!no_edge && is_infinite) check_is_length(*this, i, value, none < T{0});
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

}  // namespace

NpyArray parse_npy(const std::string& path, std::string bytes) {
  const std::string_view content = bytes;
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
  std::string_view descr = header_value(path, header, "descr");
  if (descr.size() < 4) reject_file(path, fmt::format("has entries of type {}: a quoted type is accepted", descr));
  descr = descr.substr(1, descr.size() - 2);
  std::size_t entry_bytes = 0;
  for (const TypeName& type : type_names) {
    if (descr != type.descr && (type.bytes > 1 || descr.substr(1) != type.descr.substr(1))) continue;
    array.dtype = type.dtype;
    entry_bytes = type.bytes;
  }
  if (entry_bytes == 0) {
    reject_file(path, fmt::format("has entries of type '{}': little-endian integers, f4 and f8 are accepted", descr));
  }
  if (const std::string_view order = header_value(path, header, "fortran_order"); order != "False") {
    reject_file(path, fmt::format("'fortran_order' is {}: False, C order, is accepted", order));
  }
  array.shape = parse_shape(path, header_value(path, header, "shape"));

  const std::size_t entries = entries_of(path, array.shape);
  const std::string_view data = content.substr(data_at);
  if (data.size() % entry_bytes != 0 || data.size() / entry_bytes != entries) {
    reject_file(path, fmt::format("holds {} bytes of data where its shape needs {} entries of {} bytes", data.size(),
                                  entries, entry_bytes));
  }
  array.first_byte = data_at;
  array.content = std::move(bytes);
  return array;
}

NpyArray read_npy(const std::string& path) { return parse_npy(path, read_file(path)); }

namespace {

/// A file of another shape than its values could not be read.
void check_shape(const std::string& path, std::size_t values, const std::vector<std::size_t>& shape) {
  if (entries_of(path, shape) == values) return;
  throw Error(ErrorKind::usage, fmt::format("{}: {} values have the shape ({}): one of as many entries is accepted",
                                            path, values, fmt::join(shape, ", ")));
}

void write_bytes(const std::string& path, std::string_view descr, std::span<const std::byte> bytes,
                 const std::vector<std::size_t>& shape) {
  std::string dimensions;
  for (std::size_t extent : shape) dimensions += fmt::format("{},", extent);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, dimensions);
  // The format wants the data to begin at a multiple of 64 bytes.
  header.append(63 - (magic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  write_file(path, [&](std::ostream& out) {
    out << magic << '\1' << '\0' << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8)
        << header;
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

#define WARPFOLD_INSTANTIATE(T)                                                                  \
  template std::vector<T> NpyArray::values<T>() const;                                           \
  template std::vector<T> NpyArray::weights<T>() const;                                          \
  template std::vector<T> NpyArray::lengths<T>(T none, const std::optional<Number>& no_edge) const; \
  template void write_npy<T>(const std::string&, std::span<const T>, const std::vector<std::size_t>&);
WARPFOLD_INSTANTIATE(std::uint8_t)
WARPFOLD_INSTANTIATE(std::int16_t)
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::uint16_t)
WARPFOLD_INSTANTIATE(std::uint32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(std::uint64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::io
