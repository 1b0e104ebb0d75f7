#include "run/reject_cuda.hpp"
#include "sequence/gpu/pairs.hpp"
#include "sequence/gpu/scores.hpp"
#include "sequence/gpu/series.hpp"
#include "sequence/gpu/slices.hpp"
#include "warpfold/sequence/cuda.hpp"

/// The stand-in for the GPU backend of sequences in a build without CUDA.
namespace warpfold::sequence::cuda {

Distance by_slices(const Query&, Context&) { reject_cuda(); }
Distance by_slices(const Query&, Context&, unsigned) { reject_cuda(); }

std::size_t device_bytes(const Size&, const Options&) { reject_cuda(); }
std::size_t host_bytes(const Size&, const Options&) { reject_cuda(); }

double seconds(const Size&, const Options&) { reject_cuda(); }

template <class T>
Warping<T> warping_by_strips(const warp::Query<T>&, Context&) {
  reject_cuda();
}
template <class T>
Warping<T> warping_by_strips(const warp::Query<T>&, Context&, const SeriesShape&) {
  reject_cuda();
}
template Warping<float> warping_by_strips(const warp::Query<float>&, Context&);
template Warping<double> warping_by_strips(const warp::Query<double>&, Context&);
template Warping<std::int32_t> warping_by_strips(const warp::Query<std::int32_t>&, Context&);
template Warping<float> warping_by_strips(const warp::Query<float>&, Context&, const SeriesShape&);
template Warping<double> warping_by_strips(const warp::Query<double>&, Context&, const SeriesShape&);
template Warping<std::int32_t> warping_by_strips(const warp::Query<std::int32_t>&, Context&, const SeriesShape&);

Alignment alignment_by_strips(const alignment::Query&, Context&) { reject_cuda(); }
Alignment alignment_by_strips(const alignment::Query&, Context&, const ScoreLayout&) { reject_cuda(); }

struct PairWorker::State {};
PairWorker::PairWorker(int, Measure) { reject_cuda(); }
PairWorker::~PairWorker() = default;
PairWorker::PairWorker(PairWorker&&) noexcept = default;
void PairWorker::solve(std::span<const SymbolView>, std::span<const SymbolView>, std::span<const PairPlace>,
                       std::optional<std::uint32_t>, std::uint32_t*) {
  reject_cuda();
}
void PairWorker::find_scripts(std::span<const SymbolView>, std::span<const SymbolView>, std::optional<std::uint32_t>,
                              std::span<Script>) {
  reject_cuda();
}
std::size_t device_bytes_of_worker(std::size_t) { reject_cuda(); }
std::size_t host_bytes_of_worker(std::size_t) { reject_cuda(); }
std::size_t device_bytes_of_scripts(std::size_t) { reject_cuda(); }

struct PairPlan::State {};
PairPlan::PairPlan(std::span<const std::uint64_t>, std::span<const std::uint64_t>, const BatchRequest&,
                   std::string_view) {
  reject_cuda();
}
PairPlan::~PairPlan() = default;
PairPlan::PairPlan(PairPlan&&) noexcept = default;
PairPlan& PairPlan::operator=(PairPlan&&) noexcept = default;
void PairPlan::run(const std::uint8_t*, const std::uint8_t*, std::uint32_t*, Stream) { reject_cuda(); }
std::size_t PairPlan::bytes_held() const { reject_cuda(); }

}  // namespace warpfold::sequence::cuda
