#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <ostream>

#include "warpfold/core/error.hpp"
#include "warpfold/permutation/stored_plan.hpp"

/// The files of plans. stored_plan.hpp states their layout.
namespace warpfold::permutation {

namespace {

/// A machine of the other byte order reads another number.
constexpr std::uint64_t magic = 0x6d72702d70667277;  // "wrfp-prm"
constexpr std::uint64_t version = 1;

struct Header {
  std::uint64_t magic, version, form, of_inverse, n, parameter, bytes;
};

constexpr std::size_t frame_bytes = sizeof(Header) + sizeof(std::uint64_t);  // with the checksum

/// Writes bytes, and computes their checksum.
class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out), state_(XXH3_createState(), &XXH3_freeState) {
    if (!state_) throw std::bad_alloc();
    XXH3_64bits_reset(state_.get());
  }

  template <class T>
  void add(const T* values, std::size_t count) {
    XXH3_64bits_update(state_.get(), values, count * sizeof(T));
    out_.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.data(), values.size());
  }
  void end() {
    const std::uint64_t checksum = XXH3_64bits_digest(state_.get());
    add(&checksum, 1);
  }

 private:
  std::ostream& out_;
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

/// Takes arrays from the front of a form's bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  std::vector<T> take(std::size_t count) {
    if (count > bytes_.size() / sizeof(T)) throw Error(ErrorKind::input, "the plan's arrays are too short");
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
    return values;
  }
  template <class T>
  std::vector<T> take_rest() {
    return take<T>(bytes_.size() / sizeof(T));
  }
  void end() const {
    if (!bytes_.empty()) throw Error(ErrorKind::input, "the plan's arrays are too long");
  }

 private:
  std::string_view bytes_;
};

/// An axis in a file. The first has the offset as its stride.
struct FileAxis {
  std::uint64_t extent;
  std::int64_t stride;
};

// The parameter, the arrays and their bytes of each form.

std::uint64_t parameter_of(const RotationForm& rotation) { return rotation.places; }
std::uint64_t parameter_of(const AxisForm&) { return 0; }
std::uint64_t parameter_of(const ListForm&) { return 0; }
std::uint64_t parameter_of(const TwoPassPlan& plan) { return plan.block(); }
std::uint64_t parameter_of(const ThreeStepPlan& plan) { return plan.columns; }

std::size_t bytes_of(const RotationForm&) { return 0; }
std::size_t bytes_of(const AxisForm& form) { return (1 + form.axes.size()) * sizeof(FileAxis); }
std::size_t bytes_of(const ListForm& list) { return list.size() * sizeof(std::uint32_t); }
std::size_t bytes_of(const TwoPassPlan& plan) {
  return sizeof(std::uint32_t) * (plan.size() + plan.arrays().run_starts.size() + plan.runs());
}
std::size_t bytes_of(const ThreeStepPlan& plan) { return 3 * plan.first.size() * sizeof(std::uint16_t); }

void write_arrays(Writer&, const RotationForm&) {}
void write_arrays(Writer& writer, const AxisForm& form) {
  std::vector<FileAxis> axes = {{0, form.offset}};
  for (const Axis& axis : form.axes) axes.push_back({axis.extent, axis.stride});
  writer.add(axes);
}
void write_arrays(Writer& writer, const ListForm& list) { writer.add(list); }
void write_arrays(Writer& writer, const TwoPassPlan& plan) {
  writer.add(plan.arrays().first);
  writer.add(plan.arrays().second);
  writer.add(plan.arrays().run_starts);
  writer.add(plan.arrays().shift);
}
void write_arrays(Writer& writer, const ThreeStepPlan& plan) {
  writer.add(plan.first);
  writer.add(plan.second);
  writer.add(plan.third);
}

AxisForm read_axes(Reader& reader) {
  const auto axes = reader.take_rest<FileAxis>();
  if (axes.empty()) throw Error(ErrorKind::input, "the plan's arrays are too short");
  AxisForm form{axes[0].stride, {}};
  for (std::size_t a = 1; a < axes.size(); ++a) {
    form.axes.push_back({static_cast<std::uint32_t>(axes[a].extent), axes[a].stride});
    if (form.axes.back().extent != axes[a].extent) throw Error(ErrorKind::input, "the plan's axes are too long");
  }
  return form;
}

TwoPassPlan read_two_passes(Reader& reader, const Header& header) {
  TwoPassPlan::Arrays arrays;
  arrays.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(header.parameter, UINT32_MAX));
  arrays.first = reader.take<std::uint16_t>(header.n);
  arrays.second = reader.take<std::uint16_t>(header.n);
  arrays.run_starts = reader.take<std::uint32_t>(header.n / 32 + (header.n % 32 != 0));
  arrays.shift = reader.take_rest<std::uint32_t>();
  return TwoPassPlan(std::move(arrays));
}

ThreeStepPlan read_three_steps(Reader& reader, const Header& header) {
  constexpr std::uint64_t most = 65536;  // of rows and columns, whose numbers have 16 bits
  ThreeStepPlan plan{header.n, 0, header.parameter, {}, {}, {}};
  if (plan.columns > most || (plan.columns == 0) != (plan.n == 0)) {
    throw Error(ErrorKind::input, fmt::format("the plan has {} columns: 1 .. {} are accepted", plan.columns, most));
  }
  if (plan.n > 0) plan.rows = plan.n / plan.columns + (plan.n % plan.columns != 0);
  if (plan.rows > most)
    throw Error(ErrorKind::input, fmt::format("the plan has {} rows: up to {} are accepted", plan.rows, most));
  for (auto* const step : {&plan.first, &plan.second, &plan.third})
    *step = reader.take<std::uint16_t>(plan.rows * plan.columns);
  return plan;
}

StoredPlan::Form read_form(Reader& reader, const Header& header) {
  switch (header.form) {
    case 0:
      return RotationForm{static_cast<std::uint32_t>(std::min<std::uint64_t>(header.parameter, UINT32_MAX))};
    case 1:
      return read_axes(reader);
    case 2:
      return ListForm(reader.take<std::uint32_t>(header.n));
    case 3:
      return read_two_passes(reader, header);
    case 4:
      return read_three_steps(reader, header);
    default:
      throw Error(ErrorKind::input, fmt::format("the plan's form is {}: 0 .. 4 are accepted", header.form));
  }
}

Header header_of(std::string_view content) {
  Header header;
  if (content.size() < frame_bytes)
    throw Error(ErrorKind::input, fmt::format("the plan file is truncated: it has {} bytes", content.size()));
  std::memcpy(&header, content.data(), sizeof header);
  if (header.version != version) {
    throw Error(ErrorKind::input, fmt::format("the plan has version {}: {} is accepted", header.version, version));
  }
  std::uint64_t checksum;
  const std::string_view sealed = content.substr(0, content.size() - sizeof checksum);
  std::memcpy(&checksum, content.data() + sealed.size(), sizeof checksum);
  if (XXH3_64bits(sealed.data(), sealed.size()) != checksum) {
    throw Error(ErrorKind::input, "the plan file is truncated or damaged: its checksum differs");
  }
  if (header.bytes != content.size() - frame_bytes || header.of_inverse > 1) {
    throw Error(ErrorKind::input, "the plan's arrays are too short or too long");
  }
  return header;
}

StoredPlan parse_plan(std::string_view content) {
  const Header header = header_of(content);
  Reader reader(content.substr(sizeof header, header.bytes));
  auto form = read_form(reader, header);
  reader.end();
  return {header.n, std::move(form), header.of_inverse == 1};
}

}  // namespace

void StoredPlan::write(std::ostream& out) const {
  Writer writer(out);
  std::visit(
      [&](const auto& form) {
        const Header header{magic, version, form_.index(), of_inverse_, n_, parameter_of(form), bytes_of(form)};
        writer.add(&header, 1);
        write_arrays(writer, form);
      },
      form_);
  writer.end();
}

bool StoredPlan::is_plan(std::string_view content) {
  return !content.empty() && std::memcmp(content.data(), &magic, std::min(content.size(), sizeof magic)) == 0;
}

StoredPlan StoredPlan::parse(const std::string& name, std::string_view content) {
  if (!is_plan(content)) {
    throw Error(ErrorKind::input,
                fmt::format("{}: is no plan of a permutation, or one of a machine of another byte order", name));
  }
  try {
    return parse_plan(content);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw Error(ErrorKind::input, fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace warpfold::permutation
