#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "run/reject_cuda.hpp"

/// What a build without CUDA has in place of the kernels.
namespace warpfold::papers::gpu_polygon_2013 {

template <class T>
struct PaperSolver<T>::State {};
template <class T>
PaperSolver<T>::PaperSolver(int, const Triangulation<T>&) {
  reject_cuda();
}
template <class T>
PaperSolver<T>::~PaperSolver() = default;
template <class T>
PaperSolver<T>::PaperSolver(PaperSolver&&) noexcept = default;
template <class T>
PaperSolver<T>& PaperSolver<T>::operator=(PaperSolver&&) noexcept = default;
template <class T>
Timing PaperSolver<T>::run(const Plan&, SolveMonitor&, bool) {
  reject_cuda();
}
template <class T>
std::vector<T> PaperSolver<T>::values() const {
  reject_cuda();
}

template <class T>
T PaperSolver<T>::cost() const {
  reject_cuda();
}

template class PaperSolver<float>;
template class PaperSolver<double>;
template class PaperSolver<std::int32_t>;
template class PaperSolver<std::int64_t>;

}  // namespace warpfold::papers::gpu_polygon_2013
