#include <fmt/format.h>

#include "binding.hpp"

namespace warpfold::python {

namespace {

std::string refusal(const char* name, nb::handle value, const char* accepted) {
  return one_line(fmt::format("{} is {}: {}", name, shown(value), accepted));
}

}  // namespace

std::string shown(nb::handle value) {
  constexpr std::size_t most = 60;
  std::string text;
  for (const char character : std::string_view(nb::repr(value).c_str())) {
    const bool is_space = character == ' ' || character == '\n';
    if (!is_space || (!text.empty() && text.back() != ' ')) text += is_space ? ' ' : character;
  }
  return text.size() <= most ? text : text.substr(0, most) + "..";
}

void reject_type(const char* name, nb::handle value, const char* accepted) {
  throw nb::type_error(refusal(name, value, accepted).c_str());
}

void reject_value(const char* name, nb::handle value, const char* accepted) {
  throw nb::value_error(refusal(name, value, accepted).c_str());
}

nb::object index_of(const char* name, nb::handle value) {
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (index.is_valid()) return index;
  PyErr_Clear();
  reject_type(name, value, "an integer is accepted");
}

double real(const char* name, nb::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  constexpr const char* accepted = "a number that float64 holds is accepted";
  const bool is_beyond = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  if (is_beyond) throw Error(ErrorKind::overflow, refusal(name, value, accepted));
  reject_type(name, value, accepted);
}

bool truth(const char* name, nb::handle value) {
  for (const bool candidate : {true, false}) {  // NumPy's are equal to Python's, and no array or text is
    if (PyObject_RichCompareBool(value.ptr(), candidate ? Py_True : Py_False, Py_EQ) == 1) return candidate;
    PyErr_Clear();
  }
  reject_type(name, value, "True or False is accepted");
}

std::string text(const char* name, nb::handle value, const char* accepted) {
  std::string result;
  if (!nb::try_cast(value, result)) reject_type(name, value, accepted);
  return result;
}

std::vector<std::int64_t> AmountUnit::list(const char* name, nb::handle value) const {
  return unit_.is_none() ? integers_of(name, value) : integers_of(name, unit_.attr("numbers")(name, value));
}

std::int64_t AmountUnit::number(const char* name, nb::handle value) const {
  return unit_.is_none() ? integer<std::int64_t>(name, value)
                         : integer<std::int64_t>(name, unit_.attr("number")(name, value));
}

nb::object AmountUnit::amount(std::int64_t units) const {
  return unit_.is_none() ? nb::object(nb::int_(units)) : nb::object(unit_.attr("amount")(units));
}

std::string AmountUnit::text() const { return unit_.is_none() ? "1" : nb::str(unit_).c_str(); }

std::optional<std::int64_t> AmountUnit::from(const AmountUnit& other, std::int64_t units) const {
  const nb::object number = module().attr("converted_units")(units, other.unit_, unit_);
  return number.is_none() ? std::nullopt : std::optional(nb::cast<std::int64_t>(number));
}

nb::tuple parts_of(const char* name, nb::handle value, std::size_t least, std::size_t most, const char* accepted) {
  if (!PyTuple_Check(value.ptr()) && !PyList_Check(value.ptr())) reject_type(name, value, accepted);
  nb::tuple parts(nb::borrow(value));
  if (nb::len(parts) < least || nb::len(parts) > most) reject_value(name, value, accepted);
  return parts;
}

namespace {

/// Python refuses to read or write more than 4300 digits at once, as it takes the square of their number.
constexpr std::size_t digits_at_once = 4000;

nb::object ten_to(std::size_t power) { return nb::int_(10).attr("__pow__")(power); }

}  // namespace

nb::object integer_of(const std::string& digits) {
  nb::object number = nb::int_(0);
  for (std::size_t at = 0; at < digits.size(); at += digits_at_once) {
    const std::string some = digits.substr(at, digits_at_once);
    number = number * ten_to(some.size()) + nb::steal(PyLong_FromString(some.c_str(), nullptr, 10));
  }
  return number;
}

std::string digits_of(const char* name, nb::handle value) {
  nb::object left = index_of(name, value);
  const nb::object base = ten_to(digits_at_once);
  std::string digits;
  for (; left >= base; left = left.floor_div(base)) {
    digits.insert(0, fmt::format("{:0>{}}", nb::str(left % base).c_str(), digits_at_once));
  }
  return nb::str(left).c_str() + digits;
}

}  // namespace warpfold::python
