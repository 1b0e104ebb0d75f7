#include "core/cuda.hpp"
#include "minplus/kernels.cuh"
#include "minplus/magnitude.hpp"
#include "warpfold/minplus/cuda.hpp"

namespace warpfold::minplus::cuda {

namespace {

using device::BlockShape;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;

constexpr unsigned copy_blocks = 1024, copy_threads = 256;

constexpr std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

/// The padded shape of a product.
template <class T>
struct Shape {
  std::size_t m, p, n;
  Shape(std::size_t rows, std::size_t depth, std::size_t columns)
      : m(round_up(rows, BlockShape<T>::rows)),
        p(round_up(depth, device::chunk_depth<T>)),
        n(round_up(columns, BlockShape<T>::columns)) {}
};

template <class T, class Kernel, class... Arguments>
void launch(Kernel kernel, const device::Product<T>& product, Stream stream, Arguments... arguments) {
  using Block = BlockShape<T>;
  check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(Block::shared_bytes)),
      "reserve shared memory");
  const auto blocks = static_cast<unsigned>(product.m / Block::rows * (product.n / Block::columns));
  kernel<<<blocks, Block::threads, Block::shared_bytes, stream>>>(product, arguments...);
  check_launch("start the product");
}

}  // namespace

template <class T>
struct Plan<T>::State {
  std::size_t m, p, n;
  Shape<T> padded;
  Buffer<T> a, b, c;
  Buffer<std::uint32_t> argmin;

  State(std::size_t rows, std::size_t depth, std::size_t columns, bool with_argmin)
      : m(rows),
        p(depth),
        n(columns),
        padded(rows, depth, columns),
        a(padded.m * padded.p),
        b(padded.p * padded.n),
        c(padded.m * padded.n),
        argmin(with_argmin ? padded.m * padded.n : 0) {}
};

template <class T>
Plan<T>::Plan(std::size_t m, std::size_t p, std::size_t n, bool argmin)
    : state_(std::make_unique<State>(m, p, n, argmin)) {}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;

template <class T>
std::size_t Plan<T>::workspace_bytes(std::size_t m, std::size_t p, std::size_t n, bool argmin) {
  const Shape<T> padded(m, p, n);
  const std::size_t results = padded.m * padded.n;
  return (padded.m * padded.p + padded.p * padded.n + results) * sizeof(T) +
         (argmin ? results * sizeof(std::uint32_t) : 0);
}

template <class T>
void Plan<T>::multiply(const T* a, const T* b, T* c, T largest_total, std::uint32_t* argmin, bool nonnegative,
                       Stream stream) {
  State& s = *state_;
  if (s.m == 0 || s.n == 0) return;
  const auto pad = [&](const T* from, std::size_t rows, std::size_t columns, const Buffer<T>& to,
                       std::size_t padded_rows, std::size_t padded_columns) {
    if (padded_rows * padded_columns == 0) return;
    device::pad_matrix<<<copy_blocks, copy_threads, 0, stream>>>(from, rows, columns, to.data(), padded_rows,
                                                                 padded_columns);
    check_launch("pad a matrix");
  };
  pad(a, s.m, s.p, s.a, s.padded.m, s.padded.p);
  pad(b, s.p, s.n, s.b, s.padded.p, s.padded.n);
  pad(c, s.m, s.n, s.c, s.padded.m, s.padded.n);
  const device::Product<T> product{s.a.data(), s.b.data(), s.c.data(), s.padded.m, s.padded.p, s.padded.n};
  using Arith = device::Arithmetic<MinPlus<T>>;
  if (argmin) {
    launch(device::multiply_tiles_argmin<Arith>, product, stream, s.argmin.data());
  } else if constexpr (std::is_same_v<T, float>) {
    nonnegative ? launch(device::multiply_tiles<device::NonnegativeF32>, product, stream)
                : launch(device::multiply_tiles<Arith>, product, stream);
  } else {
    launch(device::multiply_tiles<Arith>, product, stream);
  }
  device::take_results<<<copy_blocks, copy_threads, 0, stream>>>(s.c.data(), s.argmin.data(), s.m, s.n, s.padded.n,
                                                                 infinite_from(largest_total), c, argmin);
  check_launch("take the results");
}

template class Plan<std::int32_t>;
template class Plan<std::int64_t>;
template class Plan<float>;
template class Plan<double>;

}  // namespace warpfold::minplus::cuda
