#include "interval/backends.hpp"
#include "interval/triangulation/device_filler.hpp"
#include "run/reject_cuda.hpp"
#include "tiles/gpu/table_handle.hpp"
#include "warpfold/interval/cuda.hpp"

/// The stubs of interval's GPU backends, for a build without CUDA.
namespace warpfold::interval {

namespace cuda {

template <class T>
Solution<T> solve(const Triangulation<T>&, Context&) {
  reject_cuda();
}
template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, Context&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, Context&);
template Solution<float> solve(const Triangulation<float>&, Context&);
template Solution<double> solve(const Triangulation<double>&, Context&);

template <class T>
std::size_t device_bytes(const TriangulationSize&, const Options&) {
  reject_cuda();
}
template std::size_t device_bytes<std::int32_t>(const TriangulationSize&, const Options&);
template std::size_t device_bytes<std::int64_t>(const TriangulationSize&, const Options&);
template std::size_t device_bytes<float>(const TriangulationSize&, const Options&);
template std::size_t device_bytes<double>(const TriangulationSize&, const Options&);

template <class T>
IntervalTable<T> solve_chain(std::span<const T>, bool, Context&) {
  reject_cuda();
}
template IntervalTable<std::int32_t> solve_chain(std::span<const std::int32_t>, bool, Context&);
template IntervalTable<std::int64_t> solve_chain(std::span<const std::int64_t>, bool, Context&);
template IntervalTable<float> solve_chain(std::span<const float>, bool, Context&);
template IntervalTable<double> solve_chain(std::span<const double>, bool, Context&);

template <class T>
std::size_t chain_device_bytes(const MatrixChain&, const Options&) {
  reject_cuda();
}
template std::size_t chain_device_bytes<std::int32_t>(const MatrixChain&, const Options&);
template std::size_t chain_device_bytes<std::int64_t>(const MatrixChain&, const Options&);
template std::size_t chain_device_bytes<float>(const MatrixChain&, const Options&);
template std::size_t chain_device_bytes<double>(const MatrixChain&, const Options&);

template <class T>
std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>&, Context&) {
  reject_cuda();
}
template std::vector<Solution<std::int32_t>> solve_batch(const std::span<const Triangulation<std::int32_t>>&, Context&);
template std::vector<Solution<std::int64_t>> solve_batch(const std::span<const Triangulation<std::int64_t>>&, Context&);
template std::vector<Solution<float>> solve_batch(const std::span<const Triangulation<float>>&, Context&);
template std::vector<Solution<double>> solve_batch(const std::span<const Triangulation<double>>&, Context&);

template <class T>
struct DeviceFiller<T>::State {};
template <class T>
DeviceFiller<T>::DeviceFiller(const Triangulation<T>&, Context&, Pages) {
  reject_cuda();
}
template <class T>
DeviceFiller<T>::~DeviceFiller() = default;
template <class T>
double DeviceFiller<T>::operations(std::size_t) {
  reject_cuda();
}
template <class T>
int DeviceFiller<T>::prepare(int, SolveMonitor&, TableExchange&) {
  reject_cuda();
}
template <class T>
void DeviceFiller<T>::run(SolveMonitor&, bool) {
  reject_cuda();
}
template <class T>
tiles::TableHandle DeviceFiller<T>::handle() const {
  reject_cuda();
}
template <class T>
bool DeviceFiller<T>::reach(const tiles::TableReader&) {
  reject_cuda();
}
template <class T>
void DeviceFiller<T>::leave() noexcept {}
template <class T>
SuperTiles DeviceFiller<T>::super_tiles() const {
  reject_cuda();
}
template <class T>
const IntervalTable<T>& DeviceFiller<T>::table() const {
  reject_cuda();
}
template <class T>
Solution<T> DeviceFiller<T>::solution(Context&) {
  reject_cuda();
}

template class DeviceFiller<std::int32_t>;
template class DeviceFiller<std::int64_t>;
template class DeviceFiller<float>;
template class DeviceFiller<double>;

template <class T>
struct Plan<T>::State {};
template <class T>
Plan<T>::Plan(std::span<const std::size_t>, std::span<const int>, std::size_t, bool) {
  reject_cuda();
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;
template <class T>
std::size_t Plan<T>::workspace_bytes(std::span<const std::size_t>, std::size_t, std::size_t) {
  reject_cuda();
}
template <class T>
void Plan<T>::solve(const T*, std::size_t, const WeightBounds<T>&, Stream) {
  reject_cuda();
}
template <class T>
void Plan<T>::solve(const Point*, ChordWeight, const WeightBounds<T>&, Stream) {
  reject_cuda();
}
template <class T>
void Plan<T>::structure(Triangle*, Stream) {
  reject_cuda();
}
template <class T>
void Plan<T>::costs(T*, Stream) {
  reject_cuda();
}
template <class T>
const T* Plan<T>::table(std::size_t) const {
  reject_cuda();
}
template <class T>
std::size_t Plan<T>::tasks() const {
  reject_cuda();
}
template <class T>
const unsigned* Plan<T>::tasks_taken() const {
  reject_cuda();
}
template <class T>
unsigned* Plan<T>::stop() const {
  reject_cuda();
}
template <class T>
unsigned Plan<T>::solves() const {
  reject_cuda();
}
template <class T>
void Plan<T>::connect(TableExchange&, const SuperTiles&, const tiles::device::PeerTables&, int) {
  reject_cuda();
}
template <class T>
void Plan<T>::complete(const SolveMonitor&) {
  reject_cuda();
}
template <class T>
tiles::TableHandle Plan<T>::handle() {
  reject_cuda();
}

template class Plan<std::int32_t>;
template class Plan<std::int64_t>;
template class Plan<float>;
template class Plan<double>;

}  // namespace cuda
}  // namespace warpfold::interval
