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

#include "core/number_types.hpp"
#include "core/quantity.hpp"
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

/// The text after 'key': in the header's dictionary, up to the comma or bracket that ends it.
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

/// Rejects an integer that equals an infinity of T if its own type has no infinity.
template <class T>
void check_finite(const NpyArray& array, std::size_t index, T value) {
  constexpr T most = infinity<T> - 1;
  if (value != infinity<T> && value != -infinity<T>) return;
  throw Error(ErrorKind::overflow, fmt::format("{}: entry {} is {}: {} from {} to {} is accepted", array.path, index,
                                               value, dtype_name<T>(), -most, most));
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
  each_entry(*this, [&](std::size_t i, auto value) {
    using Source = decltype(value);
    if constexpr (std::is_signed_v<Source> && std::is_signed_v<T> && sizeof(Source) > 1) {
      if (value == infinity<Source>) return void(out[i] = infinity<T>);
      if (value == -infinity<Source>) return void(out[i] = static_cast<T>(-infinity<T>));
    }
    out[i] = convert<T>(*this, i, value);
    if constexpr (std::is_integral_v<Source> && std::is_signed_v<T> && std::is_integral_v<T>) {
      check_finite(*this, i, out[i]);
    }
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
    reject_file(path, fmt::format("holds {} of data where its shape needs {} of {}", quantity(data.size(), "byte"),
                                  quantity(entries, "entry", "entries"), quantity(entry_bytes, "byte")));
  }
  array.first_byte = data_at;
  array.content = std::move(bytes);
  return array;
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

#define WARPFOLD_INSTANTIATE(T)                         \
  template std::vector<T> NpyArray::values<T>() const;  \
  template std::vector<T> NpyArray::weights<T>() const; \
  template void write_npy<T>(const std::string&, std::span<const T>, const std::vector<std::size_t>&);
WARPFOLD_INSTANTIATE(std::uint16_t)
WARPFOLD_INSTANTIATE(std::uint32_t)
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::io
