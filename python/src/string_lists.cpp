#include "string_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpfold::python {

namespace {

using sequence::SymbolView;

/// The structures of the Arrow C data interface, as https://arrow.apache.org/docs/format/CDataInterface.html defines
/// them.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

template <class T>
std::span<const T> code_points(PyObject* text) {
  return {static_cast<const T*>(PyUnicode_DATA(text)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
}

SymbolView view_of_text(PyObject* text) {
  if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) return code_points<std::uint8_t>(text);
  if (PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND) return code_points<std::uint16_t>(text);
  return code_points<std::uint32_t>(text);
}

SymbolView view_of_bytes(PyObject* bytes) {
  return std::string_view(PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes)));
}

/// An entry of a NumPy array, which ends before the zeros that fill it.
template <class T>
SymbolView view_of_entry(const char* data, std::size_t bytes) {
  const auto* const symbols = reinterpret_cast<const T*>(data);
  std::size_t size = bytes / sizeof(T);
  while (size > 0 && symbols[size - 1] == 0) --size;
  return std::span<const T>(symbols, size);
}

/// 'S' or 'U' of a NumPy array, else 0.
char kind_of_numpy(nb::handle value) {
  if (!nb::hasattr(value, "dtype") || !nb::hasattr(value.attr("dtype"), "kind")) return 0;
  const std::string kind = nb::cast<std::string>(nb::str(value.attr("dtype").attr("kind")));
  return kind == "S" || kind == "U" ? kind[0] : '\0';
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; });
}

bool is_present(const ArrowArray& array, std::int64_t at) {
  const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  return bits == nullptr || (bits[at / 8] >> (at % 8) & 1) != 0;
}

}  // namespace

StringList::StringList(const char* name, nb::handle value) {
  if (const char kind = kind_of_numpy(value)) {
    read_numpy(name, value, kind);
  } else if (nb::hasattr(value, "__arrow_c_array__") || nb::hasattr(value, "combine_chunks")) {
    read_arrow(name, value);
  } else {
    read_entries(name, value);
  }
}

StringList::~StringList() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

void StringList::read_entries(const char* name, nb::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()) || PyByteArray_Check(value.ptr())) {
    reject_type(name, value, accepted_string_lists);
  }
  owner_ = nb::steal(PySequence_Tuple(value.ptr()));
  if (!owner_.is_valid()) {
    PyErr_Clear();
    reject_type(name, value, accepted_string_lists);
  }
  const Py_ssize_t count = PyTuple_GET_SIZE(owner_.ptr());
  views_.reserve(static_cast<std::size_t>(count));
  is_text_ = count > 0 && PyUnicode_Check(PyTuple_GET_ITEM(owner_.ptr(), 0));
  for (Py_ssize_t at = 0; at < count; ++at) {
    PyObject* const entry = PyTuple_GET_ITEM(owner_.ptr(), at);
    if (is_text_ && PyUnicode_Check(entry)) {
      views_.push_back(view_of_text(entry));
    } else if (!is_text_ && PyBytes_Check(entry)) {
      views_.push_back(view_of_bytes(entry));
    } else {
      reject_type(fmt::format("{}[{}]", name, at).c_str(), entry,
                  at == 0    ? "text or bytes are accepted"
                  : is_text_ ? "text is accepted"
                             : "bytes are accepted");
    }
  }
}

void StringList::read_numpy(const char* name, nb::handle value, char kind) {
  is_text_ = kind == 'U';
  owner_ = nb::borrow(value);
  if (!nb::cast<bool>(value.attr("dtype").attr("isnative"))) {
    owner_ = value.attr("astype")(value.attr("dtype").attr("newbyteorder")("="));
  }
  if (PyObject_GetBuffer(owner_.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) nb::raise_python_error();
  if (buffer_.ndim != 1) {
    throw Error(ErrorKind::input, fmt::format("{} has {} dimensions: 1 is accepted", name, buffer_.ndim));
  }
  views_.reserve(static_cast<std::size_t>(buffer_.shape[0]));
  const auto bytes = static_cast<std::size_t>(buffer_.itemsize);
  for (Py_ssize_t at = 0; at < buffer_.shape[0]; ++at) {
    const char* const entry = static_cast<const char*>(buffer_.buf) + at * buffer_.strides[0];
    views_.push_back(is_text_ ? view_of_entry<std::uint32_t>(entry, bytes) : view_of_entry<std::uint8_t>(entry, bytes));
  }
}

/// A chunked array becomes one array, without a copy if it has one chunk.
void StringList::read_arrow(const char* name, nb::handle value) {
  nb::object array = nb::borrow(value);
  if (nb::hasattr(array, "combine_chunks")) array = array.attr("combine_chunks")();
  if (!nb::hasattr(array, "__arrow_c_array__")) reject_type(name, value, accepted_string_lists);
  const auto capsules = nb::cast<nb::tuple>(array.attr("__arrow_c_array__")());
  owner_ = capsules;
  const auto* const schema = static_cast<const ArrowSchema*>(PyCapsule_GetPointer(capsules[0].ptr(), "arrow_schema"));
  const void* const data = PyCapsule_GetPointer(capsules[1].ptr(), "arrow_array");
  if (schema == nullptr || data == nullptr) nb::raise_python_error();
  const std::string format = schema->format;
  is_text_ = format == "u" || format == "U";
  if (format == "u" || format == "z") return read_arrow_entries<std::int32_t>(name, value, data);
  if (format == "U" || format == "Z") return read_arrow_entries<std::int64_t>(name, value, data);
  reject_type(name, value, accepted_string_lists);
}

template <class Offset>
void StringList::read_arrow_entries(const char* name, nb::handle, const void* data) {
  const auto& array = *static_cast<const ArrowArray*>(data);
  const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
  const auto* const symbols = static_cast<const char*>(array.buffers[2]);
  views_.reserve(static_cast<std::size_t>(array.length));
  for (std::int64_t at = 0; at < array.length; ++at) {
    if (!is_present(array, array.offset + at)) {
      reject_type(fmt::format("{}[{}]", name, at).c_str(), nb::none(), "text or bytes are accepted");
    }
    const std::string_view entry(symbols + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
    if (is_text_ && !is_ascii(entry)) {
      decode(fmt::format("{}[{}]", name, at).c_str(), entry);
    } else {
      views_.emplace_back(entry);
    }
  }
}

void StringList::decode(const char* name, std::string_view text) {
  const nb::object decoded =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "strict"));
  if (!decoded.is_valid()) {
    PyErr_Clear();
    throw Error(ErrorKind::input, fmt::format("{} is not UTF-8: text is accepted", name));
  }
  view_of_text(decoded.ptr()).with_symbols([&](const auto& points) {
    decoded_.emplace_back(points.begin(), points.end());
  });
  views_.emplace_back(std::span<const std::uint32_t>(decoded_.back()));
}

}  // namespace warpfold::python
