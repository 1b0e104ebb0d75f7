#include <string>

#include "core/number_types.hpp"
#include "minplus/launch.cuh"
#include "minplus/tuning.hpp"
#include "warpfold/minplus/cuda.hpp"

namespace warpfold::minplus::cuda {

namespace {

using device::BlockShape;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::LastUse;

constexpr unsigned copy_blocks = 2048, copy_threads = 256;

dim3 copy_grid(std::size_t matrices) { return dim3(copy_blocks, static_cast<unsigned>(matrices)); }

constexpr std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

/// The content of a register: one value, or several columns of a narrow type.
template <class T>
using Word = std::conditional_t<(sizeof(T) < 4), std::uint32_t, T>;

/// A padded shape that complete blocks divide. With argmin each narrow value takes its own register.
template <class T>
struct Padded {
  std::size_t m, p, n;
  std::size_t batch, a_count, b_count;

  Padded(const Shape& shape, bool argmin)
      : m(round_up(shape.m, BlockShape<Word<T>>::rows)),
        p(round_up(shape.p, tiles::deepest_chunk(sizeof(Word<T>)))),
        n(round_up(shape.n, BlockShape<Word<T>>::columns * lanes(argmin))),
        batch(shape.batch),
        a_count(shape.one_a ? 1 : shape.batch),
        b_count(shape.one_b ? 1 : shape.batch) {}

  static constexpr std::size_t lanes(bool argmin) { return argmin ? 1 : sizeof(Word<T>) / sizeof(T); }
  [[nodiscard]] std::size_t a_words() const { return a_count * m * p; }
  [[nodiscard]] std::size_t b_words(bool argmin) const { return b_count * p * n / lanes(argmin); }
  [[nodiscard]] std::size_t c_words(bool argmin) const { return batch * m * n / lanes(argmin); }
  [[nodiscard]] std::size_t argmin_words(bool argmin) const { return argmin ? batch * m * n : 0; }
};

/// Calls visit(Arithmetic) for the semiring. `Of` makes one of core/semiring.hpp's semirings of T.
template <template <class> class Of, class T, class Visit>
void with_arithmetic(Semiring semiring, Visit visit) {
  with_choosing_tag<T>(semiring, [&]<class Tag>(Tag) { visit(Of<Tag>{}); });
}

/// The same, but f32 of (min,+) without negative entries takes the shorter way.
template <class S, class Visit>
void with_shortest_arithmetic(Semiring semiring, bool nonnegative, Visit visit) {
  if constexpr (std::is_same_v<S, float>) {
    if (nonnegative && semiring.kind == Semiring::min_plus) return visit(device::NonnegativeF32{});
  }
  with_arithmetic<device::Arithmetic, S>(semiring, visit);
}

/// Whether a product with argmin notes terms. Its chunks need room in shared memory. f64 compares every term anyway.
template <class Arith, class S = typename Arith::Value>
bool notes_terms(std::size_t terms) {
  using Noting = device::NotingShape<S>;
  if (terms < cuda_notes_from_terms || terms > tiles::device::max_noted_groups * Noting::terms) return false;
  const int capability = warpfold::cuda::capability_of(device::multiply_tiles_noting<Arith>);
  return warpfold::cuda::blocks_in_shared_memory(capability, Noting::shared_bytes) >= device::NotingBlock<S>::blocks;
}

template <class T, class W>
void start_product(Semiring semiring, const device::Product<W>& product, std::size_t batch, bool nonnegative,
                   Stream stream) {
  const auto run = [&]<class Arith>(Arith) { device::launch(device::multiply_tiles<Arith>, product, batch, stream); };
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    run(device::OrAndQuad{});
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    with_arithmetic<device::PairArithmetic, T>(semiring, run);
  } else {
    with_shortest_arithmetic<T>(semiring, nonnegative, run);
  }
}

}  // namespace

template <class T>
struct Plan<T>::State {
  int device;
  Shape shape;
  Semiring semiring;
  bool argmin;
  Padded<T> padded;
  Buffer<Word<T>> a, b, c;
  Buffer<std::uint32_t> index;
  LastUse last_use;

  State(const Shape& of_shape, Semiring of_semiring, bool with_argmin)
      : device(DeviceScope::current()),
        shape(of_shape),
        semiring(of_semiring),
        argmin(with_argmin),
        padded(of_shape, with_argmin),
        a(padded.a_words()),
        b(padded.b_words(argmin)),
        c(padded.c_words(argmin)),
        index(padded.argmin_words(argmin)) {}

  /// The steps of a product: the factors and C are packed as type S, `Lanes` values per word, multiplied, and C is
  /// unpacked.
  template <class S, int Lanes, class Start>
  void run(const T* from_a, const T* from_b, T* to_c, std::uint32_t* to_argmin, Stream stream, Start start) {
    using W = std::conditional_t<Lanes == 1, S, Word<T>>;
    const Packing<T, S> packing(semiring);
    const device::Packed<T, S> left{from_a, reinterpret_cast<S*>(a.data()), shape.m, shape.p, padded.m, padded.p,
                                    packing};
    const device::Packed<T, S> right{from_b, reinterpret_cast<S*>(b.data()), shape.p, shape.n, padded.p, padded.n,
                                     packing};
    const device::Packed<T, S> result{to_c,   reinterpret_cast<S*>(c.data()), shape.m, shape.n, padded.m, padded.n,
                                      packing};
    device::pack_transposed<Lanes><<<copy_grid(padded.a_count), dim3(32, copy_threads / 32), 0, stream>>>(left);
    device::pack<false><<<copy_grid(padded.b_count), copy_threads, 0, stream>>>(right);
    device::pack<true><<<copy_grid(padded.batch), copy_threads, 0, stream>>>(result);
    check_launch("pack the matrices");
    const std::size_t columns = padded.n / Lanes;
    start(device::Product<W>{reinterpret_cast<W*>(a.data()), reinterpret_cast<W*>(b.data()),
                             reinterpret_cast<W*>(c.data()), padded.m, padded.p, columns,
                             shape.one_a ? 0 : padded.m * padded.p, shape.one_b ? 0 : padded.p * columns},
          left, right);
    device::unpack<<<copy_grid(padded.batch), copy_threads, 0, stream>>>(result, to_c, index.data(), to_argmin);
    check_launch("unpack the results");
    last_use.record(stream);
  }

  /// A product with argmin of packed factors. Its search packs them again, with contiguous terms.
  template <class S>
  void choose(const device::Product<S>& product, const device::Packed<T, S>& left, const device::Packed<T, S>& right,
              bool nonnegative, Stream stream) {
    with_shortest_arithmetic<S>(semiring, nonnegative, [&]<class Arith>(Arith) {
      if constexpr (!std::is_same_v<S, double>) {
        if (notes_terms<Arith>(product.p)) {
          device::launch_noting<Arith>(product, padded.batch, stream, index.data());
          device::pack<false><<<copy_grid(padded.a_count), copy_threads, 0, stream>>>(left);
          device::pack_transposed<1><<<copy_grid(padded.b_count), dim3(32, copy_threads / 32), 0, stream>>>(right);
          check_launch("pack the matrices");
          return device::launch_search<Arith>(product, padded.batch, stream, index.data());
        }
      }
      device::launch(device::multiply_tiles_argmin<Arith>, product, padded.batch, stream, index.data());
    });
  }
};

template <class T>
Plan<T>::Plan(const Shape& shape, Semiring semiring, bool argmin) {
  constexpr std::size_t max_blocks = 65535;  // in a launch's second dimension
  if (!semiring.accepts<T>() || !semiring.is_selective()) {
    throw Error(ErrorKind::usage, to_string(semiring) + " is not there for this type on a GPU");
  }
  if (shape.batch > max_blocks) {
    throw Error(ErrorKind::usage, "the batch is " + std::to_string(shape.batch) + ": up to " +
                                      std::to_string(max_blocks) + " are accepted");
  }
  const DeviceScope scope(DeviceScope::current());  // this build may have no code for it
  state_ = std::make_unique<State>(shape, semiring, argmin);
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;

template <class T>
std::size_t Plan<T>::workspace_bytes(const Shape& shape, bool argmin) {
  const Padded<T> padded(shape, argmin);
  return (padded.a_words() + padded.b_words(argmin) + padded.c_words(argmin)) * sizeof(Word<T>) +
         padded.argmin_words(argmin) * sizeof(std::uint32_t);
}

template <class T>
void Plan<T>::multiply(const T* a, const T* b, T* c, std::uint32_t* argmin, bool nonnegative, Stream stream) {
  State& s = *state_;
  if (s.shape.m == 0 || s.shape.n == 0 || s.shape.batch == 0) return;
  const DeviceScope scope(s.device);
  if (s.argmin) {
    using S = ArgminType<T>;
    // Or-and of 0 and 1 is (max,min).
    s.template run<S, 1>(a, b, c, argmin, stream, [&](const auto& product, const auto& left, const auto& right) {
      s.choose(product, left, right, nonnegative, stream);
    });
  } else {
    constexpr int lanes = Padded<T>::lanes(false);
    s.template run<T, lanes>(a, b, c, nullptr, stream, [&](const device::Product<Word<T>>& product, const auto&...) {
      start_product<T>(s.semiring, product, s.padded.batch, nonnegative, stream);
    });
  }
}

#define WARPFOLD_INSTANTIATE(T) template class Plan<T>;
WARPFOLD_FOR_EACH_CHOOSING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cuda
