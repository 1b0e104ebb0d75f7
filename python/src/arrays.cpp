#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "binding.hpp"

namespace warpfold::python {

namespace {

/// The type of a buffer. Its kind is 0 for a type that is not accepted, and for the other byte order.
ElementType element_type_of(const Py_buffer& view) {
  std::string_view format = view.format ? view.format : "B";
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<')) format.remove_prefix(1);
  if (format.size() != 1) return {0, 0};
  const auto bytes = static_cast<std::size_t>(view.itemsize);
  const auto among = [&](std::string_view letters) { return letters.find(format[0]) != std::string_view::npos; };
  if (format[0] == '?') return element_type<std::uint8_t>;  // 0 and 1
  if (among("bhilqn")) return {'i', bytes};
  if (among("BHILQN")) return {'u', bytes};
  if (among("fd")) return {'f', bytes};
  return {0, 0};
}

/// Whether rows are contiguous and aligned, and all other dimensions are laid out like the rows of one matrix.
bool lies_in_rows(const Py_buffer& view) {
  if (reinterpret_cast<std::uintptr_t>(view.buf) % static_cast<std::size_t>(view.itemsize) != 0) return false;
  if (view.len == 0 || view.ndim == 0) return true;
  const int last = view.ndim - 1;
  if (view.shape[last] > 1 && view.strides[last] != view.itemsize) return false;
  if (view.ndim < 2) return true;
  const Py_ssize_t stride = view.strides[last - 1];
  if (view.shape[last - 1] > 1 && (stride % view.itemsize != 0 || stride < view.shape[last] * view.itemsize))
    return false;
  Py_ssize_t expected = view.shape[last - 1] > 1 ? stride : view.shape[last] * view.itemsize;
  for (int axis = last - 1; axis > 0; --axis) {
    expected *= view.shape[axis];
    if (view.shape[axis - 1] > 1 && view.strides[axis - 1] != expected) return false;
  }
  return true;
}

/// NumPy's name for a type: "int32".
std::string numpy_name(const ElementType& type) {
  const char* word = type.kind == 'i' ? "int" : type.kind == 'u' ? "uint" : "float";
  return word + std::to_string(8 * type.bytes);
}

std::string numpy_name(const std::string& dtype) {
  return numpy_name(ElementType{dtype[0], std::stoul(dtype.substr(1)) / 8});
}

/// The only copy. NumPy makes it, and _arrays.py raises the errors for values that no accepted type holds.
nb::object converted(const char* name, nb::handle value, const ElementTypes& accepted, const std::string& dtype,
                     const NoValue& none) {
  nb::list names;
  for (const ElementType& type : accepted) names.append(numpy_name(type));
  const nb::object asked = dtype.empty() ? nb::none() : nb::cast(numpy_name(dtype));
  return nb::module_::import_("warpfold._arrays").attr("converted")(nb::cast(name), value, names, asked, none);
}

/// Whether entries may be masked. Only classes other than NumPy's plain array can have a mask, which the buffer does
/// not show.
bool may_be_masked(nb::handle value) {
  return std::string_view(Py_TYPE(value.ptr())->tp_name) != "numpy.ndarray" && nb::hasattr(value, "mask");
}

/// This library's name for a type: "i32".
std::string dtype_text(const ElementType& type) { return fmt::format("{}{}", type.kind, 8 * type.bytes); }

/// An integer entry of a list. Its errors have the form of those of `Array`.
std::int64_t integer_value(const char* name, Py_ssize_t at, PyObject* value) {
  int beyond = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value, &beyond);
  if (beyond == 0) return number;
  throw Error(ErrorKind::overflow, fmt::format("{}[{}] is {}: integers of 64 bits are accepted", name, at,
                                               nb::repr(nb::handle(value)).c_str()));
}

template <class... Types>
ElementTypes accepted_among(const minplus::Semiring& semiring) {
  ElementTypes types;
  ((semiring.accepts<Types>() ? types.push_back(element_type<Types>) : void()), ...);
  return types;
}

}  // namespace

ElementTypes element_types_of(const minplus::Semiring& semiring) {
  return accepted_among<std::int64_t, std::uint64_t, double, std::int32_t, float, std::int16_t, std::uint8_t>(semiring);
}

NoValue no_value_of(const minplus::Semiring& semiring) {
  if (!semiring.is_selective()) return std::nullopt;
  return semiring.zero<double>();
}

Array::Array(const char* name, nb::handle value, const ElementTypes& accepted, const std::string& dtype,
             const NoValue& none)
    : name_(name) {
  if (PyObject_CheckBuffer(value.ptr()) && !may_be_masked(value) && take(value, accepted) &&
      (dtype.empty() || dtype == dtype_text(type_))) {
    return;
  }
  PyBuffer_Release(&view_);
  if (!take(converted(name, value, accepted, dtype, none), accepted)) {
    PyBuffer_Release(&view_);
    throw Error(ErrorKind::internal, std::string(name) + " was not converted");
  }
}

bool Array::take(nb::handle value, const ElementTypes& accepted) {
  if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    view_ = {};
    return false;
  }
  type_ = element_type_of(view_);
  return std::find(accepted.begin(), accepted.end(), type_) != accepted.end() && lies_in_rows(view_);
}

std::vector<std::size_t> Array::shape() const { return {view_.shape, view_.shape + view_.ndim}; }

std::size_t Array::row_stride() const {
  const std::size_t rows = extent(dimensions() - 2), columns = extent(dimensions() - 1);
  return rows > 1 && size() > 0 ? static_cast<std::size_t>(view_.strides[dimensions() - 2] / view_.itemsize) : columns;
}

std::size_t Array::matrices() const {
  std::size_t count = 1;
  for (std::size_t axis = 0; axis + 2 < dimensions(); ++axis) count *= extent(axis);
  return count;
}

namespace {

/// The integers of an array, or of a value that NumPy makes an array of.
std::vector<std::int64_t> integers_of_array(const char* name, nb::handle value) {
  const Array array(name, value, {element_type<std::int64_t>, element_type<std::int32_t>});
  check_list(array);
  return array.holds<std::int64_t>()
             ? array.values<std::int64_t>()
             : std::vector<std::int64_t>(array.data<std::int32_t>(), array.data<std::int32_t>() + array.size());
}

}  // namespace

std::vector<std::int64_t> integers_of(const char* name, nb::handle value) {
  const bool is_list = PyList_Check(value.ptr()), is_tuple = PyTuple_Check(value.ptr());
  if (!is_list && !is_tuple) return integers_of_array(name, value);
  const Py_ssize_t size = PySequence_Size(value.ptr());
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(size));
  for (Py_ssize_t at = 0; at < size; ++at) {
    PyObject* entry = is_list ? PyList_GetItem(value.ptr(), at) : PyTuple_GetItem(value.ptr(), at);
    if (!PyLong_Check(entry)) return integers_of_array(name, value);  // NumPy's scalars, and what is none
    numbers[static_cast<std::size_t>(at)] = integer_value(name, at, entry);
  }
  return numbers;
}

nb::object array_of(const nb::list& numbers) {
  return nb::module_::import_("warpfold._kinds").attr("host_array")("numbers", numbers);  // NumPy may round them
}

std::vector<std::size_t> leading(const Array& array, std::size_t own) {
  std::vector<std::size_t> shape = array.shape();
  shape.resize(shape.size() - own);
  return shape;
}

std::size_t place_of(const std::vector<std::size_t>& shape, nb::handle index) {
  const nb::tuple indices = nb::isinstance<nb::tuple>(index) ? nb::borrow<nb::tuple>(index) : nb::make_tuple(index);
  if (nb::len(indices) != shape.size()) {  // TypeError: iterating takes IndexError for the end
    throw nb::type_error(fmt::format("a batch of {} takes an index for each dimension", extents_text(shape)).c_str());
  }
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto extent = static_cast<Py_ssize_t>(shape[axis]);
    auto at = integer<Py_ssize_t>("index", indices[axis]);
    if (at < 0) at += extent;
    if (at < 0 || at >= extent) throw nb::index_error("an index lies outside of the batch");
    place = place * shape[axis] + static_cast<std::size_t>(at);
  }
  return place;
}

std::string place_text(const std::vector<std::size_t>& shape, std::size_t at) {
  std::string indices;
  for (std::size_t axis = shape.size(); axis-- > 0; at /= shape[axis]) {
    indices = std::to_string(at % shape[axis]) + (indices.empty() ? "" : ", ") + indices;
  }
  return "problem[" + indices + "]";
}

int depth_of(nb::handle value) {
  if (PyLong_Check(value.ptr())) return 0;
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    return nb::len(value) == 0 ? 1 : 1 + depth_of(value[0]);
  }
  return nb::hasattr(value, "ndim") ? integer<int>("ndim", value.attr("ndim")) : 0;
}

namespace {

ElementType common_type(const ElementType& first, const ElementType& second) {
  if (first.kind == second.kind) return first.bytes > second.bytes ? first : second;
  return first.kind == 'f' || second.kind == 'f' ? element_type<double> : element_type<std::int64_t>;
}

}  // namespace

std::string common_dtype(const std::vector<ElementType>& types) {
  return dtype_text(std::accumulate(types.begin() + 1, types.end(), types.front(), common_type));
}

void check_square(const Array& array) {
  if (array.dimensions() == 2 && array.extent(0) == array.extent(1)) return;
  throw Error(ErrorKind::input,
              fmt::format("{} is {}: a square matrix is accepted", array.name(), extents_text(array)));
}

void check_list(const Array& array) {
  if (array.dimensions() == 1) return;
  throw Error(ErrorKind::input, fmt::format("{} is {}: a list is accepted", array.name(), extents_text(array)));
}

std::string extents_text(const Array& array) {
  if (array.dimensions() == 1) return "a list of " + std::to_string(array.size());
  return extents_text(array.shape());
}

std::string extents_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text.empty() ? "a single number" : text;
}

}  // namespace warpfold::python
