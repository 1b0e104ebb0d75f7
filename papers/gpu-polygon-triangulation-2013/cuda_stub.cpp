#include "core/number_types.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the kernels in a build without CUDA.
namespace warpfold::papers::gpu_polygon_2013 {

template <class T>
struct PaperSolver<T>::State {};
template <class T>
PaperSolver<T>::~PaperSolver() = default;
template <class T>
PaperSolver<T>::PaperSolver(PaperSolver&&) noexcept = default;
template <class T>
PaperSolver<T>& PaperSolver<T>::operator=(PaperSolver&&) noexcept = default;
WARPFOLD_REJECT_CUDA(PaperSolver<T>::PaperSolver(int, const Triangulation<T>&))
WARPFOLD_REJECT_CUDA(Timing PaperSolver<T>::run(const Plan&, SolveMonitor&, bool))
WARPFOLD_REJECT_CUDA(std::vector<T> PaperSolver<T>::values() const)
WARPFOLD_REJECT_CUDA(T PaperSolver<T>::cost() const)

#define WARPFOLD_INSTANTIATE(T) template class PaperSolver<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::papers::gpu_polygon_2013
