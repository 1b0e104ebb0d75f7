#include <fmt/format.h>

#include "binding.hpp"
#include "core/exact_type.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/minplus/cuda.hpp"

/// Functions for arrays that stay on a GPU: addresses in and out, on the caller's stream. _device.py knows the arrays'
/// library. It has made their GPU current and the arrays dense.
namespace warpfold::python {

namespace {

/// A device address, as a Python integer.
template <class T>
T* at(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

template <class T>
void multiply_in(const minplus::cuda::Shape& shape, minplus::Semiring semiring, std::uintptr_t a, std::uintptr_t b,
                 std::uintptr_t c, std::uintptr_t argmin, std::uintptr_t stream) {
  const GilReleased released;
  minplus::cuda::Plan<T> plan(shape, semiring, argmin != 0);  // which waits for its product where it ends
  plan.multiply(at<const T>(a), at<const T>(b), at<T>(c), at<std::uint32_t>(argmin), false, at<CUstream_st>(stream));
}

void multiply(const std::string& dtype, const std::string& semiring, const std::vector<std::size_t>& extents,
              bool one_a, bool one_b, std::uintptr_t a, std::uintptr_t b, std::uintptr_t c, std::uintptr_t argmin,
              std::uintptr_t stream) {
  const minplus::cuda::Shape shape{extents.at(0), extents.at(1), extents.at(2), extents.at(3), one_a, one_b};
  const minplus::Semiring over = minplus::parse_semiring(semiring);
  if (dtype == "uint8") return multiply_in<std::uint8_t>(shape, over, a, b, c, argmin, stream);
  if (dtype == "int16") return multiply_in<std::int16_t>(shape, over, a, b, c, argmin, stream);
  if (dtype == "int32") return multiply_in<std::int32_t>(shape, over, a, b, c, argmin, stream);
  if (dtype == "int64") return multiply_in<std::int64_t>(shape, over, a, b, c, argmin, stream);
  if (dtype == "float32") return multiply_in<float>(shape, over, a, b, c, argmin, stream);
  if (dtype == "float64") return multiply_in<double>(shape, over, a, b, c, argmin, stream);
  throw nb::type_error(
      ("a is of dtype " + dtype + ": uint8, int16, int32, int64, float32 and float64 are accepted on a GPU").c_str());
}

template <class T>
void triangulate_in(std::size_t polygons, std::size_t n, std::uintptr_t weights, double largest_total, bool nonnegative,
                    std::uintptr_t costs, std::uintptr_t triangles, std::uintptr_t stream) {
  if (largest_total > static_cast<double>(largest_accepted_total<T>)) {
    throw Error(ErrorKind::overflow, fmt::format("4 (n-3) times the largest weight does not fit {}", dtype_name<T>()));
  }
  const GilReleased released;
  const std::vector<std::size_t> sizes(polygons, n);
  interval::cuda::Plan<T> plan(sizes);
  auto* const on = at<CUstream_st>(stream);
  plan.solve(at<const T>(weights), 0, {static_cast<T>(largest_total), nonnegative}, on);
  plan.costs(at<T>(costs), on);
  plan.structure(at<interval::Triangle>(triangles), on);
}

void triangulate(const std::string& dtype, std::size_t polygons, std::size_t n, std::uintptr_t weights,
                 double largest_total, bool nonnegative, std::uintptr_t costs, std::uintptr_t triangles,
                 std::uintptr_t stream) {
  const auto solve = [&]<class T>(T) {
    triangulate_in<T>(polygons, n, weights, largest_total, nonnegative, costs, triangles, stream);
  };
  if (dtype == "int32") return solve(std::int32_t{});
  if (dtype == "int64") return solve(std::int64_t{});
  if (dtype == "float32") return solve(float{});
  if (dtype == "float64") return solve(double{});
  throw nb::type_error(
      ("problem is of dtype " + dtype + ": int32, int64, float32 and float64 are accepted on a GPU").c_str());
}

}  // namespace

void bind_device(nb::module_& module) {
  module.def("device_matmul", &multiply, "dtype"_a, "semiring"_a, "extents"_a, "one_a"_a, "one_b"_a, "a"_a, "b"_a,
             "c"_a, "argmin"_a, "stream"_a);
  module.def("device_triangulate", &triangulate, "dtype"_a, "polygons"_a, "n"_a, "weights"_a, "largest_total"_a,
             "nonnegative"_a, "costs"_a, "triangles"_a, "stream"_a);
}

}  // namespace warpfold::python
