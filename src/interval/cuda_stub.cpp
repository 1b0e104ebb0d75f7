#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/triangulation/device_filler.hpp"
#include "run/reject_cuda.hpp"
#include "tiles/gpu/table_handle.hpp"
#include "warpfold/interval/cuda.hpp"

/// The stubs of interval's GPU backends, for a build without CUDA.
namespace warpfold::interval::cuda {

WARPFOLD_REJECT_CUDA(Solution<T> solve(const Triangulation<T>&, Context&))
WARPFOLD_REJECT_CUDA(std::size_t device_bytes(const TriangulationSize&, const Options&))
WARPFOLD_REJECT_CUDA(IntervalTable<T> solve_chain(std::span<const T>, bool, Context&))
WARPFOLD_REJECT_CUDA(std::size_t chain_device_bytes(const MatrixChain&, const Options&))
WARPFOLD_REJECT_CUDA(std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>&, Context&))

template <class T>
struct DeviceFiller<T>::State {};
template <class T>
DeviceFiller<T>::~DeviceFiller() = default;
template <class T>
void DeviceFiller<T>::leave() noexcept {}
WARPFOLD_REJECT_CUDA(DeviceFiller<T>::DeviceFiller(const Triangulation<T>&, Context&, Pages))
WARPFOLD_REJECT_CUDA(double DeviceFiller<T>::operations(std::size_t))
WARPFOLD_REJECT_CUDA(int DeviceFiller<T>::prepare(int, SolveMonitor&, TableExchange&))
WARPFOLD_REJECT_CUDA(void DeviceFiller<T>::run(SolveMonitor&, bool))
WARPFOLD_REJECT_CUDA(tiles::TableHandle DeviceFiller<T>::handle() const)
WARPFOLD_REJECT_CUDA(bool DeviceFiller<T>::reach(const tiles::TableReader&))
WARPFOLD_REJECT_CUDA(SuperTiles DeviceFiller<T>::super_tiles() const)
WARPFOLD_REJECT_CUDA(const IntervalTable<T>& DeviceFiller<T>::table() const)
WARPFOLD_REJECT_CUDA(Solution<T> DeviceFiller<T>::solution(Context&))

template <class T>
struct Plan<T>::State {};
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;
WARPFOLD_REJECT_CUDA(Plan<T>::Plan(std::span<const std::size_t>, std::span<const int>, std::size_t, bool))
WARPFOLD_REJECT_CUDA(std::size_t Plan<T>::workspace_bytes(std::span<const std::size_t>, std::size_t, std::size_t))
WARPFOLD_REJECT_CUDA(void Plan<T>::solve(const T*, std::size_t, const WeightBounds<T>&, Stream))
WARPFOLD_REJECT_CUDA(void Plan<T>::solve(const Point*, ChordWeight, const WeightBounds<T>&, Stream))
WARPFOLD_REJECT_CUDA(void Plan<T>::structure(Triangle*, Stream))
WARPFOLD_REJECT_CUDA(void Plan<T>::costs(T*, Stream))
WARPFOLD_REJECT_CUDA(const T* Plan<T>::table(std::size_t) const)
WARPFOLD_REJECT_CUDA(std::size_t Plan<T>::tasks() const)
WARPFOLD_REJECT_CUDA(const unsigned* Plan<T>::tasks_taken() const)
WARPFOLD_REJECT_CUDA(unsigned* Plan<T>::stop() const)
WARPFOLD_REJECT_CUDA(unsigned Plan<T>::solves() const)
WARPFOLD_REJECT_CUDA(void Plan<T>::connect(TableExchange&, const SuperTiles&, const tiles::device::PeerTables&, int))
WARPFOLD_REJECT_CUDA(void Plan<T>::complete(const SolveMonitor&))
WARPFOLD_REJECT_CUDA(tiles::TableHandle Plan<T>::handle())

#define WARPFOLD_INSTANTIATE(T)                                                                      \
  template Solution<T> solve(const Triangulation<T>&, Context&);                                     \
  template std::size_t device_bytes<T>(const TriangulationSize&, const Options&);                    \
  template IntervalTable<T> solve_chain(std::span<const T>, bool, Context&);                         \
  template std::size_t chain_device_bytes<T>(const MatrixChain&, const Options&);                    \
  template std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>&, Context&); \
  template class DeviceFiller<T>;                                                                    \
  template class Plan<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::cuda
