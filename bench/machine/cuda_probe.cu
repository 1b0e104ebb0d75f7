// Do shared and global memory serve warps as the DMM and the UMM do? Each row is a kernel that does the accesses of one
// pattern, experiment, program or loop of src/machine/twins.hpp, with the clock cycles that it takes. The stages that
// the hardware counts come from a profiler, which counts each kernel of `bench_machine probe once`
// (docs/explanation/prediction.md).
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../question.hpp"
#include "machine/prediction.hpp"
#include "machine/twins.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/permutation/plan.hpp"

namespace {

using namespace warpfold;
using machine::Access;
using machine::Experiment;
using machine::Frame;
using machine::Loop;
using machine::Pattern;
using machine::Twin;

void check(cudaError_t status) {
  if (status != cudaSuccess) throw Error(ErrorKind::device, cudaGetErrorString(status));
}

// The two memories. The loads and stores are volatile, so that each stays where the program has it.

/// Waits until a loaded word is there: as on the machines, a thread makes one access at a time. No word is that one.
__device__ void wait_for(int value) {
  asm volatile("{ .reg .pred never; setp.eq.s32 never, %0, -2147483648; @never exit; }" ::"r"(value));
}

struct SharedSpace {
  using Base = std::uint32_t;
  static __device__ Base base(std::uint32_t* shared, std::uint32_t*) {
    return static_cast<Base>(__cvta_generic_to_shared(shared));
  }
  static __device__ int load(Base address) {
    int value;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
    return value;
  }
  static __device__ void write(Base address, int value) {
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  }
};

/// Loads pass the first cache by (.cg), so that every access has the latency of the second.
struct GlobalSpace {
  using Base = std::uint64_t;
  static __device__ Base base(std::uint32_t*, std::uint32_t* global) {
    return static_cast<Base>(__cvta_generic_to_global(global));
  }
  static __device__ int load(Base address) {
    int value;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
    return value;
  }
  static __device__ void write(Base address, int value) {
    asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
  }
};

template <class Space>
struct Words {
  typename Space::Base base;

  /// Starts a load.
  [[nodiscard]] __device__ int load(std::uint32_t i) const { return Space::load(base + 4 * i); }
  [[nodiscard]] __device__ int read(std::uint32_t i) const {
    const int value = load(i);
    wait_for(value);
    return value;
  }
  __device__ void write(std::uint32_t i, int value) const { Space::write(base + 4 * i, value); }
  [[nodiscard]] __device__ Words from(std::uint32_t word) const { return {base + 4 * word}; }
};

struct Thread {
  std::uint32_t id, count;
};

__device__ void barrier() { __syncthreads(); }

constexpr std::uint32_t line = 32;  // arrays start at multiples of this many words

__host__ __device__ constexpr std::uint32_t padded(std::uint32_t words) { return (words + line - 1) / line * line; }

// Programs: the text of src/machine/algorithms, in CUDA.

struct Contiguous {
  std::uint32_t n;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
#pragma unroll 1
    for (std::uint32_t i = t.id; i < n; i += t.count) static_cast<void>(m.read(i));
  }
};

struct Stride {
  std::uint32_t n;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
    const std::uint32_t s = n / t.count;
#pragma unroll 1
    for (std::uint32_t k = 0; k < s; ++k) static_cast<void>(m.read(t.id * s + k));
  }
};

struct TransposeStraightforward {
  std::uint32_t n, side;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> a) const {
#pragma unroll 1
    for (std::uint32_t q = t.id; q < n; q += t.count) {
      const std::uint32_t j = q / side, k = q % side;
      if (j >= k) continue;
      const int x = a.read(j * side + k), y = a.read(k * side + j);
      a.write(j * side + k, y);
      a.write(k * side + j, x);
    }
  }
};

template <class Space>
__device__ void copy(Thread t, Words<Space> a, Words<Space> b, std::uint32_t n) {
#pragma unroll 1
  for (std::uint32_t q = t.id; q < n; q += t.count) b.write(q, a.read(q));
}

struct TransposeDiagonal {
  std::uint32_t n, side;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> a) const {
    const Words<Space> b = a.from(padded(n));
    copy(t, a, b, n);
    barrier();
#pragma unroll 1
    for (std::uint32_t q = t.id; q < n; q += t.count) {
      const std::uint32_t j = q / side, k = q % side, diagonal = (j + k) % side;
      a.write(diagonal * side + k, b.read(k * side + diagonal));
    }
  }
};

/// The place of an index in rows of `full` x `length`, then tail, tail - 1, .., 1 elements.
struct Place {
  std::uint32_t row, column;
};

__device__ Place place_in_trapezoid(std::uint32_t full, std::uint32_t length, std::uint32_t tail, std::uint32_t index) {
  if (index < full * length) return {index / length, index % length};
  const std::uint32_t from_end = full * length + tail * (tail + 1) / 2 - 1 - index;
  auto row = static_cast<std::uint32_t>((sqrtf(static_cast<float>(8 * from_end + 1)) - 1) / 2);
  row += (row + 1) * (row + 2) / 2 <= from_end;
  row -= row * (row + 1) / 2 > from_end;
  return {full + tail - 1 - row, row - (from_end - row * (row + 1) / 2)};
}

/// W words of a thread stay in registers: they are rotated by the bits of i.
template <std::uint32_t W>
struct TransposeRotating {
  std::uint32_t n, side;

  static __device__ void rotate(int (&local)[W], std::uint32_t i) {
#pragma unroll
    for (std::uint32_t step = 1; step < W; step *= 2) {
      int turned[W];
#pragma unroll
      for (std::uint32_t t = 0; t < W; ++t) turned[t] = (i & step) != 0 ? local[(t + W - step) % W] : local[t];
#pragma unroll
      for (std::uint32_t t = 0; t < W; ++t) local[t] = turned[t];
    }
  }

  template <class Space>
  __device__ void operator()(Thread t, Words<Space> a) const {
    const std::uint32_t i = t.id % W, group = t.id / W, groups = t.count / W, across = side / W;
#pragma unroll 1
    for (std::uint32_t block = group; block < across * across; block += groups) {
      const std::uint32_t corner = block / across * W * side + block % across * W;
      int local[W];
#pragma unroll
      for (std::uint32_t k = 0; k < W; ++k) local[k] = a.read(corner + k * side + (k + i) % W);
      rotate(local, i);
#pragma unroll
      for (std::uint32_t k = 0; k < W; ++k) a.write(corner + k * side + (k + W - i) % W, local[k]);
    }
    barrier();
    const std::uint32_t pairs = across * (across - 1) / 2;
#pragma unroll 1
    for (std::uint32_t item = group; item < pairs * W; item += groups) {
      const auto [u, beyond] = place_in_trapezoid(0, 0, across - 1, item / W);
      const std::uint32_t v = u + 1 + beyond, k = item % W;
      const std::uint32_t here = i + (u * W + k) * side + v * W, there = i + (v * W + k) * side + u * W;
      const int x = a.read(here), y = a.read(there);
      a.write(here, y);
      a.write(there, x);
    }
  }
};

/// The moves of a thread: source | target << 16. They are in registers when the program starts, so that finding them is
/// no access.
template <std::uint32_t items>
struct Moves {
  std::uint32_t n;
  std::uint32_t moves[items];
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> a) const {
    const Words<Space> b = a.from(padded(n));
    copy(t, a, b, n);
    barrier();
#pragma unroll
    for (std::uint32_t k = 0; k < items; ++k) a.write(moves[k] >> 16, b.read(moves[k] & 0xffff));
  }
};

/// Moves n = `items` p words; the table has the moves in the order of the threads.
template <std::uint32_t items>
struct Permute {
  std::uint32_t n;
  const std::uint32_t* table;
};

template <class Program>
__device__ const Program& prepared(Thread, const Program& program) {
  return program;
}
template <std::uint32_t items>
__device__ Moves<items> prepared(Thread t, const Permute<items>& program) {
  Moves<items> result;
  result.n = program.n;
#pragma unroll
  for (std::uint32_t k = 0; k < items; ++k) {
    result.moves[k] = program.table[t.id + k * t.count];
    asm volatile("" : "+r"(result.moves[k]));  // loads it here
  }
  return result;
}

struct Sum {
  std::uint32_t n;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> a) const {
#pragma unroll 1
    for (std::uint32_t words = n; words > 1;) {
      const std::uint32_t half = (words + 1) / 2;
#pragma unroll 1
      for (std::uint32_t i = t.id; i < words - half; i += t.count) a.write(i, a.read(i) + a.read(i + half));
      barrier();
      words = half;
    }
  }
};

struct PrefixSums {
  std::uint32_t n;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> a) const {
    Words<Space> here = a;
    std::uint32_t size = n, start = 0;
#pragma unroll 1
    for (; size > 1; size /= 2) {
      start += padded(size);
      const Words<Space> above = a.from(start);
#pragma unroll 1
      for (std::uint32_t i = t.id; i < size / 2; i += t.count) above.write(i, here.read(2 * i) + here.read(2 * i + 1));
      barrier();
      here = above;
    }
#pragma unroll 1
    while (size < n) {  // n is a power of 2
      const Words<Space> above = here;
      size *= 2;
      start -= padded(size);
      here = a.from(start);
#pragma unroll 1
      for (std::uint32_t i = t.id; i < size / 2; i += t.count) here.write(2 * i + 1, above.read(i));
      barrier();
#pragma unroll 1
      for (std::uint32_t i = t.id; i < (size - 1) / 2; i += t.count) {
        here.write(2 * i + 2, above.read(i) + here.read(2 * i + 2));
      }
      barrier();
    }
  }
};

struct SdpPipeline {
  std::uint32_t n, terms, step;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> st) const {
    const std::uint32_t j = t.id, first = terms * step, offset = (terms - j) * step;
#pragma unroll 1
    for (std::uint32_t head = first; head <= n + terms - 2; ++head) {
      if (head >= first + j && head - j < n) {
        const std::uint32_t i = head - j;
        int value = st.read(i - offset);
        if (j > 0) value += st.read(i);
        st.write(i, value);
      }
      barrier();
    }
  }
};

struct SdpTwoByTwo {
  std::uint32_t n, terms, step;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> st) const {
    const std::uint32_t first = terms * step, threads = terms / 2, offset = (terms - 2 * t.id) * step;
#pragma unroll 1
    for (std::uint32_t head = first; head <= n + threads - 2; ++head) {
      if (head >= first + t.id && head - t.id < n) {
        const std::uint32_t i = head - t.id;
        int value = 0;
        if (t.id > 0) value = st.read(i);
        value += st.read(i - offset);
        value += st.read(i - offset + step);
        st.write(i, value);
      }
      barrier();
    }
  }
};

constexpr int unknown = 1 << 29;

template <class Space>
__device__ void clear_table(Thread t, std::uint32_t n, Words<Space> m) {
  barrier();
#pragma unroll 1
  for (std::uint32_t q = t.id; q < (n - 2) * (n - 1) / 2; q += t.count) {
    const auto [row, column] = place_in_trapezoid(0, 0, n - 2, q);
    m.write((row + 1) * n + row + 2 + column, unknown);
  }
  barrier();
#pragma unroll 1
  for (std::uint32_t i = 1 + t.id; i <= n - 1; i += t.count) m.write(i * n + i, 0);
}

template <class Space>
__device__ void add_weights(Thread t, std::uint32_t n, std::uint32_t r, Words<Space> m, Words<Space> c) {
#pragma unroll 1
  for (std::uint32_t i = 1 + t.id; i <= n - r - 1; i += t.count) {
    const int x = m.read(i * n + i + r);
    m.write(i * n + i + r, x + c.read((i - 1) * n + i + r));
  }
}

/// The table M, then the chords.
struct DpOpt {
  std::uint32_t n;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
    const Words<Space> c = m.from(padded(n * n));
    clear_table(t, n, m);
#pragma unroll 1
    for (std::uint32_t r = 1; r <= n - 2; ++r) {
      barrier();
#pragma unroll 1
      for (std::uint32_t i = 1 + t.id; i <= n - r - 1; i += t.count) {
#pragma unroll 1
        for (std::uint32_t j = i; j <= i + r - 1; ++j) {
          const int best = m.read(i * n + i + r), x = m.read(i * n + j), y = m.read((j + 1) * n + i + r);
          m.write(i * n + i + r, min(best, x + y));
        }
      }
      barrier();
      add_weights(t, n, r, m, c);
    }
  }
};

/// The table M, the chords, then b.
struct UmmOpt {
  std::uint32_t n;
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
    const Words<Space> c = m.from(padded(n * n)), b = c.from(padded(n * n));
    clear_table(t, n, m);
#pragma unroll 1
    for (std::uint32_t r = 1; r <= n - 2; ++r) {
      barrier();
#pragma unroll 1
      for (std::uint32_t i = 1 + t.id; i <= n - r; i += t.count) b.write(i, m.read(i * n + i + r - 1));
      const std::uint32_t full = n > 2 * r ? n - 2 * r : 0, tail = n - r - 1 - full;
      const std::uint32_t size = full * r + tail * (tail + 1) / 2;
      barrier();
#pragma unroll 1
      for (std::uint32_t q = t.id; q < size; q += t.count) {
        const auto [row, column] = place_in_trapezoid(full, r, tail, q);
        const std::uint32_t i = row + 1, j = i + r + column;
        const int best = m.read(i * n + j), x = m.read(i * n + i + r - 1), y = m.read((i + r) * n + j);
        m.write(i * n + j, min(best, x + y));
      }
      barrier();
#pragma unroll 1
      for (std::uint32_t q = t.id; q < size; q += t.count) {
        const auto [row, column] = place_in_trapezoid(full, r, tail, q);
        const std::uint32_t i = row + 1, j = i + r + column;
        const int best = m.read(i * n + j), x = m.read(i * n + j - r), y = b.read(j - r + 1);
        m.write(i * n + j, min(best, x + y));
      }
      barrier();
      add_weights(t, n, r, m, c);
    }
  }
};

/// M(i,j) at (i, j) or, if sliding, at (j - i, j).
template <bool sliding>
struct OptThreads {
  std::uint32_t n;

  [[nodiscard]] __device__ std::uint32_t place(std::uint32_t i, std::uint32_t j) const {
    return (sliding ? j - i : i) * n + j;
  }
  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
    const Words<Space> c = m.from(padded(n * n));
#pragma unroll 1
    for (std::uint32_t i = 1 + t.id; i < n; i += t.count) m.write(place(i, i), 0);
#pragma unroll 1
    for (std::uint32_t r = 1; r + 2 <= n; ++r) {
      barrier();
#pragma unroll 1
      for (std::uint32_t i = 1 + t.id; i + r < n; i += t.count) {
        const std::uint32_t j = i + r;
        int best = unknown;
#pragma unroll 1
        for (std::uint32_t k = i; k < j; ++k) {
          const int x = m.read(place(i, k)), y = m.read(place(k + 1, j));
          best = min(best, x + y);
        }
        m.write(place(i, j), best + c.read((i - 1) * n + j));
      }
    }
  }
};

/// M(i,j) at (i, j) and, if mirroring, at (j, i) too. The table M, the chords, then half a word for each thread,
/// through which a block of 32 threads finds a minimum.
template <bool mirroring>
struct OptBlocks {
  std::uint32_t n;

  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
    constexpr std::uint32_t size = 32;
    const Words<Space> c = m.from(padded(n * n)), exchange = c.from(padded(n * n)).from(t.id / size * (size / 2));
    const std::uint32_t lane = t.id % size, blocks = t.count / size;
#pragma unroll 1
    for (std::uint32_t i = 1 + t.id; i < n; i += t.count) m.write(i * n + i, 0);
#pragma unroll 1
    for (std::uint32_t r = 1; r + 2 <= n; ++r) {
#pragma unroll 1
      for (std::uint32_t first = 1; first + r < n; first += blocks) {
        const std::uint32_t i = first + t.id / size, j = i + r;
        const bool active = j < n;
        int best = unknown;
        barrier();
#pragma unroll 1
        for (std::uint32_t k = i + lane; active && k < j; k += size) {
          const int x = m.read(i * n + k), y = m.read(mirroring ? j * n + k + 1 : (k + 1) * n + j);
          best = min(best, x + y);
        }
#pragma unroll 1
        for (std::uint32_t half = size / 2; half > 0; half /= 2) {
          barrier();
          if (active && lane >= half && lane < 2 * half) exchange.write(lane - half, best);
          barrier();
          if (active && lane < half) best = min(best, exchange.read(lane));
        }
        barrier();
        if (!active || lane > 0) continue;
        const int value = best + c.read((i - 1) * n + j);
        m.write(i * n + j, value);
        if (mirroring) m.write(j * n + i, value);
      }
    }
  }
};

// Loops.

/// Integer operations that each wait for the one before. No compiler merges additions with exclusive disjunctions.
template <std::uint32_t count>
__device__ int operate(int value, int zero) {
#pragma unroll
  for (int k = 0; k < static_cast<int>(count); ++k) {
    if (k % 2 == 0) asm volatile("add.s32 %0, %0, %1;" : "+r"(value) : "r"(zero));
    if (k % 2 == 1) asm volatile("xor.b32 %0, %0, %1;" : "+r"(value) : "r"(zero));
  }
  return value;
}

/// A loop of src/machine/twins.hpp over words that are 0. The place of a load depends on what the load before returned.
template <Access kind, std::uint32_t at_once, std::uint32_t operations, bool has_barrier, bool is_unrolled>
struct Repeat {
  std::uint32_t stride, words_of_warp;
  int zero;

  template <class Space>
  __device__ void operator()(Thread t, Words<Space> m) const {
    std::uint32_t place = t.id % line * stride + t.id / line * words_of_warp;
#pragma unroll(is_unrolled ? 16 : 1)
    for (std::uint32_t turn = 0; turn < machine::turns_of_loop; ++turn) {
      if constexpr (kind == Access::store) {
        m.write(place, zero);
      } else {
        int values[at_once];
#pragma unroll
        for (std::uint32_t j = 0; j < at_once; ++j) values[j] = m.load(place + j * line);
        int all = 0;  // one wait: the compiler would move a load behind the wait for another
#pragma unroll
        for (std::uint32_t j = 0; j < at_once; ++j) all |= values[j];
        wait_for(all);
        place += static_cast<std::uint32_t>(operate<operations>(all, zero));
      }
      if constexpr (has_barrier) barrier();
    }
  }
};

/// A kernel's frame alone.
struct Nothing {
  template <class Space>
  __device__ void operator()(Thread, Words<Space>) const {}
};

// Kernels.

extern __shared__ std::uint32_t shared_words[];

/// Runs a program in one block. With `in_shared` the words are in shared memory meanwhile: `words` / 32 wavefronts
/// store them there, and as many load them.
template <class Space, bool in_shared, class Program>
__global__ void twin(const __grid_constant__ Program program, std::uint32_t* global, std::uint32_t words,
                     long long* cycles) {
  const Thread t{threadIdx.x, blockDim.x};
  const auto& ready = prepared(t, program);
  for (std::uint32_t i = t.id; in_shared && i < words; i += t.count) shared_words[i] = global[i];
  __syncthreads();
  const long long start = clock64();
  ready(t, Words<Space>{Space::base(shared_words, global)});
  __syncthreads();
  if (t.id == 0) *cycles = clock64() - start;
  for (std::uint32_t i = t.id; in_shared && i < words; i += t.count) global[i] = shared_words[i];
}

constexpr std::uint32_t lanes_of_warp = 32;

struct Lanes {
  std::uint32_t element[lanes_of_warp];
  std::uint32_t advance, period;  // of a pattern that advances
};

template <bool in_shared>
__device__ std::uint64_t address_of(std::uint32_t* global, std::uint32_t element, std::uint32_t bytes) {
  if constexpr (in_shared) return SharedSpace::base(shared_words, nullptr) + element * bytes;
  return GlobalSpace::base(nullptr, global) + std::uint64_t{element} * bytes;
}

template <std::uint32_t Bytes>
__device__ std::uint32_t load_shared(std::uint32_t address) {
  std::uint32_t x, y = 0, z = 0, w = 0;
  if constexpr (Bytes == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(x) : "r"(address));
  if constexpr (Bytes == 2) asm volatile("ld.shared.u16 %0, [%1];" : "=r"(x) : "r"(address));
  if constexpr (Bytes == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(address));
  if constexpr (Bytes == 8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(address));
  if constexpr (Bytes == 16) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(address));
  }
  return x;
}

template <std::uint32_t Bytes>
__device__ std::uint32_t load_global(std::uint64_t address) {
  std::uint32_t x, y = 0, z = 0, w = 0;
  if constexpr (Bytes == 1) asm volatile("ld.global.cg.u8 %0, [%1];" : "=r"(x) : "l"(address));
  if constexpr (Bytes == 2) asm volatile("ld.global.cg.u16 %0, [%1];" : "=r"(x) : "l"(address));
  if constexpr (Bytes == 4) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(address));
  if constexpr (Bytes == 8) asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(address));
  if constexpr (Bytes == 16) {
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(address));
  }
  return x;
}

/// One access to zeros, which returns 0. A store returns `zero`.
template <bool in_shared, std::uint32_t Bytes, Access kind>
__device__ std::uint32_t access(std::uint64_t address, std::uint32_t zero) {
  const auto narrow = static_cast<std::uint32_t>(address);
  std::uint32_t x = zero;
  if constexpr (kind == Access::load && in_shared) return load_shared<Bytes>(narrow);
  if constexpr (kind == Access::load && !in_shared) return load_global<Bytes>(address);
  if constexpr (kind == Access::cached_load) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(address));
  if constexpr (kind == Access::store) asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(zero));
  if constexpr (kind == Access::atomic_add && in_shared) {
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(x) : "r"(narrow), "r"(zero));
  }
  if constexpr (kind == Access::atomic_add && !in_shared) {
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(x) : "l"(address), "r"(zero));
  }
  return x;
}

/// One warp accesses zeros. Each address depends on what the access before returned.
template <bool in_shared, std::uint32_t Bytes, Access kind, bool advances>
__global__ void chain(const __grid_constant__ Lanes lanes, std::uint32_t* global, std::uint32_t words,
                      long long* cycles) {
  for (std::uint32_t i = threadIdx.x; in_shared && i < words; i += lanes_of_warp) shared_words[i] = 0;
  std::uint32_t element = lanes.element[threadIdx.x], zero = 0;
  __syncwarp();
  const long long start = clock64();
#pragma unroll 16
  for (std::uint32_t k = 0; k < machine::accesses_of_pattern; ++k) {
    const std::uint32_t here = advances ? element + (k * lanes.advance & (lanes.period - 1)) : element;
    zero = access<in_shared, Bytes, kind>(address_of<in_shared>(global, here, Bytes), zero);
    element += zero;
  }
  __syncwarp();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - start + (element == ~0u);
}

/// Leaves the addresses of a pattern's first access.
template <bool in_shared>
__global__ void trace(const __grid_constant__ Lanes lanes, std::uint32_t* global, std::uint32_t bytes,
                      std::uint64_t* addresses) {
  addresses[threadIdx.x] = address_of<in_shared>(global, lanes.element[threadIdx.x], bytes);
}

// Host.

/// Words of a GPU, and the cycles that a kernel leaves.
class Device {
 public:
  explicit Device(std::size_t words) : words_(words) {
    check(cudaMalloc(&memory_, words * sizeof(std::uint32_t)));
    check(cudaMalloc(&cycles_, sizeof(long long)));
    check(cudaMalloc(&table_, max_moves * sizeof(std::uint32_t)));
    check(cudaMalloc(&eviction_, eviction_bytes));
  }
  ~Device() {
    cudaFree(eviction_);
    cudaFree(table_);
    cudaFree(memory_);
    cudaFree(cycles_);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void fill(const std::vector<std::int32_t>& content) {
    check(cudaMemset(memory_, 0, words_ * sizeof(std::uint32_t)));
    check(cudaMemcpy(memory_, content.data(), content.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice));
  }
  /// Copies a table to the GPU, where it stays until the next.
  const std::uint32_t* keep_table(const std::vector<std::uint32_t>& table) {
    bench::require(table.size() <= max_moves, "the table is too long");
    check(cudaMemcpy(table_, table.data(), table.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
    return table_;
  }
  /// Leaves nothing of the words in the second cache.
  void evict() const { check(cudaMemset(eviction_, 0, eviction_bytes)); }
  [[nodiscard]] std::vector<std::int32_t> content() const {
    std::vector<std::int32_t> result(words_);
    check(cudaMemcpy(result.data(), memory_, words_ * sizeof(std::int32_t), cudaMemcpyDeviceToHost));
    return result;
  }
  [[nodiscard]] long long cycles() const {
    long long result = 0;
    check(cudaMemcpy(&result, cycles_, sizeof result, cudaMemcpyDeviceToHost));
    return result;
  }
  [[nodiscard]] std::uint32_t* memory() const { return memory_; }
  [[nodiscard]] long long* cycle_counter() const { return cycles_; }

 private:
  static constexpr std::size_t max_moves = 8192, eviction_bytes = 256u << 20;
  std::size_t words_;
  std::uint32_t *memory_ = nullptr, *table_ = nullptr, *eviction_ = nullptr;
  long long* cycles_ = nullptr;
};

template <class Kernel, class... Arguments>
void launch(Kernel* kernel, bool in_shared, std::uint32_t threads, std::uint32_t words, const Arguments&... arguments) {
  const std::size_t bytes = in_shared ? words * sizeof(std::uint32_t) : 0;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  kernel<<<1, threads, bytes>>>(arguments...);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <bool in_shared, Access kind, bool advances>
void launch_chain_of(const Pattern& pattern, const Device& device, std::uint32_t words, const Lanes& lanes) {
  const auto with = [&](auto kernel) {
    launch(kernel, in_shared, lanes_of_warp, words, lanes, device.memory(), words, device.cycle_counter());
  };
  if constexpr (kind == Access::load && !advances) {
    if (pattern.bytes == 1) return with(&chain<in_shared, 1, kind, advances>);
    if (pattern.bytes == 2) return with(&chain<in_shared, 2, kind, advances>);
    if (pattern.bytes == 8) return with(&chain<in_shared, 8, kind, advances>);
    if (pattern.bytes == 16) return with(&chain<in_shared, 16, kind, advances>);
  }
  with(&chain<in_shared, 4, kind, advances>);
}

void launch_chain(const Pattern& pattern, const Device& device, std::uint32_t words, const Lanes& lanes) {
  const auto with = [&](auto kernel) { kernel(pattern, device, words, lanes); };
  const bool advances = pattern.advance > 0;
  if (pattern.space == machine::Space::shared) {
    if (pattern.access == Access::atomic_add) return with(launch_chain_of<true, Access::atomic_add, false>);
    return with(launch_chain_of<true, Access::load, false>);
  }
  if (pattern.access == Access::cached_load) return with(launch_chain_of<false, Access::cached_load, false>);
  if (pattern.access == Access::atomic_add) return with(launch_chain_of<false, Access::atomic_add, false>);
  if (pattern.access == Access::store) return with(launch_chain_of<false, Access::store, true>);
  if (advances) return with(launch_chain_of<false, Access::load, true>);
  with(launch_chain_of<false, Access::load, false>);
}

/// Launches a program in its frame.
template <class Program>
void launch_program(const Frame& frame, const Device& device, const Program& program) {
  if (frame.space == machine::Space::shared) {
    launch(&twin<SharedSpace, true, Program>, true, frame.threads, frame.words, program, device.memory(), frame.words,
           device.cycle_counter());
  } else {
    launch(&twin<GlobalSpace, false, Program>, false, frame.threads, frame.words, program, device.memory(), frame.words,
           device.cycle_counter());
  }
}

std::uint32_t side_of(std::uint32_t n) { return n == 4096 ? 64 : 32; }

/// source | target << 16 of each move, in the order of the threads.
std::vector<std::uint32_t> moves_of(const Twin& what, const machine::RunResult& expected) {
  const auto& targets = expected.inputs.at("permutation");
  const std::vector<std::uint32_t> destination(targets.begin(), targets.end());
  const auto schedule = permutation::conflict_free_schedule(destination, lanes_of_warp, 1);
  std::vector<std::uint32_t> moves;
  for (std::uint32_t i = 0; i < destination.size(); ++i) {
    const std::uint32_t source = what.algorithm == "permute-dmm" ? schedule.sources[i] : i;
    moves.push_back(source | destination[source] << 16);
  }
  return moves;
}

void launch_permute(const Twin& what, Device& device, const machine::RunResult& expected) {
  const auto n = static_cast<std::uint32_t>(what.n), items = n / what.threads;
  const std::uint32_t* const table = device.keep_table(moves_of(what, expected));
  const auto with = [&](const auto& program) { launch_program(frame_of(what), device, program); };
  if (items == 32) return with(Permute<32>{n, table});
  if (items == 8) return with(Permute<8>{n, table});
  bench::require(items == 4, what.title + " has no kernel");
  with(Permute<4>{n, table});
}

void launch_twin(const Twin& what, Device& device, const machine::RunResult& expected) {
  const auto n = static_cast<std::uint32_t>(what.n), side = side_of(n);
  const auto terms = static_cast<std::uint32_t>(what.terms), step = static_cast<std::uint32_t>(what.offset_step);
  const auto with = [&](const auto& program) { launch_program(frame_of(what), device, program); };
  if (what.algorithm == "contiguous") return with(Contiguous{n});
  if (what.algorithm == "stride") return with(Stride{n});
  if (what.algorithm == "transpose-straightforward") return with(TransposeStraightforward{n, side});
  if (what.algorithm == "transpose-diagonal") return with(TransposeDiagonal{n, side});
  if (what.algorithm == "transpose-rotating" && what.space == machine::Space::shared) {
    return with(TransposeRotating<32>{n, side});
  }
  if (what.algorithm == "transpose-rotating") return with(TransposeRotating<8>{n, side});
  if (what.algorithm.starts_with("permute")) return launch_permute(what, device, expected);
  if (what.algorithm == "sum") return with(Sum{n});
  if (what.algorithm == "prefix-sums") return with(PrefixSums{n});
  if (what.algorithm == "sdp-pipeline") return with(SdpPipeline{n, terms, step});
  if (what.algorithm == "sdp-m-by-m") return with(SdpTwoByTwo{n, terms, step});
  if (what.algorithm == "dp-opt") return with(DpOpt{n});
  if (what.algorithm == "opt-threads-naive") return with(OptThreads<false>{n});
  if (what.algorithm == "opt-threads-sliding") return with(OptThreads<true>{n});
  if (what.algorithm == "opt-blocks-naive") return with(OptBlocks<false>{n});
  if (what.algorithm == "opt-blocks-mirroring") return with(OptBlocks<true>{n});
  bench::require(what.algorithm == "umm-opt", what.algorithm + " has no kernel");
  with(UmmOpt{n});
}

template <Access kind, std::uint32_t at_once, std::uint32_t operations, bool has_barrier, bool is_unrolled>
void launch_repeat(const Loop& what, const Device& device) {
  const auto stride =
      static_cast<std::uint32_t>(machine::Expression(what.index).value(1, lanes_of_warp, lanes_of_warp));
  launch_program(frame_of(what), device,
                 Repeat<kind, at_once, operations, has_barrier, is_unrolled>{stride, words_of_warp(what), 0});
}

void launch_loop(const Loop& what, const Device& device) {
  const auto with = [&](auto kernel) { kernel(what, device); };
  if (what.access == Access::store) return with(launch_repeat<Access::store, 1, 0, false, false>);
  if (what.is_unrolled) return with(launch_repeat<Access::load, 1, 0, false, true>);
  if (what.has_barrier && what.operations == 16) return with(launch_repeat<Access::load, 1, 16, true, false>);
  if (what.has_barrier) return with(launch_repeat<Access::load, 1, 0, true, false>);
  if (what.operations == 4) return with(launch_repeat<Access::load, 1, 4, false, false>);
  if (what.operations == 16) return with(launch_repeat<Access::load, 1, 16, false, false>);
  if (what.operations == 64) return with(launch_repeat<Access::load, 1, 64, false, false>);
  if (what.at_once == 2) return with(launch_repeat<Access::load, 2, 0, false, false>);
  if (what.at_once == 4) return with(launch_repeat<Access::load, 4, 0, false, false>);
  if (what.at_once == 8) return with(launch_repeat<Access::load, 8, 0, false, false>);
  bench::require(what.operations == 0 && what.at_once == 1, what.title + " has no kernel");
  with(launch_repeat<Access::load, 1, 0, false, false>);
}

using Integers = std::vector<std::int64_t>;

/// The words of a program before its run: the arrays one after another.
std::vector<std::int32_t> input_of(const Twin& what, const machine::RunResult& run) {
  const auto as_words = [](const Integers& list) { return std::vector<std::int32_t>(list.begin(), list.end()); };
  if (what.algorithm.starts_with("sdp")) return as_words(run.inputs.at("initial"));
  if (!is_triangulation(what)) return as_words(run.inputs.at("words"));
  const auto n = static_cast<std::uint32_t>(what.n);
  std::vector<std::int32_t> words(padded(n * n) + n * n);
  auto next = run.inputs.at("chords").begin();
  for (std::uint32_t i = 0; i + 2 < n; ++i) {
    for (std::uint32_t j = i + 2; j < n; ++j) {
      if (i > 0 || j + 1 < n) words[padded(n * n) + i * n + j] = static_cast<std::int32_t>(*next++);
    }
  }
  return words;
}

bool is_right(const Twin& what, const machine::RunResult& run, const std::vector<std::int32_t>& after) {
  const auto word = [&](std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); };
  if (what.algorithm == "sum") return after[0] == word(run.outputs.at("sum")[0]);
  if (is_triangulation(what)) {
    const std::uint64_t row = what.algorithm.ends_with("sliding") ? what.n - 2 : 1;
    return after[row * what.n + what.n - 1] == word(run.outputs.at("M(1,n-1)")[0]);
  }
  const bool only_reads = what.algorithm == "contiguous" || what.algorithm == "stride";
  const Integers& expected =
      only_reads ? run.inputs.at("words") : run.outputs.at(what.algorithm.starts_with("sdp") ? "ST" : "a");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (after[i] != word(expected[i])) return false;
  }
  return true;
}

long long median(std::vector<long long> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Lanes lanes_of(const Pattern& pattern) {
  const machine::Expression index(pattern.index);
  Lanes lanes{{}, pattern.advance, pattern.period};
  for (std::uint32_t i = 0; i < lanes_of_warp; ++i) {
    lanes.element[i] = static_cast<std::uint32_t>(index.value(i, lanes_of_warp, lanes_of_warp));
  }
  return lanes;
}

/// The words of shared memory that a pattern needs.
std::uint32_t words_of(const Pattern& pattern, const Lanes& lanes) {
  return padded((*std::ranges::max_element(lanes.element) + 1) * std::max(pattern.bytes, 4u) / 4);
}

long long cycles_of(const Pattern& pattern, const Device& device, int repeats, bool evict) {
  const Lanes lanes = lanes_of(pattern);
  std::vector<long long> cycles;
  for (int k = 0; k < repeats; ++k) {
    if (evict) device.evict();
    launch_chain(pattern, device, words_of(pattern, lanes), lanes);
    cycles.push_back(device.cycles());
  }
  return median(cycles);
}

void measure_pattern(const Pattern& pattern, const Device& device, int repeats) {
  bench::keep({{"work", "pattern"},
               {"space", to_string(pattern.space)},
               {"bytes", pattern.bytes},
               {"index", pattern.index},
               {"loads", machine::accesses_of_pattern},
               {"cycles", cycles_of(pattern, device, repeats, false)}});
}

void measure_experiment(const Experiment& experiment, const Device& device, int repeats) {
  bench::keep({{"work", "experiment"},
               {"space", to_string(experiment.pattern.space)},
               {"title", experiment.title},
               {"accesses", machine::accesses_of_pattern},
               {"cycles", cycles_of(experiment.pattern, device, repeats, true)}});
}

/// Prints the first access of a pattern as NVBit's mem_trace does.
void print_trace(const Pattern& pattern, std::size_t number, const Device& device) {
  const bool in_shared = pattern.space == machine::Space::shared;
  std::uint64_t* addresses = nullptr;
  check(cudaMallocManaged(&addresses, lanes_of_warp * sizeof(std::uint64_t)));
  const Lanes lanes = lanes_of(pattern);
  const std::uint32_t words = words_of(pattern, lanes);
  launch(in_shared ? &trace<true> : &trace<false>, in_shared, lanes_of_warp, words, lanes, device.memory(),
         pattern.bytes, addresses);
  machine::TracedAccess access;
  std::copy_n(addresses, lanes_of_warp, access.addresses.begin());
  check(cudaFree(addresses));
  std::puts(machine::trace_line(number, opcode_of(pattern), access).c_str());
}

void measure_twin(const Twin& what, Device& device, int repeats) {
  const machine::RunRequest request = request_of(what);
  const machine::RunResult run = machine::run(machine::find_algorithm(what.algorithm), request);
  const std::vector<std::int32_t> input = input_of(what, run);
  std::vector<long long> cycles;
  for (int k = 0; k < repeats; ++k) {
    device.fill(input);
    launch_twin(what, device, run);
    cycles.push_back(device.cycles());
  }
  bench::require(is_right(what, run, device.content()),
                 what.title + " in " + to_string(what.space) + " memory is wrong");
  bench::keep({{"work", "program"},
               {"space", to_string(what.space)},
               {"program", what.title},
               {"n", what.n},
               {"threads", what.threads},
               {"cycles", median(cycles)}});
}

void measure_loop(const Loop& what, const Device& device, int repeats) {
  std::vector<long long> cycles;
  for (int k = 0; k < repeats; ++k) {
    launch_loop(what, device);
    cycles.push_back(device.cycles());
  }
  bench::keep({{"work", "loop"},
               {"space", to_string(what.space)},
               {"title", what.title},
               {"threads", what.threads},
               {"turns", machine::turns_of_loop},
               {"cycles", median(cycles)}});
}

/// The cycles of a nanosecond, by one long kernel.
void measure_clock(const Device& device) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  float milliseconds = 0;
  long long cycles = 0;
  for (int k = 0; k < 3; ++k) {  // the last has a warm clock
    check(cudaEventRecord(start));
    launch_program({machine::Space::global, 32, 0}, device, Stride{1 << 20});
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&milliseconds, start, end));
    cycles = device.cycles();
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(end));
  bench::keep({{"work", "clock"}, {"cycles_per_nanosecond", static_cast<double>(cycles) / (1e6 * milliseconds)}});
}

void measure_all(int repeats) {
  Device device(1 << 20);
  device.fill({});
  for (const Pattern& pattern : machine::patterns()) measure_pattern(pattern, device, repeats);
  for (const Experiment& experiment : machine::experiments()) measure_experiment(experiment, device, repeats);
  for (const Twin& what : machine::twins()) measure_twin(what, device, repeats);
  device.fill({});
  for (const Loop& what : machine::loops()) measure_loop(what, device, repeats);
  if (repeats == 1) {
    for (const Frame& frame : machine::frames()) launch_program(frame, device, Nothing{});
  } else {
    measure_clock(device);
  }
}

void print_traces() {
  const Device device(1 << 20);
  std::size_t number = 0;
  for (const Pattern& pattern : machine::patterns()) print_trace(pattern, number++, device);
}

void print_names_of_counters() {
  std::string names;
  for (const std::string& name : machine::counters_of_probe()) names += (names.empty() ? "" : ",") + name;
  std::puts(names.c_str());
}

/// Without an argument the times. once: each kernel once, for a profiler. metrics: the counters' names for ncu. trace:
/// the addresses of the patterns.
const bench::Question probe_question("probe", [](const bench::Arguments& arguments) {
  const std::string what = arguments.empty() ? "times" : arguments.front();
  if (what == "metrics") return print_names_of_counters();
  check(cudaFree(nullptr));  // starts the GPU
  if (what == "times") return measure_all(7);
  if (what == "once") return measure_all(1);
  if (what == "trace") return print_traces();
  throw Error(ErrorKind::input, "'" + what + "' is no argument here: once, metrics or trace is");
});

}  // namespace
