#include "warpfold/core/error.hpp"
#include "warpfold/minplus/cuda.hpp"

/// What a build without CUDA has in place of minplus's GPU plans.
namespace warpfold::minplus::cuda {

namespace {

[[noreturn]] void refuse() { throw Error(ErrorKind::device, "CUDA is not compiled: minplus runs on the CPU only"); }

}  // namespace

template <class T>
struct Plan<T>::State {};
template <class T>
Plan<T>::Plan(std::size_t, std::size_t, std::size_t, bool) {
  refuse();
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;
template <class T>
std::size_t Plan<T>::workspace_bytes(std::size_t, std::size_t, std::size_t, bool) {
  refuse();
}
template <class T>
void Plan<T>::multiply(const T*, const T*, T*, T, std::uint32_t*, bool, Stream) {
  refuse();
}

template class Plan<std::int32_t>;
template class Plan<std::int64_t>;
template class Plan<float>;
template class Plan<double>;

}  // namespace warpfold::minplus::cuda
