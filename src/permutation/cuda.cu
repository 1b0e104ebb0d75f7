#include <algorithm>
#include <cmath>
#include <cub/device/device_scan.cuh>
#include <optional>
#include <string>
#include <vector>

#include "permutation/gpu_tuning.hpp"
#include "permutation/one_pass.cuh"
#include "permutation/tiled_form.hpp"
#include "permutation/two_passes.cuh"
#include "permutation/word_types.hpp"
#include "run/cuda.hpp"
#include "warpfold/permutation/cuda.hpp"
#include "warpfold/permutation/form.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/stored_plan.hpp"
#include "warpfold/permutation/two_passes.hpp"

namespace warpfold::permutation::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::LastUse;
using warpfold::cuda::reserve_shared;

constexpr std::uint32_t list_threads = 256;
constexpr std::uint32_t list_words = list_threads * device::at_once;

std::uint32_t divide_up(std::size_t n, std::size_t unit) { return static_cast<std::uint32_t>((n + unit - 1) / unit); }

/// Calls visit with both conditions as types.
template <class Visit>
void with_constants(bool first, bool second, const Visit& visit) {
  const auto with = [&](auto one) { second ? visit(one, std::true_type{}) : visit(one, std::false_type{}); };
  first ? with(std::true_type{}) : with(std::false_type{});
}

/// A kernel's launch with one block for each part of each array.
struct Launch {
  std::uint32_t parts;
  std::uint32_t arrays;
  std::uint32_t threads;
  std::size_t shared_bytes;
  Stream stream;

  template <class... Parameters, class... Arguments>
  void operator()(void (*kernel)(Parameters...), Arguments... arguments) const {
    if (shared_bytes > 0) reserve_shared(kernel, shared_bytes);
    kernel<<<dim3(parts, arrays), threads, shared_bytes, stream>>>(arguments...);
    check_launch("move words");
  }
};

/// What an algorithm holds on the device, and how it moves words.
class Mover {
 public:
  virtual ~Mover() = default;
  virtual void move(const void* from, void* to, bool back, Stream stream) = 0;
  [[nodiscard]] virtual std::size_t bytes_moved() const = 0;
  [[nodiscard]] virtual std::size_t bytes_held() const = 0;
  [[nodiscard]] virtual StoredPlan stored() const = 0;
};

template <class T>
std::vector<T> to_host(const Buffer<T>& values) {
  std::vector<T> list(values.size());
  check(cudaMemcpy(list.data(), values.data(), values.bytes(), cudaMemcpyDeviceToHost), "copy a plan");
  return list;
}

/// What every mover knows.
struct Batch {
  std::uint32_t n;
  std::uint32_t arrays;
  std::size_t word_bytes;

  [[nodiscard]] std::size_t words() const { return std::size_t{n} * arrays; }
};

class Rotation : public Mover {
 public:
  Rotation(const Batch& batch, std::uint32_t places) : batch_(batch), places_(places) {}

  void move(const void* from, void* to, bool back, Stream stream) override {
    const std::uint32_t places = back ? (batch_.n - places_) % batch_.n : places_;
    with_word<uint4>(batch_.word_bytes, [&]<class Word>(Word) {
      Launch{divide_up(batch_.n, list_words), batch_.arrays, list_threads, 0, stream}(
          device::rotate<Word>, batch_.n, places, static_cast<const Word*>(from), static_cast<Word*>(to));
    });
  }
  std::size_t bytes_moved() const override { return 2 * batch_.words() * batch_.word_bytes; }
  std::size_t bytes_held() const override { return 0; }
  StoredPlan stored() const override { return {batch_.n, RotationForm{places_}}; }

 private:
  Batch batch_;
  std::uint32_t places_;
};

class AxisTiles : public Mover {
 public:
  AxisTiles(const Batch& batch, const AxisForm& form)
      : batch_(batch),
        axes_(form),
        form_(cut_into_tiles(form, device::tile_row)),
        from_place_(form_.from_place),
        from_digits_(form_.from_digits),
        to_place_(form_.to_place),
        to_digits_(form_.to_digits),
        word_(form_.word) {
    tiles_.count = static_cast<int>(form_.axes.size());
    for (std::size_t a = 0; a < form_.axes.size(); ++a) {
      const TiledAxis& axis = form_.axes[a];
      tiles_.axes[a] = {axis.extent, axis.chunk, axis.parts(), axis.from_stride, axis.to_stride};
    }
    tiles_.offset = form_.offset;
    std::copy_n(form_.ragged, 2, tiles_.ragged);
    tiles_.words = static_cast<std::uint32_t>(form_.tile_words());
    tiles_.n = batch.n;
    tiles_.from_place = from_place_.data();
    tiles_.from_digits = from_digits_.data();
    tiles_.to_place = to_place_.data();
    tiles_.to_digits = to_digits_.data();
    tiles_.word = word_.data();
  }

  void move(const void* from, void* to, bool back, Stream stream) override {
    with_word<uint4>(batch_.word_bytes, [&]<class Word>(Word) {
      const auto* const source = static_cast<const Word*>(from);
      auto* const target = static_cast<Word*>(to);
      if (form_.is_plane(device::tile_row)) {
        with_constants(back, writes_parts_of_sectors(back), [&](auto is_back, auto skewed) {
          constexpr std::size_t words = device::rows_read<skewed, Word> * (device::tile_row + 1);
          launch(words * sizeof(Word), stream)(device::move_planes<is_back, skewed, Word>, tiles_, source, target);
        });
      } else {
        const std::size_t words = tiles_.words + tiles_.words / 32 + 1;
        launch(words * sizeof(Word), stream)(back ? device::move_tiles<true, Word> : device::move_tiles<false, Word>,
                                             tiles_, source, target);
      }
    });
  }
  std::size_t bytes_moved() const override { return 2 * batch_.words() * batch_.word_bytes; }
  std::size_t bytes_held() const override { return 5 * word_.bytes(); }
  StoredPlan stored() const override { return {batch_.n, axes_}; }

 private:
  [[nodiscard]] Launch launch(std::size_t shared_bytes, Stream stream) const {
    return {static_cast<std::uint32_t>(form_.tiles()), batch_.arrays, list_threads, shared_bytes, stream};
  }

  /// Whether rows of the result begin within sectors, for square tiles.
  [[nodiscard]] bool writes_parts_of_sectors(bool back) const {
    const TiledAxis& rows = form_.axes[form_.ragged[back]];
    const TiledAxis& words = form_.axes[form_.ragged[!back]];
    const std::uint32_t pitch = back ? rows.from_stride : rows.to_stride;
    return (back ? words.from_stride : words.to_stride) == 1 && pitch * batch_.word_bytes % 32 != 0;
  }

  Batch batch_;
  AxisForm axes_;
  TiledForm form_;
  Buffer<std::uint32_t> from_place_, from_digits_, to_place_, to_digits_, word_;
  device::Tiles tiles_ = {};
};

Buffer<std::uint32_t> inverse_of(const Buffer<std::uint32_t>& permutation) {
  const auto n = static_cast<std::uint32_t>(permutation.size());
  Buffer<std::uint32_t> inverse(n);
  if (n == 0) return inverse;
  device::invert<<<divide_up(n, list_threads), list_threads>>>(n, permutation.data(), inverse.data());
  check_launch("invert a permutation");
  check(cudaDeviceSynchronize(), "invert a permutation");
  return inverse;
}

/// Gather and scatter.
class ByList : public Mover {
 public:
  ByList(const Batch& batch, std::span<const std::uint32_t> permutation, bool gathers)
      : batch_(batch), gathers_(gathers), permutation_(permutation), inverse_(inverse_of(permutation_)) {}

  void move(const void* from, void* to, bool back, Stream stream) override {
    const Buffer<std::uint32_t>& places = back == gathers_ ? permutation_ : inverse_;
    const Launch launch{divide_up(batch_.n, list_words), batch_.arrays, list_threads, 0, stream};
    with_word<uint4>(batch_.word_bytes, [&]<class Word>(Word) {
      launch(gathers_ ? device::move_by_list<device::Random::read, Word>
                      : device::move_by_list<device::Random::write, Word>,
             batch_.n, places.data(), static_cast<const Word*>(from), static_cast<Word*>(to));
    });
  }
  std::size_t bytes_moved() const override {
    constexpr std::size_t sector = 32;
    return batch_.words() * (sizeof(std::uint32_t) + batch_.word_bytes + std::max(sector, batch_.word_bytes));
  }
  std::size_t bytes_held() const override { return permutation_.bytes() + inverse_.bytes(); }
  StoredPlan stored() const override { return {batch_.n, to_host(gathers_ ? inverse_ : permutation_), gathers_}; }

 private:
  Batch batch_;
  bool gathers_;
  Buffer<std::uint32_t> permutation_, inverse_;
};

/// Holds the plan of the inverse permutation, so that a move writes complete blocks and reads runs. The other way round
/// takes up to twice as long, because many runs begin within sectors (docs/explanation/kernels/permutation.md).
class TwoPasses : public Mover {
 public:
  TwoPasses(const Batch& batch, std::span<const std::uint32_t> permutation, std::uint32_t block)
      : batch_(batch),
        blocks_(divide_up(batch.n, block)),
        first_(batch.n),
        second_(batch.n),
        run_starts_(divide_up(batch.n, 32)),
        runs_before_(divide_up(batch.n, 32)),
        middle_(batch.words() * batch.word_bytes) {
    plan_ = {batch.n, block, first_.data(), second_.data(), run_starts_.data(), runs_before_.data(), nullptr};
    plan(permutation);
  }

  /// Takes the plan of the inverse permutation.
  TwoPasses(const Batch& batch, const TwoPassPlan& inverse)
      : batch_(batch),
        blocks_(divide_up(batch.n, inverse.block())),
        first_(inverse.arrays().first),
        second_(inverse.arrays().second),
        run_starts_(inverse.arrays().run_starts),
        runs_before_(inverse.runs_before()),
        shift_(inverse.arrays().shift),
        middle_(batch.words() * batch.word_bytes) {
    plan_ = {batch.n,      inverse.block(), first_.data(), second_.data(), run_starts_.data(), runs_before_.data(),
             shift_.data()};
  }

  /// Bytes of shared memory that planning needs.
  static std::size_t planning_bytes(std::size_t n, std::uint32_t block) {
    return 2 * sizeof(std::uint32_t) * divide_up(n, block) + block / 8;
  }

  void move(const void* from, void* to, bool back, Stream stream) override {
    const std::uint32_t threads = threads_of_block(plan_.block * batch_.word_bytes);
    const Launch launch{blocks_, batch_.arrays, threads, plan_.block * batch_.word_bytes, stream};
    with_word<uint4>(batch_.word_bytes, [&]<class Word>(Word) {
      auto* const middle = reinterpret_cast<Word*>(middle_.data());
      launch(back ? device::to_runs<Word> : device::from_places<Word>, plan_, static_cast<const Word*>(from), middle);
      launch(back ? device::to_places<Word> : device::from_runs<Word>, plan_, static_cast<const Word*>(middle),
             static_cast<Word*>(to));
    });
  }
  std::size_t bytes_moved() const override {
    return 4 * batch_.words() * batch_.word_bytes + batch_.arrays * plan_bytes();
  }
  std::size_t bytes_held() const override { return plan_bytes() + middle_.bytes(); }
  StoredPlan stored() const override {
    return {batch_.n,
            TwoPassPlan({plan_.block, to_host(first_), to_host(second_), to_host(run_starts_), to_host(shift_)}), true};
  }

 private:
  [[nodiscard]] std::size_t plan_bytes() const {
    return first_.bytes() + second_.bytes() + run_starts_.bytes() + runs_before_.bytes() + shift_.bytes();
  }

  static void sum_before(std::uint32_t* values, std::size_t count) {
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, count), "add numbers");
    const Buffer<std::byte> spare(bytes);
    check(cub::DeviceScan::ExclusiveSum(spare.data(), bytes, values, values, count), "add numbers");
    check(cudaDeviceSynchronize(), "add numbers");
  }

  void plan(std::span<const std::uint32_t> host) {
    const BlockOf block_of(plan_.block);
    const Buffer<std::uint32_t> permutation = inverse_of(Buffer<std::uint32_t>(host));
    const Buffer<std::uint32_t> lengths(std::size_t{blocks_} * blocks_);
    const Buffer<std::uint32_t> runs(blocks_ + 1);
    check(cudaMemset(runs.data(), 0, runs.bytes()), "clear counters");
    Launch{blocks_, 1, device::max_threads, sizeof(std::uint32_t) * blocks_, nullptr}(
        device::count_runs, plan_, block_of, static_cast<const std::uint32_t*>(permutation.data()), lengths.data(),
        runs.data());
    sum_before(lengths.data(), lengths.size());
    sum_before(runs.data(), runs.size());
    std::uint32_t count = 0;
    check(cudaMemcpy(&count, runs.data() + blocks_, sizeof count, cudaMemcpyDeviceToHost), "count runs");
    shift_ = Buffer<std::uint32_t>(count);
    plan_.shift = shift_.data();
    Launch{blocks_, 1, device::max_threads, planning_bytes(batch_.n, plan_.block), nullptr}(
        device::place_words, plan_, block_of, static_cast<const std::uint32_t*>(permutation.data()),
        static_cast<const std::uint32_t*>(lengths.data()), static_cast<const std::uint32_t*>(runs.data()));
    check(cudaDeviceSynchronize(), "plan");
  }

  Batch batch_;
  std::uint32_t blocks_;
  Buffer<std::uint16_t> first_, second_;
  Buffer<std::uint32_t> run_starts_, runs_before_, shift_;
  Buffer<std::byte> middle_;
  device::TwoPasses plan_ = {};
};

/// The block of two passes, or 0 where they do not run.
std::uint32_t usable_block(const Batch& batch, std::uint32_t asked) {
  const std::size_t shared = warpfold::cuda::max_shared_bytes();
  const std::uint32_t block = asked > 0 ? asked : gpu_block(batch.n, batch.word_bytes);
  const bool fits = block * batch.word_bytes <= shared && TwoPasses::planning_bytes(batch.n, block) <= shared;
  return block % 32 == 0 && block <= TwoPassPlan::max_block && fits ? block : 0;
}

void check_arrays(std::size_t arrays) {
  constexpr std::size_t max_arrays = 65535;  // in a launch's second dimension
  if (arrays < 1 || arrays > max_arrays) {
    throw Error(ErrorKind::usage,
                "arrays is " + std::to_string(arrays) + ": 1 .. " + std::to_string(max_arrays) + " are accepted");
  }
}

/// The algorithm of a plan that was stored. Three steps do not run on GPUs.
Algorithm algorithm_of(const StoredPlan& plan) {
  const std::string name = plan.algorithm();
  for (const Algorithm algorithm : {Algorithm::rotation, Algorithm::axes, Algorithm::gather, Algorithm::scatter}) {
    if (name == name_of(algorithm)) return algorithm;
  }
  return Algorithm::fastest;
}

}  // namespace

struct Plan::State {
  int device = DeviceScope::current();
  Algorithm algorithm = Algorithm::fastest;
  std::unique_ptr<Mover> mover;
  LastUse last_use;

  void choose(std::span<const std::uint32_t> permutation, const Batch& batch, const PlanOptions& options) {
    const auto wants = [&](Algorithm which) {
      return options.algorithm == Algorithm::fastest || options.algorithm == which;
    };
    if (const auto places = wants(Algorithm::rotation) ? find_rotation(permutation) : std::nullopt) {
      return use<Rotation>(Algorithm::rotation, batch, *places);
    }
    if (const auto form = wants(Algorithm::axes) ? find_axes(permutation) : std::nullopt) {
      return use<AxisTiles>(Algorithm::axes, batch, *form);
    }
    const std::uint32_t block = wants(Algorithm::two_passes) ? usable_block(batch, options.block) : 0;
    const bool pays = options.algorithm != Algorithm::fastest || two_passes_pay(batch.n, batch.word_bytes);
    if (block > 0 && pays) return use<TwoPasses>(Algorithm::two_passes, batch, permutation, block);
    if (wants(Algorithm::gather)) return use<ByList>(Algorithm::gather, batch, permutation, true);
    if (wants(Algorithm::scatter)) return use<ByList>(Algorithm::scatter, batch, permutation, false);
    refuse(options.algorithm);
  }

  void take(const StoredPlan& plan, const Batch& batch) {
    const auto* const passes = std::get_if<TwoPassPlan>(&plan.form());
    if (passes != nullptr && plan.is_of_inverse() && usable_block(batch, passes->block()) > 0) {
      return use<TwoPasses>(Algorithm::two_passes, batch, *passes);
    }
    choose(plan.permutation(), batch, {.algorithm = algorithm_of(plan)});
  }

 private:
  template <class Kind, class... Arguments>
  void use(Algorithm which, const Arguments&... arguments) {
    algorithm = which;
    mover = std::make_unique<Kind>(arguments...);
  }

  [[noreturn]] static void refuse(Algorithm algorithm) {
    const char* const why = algorithm == Algorithm::rotation ? "it is no rotation"
                            : algorithm == Algorithm::axes   ? "it is no order of axes"
                                                             : "its blocks do not fit shared memory";
    throw Error(ErrorKind::usage,
                "algorithm " + std::string(name_of(algorithm)) + " does not move this permutation: " + why);
  }
};

Plan::Plan(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const PlanOptions& options) {
  check_word_bytes(word_bytes);
  check_arrays(options.arrays);
  check_permutation(permutation);
  const DeviceScope scope(DeviceScope::current());  // this build may have no code for it
  const Batch batch{static_cast<std::uint32_t>(permutation.size()), static_cast<std::uint32_t>(options.arrays),
                    word_bytes};
  state_ = std::make_unique<State>();
  state_->choose(permutation, batch, options);
}
Plan::Plan(const StoredPlan& plan, std::size_t word_bytes, std::size_t arrays) {
  check_word_bytes(word_bytes);
  check_arrays(arrays);
  const DeviceScope scope(DeviceScope::current());
  const Batch batch{static_cast<std::uint32_t>(plan.size()), static_cast<std::uint32_t>(arrays), word_bytes};
  state_ = std::make_unique<State>();
  state_->take(plan, batch);
}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

void Plan::move(const void* from, void* to, Stream stream) {
  const DeviceScope scope(state_->device);
  if (state_->mover->bytes_moved() == 0) return;
  state_->mover->move(from, to, false, stream);
  state_->last_use.record(stream);
}

void Plan::move_back(const void* from, void* to, Stream stream) {
  const DeviceScope scope(state_->device);
  if (state_->mover->bytes_moved() == 0) return;
  state_->mover->move(from, to, true, stream);
  state_->last_use.record(stream);
}

Algorithm Plan::algorithm() const { return state_->algorithm; }
bool Plan::works_in_place() const { return state_->algorithm == Algorithm::two_passes; }
std::size_t Plan::bytes_moved() const { return state_->mover->bytes_moved(); }
std::size_t Plan::bytes_held() const { return state_->mover->bytes_held(); }
StoredPlan Plan::stored() const {
  const DeviceScope scope(state_->device);
  return state_->mover->stored();
}

}  // namespace warpfold::permutation::cuda
