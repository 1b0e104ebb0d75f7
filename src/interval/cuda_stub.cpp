#include "interval/backend.hpp"
#include "interval/paper_kernels.hpp"
#include "interval/paper_mcm.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/cuda.hpp"

/// What a build without CUDA has in place of interval's GPU backends.
namespace warpfold::interval {

namespace {

[[noreturn]] void refuse() { throw Error(ErrorKind::device, "CUDA is not compiled: --device auto or cpu is accepted"); }

}  // namespace

namespace paper {

template <class T>
struct PaperSolver<T>::State {};
template <class T>
PaperSolver<T>::PaperSolver(int, const Triangulation<T>&) {
  refuse();
}
template <class T>
PaperSolver<T>::~PaperSolver() = default;
template <class T>
PaperSolver<T>::PaperSolver(PaperSolver&&) noexcept = default;
template <class T>
PaperSolver<T>& PaperSolver<T>::operator=(PaperSolver&&) noexcept = default;
template <class T>
Timing PaperSolver<T>::run(const Plan&, Watch&, bool) {
  refuse();
}
template <class T>
std::vector<T> PaperSolver<T>::values() const {
  refuse();
}

template <class T>
T PaperSolver<T>::cost() const {
  refuse();
}

template class PaperSolver<float>;
template class PaperSolver<double>;
template class PaperSolver<std::int32_t>;
template class PaperSolver<std::int64_t>;

bool compiled() { return false; }

std::vector<std::string> device_names() { return {}; }

McmRun solve_mcm(std::span<const std::int64_t> dimensions, McmForm form, McmBarrier barrier, int, Watch&) {
  check_mcm(dimensions, form, barrier);
  refuse();
}

}  // namespace paper

namespace cuda {

bool compiled() { return false; }

template <class T>
Solution<T> solve(const Triangulation<T>&, const Options&, Report&) {
  refuse();
}
template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, const Options&, Report&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, const Options&, Report&);
template Solution<float> solve(const Triangulation<float>&, const Options&, Report&);
template Solution<double> solve(const Triangulation<double>&, const Options&, Report&);

template <class T>
RecurrenceResult<T> solve_chain(std::span<const T>, bool, const Options&) {
  refuse();
}
template RecurrenceResult<std::int32_t> solve_chain(std::span<const std::int32_t>, bool, const Options&);
template RecurrenceResult<std::int64_t> solve_chain(std::span<const std::int64_t>, bool, const Options&);
template RecurrenceResult<float> solve_chain(std::span<const float>, bool, const Options&);
template RecurrenceResult<double> solve_chain(std::span<const double>, bool, const Options&);

template <class T>
std::vector<Solution<T>> solve_batch(std::span<const Triangulation<T>>, const Options&, Report&) {
  refuse();
}
template std::vector<Solution<std::int32_t>> solve_batch(std::span<const Triangulation<std::int32_t>>, const Options&,
                                                         Report&);
template std::vector<Solution<std::int64_t>> solve_batch(std::span<const Triangulation<std::int64_t>>, const Options&,
                                                         Report&);
template std::vector<Solution<float>> solve_batch(std::span<const Triangulation<float>>, const Options&, Report&);
template std::vector<Solution<double>> solve_batch(std::span<const Triangulation<double>>, const Options&, Report&);

template <class T>
struct Plan<T>::State {};
template <class T>
Plan<T>::Plan(std::span<const std::size_t>) {
  refuse();
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;
template <class T>
std::size_t Plan<T>::workspace_bytes(std::span<const std::size_t>) {
  refuse();
}
template <class T>
void Plan<T>::solve(const T*, std::size_t, const WeightBounds<T>&, Stream) {
  refuse();
}
template <class T>
void Plan<T>::solve(const Point*, ChordWeight, const WeightBounds<T>&, Stream) {
  refuse();
}
template <class T>
void Plan<T>::structure(Node*, Stream) {
  refuse();
}
template <class T>
void Plan<T>::costs(T*, Stream) {
  refuse();
}
template <class T>
const T* Plan<T>::table(std::size_t) const {
  refuse();
}
template <class T>
std::size_t Plan<T>::tasks() const {
  refuse();
}
template <class T>
const unsigned* Plan<T>::tasks_taken() const {
  refuse();
}
template <class T>
unsigned* Plan<T>::stop() const {
  refuse();
}
template <class T>
unsigned Plan<T>::solves() const {
  refuse();
}

template class Plan<std::int32_t>;
template class Plan<std::int64_t>;
template class Plan<float>;
template class Plan<double>;

}  // namespace cuda
}  // namespace warpfold::interval
