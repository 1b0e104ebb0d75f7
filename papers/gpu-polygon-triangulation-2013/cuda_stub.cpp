#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/core/error.hpp"

/// What a build without CUDA has in place of the kernels.
namespace warpfold::papers::gpu_polygon_2013 {

namespace {

[[noreturn]] void refuse() { throw Error(ErrorKind::device, "CUDA is not compiled: --device auto or cpu is accepted"); }

}  // namespace

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

}  // namespace warpfold::papers::gpu_polygon_2013
